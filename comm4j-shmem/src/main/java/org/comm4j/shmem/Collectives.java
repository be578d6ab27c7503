// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.host.Reduction;

/**
 * The collectives of a team's members: each member takes what it needs from the others' memory, so whoever is slow
 * delays nobody twice. Places are offsets in every heap; everything is checked. They go one of three ways, the same on
 * all members:
 *
 * <dl>
 *   <dt>eager, up to {@value Members#EAGER} bytes of a member, where members are near
 *   <dd>each publishes what it gives in its eager area, and takes from the areas of those that it needs when these have
 *   come. One step, and nobody waits for those that it needs nothing of. <dt>direct, where members are near
 *   <dd>each takes from the others' sources when these have come, and ends when nobody needs its own any more. Two
 *   steps, of a broadcast one. <dt>by gets, elsewhere
 *   <dd>the same between two synchronisations of all.
 * </dl>
 */
final class Collectives {
    /** Operands from PEs out of reach come in pieces of so many bytes. */
    private static final long PIECE = 64 << 10;

    /** Up to so many bytes every member out of reach reduces everything itself: that is one synchronisation less. */
    private static final long ALL_REDUCE_ALL = 8 << 10;

    private final Session session;
    private final Members members;
    private final boolean near;
    private final Reduction reduction = new Reduction();
    private final MemorySegment[] sources;
    private final long[] sourceOffsets;
    private final MemorySegment[] destinations;
    private final long[] destinationOffsets;
    /** Of {@link #collect}: the bytes that each member gives. */
    private final long[] collected;

    private MemorySegment scratch = MemorySegment.NULL;

    Collectives(Session session, Members members) {
        this.session = session;
        this.members = members;
        this.near = members.areNear();
        this.sources = new MemorySegment[size()];
        this.sourceOffsets = new long[size()];
        this.destinations = new MemorySegment[size()];
        this.destinationOffsets = new long[size()];
        this.collected = new long[size()];
    }

    private int size() {
        return members.pes.length;
    }

    /** Where a place of this PE's own heap is in memory. */
    private long own(long offset) {
        return session.heaps[session.myPe] + offset;
    }

    private void pull(long to, int member, long from, long bytes) {
        int pe = members.pes[member];
        long heap = session.heaps[pe];
        if (heap >= 0) {
            session.copyWithin(heap + from, own(to), bytes);
        } else {
            session.get(session.engine.stream(), session.memory, own(to), from, bytes, pe);
        }
    }

    private MemorySegment scratch(long bytes) {
        if (scratch.byteSize() < bytes) {
            scratch = Arena.ofAuto().allocate(bytes, 64);
        }
        return scratch;
    }

    // ---- eager ----

    private boolean isEager(long bytes) {
        return near && bytes <= Members.EAGER;
    }

    /** Publishes bytes of this PE's heap, and comes to the step that is returned. */
    private long give(String what, long from, long bytes) {
        long step = members.step() + 1;
        members.ready(what);
        session.copyWithin(own(from), members.eager(members.rank, step), bytes);
        return members.arrive(what);
    }

    /** Takes what a member has published, from byte {@code at} on, when it has come. */
    private void take(String what, long step, int member, long at, long to, long bytes) {
        members.await(what, member, step);
        session.copyWithin(members.eager(member, step) + at, own(to), bytes);
    }

    // ---- data movement ----

    void broadcast(long to, long from, long bytes, int root) {
        boolean isRoot = members.rank == root;
        if (isEager(bytes)) {
            if (isRoot) {
                long ignored = give("broadcast", from, bytes);
                copyOwn(to, from, bytes);
            } else {
                // Nothing of this member's is looked at, so it can come before it takes.
                long step = members.arrive("broadcast");
                take("broadcast", step, root, 0, to, bytes);
            }
        } else if (near) {
            if (isRoot) {
                // All must have compared the calls of the last step before this one's takes their place.
                members.ready("broadcast");
                long step = members.arrive("broadcast");
                copyOwn(to, from, bytes);
                members.awaitAll("broadcast", step);
            } else {
                members.await("broadcast", root, members.step() + 1);
                pull(to, root, from, bytes);
                long ignored = members.arrive("broadcast");
            }
        } else {
            members.sync("broadcast");
            if (!isRoot || to != from) {
                pull(to, root, from, bytes);
            }
            members.sync("broadcast");
        }
    }

