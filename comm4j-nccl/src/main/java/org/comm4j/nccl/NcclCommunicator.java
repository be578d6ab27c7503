// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.Request;
import org.comm4j.core.spi.Peers;
import org.comm4j.core.spi.Survivors;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.cuda.StreamOrdered;
import org.comm4j.ffi.ExitGuard;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.nccl.LibNccl;
import org.jspecify.annotations.Nullable;

/**
 * The communicator of the engine {@code nccl} ({@code ncclComm_t}): ranks that have a GPU each. Made by {@link Nccl}.
 * Buffers are {@link DeviceArray}s of its GPU.
 *
 * <p><b>Two forms of every operation.</b> Those of {@link Operations} wait for the result. Those with a {@link Stream}
 * only put the work into that stream, as NCCL itself does, and cost what the C call costs. In a {@link #group(Consumer,
 * Stream) group} several start as one. Work of one communicator runs in the order of the calls, whatever the streams.
 *
 * <p><b>Reductions.</b> NCCL has SUM, PROD, MIN, MAX and AVG for the real types but 16-bit integers. Complex numbers
 * are added and averaged as pairs; their PROD, the bitwise operations and 16-bit integers are an {@link
 * UnsupportedOperationException}, and so is float8 on GPUs that cannot add it. Everything can be moved. Unlike the
 * embedded engine, NCCL chooses the order of the operands, rounds float16 and smaller after each addition, and lets MIN
 * and MAX pass over NaN.
 *
 * <p><b>Timeouts and failures.</b> A wait here, {@link #synchronize} included, ends with an exception when the {@link
 * #timeout} has passed, when NCCL reports an error, when a rank of the world is known to be dead, or when another
 * thread calls {@link #abort}. The communicator is then out of step: {@link #shrink}, {@link #revoke}, {@link #abort}
 * and {@link #close} remain. After the limit of a {@link #synchronize} it is not: the work goes on, and can be waited
 * for again. Only while a blocking communicator sets up connections, in the first call of a kind, can a call hang
 * inside NCCL where no limit reaches it; {@link CommConfig#blocking blocking(false)} excludes this.
 *
 * <p>What is registered or created on a communicator ({@link Window}, {@link Registration}, {@link PreMulSum}, memory
 * of {@link #allocate}) is closed with it.
 */
public final class NcclCommunicator extends NcclHoldings implements StreamOrdered {
    /** How long a call that is stuck in NCCL may take to come back once it was revoked. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration WAY_OUT = Duration.ofMillis(200);

    private static final String REVOKED = "this communicator was revoked; shrink or close it";

    private final List<EventRequest> requests = new ArrayList<>();
    private final ExitGuard exit;
    /** Streams that were waited for in vain, up to a limit. */
    private final Set<Stream> late = ConcurrentHashMap.newKeySet();
    /** Held while NCCL is called without {@link #lock}. */
    private final Object ending = new Object();
    /** NCCL's communicator is destroyed or aborted, or about to be destroyed. */
    private volatile boolean gone;

    private boolean finalized;
    private int branches;

    NcclCommunicator(Made made) {
        super(made);
        this.exit = ExitGuard.open();
    }

    // ---- groups, asynchronous calls, waiting ----

    @Override
    public void group(Consumer<Operations> body) {
        Group group = collect(body, own);
        try {
            long start = System.nanoTime();
            group.submit();
            lock.lock();
            try {
                awaitOwn(group, start);
            } catch (CommException e) {
                throw health.failed(e);
            } finally {
                lock.unlock();
            }
        } finally {
            group.end();
        }
    }

    @Override
    public GroupedOperations on(Stream stream) {
        checkStream("on", stream);
        return new StreamOperations(this, stream);
    }

    /** {@link #group(Consumer)}, ordered on {@code stream}: returns when the work is in it. */
    public void group(Consumer<Operations> body, Stream stream) {
        Group group = collect(body, stream);
        try {
            group.submit();
        } finally {
            group.end();
        }
    }

