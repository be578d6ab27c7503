// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * Broadcasts and reductions within groups of a communicator's ranks, which write into each other's memory while they
 * compute: {@link Compute#groupTransfers} makes them. To plan one is not collective. All ranks of a group begin theirs
 * in the same order, and so do two ranks that are in several groups together.
 */
public interface GroupTransfers {
    /**
     * Plans a broadcast, from the memory of the root to that of the others.
     *
     * @param group the communicator's ranks that take part, this one among them
     * @param buffer of elements of a multiple of 4 bytes, as many on all ranks
     * @param root its place in the group
     */
    Transfer broadcast(int[] group, Buffer buffer, int root);

    /**
     * Plans a sum, added up in the order of the group.
     *
     * @param group the communicator's ranks that take part, this one among them
     * @param send real or complex numbers, as many on all ranks
     * @param recv where the root has the sum; ignored elsewhere
     * @param root its place in the group
     */
    Transfer sum(int[] group, Buffer send, @Nullable Buffer recv, int root);
}
