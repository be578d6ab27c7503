// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.util.function.LongToIntFunction;
import org.comm4j.core.Buffer;
import org.comm4j.core.spi.Call;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/**
 * An operation that is prepared once and done again and again, whose buffers cannot be freed before it is closed: a
 * persistent request ({@code MPI_Start}), where the library has one of its kind and the operation is one of MPI's own;
 * else it is issued anew each time. Several may be under way together. Collective ones must be started in the same
 * order on all ranks.
 *
 * {@snippet lang = java :
 * import org.comm4j.core.Buffer;
 * import org.comm4j.core.ReduceOp;
 * import org.comm4j.mpi.MpiCommunicator;
 * import org.comm4j.mpi.Prepared;
 *
 * class Steps {
 *     void run(MpiCommunicator comm, Buffer x, int steps) {
 *         try (Prepared sum = comm.prepareAllReduce(x, x, ReduceOp.SUM)) {
 *             for (int i = 0; i < steps; i++) {
 *                 sum.start();
 *                 sum.await();
 *             }
 *         }
 *     }
 * }
 * }
 */
public final class Prepared implements AutoCloseable {
    private final MpiCommunicator comm;
    private final MpiProcess process;
    private final Call call;
    private final Step step;
    private final Requests requests;
    /** The address of a persistent request; 0 if there is none. */
    private final long persistent;

    /** Action that lets go of the buffers; null if nothing has to. */
    private final @Nullable Runnable release;

    private boolean started;
    private boolean closed;

    /**
     * @param init makes a persistent request at an address, and returns MPI's error code; null if there is none
     */
    Prepared(MpiCommunicator comm, MpiProcess process, Call call, Step step, @Nullable LongToIntFunction init) {
        this.comm = comm;
        this.process = process;
        this.call = call;
        this.step = step;
        this.requests = new Requests(process, process.types());
        this.release = comm.holding().keep(call.send(), call.recv());
        if (init == null) {
            persistent = 0;
            return;
        }
        long elements = call.kind() == Call.Kind.RECV ? call.count() : -1;
        persistent = requests.next(call, elements);
        process.lock();
        try {
            process.check(init.applyAsInt(persistent), "preparation of " + call);
        } finally {
            process.unlock();
        }
    }

    Call call() {
        return call;
    }

    /**
     * Starts the operation; its buffers are in use until {@link #await} returns.
     *
     * @throws IllegalStateException if it is under way, or closed
     */
    public void start() {
        Call ignored = comm.enter("start");
        try {
            if (started || closed) {
                throw new IllegalStateException("start of " + call + ": it is " + (closed ? "closed" : "under way"));
            }
            if (persistent == 0) {
                requests.clear();
                step.start(call, requests, false);
            } else {
                Buffer freed = Ends.freed(call);
                if (freed != null) {
                    throw new IllegalStateException(call + " on rank " + comm.rank() + " of " + comm.size()
                            + ": the memory of " + freed + " was freed");
                }
                requests.again();
                process.lock();
                try {
                    process.check(LibMpi.MPI_Start(persistent), String.valueOf(call));
                } finally {
                    process.unlock();
                }
            }
            started = true;
        } finally {
            comm.leave();
        }
    }

    /** Returns whether the operation has ended, or is not under way. Never waits; progress is made by asking. */
    public boolean isDone() {
        return !started || requests.getAsBoolean();
    }

    /**
     * Waits for the end of the operation.
     *
     * @throws IllegalStateException if it was not started
     * @throws org.comm4j.core.CommException when it would be in vain to wait longer, as with every operation
     */
    public void await() {
        Call ignored = comm.enter("await");
        try {
            if (!started) {
                throw new IllegalStateException("await of " + call + ": it was not started");
            }
            comm.attempt(this, none -> comm.await(call, requests));
            started = false;
            if (persistent == 0) {
                step.finish();
            }
        } finally {
            comm.leave();
        }
    }

    /**
     * Gives back MPI's request. One that was given up is kept.
     *
     * @throws IllegalStateException if the operation is under way
     */
    @Override
    public void close() {
        if (closed || comm.isOutOfStep() || process.hasEnded()) {
            closed = true;
            return;
        }
        if (started) {
            throw new IllegalStateException("close of " + call + ": it is under way; await its end");
        }
        closed = true;
        if (release != null) {
            release.run();
        }
        if (persistent != 0) {
            process.lock();
            try {
                process.check(LibMpi.MPI_Request_free(persistent), "MPI_Request_free");
            } finally {
                process.unlock();
            }
        }
    }

    @Override
    public String toString() {
        return "Prepared[" + call + (persistent == 0 ? "" : ", persistent") + (started ? ", under way" : "") + "]";
    }
}
