// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.jspecify.annotations.Nullable;

/**
 * A piece of the symmetric heap.
 *
 * @param offset the same on all PEs: bytes behind the first piece that was ever allocated
 * @param giveBack lets go of memory that was allocated elsewhere, after it has left the heap; null for memory of the
 *     heap itself
 * @param made where the program allocated it
 */
record Allocation(
        Session session,
        long address,
        long bytes,
        long offset,
        @Nullable Runnable giveBack,
        Throwable made) {
    boolean isRegistered() {
        return giveBack != null;
    }

    /** For agreements: the same on all PEs. */
    @Override
    public String toString() {
        return (isRegistered() ? "registered memory of " : "memory of ") + bytes + " bytes at offset " + offset;
    }
}
