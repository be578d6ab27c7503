// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.concurrent.atomic.AtomicBoolean;
import org.comm4j.core.Buffer;

/** A zeroed buffer beside the vectors of a {@link Compute}, which can be given back before its compute is closed. */
public final class Memory implements AutoCloseable {
    private final Buffer buffer;
    private final Runnable free;
    private final AtomicBoolean closed = new AtomicBoolean();

    Memory(Buffer buffer, Runnable free) {
        this.buffer = buffer;
        this.free = free;
    }

    /** Returns the buffer. */
    public Buffer buffer() {
        return buffer;
    }

    /** Gives the memory back, when what was started on it is done; closing twice is fine. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            free.run();
        }
    }
}
