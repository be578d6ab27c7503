// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.AbstractCommunicator;
import org.comm4j.core.spi.Call;
import org.comm4j.core.spi.CheckedMode;
import org.comm4j.core.spi.Peers;
import org.comm4j.core.spi.Survivors;
import org.comm4j.ffi.MemoryCopy;
import org.comm4j.ffi.NativeMemory;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Communicator} of the embedded engine. Takes any {@link HostArray}; those of {@link #allocate} and
 * {@link HostShmem#allocate} are in shared memory and save a copy.
 *
 * <p>Every collective goes one of three ways, always the same on all ranks:
 *
 * <dl>
 *   <dt>eager, up to {@value #EAGER} bytes
 *   <dd>each rank copies what it contributes into its own part of the shared memory and arrives; each waits for those
 *   that it
 *       needs and reads there. One synchronisation.
 *   <dt>direct, where the buffers that others must reach are in shared memory
 *   <dd>ranks publish where their buffers are, and then work on each other's: each copies, or reduces, its share.
 *   Nothing is
 *       copied twice.
 *   <dt>staged
 *   <dd>piece by piece through the shared memory.
 * </dl>
 *
 * <p>Reductions combine the operands of ranks 0, 1, 2, … in this order, element by element, whatever the way, so
 * results do not depend on it, nor on timing. How ranks synchronise, and why two areas used in turn suffice, is in
 * {@link Team}.
 */
public final class HostCommunicator extends AbstractCommunicator {
    static final int EAGER = 4 << 10;
    static final long STAGE = 256 << 10;

    // A rank's workspace: twice a descriptor, an eager area and a stage, then the message channels towards it.
    private static final long DESCRIPTOR_BYTES = 64;
    private static final long AREA_BYTES = DESCRIPTOR_BYTES + EAGER + STAGE;
    private static final long CHANNELS = 2 * AREA_BYTES;

    /** For {@link #reduceShare}: every rank is a target. */
    private static final int ALL = -1;

    private final HostShmem shmem;
    /** How many communicators leave the heap when the last of them is closed; null if its maker does. */
    private final @Nullable AtomicInteger owners;

    private final Team team;
    private final Peers peers;
    private final SharedHeap heap;
    private final MemorySegment memory;
    private final long workspaceBytes;
    /** Where each rank's workspace is in {@link #memory}. */
    private final long[] workspace;

    private final Messages messages;
    private final Reduction reduction = new Reduction();

    // Scratch of the call under way.
    private final MemorySegment[] sources;
    private final MemorySegment[] destinations;
    private final long[] sourceAt;
    private final long[] destinationAt;
    private final long[] sendAt;
    private final long[] recvAt;
    private int area;

    // Its end.
    private boolean hasLeft;
    private boolean isLast;
    private String what = "";

    static HostCommunicator of(HostShmem shmem, boolean ownsShmem) {
        try {
            Team team = Objects.requireNonNull(shmem.world().split(0, 0, "communicator", shmem.heap().timeoutNanos));
            return join(shmem, ownsShmem ? new AtomicInteger() : null, team);
        } catch (RuntimeException e) {
            if (ownsShmem) {
                shmem.close();
            }
            throw e;
        }
    }

    /** A communicator of {@code team}; a rank that cannot make it leaves, so that the others do not wait for it. */
    private static HostCommunicator join(HostShmem shmem, @Nullable AtomicInteger owners, Team team) {
        try {
            HostCommunicator made = new HostCommunicator(shmem, owners, team);
            if (owners != null) {
                owners.incrementAndGet();
            }
            return made;
        } catch (RuntimeException e) {
            team.close();
            throw e;
        }
    }

    private HostCommunicator(HostShmem shmem, @Nullable AtomicInteger owners, Team team) {
        super(HostEngine.NAME, team.rank(), team.size());
        this.shmem = shmem;
        this.owners = owners;
        this.team = team;
        this.heap = shmem.heap();
        this.peers = Peers.all(heap.world())
                .select(IntStream.range(0, team.size()).map(team::worldRank).toArray());
        this.memory = heap.memory;
        this.workspaceBytes = CHANNELS + Messages.bytes(team.size());
        long mine = shmem.allocateLocal("communicator", workspaceBytes);
        this.workspace = Arrays.stream(team.exchange("communicator", heap.timeoutNanos, mine))
                .mapToLong(words -> words[0])
                .toArray();
        this.messages = new Messages(
                heap,
                team,
                Arrays.stream(workspace).map(start -> start + CHANNELS).toArray());
        int size = team.size();
        this.sources = filled(size, memory);
        this.destinations = filled(size, memory);
        this.sourceAt = new long[size];
        this.destinationAt = new long[size];
        this.sendAt = new long[size];
        this.recvAt = new long[size];
    }

    private static MemorySegment[] filled(int size, MemorySegment segment) {
        MemorySegment[] segments = new MemorySegment[size];
        Arrays.fill(segments, segment);
        return segments;
    }

    /** The symmetric heap of the same processes that this communicator is in. */
    public HostShmem shmem() {
        return shmem;
    }

    /** The rank in the world of rank {@code rank} here: the PE to name in calls of {@link #shmem()}. */
    public int worldRank(int rank) {
        return team.worldRank(rank);
    }

    @Override
    public HostArray allocate(DataType type, long count) {
        long bytes = HostArray.bytes(type, count);
        String call = "allocate of " + count + " x " + type + " on rank " + rank() + " of " + size();
        if (!isOpen()) {
            throw new IllegalStateException(call + ": " + this + " is closed");
        }
        long offset = shmem.allocateLocal(call, bytes);
        Arena life = Arena.ofShared();
        MemorySegment part = heap.part(offset, bytes, life, () -> giveBack(offset, bytes));
        return own(HostArray.wrap(part, type), () -> end(life));
    }

    private void end(Arena life) {
        if (isOpen()) {
            life.close();
        } else {
            // What another thread's native call or channel has ends with the heap, which waits for that.
            boolean ignored = NativeMemory.close(life, 0);
        }
    }

    private void giveBack(long offset, long bytes) {
        if (isInStep()) {
            shmem.freeLocal(offset, bytes);
        } else {
            // Slower members may still be at it.
            shmem.retire(team, offset, bytes);
        }
    }

    // ---- calls ----

    @Override
    protected void execute(Call call) {
        what = call.kind().method();
        if (call.kind().isPointToPoint()) {
            addMessage(call);
            messages.run(what, timeoutNanos());
            return;
        }
        if (CheckedMode.ON) {
            checkSame(call);
        }
        long before = team.step();
        team.calls(head(call), call.count());
        try {
            collective(call);
        } catch (CommException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            if (team.step() == before) {
                throw e;
            }
            throw new CommException(
                    call.kind().method() + " on rank " + rank() + " of " + size()
                            + " failed while the others were at it, and they may wait for this rank: close this"
                            + " communicator ("
                            + e.getMessage() + ")",
                    e);
        }
    }

    /** By kind, the number of the operation in a {@link Signature}. */
    private static final int[] OPERATIONS = Arrays.stream(Call.Kind.values())
            .mapToInt(kind -> Signature.operation(kind.method()))
            .toArray();

    private static long head(Call call) {
        Call.Kind kind = call.kind();
        long more = kind == Call.Kind.ALL_GATHER_V
                ? 31L * Arrays.hashCode(call.recvCounts()) + Arrays.hashCode(call.recvOffsets())
                : 0;
        return Signature.head(OPERATIONS[kind.ordinal()], call.type(), call.op(), call.peer(), more);
    }

    /** After calls that did not fit together, unless checked mode or a receiver found it, all of which have ended. */
    @Override
    protected boolean isInStepAfter(CommException e) {
        return super.isInStepAfter(e) && team.isInStep();
    }

    private void collective(Call call) {
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
            case BARRIER -> team.sync(what, timeoutNanos());
            case SEND, RECV, SPLIT -> throw new AssertionError(call);
        }
    }

    @Override
    protected void executeGroup(List<Call> calls) {
        what = "group";
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).kind().isPointToPoint()) {
                addMessage(calls.get(i));
            }
        }
        messages.run(what, timeoutNanos());
        for (int i = 0; i < calls.size(); i++) {
            if (!calls.get(i).kind().isPointToPoint()) {
                execute(calls.get(i));
            }
        }
    }

    private void addMessage(Call call) {
        boolean isSend = call.kind() == Call.Kind.SEND;
        HostArray array = isSend ? in(call) : out(call);
        messages.add(isSend, call.peer(), array, 0, array.count());
    }

    @Override
    protected @Nullable Communicator executeSplit(Call call, int color, int key) {
        if (CheckedMode.ON) {
            checkSame(call);
        }
        Team part = team.split(color, key, "split", timeoutNanos());
        return part == null ? null : join(shmem, null, part);
    }

    @Override
    public List<Integer> failedRanks() {
        List<Integer> failed = new ArrayList<>(peers.failedRanks());
        for (int rank = 0; rank < size(); rank++) {
            if (heap.isOpen() && heap.isDead(team.worldRank(rank)) && !failed.contains(rank)) {
                failed.add(rank);
            }
        }
        Collections.sort(failed);
        return List.copyOf(failed);
    }

    @Override
    protected Communicator executeShrink() {
        String key = LivingTeam.name(team, heap) + ".shrink";
        Duration limit = timeoutNanos() > 0 ? timeout() : heap.world().timeout();
        return Survivors.goOn(
                peers,
                key,
                timeoutNanos(),
                living -> join(shmem, owners, LivingTeam.of(team, heap, peers, living, limit)));
    }

    /** Compares what all ranks call before any of them does it. */
    private void checkSame(Call call) {
        team.calls(Signature.comparing(OPERATIONS[call.kind().ordinal()]), 0);
        CheckedMode.compare(call, team.exchange(call.kind().method(), timeoutNanos(), CheckedMode.signature(call)));
    }

    private static HostArray in(Call call) {
        return host(Objects.requireNonNull(call.send()), call);
    }

    private static HostArray out(Call call) {
        return host(Objects.requireNonNull(call.recv()), call);
    }

    private static ReduceOp op(Call call) {
        return Objects.requireNonNull(call.op());
    }

    private static HostArray host(Buffer buffer, Call call) {
        if (buffer instanceof HostArray array) {
            return array;
        }
        throw new IllegalArgumentException(call.kind().method() + ": the engine 'host' communicates from host memory (a"
                + " HostArray), but was given " + buffer);
    }

    // ---- steps ----

    /** Waits until this rank may write to its area for the next step. */
    private void ready() {
        team.ready(what, timeoutNanos());
        area = team.nextArea();
    }

    private long arrive() {
        return team.arrive();
    }

    private void awaitAll(long step) {
        team.awaitAll(step, what, timeoutNanos());
    }

    private void await(int rank, long step) {
        team.await(rank, step, what, timeoutNanos());
    }

    private void synchronise() {
        awaitAll(arrive());
    }

    private long descriptor(int rank) {
        return workspace[rank] + area * AREA_BYTES;
    }

    private long eager(int rank) {
        return descriptor(rank) + DESCRIPTOR_BYTES;
    }

    private long stage(int rank) {
        return eager(rank) + EAGER;
    }

    /**
     * Tells all ranks where this rank's buffers are in the shared memory, and learns where theirs are: {@link #sendAt},
     * {@link #recvAt}, −1 for those that are elsewhere or not given.
     */
    private void publish(@Nullable HostArray send, @Nullable HostArray recv) {
        ready();
        long mine = descriptor(rank());
        memory.set(JAVA_LONG, mine, send == null ? -1 : heap.offsetOf(send.address(), send.byteSize()));
        memory.set(JAVA_LONG, mine + 8, recv == null ? -1 : heap.offsetOf(recv.address(), recv.byteSize()));
        awaitAll(arrive());
        for (int rank = 0; rank < size(); rank++) {
            sendAt[rank] = memory.get(JAVA_LONG, descriptor(rank));
            recvAt[rank] = memory.get(JAVA_LONG, descriptor(rank) + 8);
        }
    }

    private static boolean allShared(long[] places) {
        for (long place : places) {
            if (place < 0) {
                return false;
            }
        }
        return true;
    }

    private void copyIn(HostArray from, long fromByte, long to, long bytes) {
        MemoryCopy.copy(from.segment(), fromByte, memory, to, bytes);
    }

    private void copyOut(long from, HostArray to, long toByte, long bytes) {
        MemoryCopy.copy(memory, from, to.segment(), toByte, bytes);
    }

    private static void copyLocal(HostArray from, HostArray to) {
        if (from.address() != to.address()) {
            MemoryCopy.copy(from.segment(), 0, to.segment(), 0, from.byteSize());
        }
    }

    /** Elements of the shares into which {@code count} elements are cut, one for each rank, on cache lines. */
    private long share(DataType type, long count) {
        return SharedHeap.alignUp((count + size() - 1) / size() * type.bytes(), 64) / type.bytes();
    }

    /**
     * Reduces {@code count} elements from places in the shared memory, {@link #sourceAt} of all ranks, to one segment.
     */
    private void reduceTo(DataType type, ReduceOp op, MemorySegment target, long targetByte, long count) {
        destinations[0] = target;
        destinationAt[0] = targetByte;
        reduction.reduce(type, op, size(), sources, sourceAt, size(), destinations, destinationAt, 1, count);
        destinations[0] = memory;
    }

    // ---- reductions ----

    private void allReduce(HostArray send, HostArray recv, ReduceOp op) {
        DataType type = send.type();
        if (size() == 1) {
            copyLocal(send, recv);
        } else if (send.byteSize() <= EAGER) {
            ready();
            copyIn(send, 0, eager(rank()), send.byteSize());
            awaitAll(arrive());
            readEager(0);
            reduceTo(type, op, recv.segment(), 0, send.count());
        } else {
            publish(send, recv);
            if (allShared(sendAt) && allShared(recvAt)) {
                reduceShare(type, op, sendAt, recvAt, ALL, send.count());
                synchronise();
            } else {
                reduceStaged(send, recv, op);
            }
        }
    }

    /**
     * This rank's share of {@code total} elements: from the same place of all sources to that place of {@code target},
     * or of {@link #ALL} targets.
     */
    private void reduceShare(DataType type, ReduceOp op, long[] from, long[] to, int target, long total) {
        long share = share(type, total);
        long first = Math.min(share * rank(), total);
        long at = first * type.bytes();
        int targets = 0;
        for (int rank = 0; rank < size(); rank++) {
            sourceAt[rank] = from[rank] + at;
            if (target == ALL || target == rank) {
                destinationAt[targets++] = to[rank] + at;
            }
        }
        long count = Math.min(share, total - first);
        reduction.reduce(type, op, size(), sources, sourceAt, size(), destinations, destinationAt, targets, count);
    }

    /** Makes the operands of a reduction those at {@code offset} of all ranks' eager areas. */
    private void readEager(long offset) {
        for (int rank = 0; rank < size(); rank++) {
            sourceAt[rank] = eager(rank) + offset;
        }
    }

    /** Reduces piece by piece; {@code recv} is null on a rank that does not want the result. */
    private void reduceStaged(HostArray send, @Nullable HostArray recv, ReduceOp op) {
        DataType type = send.type();
        long piece = STAGE / type.bytes();
        for (long at = 0; at < send.count(); at += piece) {
            long count = Math.min(piece, send.count() - at);
            reducePiece(send, at, count, op);
            if (recv != null) {
                copyOut(stage(rank()), recv, at * type.bytes(), count * type.bytes());
            }
        }
    }

    /** Reduces one piece of all ranks' {@code send}; afterwards the result is in every rank's own stage. */
    private void reducePiece(HostArray send, long at, long count, ReduceOp op) {
        DataType type = send.type();
        ready();
        copyIn(send, at * type.bytes(), stage(rank()), count * type.bytes());
        awaitAll(arrive());
        for (int rank = 0; rank < size(); rank++) {
            sendAt[rank] = stage(rank);
        }
        // My share of a stage is read and written by nobody but me until all have arrived again.
        reduceShare(type, op, sendAt, sendAt, ALL, count);
        synchronise();
    }

    private void reduce(Call call) {
        HostArray send = in(call);
        HostArray recv = call.isRoot() ? out(call) : null;
        DataType type = send.type();
        int root = call.peer();
        if (size() == 1) {
            copyLocal(send, out(call));
        } else if (send.byteSize() <= EAGER) {
            ready();
            copyIn(send, 0, eager(rank()), send.byteSize());
            long step = arrive();
            if (recv != null) {
                awaitAll(step);
                readEager(0);
                reduceTo(type, op(call), recv.segment(), 0, send.count());
            }
        } else {
            publish(send, recv);
            if (allShared(sendAt) && recvAt[root] >= 0) {
                reduceShare(type, op(call), sendAt, recvAt, root, send.count());
                synchronise();
            } else {
                reduceStaged(send, recv, op(call));
            }
        }
    }

    private void reduceScatter(HostArray send, HostArray recv, ReduceOp op) {
        DataType type = send.type();
        long mine = recv.byteSize() * rank();
        if (size() == 1) {
            copyLocal(send, recv);
        } else if (send.byteSize() <= EAGER) {
            ready();
            copyIn(send, 0, eager(rank()), send.byteSize());
            awaitAll(arrive());
            readEager(mine);
            reduceTo(type, op, recv.segment(), 0, recv.count());
        } else {
            publish(send, recv);
            if (allShared(sendAt)) {
                for (int rank = 0; rank < size(); rank++) {
                    sourceAt[rank] = sendAt[rank] + mine;
                }
                reduceTo(type, op, recv.segment(), 0, recv.count());
                synchronise();
            } else {
                // Part by part of the pieces: each stage holds the same range of every rank's part.
                long piece = STAGE / size() / type.bytes();
                for (long at = 0; at < recv.count(); at += piece) {
                    long count = Math.min(piece, recv.count() - at);
                    long bytes = count * type.bytes();
                    ready();
                    for (int rank = 0; rank < size(); rank++) {
                        copyIn(send, rank * recv.byteSize() + at * type.bytes(), stage(rank()) + rank * bytes, bytes);
                    }
                    awaitAll(arrive());
                    for (int rank = 0; rank < size(); rank++) {
                        sourceAt[rank] = stage(rank) + rank() * bytes;
                    }
                    reduceTo(type, op, recv.segment(), at * type.bytes(), count);
                }
            }
        }
    }

    // ---- data movement ----

    private void broadcast(Call call) {
        HostArray recv = out(call);
        HostArray send = call.isRoot() ? in(call) : null;
        int root = call.peer();
        if (send != null) {
            copyLocal(send, recv);
        }
        long bytes = recv.byteSize();
        if (bytes <= EAGER) {
            ready();
            if (send != null) {
                copyIn(send, 0, eager(root), bytes);
                arrive();
            } else {
                await(root, arrive());
                copyOut(eager(root), recv, 0, bytes);
            }
            return;
        }
        publish(send, null);
        if (sendAt[root] >= 0) {
            if (send == null) {
                copyOut(sendAt[root], recv, 0, bytes);
                arrive();
            } else {
                synchronise();
            }
            return;
        }
        for (long at = 0; at < bytes; at += STAGE) {
            long length = Math.min(STAGE, bytes - at);
            ready();
            if (send != null) {
                copyIn(send, at, stage(root), length);
                arrive();
            } else {
                await(root, arrive());
                copyOut(stage(root), recv, at, length);
            }
        }
    }

    private void allGather(HostArray send, HostArray recv) {
        long bytes = send.byteSize();
        for (int rank = 0; rank < size(); rank++) {
            destinationAt[rank] = rank * bytes;
        }
        gatherTo(send, recv, bytes, null, true, -1);
    }

    private void allGatherV(Call call) {
        HostArray recv = out(call);
        long[] counts = call.recvCounts();
        long[] offsets = call.recvOffsets();
        int element = recv.type().bytes();
        long largest = 0;
        for (int rank = 0; rank < size(); rank++) {
            destinationAt[rank] = offsets[rank] * element;
            largest = Math.max(largest, counts[rank] * element);
        }
        gatherTo(in(call), recv, largest, counts, true, -1);
    }

    private void gather(Call call) {
        HostArray send = in(call);
        long bytes = send.byteSize();
        for (int rank = 0; rank < size(); rank++) {
            destinationAt[rank] = rank * bytes;
        }
        gatherTo(send, call.isRoot() ? out(call) : send, bytes, null, call.isRoot(), call.peer());
    }

    /**
     * Brings every rank's {@code send} to place {@link #destinationAt} of {@code recv}, on all ranks or on {@code
     * root}.
     *
     * @param largest bytes of the largest part
     * @param counts elements of each rank's part; null if all are of {@code largest} bytes
     * @param receives whether this rank receives
     * @param root −1 if all receive
     */
    private void gatherTo(
            HostArray send, HostArray recv, long largest, long @Nullable [] counts, boolean receives, int root) {
        int element = send.type().bytes();
        if (largest <= EAGER) {
            ready();
            copyIn(send, 0, eager(rank()), send.byteSize());
            long step = arrive();
            if (receives) {
                awaitAll(step);
                for (int rank = 0; rank < size(); rank++) {
                    copyOut(eager(rank), recv, destinationAt[rank], part(rank, largest, counts, element));
                }
            }
            return;
        }
        publish(send, receives ? recv : null);
        if (root >= 0 && recvAt[root] >= 0) {
            // Each rank puts its own part, so that all of them copy at the same time.
            long target = recvAt[root] + destinationAt[rank()];
            if (memory.address() + target != send.address()) {
                copyIn(send, 0, target, send.byteSize());
            }
            long step = arrive();
            if (receives) {
                awaitAll(step);
            }
        } else if (allShared(sendAt)) {
            if (receives) {
                for (int i = 0; i < size(); i++) {
                    // Everybody starts with another rank, so that they do not all read the same memory.
                    int rank = (rank() + i) % size();
                    long place = recv.address() + destinationAt[rank];
                    if (memory.address() + sendAt[rank] != place) {
                        copyOut(sendAt[rank], recv, destinationAt[rank], part(rank, largest, counts, element));
                    }
                }
            }
            synchronise();
        } else {
            for (long at = 0; at < largest; at += STAGE) {
                ready();
                long mine = Math.clamp(send.byteSize() - at, 0, STAGE);
                copyIn(send, mine == 0 ? 0 : at, stage(rank()), mine);
                long step = arrive();
                if (receives) {
                    awaitAll(step);
                    for (int rank = 0; rank < size(); rank++) {
                        long length = Math.clamp(part(rank, largest, counts, element) - at, 0, STAGE);
                        if (length > 0) {
                            copyOut(stage(rank), recv, destinationAt[rank] + at, length);
                        }
                    }
                }
            }
        }
    }

    private static long part(int rank, long largest, long @Nullable [] counts, int element) {
        return counts == null ? largest : counts[rank] * element;
    }

    private void scatter(Call call) {
        HostArray recv = out(call);
        HostArray send = call.isRoot() ? in(call) : null;
        int root = call.peer();
        long bytes = recv.byteSize();
        if (bytes * size() <= EAGER) {
            ready();
            if (send != null) {
                copyIn(send, 0, eager(root), send.byteSize());
                arrive();
                copyPart(send, bytes, recv);
            } else {
                await(root, arrive());
                copyOut(eager(root) + bytes * rank(), recv, 0, bytes);
            }
            return;
        }
        publish(send, null);
        if (sendAt[root] >= 0) {
            if (send != null) {
                copyPart(send, bytes, recv);
                synchronise();
            } else {
                copyOut(sendAt[root] + bytes * rank(), recv, 0, bytes);
                arrive();
            }
            return;
        }
        long piece = STAGE / size() & -64;
        for (long at = 0; at < bytes; at += piece) {
            long length = Math.min(piece, bytes - at);
            ready();
            if (send != null) {
                for (int rank = 0; rank < size(); rank++) {
                    copyIn(send, bytes * rank + at, stage(root) + piece * rank, length);
                }
                arrive();
            } else {
                await(root, arrive());
                copyOut(stage(root) + piece * rank(), recv, at, length);
            }
        }
        if (send != null) {
            copyPart(send, bytes, recv);
        }
    }

    /** The root's own part of a scatter. */
    private void copyPart(HostArray send, long bytes, HostArray recv) {
        if (send.address() + bytes * rank() != recv.address()) {
            MemoryCopy.copy(send.segment(), bytes * rank(), recv.segment(), 0, bytes);
        }
    }

    private void allToAll(HostArray send, HostArray recv) {
        long bytes = send.byteSize() / size();
        if (send.byteSize() <= EAGER) {
            ready();
            copyIn(send, 0, eager(rank()), send.byteSize());
            awaitAll(arrive());
            for (int rank = 0; rank < size(); rank++) {
                copyOut(eager(rank) + bytes * rank(), recv, bytes * rank, bytes);
            }
            return;
        }
        publish(send, null);
        if (allShared(sendAt)) {
            for (int i = 0; i < size(); i++) {
                int rank = (rank() + i) % size();
                copyOut(sendAt[rank] + bytes * rank(), recv, bytes * rank, bytes);
            }
            synchronise();
            return;
        }
        long piece = STAGE / size() & -64;
        for (long at = 0; at < bytes; at += piece) {
            long length = Math.min(piece, bytes - at);
            ready();
            for (int rank = 0; rank < size(); rank++) {
                copyIn(send, bytes * rank + at, stage(rank()) + piece * rank, length);
            }
            awaitAll(arrive());
            for (int rank = 0; rank < size(); rank++) {
                copyOut(stage(rank) + piece * rank(), recv, bytes * rank + at, length);
            }
        }
    }

    /** As messages: only sender and receiver know how much goes from one to the other. */
    private void allToAllV(Call call) {
        HostArray send = in(call);
        HostArray recv = out(call);
        // Nobody waits for this step, but the others compare what they call.
        ready();
        arrive();
        for (int i = 0; i < size(); i++) {
            int to = (rank() + i) % size();
            int from = (rank() - i + size()) % size();
            messages.add(true, to, send, call.sendOffsets()[to], call.sendCounts()[to]);
            messages.add(false, from, recv, call.recvOffsets()[from], call.recvCounts()[from]);
        }
        messages.run(what, timeoutNanos());
    }

    // ---- end ----

    @Override
    protected void release() {
        team.close();
        if (owners != null && !hasLeft) {
            hasLeft = true;
            isLast = owners.decrementAndGet() == 0;
        }
        if (isLast) {
            shmem.close();
        } else if (heap.isOpen()) {
            // Slower members may still be reading there.
            shmem.retire(team, workspace[rank()], workspaceBytes);
        }
    }

    @Override
    public String toString() {
        return "HostCommunicator[rank " + rank() + " of " + size() + (isOpen() ? "]" : ", closed]");
    }
}
