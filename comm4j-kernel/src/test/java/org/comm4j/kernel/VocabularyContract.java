// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.BFloat16;
import org.comm4j.kernel.lang.BFloat162;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Cluster;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Half;
import org.comm4j.kernel.lang.Half2;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Order;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What threads do together, with the same results wherever they run. A test of a machine has a method {@code machines}.
 */
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
                // compute-sanitizer takes reads before an arrival for a race with writes behind the barrier.
                Block.barrier(2, 64);
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

    // ---- two numbers of 16 bits at once ----

    @Kernel
    static void halves(int n, F16Ptr a, F16Ptr b, F16Ptr c, F16Ptr out) {
        int i = GlobalIdx.x();
        if (i >= n) {
            return;
        }
        long at = 2L * i;
        long row = 2L * n;
        Half2 x = a.get2(at);
        Half2 y = b.get2(at);
        Half2 z = c.get2(at);
        Half first = x.high();
        Half second = y.low();
        out.set2(at, x.add(y));
        out.set2(at + row, x.subtract(y));
        out.set2(at + 2 * row, x.multiply(y));
        out.set2(at + 3 * row, x.fma(y, z));
        out.set2(at + 4 * row, x.min(y));
        out.set2(at + 5 * row, x.max(y));
        out.set2(at + 6 * row, x.negate());
        out.set2(at + 7 * row, x.abs());
        out.set2(at + 8 * row, Half2.of(first, second));
        out.set2(at + 9 * row, Half2.of(x.low().toFloat() * 0.3f, x.high().toFloat() / 3));
        out.set2(at + 10 * row, z);
        out.set2(at + 11 * row, out.atomicAdd2(at + 10 * row, y));
    }

    @Kernel
    static void bfloats(int n, BF16Ptr a, BF16Ptr b, BF16Ptr c, BF16Ptr out) {
        int i = GlobalIdx.x();
        if (i >= n) {
            return;
        }
        long at = 2L * i;
        long row = 2L * n;
        BFloat162 x = a.get2(at);
        BFloat162 y = b.get2(at);
        BFloat162 z = c.get2(at);
        BFloat16 first = x.high();
        BFloat16 second = y.low();
        out.set2(at, x.add(y));
        out.set2(at + row, x.subtract(y));
        out.set2(at + 2 * row, x.multiply(y));
        out.set2(at + 3 * row, x.fma(y, z));
        out.set2(at + 4 * row, x.min(y));
        out.set2(at + 5 * row, x.max(y));
        out.set2(at + 6 * row, x.negate());
        out.set2(at + 7 * row, x.abs());
        out.set2(at + 8 * row, BFloat162.of(first, second));
        out.set2(at + 9 * row, BFloat162.of(x.low().toFloat() * 0.3f, x.high().toFloat() / 3));
        out.set2(at + 10 * row, z);
        out.set2(at + 11 * row, out.atomicAdd2(at + 10 * row, y));
    }

    /** Every 16-bit number that is special in some way with every other one, and random ones. */
    private static short[][] packed(SmallFloatOracle of, int infinity) {
        List<Short> special = new ArrayList<>();
        int one = infinity == 0x7c00 ? 0x3c00 : 0x3f80;
        int step = infinity & -infinity;
        for (int bits : new int[] {
            0,
            1,
            2,
            3,
            step - 1,
            step,
            step + 1,
            2 * step + 1,
            one - 1,
            one,
            one + 1,
            one + 3,
            one + step,
            one + 9 * step + 5,
            infinity - step,
            infinity - 2,
            infinity - 1,
            infinity,
            infinity + 1,
            0x7fff
        }) {
            special.add((short) bits);
            special.add((short) (bits | 0x8000));
        }
        int count = special.size() * special.size();
        Random random = new Random(17);
        short[][] numbers = new short[3][2 * count];
        for (int i = 0; i < numbers[0].length; i++) {
            boolean isRandom = i >= count;
            numbers[0][i] = isRandom ? (short) random.nextInt() : special.get(i / special.size());
            numbers[1][i] = isRandom ? (short) random.nextInt() : special.get(i % special.size());
            // Every second sum nearly cancels: that is where rounding twice would show.
            short product = of.multiply(numbers[0][i], numbers[1][i]);
            numbers[2][i] = random.nextBoolean()
                    ? (short) ((product ^ 0x8000) + random.nextInt(3) - 1)
                    : (short) random.nextInt();
        }
        return numbers;
    }

    private static HostArray bits(DataType type, short... bits) {
        HostArray array = HostArray.allocate(type, bits.length);
        array.segment().copyFrom(MemorySegment.ofArray(bits));
        return array;
    }

    private static void packed(Machine machine, String kernel, DataType type, SmallFloatOracle oracle) {
        short[][] in = packed(oracle, oracle.infinity());
        int n = in[0].length;
        HostArray out = HostArray.allocate(type, 12L * n);
        machine.launch(
                machine.kernel(VocabularyContract.class, kernel),
                LaunchConfig.forElements(n / 2),
                n / 2,
                bits(type, in[0]),
                bits(type, in[1]),
                bits(type, in[2]),
                out);
        short[] found = out.segment().toArray(ValueLayout.JAVA_SHORT);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            short a = in[0][i];
            short b = in[1][i];
            short c = in[2][i];
            boolean isLow = i % 2 == 0;
            short[] expected = {
                oracle.add(a, b),
                oracle.subtract(a, b),
                oracle.multiply(a, b),
                oracle.fma(a, b, c),
                oracle.min(a, b),
                oracle.max(a, b),
                (short) (a ^ 0x8000),
                (short) (a & 0x7fff),
                isLow ? in[0][i + 1] : in[1][i - 1],
                oracle.of(isLow ? oracle.value(a) * 0.3f : oracle.value(a) / 3),
                oracle.add(c, b),
                c
            };
            for (int row = 0; row < expected.length; row++) {
                short got = found[row * n + i];
                // What conversions and atomics make of no number is only that: no number.
                boolean isLoose = row == 9 || row == 10;
                if (got != expected[row] && !(isLoose && oracle.isNaN(got) && oracle.isNaN(expected[row]))) {
                    wrong.add("row %d of %04x, %04x, %04x: %04x instead of %04x"
                            .formatted(row, a & 0xffff, b & 0xffff, c & 0xffff, got & 0xffff, expected[row] & 0xffff));
                }
            }
        }
        assertThat(wrong).as("%s on %s", kernel, machine).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void packedArithmeticIsRoundedOnce(Machine machine) {
        packed(machine, "halves", DataType.FLOAT16, SmallFloatOracle.HALF);
        packed(machine, "bfloats", DataType.BFLOAT16, SmallFloatOracle.BFLOAT16);
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
