// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.FloatMath;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Which kernels are loops, and what these do that random kernels do not have. */
class LoopKernelTest {
    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Makes the loops of a kernel, which throws if there are none. */
    private static void compile(Method kernel) {
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(CpuOptions.checked(1))) {
            compiler.compile(kernel).close();
        }
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
        compile(kernel);
    }

    /** Calls what gives a record. */
    @Kernel
    static void givesRecord(F32Ptr out) {
        out.set(GlobalIdx.x(), FloatMath.sincos(GlobalIdx.x()).cos());
        Block.sync();
    }

    @Test
    void recordsAreResults() {
        HostArray expected = HostArray.of(new float[40]);
        HostArray out = HostArray.of(new float[40]);
        launch(CpuOptions.debug(), "givesRecord", LaunchConfig.grid(1).block(40), expected);
        launch("givesRecord", LaunchConfig.grid(1).block(40), out);
        assertThat(out.toFloatArray()).isEqualTo(expected.toFloatArray());
        assertThat(out.getFloat(0)).isEqualTo(1);
        compile(method(LoopKernelTest.class, "givesRecord"));
    }

    /** Of two exchanges that a region may end with, the lane is the same for all threads in one alone. */
    @Kernel
    static void lanes(I32Ptr out, int lane, int which) {
        int t = ThreadIdx.x();
        int got;
        if (which == 0) {
            got = Warp.shuffle(t, lane);
        } else {
            got = Warp.shuffle(t, t ^ 1);
        }
        Block.sync();
        out.set(t, got);
    }

    @Test
    void lanesAreOfTheExchangeThatIsReached() {
        for (CpuOptions options : List.of(CpuOptions.fast(), CpuOptions.fast().shuffled(2), CpuOptions.checked(1))) {
            for (int which = 0; which < 2; which++) {
                HostArray out = HostArray.of(new int[64]);
                launch(options, "lanes", LaunchConfig.grid(1).block(64), out, 5, which);
                for (int t = 0; t < 64; t++) {
                    assertThat(out.getInt(t))
                            .as("%s, %d, %d", options, which, t)
                            .isEqualTo(which == 0 ? t / 32 * 32 + 5 : t ^ 1);
                }
            }
        }
    }

    /** The index of an element, the same for all threads, is known before an exchange and used after it. */
    @Kernel
    static void slots(I32Ptr out) {
        int t = ThreadIdx.x();
        int[] sums = new int[4];
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 4; j++) {
                sums[j] = 3 * sums[j] + Warp.shuffleXor(t + k + j, 1);
            }
            Block.sync();
        }
        for (int j = 0; j < 4; j++) {
            out.set(4 * t + j, sums[j]);
        }
    }

    @Test
    void whatIsTheSameOutlivesTurnsOfALoop() {
        for (CpuOptions options : List.of(CpuOptions.fast(), CpuOptions.fast().shuffled(2), CpuOptions.checked(1))) {
            HostArray out = HostArray.of(new int[4 * 64]);
            launch(options, "slots", LaunchConfig.grid(1).block(64), out);
            for (int t = 0; t < 64; t++) {
                for (int j = 0; j < 4; j++) {
                    int other = (t ^ 1) + j;
                    assertThat(out.getInt(4 * t + j)).isEqualTo(9 * other + 3 * (other + 1) + other + 2);
                }
            }
        }
    }

    private static int begin(int e, int rank, I32Ptr starts) {
        return rank > 0 ? e * rank : starts.get(e);
    }

    /** Where rows begin, the same for all threads, is computed before threads begin with theirs. */
    @Kernel
    static void ragged(int count, I32Ptr starts, I32Ptr counts, I32Ptr out, int rank, int n) {
        for (int e = BlockIdx.x(); e < count; e += GridDim.x()) {
            for (int row = begin(e, rank, starts); row < begin(e, rank, starts) + counts.get(e); row++) {
                for (int i = ThreadIdx.x(); i < n; i += BlockDim.x()) {
                    out.set(row * n + i, 100 * row + i);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void eachThreadBeginsWithWhatWasComputedBefore(int rank) {
        int[] counts = {2, 0, 3, 5};
        HostArray starts = HostArray.of(0, 5, 10, 15);
        for (CpuOptions options : List.of(CpuOptions.fast(), CpuOptions.fast().shuffled(2), CpuOptions.checked(1))) {
            for (int threads : new int[] {8, 32}) {
                int n = 12;
                HostArray out = HostArray.of(new int[20 * n]);
                LaunchConfig config = LaunchConfig.grid(1).block(threads);
                launch(options, "ragged", config, 4, starts, HostArray.of(counts), out, rank, n);
                for (int row = 0; row < 20; row++) {
                    for (int i = 0; i < n; i++) {
                        boolean isWritten = row % 5 < counts[row / 5];
                        assertThat(out.getInt(row * n + i)).isEqualTo(isWritten ? 100 * row + i : 0);
                    }
                }
            }
        }
    }

    /** Points into an argument, another one, or shared memory, and goes on there. */
    @Kernel
    static void chosen(I32Ptr a, I32Ptr b, I32Ptr out) {
        int[] box = Shared.i32(33);
        int t = ThreadIdx.x();
        box[t] = 100 * t;
        if (t == 31) {
            box[32] = 3200;
        }
        Block.sync();
        I32Ptr from = t % 3 == 0 ? a : t % 3 == 1 ? b : I32Ptr.of(box);
        int sum = from.get(t);
        Block.sync();
        from = from.plus(1);
        Block.sync();
        out.set(t, sum + from.get(t));
    }

    @Test
    void pointersMayBeIntoOneOfSeveralMemories() {
        int[] a = IntStream.range(0, 33).toArray();
        int[] b = IntStream.range(0, 33).map(i -> 10 * i).toArray();
        for (CpuOptions options : List.of(CpuOptions.fast(), CpuOptions.checked(1))) {
            HostArray out = HostArray.of(new int[32]);
            launch(options, "chosen", LaunchConfig.grid(1).block(32), HostArray.of(a), HostArray.of(b), out);
            for (int t = 0; t < 32; t++) {
                assertThat(out.getInt(t)).isEqualTo((2 * t + 1) * (t % 3 == 0 ? 1 : t % 3 == 1 ? 10 : 100));
            }
        }
        compile(method(LoopKernelTest.class, "chosen"));
    }

    /** So many steps that the JVM would not compile them as one method. */
    @Kernel
    static void isLong(I32Ptr out) {
        int i = GlobalIdx.x();
        int v = out.get(i);
        for (int k = 0; k < 3; k++) {
            v = much(much(much(much(v))));
            v = much(much(much(much(v))));
        }
        out.set(i, v);
    }

    private static int much(int v) {
        return more(more(more(more(v)))) ^ more(more(more(more(~v))));
    }

    private static int more(int v) {
        int w = (v ^ v << 13) + (v >>> 17) * 5;
        return (w ^ w << 5) * 31 + (w >>> 3) % 7;
    }

    @Test
    void longRegionsAreCut() {
        int[] in = IntStream.range(0, 80).map(i -> i * 7919).toArray();
        for (CpuOptions options : List.of(CpuOptions.fast().shuffled(3), CpuOptions.checked(1))) {
            HostArray out = HostArray.of(in.clone());
            launch(options, "isLong", LaunchConfig.grid(2).block(40), out);
            for (int i = 0; i < in.length; i++) {
                int v = in[i];
                for (int k = 0; k < 24; k++) {
                    v = much(v);
                }
                assertThat(out.getInt(i)).isEqualTo(v);
            }
        }
        compile(method(LoopKernelTest.class, "isLong"));
    }

    private static void launch(String name, LaunchConfig config, Object... arguments) {
        launch(CpuOptions.fast(), name, config, arguments);
    }

    private static void launch(CpuOptions options, String name, LaunchConfig config, Object... arguments) {
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(options);
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
