// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.util.Arrays;
import org.comm4j.core.spi.RefCount;
import org.jspecify.annotations.Nullable;

/**
 * The streams in which a piece of memory has been used. Whoever blocks on the memory waits for them, and for nothing
 * else of the device: waiting for all of it would include kernels that wait for other ranks, which may wait for the
 * thread that blocks.
 */
final class Uses {
    private static final Tail[] NONE = {};

    /**
     * Copied when written. A stream stays here while it is open, since more work may come without being noted again.
     */
    private volatile Tail[] streams = NONE;
    /** Recorded work does not run, but the driver must find the memory and code while a call records it. */
    private volatile Tail[] recorded = NONE;

    /** Calls on graphs that use the memory, once it was closed. */
    private volatile RefCount[] graphs = {};

    /** The stream in whose order the memory is given back. */
    private final @Nullable Tail order;

    private final boolean isCode;

    Uses(@Nullable Stream order) {
        this.order = order == null ? null : order.tail();
        this.isCode = false;
    }

    private Uses() {
        this.order = null;
        this.isCode = true;
    }

    /** Those of a module. */
    static Uses ofCode() {
        return new Uses();
    }

    boolean isCode() {
        return isCode;
    }

    /**
     * Work that uses the memory is about to be put into {@code stream}, which the caller has {@linkplain Stream#acquire
     * acquired}; the caller looks afterwards whether the memory is open. Allocates nothing when that happened before.
     */
    void add(Stream stream) {
        Tail tail = stream.tail();
        if (Recording.isUnderWay() && Recording.takes(this, stream)) {
            addRecorded(tail);
            return;
        }
        for (Tail known : streams) {
            if (known == tail) {
                return;
            }
        }
        addNew(tail);
    }

    private synchronized void addNew(Tail tail) {
        tail.watch();
        Tail[] kept = Arrays.stream(streams)
                .filter(known -> known != tail && !(known.isClosed() && known.isOver()))
                .toArray(Tail[]::new);
        Tail[] more = Arrays.copyOf(kept, kept.length + 1);
        more[kept.length] = tail;
        streams = more;
    }

    private synchronized void addRecorded(Tail tail) {
        for (Tail known : recorded) {
            if (known == tail) {
                return;
            }
        }
        tail.watch();
        Tail[] kept = Arrays.stream(recorded).filter(known -> !known.isClosed()).toArray(Tail[]::new);
        Tail[] more = Arrays.copyOf(kept, kept.length + 1);
        more[kept.length] = tail;
        recorded = more;
    }

    /** The memory was closed; calls on these graphs may still look at it. */
    void endIn(RefCount[] calls) {
        graphs = calls;
    }

    /** Whether a call that instantiates, updates or prints a graph looks at the memory or code. */
    boolean areInGraphCall() {
        for (RefCount calls : graphs) {
            if (!calls.isDestroyed()) {
                return true;
            }
        }
        return false;
    }

    /** Waits for the work so far. */
    void await() {
        for (Tail tail : streams) {
            tail.await();
        }
    }

    /** Has {@code stream} wait for the work so far of the others. */
    void await(Stream stream) {
        Tail own = stream.tail();
        for (Tail tail : streams) {
            if (tail != own) {
                tail.before(stream);
            }
        }
    }

    /**
     * Whether the memory can be given back: the work so far is done, or comes before that by the order of the stream.
     */
    boolean areOver() {
        return unfinished() == null && !areInGraphCall();
    }

    /** The first stream found whose work has to end before the memory can be given back; null if it can. */
    @Nullable
    Tail unfinished() {
        for (Tail tail : streams) {
            if (isInOrder(tail) ? tail.isEntered() : !tail.isOver()) {
                return tail;
            }
        }
        for (Tail tail : recorded) {
            if (tail.isEntered()) {
                return tail;
            }
        }
        return null;
    }

    /** Whether the memory is given back in the order of the stream, busy or not. */
    boolean isInOrder(Tail tail) {
        return tail == order && !tail.isClosed();
    }

    /**
     * Waits until no call is putting work that uses the memory into a stream; for memory that somebody else gives back.
     */
    void awaitCalls(Object what) {
        for (Tail tail : streams) {
            Polling.until(() -> !tail.isEntered() || tail.isAbandoned(), Polling.LIMIT, what);
        }
        for (Tail tail : recorded) {
            Polling.until(() -> !tail.isEntered() || tail.isAbandoned(), Polling.LIMIT, what);
        }
        Polling.until(() -> !areInGraphCall(), Polling.LIMIT, what);
    }
}
