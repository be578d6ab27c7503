// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import org.comm4j.core.DataType;
import org.comm4j.cuda.CudaException;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Kernels that are wrong on purpose, one for each tool of compute-sanitizer. {@code dev/sanitize} runs the one of its
 * tool, and looks for this file in the report: so it is seen that the tool sees, and that lines are Java's. No other
 * run takes this class for a test.
 */
@Tag("sanitizer")
@EnabledIfSystemProperty(named = SanitizerFaults.TOOL, matches = "memcheck|racecheck|synccheck|initcheck")
class SanitizerFaults {
    static final String TOOL = "org.comm4j.sanitizer";

    private static final int THREADS = 64;

    /** The array has 4 elements. */
    @Kernel
    static void memcheck(I32Ptr from, I32Ptr to) {
        to.set(4096, from.get(0));
    }

    /** A barrier is missing. */
    @Kernel
    static void racecheck(I32Ptr from, I32Ptr to) {
        int[] shared = Shared.i32(THREADS);
        shared[ThreadIdx.x()] = from.get(0) + ThreadIdx.x();
        to.set(0, shared[THREADS - 1 - ThreadIdx.x()]);
    }

    /** The threads of a warp come to two barriers. */
    @Kernel
    static void synccheck(I32Ptr from, I32Ptr to) {
        if ((ThreadIdx.x() & 1) == 0) {
            Block.sync();
            to.set(0, from.get(0));
        } else {
            to.set(1, from.get(1));
            Block.sync();
            to.set(3, from.get(2));
        }
    }

    /** Nobody has written what it reads. */
    @Kernel
    static void initcheck(I32Ptr from, I32Ptr to) {
        to.set(0, from.get(1) + 1);
    }

    @BeforeAll
    static void require() {
        Machine.requireGpu();
    }

    /** What a launch says of it is not what counts here. */
    @Test
    void isWrong() {
        String tool = System.getProperty(TOOL);
        boolean oneThread = tool.equals("memcheck") || tool.equals("initcheck");
        Device device = Machine.gpu(CompileOptions.DEFAULT).open();
        // A device's own arrays are zeroed.
        DeviceArray from = tool.equals("initcheck")
                ? device.defaultPool().allocate(DataType.INT32, 4, device.newStream())
                : device.allocate(DataType.INT32, 4);
        DeviceArray to = device.allocate(DataType.INT32, 4);
        try (GpuKernel kernel = Machine.gpu(CompileOptions.DEFAULT).kernel(SanitizerFaults.class, tool)) {
            kernel.launch(LaunchConfig.grid(1).block(oneThread ? 1 : THREADS), from, to);
        } catch (KernelException | CudaException e) {
            System.out.println("as is to be: " + e.getMessage());
        }
    }
}
