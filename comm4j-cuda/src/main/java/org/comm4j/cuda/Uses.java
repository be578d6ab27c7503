// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The streams in which a piece of memory has been used. Whoever blocks on the memory waits for them, and for nothing else of the device:
 * waiting for all of it would include kernels that wait for other ranks, which may wait for the thread that blocks.
 */
final class Uses {
    private static final Stream[] NONE = {};

    /** Copied when written. A stream stays here while it is open, since more work may come without being noted again. */
    private volatile Stream[] streams = NONE;

    /** The stream in whose order the memory is given back. */
    private final @Nullable Stream order;

    Uses(@Nullable Stream order) {
        this.order = order;
    }

    /** Work that uses the memory is about to be put into {@code stream}. Allocates nothing when that happened before. */
    void add(Stream stream) {
        if (Recording.isUnderWay() && Recording.takes(this, stream)) {
            return;
        }
        for (Stream known : streams) {
            if (known == stream) {
                return;
            }
        }
        addNew(stream);
    }

    private synchronized void addNew(Stream stream) {
        Stream[] kept = Arrays.stream(streams)
                .filter(known -> known != stream && (known.isOpen() || !known.isOver()))
                .toArray(n -> new Stream[n + 1]);
        kept[kept.length - 1] = stream;
        streams = kept;
    }

    /** Waits for the work so far. */
    void await() {
        for (Stream stream : streams) {
            stream.awaitEnd();
        }
    }

    /** Whether the memory can be given back: the work so far is done, or comes before that by the order of the stream. */
    boolean areOver() {
        for (Stream stream : streams) {
            if (!(stream == order && stream.isOpen()) && !stream.isOver()) {
                return false;
            }
        }
        return true;
    }
}
