// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Launches that end otherwise than a kernel that returns: by whatever is thrown, by an interrupt, by a limit. */
@Timeout(60)
class LaunchTest {
    /** Kernels that loop without a call end when it changes. */
    static volatile Object round = new Object();

    static volatile CountDownLatch running = new CountDownLatch(1);

    static Stream<CpuOptions> modes() {
        return Stream.of(
                CpuOptions.fast().processors(2),
                CpuOptions.fast().shuffled(5),
                CpuOptions.debug(),
                CpuOptions.checked(9));
    }

    private static CpuKernel kernel(CpuOptions options, String name) {
        Method method = Arrays.stream(LaunchTest.class.getDeclaredMethods())
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

    // ---- whatever is thrown ----

    private static Launch launch(CpuOptions options) {
        return new Launch("k", LaunchConfig.grid(4).block(1), options, () -> {});
    }

    /** Also in a thread that is not the caller's, and whatever it is. */
    @Test
    void whatWorkersThrowIsTheLaunchsFailure() {
        for (boolean joins : new boolean[] {true, false}) {
            Launch launch = launch(CpuOptions.fast());
            launch.start();
            Thread caller = Thread.currentThread();
            CountDownLatch others = new CountDownLatch(1);
            Workers workers = new Workers(launch, _ -> {
                if (Thread.currentThread().equals(caller)) {
                    // Who comes when all is done has nothing to do.
                    assertThat(catchThrowable(others::await)).isNull();
                } else {
                    others.countDown();
                    throw new OutOfMemoryError("of the test");
                }
            });
            workers.run(3, joins);
            assertThat(launch.failure())
                    .hasMessageContaining("kernel k (grid 4 x 1 x 1, block 1 x 1 x 1): ")
                    .hasMessageContaining("OutOfMemoryError: of the test")
                    .hasCauseInstanceOf(OutOfMemoryError.class);
        }
    }

    /** Of launches that were short none is woken, so that whoever takes longer asks in the middle. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void helpersComeWhenALaunchTakesLongerThanTheOneBefore() {
        Launch launch = launch(CpuOptions.fast());
        launch.start();
        CountDownLatch others = new CountDownLatch(1);
        Workers[] workers = new Workers[1];
        AtomicReference<Boolean> isLong = new AtomicReference<>(false);
        workers[0] = new Workers(launch, worker -> {
            if (!isLong.get()) {
                return;
            }
            if (worker > 0) {
                others.countDown();
                return;
            }
            while (others.getCount() > 0) {
                workers[0].goOn(worker);
            }
        });
        for (int i = 0; i < 1000; i++) {
            workers[0].run(2, true);
        }
        isLong.set(true);
        workers[0].run(2, true);
        assertThat(launch.failure()).isNull();
    }

    @Kernel
    static void counts(I32Ptr out) {
        int _ = out.atomicAdd(0, 1);
    }

    /** Helpers that come late find another launch, which is theirs, or nothing to do. */
    @Test
    void eachBlockRunsOnceLaunchAfterLaunch() {
        CpuKernel counts = kernel(CpuOptions.fast().processors(3), "counts");
        HostArray out = ints(1);
        int blocks = 0;
        for (int i = 0; i < Nightly.times(3_000, 100_000); i++) {
            int some = 1 + i % 7;
            counts.launch(LaunchConfig.grid(some).block(1), out);
            blocks += some;
        }
        assertThat(out.getInt(0)).isEqualTo(blocks);
    }

    static void muchShared(I32Ptr out) {
        double[] much = Shared.f64(1 << 26);
        much[0] = 1;
        Block.sync();
        out.set(GlobalIdx.x(), (int) much[0]);
    }

    static void twoShared(I32Ptr out) {
        float[] one = Shared.f32(8 << 10);
        byte[] other = Shared.i8(17 << 10);
        one[0] = other.length;
        Block.sync();
        out.set(0, 1);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void sharedMemoryIsWhatAGpuHas(CpuOptions options) {
        if (options.mode() != CpuOptions.Mode.DEBUG) {
            assertThatThrownBy(() -> kernel(options, "muchShared"))
                    .isInstanceOf(KernelCompileException.class)
                    .hasMessageContaining(
                            "its shared arrays take 536870912 bytes, and a GPU has 232448 for a block at most");
        }
        assertThat(failure(options.anyJava(), "muchShared", LaunchConfig.grid(2).block(32), ints(64)))
                .hasMessageContaining(
                        "a block has 536870912 bytes of shared arrays and 0 of dynamic shared memory; a GPU has 232448")
                .hasMessageContaining("LaunchTest.muchShared(LaunchTest.java:");
        assertThatThrownBy(() -> kernel(options, "twoShared")
                        .launch(LaunchConfig.grid(1).block(1).shared(190_000), ints(1)))
                .message()
                .containsAnyOf(
                        "its shared arrays take 50176 bytes of a block, so that it needs 240176, and a GPU has 232448",
                        "a block has 50176 bytes of shared arrays and 190000 of dynamic");
        assertThatThrownBy(() -> kernel(options, "index")
                        .launch(LaunchConfig.grid(1).block(1).shared(232449), ints(8), 0L))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kernel LaunchTest.index cannot be launched as grid 1 x 1 x 1, ")
                .hasMessageContaining("so that it needs 232449, and a GPU has 232448");
    }

    // ---- indices that are too large for bytes ----

    static void index(I32Ptr out, long i) {
        out.set(i, 42);
    }

    static void reads(I64Ptr out, long i) {
        out.set(0, out.get(i));
    }

    static void moves(I32Ptr out, long n) {
        out.plus(n).plus(n).set(1, 42);
    }

    static void adds(I32Ptr out, long i) {
        out.atomicAdd(i, 42);
    }

    static void halves(F16Ptr a, BF16Ptr b, I16Ptr c, F64Ptr d, F32Ptr e, I8Ptr f, int which, long i) {
        switch (which) {
            case 0 -> a.set(i, 1);
            case 1 -> b.set(i, 1);
            case 2 -> c.set(i, (short) 1);
            case 3 -> d.set(i, 1);
            case 4 -> e.setVolatile(i, 1);
            default -> f.set(i, (byte) 1);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void indicesDoNotWrapAround(CpuOptions options) {
        LaunchConfig one = LaunchConfig.grid(1).block(1);
        for (long i : new long[] {(1L << 62) + 1, Long.MIN_VALUE + 1, (1L << 63) - (1L << 61), 1L << 59, -(1L << 62)}) {
            HostArray out = ints(8);
            for (String name : new String[] {"index", "adds"}) {
                assertThat(failure(options, name, one, out, i))
                        .as("%s %d", name, i)
                        .hasCauseInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("element " + i + " is in no memory");
            }
            assertThat(out.toIntArray()).containsOnly(0);
            HostArray longs = HostArray.allocate(DataType.INT64, 8);
            assertThat(failure(options, "reads", one, longs, i)).hasCauseInstanceOf(IndexOutOfBoundsException.class);
        }
        HostArray out = ints(8);
        for (long n : new long[] {1L << 61, -(1L << 61), 1L << 57, Long.MIN_VALUE}) {
            assertThat(failure(options, "moves", one, out, n))
                    .as("%d", n)
                    .hasCauseInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(out.toIntArray()).containsOnly(0);
        DataType[] types = {
            DataType.FLOAT16, DataType.BFLOAT16, DataType.INT16, DataType.FLOAT64, DataType.FLOAT32, DataType.INT8
        };
        Object[] arguments = Arrays.copyOf(
                Arrays.stream(types).map(type -> HostArray.allocate(type, 8)).toArray(), types.length + 2);
        for (int which = 0; which < types.length; which++) {
            arguments[types.length] = which;
            for (long i : new long[] {(1L << 63) - (1L << 60), 1L << 62, 1L << 61, (1L << 63) - 8}) {
                arguments[types.length + 1] = i;
                assertThat(failure(options, "halves", one, arguments))
                        .as("%d at %d", which, i)
                        .hasCauseInstanceOf(IndexOutOfBoundsException.class);
            }
        }
    }

    // ---- interrupts and limits ----

    static void loops() {
        Object mine = round;
        running.countDown();
        while (mine.equals(round)) {}
    }

    static void waitsAndLoops() {
        Block.sync();
        Object mine = round;
        running.countDown();
        while (mine.equals(round)) {}
    }

    static void meetsForever() {
        running.countDown();
        for (int i = 0; i >= 0; i = i + 1 & 7) {
            Block.sync();
        }
    }

    static void spins(I32Ptr flag) {
        running.countDown();
        while (flag.getVolatile(0) == 0) {}
    }

    private static Throwable interrupted(CpuOptions options, String name, Object... arguments) throws Exception {
        running = new CountDownLatch(1);
        CpuKernel kernel = kernel(options, name);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicReference<Boolean> flag = new AtomicReference<>(false);
        Thread thread = new Thread(() -> {
            thrown.set(catchThrowable(() -> kernel.launch(LaunchConfig.grid(1).block(1), arguments)));
            flag.set(Thread.currentThread().isInterrupted());
        });
        thread.start();
        running.await();
        thread.interrupt();
        thread.join();
        assertThat(flag.get()).isTrue();
        return thrown.get();
    }

    /** Each mode, and a kernel that does not end when asked to: another one in the next mode, all by night. */
    static Stream<Arguments> interrupts() {
        List<CpuOptions> modes = modes().toList();
        return IntStream.range(0, modes.size())
                .mapToObj(i -> Arguments.of(modes.get(i), Nightly.variants(i, List.of("loops", "waitsAndLoops"))));
    }

    @ParameterizedTest
    @MethodSource("interrupts")
    void aLaunchIsInterrupted(CpuOptions options, List<String> endless) throws Exception {
        List<String> names = new ArrayList<>(endless);
        names.add("meetsForever");
        for (String name : names) {
            // What a GPU could not run is the kernel's own class, which does not look whether it is to end.
            Throwable thrown = interrupted(options.anyJava(), name);
            round = new Object();
            assertThat(thrown)
                    .as(name)
                    .isInstanceOf(KernelException.class)
                    .hasMessageContaining("kernel LaunchTest." + name + "() (grid 1 x 1 x 1, block 1 x 1 x 1")
                    .hasMessageContaining("the launching thread was interrupted");
            assertThat(thrown.getMessage().contains("it has not stopped either"))
                    .as(thrown.getMessage())
                    .isEqualTo(!name.equals("meetsForever"));
        }
        assertThat(interrupted(options.anyJava(), "spins", ints(1)))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("the launching thread was interrupted");
    }

    static void returns(I32Ptr out) {
        out.set(GlobalIdx.x(), 1);
    }

    /** Where the caller is one of the workers, too. */
    @ParameterizedTest
    @MethodSource("modes")
    void anInterruptedThreadLaunchesNothing(CpuOptions options) {
        HostArray out = ints(8);
        Thread.currentThread().interrupt();
        KernelException e = failure(options, "returns", LaunchConfig.grid(4).block(2), out);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(e).hasMessageContaining("the launching thread was interrupted");
        kernel(options, "returns").launch(LaunchConfig.grid(4).block(2), out);
        assertThat(out.toIntArray()).containsOnly(1);
    }

    static void throwsAtOnce() {
        throw new IllegalStateException("at once");
    }

    /** Launches that nobody waits for any more keep no processor from others. */
    @Test
    void afterEndlessKernelsOthersRun() {
        CpuOptions options = CpuOptions.debug().timeout(Duration.ofMillis(50));
        // One for each processor is enough to keep all from others.
        for (int i = 0; i < Math.min(4, Runtime.getRuntime().availableProcessors()); i++) {
            assertThat(failure(options, "loops", LaunchConfig.grid(1).block(1)))
                    .hasMessageContaining("not ended after 50 ms, and it has not stopped either");
        }
        KernelException e = failure(
                options.timeout(Duration.ofSeconds(20)),
                "throwsAtOnce",
                LaunchConfig.grid(1).block(1));
        round = new Object();
        assertThat(e).hasMessageContaining("IllegalStateException: at once");
    }

    @Test
    void whatHasNotBegunIsSaidToBeSo() {
        Launch launch = launch(CpuOptions.debug().timeout(Duration.ofMillis(5)));
        assertThat(launch.abandoned())
                .hasMessageEndingWith("not ended after 5 ms, and none of its threads has got a processor yet");
        launch.begin();
        assertThat(launch.abandoned())
                .hasMessageContaining("it is in a loop without a call of the vocabulary, or gets no processor");
    }

    // ---- large grids ----

    static void throwsInTheFirst() {
        if (BlockIdx.x() >= 0) {
            throw new IllegalStateException("block " + BlockIdx.x());
        }
    }

    static void meets(I32Ptr out) {
        Block.sync();
        out.atomicAdd(0, 1);
    }

    /** There is no list of all blocks. */
    @ParameterizedTest
    @MethodSource("modes")
    void grids(CpuOptions options) {
        LaunchConfig large = LaunchConfig.grid(Integer.MAX_VALUE).block(1);
        assertThat(failure(options, "throwsInTheFirst", large)).hasMessageContaining("IllegalStateException: block ");
        assertThat(failure(options.timeout(Duration.ofMillis(100)), "meets", large, ints(1)))
                .hasMessageContaining("not ended after 100 ms");
        assertThatThrownBy(() -> kernel(options, "meets").launch(large.cooperatively(), ints(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2147483647 threads here; more than 1048576 do so on no GPU");
    }

    @Test
    void everyBlockIsInOneGroup() {
        for (CpuOptions options :
                new CpuOptions[] {CpuOptions.fast(), CpuOptions.fast().shuffled(3)}) {
            for (LaunchConfig config : new LaunchConfig[] {
                LaunchConfig.grid(7, 3, 2).block(33),
                LaunchConfig.grid(4, 6, 2).block(8).cluster(2, 3, 1),
                LaunchConfig.grid(5, 2).block(64).cooperatively(),
                LaunchConfig.grid(1).block(1)
            }) {
                Groups groups = new Groups(config, options);
                long[] all = LongStream.range(0, groups.count())
                        .flatMap(group -> LongStream.of(groups.blocks(group)))
                        .toArray();
                assertThat(LongStream.of(all).sorted().toArray())
                        .isEqualTo(LongStream.range(0, config.blocks()).toArray());
                for (int i = 0; i < all.length; i += config.clusterBlocks()) {
                    for (int k = 0; k < config.clusterBlocks(); k++) {
                        assertThat(BlockState.cluster(config, all[i + k]))
                                .isEqualTo(BlockState.cluster(config, all[i]));
                    }
                }
            }
        }
    }

    @Test
    void permutationsHaveEachNumberOnce() {
        for (int count : new int[] {1, 2, 3, 4, 5, 100, 4097}) {
            Permutation permutation = new Permutation(count, 7);
            assertThat(LongStream.range(0, count).map(permutation::at).sorted().toArray())
                    .isEqualTo(LongStream.range(0, count).toArray());
        }
        assertThat(new Permutation(1L << 40, 1).at(5)).isBetween(0L, (1L << 40) - 1);
    }

    // ---- what is looked at ----

    static void allToOne(I32Ptr out) {
        out.set(0, GlobalIdx.x());
    }

    /** Also where threads run one after the other. */
    @Test
    void racesAreFoundInAnyOrder() {
        CpuOptions sequential =
                new CpuOptions(CpuOptions.Mode.CHECKED, CpuOptions.Order.SEQUENTIAL, 0, 1, Duration.ZERO, true);
        assertThat(failure(sequential, "allToOne", LaunchConfig.grid(1).block(32), ints(1)))
                .hasMessageContaining("race on element 0");
    }

    @ParameterizedTest
    @MethodSource("modes")
    void residentBlocksAreOfBlocksThatThereAre(CpuOptions options) {
        try (CpuKernel kernel = kernel(options, "returns")) {
            assertThat(kernel.residentBlocks(32, 0)).isPositive();
            for (int[] wrong : new int[][] {{32, -1}, {0, 0}, {-1, 0}, {1025, 0}}) {
                assertThatThrownBy(() -> kernel.residentBlocks(wrong[0], wrong[1]))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("kernel LaunchTest.returns has no blocks of " + wrong[0] + " threads");
            }
        }
    }
}
