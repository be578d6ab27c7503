// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.AbstractCommunicator;
import org.comm4j.core.spi.AbstractOperations;
import org.comm4j.core.spi.Arguments;
import org.comm4j.core.spi.Call;
import org.comm4j.core.spi.Events;
import org.comm4j.core.spi.Peers;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Recorded;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.handle.NcclComm;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of {@link NcclCommunicator}, each in two forms: the one of {@link org.comm4j.core.Operations}, which
 * enqueues on the communicator's own stream and waits, and one that enqueues on a stream of the caller and returns.
 * Both check completely first.
 */
abstract sealed class NcclOperations extends AbstractOperations implements Communicator permits NcclHoldings {
    private static final AtomicLong SERIAL = new AtomicLong();

    /** The first GPUs that can add float8. */
    private static final int FLOAT8_SUMS = 9;

    private static final long NO_THREAD = 0;

    /** The order in which locks of several communicators are taken. */
    final long serial = SERIAL.incrementAndGet();

    final NcclComm handle;
    final Device device;
    final Stream own;
    final Peers peers;
    final Health health;
    final Watch watch;
    final Farewell farewell;
    final Submission submission;
    final ReentrantLock lock = new ReentrantLock();

    private final int rank;
    private final int size;
    private final int ordinal;
    private final String where;
    private final boolean float8Sums;
    private final CommConfig config;
    private final boolean blocking;
    private final Call call;
    private final BooleanSupplier idle;
    /** Graphs with this communicator's work. */
    final Recorded recorded = new Recorded();

    /**
     * The first one of the thread that called this communicator in a group last; others know by its group that it is
     * not theirs.
     */
    @Nullable
    GroupPart part;

    private volatile long timeoutNanos;
    private volatile boolean stuck;
    /** For messages only: not volatile, which would cost each call a fence. */
    private @Nullable Call last;

    /** The thread that called NCCL last, and how many contexts had been released then; with the lock held. */
    private long entered = NO_THREAD;

    private long releasedBefore;
    /** An asynchronous call that NCCL, not blocking, has yet to enqueue; with the lock held. */
    private @Nullable EventRequest launching;

    NcclOperations(Made made) {
        this.handle = made.handle();
        this.device = made.device();
        this.own = made.own();
        this.rank = made.rank();
        this.size = made.size();
        this.config = made.config();
        this.blocking = config.isBlocking();
        this.peers = made.peers();
        this.farewell = made.farewell();
        farewell.made(peers, rank, size);
        this.ordinal = device.ordinal();
        this.where = "rank " + rank + " of " + size + " (GPU " + ordinal + ")";
        this.health = new Health(where);
        this.watch = new Watch(handle, where, peers, health);
        this.submission = new Submission(handle, rank, size, made.scratch().address(), config.mayUseCopyEngines());
        this.float8Sums = device.computeCapability().major() >= FLOAT8_SUMS;
        this.call = new Call(rank, size);
        this.idle = own::isDone;
        this.timeoutNanos = nanos("timeout", where, AbstractCommunicator.defaultTimeout());
    }

    @Override
    public final int rank() {
        return rank;
    }

    @Override
    public final int size() {
        return size;
    }

    @Override
    public final String engine() {
        return NcclEngine.NAME;
    }

    @Override
    public final Duration timeout() {
        return Duration.ofNanos(timeoutNanos);
    }

    @Override
    public final void timeout(Duration timeout) {
        timeoutNanos = nanos("timeout", where, timeout);
    }

    final long timeoutNanos() {
        return timeoutNanos;
    }

    /** As a number; more than it can hold, 292 years, is as good as no limit. */
    static long nanos(String operation, String where, Duration timeout) {
        return Arguments.timeoutNanos(timeout, operation + " on " + where);
    }

    /** The work in a stream, as messages name it. */
    final Object workIn(Stream stream) {
        return new Object() {
            @Override
            public String toString() {
                return "the work in " + stream + (last == null ? "" : ", after the call of " + last + ",");
            }
        };
    }

