// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.comm4j.host.SharedHeap.LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.spi.Call;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives of one communicator. From each rank to each other there is a channel, in the receiver's workspace: a
 * ring of slots, a counter of those filled (the sender's) and one of those emptied (the receiver's).
 *
 * <p>A message is one fragment or several, a slot each. The data is in the slots, or, where the sender's buffer is in shared
 * memory and not small, stays where it is and is copied by the receiver; the sender then waits until the slot is emptied.
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

    private final SharedHeap heap;
    private final Team team;
    private final MemorySegment memory;
    private final Pause pause;
    private final long[] channels;
    /** How many slots this rank filled, by receiver, and emptied, by sender. */
    private final long[] filled;

    private final long[] emptied;
    private final Transfer single = new Transfer();

    /** Bytes that the channels towards one rank take. */
    static long bytes(int size) {
        return size * CHANNEL_BYTES;
    }

    /** @param channels where the channels towards each rank start */
    Messages(HostShmem shmem, Team team, long[] channels) {
        this.heap = shmem.heap();
        this.team = team;
        this.memory = heap.memory;
        this.pause = team.newPause();
        this.channels = channels;
        this.filled = new long[team.size()];
        this.emptied = new long[team.size()];
    }

    /** One send or receive, to its end. */
    void run(Call call, long timeoutNanos) {
        single.begin(call);
        if (!single.progress()) {
            pause.begin(call.kind().method(), timeoutNanos, call.peer());
            do {
                pause.once();
            } while (!single.progress());
            pause.end();
        }
        single.end();
    }

    /** All sends and receives among {@code calls}, together, to their end. */
    void run(List<Call> calls, long timeoutNanos) {
        // Messages of one direction between two ranks go one after the other, in the order of the calls.
        List<ArrayDeque<Transfer>> queues = new ArrayList<>();
        ArrayDeque<Transfer>[] bySend = newQueues();
        ArrayDeque<Transfer>[] byReceive = newQueues();
        for (Call call : calls) {
            if (call.kind().isPointToPoint()) {
                ArrayDeque<Transfer>[] by = call.kind() == Call.Kind.SEND ? bySend : byReceive;
                ArrayDeque<Transfer> queue = by[call.peer()];
                if (queue == null) {
                    queue = new ArrayDeque<>();
                    by[call.peer()] = queue;
                    queues.add(queue);
                }
                Transfer transfer = new Transfer();
                transfer.begin(call);
                queue.add(transfer);
            }
        }
        if (queues.isEmpty()) {
            return;
        }
        pause.begin("group", timeoutNanos, queues.getFirst().getFirst().peer());
        CollectiveMismatchException mismatch = null;
        while (true) {
            boolean moved = false;
            for (ArrayDeque<Transfer> queue : queues) {
                while (!queue.isEmpty()) {
                    long before = queue.getFirst().done;
                    boolean ended = queue.getFirst().progress();
                    moved |= ended || queue.getFirst().done != before;
                    if (!ended) {
                        break;
                    }
                    try {
                        queue.removeFirst().end();
                    } catch (CollectiveMismatchException e) {
                        // The others are still exchanged, so that only this message is lost.
                        mismatch = e;
                    }
                }
            }
            queues.removeIf(ArrayDeque::isEmpty);
            if (queues.isEmpty()) {
                break;
            }
            if (!moved) {
                pause.waitFor(queues.getFirst().getFirst().peer());
                pause.once();
            }
        }
        pause.end();
        if (mismatch != null) {
            throw mismatch;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private ArrayDeque<Transfer>[] newQueues() {
        return new ArrayDeque[team.size()];
    }

    /** One message under way, on the sender's or the receiver's side. */
    private final class Transfer {
        private @Nullable Call call;
        private @Nullable HostArray array;
        /** Bytes that were put into, or taken out of, the channel. */
        private long done;
        /** A sender whose data is copied by the receiver: the slot that must be emptied, else −1. */
        private long lentSlot;

        private boolean started;
        private @Nullable DataType sentType;
        private long sentCount;

        void begin(Call call) {
            this.call = call;
            this.array = HostCommunicator.host(
                    Objects.requireNonNull(call.kind() == Call.Kind.SEND ? call.send() : call.recv()), call);
            done = 0;
            lentSlot = -1;
            started = false;
        }

        int peer() {
            return Objects.requireNonNull(call).peer();
        }

        /** Moves what can be moved now; true at the end of the message. */
        boolean progress() {
            Call call = Objects.requireNonNull(this.call);
            HostArray array = Objects.requireNonNull(this.array);
            return call.kind() == Call.Kind.SEND ? send(call.peer(), array) : receive(call.peer(), array);
        }

        private boolean send(int to, HostArray array) {
            long channel = channels[to] + team.rank() * CHANNEL_BYTES;
            if (lentSlot >= 0) {
                return (long) LONG.getAcquire(memory, channel + EMPTIED) > lentSlot;
            }
            long total = array.byteSize();
            while (!started || done < total) {
                if (filled[to] - (long) LONG.getAcquire(memory, channel + EMPTIED) >= SLOTS) {
                    return false;
                }
                long slot = channel + FIRST_SLOT + filled[to] % SLOTS * SLOT_BYTES;
                long lent = !started && total > PAYLOAD ? heap.offsetOf(array.address(), total) : -1;
                long bytes = lent >= 0 ? total : Math.min(PAYLOAD, total - done);
                memory.set(JAVA_LONG, slot + TYPE, array.type().ordinal());
                memory.set(JAVA_LONG, slot + COUNT, array.count());
                memory.set(JAVA_LONG, slot + BYTES, bytes);
                memory.set(JAVA_LONG, slot + PLACE, lent >= 0 ? lent : IN_SLOT);
                if (lent < 0) {
                    MemorySegment.copy(array.segment(), done, memory, slot + HEADER, bytes);
                }
                started = true;
                done += bytes;
                LONG.setRelease(memory, channel + FILLED, ++filled[to]);
                heap.ring(team.worldRank(to));
                if (lent >= 0) {
                    lentSlot = filled[to] - 1;
                    return false;
                }
            }
            return true;
        }

        private boolean receive(int from, HostArray array) {
            long channel = channels[team.rank()] + from * CHANNEL_BYTES;
            while (true) {
                if ((long) LONG.getAcquire(memory, channel + FILLED) == emptied[from]) {
                    return false;
                }
                long slot = channel + FIRST_SLOT + emptied[from] % SLOTS * SLOT_BYTES;
                if (!started) {
                    started = true;
                    sentType = DataType.values()[(int) memory.get(JAVA_LONG, slot + TYPE)];
                    sentCount = memory.get(JAVA_LONG, slot + COUNT);
                }
                long bytes = memory.get(JAVA_LONG, slot + BYTES);
                long place = memory.get(JAVA_LONG, slot + PLACE);
                if (fits(array)) {
                    MemorySegment.copy(memory, place == IN_SLOT ? slot + HEADER : place, array.segment(), done, bytes);
                }
                done += bytes;
                LONG.setRelease(memory, channel + EMPTIED, ++emptied[from]);
                heap.ring(team.worldRank(from));
                if (done == sentCount * Objects.requireNonNull(sentType).bytes()) {
                    return true;
                }
            }
        }

        private boolean fits(HostArray array) {
            return sentType == array.type() && sentCount == array.count();
        }

        /** A message that does not fit was taken out of the channel whole, so the next one is not disturbed. */
        void end() {
            Call call = Objects.requireNonNull(this.call);
            HostArray array = Objects.requireNonNull(this.array);
            this.call = null;
            this.array = null;
            if (call.kind() == Call.Kind.RECV && !fits(array)) {
                throw new CollectiveMismatchException("recv on rank " + team.rank() + " of " + team.size() + ": rank "
                        + call.peer() + " sent " + sentCount + " x " + sentType + ", but " + array.count() + " x "
                        + array.type() + " were to be received; the message is lost");
            }
        }
    }
}
