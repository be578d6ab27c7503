// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.comm4j.host.SharedHeap.LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.MemoryCopy;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives of one communicator. From each rank to each other there is a channel, in the receiver's workspace:
 * a ring of slots, a counter of those filled (the sender's) and one of those emptied (the receiver's).
 *
 * <p>A message is one fragment or several, a slot each. The data is in the slots, or, where the sender's buffer is in
 * shared memory and not small, stays where it is and is copied by the receiver; the sender then waits until the slot is
 * emptied.
 */
final class Messages {
    private static final int SLOTS = 8;
    private static final long PAYLOAD = 16 << 10;
    private static final long HEADER = 64;
    private static final long SLOT_BYTES = HEADER + PAYLOAD;
    private static final long FILLED = 0;
    private static final long EMPTIED = 64;
    private static final long FIRST_SLOT = 128;
    private static final long CHANNEL_BYTES = FIRST_SLOT + SLOTS * SLOT_BYTES;

    // A slot's header: type and count of the whole message; bytes in this slot; place of the data elsewhere, or
    // IN_SLOT.
    private static final long TYPE = 0;
    private static final long COUNT = 8;
    private static final long BYTES = 16;
    private static final long PLACE = 24;
    private static final long IN_SLOT = -1;

    private static final DataType[] TYPES = DataType.values();

    private final SharedHeap heap;
    private final Team team;
    private final MemorySegment memory;
    private final Pause pause;
    private final long[] channels;
    /** How many slots this rank filled, by receiver, and emptied, by sender. */
    private final long[] filled;

    private final long[] emptied;

    // The messages of the call under way; objects stay for the next one.
    private final List<Transfer> transfers = new ArrayList<>();
    private int count;
    /** The last message added, by peer: messages of one direction go one after the other. */
    private final @Nullable Transfer[] lastSend;

    private final @Nullable Transfer[] lastReceive;

    /** Bytes that the channels towards one rank take. */
    static long bytes(int size) {
        return size * CHANNEL_BYTES;
    }

    /** @param channels where the channels towards each rank start */
    Messages(SharedHeap heap, Team team, long[] channels) {
        this.heap = heap;
        this.team = team;
        this.memory = heap.memory;
        this.pause = team.newPause();
        this.channels = channels;
        this.filled = new long[team.size()];
        this.emptied = new long[team.size()];
        this.lastSend = new @Nullable Transfer[team.size()];
        this.lastReceive = new @Nullable Transfer[team.size()];
    }

    /** Adds a message of {@code count} elements at {@code offset} of an array to those of the next {@link #run}. */
    void add(boolean isSend, int peer, HostArray array, long offset, long count) {
        if (this.count == transfers.size()) {
            transfers.add(new Transfer());
        }
        Transfer transfer = transfers.get(this.count++);
        @Nullable Transfer[] last = isSend ? lastSend : lastReceive;
        transfer.begin(isSend, peer, array, offset, count, last[peer]);
        last[peer] = transfer;
    }

    /**
     * Carries all messages that were added, together, to their end. Allocates nothing once enough objects are there.
     */
    void run(String what, long timeoutNanos) {
        if (count == 0) {
            return;
        }
        CollectiveMismatchException mismatch = null;
        int open = 0;
        pause.begin(what, timeoutNanos, transfers.getFirst().peer);
        try {
            while (true) {
                boolean moved = false;
                for (int i = open; i < count; i++) {
                    moved |= transfers.get(i).advance();
                }
                while (open < count && transfers.get(open).ended) {
                    open++;
                }
                if (open == count) {
                    break;
                }
                if (moved) {
                    pause.moveOn(transfers.get(open).peer);
                } else {
                    pause.once();
                }
            }
            pause.end();
        } catch (CommException e) {
            team.outOfStep(e);
            throw e;
        } catch (IllegalStateException e) {
            throw freed(what, e);
        } finally {
            for (int i = 0; i < count; i++) {
                // A message that does not fit is lost, but the others have been exchanged.
                mismatch = transfers.get(i).end(mismatch);
            }
            count = 0;
            Arrays.fill(lastSend, null);
            Arrays.fill(lastReceive, null);
        }
        if (mismatch != null) {
            throw mismatch;
        }
    }

    /** What came of it that the communicator was closed by another thread, or the arena of a message's memory. */
    private RuntimeException freed(String what, IllegalStateException e) {
        for (Transfer each : transfers.subList(0, count)) {
            if (each.array != null && !each.array.isAlive()) {
                CommException failure = new CommException(
                        what + ": the memory of " + each.array + " was freed in the middle of the call, and others may"
                                + " wait for the rest of a message: close this communicator",
                        e);
                team.outOfStep(failure);
                return failure;
            }
        }
        return pause.closed(e);
    }