    /** Whether calls of NCCL may block. */
    final boolean isBlocking() {
        return blocking;
    }

    final CommConfig config() {
        return config;
    }

    final String where() {
        return where;
    }

    // ---- blocking: also all of AbstractOperations ----

    @Override
    public final void barrier() {
        begin("barrier");
        try {
            run(call.barrier());
        } finally {
            lock.unlock();
        }
    }

    // ---- stream-ordered ----

    /** {@link #allReduce(Buffer, Buffer, ReduceOp)}, ordered on {@code stream}: {@code ncclAllReduce}. */
    public final void allReduce(Buffer send, Buffer recv, ReduceOp op, Stream stream) {
        begin("allReduce", stream);
        try {
            enqueue(call.allReduce(send, recv, op), stream);
        } finally {
            lock.unlock();
        }
    }

    /** {@link #reduce(Buffer, Buffer, ReduceOp, int)}, ordered on {@code stream}: {@code ncclReduce}. */
    public final void reduce(Buffer send, @Nullable Buffer recv, ReduceOp op, int root, Stream stream) {
        begin("reduce", stream);
        try {
            enqueue(call.reduce(send, recv, op, root), stream);
        } finally {
            lock.unlock();
        }
    }

    /** {@link #broadcast(Buffer, Buffer, int)}, ordered on {@code stream}: {@code ncclBroadcast}. */
    public final void broadcast(@Nullable Buffer send, Buffer recv, int root, Stream stream) {
        begin("broadcast", stream);
        try {
            enqueue(call.broadcast(send, recv, root), stream);
        } finally {
            lock.unlock();
        }
    }

    /** {@link #broadcast(Buffer, int)}, ordered on {@code stream}: {@code ncclBroadcast} in place. */
    public final void broadcast(Buffer buffer, int root, Stream stream) {
        broadcast(buffer, buffer, root, stream);
    }

    /** {@link #allGather(Buffer, Buffer)}, ordered on {@code stream}: {@code ncclAllGather}. */
    public final void allGather(Buffer send, Buffer recv, Stream stream) {
        begin("allGather", stream);
        try {
            enqueue(call.allGather(send, recv), stream);
        } finally {
            lock.unlock();
        }
    }

    /**
     * {@link #allGatherV(Buffer, Buffer, long[], long[])}, ordered on {@code stream}: one {@code ncclBroadcast} a rank,
     * grouped.
     */
    public final void allGatherV(Buffer send, Buffer recv, long[] counts, long[] offsets, Stream stream) {
        begin("allGatherV", stream);
        try {
            enqueue(call.allGatherV(send, recv, counts, offsets), stream);
        } finally {
            lock.unlock();
        }
    }

    /** {@link #reduceScatter(Buffer, Buffer, ReduceOp)}, ordered on {@code stream}: {@code ncclReduceScatter}. */
    public final void reduceScatter(Buffer send, Buffer recv, ReduceOp op, Stream stream) {
        begin("reduceScatter", stream);
        try {
            enqueue(call.reduceScatter(send, recv, op), stream);
        } finally {
            lock.unlock();
        }
    }

    /** {@link #allToAll(Buffer, Buffer)}, ordered on {@code stream}: {@code ncclAlltoAll}. */
    public final void allToAll(Buffer send, Buffer recv, Stream stream) {
        begin("allToAll", stream);
        try {
            enqueue(call.allToAll(send, recv), stream);
        } finally {
            lock.unlock();
        }
    }

    /**
     * {@link #allToAllV(Buffer, long[], long[], Buffer, long[], long[])}, ordered on {@code stream}: {@code ncclSend}
     * and {@code ncclRecv}, grouped.
     */
    public final void allToAllV(
            Buffer send,
            long[] sendCounts,
            long[] sendOffsets,
            Buffer recv,
            long[] recvCounts,
            long[] recvOffsets,
            Stream stream) {
        begin("allToAllV", stream);
        try {
            enqueue(call.allToAllV(send, sendCounts, sendOffsets, recv, recvCounts, recvOffsets), stream);
        } finally {
            lock.unlock();
        }
    }

