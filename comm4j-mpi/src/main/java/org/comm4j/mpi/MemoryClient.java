// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.comm4j.core.CommException;
import org.comm4j.core.World;
import org.comm4j.core.spi.RemoteMemory;

/**
 * A rank's access to the memory of others: requests by messages, which {@link MemoryServer} there does in their order.
 */
final class MemoryClient implements RemoteMemory.Access {
    /** Messages have at most so many bytes; what is longer goes in pieces. */
    private static final long LARGEST = 1 << 30;

    private static final long PIECE = Math.clamp(Long.getLong("org.comm4j.mpi.limit", LARGEST), 1, LARGEST);

    /** So many requests may be under way that nobody waits for. */
    private static final int MOST_LATER = 1000;
    /** MPI has at least 32 767 tags, two for each. */
    private static final int MOST = 16_000;

    private final World world;
    private final MpiProcess process;
    private final long comm;
    private final RemoteMemory.Owner owner;
    private final MemoryServer server;

    /** A request with the object for its waits. */
    private record Slot(Request request, RemoteMemory.Wait waiting) {}

    /** Guards the next four. */
    private final Object slots = new Object();

    private final List<Slot> all = new ArrayList<>();
    private final ArrayDeque<Slot> idle = new ArrayDeque<>();
    private List<Slot> underWay = new ArrayList<>();
    private boolean closed;

    /** What is perhaps not done on a rank: a put that it answers, or also requests that it does not answer. */
    private static final int ANSWERED = 1;

    private static final int UNANSWERED = 2;
    /** By rank; 0 for nothing. */
    private final AtomicIntegerArray asked;
    /** Of who waits for all requests. */
    private final Object quiet = new Object();

    MemoryClient(World world, MpiProcess process, long comm, MemorySegment own, RemoteMemory.Owner owner) {
        this.world = world;
        this.process = process;
        this.comm = comm;
        this.owner = owner;
        this.asked = new AtomicIntegerArray(world.size());
        this.server = new MemoryServer(world, process, comm, own, owner);
        server.start();
    }

    private Slot take() {
        synchronized (slots) {
            Slot slot = idle.poll();
            if (slot == null) {
                if (all.size() == MOST) {
                    throw new CommException("rank " + world.rank() + " of " + world.size() + ": " + MOST
                            + " operations on other machines' memory are under way at once; use fewer threads");
                }
                slot = new Slot(new Request(process, all.size()), owner.newWait());
                all.add(slot);
            }
            return slot;
        }
    }

    private void giveBack(Slot slot) {
        slot.request.used = MemorySegment.NULL;
        synchronized (slots) {
            idle.push(slot);
        }
    }

    /** Waits for the end of a request. One that has not come to its end is not used again. */
    private void await(Slot slot, String operation) {
        Request request = slot.request;
        if (!request.isDone()) {
            slot.waiting.begin(operation, request.rank());
            do {
                slot.waiting.once();
            } while (!request.isDone());
            slot.waiting.end();
        }
    }

    private void later(Slot slot) {
        if (slot.request.isDone()) {
            giveBack(slot);
            return;
        }
        boolean many;
        synchronized (slots) {
            underWay.add(slot);
            many = underWay.size() >= MOST_LATER;
        }
        if (many) {
            quiet();
        }
    }

    @Override
    public void put(int rank, long to, MemorySegment source) {
        put(rank, to, source, false);
    }

    @Override
    public void putLater(int rank, long to, MemorySegment source) {
        put(rank, to, source, true);
    }

