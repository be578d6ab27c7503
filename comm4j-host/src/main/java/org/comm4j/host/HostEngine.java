// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.core.spi.Engine;

/** The embedded engine under its name, {@code host}. */
public final class HostEngine implements Engine {
    public static final String NAME = "host";

    public HostEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Communicator communicator(World world) {
        return Host.communicator(world);
    }
}
