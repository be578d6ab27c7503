// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * What one rank does in one measured collective: which buffers it passes, what they hold before, and what they must
 * hold after.
 */
final class RankCall {
    /** Bits that no check takes for a result: NaN, or −1. */
    private static final byte POISON = -1;

    final Operation operation;
    final Operation.Shape shape;
    final ReduceOp op;
    final int root;
    final int rank;
    final int ranks;
    private final Pattern pattern;
    /** Elements to and from each rank, and where they are, of {@link Operation#ALL_TO_ALL_V}. */
    final long[] sendCounts;

    final long[] recvCounts;
    final long[] sendOffsets;
    final long[] recvOffsets;

    RankCall(
            Operation operation,
            Operation.Shape shape,
            DataType type,
            @Nullable ReduceOp op,
            int root,
            int rank,
            int ranks) {
        this.operation = operation;
        this.shape = shape;
        this.op = op == null ? ReduceOp.SUM : op;
        this.root = root;
        this.rank = rank;
        this.ranks = ranks;
        this.pattern = new Pattern(type, op, ranks);
        this.sendCounts = counts(type, peer -> Math.floorMod(peer - rank, ranks));
        this.recvCounts = counts(type, peer -> Math.floorMod(rank - peer, ranks));
        this.sendOffsets = offsets(sendCounts);
        this.recvOffsets = offsets(recvCounts);
    }

    private long[] counts(DataType type, IntUnaryOperator distance) {
        return IntStream.range(0, operation == Operation.ALL_TO_ALL_V ? ranks : 0)
                .mapToLong(peer -> Operation.partAt(distance.applyAsInt(peer), shape.count(), type, ranks))
                .toArray();
    }

    private static long[] offsets(long[] counts) {
        long[] offsets = counts.clone();
        Arrays.parallelPrefix(offsets, Long::sum);
        Arrays.setAll(offsets, i -> offsets[i] - counts[i]);
        return offsets;
    }

    /** The two buffers of a call. */
    record Pair(Buffer send, Buffer recv) {}

    /** The buffers to pass, of one of {@code shape.send()} and one of {@code shape.recv()} elements. */
    Pair buffers(Buffer send, Buffer recv, boolean inPlace) {
        if (!inPlace) {
            return new Pair(send, recv);
        }
        // The larger buffer holds the smaller one.
        return switch (operation) {
            case ALL_GATHER, HYPERCUBE -> new Pair(part(recv, rank), recv);
            case GATHER -> new Pair(rank == root ? part(recv, rank) : send, recv);
            case REDUCE_SCATTER -> new Pair(send, part(send, rank));
            case SCATTER -> new Pair(send, rank == root ? part(send, rank) : recv);
            default -> new Pair(send, send);
        };
    }

    private Buffer part(Buffer buffer, int of) {
        return buffer.slice(shape.count() * of, shape.count());
    }

    /** Of a hypercube: what this rank sends in the step of {@code bit}, {@code shape.count() * bit} elements. */
    Buffer cubeSend(Buffer recv, int bit) {
        return recv.slice((rank & -bit) * shape.count(), shape.count() * bit);
    }

    /** What it receives. */
    Buffer cubeRecv(Buffer recv, int bit) {
        return recv.slice(((rank & -bit) ^ bit) * shape.count(), shape.count() * bit);
    }

    /** The rank to which a message goes that travels round the ring. */
    int next() {
        return (rank + 1) % ranks;
    }

    /** The rank from which it comes. */
    int previous() {
        return (rank + ranks - 1) % ranks;
    }

    boolean hasResult() {
        return operation != Operation.BARRIER;
    }

    /** Puts this rank's data into the buffers. */
    void prepare(Pair buffers) {
        // In place one buffer holds the other: the data comes last.
        poison(buffers.recv);
        if (buffers.send instanceof HostArray array) {
            pattern.fill(array, rank, 0);
        } else {
            try (Arena arena = Arena.ofConfined()) {
                HostArray data = HostArray.allocate(arena, buffers.send.type(), buffers.send.count());
                pattern.fill(data, rank, 0);
                buffers.send.copyFrom(data);
            }
        }
    }

    /** Fills with bits that no check takes for a result. */
    static void poison(Buffer buffer) {
        if (buffer instanceof HostArray array) {
            array.segment().fill(POISON);
        } else {
            try (Arena arena = Arena.ofConfined()) {
                HostArray bits = HostArray.allocate(arena, buffer.type(), buffer.count());
                bits.segment().fill(POISON);
                buffer.copyFrom(bits);
            }
        }
    }

    /** After the call: elements of this rank's result that are not what they must be. */
    long wrong(Pair buffers) {
        boolean receives = switch (operation) {
            case REDUCE, GATHER -> rank == root;
            case BARRIER -> false;
            default -> true;
        };
        if (!receives) {
            return 0;
        }
        if (buffers.recv instanceof HostArray array) {
            return wrong(array);
        }
        try (Arena arena = Arena.ofConfined()) {
            HostArray result = HostArray.allocate(arena, buffers.recv.type(), buffers.recv.count());
            buffers.recv.copyTo(result);
            return wrong(result);
        }
    }

    private long wrong(HostArray recv) {
        long count = shape.count();
        return switch (operation) {
            case ALL_REDUCE, REDUCE -> pattern.wrongReduced(recv, 0);
            case REDUCE_SCATTER -> pattern.wrongReduced(recv, count * rank);
            case BROADCAST -> pattern.wrongMoved(recv, root, 0);
            case SCATTER -> pattern.wrongMoved(recv, root, count * rank);
            case ALL_GATHER, HYPERCUBE, GATHER -> wrongParts(recv, 0);
            case ALL_TO_ALL -> wrongParts(recv, count * rank);
            case ALL_TO_ALL_V -> wrongUnequalParts(recv);
            case SEND_RECV -> pattern.wrongMoved(recv, previous(), 0);
            default -> throw new AssertionError(operation);
        };
    }

    /** Each rank's part is from where its parts for the ranks before this one end. */
    private long wrongUnequalParts(HostArray recv) {
        long wrong = 0;
        for (int from = 0; from < ranks; from++) {
            long first = 0;
            for (int peer = 0; peer < rank; peer++) {
                first += Operation.partAt(Math.floorMod(peer - from, ranks), shape.count(), recv.type(), ranks);
            }
            wrong += pattern.wrongMoved(recv.slice(recvOffsets[from], recvCounts[from]), from, first);
        }
        return wrong;
    }

    /** Of a result with a part from each rank, its elements from {@code first} on. */
    private long wrongParts(HostArray recv, long first) {
        long wrong = 0;
        for (int from = 0; from < ranks; from++) {
            wrong += pattern.wrongMoved(recv.slice(shape.count() * from, shape.count()), from, first);
        }
        return wrong;
    }
}
