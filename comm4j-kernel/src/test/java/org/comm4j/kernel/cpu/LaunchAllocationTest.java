// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.RepeatableLaunch;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A launch allocates nothing in the thread that makes it. Arguments are in an array that was made before, for a call
 * with an argument list makes one each time, and an object of each number in it.
 */
class LaunchAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int LAUNCHES = 500;
    private static final int ROUNDS = 20;
    private static final int N = 1 << 14;

    @Kernel
    static void saxpy(int n, float a, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }

    @Kernel
    static void scale(double by, @Restrict F32View x, @Restrict F32View y) {
        int i = GlobalIdx.x();
        if (i < x.length()) {
            y.set(i, (float) by * x.get(i));
        }
    }

    @Kernel
    static void blockSums(F32Ptr x, F32Ptr sums) {
        float[] part = Shared.f32(64);
        int t = ThreadIdx.x();
        part[t] = x.get(GlobalIdx.x());
        Block.sync();
        for (int half = 32; half > 0; half /= 2) {
            if (t < half) {
                part[t] += part[t + half];
            }
            Block.sync();
        }
        if (t == 0) {
            sums.set(BlockIdx.x(), part[0]);
        }
    }

    private final HostArray x = HostArray.of(new float[N]);
    private final HostArray y = HostArray.allocate(DataType.FLOAT32, N);

    private static CpuKernel kernel(String name, int processors) {
        return Arrays.stream(LaunchAllocationTest.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .map(each -> new CpuKernel(each, CpuOptions.fast().processors(processors)))
                .findFirst()
                .orElseThrow();
    }

    /** The bytes of a launch: the fewest of some rounds, for methods are still compiled, and classes loaded. */
    private static double bytes(CpuKernel kernel, LaunchConfig config, Object... arguments) {
        return bytes(() -> kernel.launch(config, arguments));
    }

    private static double bytes(Runnable launch) {
        long fewest = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && fewest > 0; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < LAUNCHES; i++) {
                launch.run();
            }
            fewest = Math.min(fewest, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return (double) fewest / LAUNCHES;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void ofOneThread(int processors) {
        assertThat(bytes(kernel("saxpy", processors), LaunchConfig.grid(1).block(1), 1, 2f, x, y))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void ofRows(int processors) {
        assertThat(bytes(kernel("saxpy", processors), LaunchConfig.forElements(N), N, 2f, x, F32Ptr.of(y)))
                .isZero();
    }

    /** Neither do changes of arguments. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void ofPreparedOnes(int processors) {
        RepeatableLaunch launch = kernel("saxpy", processors).prepare(LaunchConfig.forElements(N), N, 2f, x, y);
        assertThat(bytes(() -> launch.set(0, N - 1)
                        .set(1, N + 0.5f)
                        .set(2, y)
                        .set(3, x)
                        .launch()))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void ofRestrictedViews(int processors) {
        assertThat(bytes(kernel("scale", processors), LaunchConfig.forElements(N), 2.5, x, F32View.of(y)))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void ofBlocksThatWait(int processors) {
        assertThat(bytes(kernel("blockSums", processors), LaunchConfig.grid(16).block(64), x, y))
                .isZero();
    }
}