    @Override
    public Request groupAsync(Consumer<Operations> body) {
        Group group = collect(body, own);
        try {
            lock.lock();
            try {
                String what = group.toString();
                group.start();
                return remembered(request(what));
            } finally {
                lock.unlock();
            }
        } finally {
            group.end();
        }
    }

    @Override
    public Request barrierAsync() {
        checkCanWait("barrierAsync");
        lock.lock();
        try {
            startBarrier();
            return remembered(request("barrier"));
        } finally {
            lock.unlock();
        }
    }

    private Group collect(Consumer<Operations> body, Stream stream) {
        if (body == null) {
            throw new NullPointerException("group on " + where() + ": body is null");
        }
        if (stream == own) {
            checkCanWait("group");
        }
        Group group = Group.begin();
        try {
            body.accept(group.part(this, stream));
            group.close();
            return group;
        } catch (Throwable e) {
            group.end();
            throw e;
        }
    }

    private EventRequest remembered(EventRequest request) {
        requests.removeIf(EventRequest::isDone);
        requests.add(request);
        return request;
    }

    /**
     * Reduces parts of different sizes: rank r gets in {@code recv} the combination of the {@code counts[r]} elements
     * at {@code offsets[r]} of everybody's {@code send}. All ranks pass the same arrays. In place: {@code recv} is this
     * rank's part of {@code send}. Stream-ordered: one {@code ncclReduce} for each rank, grouped.
     *
     * @param counts of elements, one for each rank; 0 is fine
     * @param offsets in elements, one for each rank
     * @throws IllegalArgumentException if a part is not inside of {@code send}, {@code recv} has not the count of this
     *     rank's, or it overlaps another rank's
     */
    public void reduceScatterV(Buffer send, Buffer recv, long[] counts, long[] offsets, ReduceOp op, Stream stream) {
        nonNull(op, "reduceScatterV", "op");
        nonNull(stream, "reduceScatterV", "stream");
        checkParts(send, recv, counts, offsets);
        group(g -> reduceParts(g, send, recv, counts, offsets, op), stream);
    }

    /** {@link #reduceScatterV(Buffer, Buffer, long[], long[], ReduceOp, Stream)} that waits for the result. */
    public void reduceScatterV(Buffer send, Buffer recv, long[] counts, long[] offsets, ReduceOp op) {
        nonNull(op, "reduceScatterV", "op");
        checkParts(send, recv, counts, offsets);
        group(g -> reduceParts(g, send, recv, counts, offsets, op));
    }

    private void checkParts(Buffer send, Buffer recv, long[] counts, long[] offsets) {
        nonNull(send, "reduceScatterV", "send");
        nonNull(recv, "reduceScatterV", "recv");
        nonNull(counts, "reduceScatterV", "counts");
        nonNull(offsets, "reduceScatterV", "offsets");
        if (counts.length != size() || offsets.length != size()) {
            throw new IllegalArgumentException("reduceScatterV on " + where() + ": " + counts.length + " counts and "
                    + offsets.length + " offsets instead of " + size() + ", one for each rank");
        }
        for (int r = 0; r < size(); r++) {
            if (counts[r] < 0 || offsets[r] < 0 || offsets[r] > send.count() - counts[r]) {
                throw new IllegalArgumentException(
                        "reduceScatterV on " + where() + ": the part of rank " + r + " (" + counts[r] + " elements at "
                                + offsets[r] + ") is not inside send of " + send.count() + " elements");
            }
        }
        if (recv.count() != counts[rank()]) {
            throw new IllegalArgumentException("reduceScatterV on " + where() + ": recv holds " + recv.count()
                    + " elements instead of " + counts[rank()] + "; pass a slice to communicate a part of a buffer");
        }
    }

    private void reduceParts(Operations g, Buffer send, Buffer recv, long[] counts, long[] offsets, ReduceOp op) {
        for (int r = 0; r < size(); r++) {
            g.reduce(send.slice(offsets[r], counts[r]), r == rank() ? recv : null, op, r);
        }
    }

