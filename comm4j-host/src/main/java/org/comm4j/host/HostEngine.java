// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.core.spi.Engine;
import org.comm4j.ffi.OperatingSystem;
import org.comm4j.ffi.OperatingSystemException;
import org.jspecify.annotations.Nullable;

/** The embedded engine under its name, {@code host}. */
public final class HostEngine implements Engine {
    public static final String NAME = "host";

    public HostEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public @Nullable String problem() {
        try {
            OperatingSystem os = OperatingSystem.current();
            int file = os.createSharedFile("comm4j", 4096);
            try {
                os.closeFile(os.openSharedFile(os.sharedPath(file)));
            } finally {
                os.closeFile(file);
            }
            return null;
        } catch (UnsupportedOperationException | OperatingSystemException | IllegalCallerException e) {
            return e.getMessage();
        }
    }

    @Override
    public Communicator communicator(World world) {
        return Host.communicator(world);
    }
}
