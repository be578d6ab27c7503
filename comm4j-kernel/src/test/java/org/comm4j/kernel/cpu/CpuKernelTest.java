// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Cluster;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class CpuKernelTest {
    static Stream<CpuOptions> modes() {
        return Stream.of(CpuOptions.fast(), CpuOptions.fast().shuffled(5), CpuOptions.debug(), CpuOptions.checked(9));
    }

    private static CpuKernel kernel(CpuOptions options, String name) {
        Method method = Arrays.stream(CpuKernelTest.class.getDeclaredMethods())
                .filter(m -> m.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return new CpuKernel(method, options);
    }

    private static HostArray ints(int count) {
        return HostArray.allocate(DataType.INT32, count);
    }

    private static KernelException failure(CpuOptions options, String name, LaunchConfig config, Object... arguments) {
        return catchThrowableOfType(
                KernelException.class, () -> kernel(options, name).launch(config, arguments));
    }

    // ---- what kernels throw ----

    static void outOfBounds(I32Ptr out) {
        int i = GlobalIdx.x();
        out.set(i < 37 ? i : 1000, i); // out of bounds
    }

    static void dividesByZero(I32Ptr out) {
        helper(out, ThreadIdx.x());
    }

    private static void helper(I32Ptr out, int i) {
        out.set(i, 100 / (3 - i)); // by zero
    }

    static void asserts(int n) {
        assert GlobalIdx.x() != n : "as it should";
    }

    static void pastTheView(F32View view) {
        view.set(ThreadIdx.x(), 1);
    }

    private static int line(String comment) {
        try {
            String path = "src/test/java/org/comm4j/kernel/cpu/CpuKernelTest.java";
            var lines = java.nio.file.Files.readAllLines(java.nio.file.Path.of(path));
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).endsWith("// " + comment)) {
                    return i + 1;
                }
            }
            throw new AssertionError(comment);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void namesTheThreadAndTheLine(CpuOptions options) {
        KernelException e = failure(options, "outOfBounds", LaunchConfig.grid(2).block(32), ints(37));
        assertThat(e).hasCauseInstanceOf(IndexOutOfBoundsException.class);
        assertThat(e)
                .hasMessageContaining("kernel CpuKernelTest.outOfBounds(I32Ptr) (grid 2 x 1 x 1, block 32 x 1 x 1");
        assertThat(e).hasMessageContaining("of block (1, 0, 0), at ");
        assertThat(e)
                .hasMessageContaining("CpuKernelTest.outOfBounds(CpuKernelTest.java:" + line("out of bounds") + ")");
        assertThat(e)
                .hasMessageEndingWith(
                        "IndexOutOfBoundsException: element 1000 of 4 bytes is outside of an array of 148 bytes");
        if (options.isShuffled()) {
            assertThat(e).hasMessageContaining("seed " + options.seed());
        } else {
            assertThat(e).hasMessageContaining("thread (5, 0, 0) of block");
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void linesOfWhatIsCalled(CpuOptions options) {
        KernelException e =
                failure(options, "dividesByZero", LaunchConfig.grid(1).block(5), ints(5));
        assertThat(e).hasCauseInstanceOf(ArithmeticException.class);
        assertThat(e).hasMessageContaining("thread (3, 0, 0) of block (0, 0, 0), at ");
        assertThat(e).hasMessageContaining("CpuKernelTest.helper(CpuKernelTest.java:" + line("by zero") + ")");
        assertThat(Arrays.stream(e.getCause().getStackTrace()).map(StackTraceElement::getMethodName))
                .containsSubsequence("helper", "dividesByZero");
    }

    @ParameterizedTest
    @MethodSource("modes")
    void assertions(CpuOptions options) {
        kernel(options, "asserts").launch(LaunchConfig.grid(2).block(64), 128);
        KernelException e = failure(options, "asserts", LaunchConfig.grid(2).block(64), 70);
        assertThat(e).hasMessageContaining("thread (6, 0, 0) of block (1, 0, 0)");
        assertThat(e.getCause()).isInstanceOf(AssertionError.class).hasMessage("as it should");
    }

    @ParameterizedTest
    @MethodSource("modes")
    void views(CpuOptions options) {
        HostArray array = HostArray.allocate(DataType.FLOAT32, 64);
        kernel(options, "pastTheView").launch(LaunchConfig.grid(1).block(64), array);
        F32View half = new F32View(F32Ptr.of(array), 32);
        KernelException e = failure(options, "pastTheView", LaunchConfig.grid(1).block(33), half);
        assertThat(e).hasMessageContaining("thread (32, 0, 0)");
        assertThat(e.getCause()).isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining("32");
    }

    // ---- barriers ----

    static void divergent(int n) {
        if (ThreadIdx.x() < n) {
            Block.sync(); // divergent
        }
    }

    static void elsewhere() {
        if (ThreadIdx.x() < 32) {
            Block.sync(); // first half
        } else {
            Block.barrier(1, 64); // second half
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void barrierThatNotAllReach(CpuOptions options) {
        kernel(options, "divergent").launch(LaunchConfig.grid(2).block(64), 64);
        KernelException e = failure(options, "divergent", LaunchConfig.grid(1).block(64), 60);
        assertThat(e)
                .hasMessageContaining("threads wait for others that never come")
                .hasMessageContaining("block (0, 0, 0): ")
                .hasMessageContaining("60 threads wait in Block.sync() at ")
                .hasMessageContaining(
                        "CpuKernelTest.java:" + line("divergent") + "): (0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0), …")
                .hasMessageContaining("4 threads have ended: (60, 0, 0), (61, 0, 0), (62, 0, 0), (63, 0, 0)");
    }

    @ParameterizedTest
    @MethodSource("modes")
    void differentBarriers(CpuOptions options) {
        KernelException e = failure(options, "elsewhere", LaunchConfig.grid(1).block(64));
        assertThat(e)
                .hasMessageContaining("32 threads wait in Block.sync() at ")
                .hasMessageContaining("CpuKernelTest.java:" + line("first half"))
                .hasMessageContaining("32 threads wait in Block.barrier(1, 64) at ")
                .hasMessageContaining("CpuKernelTest.java:" + line("second half"));
    }

    static void needsCooperation() {
        org.comm4j.kernel.lang.Grid.sync();
    }

    @Test
    void gridBarrierNeedsACooperativeLaunch() {
        KernelException e = failure(
                CpuOptions.fast(), "needsCooperation", LaunchConfig.grid(2).block(32));
        assertThat(e).hasMessageContaining("Grid.sync() needs a cooperative launch");
        kernel(CpuOptions.fast(), "needsCooperation")
                .launch(LaunchConfig.grid(20).block(32).cooperatively());
    }

    /** The first warp makes what the second one takes. */
    static void producer(I32Ptr out) {
        int[] box = Shared.i32(32);
        int lane = Warp.laneId();
        for (int round = 0; round < 3; round++) {
            if (ThreadIdx.x() < 32) {
                box[lane] = round * 100 + lane;
                Block.arrive(1, 64);
                Block.barrier(2, 64);
            } else {
                Block.barrier(1, 64);
                out.set(round * 32 + lane, box[31 - lane]);
                Block.arrive(2, 64);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void namedBarriers(CpuOptions options) {
        HostArray out = ints(96);
        kernel(options, "producer").launch(LaunchConfig.grid(1).block(64), out);
        for (int i = 0; i < 96; i++) {
            assertThat(out.getInt(i)).isEqualTo(i / 32 * 100 + 31 - i % 32);
        }
    }

    static void neighbours(I32Ptr out) {
        int[] mine = Shared.i32(32);
        mine[ThreadIdx.x()] = BlockIdx.x() * 1000 + ThreadIdx.x();
        Cluster.sync();
        I32Ptr theirs = Cluster.map(I32Ptr.of(mine), (Cluster.rank() + 1) % Cluster.size());
        out.set(GlobalIdx.x(), theirs.get(ThreadIdx.x()));
        Cluster.sync();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void clusters(CpuOptions options) {
        HostArray out = ints(8 * 32);
        kernel(options, "neighbours").launch(LaunchConfig.grid(8).block(32).cluster(4), out);
        for (int block = 0; block < 8; block++) {
            int next = block / 4 * 4 + (block + 1) % 4;
            assertThat(out.getInt(block * 32L + 5)).isEqualTo(next * 1000 + 5);
        }
    }

    // ---- warps ----

    static void warpOperations(I32Ptr out) {
        int lane = Warp.laneId();
        int at = lane * 8;
        out.set(at, Warp.shuffle(lane * 10, 3, 8));
        out.set(at + 1, Warp.shuffleUp(lane, 3, 16));
        out.set(at + 2, Warp.shuffleDown(lane, 5));
        out.set(at + 3, Warp.shuffleXor(lane, 9));
        out.set(at + 4, Warp.ballot(lane % 3 == 0));
        out.set(at + 5, Warp.matchAny(lane / 5));
        out.set(at + 6, Warp.reduceMin(100 - lane));
        out.set(at + 7, (int) (Warp.shuffle((long) lane << 33, 7) >>> 33) + (Warp.all(lane < 32) ? 1000 : 0));
    }

    @ParameterizedTest
    @MethodSource("modes")
    void warps(CpuOptions options) {
        HostArray out = ints(256);
        kernel(options, "warpOperations").launch(LaunchConfig.grid(1).block(32), out);
        for (int lane = 0; lane < 32; lane++) {
            int at = lane * 8;
            int thirds = 0;
            int same = 0;
            for (int other = 0; other < 32; other++) {
                thirds |= other % 3 == 0 ? 1 << other : 0;
                same |= other / 5 == lane / 5 ? 1 << other : 0;
            }
            assertThat(Arrays.copyOfRange(out.toIntArray(), at, at + 8))
                    .containsExactly(
                            (lane / 8 * 8 + 3) * 10,
                            lane % 16 < 3 ? lane : lane - 3,
                            lane + 5 > 31 ? lane : lane + 5,
                            lane ^ 9,
                            thirds,
                            same,
                            69,
                            1007);
        }
    }

    static void foreignMask() {
        Warp.sync(0xff);
    }

    static void clashingMasks() {
        if (Warp.laneId() == 0) {
            Warp.sync(3);
        } else {
            Warp.sync(7);
        }
    }

    static void readsFromTheDead(I32Ptr out) {
        if (ThreadIdx.x() < 20) {
            out.set(ThreadIdx.x(), Warp.shuffleDown(ThreadIdx.x(), 1));
        }
    }

    @Test
    void wrongMasks() {
        assertThat(failure(
                        CpuOptions.fast(), "foreignMask", LaunchConfig.grid(1).block(32)))
                .hasMessageContaining("the mask 0xff does not have lane 8, which calls it");
        assertThat(failure(
                        CpuOptions.fast(), "clashingMasks", LaunchConfig.grid(1).block(3)))
                .hasMessageContaining("with the mask 0x7 meets Warp.sync with the mask 0x3 of thread (0, 0, 0)");
        assertThat(failure(
                        CpuOptions.fast(), "foreignMask", LaunchConfig.grid(1).block(4)))
                .hasMessageContaining("lanes that do not exist: the warp has 4 threads");
        assertThat(failure(
                        CpuOptions.fast(),
                        "readsFromTheDead",
                        LaunchConfig.grid(1).block(32),
                        ints(32)))
                .hasMessageContaining("Warp.shuffleDown reads from lane 20, which has ended");
    }

    /** Otherwise each thread would be a virtual thread, with the same results. */
    @Test
    void kernelsThatWaitAreLoops() throws NoSuchMethodException {
        KernelSource source = KernelSource.of(CpuKernelTest.class.getDeclaredMethod("warpOperations", I32Ptr.class));
        for (CpuOptions options : List.of(CpuOptions.fast(), CpuOptions.fast().shuffled(1), CpuOptions.checked(1))) {
            assertThat(CpuCode.of(source, options).looped)
                    .as("%s", options)
                    .isNotNull()
                    .matches(loops -> loops.refusal(LaunchConfig.grid(1).block(32)) == null)
                    .matches(loops -> loops.refusal(LaunchConfig.grid(1).block(8, 4)) == null);
        }
    }

    // ---- races ----

    static void forgotTheBarrier(I32Ptr out) {
        int[] box = Shared.i32(64);
        box[ThreadIdx.x()] = 0;
        Block.sync();
        box[ThreadIdx.x()] = ThreadIdx.x(); // writes
        out.set(ThreadIdx.x(), box[63 - ThreadIdx.x()]); // reads
    }

    static void sameElement(I32Ptr out) {
        out.set(0, BlockIdx.x()); // by all blocks
    }

    static void uninitialised(I32Ptr out) {
        float[] box = Shared.f32(4);
        out.set(0, (int) box[2]); // nobody wrote
    }

    /** A flag that is written after data, and read before them. */
    static void message(boolean fenced, I32Ptr data, I32Ptr flag, I32Ptr out) {
        if (BlockIdx.x() == 0) {
            data.set(0, 42);
            if (fenced) {
                Fence.device();
            }
            flag.setVolatile(0, 1);
        } else {
            while (flag.getVolatile(0) == 0) {
                Gpu.nanosleep(100);
            }
            Fence.device();
            out.set(0, data.get(0));
        }
    }

    @Test
    void races() {
        for (long seed = 0; seed < 5; seed++) {
            CpuOptions checked = CpuOptions.checked(seed);
            KernelException e =
                    failure(checked, "forgotTheBarrier", LaunchConfig.grid(1).block(64), ints(64));
            assertThat(e.getMessage())
                    .contains("race on element", "of the shared array", "seed " + seed)
                    .contains("CpuKernelTest.java:" + line("writes"))
                    .contains("CpuKernelTest.java:" + line("reads"));
            e = failure(checked, "sameElement", LaunchConfig.grid(4).block(1), ints(1));
            String at = "CpuKernelTest.java:" + line("by all blocks") + ")";
            assertThat(e)
                    .hasMessageContaining("race on element 0 of HostArray[1 x INT32]")
                    .hasMessageContaining(
                            "writes it at org.comm4j.kernel.cpu.CpuKernelTest.sameElement(" + at + ", thread");
            e = failure(checked, "uninitialised", LaunchConfig.grid(1).block(1), ints(1));
            assertThat(e)
                    .hasMessageContaining("element 2 of the shared array is read before it was written")
                    .hasMessageContaining("CpuKernelTest.java:" + line("nobody wrote"));
        }
    }

    @Test
    void fencesOrder() {
        for (long seed = 0; seed < 5; seed++) {
            HostArray out = ints(1);
            kernel(CpuOptions.checked(seed), "message")
                    .launch(LaunchConfig.grid(2).block(1), true, ints(1), ints(1), out);
            assertThat(out.getInt(0)).isEqualTo(42);
            assertThat(failure(
                            CpuOptions.checked(seed),
                            "message",
                            LaunchConfig.grid(2).block(1),
                            false,
                            ints(1),
                            ints(1),
                            ints(1)))
                    .hasMessageContaining("race on element 0");
        }
    }

    // ---- order and time ----

    static void tickets(I32Ptr next, I32Ptr out) {
        out.set(GlobalIdx.x(), next.atomicAdd(0, 1));
    }

    private static int[] order(CpuOptions options) {
        HostArray out = ints(96);
        kernel(options, "tickets").launch(LaunchConfig.grid(3).block(32), ints(1), out);
        return out.toIntArray();
    }

    @Test
    void orderIsAFunctionOfTheSeed() {
        assertThat(order(CpuOptions.checked(3))).isEqualTo(order(CpuOptions.checked(3)));
        assertThat(order(CpuOptions.checked(3))).isNotEqualTo(order(CpuOptions.checked(4)));
        assertThat(order(CpuOptions.debug().shuffled(3)))
                .isEqualTo(order(CpuOptions.debug().shuffled(3)));
        assertThat(order(CpuOptions.debug().shuffled(3)))
                .isNotEqualTo(order(CpuOptions.debug().shuffled(4)));
        int[] sequential = order(CpuOptions.debug());
        assertThat(sequential).isSorted();
    }

    static void forever(I32Ptr stop) {
        int n = 0;
        while (stop.get(0) == 0) {
            n++;
        }
        stop.set(0, n);
    }

    static void spinsForever(I32Ptr flag) {
        while (flag.getVolatile(0) == 0) {
            Gpu.nanosleep(10);
        }
    }

    @Test
    void endlessKernels() {
        Duration limit = Duration.ofMillis(200);
        for (CpuOptions options : new CpuOptions[] {
            CpuOptions.fast().timeout(limit),
            CpuOptions.fast().shuffled(1).timeout(limit),
            CpuOptions.checked(1).timeout(limit)
        }) {
            assertThat(failure(options, "forever", LaunchConfig.grid(2).block(2), ints(1)))
                    .hasMessageContaining("CpuKernelTest.forever(I32Ptr)")
                    .hasMessageContaining("not ended after 200 ms");
            assertThat(failure(options, "spinsForever", LaunchConfig.grid(2).block(2), ints(1)))
                    .hasMessageContaining("not ended after 200 ms");
        }
        assertThat(failure(
                        CpuOptions.debug().timeout(limit),
                        "spinsForever",
                        LaunchConfig.grid(1).block(1),
                        ints(1)))
                .hasMessageContaining("not ended after 200 ms");
    }

    // ---- what kernels are made of ----

    static void lambdas(int n, I32Ptr out) {
        IntUnaryOperator twice = i -> i * 2 + n + BlockIdx.x();
        out.set(GlobalIdx.x(), twice.applyAsInt(ThreadIdx.x()));
    }

    static void sites(I32Ptr out) {
        int[] first = Shared.i32(4);
        int[] second = Shared.i32(4);
        if (ThreadIdx.x() == 0) {
            first[0] = 1;
            second[0] = 2;
        }
        Block.sync();
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            int[] again = Shared.i32(1);
            if (ThreadIdx.x() == 0) {
                again[0] = i == 0 ? 10 : again[0] + 10;
            }
            Block.sync();
            sum = again[0];
            Block.sync();
        }
        out.set(ThreadIdx.x(), first[0] + second[0] + sum);
    }

    /** Arrays of a library are those of its places, whoever calls it. */
    @KernelLibrary
    static final class SharedLibrary {
        private SharedLibrary() {}

        static long sum() {
            int[] first = Shared.i32(4);
            int[] second = Shared.i32(4);
            long[] third = Shared.i64(4);
            if (ThreadIdx.x() == 0) {
                first[0] = 1;
                second[0] = 2;
                third[0] = 4;
            }
            Block.sync();
            return first[0] + second[0] + third[0];
        }
    }

    static void sitesOfLibrary(I32Ptr out) {
        out.set(ThreadIdx.x(), (int) SharedLibrary.sum());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void sharedArraysOfALibraryAreDifferentOnes(CpuOptions options) {
        HostArray out = ints(33);
        kernel(options, "sitesOfLibrary").launch(LaunchConfig.grid(1).block(33), out);
        assertThat(out.toIntArray()).containsOnly(7);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void language(CpuOptions options) {
        HostArray out = ints(64);
        kernel(options, "lambdas").launch(LaunchConfig.grid(2).block(32), 100, out);
        assertThat(out.getInt(0)).isEqualTo(100);
        assertThat(out.getInt(33)).isEqualTo(103);
        kernel(options, "sites").launch(LaunchConfig.grid(1).block(33), out);
        assertThat(Arrays.copyOf(out.toIntArray(), 33)).containsOnly(33);
    }

    @Test
    void indicesOutsideOfKernels() {
        assertThatThrownBy(ThreadIdx::x)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inside a kernel");
    }

    @Test
    void formats() {
        assertThat(Printf.format("%d %5.2f|%x|%u %c %s %g %g%%", 7, 1.5f, 255, -1, 'a', "s", 0.0001, 1e20))
                .isEqualTo("7  1.50|ff|4294967295 a s 0.0001 1e+20%");
        assertThatThrownBy(() -> Printf.format("%d", 1.0)).hasMessageContaining("%d is not for Double 1.0");
        assertThatThrownBy(() -> Printf.format("%d")).hasMessageContaining("%d has no argument");
    }
}
