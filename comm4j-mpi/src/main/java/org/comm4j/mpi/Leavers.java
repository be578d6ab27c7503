// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.core.spi.Call;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that are about to close their world, as they tell each other by messages of no elements. Whoever leaves waits
 * for the others, because MPI is ended by all together; others that wait for it, as it has failed, would wait for ever.
 */
final class Leavers {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Time that messages of a rank that has left may take to come. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MpiProcess process;
    private final Tagged control;
    private final int rank;
    /** Times when it was heard that a rank of the world leaves, by {@link System#nanoTime}; 0 if it was not. */
    private final long[] since;

    private long nextLook = System.nanoTime();

    /** @param comm of all ranks of the world, numbered as there, for nothing else */
    Leavers(MpiProcess process, long comm, World world) {
        this.process = process;
        this.control = new Tagged(process, comm);
        this.rank = world.rank();
        this.since = new long[world.size()];
    }

    /** Tells all others that this rank leaves. The requests end when they have been heard, or never. */
    synchronized void tell() {
        process.lock();
        try {
            tellAll();
        } finally {
            process.unlock();
        }
    }

    private void tellAll() {
        Requests requests = new Requests(process, process.types());
        Call call = new Call(rank, since.length).barrier();
        MemorySegment nothing = Arena.global().allocate(8);
        for (int other = 0; other < since.length; other++) {
            if (other != rank) {
                process.check(
                        LibMpi.MPI_Isend(
                                nothing.address(),
                                0,
                                process.abi().get("BYTE"),
                                other,
                                0,
                                control.comm(),
                                requests.next(call)),
                        "MPI_Isend");
            }
        }
        told = requests;
    }

    private @Nullable Requests told;

    /** Hears what is still to be heard, after all ranks have told: MPI can be ended then. */
    synchronized boolean settle() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        Requests requests = told;
        while (System.nanoTime() - end < 0) {
            hear();
            boolean all = requests == null || requests.getAsBoolean();
            for (int other = 0; other < since.length; other++) {
                all &= other == rank || since[other] != 0;
            }
            if (all) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** Returns whether a rank of the world has told some time ago that it leaves. */
    synchronized boolean hasLeft(int other) {
        long now = System.nanoTime();
        if (now - nextLook >= 0) {
            nextLook = now + LOOK_NANOS;
            hear();
        }
        return since[other] != 0 && now - since[other] > GRACE_NANOS;
    }

    private void hear() {
        if (!process.goesOn()) {
            hear(Mpi.ANY_SOURCE);
            return;
        }
        // A look for messages of whichever rank is an error once a rank has died.
        for (int other = 0; other < since.length; other++) {
            try {
                if (other != rank && since[other] == 0) {
                    hear(other);
                }
            } catch (CommException e) {
                System.getLogger("org.comm4j.mpi").log(System.Logger.Level.TRACE, "rank " + other + " is gone", e);
            }
        }
    }

    private void hear(int peer) {
        Received message = control.look(peer, 0, DataType.UINT8);
        while (message != null) {
            Requests requests = new Requests(process, process.types());
            process.lock();
            try {
                receive(message, requests);
            } finally {
                process.unlock();
            }
            while (!requests.getAsBoolean()) {
                Thread.onSpinWait();
            }
            since[message.rank()] = System.nanoTime();
            message = control.look(peer, 0, DataType.UINT8);
        }
    }

    private void receive(Received message, Requests requests) {
        process.check(
                LibMpi.MPI_Irecv(
                        0,
                        0,
                        process.abi().get("BYTE"),
                        message.rank(),
                        0,
                        control.comm(),
                        requests.next(new Call(rank, since.length).barrier())),
                "MPI_Irecv");
    }

    /** Returns the first of these calls' ranks that has left; −1 if none has. */
    int leftFor(Object what, int size, IntUnaryOperator worldRank) {
        return switch (what) {
            case Call call when call.kind().isPointToPoint() -> leftOne(call.peer(), worldRank);
            case Integer peer when peer >= 0 -> leftOne(peer, worldRank);
            case Integer _ -> allLeft(size, worldRank);
            case List<?> calls ->
                calls.stream()
                        .mapToInt(each -> leftFor(each, size, worldRank))
                        .filter(left -> left >= 0)
                        .findFirst()
                        .orElse(-1);
            default -> {
                int left = -1;
                for (int r = 0; r < size && left < 0; r++) {
                    left = leftOne(r, worldRank);
                }
                yield left;
            }
        };
    }

    private int leftOne(int peer, IntUnaryOperator worldRank) {
        int other = worldRank.applyAsInt(peer);
        return other != rank && hasLeft(other) ? peer : -1;
    }

    /** Returns a rank if all others have left, for a message of whichever rank; else −1. */
    private int allLeft(int size, IntUnaryOperator worldRank) {
        int last = -1;
        for (int r = 0; r < size; r++) {
            if (worldRank.applyAsInt(r) != rank) {
                if (!hasLeft(worldRank.applyAsInt(r))) {
                    return -1;
                }
                last = r;
            }
        }
        return last;
    }
}