    /** {@link #gather(Buffer, Buffer, int)}, ordered on {@code stream}: {@code ncclGather}. */
    public final void gather(Buffer send, @Nullable Buffer recv, int root, Stream stream) {
        begin("gather", stream);
        try {
            enqueue(call.gather(send, recv, root), stream);
        } finally {
            lock.unlock();
        }
    }

    /** {@link #scatter(Buffer, Buffer, int)}, ordered on {@code stream}: {@code ncclScatter}. */
    public final void scatter(@Nullable Buffer send, Buffer recv, int root, Stream stream) {
        begin("scatter", stream);
        try {
            enqueue(call.scatter(send, recv, root), stream);
        } finally {
            lock.unlock();
        }
    }

    /** {@link #send(Buffer, int)}, ordered on {@code stream}: {@code ncclSend}. */
    public final void send(Buffer buffer, int peer, Stream stream) {
        begin("send", stream);
        try {
            enqueue(call.send(buffer, peer).notToSelf(), stream);
        } finally {
            lock.unlock();
        }
    }

    /** {@link #recv(Buffer, int)}, ordered on {@code stream}: {@code ncclRecv}. */
    public final void recv(Buffer buffer, int peer, Stream stream) {
        begin("recv", stream);
        try {
            enqueue(call.recv(buffer, peer).notToSelf(), stream);
        } finally {
            lock.unlock();
        }
    }

    /** {@link #barrier()}, ordered on {@code stream}: {@code ncclAllReduce} of one number. */
    public final void barrier(Stream stream) {
        begin("barrier", stream);
        try {
            enqueue(call.barrier(), stream);
        } finally {
            lock.unlock();
        }
    }

    // ---- how ----

    @Override
    protected final Call begin(String operation) {
        checkCanWait(operation);
        lock.lock();
        try {
            checkReady(operation);
            return call;
        } catch (Throwable e) {
            lock.unlock();
            throw e;
        }
    }

    @Override
    protected final void done() {
        lock.unlock();
    }

    /** Throws where what waits for other ranks, or for the device, can do no good. */
    final void checkCanWait(String operation) {
        Recorded.checkNotRecording(operation, where);
        checkOutsideBody(operation);
    }

    /** Throws in the body of one of this communicator's groups: what is called there would run before the group. */
    final void checkOutsideBody(String operation) {
        GroupPart known = part;
        if (known != null && known.isCollecting()) {
            throw new IllegalStateException(operation + " on " + where
                    + ": the body of a group is running, in which only the operations that it was given can be called;"
                    + " call this method before or after the group");
        }
    }

    /** Begins an operation in the order of a stream; {@link #done} ends it. */
    final Call begin(String operation, Stream stream) {
        checkOutsideBody(operation);
        lock.lock();
        try {
            checkReady(operation);
            checkStream(operation, stream);
            return call;
        } catch (Throwable e) {
            lock.unlock();
            throw e;
        }
    }

    /** Whether this communicator can order its work on the stream; what the stream records has its work then. */
    final void checkStream(String operation, Stream stream) {
        if (stream == null) {
            throw new NullPointerException(operation + " on " + where() + ": stream is null");
        }
        if (stream.device().ordinal() != ordinal) {
            throw new IllegalArgumentException(operation + " on " + where() + ": " + stream + " belongs to GPU "
                    + stream.device().ordinal());
        }
        recorded.in(stream);
    }

    /** Whether NCCL has this reduction for elements of this type on this GPU. */
    public final boolean supports(ReduceOp op, DataType type) {
        nonNull(op, "supports", "op");
        nonNull(type, "supports", "type");
        return Types.reduces(op, type) && (float8Sums || !Types.isFloat8(type));
    }

