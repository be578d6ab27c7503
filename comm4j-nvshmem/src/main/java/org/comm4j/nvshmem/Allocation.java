// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

/**
 * A piece of the symmetric heap.
 *
 * @param offset the same on all PEs: bytes behind the first piece that was ever allocated
 * @param made where the program allocated it
 */
record Allocation(Session session, long address, long bytes, long offset, boolean isRegistered, Throwable made) {
    /** For agreements: the same on all PEs. */
    @Override
    public String toString() {
        return (isRegistered ? "registered memory of " : "memory of ") + bytes + " bytes at offset " + offset;
    }
}
