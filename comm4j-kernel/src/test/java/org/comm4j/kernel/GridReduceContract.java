// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.LongStream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.GridReduce;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reductions over a launch give the same wherever they run, to the bit: a tree that plain Java makes, too. */
abstract class GridReduceContract {
    /** Some of them with blocks that are not whole warps. */
    private static final List<LaunchConfig> SHAPES = List.of(
            LaunchConfig.grid(1).block(1),
            LaunchConfig.grid(1).block(31),
            LaunchConfig.grid(2).block(32),
            LaunchConfig.grid(3).block(33),
            LaunchConfig.grid(5).block(100),
            LaunchConfig.grid(3).block(257),
            LaunchConfig.grid(2).block(1024),
            LaunchConfig.grid(40).block(1),
            LaunchConfig.grid(1, 3).block(33, 2),
            LaunchConfig.grid(2, 3, 2).block(5, 3, 7));

    private static final int LAUNCHES = 2;

    /** Returns the number of this thread in the launch: threads of a block are neighbours. */
    private static int number() {
        int block = (BlockIdx.z() * GridDim.y() + BlockIdx.y()) * GridDim.x() + BlockIdx.x();
        int thread = (ThreadIdx.z() * BlockDim.y() + ThreadIdx.y()) * BlockDim.x() + ThreadIdx.x();
        return block * BlockDim.x() * BlockDim.y() * BlockDim.z() + thread;
    }

    @Kernel
    static void doubles(@Constant int count, int n, F64Ptr x, F64Ptr result, F64Ptr workspace, I32Ptr counter) {
        int i = number();
        double a = i < n ? x.get(i) : 0;
        if (count == 1) {
            GridReduce.sum(result, workspace, counter, a);
        } else if (count == 2) {
            GridReduce.sum(result, workspace, counter, a, -a);
        } else if (count == 3) {
            GridReduce.sum(result, workspace, counter, a, -a, Math.abs(a));
        } else {
            GridReduce.sum(result, workspace, counter, a, -a, Math.abs(a), 1 + a);
        }
    }

    @Kernel
    static void floats(int n, F32Ptr x, F64Ptr result, F64Ptr workspace, I32Ptr counter) {
        int i = number();
        float a = i < n ? x.get(i) : 0;
        GridReduce.sum(result, workspace, counter, a, a * a);
    }

    @Kernel
    static void longs(@Constant int count, int n, I64Ptr x, I64Ptr result, I64Ptr workspace, I32Ptr counter) {
        int i = number();
        long a = i < n ? x.get(i) : 0;
        if (count == 1) {
            GridReduce.sum(result, workspace, counter, a);
        } else if (count == 2) {
            GridReduce.sum(result, workspace, counter, a, ~a);
        } else if (count == 3) {
            GridReduce.sum(result, workspace, counter, a, ~a, a & 1);
        } else {
            GridReduce.sum(result, workspace, counter, a, ~a, a & 1, 1L);
        }
    }

    @Kernel
    static void ints(int n, I32Ptr x, I64Ptr result, I64Ptr workspace, I32Ptr counter) {
        int i = number();
        GridReduce.sum(result, workspace, counter, i < n ? x.get(i) : 0, i < n ? 1 : 0);
    }

    /** Two calls, each with its own counter. */
    @Kernel
    static void extremes(int n, F64Ptr x, F64Ptr result, F64Ptr workspace, I32Ptr counter) {
        int i = number();
        int blocks = GridDim.x() * GridDim.y() * GridDim.z();
        GridReduce.min(result, workspace, counter, i < n ? x.get(i) : Double.POSITIVE_INFINITY);
        GridReduce.max(
                result.plus(1), workspace.plus(blocks), counter.plus(1), i < n ? x.get(i) : Double.NEGATIVE_INFINITY);
    }

    @Kernel
    static void extremesOfLongs(int n, I64Ptr x, I64Ptr result, I64Ptr workspace, I32Ptr counter) {
        int i = number();
        int blocks = GridDim.x() * GridDim.y() * GridDim.z();
        GridReduce.min(result, workspace, counter, i < n ? x.get(i) : Long.MAX_VALUE);
        GridReduce.max(result.plus(1), workspace.plus(blocks), counter.plus(1), i < n ? x.get(i) : Long.MIN_VALUE);
    }

    /** Each thread writes; the block that is the last reads what all have written. */
    @Kernel
    static void last(I32Ptr written, I64Ptr sum, I32Ptr counter) {
        written.set(number(), number() + 1);
        if (Grid.isLastBlock(counter)) {
            int all = GridDim.x() * GridDim.y() * GridDim.z() * BlockDim.x() * BlockDim.y() * BlockDim.z();
            int thread = (ThreadIdx.z() * BlockDim.y() + ThreadIdx.y()) * BlockDim.x() + ThreadIdx.x();
            for (int i = thread; i < all; i += BlockDim.x() * BlockDim.y() * BlockDim.z()) {
                sum.atomicAdd(0, written.get(i));
            }
        }
    }

