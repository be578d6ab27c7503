// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.cuda.CudaException;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.jspecify.annotations.Nullable;

/**
 * Kernels that communicate and are wrong on purpose, one for each tool of compute-sanitizer. {@code dev/sanitize
 * --communication} has {@link DeviceProgram} run the one of its tool at the end, and looks for this file in the report.
 * None of them waits for another PE, whose kernel may have been ended.
 */
final class CommunicationFaults {
    /** The tool that this process runs under, if {@code dev/sanitize} says so. */
    static final @Nullable String TOOL = System.getProperty("org.comm4j.sanitizer");

    private static final int THREADS = 64;

    private CommunicationFaults() {}

    /** The array has 4 elements; it is none of the symmetric heap, where all that is mapped may be read and written. */
    @Kernel
    static void memcheck(I32Ptr there, I32Ptr array, int pe) {
        Shmem.p(there, array.get(0), pe);
        array.set(4096, 1);
    }

    /** A barrier is missing. */
    @Kernel
    static void racecheck(I32Ptr there, I32Ptr array, int pe) {
        int[] shared = Shared.i32(THREADS);
        shared[ThreadIdx.x()] = array.get(0) + ThreadIdx.x();
        Shmem.p(there, shared[THREADS - 1 - ThreadIdx.x()], pe);
    }

    /** The threads of a warp come to two barriers. */
    @Kernel
    static void synccheck(I32Ptr there, I32Ptr array, int pe) {
        if ((ThreadIdx.x() & 1) == 0) {
            Block.sync();
            array.set(0, array.get(1));
        } else {
            array.set(1, array.get(2));
            Block.sync();
            array.set(3, array.get(2));
        }
        Shmem.p(there, array.get(0), pe);
    }

    /** Nobody has written what it puts. */
    @Kernel
    static void initcheck(I32Ptr there, I32Ptr array, int pe) {
        Shmem.p(there, array.get(1) + 1, pe);
    }

    /** Collective. What a launch says of it is not what counts here. */
    static void run(String tool, TestPe pe, Device device) throws Exception {
        boolean oneThread = tool.equals("memcheck") || tool.equals("initcheck");
        Buffer there = pe.zeroed(DataType.INT32, 4);
        // A device's own arrays are zeroed.
        try (DeviceArray array = tool.equals("initcheck")
                        ? device.defaultPool().allocate(DataType.INT32, 4, device.newStream())
                        : device.allocate(DataType.INT32, 4);
                CompiledKernel kernel = pe.compiler().compile(method(tool))) {
            kernel.launch(LaunchConfig.grid(1).block(oneThread ? 1 : THREADS), there, array, pe.next());
        } catch (CommTimeoutException e) {
            // Threads that a tool has ended are waited for at the barrier for ever.
            System.out.println("as is to be: " + e.getMessage());
            return;
        } catch (KernelException | CudaException e) {
            System.out.println("as is to be: " + e.getMessage());
        }
        pe.endCase();
    }

    private static Method method(String tool) {
        return Arrays.stream(CommunicationFaults.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(tool) && each.isAnnotationPresent(Kernel.class))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no wrong kernel for " + tool));
    }
}
