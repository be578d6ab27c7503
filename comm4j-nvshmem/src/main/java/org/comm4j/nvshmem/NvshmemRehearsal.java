// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.comm4j.core.spi.HostCall;
import org.comm4j.core.spi.Rehearsal;
import org.comm4j.ffi.CallShape;

/**
 * What {@link Startup} does, as far as it needs no NVSHMEM, while the GPU is opened. Not for programs, but for {@link
 * Rehearsal}.
 */
public final class NvshmemRehearsal extends Rehearsal {
    public NvshmemRehearsal() {}

    @Override
    protected void run(String engine) throws IllegalAccessException {
        if (!engine.equals(DEVICE)) {
            return;
        }
        // Of nvshmemx_set_attr_uniqueid_args, nvshmemx_hostlib_init_attr and nvshmem_calloc.
        CallShape.link(FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        CallShape.link(FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
        CallShape.link(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
        Startup.rehearse();
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        for (Class<?> each : List.of(
                Environment.class,
                Exit.class,
                Meanwhile.class,
                HostCall.class,
                AtomicKernels.class,
                Session.class,
                Watch.class,
                Heap.class,
                Space.class,
                Teams.class,
                Modules.class,
                ReductionKernels.class)) {
            Class<?> _ = lookup.ensureInitialized(each);
        }
    }
}
