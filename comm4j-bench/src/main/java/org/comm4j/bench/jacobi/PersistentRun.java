// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.bench.jacobi.PersistentKernels.Work;
import org.comm4j.core.CommException;

/** A rank of a {@link PersistentJacobi}: its grids and its kernels. */
abstract class PersistentRun implements AutoCloseable {
    final int rank;
    final int size;

    PersistentRun(int rank, int size) {
        this.rank = rank;
        this.size = size;
    }

    final int above() {
        return (rank + size - 1) % size;
    }

    final int below() {
        return (rank + 1) % size;
    }

    /** Collective: what this rank has done is seen by all when it returns. */
    abstract void barrier();

    /** How this rank's rows are cut for passes of so many iterations. */
    abstract PersistentTiles tiles(int depth);

    /** Nobody has done any pass. Between barriers. */
    abstract void clearProgress();

    /** Starts a launch; {@link #status} waits for it. */
    abstract void launch(int depth, PersistentTiles tiles, Work work);

    /**
     * Waits for the launches, whose kernels end in any case; {@link PersistentKernels#ABOVE_IS_MISSING} and so on, or
     * 0.
     */
    abstract int status();

    /** Collective: the squared norms of iterations. */
    abstract double[] squares(int first, int count);

    /** What to throw if a rank did not come in time. */
    abstract CommException failure(String message);

    @Override
    public abstract void close();
}