    /** Returns the sum of what the threads of a launch have, in the order that is promised. */
    static double sum(LaunchConfig config, IntToDoubleFunction of) {
        int threads = config.threadsPerBlock();
        int blocks = (int) config.blocks();
        double[] sums = new double[blocks];
        for (int block = 0; block < blocks; block++) {
            int first = block * threads;
            sums[block] = sumOfBlock(threads, thread -> of.applyAsDouble(first + thread));
        }
        return blocks == 1
                ? sums[0]
                : sumOfBlock(threads, thread -> {
                    double sum = -0.0;
                    for (int block = thread; block < blocks; block += threads) {
                        sum += sums[block];
                    }
                    return sum;
                });
    }

    private static double sumOfBlock(int threads, IntToDoubleFunction of) {
        double[] lanes = new double[32];
        Arrays.fill(lanes, -0.0);
        for (int thread = 0; thread < threads; thread++) {
            lanes[thread % 32] += of.applyAsDouble(thread);
        }
        return sumOfLanes(lanes, 0, 1);
    }

    private static double sumOfLanes(double[] lanes, int first, int step) {
        return step == 32
                ? lanes[first]
                : sumOfLanes(lanes, first, 2 * step) + sumOfLanes(lanes, first + step, 2 * step);
    }

    private record Memory(HostArray result, HostArray workspace, HostArray counter) {
        static Memory of(DataType type, LaunchConfig config, int values) {
            return new Memory(
                    HostArray.allocate(type, values),
                    HostArray.allocate(type, GridReduce.workspace(config, values)),
                    HostArray.allocate(DataType.INT32, 2));
        }

        void check() {
            assertThat(counter.toIntArray()).containsOnly(0);
        }
    }

    private static int threads(LaunchConfig config) {
        return (int) config.blocks() * config.threadsPerBlock();
    }