    /** One message under way, on the sender's or the receiver's side. */
    private final class Transfer {
        private boolean isSend;
        private int peer;
        private @Nullable HostArray array;
        /** Where the message begins in the array, in bytes, and how long it is. */
        private long start;

        private long total;
        private @Nullable Transfer before;
        /** Bytes that were put into, or taken out of, the channel. */
        private long done;
        /** A sender whose data is copied by the receiver: the slot that must be emptied, else −1. */
        private long lentSlot;

        private boolean started;
        private boolean ended;
        private DataType sentType = DataType.INT8;
        private long sentCount;

        void begin(boolean isSend, int peer, HostArray array, long offset, long count, @Nullable Transfer before) {
            this.isSend = isSend;
            this.peer = peer;
            this.array = array;
            this.start = offset * array.type().bytes();
            this.total = count * array.type().bytes();
            this.before = before;
            done = 0;
            lentSlot = -1;
            started = false;
            ended = false;
        }

        /** Moves what can be moved now; whether that was anything. */
        boolean advance() {
            if (ended || before != null && !before.ended) {
                return false;
            }
            long doneBefore = done;
            HostArray array = Objects.requireNonNull(this.array);
            ended = isSend ? send(array) : receive(array);
            return ended || done != doneBefore;
        }

        private boolean send(HostArray array) {
            long channel = channels[peer] + team.rank() * CHANNEL_BYTES;
            if (lentSlot >= 0) {
                return (long) LONG.getAcquire(memory, channel + EMPTIED) > lentSlot;
            }
            while (!started || done < total) {
                if (filled[peer] - (long) LONG.getAcquire(memory, channel + EMPTIED) >= SLOTS) {
                    return false;
                }
                long slot = channel + FIRST_SLOT + filled[peer] % SLOTS * SLOT_BYTES;
                long lent = !started && total > PAYLOAD ? heap.offsetOf(array.address() + start, total) : -1;
                long bytes = lent >= 0 ? total : Math.min(PAYLOAD, total - done);
                memory.set(JAVA_LONG, slot + TYPE, array.type().ordinal());
                memory.set(JAVA_LONG, slot + COUNT, total / array.type().bytes());
                memory.set(JAVA_LONG, slot + BYTES, bytes);
                memory.set(JAVA_LONG, slot + PLACE, lent >= 0 ? lent : IN_SLOT);
                if (lent < 0) {
                    MemorySegment.copy(array.segment(), start + done, memory, slot + HEADER, bytes);
                }
                started = true;
                done += bytes;
                LONG.setRelease(memory, channel + FILLED, ++filled[peer]);
                heap.ring(team.worldRank(peer));
                if (lent >= 0) {
                    lentSlot = filled[peer] - 1;
                    return false;
                }
            }
            return true;
        }

        private boolean receive(HostArray array) {
            long channel = channels[team.rank()] + peer * CHANNEL_BYTES;
            while (true) {
                if ((long) LONG.getAcquire(memory, channel + FILLED) == emptied[peer]) {
                    return false;
                }
                long slot = channel + FIRST_SLOT + emptied[peer] % SLOTS * SLOT_BYTES;
                if (!started) {
                    started = true;
                    sentType = TYPES[(int) memory.get(JAVA_LONG, slot + TYPE)];
                    sentCount = memory.get(JAVA_LONG, slot + COUNT);
                }
                long bytes = memory.get(JAVA_LONG, slot + BYTES);
                long place = memory.get(JAVA_LONG, slot + PLACE);
                // A message that does not fit is taken out of the channel all the same, so the next one is not
                // disturbed.
                if (fits(array)) {
                    MemoryCopy.copy(
                            memory, place == IN_SLOT ? slot + HEADER : place, array.segment(), start + done, bytes);
                }
                done += bytes;
                LONG.setRelease(memory, channel + EMPTIED, ++emptied[peer]);
                heap.ring(team.worldRank(peer));
                if (done == sentCount * sentType.bytes()) {
                    return true;
                }
            }
        }

        private boolean fits(HostArray array) {
            return sentType == array.type() && sentCount * sentType.bytes() == total;
        }

        /** Lets go of the array; the mismatch of this message, if any, else {@code earlier}. */
        @Nullable
        CollectiveMismatchException end(@Nullable CollectiveMismatchException earlier) {
            HostArray array = Objects.requireNonNull(this.array);
            this.array = null;
            this.before = null;
            if (isSend || !ended || fits(array) || earlier != null) {
                return earlier;
            }
            return new CollectiveMismatchException(
                    "recv on rank " + team.rank() + " of " + team.size() + ": rank " + peer
                            + " sent " + sentCount + " x " + sentType + ", but "
                            + total / array.type().bytes() + " x "
                            + array.type() + " were to be received; the message is lost");
        }
    }
}
