// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.World;
import org.comm4j.core.spi.AbstractCommunicator;
import org.comm4j.core.spi.Events;
import org.comm4j.core.spi.HostCall;
import org.comm4j.core.spi.Peers;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.Recorded;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.jspecify.annotations.Nullable;

/**
 * What all parts of an {@link Nvshmem} share: who this PE is, whether the library can be called, and what comes before
 * and after each call.
 *
 * <p>A call into the library is {@link #enter}, the call, {@link #leave} in a {@code finally}: the library takes calls
 * of one thread at a time ({@code NVSHMEM_THREAD_SERIALIZED}). Nobody waits for other PEs with the lock held, but for
 * calls that block inside the library until all have come; before these the PEs {@link #agree}, which waits without the
 * lock.
 */
final class Session {
    private static final String CLOSED = "this Nvshmem is closed";

    /** Where an operation has no PE as its other side. */
    static final int NO_PE = -1;

    private static final String STUCK = "NVSHMEM goes on waiting in a thread of its own";

    private static final String NOT_CONNECTED =
            "NVSHMEM connects the PEs in the first call of a kind and size, and goes on waiting for"
                    + " that in a thread of its own; nothing but close() is possible now";

    /** Before what a PE throws, among what it tells the others. */
    private static final String PROBLEM = "!";

    /** More calls than are made one inside of another. */
    private static final int NESTED = 16;

    /** How long to wait for the lock before looking whether its holder is stuck. */
    private static final long LOOK_MILLIS = 20;

    final World world;
    /** This GPU as the user opened it: what arrays are on. */
    final Device userDevice;
    /** This GPU as it stays open until the end, whatever the user closes first. */
    final Device device;
    /** Of the operations without a stream. */
    final Stream own;

    final int myPe;
    final int nPes;
    final ReentrantLock lock = new ReentrantLock();
    final Notes notes = new Notes(this);
    final Watch watch;
    final Heap heap;
    final Teams teams;
    final Modules modules;
    final ReductionKernels reductions;
    /** Ready when the first {@link Atomics} ask for them. */
    final Meanwhile<AtomicKernels> atomicKernels;

    final Environment environment;
    final Exit exit;
    /** Graphs with work of the library. */
    final Recorded recorded = new Recorded();

    private final String where;
    private final Peers peers;
    private final int[] everybody;
    /** Of the keys of exchanges. */
    private final String prefix;

    private final BooleanSupplier idle;
    /** One collective call of this PE after the other. */
    private final ReentrantLock collectives = new ReentrantLock();

    private long agreements;
    /** Whether the PEs throw alike. */
    private boolean agreed;

    /** Of the call that is under way, if a recording wants it; guarded by the lock. */
    private @Nullable CommunicationEvent event;

    /** The streams of the calls that are under way, each inside of the one before; guarded by the lock. */
    private final @Nullable Stream[] entered = new @Nullable Stream[NESTED];

    /** What {@link WaitKernels} did; guarded by the lock. */
    boolean waitKernelsLoaded;

    /** For the driver's answers; with the lock held. */
    private final MemorySegment cell = Arena.ofAuto().allocate(JAVA_INT);

    /** Whether streams can set 64-bit values by themselves. */
    final boolean streamsWrite;

    /** Several PEs share a GPU without MPS: their kernels may not wait for each other. */
    private final boolean limited;

    /** Why the library cannot be called; null while it can. */
    private volatile @Nullable String unusable;

    private volatile @Nullable CommException failure;

    private volatile long timeoutNanos;

    /** Streams that were waited for in vain, up to a limit. */
    private final Set<Stream> late = ConcurrentHashMap.newKeySet();

