// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.KernelLibrary;

/**
 * Rows that a dispatch gave this PE, for kernels: an argument by value, made by {@link Routed#rows}. What is done with
 * them is in {@link FusedExperts}.
 *
 * @param space memory that PEs share
 * @param experts number of local experts; of {@link ExpertLayout#BY_RANK}, of source groups
 * @param hidden elements of a row and of an answer
 * @param resultBytes of an answer
 */
@KernelLibrary
public record RoutedRows(MoeSpace space, int experts, int hidden, int resultBytes) {
    /** Returns the first row of a local expert; of {@link ExpertLayout#BY_RANK}, of a source group. */
    public int begin(int expert) {
        if (space.rankRows() > 0) {
            return expert * space.rankRows();
        }
        return space.maxRows() > 0
                ? expert * space.maxRows()
                : space.base().plus(space.starts()).asI32().get(expert);
    }

    /** Returns the row behind the last one of a local expert or source group. */
    public int end(int expert) {
        return begin(expert) + space.base().plus(space.counts()).asI32().get(expert);
    }

    /**
     * Returns the local expert of a choice of a row's token, of {@link ExpertLayout#BY_RANK}; -1 if it is not of this
     * PE.
     */
    public int expert(int row, int choice) {
        return space.base().plus(space.rowChoices()).asI32().get((long) row * space.perToken() + choice);
    }

    /** Returns the weight of such a choice. */
    public float weight(int row, int choice) {
        return space.base().plus(space.rowWeights()).asF32().get((long) row * space.perToken() + choice);
    }

    /** Returns the number of choices of a token. */
    public int choices() {
        return space.perToken();
    }

    /** Returns a FLOAT32 scale of a row. */
    public float scale(int row, int number) {
        return space.base().plus(space.scale(row, number)).asF32().get(0);
    }

    /** Returns the only FLOAT32 scale of a row. */
    public float scale(int row) {
        return scale(row, 0);
    }
}
