// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

/** A piece of the symmetric heap. */
final class Allocation {
    final Session session;
    final long address;
    final long bytes;
    /** The same on all PEs. */
    final long offset;

    Allocation(Session session, long address, long bytes, long offset) {
        this.session = session;
        this.address = address;
        this.bytes = bytes;
        this.offset = offset;
    }

    void free() {
        throw new UnsupportedOperationException("not yet");
    }
}
