// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cuda.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;

/** The one-sided operations of {@link Nvshmem}. */
abstract sealed class OneSided permits Nvshmem {
    final Session session;

    OneSided(Session session) {
        this.session = session;
    }

    /**
     * Copies all of {@code source} to the front of {@code destination} on {@code pe}, ordered on {@code stream}
     * ({@code nvshmemx_put_on_stream}).
     */
    public final void put(SymmetricArray destination, DeviceArray source, int pe, Stream stream) {
        long count = source.count();
        long to = session.place("put", "destination", destination, 0, count, pe);
        long from = session.local("put", "source", source, 0, count);
        CUstream queue = session.enter("put", stream);
        try {
            LibNvshmem.nvshmemx_putmem_on_stream(to, from, source.byteSize(), pe, queue);
            destination.usedIn(stream);
            source.usedIn(stream);
        } finally {
            session.leave();
        }
    }
}
