// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Allocations;
import org.comm4j.core.spi.Events;
import org.comm4j.core.spi.Rehearsal;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Recorded;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.handle.NcclWindow;
import org.comm4j.ffi.nccl.LibNccl;
import org.jspecify.annotations.Nullable;

/**
 * What {@link NcclCommunicator} holds, and closes when it is closed: memory, registrations, windows and what is done
 * through them, sums of one's own, device communicators.
 */
abstract sealed class NcclHoldings extends NcclOperations permits NcclCommunicator {
    private static final int NETWORK_MENDED = 22900;

    private final DeviceArray scratch;
    private final Object memory;
    private final CommResources owned = new CommResources();
    /** Whether NCCL was asked for a network for kernels and has not given it. */
    private boolean missesNetwork;

    NcclHoldings(Made made) {
        super(made);
        this.scratch = made.scratch();
        this.memory = made.memory();
    }

    /** The GPU of this rank. */
    public final Device device() {
        return device;
    }

    /** NCCL's handle, for calls of {@link LibNccl} and of other libraries. */
    public final NcclComm handle() {
        health.checkExists("handle");
        return handle;
    }

    /** What must not be collected while NCCL knows its address. */
    Object memory() {
        return memory;
    }

    // ---- memory ----

    /**
     * Zeroed memory from NCCL's own allocator ({@code ncclMemAlloc}), which all ways of communication can reach
     * directly, and of which windows can be made; not collective. It takes at least 2 MiB of the GPU. Freed with the
     * communicator, or before by {@link #free} or {@link DeviceArray#close}.
     */
    @Override
    public final DeviceArray allocate(DataType type, long count) {
        health.check("allocate");
        Recorded.checkNotRecording("allocate", where());
        // Without the lock, which somebody may hold who waits for other ranks.
        DeviceArray[] array = new DeviceArray[1];
        array[0] = Nccl.allocate(device, type, count, () -> owned.remove(array[0]));
        if (!owned.add(array[0])) {
            array[0].close();
            health.check("allocate");
        }
        return array[0];
    }

    /** As soon as the streams have passed what uses it; does not wait for that. */
    @Override
    public final void free(Buffer buffer) {
        checkOutsideBody("free");
        if (!(buffer instanceof DeviceArray array) || !array.isAlive() || !owned.contains(array)) {
            throw Allocations.refusal(where(), buffer);
        }
        array.close();
    }

