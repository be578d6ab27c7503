// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.bench.Agreement;
import org.comm4j.bench.DevicePe;
import org.comm4j.core.Buffer;
import org.comm4j.kernel.CompiledKernel;
import org.jspecify.annotations.Nullable;

/**
 * A research kernel that there is as a kernel for GPUs, too, which communicates by itself: one launch on each PE does
 * all passes.
 */
public sealed interface OnGpus extends ResearchKernel permits Triad, Transpose, Stencil {
    /** Those that there are, as the help names them: a constant, because annotations want one. */
    String NAMES = Triad.NAME + ", " + Transpose.NAME + ", " + Stencil.NAME;

    /** Bytes of symmetric memory on each PE. */
    long symmetricBytes(int pes);

    /** Collective: memory for a run of it, not filled. */
    Run prepare(DevicePe pe);

    /** A kernel at work on one PE. */
    abstract class Run implements AutoCloseable {
        private final DevicePe pe;
        private final CompiledKernel code;
        private final List<Buffer> memory = new ArrayList<>();

        /** @param code is closed with this */
        Run(DevicePe pe, CompiledKernel code) {
            this.pe = pe;
            this.code = code;
        }

        /** Collective: symmetric memory, until this is closed. */
        final Buffer allocate(long bytes) {
            Buffer allocated = pe.allocate(bytes);
            memory.add(allocated);
            return allocated;
        }

        /** Fills the memory as it is before the first pass. */
        abstract void fill();

        /** The kernel, which all PEs launch with the same number of passes. */
        abstract DevicePe.Repeated passes();

        /** Collective: what is wrong with the result, in the same words on all PEs; null if it is right. */
        abstract @Nullable String error(Agreement agreement);

        /** Frees symmetric memory; every PE calls it. */
        @Override
        public final void close() {
            code.close();
            memory.forEach(DevicePe::free);
        }
    }
}
