// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.frontend.FrontendOptions;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.Cluster;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.kernel.samples.Histogram;
import org.comm4j.kernel.samples.MatrixProduct;
import org.comm4j.kernel.samples.Reduction;
import org.comm4j.kernel.samples.Scan;
import org.comm4j.kernel.samples.Transpose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which kernels are loops, and what these do that random kernels do not have. */
class LoopKernelTest {
    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String problem(Method kernel) {
        return LoopKernel.problem(Frontend.compile(KernelSource.of(kernel), FrontendOptions.HOST));
    }

    static Stream<Method> looped() {
        return Stream.of(
                method(Reduction.class, "blocks"),
                method(Reduction.class, "warps"),
                method(Reduction.class, "lastBlock"),
                method(MatrixProduct.class, "tiled"),
                method(Scan.class, "blocks"),
                method(Transpose.class, "tiled"),
                method(Histogram.class, "shared"));
    }

    @ParameterizedTest
    @MethodSource("looped")
    void samplesAreLoops(Method kernel) {
        assertThat(problem(kernel)).isNull();
    }

    /** Memory of another block has no name of its own. */
    @Kernel
    static void neighbour(I32Ptr out) {
        int[] box = Shared.i32(1);
        box[0] = Cluster.rank();
        Cluster.sync();
        out.set(GlobalIdx.x(), Cluster.map(I32Ptr.of(box), 0).get(0));
        Cluster.sync();
    }

    @Test
    void whatIsNoLoopIsNamed() {
        assertThat(problem(method(LoopKernelTest.class, "neighbour"))).contains("Cluster");
        assertThat(problem(method(Reduction.class, "grid"))).isNull();
    }

    private static void launch(String name, LaunchConfig config, Object... arguments) {
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(CpuOptions.fast());
                CompiledKernel kernel = compiler.compile(method(LoopKernelTest.class, name))) {
            kernel.launch(config, arguments);
        }
    }

    /** Each thread goes round as often as it is; then all of them meet. */
    @Kernel
    static void turns(I32Ptr out) {
        int sum = 0;
        for (int k = 0; k < 4; k++) {
            if (k < ThreadIdx.x() % 4 + 1) {
                sum += Block.syncCount(ThreadIdx.x() % 4 >= k);
            } else {
                Block.syncCount(false);
            }
        }
        out.set(ThreadIdx.x(), sum);
    }

    @Test
    void barriersInDifferentPlacesMeet() {
        HostArray out = HostArray.of(new int[64]);
        launch("turns", LaunchConfig.grid(1).block(64), out);
        // Of 64 threads 64, 48, 32 and 16 count in the turns.
        int[] expected = {64, 64 + 48, 64 + 48 + 32, 64 + 48 + 32 + 16};
        int[] all = out.toIntArray();
        for (int t = 0; t < 64; t++) {
            assertThat(all[t]).isEqualTo(expected[t % 4]);
        }
    }

    /** Warps go round a loop with exchanges at their own pace, for one of them has come there later. */
    @Kernel
    static void ownPace(I32Ptr out) {
        int v = ThreadIdx.x();
        if (v >= 32) {
            v += Warp.shuffleXor(v, 1);
        }
        for (int by = 16; by > 0; by /= 2) {
            v += Warp.shuffleXor(v, by);
        }
        out.set(ThreadIdx.x(), v);
    }

    @Test
    void warpsMayBeInDifferentTurns() {
        HostArray out = HostArray.of(new int[96]);
        launch("ownPace", LaunchConfig.grid(1).block(96), out);
        int[] all = out.toIntArray();
        for (int t = 0; t < 96; t++) {
            int first = t / 32 * 32;
            int sum = 32 * first + 31 * 16;
            assertThat(all[t]).isEqualTo(t < 32 ? sum : 2 * sum);
        }
    }

    /** An index of one thread is outside of the array. */
    @Kernel
    static void outside(int wrong, F32Ptr out) {
        float[] tile = Shared.f32(32);
        tile[ThreadIdx.x() == wrong ? 32 : ThreadIdx.x()] = 1;
        Block.sync();
        out.set(GlobalIdx.x(), tile[31 - ThreadIdx.x()]);
    }

    @Test
    void whoFailsIsNamed() {
        HostArray out = HostArray.of(new float[40]);
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> launch("outside", LaunchConfig.grid(1).block(32), 7, out))
                .hasMessageContaining(
                        "thread (7, 0, 0) of block (0, 0, 0), at org.comm4j.kernel.loops.LoopKernelTest.outside(")
                .hasMessageContaining("IndexOutOfBoundsException");
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> launch("outside", LaunchConfig.grid(2).block(32), -1, out))
                .hasMessageContaining(
                        "thread (8, 0, 0) of block (1, 0, 0), at org.comm4j.kernel.loops.LoopKernelTest.outside(");
    }
}