    /**
     * @param name of this period between initialisation and end: the same on all PEs, and no other one's
     * @param device only for this object, which closes it
     * @param pairs as of {@link Modules}
     */
    Session(
            World world,
            String name,
            Device userDevice,
            Device device,
            long pairs,
            Meanwhile<AtomicKernels> atomicKernels,
            Environment environment,
            Exit exit) {
        this.world = world;
        this.prefix = "org.comm4j.nvshmem/" + name + "/";
        this.userDevice = userDevice;
        this.device = device;
        this.myPe = world.rank();
        this.nPes = world.size();
        this.where = where(world, userDevice);
        this.peers = Peers.all(world);
        this.everybody = IntStream.range(0, nPes).toArray();
        this.limited = LibNvshmem.nvshmemx_init_status() == LibNvshmem.NVSHMEM_STATUS_LIMITED_MPG;
        this.streamsWrite = device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS) != 0;
        this.own = device.newStream();
        this.idle = own::isDone;
        this.watch = new Watch(this);
        this.heap = new Heap(this);
        this.teams = new Teams(this);
        this.modules = new Modules(this, pairs);
        this.reductions = new ReductionKernels(device);
        this.atomicKernels = atomicKernels;
        this.environment = environment;
        this.exit = exit;
        this.timeoutNanos = TimeUnit.NANOSECONDS.convert(AbstractCommunicator.defaultTimeout());
    }

    /** For messages: who and where. */
    static String where(World world, Device device) {
        return "PE " + world.rank() + " of " + world.size() + " (GPU " + device.ordinal() + ")";
    }

    String where() {
        return where;
    }

    /**
     * Made when there is something to be said: the first logger of a process takes longer than many a call of the
     * library.
     */
    static System.Logger log() {
        return System.getLogger("org.comm4j.nvshmem");
    }

    // ---- may the library be called? ----

    /** @throws IllegalStateException after close, and when the PEs are out of step */
    void check(String operation) {
        String reason = unusable;
        if (reason != null) {
            throw new IllegalStateException(operation + " on " + where + ": " + reason, failure);
        }
    }

    /**
     * For operations by which a kernel of this PE waits for another one's: all of teams, and waits for values in
     * memory. The library ends the process when they are called where that would never end.
     *
     * @throws UnsupportedOperationException if several PEs share a GPU without MPS
     */
    void checkOwnGpu(String operation) {
        if (limited) {
            throw new UnsupportedOperationException(
                    operation + " on " + where + ": several PEs share this GPU, so a kernel"
                            + " cannot wait for another PE's; start the MPS daemon (nvidia-cuda-mps-control -d), or"
                            + " give each PE a GPU. barrierAll, put and get work");
        }
    }

    /** Whether {@link #checkOwnGpu} would return. */
    boolean mayWait() {
        return !limited;
    }

    /** @throws CommException if another thread found meanwhile that the PEs are out of step */
    void checkInStep(String operation) {
        CommException cause = failure;
        if (cause != null) {
            throw new CommException(operation + " on " + where + ": another thread has failed meanwhile", cause);
        }
    }

    boolean isOpen() {
        return unusable == null;
    }

    /** Why the PEs are out of step; null while they are not. */
    @Nullable
    CommException failure() {
        return failure;
    }

    /** After a failure in the middle of an operation nobody knows what the other PEs did. */
    <E extends CommException> E failed(E e) {
        synchronized (this) {
            if (unusable == null) {
                failure = e;
                unusable = "this PE is out of step with the others since an earlier failure; close the Nvshmem ("
                        + e.getMessage() + ")";
            }
        }
        return e;
    }

    /** No collective call is under way any more, and none begins. False if it was closed before. */
    boolean close() {
        collectives.lock();
        try {
            synchronized (this) {
                boolean first = !CLOSED.equals(unusable);
                unusable = CLOSED;
                return first;
            }
        } finally {
            collectives.unlock();
        }
    }

    /** It was not closed after all. */
    synchronized void reopen() {
        unusable = null;
    }

    /** Begins a call into the library: {@link #leave} ends it. */
    void enter(String operation) {
        if (!lock.tryLock()) {
            awaitLock(operation);
        }
        try {
            check(operation);
            device.makeCurrent();
        } catch (Throwable e) {
            lock.unlock();
            throw e;
        }
    }

    /** A call that was given up keeps the lock: whoever waits for it hears of that. */
    private void awaitLock(String operation) {
        try {
            while (!lock.tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                check(operation);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommException(operation + " on " + where + ": interrupted while another thread calls NVSHMEM", e);
        }
    }

    /**
     * Throws while this thread records a graph: for operations that have ended when they return.
     *
     * @throws IllegalStateException before anything is done
     */
    void checkNotRecording(String operation) {
        Recorded.checkNotRecording(operation, where);
    }

    /** {@link #enter(String)} for a call that puts work into {@code stream}. */
    CUstream enter(String operation, Stream stream) {
        nonNull(stream, operation, "stream");
        if (stream.device() == device) {
            // A stream of ours: the operation has ended when it returns.
            checkNotRecording(operation);
        }
        if (stream.device().ordinal() != device.ordinal()) {
            throw new IllegalArgumentException(
                    operation + " on " + where + ": " + stream + " is not on " + device + ", the GPU of this PE");
        }
        // Until leave, the stream is there, whoever closes it.
        CUstream handle = stream.acquire();
        try {
            enter(operation);
        } catch (Throwable e) {
            stream.release();
            throw e;
        }
        entered[lock.getHoldCount()] = stream;
        recorded.in(stream);
        return handle;
    }

    /**
     * {@link #enter(String)} for an operation that recordings show.
     *
     * @param array what is moved, or waited for; null for nothing
     * @param count of its elements
     * @param pe the other side; {@link #NO_PE} for none
     */
    void enter(String operation, @Nullable Buffer array, long count, int pe) {
        checkNotRecording(operation);
        enter(operation);
        checkStillAlive(operation, array);
        begin(operation, where, null, array, count, null, pe);
    }

    /** {@link #enter(String, Stream)} for an operation that recordings show. */
    CUstream enter(String operation, Stream stream, @Nullable Buffer array, long count, int pe) {
        CUstream queue = enter(operation, stream);
        checkStillAlive(operation, array);
        begin(operation, where, stream, array, count, null, pe);
        return queue;
    }

    /** {@link #enter(String, Stream)} for an operation of a team that recordings show. */
    CUstream enter(
            String operation,
            Stream stream,
            Team team,
            @Nullable Buffer array,
            long count,
            @Nullable ReduceOp op,
            int root) {
        CUstream queue = enter(operation, stream);
        checkStillOpen(operation, team);
        checkStillAlive(operation, array);
        begin(operation, team, stream, array, count, op, root);
        return queue;
    }

    /** With the lock, which whoever gives memory of the heap back to the library takes after it is marked as gone. */
    void checkStillAlive(String operation, @Nullable Buffer array) {
        if (array != null && !array.isAlive()) {
            leave();
            throw new IllegalStateException(operation + " on " + where + ": " + array + " was freed meanwhile");
        }
    }

    /** With the lock, which whoever destroys a team takes after it is marked as closed. */
    private void checkStillOpen(String operation, Team team) {
        if (team.isClosed()) {
            leave();
            throw new IllegalStateException(operation + " on " + where + ": " + team + " was closed meanwhile");
        }
    }

    /** {@link #enter(String)} for a call that names a team. */
    void enter(String operation, Team team) {
        enter(operation);
        checkStillOpen(operation, team);
    }

    private void begin(
            String operation,
            Object among,
            @Nullable Stream stream,
            @Nullable Buffer array,
            long count,
            @Nullable ReduceOp op,
            int peer) {
        CommunicationEvent begun = Events.begin();
        if (begun == null || event != null) {
            return;
        }
        describe(begun, operation, among, peer);
        if (stream != null) {
            begun.stream = stream.toString();
        }
        if (array != null) {
            begun.dataType = array.type().name();
            begun.bytes = count * array.type().bytes();
        }
        begun.reduceOp = op == null ? "" : op.name();
        event = begun;
    }

    private void describe(CommunicationEvent begun, String operation, Object among, int peer) {
        begun.operation = operation;
        begun.engine = NvshmemEngine.NAME;
        begun.communicator = among.toString();
        begun.rank = myPe;
        begun.size = nPes;
        begun.peer = peer;
    }

    void leave() {
        int depth = lock.getHoldCount();
        CommunicationEvent running = event;
        if (running != null && depth == 1) {
            event = null;
            running.commit();
        }
        Stream stream = entered[depth];
        entered[depth] = null;
        lock.unlock();
        if (stream != null) {
            stream.release();
        }
    }

    // ---- checks of arguments ----

    void checkPe(String operation, int pe) {
        if (pe < 0 || pe >= nPes) {
            throw new IllegalArgumentException(
                    operation + " on " + where + ": PE " + pe + " is not one of 0 to " + (nPes - 1));
        }
    }

    /**
     * The address of elements of a symmetric array, as the library wants it: this PE's own, whatever PE is meant.
     *
     * @param name of the argument, for messages
     */
    long place(String operation, String name, SymmetricBuffer array, long index, long count, int pe) {
        checkPe(operation, pe);
        return place(operation, name, array, index, count);
    }

    /** {@link #place(String, String, SymmetricBuffer, long, long, int)} where no PE is named. */
    long place(String operation, String name, SymmetricBuffer buffer, long index, long count) {
        if (!(buffer instanceof SymmetricArray array) || array.session() != this) {
            check(operation);
            throw new IllegalArgumentException(operation + " on " + where + ": " + name + " " + buffer
                    + (nonNull(buffer, operation, name).isAlive()
                            ? " belongs to another"
                            : " was freed with an earlier")
                    + " Nvshmem");
        }
        return local(operation, name, array, index, count);
    }

    /** The address of elements of any array on this PE's GPU. */
    long local(String operation, String name, DeviceArray array, long index, long count) {
        if (index < 0 || count < 0 || index > array.count() - count) {
            throw new IndexOutOfBoundsException(operation + " on " + where + ": " + count + " elements"
                    + (index == 0 ? "" : " at " + index) + " leave " + name + " " + array);
        }
        if (!array.isAlive()) {
            check(operation);
            throw new IllegalStateException(operation + " on " + where + ": " + name + " " + array + " was freed");
        }
        if (array.device().ordinal() != device.ordinal()) {
            throw new IllegalArgumentException(operation + " on " + where + ": " + name + " " + array + " is not on "
                    + device + ", the GPU of this PE");
        }
        return array.address() + index * array.type().bytes();
    }

    /** Notes that {@code stream} uses the memory, if it is a GPU's. */
    static void use(Buffer buffer, Stream stream) {
        if (buffer instanceof DeviceArray array) {
            array.usedIn(stream);
        } else if (buffer instanceof PinnedArray array) {
            array.usedIn(stream);
        }
    }

    // ---- graphs ----

    /** Whether what is put into the stream becomes part of a graph. With the lock held. */
    boolean isRecorded(CUstream queue) {
        LibCuda.cuStreamIsCapturing(queue, cell);
        return cell.get(JAVA_INT, 0) != LibCuda.CU_STREAM_CAPTURE_STATUS_NONE;
    }

    /**
     * For what NVSHMEM copies from a variable. With the lock held.
     *
     * @param instead what can be done in a graph
     */
    void checkNotRecorded(String operation, CUstream queue, String instead) {
        if (isRecorded(queue)) {
            throw new IllegalStateException(operation + " on " + where
                    + ": the stream is being recorded, and the graph would keep the address of a value that is gone"
                    + " when it runs; "
                    + instead);
        }
    }

    // ---- waiting ----

    /** Returns when what this PE began, and has no stream to wait for, has ended. */
    void quiet(String operation) {
        enter(operation, null, 0, NO_PE);
        try {
            LibNvshmem.nvshmem_quiet();
        } finally {
            leave();
        }
    }

    /**
     * Waits until {@link #own} has done what was put into it; with the limit, and not for the dead. Without the lock.
     *
     * @param operation for messages
     */
    void complete(String operation) {
        CommunicationEvent waiting = Events.begin();
        try {
            await(own, idle, operation, timeoutNanos);
        } catch (RuntimeException e) {
            Events.failed(waiting, e);
            throw e;
        } finally {
            ended(waiting, operation);
        }
    }

    /** Ends the event of a wait by the host for {@code operation}. */
    void ended(@Nullable CommunicationEvent waiting, String operation) {
        if (waiting != null) {
            describe(waiting, "wait for " + operation, where, NO_PE);
            waiting.commit();
        }
    }

    /** Waits until {@code stream} has done what was put into it. After the limit it can be waited for again. */
    void synchronize(Stream stream, long limitNanos) {
        check("synchronize");
        nonNull(stream, "synchronize", "stream");
        checkNotRecording("synchronize");
        try {
            watch.await(stream::isDone, stream, System.nanoTime(), limitNanos);
        } catch (CommTimeoutException e) {
            late.add(stream);
            throw new CommTimeoutException(watch.late(stream, limitNanos) + "; it can be waited for again");
        } catch (CommException e) {
            abandonUnless(stream::isDone);
            throw failed(e);
        }
        late.remove(stream);
        notes.forget(stream);
    }

    /** After this, what was waited for in vain, and has not come since, is a failure. */
    void settle() {
        if (!isOpen()) {
            return;
        }
        for (Stream stream : late) {
            try {
                if (stream.isDone()) {
                    continue;
                }
            } catch (CommException | IllegalStateException failedOrClosed) {
                log().log(System.Logger.Level.DEBUG, "the stream does not say what is left there", failedOrClosed);
            }
            device.abandon();
            CommException ignored = failed(new CommException(
                    "the work in " + stream + " on " + where + ", which was waited for in vain, is still not done"));
        }
    }

    /** Whether something that was waited for in vain has, as far as is known, still not come. */
    boolean isStuck() {
        return late.stream().anyMatch(stream -> !stream.isOpen() || !stream.isDone());
    }

    /** Waits until {@code stream}, of an operation, has done what was put into it. */
    void complete(Stream stream, long limitNanos) {
        await(stream, stream::isDone, stream, limitNanos);
    }

    /** After a wait in vain: what waits for other PEs on the device may do so until this process ends. */
    private void abandonUnless(BooleanSupplier done) {
        try {
            if (done.getAsBoolean()) {
                return;
            }
        } catch (CommException | IllegalStateException failedOrClosed) {
            log().log(System.Logger.Level.DEBUG, "the device does not say what is left there", failedOrClosed);
        }
        device.abandon();
    }

    private void await(Stream stream, BooleanSupplier done, Object what, long limitNanos) {
        try {
            watch.await(done, what, System.nanoTime(), limitNanos);
        } catch (CommException e) {
            abandonUnless(done);
            throw failed(e);
        }
        notes.forget(stream);
    }

    /**
     * Notes that work was put into {@code stream} that waits for other PEs, so that a wait for that stream in vain can
     * tell what it waited for. Allocates nothing.
     *
     * @param operation a constant: "barrierAll", "signalWaitUntil"
     * @param subject what it waits on: a team, an array; null for all PEs
     * @param index of the element in an array
     * @param comparison how the element is to compare with {@code value}; null for what is no such wait
     */
    void note(
            Stream stream,
            String operation,
            @Nullable Object subject,
            long index,
            @Nullable Object comparison,
            long value) {
        notes.add(stream, operation, subject, index, comparison, value);
    }

    // ---- what all PEs do together, on the host ----

    /**
     * Runs something collective: one such call of this PE at a time, and out of step after a failure in which the PEs
     * may not be one.
     *
     * @param call what it is, with its arguments
     */
    <T extends @Nullable Object> T collective(String call, Supplier<T> body) {
        checkNotRecording(call);
        collectives.lock();
        try {
            check(call);
            agreed = false;
            return body.get();
        } catch (CommException e) {
            throw agreed ? e : failed(e);
        } finally {
            collectives.unlock();
        }
    }

    /** Says that all PEs throw this exception alike, and can go on. */
    <E extends CommException> E agreed(E e) {
        agreed = true;
        return e;
    }

    /**
     * Returns when all PEs have come with the same call.
     *
     * @throws CollectiveMismatchException on all PEs if they did not
     */
    void agree(String call) {
        agree(call, everybody, exchange(call, call));
    }

    /**
     * {@link #agree(String)}, in which each PE tells all something else beside.
     *
     * @param call a line
     * @return what the PEs told, in their order
     */
    List<String> agree(String call, String more) {
        List<String[]> all = exchange(call, call + "\n" + more).stream()
                .map(text -> text.split("\n", 2))
                .toList();
        agree(call, everybody, all.stream().map(text -> text[0]).toList());
        return all.stream().map(text -> text[1]).toList();
    }

    /**
     * {@link #agree(String)}, unless a PE has found something about its own arguments: then all throw, and nothing has
     * happened.
     *
     * @param details of the call, alike on all PEs that have no problem
     * @param problem what this PE throws; null for nothing
     * @throws CollectiveMismatchException if another PE throws
     */
    void agreeUnless(String call, String details, @Nullable RuntimeException problem) {
        List<String> all = agree(call, problem == null ? details : PROBLEM + problem.getMessage());
        if (problem != null) {
            throw problem;
        }
        for (int pe = 0; pe < nPes; pe++) {
            if (all.get(pe).startsWith(PROBLEM)) {
                throw agreed(new CollectiveMismatchException(call + " on " + where + ": PE " + pe + " cannot: "
                        + all.get(pe).substring(PROBLEM.length())));
            }
        }
        agree(call + details, everybody, all.stream().map(each -> call + each).toList());
    }

    /** {@link #agree(String)} for some PEs, of what {@link #exchange} returned. */
    void agree(String call, int[] pes, List<String> all) {
        List<String> others = new ArrayList<>();
        for (int i = 0; i < pes.length; i++) {
            if (!all.get(i).equals(call)) {
                // Some calls tell more than themselves.
                others.add("PE " + pes[i] + " calls " + all.get(i).split("\n", 2)[0]);
            }
        }
        if (!others.isEmpty()) {
            throw agreed(new CollectiveMismatchException(call + " on " + where + ": " + String.join(", ", others)
                    + "; all PEs must call the same, in the same order"));
        }
    }

    /** How often all PEs have come to something together, on the host. */
    long agreements() {
        return agreements;
    }

    /** Gives every PE the texts of all. */
    List<String> exchange(String call, String mine) {
        String key = prefix + agreements++;
        try {
            return world.exchange(key, mine.getBytes(UTF_8), patience()).stream()
                    .map(bytes -> new String(bytes, UTF_8))
                    .toList();
        } catch (CommException e) {
            throw explained(call, e);
        }
    }

    /** {@link #exchange(String, String)} for some of the PEs, in their order. */
    List<String> exchange(String call, String key, int[] pes, String mine) {
        try {
            world.publish(prefix + key + "/" + myPe, mine.getBytes(UTF_8));
            List<String> all = new ArrayList<>();
            for (int pe : pes) {
                all.add(new String(world.lookup(prefix + key + "/" + pe, patience()), UTF_8));
            }
            return all;
        } catch (CommException e) {
            throw explained(call, e);
        }
    }

    private CommException explained(String call, CommException e) {
        String message = call + " on " + where + ": " + e.getMessage();
        CommException better = switch (e) {
            case RankFailedException dead -> new RankFailedException(dead.failedRank(), message);
            case CommTimeoutException late -> new CommTimeoutException(message);
            default -> new CommException(message);
        };
        better.initCause(e);
        return better;
    }

    /** Where no limit is set the world's holds, so that it is found out at last that others never come. */
    private Duration patience() {
        return timeoutNanos == 0 ? world.timeout() : Duration.ofNanos(timeoutNanos);
    }

    /** A call that may block inside the library until all PEs are in it, with the limit. All are about to make it. */
    void block(String call, Runnable body) {
        checkNotRecording(call);
        HostCall.run(
                call + " on " + where,
                STUCK,
                peers,
                timeoutNanos,
                () -> {
                    enter(call);
                    try {
                        body.run();
                    } catch (NativeCallException e) {
                        throw new NvshmemException(call + " on " + where, e);
                    } finally {
                        leave();
                    }
                },
                () -> {});
    }

    /**
     * A call that may block inside the library until other PEs make it, too, in the middle of an operation: after
     * {@link #enter}, in another thread, while this one waits with the limit.
     */
    void connect(String call, Runnable body) {
        try {
            HostCall.run(
                    call + " on " + where,
                    NOT_CONNECTED,
                    peers,
                    timeoutNanos,
                    () -> {
                        device.makeCurrent();
                        body.run();
                    },
                    () -> {});
        } catch (CommException e) {
            // For good: the library is still being called when this thread leaves, and with it the stream is in use.
            lock.lock();
            device.abandon();
            throw failed(e);
        }
    }

    /** {@link #block} when this is closing. */
    void blockLast(String call, Runnable body) {
        HostCall.run(
                call + " on " + where,
                STUCK,
                peers,
                timeoutNanos,
                () -> {
                    lock.lock();
                    try {
                        device.makeCurrent();
                        body.run();
                    } catch (NativeCallException e) {
                        throw new NvshmemException(call + " on " + where, e);
                    } finally {
                        lock.unlock();
                    }
                },
                () -> {});
    }

    // ---- limits ----

    long timeoutNanos() {
        return timeoutNanos;
    }

    void timeoutNanos(long nanos) {
        timeoutNanos = nanos;
    }
}
