// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;

/**
 * Views of the same pieces of several buffers. Those of the buffers that were used last are kept, unless there are very
 * many: an iteration passes the same ones each time and allocates nothing then.
 */
public final class Views {
    private static final int MOST = 4;

    /** More views would take more memory than they are worth. */
    private static final int MOST_PIECES = 4096;

    private final long[] offsets;
    private final long[] counts;
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(Buffer whole, Buffer[] pieces) {}

    /**
     * Describes the pieces.
     *
     * @param offsets the first element of each
     * @param counts elements of each
     */
    public Views(long[] offsets, long[] counts) {
        this.offsets = offsets.clone();
        this.counts = counts.clone();
    }

    /** Returns a description of {@code number} pieces of equal size, one behind the other. */
    public static Views equal(long number, long count) {
        long[] offsets = new long[Math.toIntExact(number)];
        long[] counts = new long[offsets.length];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = i * count;
            counts[i] = count;
        }
        return new Views(offsets, counts);
    }

    /** Returns the number of pieces. */
    public int count() {
        return counts.length;
    }

    /** Returns a piece of a buffer. */
    @SuppressWarnings("ReferenceEquality") // other objects may be other memory
    public Buffer of(Buffer whole, int piece) {
        if (counts.length > MOST_PIECES) {
            return whole.slice(offsets[piece], counts[piece]);
        }
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            if (entry.whole == whole) {
                return entry.pieces[piece];
            }
        }
        if (entries.size() == MOST) {
            entries.removeFirst();
        }
        Buffer[] pieces = new Buffer[counts.length];
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = whole.slice(offsets[i], counts[i]);
        }
        entries.add(new Entry(whole, pieces));
        return pieces[piece];
    }
}