    /** What {@link Call} cannot know: that the buffers are on this GPU, and that NCCL has the reduction. */
    final void checkBuffers(Call call) {
        checkHere(call, "send", call.send());
        checkHere(call, "recv", call.recv());
        ReduceOp op = call.op();
        if (op != null) {
            DataType type = Objects.requireNonNull(call.type());
            if (!Types.reduces(op, type)) {
                throw new UnsupportedOperationException(
                        call.kind().method() + " on " + where() + ": " + Types.whyNot(op, type));
            }
            if (!float8Sums && Types.isFloat8(type)) {
                throw new UnsupportedOperationException(call.kind().method() + " on " + where() + ": NCCL reduces "
                        + type + " on GPUs of compute capability 9.0 or newer; this one has "
                        + device.computeCapability());
            }
        }
    }

    private void checkHere(Call call, String name, @Nullable Buffer buffer) {
        if (buffer == null) {
            return;
        }
        if (!(buffer instanceof DeviceArray array)) {
            throw new IllegalArgumentException(call.kind().method() + " on " + where() + ": " + name + " " + buffer
                    + " is not in the memory of a GPU; copy it to a DeviceArray (Device.allocate,"
                    + " Communicator.allocate)");
        }
        if (array.device().ordinal() != ordinal) {
            throw new IllegalArgumentException(call.kind().method() + " on " + where() + ": " + name + " " + buffer
                    + " is in the memory of GPU " + array.device().ordinal());
        }
    }

    /** A barrier in the own stream, in a communicator that does not block perhaps only soon; with the lock held. */
    final void startBarrier() {
        checkReady("barrier");
        CommunicationEvent event = Events.begin();
        try {
            start(call.barrier(), own, null, false);
        } catch (RuntimeException | Error e) {
            failed(event, e);
            throw e;
        } finally {
            record(event, call, own);
        }
    }

    /** Enqueues a checked call and waits for its end. */
    @Override
    protected final void run(Call call) {
        checkBuffers(call.notToSelf());
        CommunicationEvent event = Events.begin();
        long start = System.nanoTime();
        try {
            start(call, own, null, true);
            watch.await(idle, call, start, timeoutNanos);
        } catch (RuntimeException | Error e) {
            failed(event, e);
            throw e;
        } finally {
            record(event, call, own);
        }
    }

    /** Enqueues a checked call in another way than the usual one. */
    final void enqueueAs(Way way, Call call, Stream stream) {
        begin(call.kind().method(), stream);
        try {
            enqueue(call, stream, way);
        } finally {
            lock.unlock();
        }
    }

    /** Enqueues a checked call. */
    final void enqueue(Call call, Stream stream) {
        enqueue(call, stream, null);
    }

    /** Enqueues a checked call. */
    private void enqueue(Call call, Stream stream, @Nullable Way way) {
        checkBuffers(call);
        CommunicationEvent event = Events.begin();
        try {
            start(call, stream, way, true);
        } catch (RuntimeException | Error e) {
            failed(event, e);
            throw e;
        } finally {
            record(event, call, stream);
        }
    }

    /** Notes a failure for the event, and whether this communicator is in step after it. */
    final void failed(@Nullable CommunicationEvent event, Throwable failure) {
        Events.failed(event, failure);
        if (failure instanceof CommException e) {
            CommException ignored = health.failed(e);
        }
    }

    private void record(@Nullable CommunicationEvent event, Call call, Stream stream) {
        if (event != null) {
            event.stream = stream.toString();
            Events.commit(event, this, call);
        }
    }

    /** Tells the buffers in which stream they will be used, and the way. */
    final void use(Call call, Stream stream, @Nullable Way way) {
        if (way != null) {
            way.use(call, stream);
        }
        use(call.send(), stream);
        use(call.recv(), stream);
    }

    private void use(@Nullable Buffer buffer, Stream stream) {
        if (buffer instanceof DeviceArray array) {
            if (stream == own) {
                // What names no stream comes after all that the caller has started on the memory.
                own.await(array);
            }
            array.usedIn(stream);
        }
    }