    /** Tells this communicator of memory that it will use often ({@code ncclCommRegister}); not collective. */
    public final Registration register(DeviceArray memory) {
        checkMemory("register", memory);
        Recorded.checkNotRecording("register", where());
        Runnable giveBack = memory.keep();
        boolean made = false;
        lock.lock();
        try (Arena arena = Arena.ofConfined()) {
            checkReady("register");
            device.makeCurrent();
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_LONG);
            LibNccl.ncclCommRegister(handle, memory.address(), memory.byteSize(), cell);
            Registration registration = new Registration(this, memory, cell.get(ValueLayout.JAVA_LONG, 0), giveBack);
            made = owned.add(registration);
            return registration;
        } catch (NativeCallException e) {
            throw watch.failed("register(" + memory + ")", e);
        } finally {
            lock.unlock();
            if (!made) {
                giveBack.run();
            }
        }
    }

    /**
     * Collective: makes a window of memory of the same size on every rank ({@code ncclCommWindowRegister}). Its address
     * must be a multiple of {@value Window#ALIGNMENT}; memory of {@link #allocate} fits.
     *
     * @throws UnsupportedOperationException if NCCL makes no window, because GPUs here cannot reach each other's memory
     */
    public final Window registerWindow(DeviceArray memory, Window.Flag... flags) {
        nonNull(flags, "registerWindow", "flags");
        String what = "registerWindow(" + memory + ")";
        checkWindow(memory);
        checkCanWait("registerWindow");
        int bits = Window.bits(flags);
        Runnable giveBack = memory.keep();
        NcclWindow made = NcclWindow.NULL;
        lock.lock();
        try {
            checkReady("registerWindow");
            MemorySegment cell = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
            long address = memory.address();
            long bytes = memory.byteSize();
            hostCall(what, () -> LibNccl.ncclCommWindowRegister(handle, address, bytes, cell, bits));
            made = new NcclWindow(cell.get(ValueLayout.JAVA_LONG, 0));
            return adopt(memory, made, giveBack);
        } finally {
            lock.unlock();
            if (made.isNull()) {
                giveBack.run();
            }
        }
    }

    void checkWindow(DeviceArray memory) {
        checkNetwork("registerWindow");
        checkMemory("registerWindow", memory);
        if (memory.address() % Window.ALIGNMENT != 0) {
            throw new IllegalArgumentException("registerWindow on " + where() + ": the address of " + memory + ", 0x"
                    + Long.toHexString(memory.address()) + ", is not a multiple of " + Window.ALIGNMENT
                    + "; memory of allocate() is");
        }
    }

    /** Makes an object of a window that NCCL has made, unless it has not. */
    Window adopt(DeviceArray memory, NcclWindow window, Runnable giveBack) {
        if (window.isNull()) {
            throw new UnsupportedOperationException("registerWindow on " + where() + ": NCCL " + Library.describe()
                    + " makes no windows here: the GPUs of this communicator cannot all map each other's memory (or"
                    + " NCCL_WIN_ENABLE=0, or NCCL_CUMEM_ENABLE=0)");
        }
        lock.lock();
        try {
            Window made = new Window(this, memory, window, giveBack);
            owned.add(made);
            return made;
        } finally {
            lock.unlock();
        }
    }

    final void checkMemory(String what, DeviceArray memory) {
        if (memory == null) {
            throw new NullPointerException(what + " on " + where() + ": the array is null");
        }
        if (!memory.isAlive()) {
            throw new IllegalStateException(what + " on " + where() + ": " + memory + " was freed");
        }
        if (memory.device().ordinal() != device.ordinal()) {
            throw new IllegalArgumentException(what + " on " + where() + ": " + memory + " is in the memory of GPU "
                    + memory.device().ordinal());
        }
    }

    /** Throws while this thread records: what NCCL does then would spoil the recording. */
    final void checkCanClose(AutoCloseable resource) {
        Recorded.checkNotRecording("close of " + resource, where());
    }

    /**
     * Closes something that this communicator owns, unless NCCL has forgotten it with the communicator.
     *
     * @return whether it was owned until now
     */
    boolean release(AutoCloseable resource, Runnable close) {
        lock.lock();
        try {
            boolean open = owned.remove(resource);
            if (open && !health.isEnded()) {
                close.run();
            }
            return open;
        } catch (NativeCallException e) {
            throw new NcclException("close of " + resource, e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A sum in which this rank's elements count {@code factor} times ({@code ncclRedOpCreatePreMulSum}); each rank has
     * its own, rounded to the type's precision. For complex types the factor is real.
     *
     * @throws IllegalArgumentException if the type is one of integers and the factor none of them
     * @throws UnsupportedOperationException if NCCL cannot add elements of the type on this GPU
     */
    public final PreMulSum preMulSum(DataType type, double factor) {
        nonNull(type, "preMulSum", "type");
        return preMulSum(type, factor, null);
    }

    /**
     * {@link #preMulSum(DataType, double)} with the factor in device memory, where it is read when the reduction runs:
     * one element, of the type to be reduced, or of its part's for complex types. It is not freed before the sum is
     * closed.
     */
    public final PreMulSum preMulSum(DataType type, DeviceArray factor) {
        nonNull(type, "preMulSum", "type");
        checkMemory("preMulSum", factor);
        return preMulSum(type, 0, factor);
    }

    private PreMulSum preMulSum(DataType type, double factor, @Nullable DeviceArray resident) {
        if (!supports(ReduceOp.SUM, type)) {
            throw new UnsupportedOperationException("preMulSum on " + where() + ": "
                    + (Types.reduces(ReduceOp.SUM, type)
                            ? "this GPU, of compute capability " + device.computeCapability() + ", cannot add " + type
                            : Types.whyNot(ReduceOp.SUM, type)));
        }
        if (type.isInteger() && !isElement(type, factor)) {
            throw new IllegalArgumentException("preMulSum on " + where() + ": " + factor + " is no " + type);
        }
        DataType part =
                type == DataType.COMPLEX64 ? DataType.FLOAT32 : type == DataType.COMPLEX128 ? DataType.FLOAT64 : type;
        if (resident != null && (resident.type() != part || resident.count() != 1)) {
            throw new IllegalArgumentException(
                    "preMulSum on " + where() + ": the factor is one element of " + part + ", not " + resident);
        }
        lock.lock();
        try (Arena arena = Arena.ofConfined()) {
            checkReady("preMulSum");
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_INT);
            HostArray immediate = HostArray.allocate(arena, part, 1);
            immediate.fill(factor);
            LibNccl.ncclRedOpCreatePreMulSum(
                    cell,
                    resident != null ? resident.address() : immediate.address(),
                    Types.of(type),
                    resident != null ? LibNccl.ncclScalarDevice : LibNccl.ncclScalarHostImmediate,
                    handle);
            PreMulSum made = new PreMulSum(this, type, cell.get(ValueLayout.JAVA_INT, 0), resident);
            owned.add(made);
            return made;
        } catch (NativeCallException e) {
            throw watch.failed("preMulSum(" + type + ")", e);
        } finally {
            lock.unlock();
        }
    }

    /** Integers are not rounded: a half would be nothing. */
    private static boolean isElement(DataType type, double factor) {
        double end = Math.scalb(1.0, Math.min(63, 8 * type.bytes() - (type.isUnsigned() ? 0 : 1)));
        return factor == Math.rint(factor) && factor < end && factor >= (type.isUnsigned() ? 0 : -end);
    }

    // ---- one-sided ----

    /** {@link #putSignal(DeviceArray, int, Window, long, int, int, Stream)} in context 0. */
    public final void putSignal(DeviceArray source, int peer, Window window, long offset, int signal, Stream stream) {
        putSignal(source, peer, window, offset, signal, 0, stream);
    }

    /**
     * Writes {@code source} to {@code peer}'s part of {@code window}, at element {@code offset}, and then raises its
     * signal ({@code ncclPutSignal}; NCCL 2.29.2). {@code source} is itself memory of a symmetric window.
     * Stream-ordered.
     *
     * @param offset in elements of {@code source}'s type
     * @param window this rank's own, of a window of this communicator
     * @param signal which signal, 0 unless {@link CommConfig#rmaSignals} asked for more
     * @param context in which context, 0 unless {@link CommConfig#rmaContexts} asked for more
     */
    public final void putSignal(
            DeviceArray source, int peer, Window window, long offset, int signal, int context, Stream stream) {
        checkStream("putSignal", stream);
        enqueue(new OneSidedCall.PutSignal(this, source, peer, window, offset, signal, context, stream));
    }

    /** {@link #signal(int, int, int, Stream)} in context 0. */
    public final void signal(int peer, int signal, Stream stream) {
        signal(peer, signal, 0, stream);
    }

    /** Raises a signal of {@code peer} ({@code ncclSignal}; NCCL 2.29.2). Stream-ordered. */
    public final void signal(int peer, int signal, int context, Stream stream) {
        checkStream("signal", stream);
        enqueue(new OneSidedCall.Signal(this, peer, signal, context, stream));
    }

    /** {@link #waitSignals} for one signal of context 0, raised {@code times} more times. */
    public final void waitSignal(int peer, int times, int signal, Stream stream) {
        waitSignals(List.of(new SignalWait(peer, times, signal, 0)), stream);
    }

    /**
     * What follows in {@code stream} waits until all these signals of this rank have been raised ({@code
     * ncclWaitSignal}; NCCL 2.29.2).
     */
    public final void waitSignals(List<SignalWait> waits, Stream stream) {
        nonNull(waits, "waitSignals", "waits");
        checkStream("waitSignals", stream);
        enqueue(new OneSidedCall.WaitSignals(this, waits, stream));
    }

    /** What peers put is in one of the windows; with the lock held. */
    final void useWindows(Stream stream) {
        for (Window window : owned.windows()) {
            window.memory().usedIn(stream);
        }
    }

    /** That memory which begins in a window ends there, too: NCCL looks for the beginning only; with the lock held. */
    final void checkWhole(String what, DeviceArray memory) {
        long start = memory.address();
        Window cut = null;
        for (Window window : owned.windows()) {
            if (window.covers(start, 1)) {
                if (window.covers(start, memory.byteSize())) {
                    return;
                }
                cut = window;
            }
        }
        if (cut != null) {
            throw new IllegalArgumentException(
                    what + " on " + where() + ": " + memory + " begins in " + cut + " and leaves it");
        }
    }

    final void checkPeer(String what, int peer) {
        if (peer < 0 || peer >= size()) {
            throw new IllegalArgumentException(
                    what + " on " + where() + ": peer " + peer + " is not a rank from 0 to " + (size() - 1));
        }
    }

    // ---- for kernels ----

    /**
     * Collective: what kernels need to communicate by themselves ({@code ncclDevCommCreate}). Its layout is that of the
     * loaded NCCL, or of 2.32.3 if that is newer, unless {@link DeviceRequirements#runtimeVersion} says otherwise.
     *
     * @throws UnsupportedOperationException if the loaded NCCL lacks what is required
     */
    public final DeviceCommunicator deviceCommunicator(DeviceRequirements requirements) {
        if (requirements == null) {
            throw new NullPointerException("deviceCommunicator on " + where() + ": requirements is null");
        }
        checkCanWait("deviceCommunicator");
        String what = "deviceCommunicator(" + requirements + ")";
        lock.lock();
        try {
            checkReady("deviceCommunicator");
            DeviceCommunicator made = prepare(requirements);
            // Whoever makes one has kernels.
            Rehearsal.begin(NcclEngine.NAME);
            hostCall(what, made::make);
            adopt(made);
            return made;
        } catch (NativeCallException e) {
            throw watch.failed(what, e);
        } finally {
            lock.unlock();
        }
    }

    /** What {@link DeviceCommunicator#make} fills. */
    DeviceCommunicator prepare(DeviceRequirements requirements) {
        checkNetwork("deviceCommunicator");
        int version = DeviceCommunicator.version(Library.version());
        Arena arena = Arena.ofAuto();
        DeviceRequirements.Written needs = requirements.write(version, arena, handle);
        long bytes = requirements.asksForRuntimeVersion()
                ? CommProperties.of(handle).deviceCommunicatorBytes()
                : DeviceCommunicator.bytes(version);
        MemorySegment struct = arena.allocate(Math.max(bytes, DeviceCommunicator.ROOM), 16);
        missesNetwork = requirements.needsNetwork();
        return new DeviceCommunicator(this, needs, struct, bytes);
    }

    /**
     * NCCL 2.28 takes a network that it has not found for one that is there, as soon as it is asked again, and crashes.
     */
    private void checkNetwork(String operation) {
        if (missesNetwork && Library.version() < NETWORK_MENDED) {
            throw new IllegalStateException(
                    operation + " on " + where() + ": this communicator was asked for a network for"
                            + " kernels that is not there, after which NCCL " + Library.describe()
                            + " cannot make windows and device communicators for it; split it before, or make another"
                            + " one");
        }
    }

    /** Will close it. */
    void adopt(DeviceCommunicator made) {
        lock.lock();
        try {
            missesNetwork = false;
            owned.add(made);
        } finally {
            lock.unlock();
        }
    }

    /** All ranks, as kernels address them ({@code ncclTeamWorld}). */
    public final RankTeam worldTeam() {
        return team("worldTeam", arena -> LibNccl.ncclTeamWorld(arena, handle));
    }

    /** The ranks that can load and store each other's memory ({@code ncclTeamLsa}). */
    public final RankTeam lsaTeam() {
        return team("lsaTeam", arena -> LibNccl.ncclTeamLsa(arena, handle));
    }

    /** The ranks in the same place of their groups of {@link #lsaTeam} ({@code ncclTeamRail}). */
    public final RankTeam railTeam() {
        return team("railTeam", arena -> LibNccl.ncclTeamRail(arena, handle));
    }

    /** The ranks that CFT reaches ({@code ncclTeamCft}; NCCL 2.31.2). */
    public final RankTeam cftTeam(CftTeam which) {
        nonNull(which, "cftTeam", "which");
        return team("cftTeam", arena -> LibNccl.ncclTeamCft(arena, handle, which.mode()));
    }

    /** The ranks that CFT reaches at once ({@code ncclTeamCftMultimem}; NCCL 2.31.2). */
    public final RankTeam cftMultimemTeam() {
        return team("cftMultimemTeam", arena -> LibNccl.ncclTeamCftMultimem(arena, handle));
    }

    private RankTeam team(String what, Function<Arena, MemorySegment> query) {
        return ask(what, () -> {
            try (Arena arena = Arena.ofConfined()) {
                return RankTeam.of(query.apply(arena));
            }
        });
    }

    /** The rank here of rank {@code rank} of a team ({@code ncclTeamRankToWorld}). */
    public final int rankOf(RankTeam team, int rank) {
        nonNull(team, "rankOf", "team");
        checkMember("rankOf", team, rank);
        return ask("rankOf", () -> {
            try (Arena arena = Arena.ofConfined()) {
                return LibNccl.ncclTeamRankToWorld(handle, team.write(arena), rank);
            }
        });
    }

    /**
     * The rank in {@link #lsaTeam} of rank {@code rank} of a team ({@code ncclTeamRankToLsa}), which is meaningless if
     * that one is not a member.
     */
    public final int lsaRankOf(RankTeam team, int rank) {
        nonNull(team, "lsaRankOf", "team");
        checkMember("lsaRankOf", team, rank);
        return ask("lsaRankOf", () -> {
            try (Arena arena = Arena.ofConfined()) {
                return LibNccl.ncclTeamRankToLsa(handle, team.write(arena), rank);
            }
        });
    }

    private void checkMember(String what, RankTeam team, int rank) {
        if (rank < 0 || rank >= team.size()) {
            throw new IllegalArgumentException(what + " on " + where() + ": " + rank + " is not a rank of " + team);
        }
    }

    // ---- how ----

    /** Asks NCCL what it answers at once. With the lock, so that nobody closes the communicator meanwhile. */
    final <T> T ask(String what, Supplier<T> question) {
        lock.lock();
        try {
            health.check(what);
            return question.get();
        } catch (NativeCallException e) {
            throw watch.failed(what, e);
        } finally {
            lock.unlock();
        }
    }

    /** Ends what NCCL would otherwise miss: all but memory. */
    final void closeRegistrations() {
        owned.closeRegistrations();
    }

    /** Frees everything; NCCL's communicator is gone. */
    final void closeAll() {
        owned.close();
        CommResources.closeQuietly(scratch);
        CommResources.closeQuietly(own);
    }

    /** Numbers in device memory for exchanges of our own: two for each rank. */
    final DeviceArray exchange() {
        return scratch.slice(2, 2L * size());
    }

    /** A call that waits for other ranks on the host; with the lock held. */
    final void hostCall(String what, Runnable call) {
        try {
            if (isBlocking()) {
                Library.call(what + " on " + where(), device, peers, timeoutNanos(), call, () -> {});
            } else {
                device.makeCurrent();
                call.run();
                settle(what);
            }
        } catch (NativeCallException e) {
            throw health.failed(watch.failed(what, e));
        } catch (CommException e) {
            noteStuck();
            throw health.failed(e);
        }
    }

    private void enqueue(OneSidedCall call) {
        lock.lock();
        try {
            checkReady(call.operation());
            CommunicationEvent event = Events.begin();
            try {
                start(call);
            } catch (RuntimeException | Error e) {
                failed(event, e);
                throw e;
            } finally {
                if (event != null) {
                    call.record(event);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void start(OneSidedCall call) {
        CUstream ignored = call.stream.acquire();
        try {
            call.use();
            enter();
            call.enqueue();
            settle(call);
        } catch (NativeCallException e) {
            throw watch.failed(call, e);
        } finally {
            call.stream.release();
        }
    }
}