    private static double[] draw(LaunchConfig config, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return random.doubles(threads(config), -1, 1)
                .map(x -> Math.scalb(x, random.nextInt(-30, 30)))
                .toArray();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void sumsAreThoseOfTheTree(Machine machine) {
        for (LaunchConfig config : SHAPES) {
            double[] x = draw(config, 5);
            int n = x.length - x.length / 5;
            HostArray values = HostArray.of(x);
            List<IntToDoubleFunction> of = List.of(
                    i -> i < n ? x[i] : 0,
                    i -> -(i < n ? x[i] : 0),
                    i -> Math.abs(i < n ? x[i] : 0),
                    i -> 1 + (i < n ? x[i] : 0));
            for (int count = 1; count <= GridReduce.MOST; count++) {
                CompiledKernel kernel = machine.kernel(GridReduceContract.class, "doubles", count);
                Memory memory = Memory.of(DataType.FLOAT64, config, count);
                for (int launch = 0; launch < LAUNCHES; launch++) {
                    memory.result.fill(77);
                    machine.launch(kernel, config, n, values, memory.result, memory.workspace, memory.counter);
                    for (int i = 0; i < count; i++) {
                        assertThat(memory.result.getDouble(i))
                                .as("sum %d of %d, %s", i, count, config)
                                .isEqualTo(sum(config, of.get(i)));
                    }
                    memory.check();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void sumsOfManyBlocksAreThoseOfTheTree(Machine machine) {
        LaunchConfig config = LaunchConfig.grid(3000).block(3);
        double[] x = draw(config, 11);
        CompiledKernel kernel = machine.kernel(GridReduceContract.class, "doubles", 1);
        Memory memory = Memory.of(DataType.FLOAT64, config, 1);
        machine.launch(kernel, config, x.length, HostArray.of(x), memory.result, memory.workspace, memory.counter);
        assertThat(memory.result.getDouble(0)).isEqualTo(sum(config, i -> x[i]));
        memory.check();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void floatsAreSummedAsDoubles(Machine machine) {
        CompiledKernel kernel = machine.kernel(GridReduceContract.class, "floats");
        for (LaunchConfig config : SHAPES) {
            double[] drawn = draw(config, 6);
            float[] x = new float[drawn.length];
            for (int i = 0; i < x.length; i++) {
                x[i] = (float) drawn[i];
            }
            Memory memory = Memory.of(DataType.FLOAT64, config, 2);
            machine.launch(kernel, config, x.length, HostArray.of(x), memory.result, memory.workspace, memory.counter);
            assertThat(memory.result.getDouble(0)).as("%s", config).isEqualTo(sum(config, i -> x[i]));
            assertThat(memory.result.getDouble(1)).as("%s", config).isEqualTo(sum(config, i -> x[i] * x[i]));
            memory.check();
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void sumsOfIntegersAreExact(Machine machine) {
        CompiledKernel ofInts = machine.kernel(GridReduceContract.class, "ints");
        for (LaunchConfig config : SHAPES) {
            int threads = threads(config);
            int n = threads - threads / 3;
            SplittableRandom random = new SplittableRandom(7);
            long[] x = random.longs(threads).toArray();
            int[] y = random.ints(threads).toArray();
            HostArray values = HostArray.of(x);
            long sum = LongStream.of(x).limit(n).sum();
            long odd = LongStream.of(x).limit(n).map(each -> each & 1).sum();
            long[] expected = {sum, -sum - threads, odd, threads};
            for (int count = 1; count <= GridReduce.MOST; count++) {
                CompiledKernel kernel = machine.kernel(GridReduceContract.class, "longs", count);
                Memory memory = Memory.of(DataType.INT64, config, count);
                for (int launch = 0; launch < LAUNCHES; launch++) {
                    machine.launch(kernel, config, n, values, memory.result, memory.workspace, memory.counter);
                    assertThat(memory.result.toLongArray()).as("%s", config).isEqualTo(Arrays.copyOf(expected, count));
                    memory.check();
                }
            }
            Memory memory = Memory.of(DataType.INT64, config, 2);
            machine.launch(ofInts, config, n, HostArray.of(y), memory.result, memory.workspace, memory.counter);
            assertThat(memory.result.toLongArray())
                    .as("%s", config)
                    .containsExactly(Arrays.stream(y).limit(n).asLongStream().sum(), n);
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void extremesAreFound(Machine machine) {
        CompiledKernel ofDoubles = machine.kernel(GridReduceContract.class, "extremes");
        CompiledKernel ofLongs = machine.kernel(GridReduceContract.class, "extremesOfLongs");
        for (LaunchConfig config : SHAPES) {
            double[] x = draw(config, 8);
            long[] y = new SplittableRandom(9).longs(x.length).toArray();
            int n = x.length - x.length / 5;
            Memory memory = Memory.of(DataType.FLOAT64, config, 2);
            machine.launch(ofDoubles, config, n, HostArray.of(x), memory.result, memory.workspace, memory.counter);
            assertThat(memory.result.getDouble(0)).isEqualTo(extreme(x, n, Math::min));
            assertThat(memory.result.getDouble(1)).isEqualTo(extreme(x, n, Math::max));
            memory.check();
            memory = Memory.of(DataType.INT64, config, 2);
            machine.launch(ofLongs, config, n, HostArray.of(y), memory.result, memory.workspace, memory.counter);
            assertThat(memory.result.getLong(0))
                    .isEqualTo(LongStream.of(y).limit(n).min().orElseThrow());
            assertThat(memory.result.getLong(1))
                    .isEqualTo(LongStream.of(y).limit(n).max().orElseThrow());
            memory.check();
        }
    }

    private static double extreme(double[] x, int n, DoubleBinaryOperator operator) {
        return Arrays.stream(x).limit(n).reduce(operator).orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void specialNumbersAreKept(Machine machine) {
        LaunchConfig config = LaunchConfig.grid(2).block(33);
        CompiledKernel sum = machine.kernel(GridReduceContract.class, "doubles", 1);
        CompiledKernel extremes = machine.kernel(GridReduceContract.class, "extremes");
        Memory memory = Memory.of(DataType.FLOAT64, config, 2);
        double[] x = new double[threads(config)];
        Arrays.fill(x, -0.0);
        machine.launch(sum, config, x.length, HostArray.of(x), memory.result, memory.workspace, memory.counter);
        assertThat(memory.result.getDouble(0)).isEqualTo(-0.0);
        x[40] = 0.0;
        machine.launch(extremes, config, x.length, HostArray.of(x), memory.result, memory.workspace, memory.counter);
        assertThat(memory.result.getDouble(0)).isEqualTo(-0.0);
        assertThat(memory.result.getDouble(1)).isEqualTo(0.0);
        x[65] = Double.NaN;
        machine.launch(extremes, config, x.length, HostArray.of(x), memory.result, memory.workspace, memory.counter);
        assertThat(memory.result.getDouble(0)).isNaN();
        assertThat(memory.result.getDouble(1)).isNaN();
        machine.launch(sum, config, x.length, HostArray.of(x), memory.result, memory.workspace, memory.counter);
        assertThat(memory.result.getDouble(0)).isNaN();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void theLastBlockSeesAll(Machine machine) {
        CompiledKernel kernel = machine.kernel(GridReduceContract.class, "last");
        for (LaunchConfig config : SHAPES) {
            long threads = threads(config);
            HostArray counter = HostArray.allocate(DataType.INT32, 1);
            for (int launch = 0; launch < LAUNCHES; launch++) {
                HostArray written = HostArray.allocate(DataType.INT32, threads);
                HostArray sum = HostArray.allocate(DataType.INT64, 1);
                machine.launch(kernel, config, written, sum, counter);
                assertThat(sum.getLong(0)).as("%s", config).isEqualTo(threads * (threads + 1) / 2);
                assertThat(counter.getInt(0)).isZero();
            }
        }
    }
}
