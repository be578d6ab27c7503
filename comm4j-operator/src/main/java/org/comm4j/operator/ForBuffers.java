// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.math.Transfer;

/**
 * What was prepared for pairs of buffers, those used last: solvers pass the same ones in each iteration.
 *
 * @param <T> what is prepared
 */
final class ForBuffers<T extends ForBuffers.Prepared> {
    private static final int MOST = 4;

    private final Maker<T> maker;
    private final List<Entry<T>> entries = new ArrayList<>();

    /** What holds transfers. */
    interface Prepared {
        /** Returns all of them. */
        List<Transfer> transfers();
    }

    /** Prepares something for two buffers. */
    @FunctionalInterface
    interface Maker<T> {
        T make(Buffer from, Buffer to);
    }

    private record Entry<T>(Buffer from, Buffer to, T made) {}

    ForBuffers(Maker<T> maker) {
        this.maker = maker;
    }

    @SuppressWarnings("ReferenceEquality") // other objects may be other memory
    T of(Buffer from, Buffer to) {
        for (int i = 0; i < entries.size(); i++) {
            Entry<T> entry = entries.get(i);
            if (entry.from == from && entry.to == to) {
                return entry.made;
            }
        }
        if (entries.size() == MOST) {
            entries.removeFirst().made.transfers().forEach(Transfer::close);
        }
        T made = maker.make(from, to);
        entries.add(new Entry<>(from, to, made));
        return made;
    }
}
