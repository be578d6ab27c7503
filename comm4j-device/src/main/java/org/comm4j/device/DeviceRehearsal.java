// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandles;
import org.comm4j.core.spi.Rehearsal;
import org.comm4j.ffi.CallShape;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.nvshmem.NvshmemEngine;

/** What {@link ShmemCompiler} does for a first kernel. Not for programs, but for {@link Rehearsal}. */
public final class DeviceRehearsal extends Rehearsal {
    public DeviceRehearsal() {}

    @Override
    protected void run(String engine) throws IllegalAccessException {
        if (!engine.equals(NvshmemEngine.NAME)) {
            return;
        }
        // Of nvshmem_team_translate_pe, cuDeviceCanAccessPeer and cuDeviceGetP2PAttribute, by which Nvshmem.outOfReach
        // finds out who reaches whom.
        CallShape.link(FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        CallShape.link(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        CallShape.link(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT));
        Class<?> _ = MethodHandles.lookup().ensureInitialized(ShmemCompiler.Connection.class);
        DeviceUnit _ =
                NvshmemUnit.of(ShmemCompiler.isDirect(null), Headers.foldersWithoutCompiler(), module -> () -> {});
    }
}
