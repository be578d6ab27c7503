// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.I32Ptr;
import org.comm4j.kernel.I8Ptr;
import org.comm4j.kernel.KernelLibrary;

/**
 * Rows that a dispatch gave this PE, for kernels: an argument by value, made by {@link Routed#rows}.
 *
 * @param x the rows
 * @param results the answers, which combine reads
 * @param counts rows of each local expert
 * @param starts first rows of local experts, where experts follow each other
 * @param experts number of local experts
 * @param maxRows rows from one expert's area to the next; 0 where experts follow each other
 * @param rowBytes of a row
 * @param resultBytes of an answer
 */
@KernelLibrary
public record RoutedRows(
        I8Ptr x, I8Ptr results, I32Ptr counts, I32Ptr starts, int experts, int maxRows, int rowBytes, int resultBytes) {
    /** Returns the first row of a local expert. */
    public int begin(int expert) {
        return maxRows > 0 ? expert * maxRows : starts.get(expert);
    }

    /** Returns the row behind the last one of a local expert. */
    public int end(int expert) {
        return begin(expert) + counts.get(expert);
    }

    /** Returns where a row is. */
    public I8Ptr row(int row) {
        return x.plus((long) row * rowBytes);
    }

    /** Returns where the answer to a row belongs. */
    public I8Ptr result(int row) {
        return results.plus((long) row * resultBytes);
    }
}