    private void put(int rank, long to, MemorySegment source, boolean later) {
        long bytes = source.byteSize();
        for (long at = 0; at < bytes; at += PIECE) {
            long piece = Math.min(PIECE, bytes - at);
            Slot slot = take();
            Request request = slot.request;
            if (piece <= Request.INLINE) {
                // The first put after a quiet is answered: if it stays the only one, the next quiet sends nothing.
                boolean first = asked.compareAndSet(rank, 0, ANSWERED);
                request.begin(first ? Request.Kind.PUT_ANSWERED : Request.Kind.PUT, to + at, piece);
                MemorySegment.copy(source, at, request.memory, Request.HEAD, piece);
                if (first) {
                    request.receive(comm, rank, request.answerAddress(), Long.BYTES);
                }
                request.send(comm, rank, piece);
                if (!first) {
                    asked.set(rank, UNANSWERED);
                }
                later(slot);
            } else {
                request.begin(Request.Kind.PUT_LARGE, to + at, piece);
                request.used = source;
                request.send(comm, rank, 0);
                request.send(comm, rank, source.address() + at, piece, Request.putTag(request.number));
                asked.set(rank, UNANSWERED);
                if (later) {
                    later(slot);
                } else {
                    await(slot, "put");
                    giveBack(slot);
                }
            }
        }
    }

    @Override
    public void get(int rank, long from, MemorySegment destination) {
        get(rank, from, destination, false);
    }

    @Override
    public void getLater(int rank, long from, MemorySegment destination) {
        get(rank, from, destination, true);
    }

    private void get(int rank, long from, MemorySegment destination, boolean later) {
        long bytes = destination.byteSize();
        for (long at = 0; at < bytes; at += PIECE) {
            long piece = Math.min(PIECE, bytes - at);
            Slot slot = take();
            Request request = slot.request;
            request.begin(Request.Kind.GET, from + at, piece);
            request.used = destination;
            request.receive(comm, rank, destination.address() + at, piece);
            request.send(comm, rank, 0);
            if (later) {
                later(slot);
            } else {
                await(slot, "get");
                giveBack(slot);
            }
        }
    }

    @Override
    public long atomic(int rank, int operation, boolean wide, long at, long value, long condition, boolean fetch) {
        Slot slot = take();
        Request request = slot.request;
        request.begin(fetch ? Request.Kind.FETCH : Request.Kind.ATOMIC, at, 0);
        request.operation(operation, wide, value, condition);
        if (!fetch) {
            request.send(comm, rank, 0);
            asked.set(rank, UNANSWERED);
            later(slot);
            return 0;
        }
        return fetched(slot, rank, "atomic");
    }

    private long fetched(Slot slot, int rank, String operation) {
        Request request = slot.request;
        request.receive(comm, rank, request.answerAddress(), Long.BYTES);
        request.send(comm, rank, 0);
        await(slot, operation);
        long answer = request.answer();
        giveBack(slot);
        return answer;
    }

    @Override
    public void quiet() {
        // Whoever comes second must not return before what the first one waits for.
        synchronized (quiet) {
            List<Slot> ends;
            synchronized (slots) {
                ends = underWay;
                underWay = new ArrayList<>();
            }
            for (Slot slot : ends) {
                await(slot, "quiet");
                giveBack(slot);
            }
            for (int rank = 0; rank < world.size(); rank++) {
                if (asked.getAndSet(rank, 0) == UNANSWERED) {
                    Slot slot = take();
                    slot.request.begin(Request.Kind.FLUSH, 0, 0);
                    long ignored = fetched(slot, rank, "quiet");
                }
            }
        }
    }

    @Override
    public void progress() {
        server.progress();
    }

    /** What is still under way keeps its memory for ever, and MPI from being ended. */
    @Override
    public void close() {
        synchronized (slots) {
            if (closed) {
                return;
            }
            closed = true;
        }
        boolean clean = server.close();
        synchronized (slots) {
            clean &= all.stream().allMatch(slot -> slot.request.isDone());
            if (!clean) {
                MpiProcess.keep(List.copyOf(all));
            }
        }
        if (clean && !process.hasEnded()) {
            process.free(comm);
        }
    }

    @Override
    public String toString() {
        return server.toString();
    }
}
