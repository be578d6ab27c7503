// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Broadcasts and sums along rows and columns of a grid of ranks, each a thread with an executor of kernels. */
class GroupTransfersTest {
    private static final int TURNS = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Returns a number whose sums over few ranks are exact in all types. */
    private static double number(int rank, int turn, int what, long i) {
        return rank + 16 * turn + 64 * what + 256 * (i % 1000);
    }

    private static HostArray fill(HostArray array, int rank, int turn, int what) {
        for (long i = 0; i < array.count(); i++) {
            if (array.type().isComplex()) {
                array.setComplex(i, number(rank, turn, what, i), -number(rank, turn, what, i + 7));
            } else {
                array.setDouble(i, number(rank, turn, what, i));
            }
        }
        return array;
    }

    private static void assertSum(HostArray found, int turn, int what, int... ranks) {
        for (long i = 0; i < found.count(); i++) {
            double re = 0;
            double im = 0;
            for (int rank : ranks) {
                re += number(rank, turn, what, i);
                im -= number(rank, turn, what, i + 7);
            }
            if (found.type().isComplex()) {
                assertThat(found.getReal(i)).isEqualTo(re);
                assertThat(found.getImaginary(i)).isEqualTo(im);
            } else {
                assertThat(found.getDouble(i)).isEqualTo(re);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 2, 5, FLOAT32",
        "2, 1, 4, FLOAT64",
        "1, 3, 1, FLOAT32",
        "2, 2, 3001, FLOAT64",
        "2, 3, 1003, COMPLEX64",
        "3, 2, 77, COMPLEX128",
        "1, 2, 0, FLOAT32"
    })
    void alongRowsAndColumns(int height, int width, int count, DataType type) {
        int ranks = height * width;
        long most = Math.max(1, Math.max(height, width) - 1) * (count * (long) type.bytes() + 16);
        List<Buffer> parts = ExchangeTest.parts(ranks, most);
        World.threads(ranks, world -> {
            int rank = world.rank();
            try (ExecutorQueue queue = new ExecutorQueue();
                    Compute compute = new CpuCompute();
                    KernelRunner runner = new KernelRunner(queue)) {
                GroupTransfers groups = new KernelGroupTransfers(
                        compute, queue, runner, null, ExchangeTest.memory(rank, parts, TIMEOUT), most);
                int row = rank / width;
                int column = rank % width;
                int[] rowRanks =
                        IntStream.range(0, width).map(c -> row * width + c).toArray();
                int[] columnRanks =
                        IntStream.range(0, height).map(r -> r * width + column).toArray();
                HostArray a = HostArray.allocate(type, count);
                HostArray x = HostArray.allocate(type, count);
                HostArray y = HostArray.allocate(type, count);
                for (int root = 0; root < Math.max(height, width); root++) {
                    int inRow = root % width;
                    int inColumn = root % height;
                    try (Transfer alongRow = groups.broadcast(rowRanks, a, inRow);
                            Transfer downColumn = groups.broadcast(columnRanks, x, inColumn);
                            Transfer sum = groups.sum(columnRanks, x, inColumn == row ? y : null, inColumn)) {
                        for (int turn = 0; turn < TURNS; turn++) {
                            fill(a, rank, turn, 0);
                            alongRow.begin();
                            fill(x, rank, turn, 1);
                            downColumn.begin();
                            alongRow.end();
                            downColumn.end();
                            assertSum(a, turn, 0, rowRanks[inRow]);
                            assertSum(x, turn, 1, columnRanks[inColumn]);
                            fill(x, rank, turn, 2);
                            sum.begin();
                            sum.end();
                            if (inColumn == row) {
                                assertSum(y, turn, 2, columnRanks);
                            }
                        }
                    }
                }
            }
        });
    }

    @Test
    void whatIsWrongOrDoesNotFitIsRefused() {
        World.threads(2, world -> {
            int rank = world.rank();
            try (ExecutorQueue queue = new ExecutorQueue();
                    Compute compute = new CpuCompute();
                    KernelRunner runner = new KernelRunner(queue)) {
                GroupTransfers groups = new KernelGroupTransfers(
                        compute,
                        queue,
                        runner,
                        null,
                        ExchangeTest.memory(rank, ExchangeTest.parts(2, 32), TIMEOUT),
                        32);
                HostArray nine = HostArray.allocate(DataType.FLOAT32, 9);
                if (rank == 1) {
                    assertThatThrownBy(() -> groups.broadcast(new int[] {0, 1}, nine, 0))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessage("broadcast on rank 1 of 2: 36 bytes arrive, there is memory for 32");
                    for (int[] group : new int[][] {{0}, {1, 1}, {1, 2}, {1, -1}, {}}) {
                        assertThatThrownBy(() -> groups.sum(group, nine, nine, 0))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("sum on rank 1 of 2: root 0 of " + Arrays.toString(group));
                    }
                    assertThatThrownBy(() -> groups.broadcast(new int[] {0, 1}, nine, 2))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("root 2 of [0, 1]");
                }
            }
        });
    }
}
