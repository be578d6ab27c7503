// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What threads do together, with the same results wherever they run. A test of a machine has a method {@code machines}. */
abstract class VocabularyContract {
    private static HostArray ints(int count) {
        return HostArray.allocate(DataType.INT32, count);
    }

    // ---- warps ----

    @Kernel
    static void warps(I32Ptr out) {
        int lane = Warp.laneId();
        int at = lane * 8;
        out.set(at, Warp.shuffle(lane * 10, 3, 8));
        out.set(at + 1, Warp.shuffleUp(lane, 3, 16));
        out.set(at + 2, Warp.shuffleDown(lane, 5));
        out.set(at + 3, Warp.shuffleXor(lane, 9));
        out.set(at + 4, Warp.ballot(lane % 3 == 0));
        out.set(at + 5, Warp.matchAny(lane / 5));
        out.set(at + 6, Warp.reduceMin(100 - lane) + Warp.reduceMax(lane) + Warp.reduceAdd(1));
        out.set(at + 7, (int) (Warp.shuffle((long) lane << 33, 7) >>> 33) + (Warp.all(lane < 32) ? 1000 : 0));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void lanesOfAWarpExchange(Machine machine) {
        HostArray out = ints(256);
        machine.launch(
                machine.kernel(VocabularyContract.class, "warps"),
                LaunchConfig.grid(1).block(32),
                out);
        for (int lane = 0; lane < 32; lane++) {
            int thirds = 0;
            int same = 0;
            for (int other = 0; other < 32; other++) {
                thirds |= other % 3 == 0 ? 1 << other : 0;
                same |= other / 5 == lane / 5 ? 1 << other : 0;
            }
            assertThat(Arrays.copyOfRange(out.toIntArray(), lane * 8, lane * 8 + 8))
                    .containsExactly(
                            (lane / 8 * 8 + 3) * 10,
                            lane % 16 < 3 ? lane : lane - 3,
                            lane + 5 > 31 ? lane : lane + 5,
                            lane ^ 9,
                            thirds,
                            same,
                            69 + 31 + 32,
                            1007);
        }
    }

    // ---- blocks, clusters, the grid ----

    /** The first warp makes what the second one takes. */
    @Kernel
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
    @MethodSource("machines")
    void warpsMeetAtNamedBarriers(Machine machine) {
        HostArray out = ints(96);
        machine.launch(
                machine.kernel(VocabularyContract.class, "producer"),
                LaunchConfig.grid(1).block(64),
                out);
        for (int i = 0; i < 96; i++) {
            assertThat(out.getInt(i)).isEqualTo(i / 32 * 100 + 31 - i % 32);
        }
    }

    @Kernel
    static void counts(I32Ptr out) {
        int few = Block.syncCount(ThreadIdx.x() % 7 == 0);
        boolean all = Block.syncAnd(ThreadIdx.x() < 100);
        boolean some = Block.syncOr(ThreadIdx.x() == 99);
        out.set(ThreadIdx.x(), few * 100 + (all ? 10 : 0) + (some ? 1 : 0));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void aBlockVotes(Machine machine) {
        HostArray out = ints(100);
        machine.launch(
                machine.kernel(VocabularyContract.class, "counts"),
                LaunchConfig.grid(1).block(100),
                out);
        assertThat(out.toIntArray()).containsOnly(1511);
    }

    @Kernel
    static void neighbours(I32Ptr out) {
        int[] mine = Shared.i32(32);
        mine[ThreadIdx.x()] = BlockIdx.x() * 1000 + ThreadIdx.x();
        Cluster.sync();
        I32Ptr theirs = Cluster.map(I32Ptr.of(mine), (Cluster.rank() + 1) % Cluster.size());
        out.set(GlobalIdx.x(), theirs.get(ThreadIdx.x()));
        Cluster.sync();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void blocksOfAClusterReadEachOther(Machine machine) {
        assumeTrue(
                !(machine instanceof Machine.Gpu gpu) || gpu.open().properties().clusterLaunch(),
                "the device has no clusters");
        HostArray out = ints(8 * 32);
        machine.launch(
                machine.kernel(VocabularyContract.class, "neighbours"),
                LaunchConfig.grid(8).block(32).cluster(4),
                out);
        for (int i = 0; i < 8 * 32; i++) {
            int block = i / 32;
            int next = block / 4 * 4 + (block + 1) % 4;
            assertThat(out.getInt(i)).isEqualTo(next * 1000 + i % 32);
        }
    }

    /** Everybody's number moves on by one block in each round. */
    @Kernel
    static void rounds(int rounds, I32Ptr even, I32Ptr odd) {
        int blocks = GridDim.x();
        for (int round = 0; round < rounds; round++) {
            I32Ptr from = round % 2 == 0 ? even : odd;
            I32Ptr to = round % 2 == 0 ? odd : even;
            int next = (BlockIdx.x() + 1) % blocks * BlockDim.x() + ThreadIdx.x();
            to.set(next, from.get(GlobalIdx.x()) + 1);
            Grid.sync();
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void theGridMeets(Machine machine) {
        int blocks = 9;
        int rounds = 20;
        HostArray even = ints(blocks * 64);
        for (int i = 0; i < blocks * 64; i++) {
            even.setInt(i, i * 1000);
        }
        machine.launch(
                machine.kernel(VocabularyContract.class, "rounds"),
                LaunchConfig.grid(blocks).block(64).cooperatively(),
                rounds,
                even,
                ints(blocks * 64));
        for (int i = 0; i < blocks * 64; i++) {
            int from = Math.floorMod(i / 64 - rounds, blocks) * 64 + i % 64;
            assertThat(even.getInt(i)).isEqualTo(from * 1000 + rounds);
        }
    }

    // ---- memory ----

    @Kernel
    static void scopes(I32Ptr out, I64Ptr wide, F32Ptr real) {
        out.atomicAdd(0, 1, Scope.DEVICE, Order.RELAXED);
        out.atomicAdd(1, ThreadIdx.x(), Scope.SYSTEM, Order.ACQ_REL);
        out.atomicMax(2, GlobalIdx.x());
        out.atomicMin(3, -GlobalIdx.x());
        out.atomicOr(4, 1 << (ThreadIdx.x() & 31));
        out.atomicXor(5, 1);
        out.atomicInc(6, 99);
        int old = out.getVolatile(7);
        while (true) {
            int seen = out.atomicCas(7, old, old + 2);
            if (seen == old) {
                break;
            }
            old = seen;
        }
        wide.atomicAdd(0, 1L << 33);
        real.atomicAdd(0, 0.5f);
        int[] own = Shared.i32(1);
        I32Ptr box = I32Ptr.of(own);
        if (ThreadIdx.x() == 0) {
            own[0] = 0;
        }
        Block.sync();
        box.atomicAdd(0, 1, Scope.BLOCK, Order.RELAXED);
        Block.sync();
        if (ThreadIdx.x() == 0) {
            out.set(8 + BlockIdx.x(), own[0]);
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void atomicsLoseNothing(Machine machine) {
        HostArray out = ints(16);
        HostArray wide = HostArray.allocate(DataType.INT64, 1);
        HostArray real = HostArray.allocate(DataType.FLOAT32, 1);
        machine.launch(
                machine.kernel(VocabularyContract.class, "scopes"),
                LaunchConfig.grid(4).block(96),
                out,
                wide,
                real);
        int threads = 4 * 96;
        assertThat(Arrays.copyOf(out.toIntArray(), 12))
                .containsExactly(
                        threads,
                        4 * 95 * 96 / 2,
                        threads - 1,
                        1 - threads,
                        -1,
                        0,
                        threads % 100,
                        2 * threads,
                        96,
                        96,
                        96,
                        96);
        assertThat(wide.getLong(0)).isEqualTo(threads * (1L << 33));
        assertThat(real.getFloat(0)).isEqualTo(threads / 2f);
    }

    /** A block hands numbers to the next one. */
    @Kernel
    static void messages(I32Ptr data, I32Ptr flag, I32Ptr out) {
        if (BlockIdx.x() == 0) {
            data.set(0, 42);
            flag.setRelease(0, 1);
        } else {
            while (flag.getAcquire(0) == 0) {
                Gpu.nanosleep(100);
            }
            out.set(0, data.get(0));
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void releaseAndAcquireHandOver(Machine machine) {
        HostArray out = ints(1);
        machine.launch(
                machine.kernel(VocabularyContract.class, "messages"), LaunchConfig.grid(2), ints(1), ints(1), out);
        assertThat(out.getInt(0)).isEqualTo(42);
    }

    @Kernel
    static void reverses(int n, F32Ptr values) {
        F32Ptr box = Shared.dynamicF32();
        for (int i = ThreadIdx.x(); i < n; i += BlockDim.x()) {
            box.set(i, values.get(i));
        }
        Block.sync();
        for (int i = ThreadIdx.x(); i < n; i += BlockDim.x()) {
            values.set(i, box.get(n - 1 - i));
        }
    }

    /** The second size is more than a block has without asking (48 KiB). */
    @ParameterizedTest
    @MethodSource("machines")
    void dynamicSharedMemoryIsAsLargeAsTheLaunchSays(Machine machine) {
        for (int n : new int[] {100, 20_000}) {
            HostArray values = HostArray.allocate(DataType.FLOAT32, n);
            for (int i = 0; i < n; i++) {
                values.setFloat(i, i);
            }
            machine.launch(
                    machine.kernel(VocabularyContract.class, "reverses"),
                    LaunchConfig.grid(1).block(256).shared(n * Float.BYTES),
                    n,
                    values);
            for (int i = 0; i < n; i++) {
                assertThat(values.getFloat(i)).isEqualTo(n - 1 - i);
            }
        }
    }

    // ---- arguments ----

    record Line(double slope, float offset, byte times) {}

    @Kernel
    static void arguments(Line line, F32View view, boolean twice, byte b, short s, long l, double d, F64Ptr out) {
        int i = ThreadIdx.x();
        if (i < view.length()) {
            double value = line.slope() * view.get(i) + line.offset() * line.times();
            out.set(i, (twice ? 2 * value : value) + b + s + l + d);
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void structsViewsAndNumbersArrive(Machine machine) {
        HostArray view = HostArray.of(1f, 2f, 3f);
        HostArray out = HostArray.allocate(DataType.FLOAT64, 4);
        machine.launch(
                machine.kernel(VocabularyContract.class, "arguments"),
                LaunchConfig.grid(1).block(4),
                new Line(0.5, 4, (byte) -3),
                view,
                true,
                (byte) -1,
                (short) 300,
                1L << 40,
                0.25,
                out);
        double rest = -1 + 300 + (1L << 40) + 0.25;
        assertThat(out.toDoubleArray())
                .containsExactly(2 * (0.5 - 12) + rest, 2 * (1 - 12) + rest, 2 * (1.5 - 12) + rest, 0);
    }

    static void apply(I32Ptr out, IntUnaryOperator function) {
        out.set(GlobalIdx.x(), function.applyAsInt(GlobalIdx.x()));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void lambdasBringWhatTheyHaveCaptured(Machine machine) {
        int factor = 7;
        long shift = 1L << 34;
        HostArray out = ints(64);
        try (CompiledKernel kernel =
                machine.compiler().compile((I32Ptr p) -> apply(p, i -> i * factor + (int) (shift >> 33)))) {
            machine.launch(kernel, LaunchConfig.grid(2).block(32), out);
        }
        for (int i = 0; i < 64; i++) {
            assertThat(out.getInt(i)).isEqualTo(i * 7 + 2);
        }
    }

    @Kernel
    static void powers(@Constant int degree, F64Ptr values) {
        double[] table = new double[degree + 1];
        double power = 1;
        for (int i = 0; i <= degree; i++) {
            Unroll.all();
            table[i] = power;
            power *= values.get(ThreadIdx.x());
        }
        values.set(ThreadIdx.x(), table[degree]);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void constantsSpecialise(Machine machine) {
        for (int degree : new int[] {0, 3}) {
            HostArray values = HostArray.of(1.0, 2.0, -3.0, 0.5);
            machine.launch(
                    machine.kernel(VocabularyContract.class, "powers", degree),
                    LaunchConfig.grid(1).block(4),
                    values);
            assertThat(values.toDoubleArray())
                    .containsExactly(1, Math.pow(2, degree), Math.pow(-3, degree), Math.pow(0.5, degree));
        }
    }
}
