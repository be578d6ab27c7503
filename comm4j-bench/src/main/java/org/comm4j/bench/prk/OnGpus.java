// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import org.comm4j.bench.Agreement;
import org.comm4j.bench.DevicePe;
import org.jspecify.annotations.Nullable;

/** A research kernel that there is as a kernel for GPUs, too, which communicates by itself: one launch on each PE does all passes. */
public sealed interface OnGpus extends ResearchKernel permits Triad, Transpose {
    /** Bytes of symmetric memory on each PE. */
    long symmetricBytes(int pes);

    /** Collective: memory for a run of it, not filled. */
    Run prepare(DevicePe pe);

    /** A kernel at work on one PE. */
    interface Run extends AutoCloseable {
        /** Fills the memory as it is before the first pass. */
        void fill();

        /** The kernel, which all PEs launch with the same number of passes. */
        DevicePe.Repeated passes();

        /** Collective: what is wrong with the result, in the same words on all PEs; null if it is right. */
        @Nullable
        String error(Agreement agreement);

        /** Frees symmetric memory; every PE calls it. */
        @Override
        void close();
    }
}
