// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.core.DataType;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/**
 * {@link Transpose} by one all-to-all: A is in symmetric memory, block behind block, each with its rows behind each
 * other; B likewise.
 */
final class TransposeAllToAll implements Trial {
    private final Transpose kernel;
    private final OpenShmem shmem;
    private final Totals totals;
    private final int side;
    private final int tile;
    private final SymmetricArray a;
    /** The blocks that come from all. */
    private final SymmetricArray come;

    private final double[] b;
    /** Some rows of a block, where the second-level cache has them while they become columns. */
    private final double[] strip;

    TransposeAllToAll(Transpose kernel, OpenShmem shmem, Totals totals) {
        this.kernel = kernel;
        this.shmem = shmem;
        this.totals = totals;
        this.side = kernel.order() / shmem.nPes();
        this.tile = kernel.tile() == 0 ? side : Math.min(side, kernel.tile());
        int count = kernel.order() * side;
        this.a = shmem.allocate(DataType.FLOAT64, count);
        this.come = shmem.allocate(DataType.FLOAT64, count);
        this.b = new double[count];
        this.strip = new double[tile * side];
        for (int i = 0; i < kernel.order(); i++) {
            for (int j = 0; j < side; j++) {
                a.setDouble((long) i * side + j, (double) kernel.order() * i + (double) side * shmem.myPe() + j);
            }
        }
    }

    @Override
    public void pass(int number) {
        shmem.world().allToAll(come, a);
        for (int block = 0; block < b.length; block += side * side) {
            for (int row = 0; row < side; row += tile) {
                addTransposed(block, row, Math.min(tile, side - row));
            }
        }
        increase(a.segment(), b.length);
    }

    /** Rows of a block that came are columns of B's. */
    private void addTransposed(int block, int row, int rows) {
        long start = (block + (long) row * side) * Double.BYTES;
        MemorySegment.copy(come.segment(), ValueLayout.JAVA_DOUBLE, start, strip, 0, rows * side);
        for (int i = 0; i < side; i++) {
            addColumn(b, block + side * i + row, strip, i, rows, side);
        }
    }

    private static void addColumn(double[] b, int at, double[] strip, int column, int rows, int side) {
        for (int j = 0; j < rows; j++) {
            b[at + j] += strip[side * j + column];
        }
    }

    private static void increase(MemorySegment a, int count) {
        for (int i = 0; i < count; i++) {
            a.setAtIndex(ValueLayout.JAVA_DOUBLE, i, a.getAtIndex(ValueLayout.JAVA_DOUBLE, i) + 1);
        }
    }

    @Override
    public @Nullable String error() {
        double error = 0;
        for (int i = 0; i < kernel.order(); i++) {
            for (int j = 0; j < side; j++) {
                error += Math.abs(b[i * side + j] - kernel.expected((long) side * shmem.myPe() + j, i));
            }
        }
        return Transpose.error(totals.sum(error));
    }

    @Override
    public void close() {
        a.close();
        come.close();
    }
}