    /** Has NCCL enqueue a checked call. Until it has, stream and memory are there, whoever closes them. */
    private void start(Call call, Stream stream, @Nullable Way way, boolean settles) {
        CUstream queue = acquire(stream, way);
        try {
            use(call, stream, way);
            enter();
            submit(call, queue, way);
            if (settles) {
                settle(call);
            }
        } catch (NativeCallException e) {
            throw watch.failed(call, e);
        } finally {
            release(stream, way);
        }
    }

    /** Begins a use of what {@link #release} ends. */
    static CUstream acquire(Stream stream, @Nullable Way way) {
        CUstream queue = stream.acquire();
        if (way != null) {
            try {
                way.acquire();
            } catch (Throwable e) {
                stream.release();
                throw e;
            }
        }
        return queue;
    }

    static void release(Stream stream, @Nullable Way way) {
        if (way != null) {
            way.release();
        }
        stream.release();
    }

    /** Has NCCL enqueue a checked call; {@code way} is null for the usual one. */
    final void submit(Call call, CUstream queue, @Nullable Way way) {
        last = call;
        if (way == null) {
            submission.enqueue(call, queue);
        } else {
            way.enqueue(call, queue);
        }
    }

    /**
     * NCCL restores the device that was current when it was called. In a thread that never chose one this would be GPU
     * 0, and cost a context there, so the thread gets one before its first call; with the lock held. Which one it has
     * by the next call does not matter, as long as that exists.
     */
    final void enter() {
        Thread thread = Thread.currentThread();
        long released = Device.releasedContexts();
        if (thread.threadId() != entered || released != releasedBefore) {
            device.makeCurrent();
            // A virtual thread may be carried by another one next time.
            entered = thread.isVirtual() ? NO_THREAD : thread.threadId();
            releasedBefore = released;
            farewell.drivenBy(thread);
        }
    }

    /**
     * A communicator that does not block enqueues in a thread of NCCL: only when that has ended, the stream has the
     * work.
     */
    final void settle(Object what) {
        if (!blocking) {
            watch.awaitLaunch(what, timeoutNanos);
        }
    }

    /**
     * Throws unless the communicator can take a call; with the lock held. NCCL takes none while it enqueues an earlier
     * one.
     */
    final void checkReady(String operation) {
        Group.refuseInBody(this, operation);
        health.check(operation);
        EventRequest earlier = launching;
        if (earlier != null) {
            try {
                watch.awaitLaunch(earlier, timeoutNanos);
            } catch (CommException e) {
                throw health.failed(e);
            }
            launched(earlier);
        }
    }

    /** The handle of what is in the own stream now, or soon will be; with the lock held. */
    final EventRequest request(String what) {
        EventRequest request = new EventRequest(this, what, device.newEvent());
        if (blocking || watch.isLaunched()) {
            request.launched(own);
        } else {
            // Until it has the work, it does not look as if memory was not in use any more.
            CUstream ignored = own.acquire();
            launching = request;
        }
        return request;
    }

    /** Whether NCCL has enqueued what {@code request} stands for, which goes on from there. Never waits. */
    final boolean isLaunched(EventRequest request) {
        if (!lock.tryLock()) {
            // Whoever has it calls NCCL again, which needs this to be enqueued.
            return false;
        }
        try {
            if (launching == request) {
                if (!watch.isLaunched()) {
                    return false;
                }
                launched(request);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void launched(EventRequest request) {
        try {
            request.launched(own);
        } finally {
            endLaunch();
        }
    }

    /** Nothing is to be enqueued any more; with the lock held. */
    final void endLaunch() {
        if (launching != null) {
            launching = null;
            own.release();
        }
    }

    /** Waits until the own stream is done; with the lock held. */
    final void awaitOwn(Object what, long start) {
        watch.await(idle, what, start, timeoutNanos);
    }

    /** A call that was given up may still be inside NCCL, in its thread. */
    final void noteStuck() {
        stuck = true;
    }

    final boolean isStuck() {
        return stuck;
    }
}
