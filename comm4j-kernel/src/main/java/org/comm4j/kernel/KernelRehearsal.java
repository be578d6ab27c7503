// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.spi.Rehearsal;
import org.comm4j.cuda.ComputeCapability;
import org.comm4j.ffi.CallShape;
import org.comm4j.kernel.capture.Content;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.disk.Sha256;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.I32Ptr;

/**
 * What a process does whose first kernel is in the cache, from the reference to a method to the arguments of a launch:
 * with a kernel that is in no cache, so that nothing comes of it. Not for programs, but for {@link Rehearsal}.
 */
public final class KernelRehearsal extends Rehearsal {
    private static final String NAME = "rehearsal";
    private static final int HASHED = 1 << 14;

    public KernelRehearsal() {}

    @Override
    protected void run(String engine) throws IllegalAccessException {
        if (engine.equals(DEVICE)) {
            // Then what the program does next comes first.
            return;
        }
        linkLaunches();
        DiskCache cache = DiskCache.ofProcess().onlyRead();
        KernelMethod.Of2<I32Ptr, Integer> kernel = KernelRehearsal::nothing;
        KernelSource source = KernelSource.of(kernel);
        CudaArch arch = CudaArch.of(new ComputeCapability(9, 0));
        CompileOptions options =
                CompileOptions.DEFAULT.with(DeviceUnit.source(NAME, "").versionHeaders(NAME));
        TranslationCache remembered = TranslationCache.of(cache, source, arch, options);
        if (remembered == null) {
            // Classes in folders are not remembered, so that their kernels are translated.
            return;
        }
        // So that the JVM compiles it: interpreted, it takes 0.2 to 0.4 ms a KiB.
        String _ = Sha256.hex(new byte[HASHED]);
        // As of classes that are not our own.
        String _ = Content.ofFile(KernelRehearsal.class);
        KernelMetadata _ = remembered.recall();
        KernelMetadata facts = Objects.requireNonNull(remembered.read(entry(cache)));
        KernelCode code = KernelCode.known(source, facts, arch, options, cache);
        byte[] _ = code.kept();
        // Of a device, which there is not: only loaded.
        Class<?> _ = MethodHandles.lookup().ensureInitialized(GpuCompiler.class);
        Class<?> _ = MethodHandles.lookup().ensureInitialized(GpuKernel.class);
        try (Arena arena = Arena.ofConfined()) {
            Object[] given = {HostArray.allocate(arena, DataType.INT32, 1), 1};
            Object[] _ = code.packing().pack(code.arguments(buffer -> null).check(given));
        }
    }

    /**
     * Of {@code cuOccupancyMaxActiveBlocksPerMultiprocessor}, which cooperative launches ask, and {@code
     * cuLaunchKernelEx}.
     */
    private static void linkLaunches() {
        CallShape.link(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG));
        CallShape.link(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
    }

    private static void nothing(I32Ptr data, int count) {}

    /** What the cache has of a kernel. */
    private static String[] entry(DiskCache cache) {
        return new String[] {
            NAME,
            "EXACT false false 0 0",
            NAME,
            NAME,
            NAME,
            "2",
            I32Ptr.class.getName() + "\tfalse\tdata",
            "int\tfalse\tcount",
            "2",
            "*",
            "I32",
            KernelRehearsal.class.getName() + "\t" + Content.of(KernelRehearsal.class, cache)
        };
    }
}
