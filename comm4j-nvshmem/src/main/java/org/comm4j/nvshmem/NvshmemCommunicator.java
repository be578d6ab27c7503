// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.spi.AbstractCommunicator;
import org.comm4j.core.spi.Call;
import org.comm4j.core.spi.CheckedMode;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.PeerAccess;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.NativeCallException;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Communicator} of the engine {@code nvshmem}. Takes any {@link DeviceArray} of this PE's GPU.
 *
 * <p>A call goes one of several ways:
 *
 * <dl>
 *   <dt>by a kernel
 *   <dd>what the {@link KernelCollectives} of {@link Nvshmem#communicator(KernelCollectives)} take. The rules of the
 *   direct way hold: every rank passes the same part of
 *       the same symmetric arrays, or none passes symmetric memory.
 *   <dt>direct
 *   <dd>{@code allReduce}, {@code reduceScatter}, {@code broadcast}, {@code allGather} and {@code allToAll} of {@link
 *   SymmetricArray}s, out of
 *       place or in place where a {@link Team} has that form, in the communicator of all PEs: the ranks meet, and
 *       {@link #team()} runs its collective on the arrays. Every rank must then pass the same part of the same arrays,
 *       as the collectives of teams want it, and either all ranks pass symmetric memory or none does; checked mode
 *       compares both. Results of reductions are NVSHMEM's, whose order of operands is its own. What it has no
 *       reduction for ({@code AVG}, products of complex numbers) goes the other way.
 *   <dt>staged
 *   <dd>everything else, whatever the memory: piece by piece through slots in the symmetric heap, which costs a copy
 *   more on the
 *       receiving side and looks of the host at signals, some ten microseconds a step. Reductions combine the operands
 *       of ranks 0, 1, 2, … in this order, by kernels of comm4j, and give the bits that the other engines give.
 * </dl>
 *
 * <p>In none of them: reductions of {@code FLOAT8_E4M3} and {@code FLOAT8_E5M2}, which are an {@link
 * UnsupportedOperationException}.
 *
 * <p>Calls block the host: they do not wait for work in streams that uses the buffers, which must be done, and have
 * ended when they return. For the fastest way, and for what is to be ordered on streams, there are the collectives of
 * {@link #team()} and the one-sided operations of {@link #nvshmem()}.
 *
 * <p>A wait that is given up concerns this communicator only, unless it happens inside a collective of the team: then
 * the {@link Nvshmem} is out of step, too. Works without kernels that wait, so also where several PEs share a GPU.
 */
public final class NvshmemCommunicator extends AbstractCommunicator implements PeerAccess {
    /** The most bytes of a rank that are reduced by everybody for himself. */
    private static final long SMALL = 64 << 10;
    /** Bytes of a rank's share of a piece of a larger reduction. */
    private static final long SHARE = 1 << 20;

    private final Nvshmem nvshmem;
    private final Session session;
    private final int[] pes;
    private final Mailbox mailbox;
    private final @Nullable Team team;
    private final @Nullable KernelCollectives kernels;
    private final Runnable end;
    private final PeerWords words;
    /** A row of operands from each rank; made when first needed. */
    private @Nullable DeviceArray rows;

    /** For operations in streams; freed with the {@link Nvshmem}, as freeing it is collective. */
    private @Nullable SymmetricArray scratch;

    private String what = "";

    /**
     * Collective over all PEs.
     *
     * @param kernels what does its collectives where it can
     * @param end what to do when it was closed
     */
    static NvshmemCommunicator of(Nvshmem nvshmem, Session session, @Nullable KernelCollectives kernels, Runnable end) {
        String call = "communicator";
        return session.collective(call, () -> {
            session.agree(call);
            Workspace workspace = session.heap.workspace();
            int size = session.nPes;
            long part = allocate(session, workspace, size, session.own);
            long[] parts = session.exchange(call, Long.toString(part)).stream()
                    .mapToLong(Long::parseLong)
                    .toArray();
            String where = "rank " + session.myPe + " of " + size;
            int[] pes = IntStream.range(0, size).toArray();
            if (Arrays.stream(parts).anyMatch(each -> each < 0)) {
                throw session.agreed(full(workspace, part, size, call + " on " + where));
            }
            Mailbox mailbox = new Mailbox(session, workspace, session.myPe, pes, parts, where);
            Team team = session.mayWait() ? nvshmem.world() : null;
            return new NvshmemCommunicator(nvshmem, session, session.myPe, pes, mailbox, team, kernels, end);
        });
    }

    private NvshmemCommunicator(
            Nvshmem nvshmem,
            Session session,
            int rank,
            int[] pes,
            Mailbox mailbox,
            @Nullable Team team,
            @Nullable KernelCollectives kernels,
            Runnable end) {
        super(NvshmemEngine.NAME, rank, pes.length);
        this.nvshmem = nvshmem;
        this.session = session;
        this.pes = pes;
        this.mailbox = mailbox;
        this.team = team;
        this.kernels = kernels;
        this.end = end;
        words = new PeerWords(nvshmem, session);
    }

    /** A part of the workspace, cleared; −1 if there is none. */
    private static long allocate(Session session, Workspace workspace, int size, Stream stream) {
        long part = workspace.allocate(Mailbox.bytes(size));
        if (part >= 0) {
            Mailbox.prepare(session, workspace, part, size, stream);
        }
        return part;
    }

    private static SymmetricMemoryException full(Workspace workspace, long part, int size, String call) {
        if (part >= 0) {
            workspace.free(part, Mailbox.bytes(size));
        }
        return new SymmetricMemoryException(call + ": the " + Workspace.BYTES
                + " bytes that communicators have in each PE's symmetric heap are used up; close communicators that"
                + " are not needed (those that failed keep theirs until the Nvshmem is closed)");
    }

    /** NVSHMEM under this communicator: symmetric memory, puts, gets, signals, all of them in streams, too. */
    public Nvshmem nvshmem() {
        return nvshmem;
    }

    /**
     * Returns the team whose collectives run on symmetric arrays, also in streams: of all PEs, {@link Nvshmem#world()}.
     * Null in communicators that {@link #split} made, and where several PEs share a GPU without MPS; {@link
     * Team#splitStrided} and {@link Nvshmem#team} make teams of some PEs.
     */
    public @Nullable Team team() {
        return team;
    }

    /**
     * Returns the operations in the order of a stream. {@code allReduce} is put into it where {@link #team} is and
     * combines elements of that type; the first one allocates symmetric memory, which is collective and cannot be
     * recorded, those after it can. Its order of operands is NVSHMEM's.
     *
     * <p>NVSHMEM has no other way here that is ordered by streams: all other operations are those of this communicator.
     * They come after what was started on their buffers, have ended when they return, and cannot be recorded.
     */
    @Override
    public GroupedOperations on(Stream stream) {
        nonNull(stream, "on", "stream");
        if (stream.device().ordinal() != session.device.ordinal()) {
            throw new IllegalArgumentException("on, on rank " + rank() + " of " + size() + ": " + stream
                    + " belongs to another device than " + session.userDevice);
        }
        return new StreamOperations(this, stream);
    }

    @Override
    public void synchronize(Stream stream) {
        nvshmem.synchronize(stream, timeout());
        words.check();
    }

    /** Collective: null where {@link #team} is null, or where a PE does not reach another one's memory. */
    @Override
    public @Nullable PeerMemory peerMemory(long count) {
        return openTeam() == null ? null : words.allocate(count, timeout());
    }

    /** Returns the {@link #team} while this is open. */
    @Nullable
    Team openTeam() {
        return isOpen() ? team : null;
    }

    /** Collective the first time: returns symmetric memory for operations in streams. */
    SymmetricArray scratch(long bytes) {
        SymmetricArray known = scratch;
        if (known == null) {
            known = session.heap.keep(nvshmem.allocate(DataType.INT8, bytes));
            scratch = known;
        }
        return known;
    }

    /** Returns the PE to name in puts and gets for a rank of this communicator. */
    public int pe(int rank) {
        return pes[rank];
    }

    /**
     * Returns zeroed memory of this PE's GPU, not symmetric; {@link Nvshmem#allocate}, which is collective, gives that.
     */
    @Override
    public DeviceArray allocate(DataType type, long count) {
        nonNull(type, "allocate", "type");
        long ignored = HostArray.bytes(type, count);
        if (!isOpen()) {
            throw new IllegalStateException("allocate of " + count + " x " + type + " on rank " + rank() + " of "
                    + size() + ": " + this + " is closed");
        }
        session.checkNotRecording("allocate");
        DeviceArray array = session.userDevice.allocate(type, count);
        return own(array, array::close);
    }

    // ---- calls ----

    @Override
    protected void execute(Call call) {
        what = call.kind().method();
        session.checkNotRecording(what);
        checkBuffers(call);
        try {
            session.check(what);
            perform(call);
        } catch (NativeCallException e) {
            throw new NvshmemException(call + " on " + session.where(), e);
        }
    }

    @Override
    protected void executeGroup(List<Call> calls) {
        what = "group";
        session.checkNotRecording(what);
        calls.forEach(this::checkBuffers);
        try {
            session.check(what);
            addMessages(calls);
            mailbox.run(what, timeoutNanos());
            mailbox.finish(what, timeoutNanos());
            for (Call call : calls) {
                if (!call.kind().isPointToPoint()) {
                    what = call.kind().method();
                    perform(call);
                }
            }
        } catch (NativeCallException e) {
            throw new NvshmemException(what + " on " + session.where(), e);
        }
    }

    private void perform(Call call) {
        if (call.kind().isPointToPoint()) {
            addMessage(call);
            complete();
            return;
        }
        boolean direct = isDirect(call);
        if (CheckedMode.ON) {
            checkSame(call, direct);
        }
        if (runKernel(call)) {
            return;
        }
        if (direct) {
            runDirectly(call, Objects.requireNonNull(team));
            return;
        }
        switch (call.kind()) {
            case ALL_REDUCE -> allReduce(in(call), out(call), op(call));
            case REDUCE -> reduce(call);
            case BROADCAST -> broadcast(call);
            case ALL_GATHER -> allGather(in(call), out(call));
            case ALL_GATHER_V -> allGatherV(call);
            case REDUCE_SCATTER -> reduceScatter(in(call), out(call), op(call));
            case ALL_TO_ALL -> allToAll(in(call), out(call));
            case ALL_TO_ALL_V -> allToAllV(call);
            case GATHER -> gather(call);
            case SCATTER -> scatter(call);
            case BARRIER -> mailbox.meet(what, timeoutNanos());
            case SEND, RECV, SPLIT -> throw new AssertionError(call);
        }
        complete();
    }

    /** Exchanges what was added, and waits for this rank's GPU. */
    private void complete() {
        exchange();
        mailbox.finish(what, timeoutNanos());
    }

    private void exchange() {
        mailbox.run(what, timeoutNanos());
    }

    @Override
    protected @Nullable Communicator executeSplit(Call call, int color, int key) {
        what = call.kind().method();
        session.checkNotRecording(what);
        try {
            session.check(what);
            if (CheckedMode.ON) {
                checkSame(call, false);
            }
            return parted(color, key);
        } catch (NativeCallException e) {
            throw new NvshmemException(call + " on " + session.where(), e);
        }
    }

    private @Nullable Communicator parted(int color, int key) {
        long[][] all = mailbox.exchange(what, timeoutNanos(), color, key);
        int[] members = IntStream.range(0, size())
                .filter(r -> all[r][0] == color)
                .boxed()
                // Equal keys stay in the order of ranks.
                .sorted((a, b) -> Long.compare(all[a][1], all[b][1]))
                .mapToInt(r -> r)
                .toArray();
        Workspace workspace = session.heap.workspace();
        long part = color < 0 ? 0 : allocate(session, workspace, members.length, mailbox.stream);
        long[][] places = mailbox.exchange(what, timeoutNanos(), part);
        if (color < 0) {
            return null;
        }
        long[] parts = IntStream.of(members).mapToLong(r -> places[r][0]).toArray();
        if (Arrays.stream(parts).anyMatch(each -> each < 0)) {
            throw full(workspace, part, members.length, "split on rank " + rank() + " of " + size());
        }
        int[] memberPes = IntStream.of(members).map(r -> pes[r]).toArray();
        int rank = IntStream.range(0, members.length)
                .filter(m -> members[m] == rank())
                .findFirst()
                .orElseThrow();
        String where = "rank " + rank + " of " + members.length;
        Mailbox its = new Mailbox(session, workspace, rank, memberPes, parts, where);
        return new NvshmemCommunicator(nvshmem, session, rank, memberPes, its, null, null, () -> {});
    }

    @Override
    public List<Integer> failedRanks() {
        List<Integer> failed = session.world.failedRanks();
        return IntStream.range(0, size())
                .filter(rank -> failed.contains(pes[rank]))
                .boxed()
                .toList();
    }

    @Override
    protected Communicator executeShrink() {
        throw new UnsupportedOperationException("shrink on rank " + rank() + " of " + size()
                + ": NVSHMEM has one symmetric heap of all PEs, and nothing in it goes on without one of them; start"
                + " the job again, or use the engine nccl");
    }

    @Override
    protected void release() {
        DeviceArray own = rows;
        if (own != null) {
            own.close();
        }
        words.close();
        mailbox.close();
        end.run();
    }

    // ---- checks ----

    /** With nothing sent so far. */
    private void checkBuffers(Call call) {
        use(call, call.send());
        use(call, call.recv());
        ReduceOp op = call.op();
        DataType type = call.type();
        if (op != null && type != null && !ReductionKernels.supports(op, type)) {
            throw new UnsupportedOperationException(
                    call.kind().method() + " on rank " + rank() + " of " + size() + ": " + Types.whyNot(op, type));
        }
    }

    private void use(Call call, @Nullable Buffer buffer) {
        if (buffer == null) {
            return;
        }
        if (!(buffer instanceof DeviceArray array) || array.device().ordinal() != session.device.ordinal()) {
            throw new IllegalArgumentException(call.kind().method() + " on rank " + rank() + " of " + size()
                    + ": the engine 'nvshmem' communicates from memory of its GPU (a DeviceArray on "
                    + session.userDevice
                    + "), but was given " + buffer);
        }
        // What names no stream comes after all that the caller has started on the memory.
        mailbox.stream.await(array);
        array.usedIn(mailbox.stream);
    }

    /** Compares what all ranks call before any of them does it. */
    private void checkSame(Call call, boolean direct) {
        long[] signature = CheckedMode.signature(call);
        long[] mine = Arrays.copyOf(signature, signature.length + 3);
        mine[signature.length] = direct ? 1 : 0;
        // Where the root of a broadcast has it does not matter.
        mine[signature.length + 1] = direct && call.kind() != Call.Kind.BROADCAST ? place(call.send()) : -1;
        mine[signature.length + 2] = direct ? place(call.recv()) : -1;
        long[][] all = mailbox.exchange(what, timeoutNanos(), mine);
        long[][] signatures = new long[size()][];
        for (int r = 0; r < size(); r++) {
            signatures[r] = Arrays.copyOf(all[r], signature.length);
        }
        CheckedMode.compare(call, signatures);
        for (int r = 0; r < size(); r++) {
            if (!Arrays.equals(all[r], mine)) {
                throw new CollectiveMismatchException(
                        what + " on rank " + rank() + " of " + size() + ": this rank passes "
                                + memory(mine, signature.length) + ", rank " + r + " passes "
                                + memory(all[r], signature.length)
                                + "; all ranks pass the same parts of symmetric arrays, or none passes symmetric ones");
            }
        }
    }

    private static long place(@Nullable Buffer buffer) {
        return buffer instanceof SymmetricArray array ? array.offset() : -1;
    }

    private static String memory(long[] words, int at) {
        return words[at] == 0
                ? "memory that is not symmetric, or in place"
                : "symmetric memory at offsets " + words[at + 1] + " and " + words[at + 2];
    }

    private static DeviceArray in(Call call) {
        return (DeviceArray) Objects.requireNonNull(call.send());
    }

    private static DeviceArray out(Call call) {
        return (DeviceArray) Objects.requireNonNull(call.recv());
    }

    private static ReduceOp op(Call call) {
        return Objects.requireNonNull(call.op());
    }

    // ---- kernels ----

    /** Whether a kernel has done it. */
    private boolean runKernel(Call call) {
        KernelCollectives all = kernels;
        if (all == null) {
            return false;
        }
        switch (call.kind()) {
            case ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL -> {
                if (!all.run(call.kind(), out(call), in(call), call.op(), mailbox.stream)) {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        session.complete(mailbox.stream, timeoutNanos());
        all.check();
        return true;
    }

    // ---- the direct way ----

    /**
     * Whether the team's collectives can do it; what is looked at is the same on all ranks if they keep to the rules.
     */
    private boolean isDirect(Call call) {
        if (team == null || !isSymmetric(call.recv())) {
            return false;
        }
        return switch (call.kind()) {
            case ALL_REDUCE -> isSymmetric(call.send()) && Types.reduces(op(call), in(call).type());
            case REDUCE_SCATTER ->
                isSymmetric(call.send()) && Types.reduces(op(call), in(call).type()) && areApart(in(call), out(call));
            case ALL_GATHER, ALL_TO_ALL -> isSymmetric(call.send()) && areApart(in(call), out(call));
            case BROADCAST -> true;
            default -> false;
        };
    }

    private boolean isSymmetric(@Nullable Buffer buffer) {
        return buffer instanceof SymmetricArray array && array.session() == session;
    }

    private static boolean areApart(DeviceArray a, DeviceArray b) {
        return a.address() + a.byteSize() <= b.address() || b.address() + b.byteSize() <= a.address();
    }

    private void runDirectly(Call call, Team team) {
        // Others write into this rank's memory as soon as they begin.
        mailbox.meet(what, timeoutNanos());
        SymmetricArray recv = (SymmetricArray) out(call);
        if (call.kind() == Call.Kind.BROADCAST) {
            // The others do not know where the root has it: in place all name the same.
            if (call.isRoot()) {
                copy(in(call), recv);
            }
            team.broadcast(recv, recv, call.peer(), mailbox.stream);
            session.complete(mailbox.stream, timeoutNanos());
            return;
        }
        SymmetricArray send = (SymmetricArray) in(call);
        switch (call.kind()) {
            case ALL_REDUCE -> team.reduce(recv, send, op(call), mailbox.stream);
            case REDUCE_SCATTER -> team.reduceScatter(recv, send, op(call), mailbox.stream);
            case ALL_GATHER -> team.fcollect(recv, send, mailbox.stream);
            case ALL_TO_ALL -> team.allToAll(recv, send, mailbox.stream);
            default -> throw new AssertionError(call);
        }
        session.complete(mailbox.stream, timeoutNanos());
    }

    // ---- messages ----

    private void addMessage(Call call) {
        DeviceArray array = call.kind() == Call.Kind.SEND ? in(call) : out(call);
        if (call.kind() == Call.Kind.SEND) {
            if (CheckedMode.ON) {
                mailbox.sendHeader(call.peer(), array.type(), array.count());
            }
            mailbox.send(call.peer(), array.address(), array.byteSize());
        } else {
            if (CheckedMode.ON) {
                mailbox.receiveHeader(call.peer(), array.type(), array.count());
            }
            mailbox.receive(call.peer(), array.address(), array.byteSize());
        }
    }

    /** Those of a group. What goes to this rank itself is a copy; its n-th receive gets its n-th send. */
    private void addMessages(List<Call> calls) {
        List<DeviceArray> fromSelf = new ArrayList<>();
        for (Call call : calls) {
            if (call.kind() == Call.Kind.SEND && call.peer() == rank()) {
                fromSelf.add(in(call));
            } else if (call.kind().isPointToPoint() && call.peer() != rank()) {
                addMessage(call);
            }
        }
        int next = 0;
        for (Call call : calls) {
            if (call.kind() == Call.Kind.RECV && call.peer() == rank()) {
                copy(fromSelf.get(next++), out(call));
            }
        }
    }

    private void copy(DeviceArray from, DeviceArray to) {
        mailbox.copy(to.address(), from.address(), from.byteSize());
    }

    // ---- what moves only ----

    private void broadcast(Call call) {
        DeviceArray recv = out(call);
        if (!call.isRoot()) {
            mailbox.receive(call.peer(), recv.address(), recv.byteSize());
            return;
        }
        DeviceArray send = in(call);
        for (int r = 0; r < size(); r++) {
            if (r != rank()) {
                mailbox.send(r, send.address(), send.byteSize());
            }
        }
        copy(send, recv);
    }

    private void allGather(DeviceArray send, DeviceArray recv) {
        long bytes = send.byteSize();
        for (int r = 0; r < size(); r++) {
            move(r, send.address(), bytes, recv.address() + r * bytes, bytes);
        }
    }

    private void allGatherV(Call call) {
        DeviceArray send = in(call);
        DeviceArray recv = out(call);
        long unit = send.type().bytes();
        for (int r = 0; r < size(); r++) {
            move(
                    r,
                    send.address(),
                    send.byteSize(),
                    recv.address() + call.recvOffsets()[r] * unit,
                    call.recvCounts()[r] * unit);
        }
    }

    private void allToAll(DeviceArray send, DeviceArray recv) {
        long bytes = send.byteSize() / size();
        for (int r = 0; r < size(); r++) {
            move(r, send.address() + r * bytes, bytes, recv.address() + r * bytes, bytes);
        }
    }

    private void allToAllV(Call call) {
        long unit = in(call).type().bytes();
        for (int r = 0; r < size(); r++) {
            move(
                    r,
                    in(call).address() + call.sendOffsets()[r] * unit,
                    call.sendCounts()[r] * unit,
                    out(call).address() + call.recvOffsets()[r] * unit,
                    call.recvCounts()[r] * unit);
        }
    }

    private void gather(Call call) {
        DeviceArray send = in(call);
        long bytes = send.byteSize();
        if (!call.isRoot()) {
            mailbox.send(call.peer(), send.address(), bytes);
            return;
        }
        for (int r = 0; r < size(); r++) {
            move(r, send.address(), r == rank() ? bytes : 0, out(call).address() + r * bytes, bytes);
        }
    }

    private void scatter(Call call) {
        DeviceArray recv = out(call);
        long bytes = recv.byteSize();
        if (!call.isRoot()) {
            mailbox.receive(call.peer(), recv.address(), bytes);
            return;
        }
        for (int r = 0; r < size(); r++) {
            move(r, in(call).address() + r * bytes, bytes, recv.address(), r == rank() ? bytes : 0);
        }
    }

    /** What goes to a rank, and what comes from it; for this rank itself both are one. */
    private void move(int peer, long from, long sendBytes, long to, long recvBytes) {
        if (peer == rank()) {
            mailbox.copy(to, from, recvBytes);
        } else {
            mailbox.send(peer, from, sendBytes);
            mailbox.receive(peer, to, recvBytes);
        }
    }

    // ---- reductions ----

    private long row(int rank) {
        DeviceArray all = rows;
        if (all == null) {
            all = session.device.allocate(DataType.UINT8, SHARE * size());
            rows = all;
        }
        return all.address() + rank * SHARE;
    }

    /** Combines the first {@code count} elements of all rows. */
    private void combine(ReduceOp op, DataType type, long to, long count) {
        session.reductions.launch(op, type, to, row(0), SHARE, size(), count, mailbox.stream);
    }

    private void allReduce(DeviceArray send, DeviceArray recv, ReduceOp op) {
        if (size() == 1) {
            copy(send, recv);
        } else if (send.byteSize() <= SMALL) {
            for (int r = 0; r < size(); r++) {
                move(r, send.address(), send.byteSize(), row(r), send.byteSize());
            }
            exchange();
            combine(op, send.type(), recv.address(), send.count());
        } else {
            DataType type = send.type();
            long piece = SHARE / type.bytes() * size();
            for (long at = 0; at < send.count(); at += piece) {
                allReduce(send, recv, op, at, Math.min(piece, send.count() - at));
            }
        }
    }

    /** A piece: each rank combines a share of it, and gives the others what comes of it. */
    private void allReduce(DeviceArray send, DeviceArray recv, ReduceOp op, long at, long count) {
        DataType type = send.type();
        long unit = type.bytes();
        long share = (count + size() - 1) / size();
        long mine = share(rank(), share, count);
        for (int r = 0; r < size(); r++) {
            long from = send.address() + (at + Math.min(r * share, count)) * unit;
            move(r, from, share(r, share, count) * unit, row(r), mine * unit);
        }
        exchange();
        long place = recv.address() + (at + Math.min(rank() * share, count)) * unit;
        combine(op, type, place, mine);
        for (int r = 0; r < size(); r++) {
            long to = recv.address() + (at + Math.min(r * share, count)) * unit;
            move(r, place, mine * unit, to, share(r, share, count) * unit);
        }
        exchange();
    }

    /** The elements of a rank's share of {@code count}. */
    private static long share(int rank, long share, long count) {
        return Math.clamp(count - rank * share, 0L, share);
    }

    private void reduce(Call call) {
        DeviceArray send = in(call);
        if (size() == 1) {
            copy(send, out(call));
            return;
        }
        long unit = send.type().bytes();
        long piece = SHARE / unit;
        for (long at = 0; at < send.count(); at += piece) {
            long count = Math.min(piece, send.count() - at);
            long from = send.address() + at * unit;
            if (!call.isRoot()) {
                mailbox.send(call.peer(), from, count * unit);
                continue;
            }
            for (int r = 0; r < size(); r++) {
                move(r, from, r == rank() ? count * unit : 0, row(r), count * unit);
            }
            exchange();
            combine(op(call), send.type(), out(call).address() + at * unit, count);
        }
    }

    private void reduceScatter(DeviceArray send, DeviceArray recv, ReduceOp op) {
        if (size() == 1) {
            copy(send, recv);
            return;
        }
        long unit = send.type().bytes();
        long piece = SHARE / unit;
        for (long at = 0; at < recv.count(); at += piece) {
            long count = Math.min(piece, recv.count() - at);
            for (int r = 0; r < size(); r++) {
                move(r, send.address() + (r * recv.count() + at) * unit, count * unit, row(r), count * unit);
            }
            exchange();
            combine(op, send.type(), recv.address() + at * unit, count);
        }
    }

    @Override
    public String toString() {
        return "NvshmemCommunicator[rank " + rank() + " of " + size() + ", GPU " + session.device.ordinal()
                + (isOpen() ? "]" : ", closed]");
    }
}