    /**
     * Returns the operations with a configuration for the single call (NCCL 2.31.2): {@code
     * comm.with(config).allReduce(…)}. To be kept and used many times.
     *
     * @throws UnsupportedOperationException if the loaded NCCL cannot do that
     */
    public ConfiguredOperations with(CollConfig config) {
        nonNull(config, "with", "config");
        return new ConfiguredOperations(this, config);
    }

    /**
     * Returns the reductions with a sum of one's own: {@code comm.with(sum).allReduce(…)}. To be kept and used many
     * times.
     */
    public CustomReductions with(PreMulSum sum) {
        nonNull(sum, "with", "sum");
        return new CustomReductions(this, sum);
    }

    /**
     * Waits until {@code stream} is done, within {@link #timeout}, as the blocking operations do: an error of NCCL, a
     * dead rank or an abort by another thread ends the wait. {@link Stream#synchronize} knows of none of these.
     *
     * @throws CommTimeoutException at the limit; the work goes on, and can be waited for again
     */
    @Override
    public void synchronize(Stream stream) {
        synchronize(stream, timeoutNanos());
    }

    /** {@link #synchronize(Stream)} with a limit of its own; {@link Duration#ZERO} for none. */
    public void synchronize(Stream stream, Duration timeout) {
        synchronize(stream, nanos("synchronize", where(), timeout));
    }

    private void synchronize(Stream stream, long limit) {
        health.checkExists("synchronize");
        if (stream == null) {
            throw new NullPointerException("synchronize on " + where() + ": stream is null");
        }
        checkCanWait("synchronize");
        try {
            watch.await(stream::isDone, workIn(stream), System.nanoTime(), limit);
            late.remove(stream);
        } catch (CommTimeoutException e) {
            late.add(stream);
            throw new CommTimeoutException(
                    watch.late(workIn(stream), limit) + "; wait again, or abort, shrink or close the communicator");
        } catch (CommException e) {
            throw health.failed(e);
        }
    }

    /**
     * Returns what NCCL has to say about this communicator ({@code ncclCommGetAsyncError}): null if all is well.
     *
     * @throws IllegalStateException if it was aborted or closed
     */
    public @Nullable String error() {
        health.checkExists("error");
        int status = watch.asyncError();
        return status == LibNccl.ncclSuccess || status == LibNccl.ncclInProgress
                ? null
                : LibNccl.statusName(status) + ": " + Library.lastError();
    }

    /**
     * Returns the ranks of this communicator that are known to have died, in ascending order: what to pass to {@link
     * #shrink(Shrink, int...)}. Known only if the communicator comes from a {@link org.comm4j.core.World}. Never waits.
     */
    @Override
    public List<Integer> failedRanks() {
        return peers.failedRanks();
    }

    // ---- other communicators ----

    @Override
    public @Nullable NcclCommunicator split(int color, int key) {
        return split(color, key, null);
    }

    /** {@link #split(int, int)} with a configuration; null for the one of this communicator. */
    public @Nullable NcclCommunicator split(int color, int key, @Nullable CommConfig config) {
        if (color < -1) {
            throw new IllegalArgumentException("split on " + where() + ": color " + color
                    + " is not allowed; a color is at least 0, or -1 to take no part");
        }
        checkCanWait("split");
        lock.lock();
        try {
            checkReady("split");
            // Who comes, and who they are: so a rank that stays away is missed here, where waiting has a limit.
            int[] members = meet(color, key);
            Startup startup = new Startup(
                    "split(" + color + ", " + key + ")",
                    device,
                    rank(),
                    size(),
                    config,
                    this,
                    peers.select(members),
                    branch("color " + color),
                    timeoutNanos());
            return made(startup.run((cell, c) ->
                    LibNccl.ncclCommSplit(handle, color < 0 ? LibNccl.NCCL_SPLIT_NOCOLOR : color, key, cell, c)));
        } catch (CommException e) {
            throw health.failed(e);
        } finally {
            lock.unlock();
        }
    }

