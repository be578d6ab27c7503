// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.core.Buffer;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.nvshmem.LibNvshmem;

/** Memory that {@link Nvshmem#registerLocal} made known to NVSHMEM; {@link Nvshmem#close} ends this, too. */
public final class Registration implements AutoCloseable {
    private final Session session;
    private final Buffer memory;
    private final long address;
    private boolean closed;

    Registration(Session session, Buffer memory, long address) {
        this.session = session;
        this.memory = memory;
        this.address = address;
    }

    /** Returns what is registered. */
    public Buffer memory() {
        return memory;
    }

    boolean has(long start, long bytes) {
        return start >= address && start + bytes <= address + memory.byteSize();
    }

    /** Takes it back ({@code nvshmemx_buffer_unregister}); before the memory is freed. */
    @Override
    public synchronized void close() {
        if (closed || !session.isOpen()) {
            return;
        }
        session.enter("close of a registration");
        try {
            closed = true;
            session.heap.forget(this);
            LibNvshmem.nvshmemx_buffer_unregister(address);
        } catch (NativeCallException e) {
            throw new NvshmemException("close of the registration of " + memory + " on " + session.where(), e);
        } finally {
            session.leave();
        }
    }

    @Override
    public String toString() {
        return "Registration[" + memory + "]";
    }
}