    private void copyOwn(long to, long from, long bytes) {
        if (to != from) {
            session.copyWithin(own(from), own(to), bytes);
        }
    }

    void fcollect(long to, long from, long bytes) {
        if (isEager(bytes)) {
            long step = give("fcollect", from, bytes);
            copyOwn(to + members.rank * bytes, from, bytes);
            for (int i = 1; i < size(); i++) {
                int member = other(i);
                take("fcollect", step, member, 0, to + member * bytes, bytes);
            }
            return;
        }
        members.sync("fcollect");
        for (int i = 0; i < size(); i++) {
            int member = other(i);
            pull(to + member * bytes, member, from, bytes);
        }
        members.sync("fcollect");
    }

    /** The i-th member to take from: not all at once from the same one. */
    private int other(int i) {
        int member = members.rank + i;
        return member < size() ? member : member - size();
    }

    /**
     * The first part of {@link #collect}: tells the others how much this member gives, and perhaps what.
     *
     * @return the bytes of all together
     */
    long collected(long from, long bytes) {
        if (near) {
            long step = members.step() + 1;
            members.ready("collect");
            long mine = members.eager(members.rank, step);
            session.memory.set(ValueLayout.JAVA_LONG, mine, bytes);
            if (bytes <= Members.EAGER - Long.BYTES) {
                session.copyWithin(own(from), mine + Long.BYTES, bytes);
            }
            members.awaitAll("collect", members.arrive("collect"));
            for (int member = 0; member < size(); member++) {
                collected[member] = session.memory.get(ValueLayout.JAVA_LONG, members.eager(member, step));
            }
        } else {
            long[][] words = members.exchange("collect", bytes);
            for (int member = 0; member < size(); member++) {
                collected[member] = words[member][0];
            }
        }
        long all = 0;
        for (long some : collected) {
            all = Math.addExact(all, some);
        }
        return all;
    }

    /** The second part: takes what all have told of. */
    void collect(long to, long from) {
        boolean allEager = near;
        long at = to;
        for (int member = 0; member < size(); member++) {
            long bytes = collected[member];
            if (near && bytes <= Members.EAGER - Long.BYTES) {
                session.copyWithin(members.eager(member, members.step()) + Long.BYTES, own(at), bytes);
            } else {
                allEager = false;
                pull(at, member, from, bytes);
            }
            at += bytes;
        }
        if (!allEager) {
            members.sync("collect");
        }
    }

    void allToAll(long to, long from, long bytes) {
        if (isEager(bytes * size())) {
            long step = give("allToAll", from, bytes * size());
            copyOwn(to + members.rank * bytes, from + members.rank * bytes, bytes);
            for (int i = 1; i < size(); i++) {
                int member = other(i);
                take("allToAll", step, member, members.rank * bytes, to + member * bytes, bytes);
            }
            return;
        }
        members.sync("allToAll");
        for (int i = 0; i < size(); i++) {
            int member = other(i);
            pull(to + member * bytes, member, from + members.rank * bytes, bytes);
        }
        members.sync("allToAll");
    }