    /** The name of a communicator made from this one: all ranks make the same ones in the same order. */
    String branch(String what) {
        return farewell.name() + "/" + branches++ + " " + what;
    }

    /** All ranks exchange color and key; the members of this rank's new communicator, in its order. */
    private int[] meet(int color, int key) {
        long start = System.nanoTime();
        int size = size();
        HostArray all = HostArray.allocate(DataType.INT32, 2L * size);
        DeviceArray mine = exchange().slice(2L * rank(), 2);
        mine.copyFrom(HostArray.of(color, key), own);
        allGather(mine, exchange(), own);
        awaitOwn("split(" + color + ", " + key + ")", start);
        exchange().copyTo(all, own);
        awaitOwn("split(" + color + ", " + key + ")", start);
        return IntStream.range(0, size)
                .filter(r -> all.getInt(2L * r) == color)
                .boxed()
                .sorted((a, b) -> Integer.compare(all.getInt(2L * a + 1), all.getInt(2L * b + 1)))
                .mapToInt(r -> r)
                .toArray();
    }

    private @Nullable NcclCommunicator made(@Nullable NcclCommunicator made) {
        if (made != null) {
            made.timeout(timeout());
        }
        return made;
    }

    /**
     * {@inheritDoc}
     *
     * <p>It is {@link #shrink(Shrink, int...)} with {@link Shrink#ABORT}, after the ranks have agreed on who is gone;
     * NCCL makes no communicator of the same ranks, so that one at least has to be.
     *
     * @throws IllegalStateException if nobody is gone, too: close this communicator then and make another one
     */
    @Override
    public NcclCommunicator shrink() {
        checkCanWait("shrink");
        health.checkExists("shrink");
        String key =
                "comm4j-nccl-shrink " + UUID.nameUUIDFromBytes(farewell.name().getBytes(StandardCharsets.UTF_8));
        return Survivors.goOn(peers, key, timeoutNanos(), living -> {
            int[] gone = IntStream.range(0, size())
                    .filter(r -> Arrays.binarySearch(living, r) < 0)
                    .toArray();
            if (gone.length == 0) {
                throw new IllegalStateException("shrink on " + where() + ": nobody is gone, and NCCL makes no"
                        + " communicator of the same ranks; close this one and make another one");
            }
            return shrink(Shrink.ABORT, gone);
        });
    }

    /**
     * Collective over the ranks that remain: a communicator without {@code excluded}, in the same order ({@code
     * ncclCommShrink}). The excluded ranks must not call it, or are dead. After a failure, pass {@link Shrink#ABORT}.
     * This communicator is of no use afterwards but to be closed when {@code ABORT} was passed.
     */
    public NcclCommunicator shrink(Shrink mode, int... excluded) {
        nonNull(mode, "shrink", "mode");
        nonNull(excluded, "shrink", "excluded");
        return shrink(mode, null, excluded);
    }

