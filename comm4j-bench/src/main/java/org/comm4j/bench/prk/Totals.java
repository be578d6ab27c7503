// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;

/** Numbers that all PEs must agree on: results of verification, times. */
public final class Totals implements AutoCloseable {
    private final OpenShmem shmem;
    private final SymmetricArray mine;
    private final SymmetricArray all;

    /** Collective. */
    public Totals(OpenShmem shmem) {
        this.shmem = shmem;
        this.mine = shmem.allocate(DataType.FLOAT64, 1);
        this.all = shmem.allocate(DataType.FLOAT64, 1);
    }

    /** Collective: the largest of all PEs' values, NaN if one is that. */
    public double max(double value) {
        return total(value, ReduceOp.MAX);
    }

    /** Collective. */
    public double sum(double value) {
        return total(value, ReduceOp.SUM);
    }

    /**
     * Collective: how long ago the moment was on the PE on which it is longest, in nanoseconds; so all PEs end a loop
     * by time together.
     *
     * @param moment this PE's own, of {@link System#nanoTime}
     */
    public double nanosSince(long moment) {
        return max((double) (System.nanoTime() - moment));
    }

    private double total(double value, ReduceOp op) {
        mine.setDouble(0, value);
        shmem.world().reduce(all, mine, op);
        return all.getDouble(0);
    }

    @Override
    public void close() {
        mine.close();
        all.close();
    }
}
