// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.Request;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclComm;
import org.comm4j.ffi.nccl.NcclWindow;
import org.jspecify.annotations.Nullable;

/**
 * The communicator of the engine {@code nccl} ({@code ncclComm_t}): ranks that have a GPU each. Made by {@link Nccl}. Buffers are
 * {@link DeviceArray}s of its GPU.
 *
 * <p><b>Two forms of every operation.</b> Those of {@link Operations} wait for the result. Those with a {@link Stream} only put the
 * work into that stream, as NCCL itself does, and cost what the C call costs. In a {@link #group(Consumer, Stream) group} several
 * start as one. Work of one communicator runs in the order of the calls, whatever the streams.
 *
 * <p><b>Reductions.</b> NCCL has SUM, PROD, MIN, MAX and AVG for the real types but 16-bit integers. Complex numbers are added and
 * averaged as pairs; their PROD, the bitwise operations and 16-bit integers are an {@link UnsupportedOperationException}, and so is
 * float8 on GPUs that cannot add it. Everything can be moved. Unlike the embedded engine, NCCL chooses the order of the operands,
 * rounds float16 and smaller after each addition, and lets MIN and MAX pass over NaN.
 *
 * <p><b>Timeouts and failures.</b> A wait here, {@link #synchronize} included, ends with an exception when the {@link #timeout} has
 * passed, when NCCL reports an error, when a rank of the world is known to be dead, or when another thread calls {@link #abort}. The
 * communicator is then out of step: {@link #shrink}, {@link #revoke}, {@link #abort} and {@link #close} remain. Only while a
 * blocking communicator sets up connections, in the first call of a kind, can a call hang inside NCCL where no limit reaches it;
 * {@link CommConfig#blocking blocking(false)} excludes this.
 *
 * <p>What is registered or created on a communicator ({@link Window}, {@link Registration}, {@link PreMulSum}, memory of
 * {@link #allocate}) is closed with it.
 */
public final class NcclCommunicator extends NcclOperations {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Peers peers;
    private final DeviceArray scratch;
    private final Object memory;
    private final Set<AutoCloseable> owned = new LinkedHashSet<>();
    private final List<EventRequest> requests = new ArrayList<>();
    private boolean finalized;

    NcclCommunicator(
            NcclComm handle,
            Device device,
            Stream own,
            DeviceArray scratch,
            int rank,
            int size,
            boolean blocking,
            Peers peers,
            Object memory) {
        this(
                handle,
                device,
                own,
                scratch,
                rank,
                size,
                blocking,
                peers,
                memory,
                "rank " + rank + " of " + size + " (GPU " + device.ordinal() + ")");
    }

    private NcclCommunicator(
            NcclComm handle,
            Device device,
            Stream own,
            DeviceArray scratch,
            int rank,
            int size,
            boolean blocking,
            Peers peers,
            Object memory,
            String where) {
        this(handle, device, own, scratch, rank, size, blocking, peers, memory, where, new Health(where));
    }

    private NcclCommunicator(
            NcclComm handle,
            Device device,
            Stream own,
            DeviceArray scratch,
            int rank,
            int size,
            boolean blocking,
            Peers peers,
            Object memory,
            String where,
            Health health) {
        super(
                handle,
                device,
                own,
                rank,
                size,
                blocking,
                health,
                new Watch(handle, where, peers, health),
                new Submission(handle, rank, size, scratch.address()));
        this.peers = peers;
        this.scratch = scratch;
        this.memory = memory;
    }

    /** The GPU of this rank. */
    public Device device() {
        return device;
    }

    /** NCCL's handle, for calls of {@link LibNccl} and of other libraries. */
    public NcclComm handle() {
        health.checkExists("handle");
        return handle;
    }

    /** What must not be collected while NCCL knows its address. */
    Object memory() {
        return memory;
    }

