// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

/** Distributions of an array over the ranks of a communicator. */
public enum Partition {
    /** Every rank has the whole array, equal to the bit. */
    REPLICATED,
    /** Each rank has a run of the array's slices along one axis. */
    SCATTERED,
    /** Each rank has a block of a grid that divides several axes. */
    BLOCKS,
    /** Each rank has an array of its own, of which the others know nothing. */
    LOCAL,
    /** Several arrays, one above the other. */
    STACKED
}