    /** Strides in bytes from one element of a part to the next; parts are {@code count} strides apart. */
    void allToAllStrided(long to, long from, long toStride, long fromStride, long element, long count) {
        members.sync("allToAllStrided");
        for (int i = 0; i < size(); i++) {
            int member = other(i);
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

    // ---- reductions ----

    void reduce(DataType type, ReduceOp op, long to, long from, long count) {
        long bytes = count * type.bytes();
        if (isEager(bytes)) {
            long step = give("reduce", from, bytes);
            members.awaitAll("reduce", step);
            combineEager(type, op, step, 0, count, size(), own(to));
            return;
        }
        members.sync("reduce");
        if (near) {
            // In place, too: nobody but this member reads its part of any source.
            long first = part(count, members.rank);
            long mine = first * type.bytes();
            for (int member = 0; member < size(); member++) {
                long heap = session.heaps[members.pes[member]];
                sourceAt(member, heap + from + mine);
                destinationAt(member, heap + to + mine);
            }
            reduction.reduce(
                    type,
                    op,
                    size(),
                    sources,
                    sourceOffsets,
                    size(),
                    destinations,
                    destinationOffsets,
                    size(),
                    part(count, members.rank + 1) - first);
        } else {
            reduceByGets(type, op, to, from, count);
        }
        members.sync("reduce");
    }

    private void reduceByGets(DataType type, ReduceOp op, long to, long from, long count) {
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
            int member = other(i);
            long start = part(count, member) * type.bytes();
            pull(to + start, member, to + start, part(count, member + 1) * type.bytes() - start);
        }
    }

    /** Where a member's part of so many elements begins. */
    private long part(long count, int member) {
        return count / size() * member + Math.min(member, count % size());
    }

    void reduceScatter(DataType type, ReduceOp op, long to, long from, long count) {
        long part = count * type.bytes();
        if (isEager(part * size())) {
            long step = give("reduceScatter", from, part * size());
            members.awaitAll("reduceScatter", step);
            combineEager(type, op, step, members.rank * part, count, size(), own(to));
            return;
        }
        members.sync("reduceScatter");
        combine(type, op, from + members.rank * part, count, size(), session.memory, own(to));
        members.sync("reduceScatter");
    }

    /** The sum over this member and those before it, or only over those. */
    void scan(String operation, boolean inclusive, DataType type, long to, long from, long count) {
        long bytes = count * type.bytes();
        int operands = members.rank + (inclusive ? 1 : 0);
        if (isEager(bytes)) {
            long step = give(operation, from, bytes);
            for (int member = 0; member < operands; member++) {
                members.await(operation, member, step);
            }
            if (operands > 0) {
                combineEager(type, ReduceOp.SUM, step, 0, count, operands, own(to));
            } else {
                session.own(to, bytes).fill((byte) 0);
            }
            return;
        }
        members.sync(operation);
        MemorySegment result = scratch(bytes);
        if (operands > 0) {
            combine(type, ReduceOp.SUM, from, count, operands, result, 0);
        } else {
            result.asSlice(0, bytes).fill((byte) 0);
        }
        members.sync(operation);
        MemorySegment.copy(result, 0, session.memory, own(to), bytes);
    }

    private void sourceAt(int member, long place) {
        sources[member] = session.memory;
        sourceOffsets[member] = place;
    }

    private void destinationAt(int i, long place) {
        destinations[i] = session.memory;
        destinationOffsets[i] = place;
    }

    /**
     * Combines what the first members have published at a step, from byte {@code at} on, in their order; to a place of
     * memory.
     */
    private void combineEager(DataType type, ReduceOp op, long step, long at, long count, int operands, long result) {
        for (int member = 0; member < operands; member++) {
            sourceAt(member, members.eager(member, step) + at);
        }
        destinationAt(0, result);
        reduction.reduce(
                type, op, operands, sources, sourceOffsets, operands, destinations, destinationOffsets, 1, count);
    }

    /** Combines the sources of the first members, element by element, in their order. */
    private void combine(
            DataType type, ReduceOp op, long from, long count, int operands, MemorySegment result, long resultAt) {
        destinations[0] = result;
        if (near) {
            for (int member = 0; member < operands; member++) {
                sourceAt(member, session.heaps[members.pes[member]] + from);
            }
            destinationOffsets[0] = resultAt;
            reduction.reduce(
                    type, op, operands, sources, sourceOffsets, operands, destinations, destinationOffsets, 1, count);
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
                destinationOffsets[0] = resultAt + done * type.bytes();
                reduction.reduce(
                        type, op, operands, sources, sourceOffsets, operands, destinations, destinationOffsets, 1, now);
            }
        }
    }
}