    /** Whether NCCL has this reduction for elements of this type on this GPU. */
    public boolean supports(ReduceOp op, DataType type) {
        return Types.reduces(op, type)
                && !(Types.isFloat8(type) && device.computeCapability().major() < 9);
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
                group.submit();
                return request(what);
            } finally {
                lock.unlock();
            }
        } finally {
            group.end();
        }
    }

    @Override
    public Request barrierAsync() {
        lock.lock();
        try {
            barrier(own);
            return request("barrier");
        } finally {
            lock.unlock();
        }
    }

    private Group collect(Consumer<Operations> body, Stream stream) {
        if (body == null) {
            throw new NullPointerException("group on " + where() + ": body is null");
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

    private EventRequest request(String what) {
        Event event = device.newEvent();
        own.record(event);
        EventRequest request = new EventRequest(this, what, event);
        requests.removeIf(EventRequest::isDone);
        requests.add(request);
        return request;
    }

    /**
     * Reduces parts of different sizes: rank r gets in {@code recv} the combination of the {@code counts[r]} elements at
     * {@code offsets[r]} of everybody's {@code send}. All ranks pass the same arrays. In place: {@code recv} is this rank's part of
     * {@code send}. One {@code ncclReduce} for each rank, grouped.
     */
    public void reduceScatterV(Buffer send, Buffer recv, long[] counts, long[] offsets, ReduceOp op, Stream stream) {
        checkParts(send, recv, counts, offsets);
        group(g -> reduceParts(g, send, recv, counts, offsets, op), stream);
    }

    /** {@link #reduceScatterV(Buffer, Buffer, long[], long[], ReduceOp, Stream)} that waits for the result. */
    public void reduceScatterV(Buffer send, Buffer recv, long[] counts, long[] offsets, ReduceOp op) {
        checkParts(send, recv, counts, offsets);
        group(g -> reduceParts(g, send, recv, counts, offsets, op));
    }

    private void checkParts(Buffer send, Buffer recv, long[] counts, long[] offsets) {
        Objects.requireNonNull(send, "send");
        Objects.requireNonNull(recv, "recv");
        String what = "reduceScatterV on " + where();
        if (counts.length != size() || offsets.length != size()) {
            throw new IllegalArgumentException(what + ": " + counts.length + " counts and " + offsets.length
                    + " offsets instead of " + size() + ", one for each rank");
        }
        for (int r = 0; r < size(); r++) {
            if (counts[r] < 0 || offsets[r] < 0 || offsets[r] > send.count() - counts[r]) {
                throw new IllegalArgumentException(what + ": the part of rank " + r + " (" + counts[r] + " elements at "
                        + offsets[r] + ") is not inside send of " + send.count() + " elements");
            }
        }
        if (recv.count() != counts[rank()]) {
            throw new IllegalArgumentException(what + ": recv holds " + recv.count() + " elements instead of "
                    + counts[rank()] + "; pass a slice to communicate a part of a buffer");
        }
    }

    private void reduceParts(Operations g, Buffer send, Buffer recv, long[] counts, long[] offsets, ReduceOp op) {
        for (int r = 0; r < size(); r++) {
            g.reduce(send.slice(offsets[r], counts[r]), r == rank() ? recv : null, op, r);
        }
    }

    /**
     * The operations with a configuration for the single call (NCCL 2.31.2): {@code comm.with(config).allReduce(…)}. To be kept and
     * used many times.
     *
     * @throws UnsupportedOperationException if the loaded NCCL cannot do that
     */
    public ConfiguredOperations with(CollConfig config) {
        return new ConfiguredOperations(this, config);
    }

    /** The reductions with a sum of one's own: {@code comm.with(sum).allReduce(…)}. To be kept and used many times. */
    public CustomReductions with(PreMulSum sum) {
        return new CustomReductions(this, sum);
    }

    /**
     * Waits until {@code stream} is done, within {@link #timeout}, as the blocking operations do: an error of NCCL, a dead rank or
     * an abort by another thread ends the wait. {@link Stream#synchronize} knows of none of these.
     */
    public void synchronize(Stream stream) {
        synchronize(stream, Duration.ofNanos(timeoutNanos()));
    }

    /** {@link #synchronize(Stream)} with a limit of its own; {@link Duration#ZERO} for none. */
    public void synchronize(Stream stream, Duration timeout) {
        health.checkExists("synchronize");
        try {
            watch.await(stream::isDone, "the work in " + stream, System.nanoTime(), nanos(timeout));
        } catch (CommException e) {
            throw health.failed(e);
        }
    }

    /**
     * What NCCL has to say about this communicator ({@code ncclCommGetAsyncError}): null if all is well.
     *
     * @throws IllegalStateException if it was aborted or closed
     */
    public @Nullable String error() {
        health.checkExists("error");
        int status = watch.asyncError();
        return status == LibNccl.ncclSuccess || status == LibNccl.ncclInProgress
                ? null
                : LibNccl.statusName(status) + ": " + Library.lastError(handle);
    }

    /**
     * The ranks of this communicator that are known to have died, in ascending order: what to pass to {@link #shrink}. Known only if
     * the communicator comes from a {@link org.comm4j.core.World}. Never waits.
     */
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
        lock.lock();
        try {
            health.check("split");
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
                    timeoutNanos());
            return made(startup.run((cell, c) ->
                    LibNccl.ncclCommSplit(handle, color < 0 ? LibNccl.NCCL_SPLIT_NOCOLOR : color, key, cell, c)));
        } catch (CommException e) {
            throw health.failed(e);
        } finally {
            lock.unlock();
        }
    }

    /** All ranks exchange color and key; the members of this rank's new communicator, in its order. */
    private int[] meet(int color, int key) {
        long start = System.nanoTime();
        int size = size();
        HostArray all = HostArray.allocate(DataType.INT32, 2L * size);
        DeviceArray mine = scratch.slice(2, 2L * size).slice(2L * rank(), 2);
        mine.copyFrom(HostArray.of(color, key), own);
        allGather(mine, scratch.slice(2, 2L * size), own);
        awaitOwn("split(" + color + ", " + key + ")", start);
        scratch.slice(2, 2L * size).copyTo(all, own);
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
     * Collective over the ranks that remain: a communicator without {@code excluded}, in the same order ({@code ncclCommShrink}).
     * The excluded ranks must not call it, or are dead. After a failure, pass {@link Shrink#ABORT}. This communicator is
     * of no use afterwards but to be closed when {@code ABORT} was passed.
     */
    public NcclCommunicator shrink(Shrink mode, int... excluded) {
        return shrink(mode, null, excluded);
    }

    /** {@link #shrink(Shrink, int...)} with a configuration; null for the one of this communicator. */
    public NcclCommunicator shrink(Shrink mode, @Nullable CommConfig config, int... excluded) {
        Objects.requireNonNull(mode, "mode");
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
        lock.lock();
        try {
            health.checkExists("shrink");
            if (mode == Shrink.DEFAULT && health.failure() != null) {
                health.check("shrink");
            }
            Startup startup =
                    new Startup(what, device, rank(), size(), config, this, peers.without(ranks), timeoutNanos());
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
                health.revoked();
            }
            made.timeout(timeout());
            return made;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The id by which new ranks join this communicator in {@link #grow} ({@code ncclCommGetUniqueId}; NCCL 2.29.2). One rank calls it
     * and hands the id to the new ranks.
     */
    public UniqueId growthId() {
        health.check("growthId");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(UniqueId.BYTES, 8);
            LibNccl.ncclCommGetUniqueId(handle, id);
            return UniqueId.read(id);
        } catch (NativeCallException e) {
            throw watch.failed("growthId", e);
        }
    }

    /**
     * Collective over the ranks here and new ones, which call {@link Nccl#join}: a communicator of {@code size} ranks, in which those
     * here keep their numbers ({@code ncclCommGrow}; NCCL 2.29.2). This communicator stays as it is.
     *
     * @param id on the rank that called {@link #growthId}, its result; null on the others
     * @param config null for the one of this communicator
     */
    public NcclCommunicator grow(int size, @Nullable UniqueId id, @Nullable CommConfig config) {
        String what = "grow(" + size + ")";
        if (size <= size()) {
            throw new IllegalArgumentException(what + " on " + where() + ": more than " + size() + " ranks are needed");
        }
        lock.lock();
        try {
            health.check("grow");
            return Objects.requireNonNull(made(Nccl.grown(
                    new Startup(what, device, rank(), size, config, this, Peers.UNKNOWN, timeoutNanos()),
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

    // ---- memory ----

    /**
     * Zeroed memory from NCCL's own allocator ({@code ncclMemAlloc}), which all ways of communication can reach directly, and of which
     * windows can be made; not collective. It takes at least 2 MiB of the GPU. Freed with the communicator, or before by
     * {@link DeviceArray#close}.
     */
    @Override
    public DeviceArray allocate(DataType type, long count) {
        health.check("allocate");
        DeviceArray[] array = new DeviceArray[1];
        array[0] = Nccl.allocate(device, type, count, () -> forget(array[0]));
        lock.lock();
        try {
            owned.add(array[0]);
        } finally {
            lock.unlock();
        }
        return array[0];
    }

    private void forget(AutoCloseable resource) {
        lock.lock();
        try {
            owned.remove(resource);
        } finally {
            lock.unlock();
        }
    }

    /** Tells this communicator of memory that it will use often ({@code ncclCommRegister}); not collective. */
    public Registration register(DeviceArray memory) {
        checkMemory("register", memory);
        lock.lock();
        try (Arena arena = Arena.ofConfined()) {
            health.check("register");
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_LONG);
            LibNccl.ncclCommRegister(handle, memory.address(), memory.byteSize(), cell);
            Registration made = new Registration(this, memory, cell.get(ValueLayout.JAVA_LONG, 0));
            owned.add(made);
            return made;
        } catch (NativeCallException e) {
            throw watch.failed("register(" + memory + ")", e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Collective: makes a window of memory of the same size on every rank ({@code ncclCommWindowRegister}). Its address must be a
     * multiple of {@value Window#ALIGNMENT}; memory of {@link #allocate} fits.
     *
     * @throws UnsupportedOperationException if NCCL makes no window, because GPUs here cannot reach each other's memory
     */
    public Window registerWindow(DeviceArray memory, Window.Flag... flags) {
        String what = "registerWindow(" + memory + ")";
        int bits = checkWindow(memory, flags);
        lock.lock();
        try {
            health.check("registerWindow");
            MemorySegment cell = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
            long address = memory.address();
            long bytes = memory.byteSize();
            hostCall(what, () -> LibNccl.ncclCommWindowRegister(handle, address, bytes, cell, bits));
            return adopt(memory, cell.get(ValueLayout.JAVA_LONG, 0));
        } finally {
            lock.unlock();
        }
    }

    int checkWindow(DeviceArray memory, Window.Flag... flags) {
        checkMemory("registerWindow", memory);
        if (memory.address() % Window.ALIGNMENT != 0) {
            throw new IllegalArgumentException("registerWindow on " + where() + ": the address of " + memory + ", 0x"
                    + Long.toHexString(memory.address()) + ", is not a multiple of " + Window.ALIGNMENT
                    + "; memory of allocate() is");
        }
        return Window.bits(flags);
    }

    Window adopt(DeviceArray memory, long address) {
        NcclWindow window = new NcclWindow(address);
        if (window.isNull()) {
            throw new UnsupportedOperationException("registerWindow on " + where() + ": NCCL " + Library.describe()
                    + " makes no windows here: the GPUs of this communicator cannot all map each other's memory (or"
                    + " NCCL_WIN_ENABLE=0, or NCCL_CUMEM_ENABLE=0)");
        }
        Window made = new Window(this, memory, window);
        owned.add(made);
        return made;
    }

    private void checkMemory(String what, DeviceArray memory) {
        if (!memory.isAlive()) {
            throw new IllegalStateException(what + " on " + where() + ": " + memory + " was freed");
        }
        if (memory.device().ordinal() != device.ordinal()) {
            throw new IllegalArgumentException(what + " on " + where() + ": " + memory + " is in the memory of GPU "
                    + memory.device().ordinal());
        }
    }

    /** Closes something that this communicator owns, unless NCCL has forgotten it with the communicator. */
    void release(AutoCloseable resource, Runnable close) {
        lock.lock();
        try {
            owned.remove(resource);
            if (!health.isEnded()) {
                close.run();
            }
        } catch (NativeCallException e) {
            throw new NcclException("close of " + resource, e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A sum in which this rank's elements count {@code factor} times ({@code ncclRedOpCreatePreMulSum}); each rank has its own. For
     * complex types the factor is real.
     */
    public PreMulSum preMulSum(DataType type, double factor) {
        return preMulSum(type, factor, null);
    }

    /**
     * {@link #preMulSum(DataType, double)} with the factor in device memory, where it is read when the reduction runs: one element,
     * of the type to be reduced, or of its part's for complex types.
     */
    public PreMulSum preMulSum(DataType type, DeviceArray factor) {
        checkMemory("preMulSum", factor);
        return preMulSum(type, 0, factor);
    }

    private PreMulSum preMulSum(DataType type, double factor, @Nullable DeviceArray resident) {
        if (!supports(ReduceOp.SUM, type)) {
            throw new UnsupportedOperationException(
                    "preMulSum on " + where() + ": " + Types.whyNot(ReduceOp.SUM, type));
        }
        DataType part =
                type == DataType.COMPLEX64 ? DataType.FLOAT32 : type == DataType.COMPLEX128 ? DataType.FLOAT64 : type;
        if (resident != null && (resident.type() != part || resident.count() != 1)) {
            throw new IllegalArgumentException(
                    "preMulSum on " + where() + ": the factor is one element of " + part + ", not " + resident);
        }
        lock.lock();
        try (Arena arena = Arena.ofConfined()) {
            health.check("preMulSum");
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_INT);
            HostArray immediate = HostArray.allocate(arena, part, 1);
            immediate.fill(factor);
            LibNccl.ncclRedOpCreatePreMulSum(
                    cell,
                    resident != null ? resident.address() : immediate.address(),
                    Types.of(type),
                    resident != null ? LibNccl.ncclScalarDevice : LibNccl.ncclScalarHostImmediate,
                    handle);
            PreMulSum made = new PreMulSum(this, type, cell.get(ValueLayout.JAVA_INT, 0));
            owned.add(made);
            return made;
        } catch (NativeCallException e) {
            throw watch.failed("preMulSum(" + type + ")", e);
        } finally {
            lock.unlock();
        }
    }

    // ---- one-sided ----

    /**
     * Writes {@code source} to {@code peer}'s part of {@code window}, at element {@code offset}, and then raises its signal
     * ({@code ncclPutSignal}; NCCL 2.29.2). {@code source} is itself memory of a symmetric window. Stream-ordered.
     *
     * @param signal which signal, 0 unless {@link CommConfig#rmaSignals} asked for more
     */
    public void putSignal(DeviceArray source, int peer, Window window, long offset, int signal, Stream stream) {
        checkPeer("putSignal", peer);
        checkMemory("putSignal", source);
        long bytes = source.type().bytes();
        if (offset < 0 || source.count() > window.memory().byteSize() / bytes - offset) {
            throw new IndexOutOfBoundsException(
                    "putSignal on " + where() + ": " + source.count() + " elements at " + offset + " leave " + window);
        }
        var queue = checked("putSignal", stream);
        int type = Types.of(source.type());
        locked(
                "putSignal(" + source + ", " + peer + ")",
                () -> LibNccl.ncclPutSignal(
                        source.address(),
                        source.count() * Types.units(source.type()),
                        type,
                        peer,
                        window.handle(),
                        offset * bytes,
                        signal,
                        0,
                        0,
                        handle,
                        queue));
    }

    /** Raises a signal of {@code peer} ({@code ncclSignal}; NCCL 2.29.2). Stream-ordered. */
    public void signal(int peer, int signal, Stream stream) {
        checkPeer("signal", peer);
        var queue = checked("signal", stream);
        locked("signal(" + peer + ", " + signal + ")", () -> LibNccl.ncclSignal(peer, signal, 0, 0, handle, queue));
    }

    /**
     * What follows in {@code stream} waits until {@code peer} has raised this rank's signal {@code times} more times
     * ({@code ncclWaitSignal}; NCCL 2.29.2).
     */
    public void waitSignal(int peer, int times, int signal, Stream stream) {
        checkPeer("waitSignal", peer);
        if (times < 1) {
            throw new IllegalArgumentException("waitSignal on " + where() + ": " + times + " times; at least 1");
        }
        var queue = checked("waitSignal", stream);
        locked("waitSignal(" + peer + ", " + signal + ")", () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment descriptor = arena.allocateFrom(ValueLayout.JAVA_INT, times, peer, signal, 0);
                LibNccl.ncclWaitSignal(1, descriptor, handle, queue);
            }
        });
    }

    private void checkPeer(String what, int peer) {
        if (peer < 0 || peer >= size()) {
            throw new IllegalArgumentException(
                    what + " on " + where() + ": peer " + peer + " is not a rank from 0 to " + (size() - 1));
        }
    }

    // ---- for kernels ----

    /**
     * Collective: what kernels need to communicate by themselves ({@code ncclDevCommCreate}).
     *
     * @throws UnsupportedOperationException if the loaded NCCL is one whose layout is not known, or lacks what is required
     */
    public DeviceCommunicator deviceCommunicator(DeviceRequirements requirements) {
        String what = "deviceCommunicator(" + requirements + ")";
        int version = DeviceCommunicator.version(Library.version());
        long bytes = requirements.asksForRuntimeVersion()
                ? CommProperties.deviceCommunicatorBytes(handle)
                : DeviceCommunicator.bytes(version);
        Arena arena = Arena.ofAuto();
        MemorySegment needs = requirements.write(version, arena);
        MemorySegment struct = arena.allocate(Math.max(bytes, DeviceCommunicator.ROOM), 16);
        lock.lock();
        try {
            health.check("deviceCommunicator");
            hostCall(what, () -> LibNccl.ncclDevCommCreate(handle, needs, struct));
            DeviceCommunicator made = new DeviceCommunicator(this, struct, bytes);
            owned.add(made);
            return made;
        } finally {
            lock.unlock();
        }
    }

    /** All ranks, as kernels address them ({@code ncclTeamWorld}). */
    public RankTeam worldTeam() {
        health.check("worldTeam");
        try (Arena arena = Arena.ofConfined()) {
            return RankTeam.of(LibNccl.ncclTeamWorld(arena, handle));
        }
    }

    /** The ranks that can load and store each other's memory ({@code ncclTeamLsa}). */
    public RankTeam lsaTeam() {
        health.check("lsaTeam");
        try (Arena arena = Arena.ofConfined()) {
            return RankTeam.of(LibNccl.ncclTeamLsa(arena, handle));
        }
    }

    /** The ranks in the same place of their groups of {@link #lsaTeam} ({@code ncclTeamRail}). */
    public RankTeam railTeam() {
        health.check("railTeam");
        try (Arena arena = Arena.ofConfined()) {
            return RankTeam.of(LibNccl.ncclTeamRail(arena, handle));
        }
    }

    /** The rank here of rank {@code rank} of a team ({@code ncclTeamRankToWorld}). */
    public int rankOf(RankTeam team, int rank) {
        health.check("rankOf");
        if (rank < 0 || rank >= team.size()) {
            throw new IllegalArgumentException("rankOf on " + where() + ": " + rank + " is not a rank of " + team);
        }
        try (Arena arena = Arena.ofConfined()) {
            return LibNccl.ncclTeamRankToWorld(handle, team.write(arena), rank);
        }
    }

    // ---- what it is, and what it costs ----

    /** What this communicator can do ({@code ncclCommQueryProperties}; NCCL 2.29.2). */
    public CommProperties properties() {
        health.check("properties");
        try {
            return CommProperties.of(handle);
        } catch (NativeCallException e) {
            throw watch.failed("properties", e);
        }
    }

    /** What this communicator holds of the GPU's memory ({@code ncclCommMemStats}; NCCL 2.29.7). */
    public MemoryStatistics memoryStatistics() {
        health.checkExists("memoryStatistics");
        try {
            return MemoryStatistics.of(handle);
        } catch (NativeCallException e) {
            throw watch.failed("memoryStatistics", e);
        }
    }

    /** Gives back GPU memory until {@link #resume} ({@code ncclCommSuspend}; NCCL 2.29.7). Nothing may be under way. */
    public void suspend() {
        lock.lock();
        try {
            health.check("suspend");
            hostCall("suspend", () -> LibNccl.ncclCommSuspend(handle, LibNccl.NCCL_SUSPEND_MEM));
            health.suspend("this communicator is suspended; resume it first");
        } finally {
            lock.unlock();
        }
    }

    /** Makes a suspended communicator usable again ({@code ncclCommResume}; NCCL 2.29.7). */
    public void resume() {
        lock.lock();
        try {
            health.checkExists("resume");
            hostCall("resume", () -> LibNccl.ncclCommResume(handle));
            health.resume();
        } finally {
            lock.unlock();
        }
    }

    // ---- the end ----

    /**
     * Ends what is under way and keeps the communicator for {@link #shrink}, {@link #split} and {@link #close}
     * ({@code ncclCommRevoke}). May be called from any thread, and does not wait for a call that is stuck.
     */
    public void revoke() {
        health.checkExists("revoke");
        try {
            LibNccl.ncclCommRevoke(handle, LibNccl.NCCL_REVOKE_DEFAULT);
        } catch (NativeCallException e) {
            throw watch.failed("revoke", e);
        }
        health.revoked();
    }

    /**
     * Ends the communicator, whatever is under way ({@code ncclCommAbort}); calls that wait get an exception. May be called from any
     * thread. Of the communicator nothing remains but {@link #close}. Aborting twice is fine.
     */
    public void abort() {
        if (health.isEnded()) {
            return;
        }
        // Whoever waits now lets go of NCCL's handle, and then of the lock.
        watch.leave(health::aborted);
        boolean mine = takeLock();
        try {
            LibNccl.ncclCommAbort(handle);
        } catch (NativeCallException e) {
            throw new NcclException("abort on " + where(), e);
        } finally {
            if (mine) {
                requests.forEach(EventRequest::abandon);
                requests.clear();
                lock.unlock();
            }
        }
    }

    /** The lock, even if its holder is stuck inside NCCL: revoking lets it out. */
    private boolean takeLock() {
        try {
            if (lock.tryLock(50, TimeUnit.MILLISECONDS)) {
                return true;
            }
            if (LibNccl.has("ncclCommRevoke")) {
                LibNccl.ncclCommRevoke(handle, LibNccl.NCCL_REVOKE_DEFAULT);
            }
            return lock.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (NativeCallException e) {
            return lock.tryLock();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return lock.tryLock();
        }
    }

    /**
     * Ends the communicator's work in an orderly way, together with the other ranks ({@code ncclCommFinalize}); what remains is
     * {@link #close}, which does this by itself.
     */
    public void finish() {
        lock.lock();
        try {
            health.check("finish");
            hostCall("finish", () -> LibNccl.ncclCommFinalize(handle));
            finalized = true;
            health.suspend("this communicator has finished; close it");
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the communicator's own work, closes what it owns and ends it ({@code ncclCommDestroy}); aborts it instead if it is
     * out of step, or its work does not end. Work in other streams must be done. Never throws because of other ranks.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (!health.isOpen()) {
                return;
            }
            settle();
            boolean healthy = (health.isUsable() || finalized) && !health.isEnded();
            if (!health.isEnded()) {
                if (healthy) {
                    List.copyOf(owned).stream()
                            .filter(each -> !(each instanceof DeviceArray))
                            .forEach(NcclCommunicator::closeQuietly);
                }
                end(healthy);
            }
            watch.leave(health::closed);
            requests.forEach(EventRequest::abandon);
            requests.clear();
            List.copyOf(owned).forEach(NcclCommunicator::closeQuietly);
            owned.clear();
            scratch.close();
            own.close();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for what was put into the own stream. */
    private void settle() {
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

    private void end(boolean healthy) {
        try {
            if (healthy) {
                if (!isBlocking() && !finalized) {
                    LibNccl.ncclCommFinalize(handle);
                    watch.awaitLaunch("close", timeoutNanos());
                }
                LibNccl.ncclCommDestroy(handle);
                return;
            }
        } catch (NativeCallException | CommException e) {
            System.getLogger("org.comm4j.nccl").log(System.Logger.Level.WARNING, "close of " + this, e);
        }
        try {
            watch.leave(health::aborted);
            LibNccl.ncclCommAbort(handle);
        } catch (NativeCallException e) {
            System.getLogger("org.comm4j.nccl").log(System.Logger.Level.WARNING, "abort of " + this, e);
        }
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            System.getLogger("org.comm4j.nccl").log(System.Logger.Level.WARNING, "close of " + resource, e);
        }
    }

    /** A call that waits for other ranks on the host; with the lock held. */
    private void hostCall(String what, Runnable call) {
        try {
            if (isBlocking()) {
                HostCall.run(what + " on " + where(), device, peers, timeoutNanos(), call, () -> {});
            } else {
                device.makeCurrent();
                call.run();
                settle(what);
            }
        } catch (NativeCallException e) {
            throw health.failed(watch.failed(what, e));
        } catch (CommException e) {
            throw health.failed(e);
        }
    }

    private void locked(String what, Runnable call) {
        lock.lock();
        try {
            health.check(what);
            call.run();
            settle(what);
        } catch (NativeCallException e) {
            throw health.failed(watch.failed(what, e));
        } finally {
            lock.unlock();
        }
    }

    /** Names the communicator: engine, rank, size, GPU and NCCL's handle. */
    @Override
    public String toString() {
        return "NcclCommunicator[" + where() + ", 0x" + Long.toHexString(handle.address())
                + (health.isOpen() ? "]" : ", closed]");
    }
}
