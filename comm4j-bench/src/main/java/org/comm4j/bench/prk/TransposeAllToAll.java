// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.core.DataType;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/** {@link Transpose} by one all-to-all: A is in symmetric memory, block behind block, each with its rows behind each other; B likewise. */
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
    private final double[] block;

    TransposeAllToAll(Transpose kernel, OpenShmem shmem, Totals totals) {
        this.kernel = kernel;
        this.shmem = shmem;
        this.totals = totals;
        this.side = kernel.order() / shmem.nPes();
        this.tile = kernel.tile() == 0 ? side : kernel.tile();
        int count = kernel.order() * side;
        this.a = shmem.allocate(DataType.FLOAT64, count);
        this.come = shmem.allocate(DataType.FLOAT64, count);
        this.b = new double[count];
        this.block = new double[side * side];
        for (int i = 0; i < kernel.order(); i++) {
            for (int j = 0; j < side; j++) {
                a.setDouble((long) i * side + j, (double) kernel.order() * i + (double) side * shmem.myPe() + j);
            }
        }
    }

    @Override
    public void pass(int number) {
        shmem.world().allToAll(come, a);
        for (int pe = 0; pe < shmem.nPes(); pe++) {
            long start = (long) pe * block.length * Double.BYTES;
            MemorySegment.copy(come.segment(), ValueLayout.JAVA_DOUBLE, start, block, 0, block.length);
            addTransposed(b, pe * block.length);
        }
        increase(a.segment(), b.length);
    }

    private void addTransposed(double[] b, int start) {
        for (int i = 0; i < side; i += tile) {
            for (int j = 0; j < side; j += tile) {
                addTile(b, block, start, i, Math.min(side, i + tile), j, Math.min(side, j + tile));
            }
        }
    }

    private void addTile(double[] b, double[] block, int start, int row, int rowEnd, int column, int columnEnd) {
        for (int i = row; i < rowEnd; i++) {
            int target = start + side * i;
            for (int j = column; j < columnEnd; j++) {
                b[target + j] += block[side * j + i];
            }
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