    /** {@link #shrink(Shrink, int...)} with a configuration; null for the one of this communicator. */
    public NcclCommunicator shrink(Shrink mode, @Nullable CommConfig config, int... excluded) {
        nonNull(mode, "shrink", "mode");
        nonNull(excluded, "shrink", "excluded");
        int[] ranks = Arrays.stream(excluded).sorted().distinct().toArray();
        String what = "shrink(" + mode + ", " + Arrays.toString(ranks) + ")";
        if (ranks.length == 0 || ranks.length >= size()) {
            throw new IllegalArgumentException(what + " on " + where() + ": exclude at least one rank, and not all");
        }
        for (int r : ranks) {
            if (r < 0 || r >= size() || r == rank()) {
                throw new IllegalArgumentException(what + " on " + where() + ": " + r
                        + (r == rank()
                                ? " is this rank itself; those that are excluded do not call"
                                : " is not a rank"));
            }
        }
        checkCanWait("shrink");
        lock.lock();
        try {
            health.checkExists("shrink");
            if (finalized || health.isSuspended() || (mode == Shrink.DEFAULT && health.failure() != null)) {
                health.check("shrink");
            }
            if (health.isUsable()) {
                checkReady("shrink");
            }
            Startup startup = new Startup(
                    what,
                    device,
                    rank(),
                    size(),
                    config,
                    this,
                    peers.without(ranks),
                    branch("without " + Arrays.toString(ranks)),
                    timeoutNanos());
            NcclCommunicator made = startup.run((cell, c) -> {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment list = arena.allocateFrom(ValueLayout.JAVA_INT, ranks);
                    LibNccl.ncclCommShrink(handle, list, ranks.length, cell, c, mode.flags());
                }
            });
            if (made == null) {
                throw new CommException(what + " on " + where() + ": NCCL made no communicator");
            }
            if (mode == Shrink.ABORT) {
                health.retire(REVOKED);
            }
            made.timeout(timeout());
            return made;
        } catch (CommException e) {
            throw health.failed(e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the id by which new ranks join this communicator in {@link #grow} ({@code ncclCommGetUniqueId}; NCCL
     * 2.29.2). One rank calls it and hands the id to the new ranks. The next communicator that is made from this one is
     * the grown one: an id does not outlast a {@link #split} or {@link #shrink}.
     */
    public UniqueId growthId() {
        return ask("growthId", () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment id = arena.allocate(UniqueId.BYTES, 8);
                LibNccl.ncclCommGetUniqueId(handle, id);
                return UniqueId.read(id);
            }
        });
    }

    /**
     * Collective over the ranks here and new ones, which call {@link Nccl#join}: a communicator of {@code size} ranks,
     * in which those here keep their numbers ({@code ncclCommGrow}; NCCL 2.29.2). This communicator stays as it is.
     *
     * @param id on the rank that called {@link #growthId}, its result; null on the others
     * @param config null for the one of this communicator
     */
    public NcclCommunicator grow(int size, @Nullable UniqueId id, @Nullable CommConfig config) {
        String what = "grow(" + size + ")";
        if (size <= size()) {
            throw new IllegalArgumentException(what + " on " + where() + ": more than " + size() + " ranks are needed");
        }
        checkCanWait("grow");
        lock.lock();
        try {
            checkReady("grow");
            return Objects.requireNonNull(made(Nccl.grown(
                    new Startup(
                            what, device, rank(), size, config, this, Peers.UNKNOWN, branch("grown"), timeoutNanos()),
                    handle,
                    size,
                    id,
                    -1)));
        } catch (CommException e) {
            throw health.failed(e);
        } finally {
            lock.unlock();
        }
    }

    // ---- what it is, and what it costs ----

    /** Returns what this communicator can do ({@code ncclCommQueryProperties}; NCCL 2.29.2). */
    public CommProperties properties() {
        return ask("properties", () -> CommProperties.of(handle));
    }

    /** Returns what this communicator holds of the GPU's memory ({@code ncclCommMemStats}; NCCL 2.29.7). */
    public MemoryStatistics memoryStatistics() {
        lock.lock();
        try {
            health.checkExists("memoryStatistics");
            return MemoryStatistics.of(handle);
        } catch (NativeCallException e) {
            throw watch.failed("memoryStatistics", e);
        } finally {
            lock.unlock();
        }
    }

    /** Gives back GPU memory until {@link #resume} ({@code ncclCommSuspend}; NCCL 2.29.7). Nothing may be under way. */
    public void suspend() {
        checkCanWait("suspend");
        lock.lock();
        try {
            checkReady("suspend");
            hostCall("suspend", () -> LibNccl.ncclCommSuspend(handle, LibNccl.NCCL_SUSPEND_MEM));
            health.suspend();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes a suspended communicator usable again ({@code ncclCommResume}; NCCL 2.29.7).
     *
     * @throws IllegalStateException if it is not {@linkplain #suspend suspended}
     */
    public void resume() {
        checkCanWait("resume");
        lock.lock();
        try {
            if (!health.isSuspended()) {
                health.check("resume");
                throw new IllegalStateException("resume on " + where() + ": this communicator is not suspended");
            }
            hostCall("resume", () -> LibNccl.ncclCommResume(handle));
            health.resume();
        } finally {
            lock.unlock();
        }
    }

    // ---- the end ----

    /**
     * Ends what is under way and keeps the communicator for {@link #shrink} and {@link #close}
     * ({@code ncclCommRevoke}). May be called from any thread, and does not wait for a call that is stuck.
     */
    public void revoke() {
        health.checkExists("revoke");
        synchronized (ending) {
            health.checkExists("revoke");
            try {
                LibNccl.ncclCommRevoke(handle, LibNccl.NCCL_REVOKE_DEFAULT);
            } catch (NativeCallException e) {
                throw watch.failed("revoke", e);
            }
        }
        health.retire(REVOKED);
    }

    /**
     * Ends the communicator, whatever is under way ({@code ncclCommAbort}); calls that wait get an exception. May be
     * called from any thread. Of the communicator nothing remains but {@link #close}. Aborting twice is fine, and so is
     * aborting what is being closed.
     */
    public void abort() {
        // Whoever waits now lets go of NCCL's handle, and then of the lock.
        if (health.end(Health.ABORTED)) {
            abortThis();
        }
    }

    private void abortThis() {
        boolean mine = takeLock();
        try {
            // Whoever comes second waits for the first.
            synchronized (ending) {
                if (!gone) {
                    abortNative();
                    gone = true;
                }
            }
        } finally {
            if (mine) {
                abandonRequests();
                lock.unlock();
            }
        }
    }

    private void abortNative() {
        farewell.aborts();
        abortHandle();
    }

    private void abortHandle() {
        try {
            device.makeCurrent();
            LibNccl.ncclCommAbort(handle);
        } catch (NativeCallException e) {
            System.getLogger("org.comm4j.nccl").log(System.Logger.Level.WARNING, "abort of " + this, e);
        }
    }

    private void abandonRequests() {
        endLaunch();
        requests.forEach(EventRequest::abandon);
        requests.clear();
    }

    /** The lock, even if its holder, or a call that was given up, is stuck inside NCCL: revoking lets it out. */
    private boolean takeLock() {
        boolean held = false;
        boolean interrupted = Thread.interrupted();
        try {
            held = lock.tryLock(50, TimeUnit.MILLISECONDS);
            if (gone || (held && !(isStuck() && isBlocking()))) {
                return held;
            }
            if (LibNccl.has("ncclCommRevoke")) {
                synchronized (ending) {
                    if (!gone) {
                        LibNccl.ncclCommRevoke(handle, LibNccl.NCCL_REVOKE_DEFAULT);
                    }
                }
                LockSupport.parkNanos(held ? WAY_OUT.toNanos() : 0);
            }
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!held && !gone && System.nanoTime() < end) {
                held = lock.tryLock(50, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (NativeCallException e) {
            // Then aborting has to do.
            System.getLogger("org.comm4j.nccl").log(System.Logger.Level.DEBUG, "revoke of " + this, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return held || lock.tryLock();
    }

    /**
     * Ends the communicator's work in an orderly way, together with the other ranks ({@code ncclCommFinalize}); what
     * remains is {@link #close}, which does this by itself.
     */
    public void finish() {
        checkCanWait("finish");
        lock.lock();
        try {
            checkReady("finish");
            hostCall("finish", () -> LibNccl.ncclCommFinalize(handle));
            finalized = true;
            health.retire("this communicator has finished; close it");
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the communicator's own work, closes what it owns and the graphs that contain its work, and ends it
     * ({@code ncclCommDestroy}); aborts it instead if it is out of step, or its work does not end. Work in other
     * streams must be done. Never throws because of other ranks. Ranks that have threads of one process wait for each
     * other a moment, for CUDA frees nothing while one is in a collective, and from NCCL 2.31 on all ranks of a host
     * do, up to {@link #timeout()}, 10 s at least; let them close their communicators in the same order. At the limit
     * NCCL is left alone, with a warning.
     */
    @Override
    public void close() {
        if (!health.isOpen()) {
            return;
        }
        checkCanWait("close");
        lock.lock();
        try {
            if (!health.isOpen()) {
                return;
            }
            farewell.begin();
            settle();
            closeGraphs();
            if (!destroy()) {
                health.end(Health.ABORTED);
                abortThis();
            }
            health.close();
            abandonRequests();
            farewell.ended(this::closeAll);
        } finally {
            lock.unlock();
        }
        farewell.freed();
        exit.close();
    }

    /** Closes the graphs with work of this communicator, for which NCCL would wait. */
    private void closeGraphs() {
        try {
            recorded.closeGraphs();
        } catch (RuntimeException e) {
            System.getLogger("org.comm4j.nccl")
                    .log(System.Logger.Level.WARNING, "close of the graphs with work of " + this, e);
        }
    }

    /** Waits for what was put into the own stream, and looks whether what was late has come. */
    private void settle() {
        if (!late.stream().allMatch(NcclCommunicator::isOver)) {
            CommException ignored = health.failed(new CommException("close on " + where() + ": the work in " + late
                    + ", which was waited for in vain, is still not done"));
        }
        for (EventRequest request : requests) {
            if (health.isUsable()) {
                request.settle();
            }
        }
        if (health.isUsable()) {
            try {
                awaitOwn("close", System.nanoTime());
            } catch (CommException e) {
                health.failed(e);
            }
        }
    }

    private static boolean isOver(Stream stream) {
        try {
            return stream.isDone();
        } catch (CommException | IllegalStateException failedOrClosed) {
            return false;
        }
    }

    /** Ends NCCL's communicator in an orderly way; false if it has to be aborted. */
    private boolean destroy() {
        if (health.isEnded() || !(health.isUsable() || finalized)) {
            return false;
        }
        closeRegistrations();
        if (!farewell.isInOrder()) {
            return false;
        }
        // An interrupt ends the wait, but not one that came before: it would leave alone what takes no time.
        boolean interrupted = Thread.interrupted();
        try {
            return destroyNative();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean destroyNative() {
        if (!isBlocking() && !finalized) {
            try {
                synchronized (ending) {
                    if (gone) {
                        return false;
                    }
                    LibNccl.ncclCommFinalize(handle);
                }
                watch.awaitLaunch("close", Farewell.limit(timeoutNanos()));
            } catch (NativeCallException | CommException e) {
                if (!health.isEnded()) {
                    System.getLogger("org.comm4j.nccl").log(System.Logger.Level.WARNING, "close of " + this, e);
                }
                return false;
            }
        }
        if (!health.end(Health.CLOSED)) {
            return false;
        }
        // Who revokes it now has it to the end.
        synchronized (ending) {
            gone = true;
        }
        farewell.destroy(this::destroyHandle, this::abortHandle);
        return true;
    }

    /**
     * Where that waits for others it is left alone when one of them dies, or at the limit: it goes on in a thread of
     * its own, and cannot be aborted.
     */
    private void destroyHandle() {
        String what = "close of " + this;
        try {
            Library.call(
                    what,
                    device,
                    peers,
                    Farewell.limit(timeoutNanos()),
                    () -> LibNccl.ncclCommDestroy(handle),
                    () -> {});
        } catch (NativeCallException | CommException e) {
            System.getLogger("org.comm4j.nccl").log(System.Logger.Level.WARNING, what, e);
        }
    }

    /** Names the communicator: engine, rank, size, GPU and NCCL's handle. */
    @Override
    public String toString() {
        return "NcclCommunicator[" + where() + ", 0x" + Long.toHexString(handle.address())
                + (health.isOpen() ? "]" : ", closed]");
    }
}
