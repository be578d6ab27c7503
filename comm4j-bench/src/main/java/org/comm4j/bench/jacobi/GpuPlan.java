// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

/**
 * How the iterations of a solve on GPUs are put into streams: batch by batch, each of which the host looks at once, and
 * of each batch pass by pass.
 *
 * @param iterations of the whole solve, at least 1
 * @param blocking iterations of a pass, a power of two; a batch that is no multiple of it ends with smaller powers
 * @param normEvery every so many iterations, the first included, there is a norm
 * @param batch iterations of a batch; the last one may have fewer
 * @param recorded whether batches of full length are launched as graphs, which needs that they have their norms in the
 *     same places
 */
record GpuPlan(int iterations, int blocking, int normEvery, int batch, boolean recorded) {
    /** A batch has at least so many iterations, */
    private static final int LEAST_ITERATIONS = 20;

    /** and so many passes. */
    private static final int LEAST_PASSES = 10;

    /**
     * @param graph whether batches are to be recorded; that cannot be if there is only one norm, and many iterations
     * from it on
     */
    static GpuPlan of(int iterations, int blocking, int normEvery, boolean graph) {
        int least = Math.min(iterations, Math.max(LEAST_ITERATIONS, LEAST_PASSES * blocking));
        if (!graph || normEvery > iterations) {
            return new GpuPlan(iterations, blocking, normEvery, least, false);
        }
        int most = iterations / normEvery * normEvery;
        int first = Math.min(most, Math.ceilDiv(least, normEvery) * normEvery);
        int best = first;
        // Not much longer than needed, but with few shallow passes, and so that little is left that is no graph.
        for (int batch = first; batch <= Math.min(most, 4L * first); batch += normEvery) {
            int more = allPasses(iterations, batch, blocking) - allPasses(iterations, best, blocking);
            if (more < 0 || more == 0 && passes(iterations % batch, blocking) < passes(iterations % best, blocking)) {
                best = batch;
            }
        }
        return new GpuPlan(iterations, blocking, normEvery, best, true);
    }

    /** Iterations of the next pass when so many are left of a batch. */
    int depth(int left) {
        return Math.min(blocking, Integer.highestOneBit(left));
    }

    /** Passes of so many iterations, a batch or the rest of one. */
    int passes(int count) {
        return passes(count, blocking);
    }

    private static int allPasses(int iterations, int batch, int blocking) {
        return iterations / batch * passes(batch, blocking) + passes(iterations % batch, blocking);
    }

    private static int passes(int count, int blocking) {
        return count / blocking + Integer.bitCount(count % blocking);
    }

    /** Whether any batch has a pass of so many iterations. */
    boolean has(int depth) {
        return has(batch, depth) || has(iterations % batch, depth);
    }

    private boolean has(int count, int depth) {
        return depth == blocking ? count >= blocking : (count % blocking & depth) != 0;
    }

    /** Whether a norm is asked for of any of {@code count} iterations. */
    boolean hasNorm(int first, int count) {
        return firstNorm(first) < (long) first + count;
    }

    /** The first iteration from {@code iteration} on of which a norm is asked for. */
    long firstNorm(int iteration) {
        return (long) Math.ceilDiv(iteration, normEvery) * normEvery;
    }

    /** The number of norms of the first {@code done} iterations. */
    int norms(int done) {
        return Math.ceilDiv(done, normEvery);
    }
}
