// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.host.Reduction;

/**
 * The collectives of a team's members, out of synchronisations and gets: each member takes what it needs from the others' memory, so whoever is slow delays nobody twice. Each begins
 * when all have come, and ends when nobody needs this member's source any more. Places are offsets in every heap; everything is checked.
 */
final class Collectives {
    /** Up to so many bytes every member reduces everything itself: that is one synchronisation less. */
    private static final long ALL_REDUCE_ALL = 8 << 10;

    /** Operands from PEs out of reach come in pieces of so many bytes. */
    private static final long PIECE = 64 << 10;

    private final Session session;
    private final Members members;
    private final Reduction reduction = new Reduction();
    private final MemorySegment[] sources;
    private final long[] sourceOffsets;
    private final MemorySegment[] destination = new MemorySegment[1];
    private final long[] destinationOffset = new long[1];
    private MemorySegment scratch = MemorySegment.NULL;

    Collectives(Session session, Members members) {
        this.session = session;
        this.members = members;
        this.sources = new MemorySegment[members.pes.length];
        this.sourceOffsets = new long[members.pes.length];
    }

    private int size() {
        return members.pes.length;
    }

    /** Where a place of this PE's own heap is in memory. */
    private long own(long offset) {
        return session.heaps[session.myPe] + offset;
    }

    private void pull(long to, int member, long from, long bytes) {
        session.get(session.engine.stream(), session.memory, own(to), from, bytes, members.pes[member]);
    }

    private MemorySegment scratch(long bytes) {
        if (scratch.byteSize() < bytes) {
            scratch = Arena.ofAuto().allocate(bytes, 64);
        }
        return scratch;
    }

    void broadcast(long to, long from, long bytes, int root) {
        members.sync("broadcast");
        if (members.rank != root || to != from) {
            pull(to, root, from, bytes);
        }
        members.sync("broadcast");
    }

    void fcollect(long to, long from, long bytes) {
        members.sync("fcollect");
        for (int i = 0; i < size(); i++) {
            // Not all at once from the same one.
            int member = (members.rank + i) % size();
            pull(to + member * bytes, member, from, bytes);
        }
        members.sync("fcollect");
    }

    /** The bytes that each member gives, and what they make together. */
    long[] collected(String operation, long bytes) {
        return Arrays.stream(members.exchange(operation, bytes))
                .mapToLong(words -> words[0])
                .toArray();
    }

    void collect(long to, long from, long[] bytes) {
        long at = to;
        for (int member = 0; member < size(); member++) {
            pull(at, member, from, bytes[member]);
            at += bytes[member];
        }
        members.sync("collect");
    }

    void allToAll(long to, long from, long bytes) {
        members.sync("allToAll");
        for (int i = 0; i < size(); i++) {
            int member = (members.rank + i) % size();
            pull(to + member * bytes, member, from + members.rank * bytes, bytes);
        }
        members.sync("allToAll");
    }

    /** Strides in bytes from one element of a part to the next; parts are {@code count} strides apart. */
    void allToAllStrided(long to, long from, long toStride, long fromStride, long element, long count) {
        members.sync("allToAllStrided");
        for (int i = 0; i < size(); i++) {
            int member = (members.rank + i) % size();
            for (long k = 0; k < count; k++) {
                pull(
                        to + (member * count + k) * toStride,
                        member,
                        from + (members.rank * count + k) * fromStride,
                        element);
            }
        }
        members.sync("allToAllStrided");
    }

    void reduce(DataType type, ReduceOp op, long to, long from, long count) {
        members.sync("reduce");
        long bytes = count * type.bytes();
        if (bytes <= ALL_REDUCE_ALL || size() == 1) {
            MemorySegment result = scratch(bytes);
            combine(type, op, from, count, size(), result, 0);
            members.sync("reduce");
            MemorySegment.copy(result, 0, session.memory, own(to), bytes);
            return;
        }
        // In place, too: nobody but this member reads its part of its own source.
        long mine = part(count, members.rank) * type.bytes();
        long end = part(count, members.rank + 1) * type.bytes();
        combine(type, op, from + mine, (end - mine) / type.bytes(), size(), session.memory, own(to + mine));
        members.sync("reduce");
        for (int i = 1; i < size(); i++) {
            int member = (members.rank + i) % size();
            long start = part(count, member) * type.bytes();
            pull(to + start, member, to + start, part(count, member + 1) * type.bytes() - start);
        }
        members.sync("reduce");
    }

    /** Where a member's part of so many elements begins. */
    private long part(long count, int member) {
        return count / size() * member + Math.min(member, count % size());
    }

    void reduceScatter(DataType type, ReduceOp op, long to, long from, long count) {
        members.sync("reduceScatter");
        combine(type, op, from + members.rank * count * type.bytes(), count, size(), session.memory, own(to));
        members.sync("reduceScatter");
    }

    /** The sum over this member and those before it, or only over those. */
    void scan(String operation, boolean inclusive, DataType type, long to, long from, long count) {
        members.sync(operation);
        MemorySegment result = scratch(count * type.bytes());
        int operands = members.rank + (inclusive ? 1 : 0);
        if (operands > 0) {
            combine(type, ReduceOp.SUM, from, count, operands, result, 0);
        } else {
            result.asSlice(0, count * type.bytes()).fill((byte) 0);
        }
        members.sync(operation);
        MemorySegment.copy(result, 0, session.memory, own(to), count * type.bytes());
    }

    /** Combines the sources of the first members, element by element, in their order. */
    private void combine(
            DataType type, ReduceOp op, long from, long count, int operands, MemorySegment result, long resultAt) {
        destination[0] = result;
        if (session.engine.allWithinReach) {
            for (int member = 0; member < operands; member++) {
                sources[member] = session.memory;
                sourceOffsets[member] = session.heaps[members.pes[member]] + from;
            }
            destinationOffset[0] = resultAt;
            reduction.reduce(
                    type, op, operands, sources, sourceOffsets, operands, destination, destinationOffset, 1, count);
            return;
        }
        long piece = PIECE / type.bytes();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pieces = arena.allocate(PIECE * operands, 64);
            for (long done = 0; done < count; done += piece) {
                long now = Math.min(piece, count - done);
                for (int member = 0; member < operands; member++) {
                    sources[member] = pieces;
                    sourceOffsets[member] = member * PIECE;
                    session.get(
                            session.engine.stream(),
                            pieces,
                            member * PIECE,
                            from + done * type.bytes(),
                            now * type.bytes(),
                            members.pes[member]);
                }
                destinationOffset[0] = resultAt + done * type.bytes();
                reduction.reduce(
                        type, op, operands, sources, sourceOffsets, operands, destination, destinationOffset, 1, now);
            }
        }
    }
}
