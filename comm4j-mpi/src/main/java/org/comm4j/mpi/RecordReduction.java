// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.MemorySegment;

/**
 * A reduction of one's own over {@link Records}, as {@code MPI_Op_create} takes it: associative, not necessarily
 * commutative. It runs on whatever thread is in MPI.
 */
@FunctionalInterface
public interface RecordReduction {

    /**
     * Combines two records of lower and of higher ranks.
     *
     * @param lower is only read
     * @param into is read, and becomes the result
     */
    void combine(MemorySegment lower, MemorySegment into);
}
