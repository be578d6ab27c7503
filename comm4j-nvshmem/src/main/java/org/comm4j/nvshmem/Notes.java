// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.comm4j.core.CommException;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was put into streams that waits for other PEs: the last of it, so that a wait for a stream in vain can tell what
 * the stream waits for. Noting allocates nothing once a stream is known.
 */
final class Notes {
    /** Notes kept of a stream. */
    private static final int KEPT = 8;
    /** How long a look at device memory may take: the device may be beyond hope. */
    private static final Duration LOOK = Duration.ofSeconds(2);

    private final Session session;
    private final List<OfStream> streams = new ArrayList<>();

    Notes(Session session) {
        this.session = session;
    }

    private static final class Note {
        String operation = "";

        @Nullable
        Object subject;

        long index;

        @Nullable
        Object comparison;

        long value;

        void set(String operation, @Nullable Object subject, long index, @Nullable Object comparison, long value) {
            this.operation = operation;
            this.subject = subject;
            this.index = index;
            this.comparison = comparison;
            this.value = value;
        }

        Note copy() {
            Note copy = new Note();
            copy.set(operation, subject, index, comparison, value);
            return copy;
        }
    }

    private static final class OfStream {
        final Stream stream;
        final Note[] ring = new Note[KEPT];
        long count;

        OfStream(Stream stream) {
            this.stream = stream;
            for (int i = 0; i < KEPT; i++) {
                ring[i] = new Note();
            }
        }
    }

    /** What {@link Session#note} does. */
    synchronized void add(
            Stream stream,
            String operation,
            @Nullable Object subject,
            long index,
            @Nullable Object comparison,
            long value) {
        OfStream its = of(stream);
        its.ring[(int) (its.count++ % KEPT)].set(operation, subject, index, comparison, value);
    }

    private OfStream of(Stream stream) {
        OfStream its = find(stream);
        if (its == null) {
            streams.removeIf(known -> !known.stream.isOpen());
            its = new OfStream(stream);
            streams.add(its);
        }
        return its;
    }

    private @Nullable OfStream find(Stream stream) {
        // By index: an iterator would be an object for each call.
        for (int i = 0; i < streams.size(); i++) {
            OfStream known = streams.get(i);
            if (known.stream == stream) {
                return known;
            }
        }
        return null;
    }

    /** The stream has done all its work. */
    synchronized void forget(Stream stream) {
        OfStream its = find(stream);
        if (its != null) {
            its.count = 0;
        }
    }

    /**
     * For the message of a wait in vain.
     *
     * @param what was waited for: a stream, or an operation in {@link Session#own}
     */
    String explain(Object what) {
        String pending = list(what);
        return pending.isEmpty()
                ? "another PE has not called it, has called something else, or is stuck"
                : "the stream waits for the first of these that has not come: " + pending;
    }

    /** For the message of a wait that a death has ended: what was waited for, or nothing if that is not known. */
    String pending(Object what) {
        String pending = list(what);
        return pending.isEmpty() ? "" : ", and waited for by the first of these that has not ended: " + pending;
    }

    private String list(Object what) {
        return last(what instanceof Stream stream ? stream : session.own).stream()
                .map(Notes::describe)
                .collect(Collectors.joining(", "));
    }

    /** Copies, oldest first. */
    private synchronized List<Note> last(Stream stream) {
        List<Note> last = new ArrayList<>();
        OfStream its = find(stream);
        if (its != null) {
            for (long i = Math.max(0, its.count - KEPT); i < its.count; i++) {
                last.add(its.ring[(int) (i % KEPT)].copy());
            }
        }
        return last;
    }

    private static String describe(Note note) {
        if (note.comparison == null) {
            return note.operation + (note.subject == null ? "" : " of " + note.subject);
        }
        StringBuilder text = new StringBuilder(note.operation + " for " + note.comparison + " " + note.value);
        if (note.subject instanceof SymmetricArray array && array.isAlive()) {
            text.append(" at element ").append(note.index).append(" of ").append(array);
            text.append(" (address 0x")
                    .append(Long.toHexString(
                            array.address() + note.index * array.type().bytes()))
                    .append("), which is ")
                    .append(found(array, note.index));
        }
        return text.toString();
    }

    /** The element as it is now, read beside the stream that is stuck. */
    private static String found(SymmetricArray array, long index) {
        HostArray copy = HostArray.allocate(array.type(), 1);
        try (Stream beside = array.device().newStream()) {
            array.slice(index, 1).copyTo(copy, beside);
            beside.synchronize(LOOK);
            return copy.getLong(0) + " now";
        } catch (CommException | UnsupportedOperationException e) {
            return "not readable (" + e.getMessage() + ")";
        }
    }
}
