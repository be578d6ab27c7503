// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.util.Map;
import org.comm4j.shmem.OpenShmem;

/**
 * One of the Parallel Research Kernels with its parameters, of which those that are wrong for any number of PEs are
 * refused when it is made.
 */
public sealed interface ResearchKernel
        permits OnGpus, Pipeline, Dgemm, RandomAccess, Reduce, SynchGlobal, Sparse, Branch, Refcount {
    /** The name of the command. */
    String name();

    /** What it does, in the words that the reference's program prints behind its programming model. */
    String title();

    /** The values that were given, in their order and with the reference's names. */
    Map<String, Object> parameters(int pes);

    /**
     * Looks at what can be looked at before anything runs.
     *
     * @throws IllegalArgumentException if it cannot run on so many PEs; the message says what to change
     */
    void check(int pes);

    /**
     * Which passes are timed: those from the first of these numbers up to the second, and from there on to the third if
     * there is one. Passes before the first number are for warming up; the last number is that of all passes.
     */
    int[] marks();

    /**
     * What it achieved, in the lines that the reference prints; {@code seconds} is of each timed part, of the slowest
     * PE.
     */
    Rate[] rates(int pes, double[] seconds);

    /** Collective: memory for a run of it, filled. */
    Trial prepare(OpenShmem shmem, Totals totals);
}
