// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.loops.KernelRace;
import org.jspecify.annotations.Nullable;

/**
 * Finds two accesses of the same memory, one of them a write, by threads that nothing has ordered, whatever the order
 * in which they ran this time.
 *
 * <p>Time is counted three ways, in Lamport's manner: threads of a block by the barriers of the block ({@code
 * KernelThread.epoch}), threads of a warp also by those of the warp ({@code warpEpoch}), blocks by what one has told
 * another: an atomic access after a fence, or one that releases, hands on all that the block knows, and who reads it
 * there has seen that. A release speaks for its whole block. What is counted together too generously is a race that is
 * missed; one that is reported is one.
 */
final class RaceDetector extends Races {
    /** Somebody was here. */
    private record Visit(
            KernelThread thread,
            String type,
            String method,
            int line,
            int epoch,
            int warpEpoch,
            int told,
            boolean atomic) {
        StackTraceElement at() {
            KernelFault fault = new KernelFault(new RuntimeException());
            fault.add(type, method, line);
            return fault.line();
        }
    }

    private static final int READERS = 3;

    /** An index beyond it is outside of everything; counted in bytes it would wrap around. */
    private static final long FARTHEST = 1L << 58;

    /** One element. */
    private static final class Cell {
        @Nullable
        Visit writer;

        final @Nullable Visit[] readers = new @Nullable Visit[READERS];
    }

    /** What was said in a place: what its sayer's block knew then. */
    private static final class Message {
        final Map<Long, Integer> known = new HashMap<>();
        final Map<Long, Integer> epochs = new HashMap<>();
    }

    private static final VarHandle SEGMENT;

    static {
        try {
            SEGMENT = MethodHandles.privateLookupIn(Ptr.class, MethodHandles.lookup())
                    .findVarHandle(Ptr.class, "segment", MemorySegment.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final IdentityHashMap<Object, Map<Long, Cell>> arrays = new IdentityHashMap<>();
    private final Map<Long, Cell> global = new HashMap<>();
    private final Map<Object, Message> messages = new HashMap<>();
    /** By block, what it knows of others: up to which count of theirs all has happened before. */
    private final Map<Long, Map<Long, Integer>> known = new HashMap<>();
    /** By block, how often it has told something. */
    private final Map<Long, Integer> told = new HashMap<>();

    // ---- meetings ----

    private static void meet(List<KernelThread> threads) {
        int latest = 0;
        for (KernelThread thread : threads) {
            latest = Math.max(latest, thread.epoch);
        }
        for (KernelThread thread : threads) {
            thread.epoch = latest + 1;
        }
    }

    @Override
    void blockSync(List<KernelThread> threads) {
        meet(threads);
    }

    @Override
    void namedArrive(BlockState.Barrier barrier, KernelThread thread) {
        barrier.epoch = Math.max(barrier.epoch, thread.epoch);
        // What it does from now on comes after what the others will have seen.
        thread.epoch++;
    }

    @Override
    void namedOpen(BlockState.Barrier barrier, KernelThread last, boolean waits) {
        for (KernelThread thread : barrier.waiting) {
            thread.epoch = Math.max(thread.epoch, barrier.epoch + 1);
        }
        if (waits) {
            last.epoch = Math.max(last.epoch, barrier.epoch + 1);
        }
    }

    @Override
    void warpSync(List<KernelThread> threads) {
        int latest = 0;
        for (KernelThread thread : threads) {
            latest = Math.max(latest, thread.warpEpoch);
        }
        for (KernelThread thread : threads) {
            thread.warpEpoch = latest + 1;
        }
    }

    @Override
    void gridSync(List<BlockState> blocks) {
        meetBlocks(blocks);
    }

    @Override
    void clusterSync(List<KernelThread> threads) {
        meetBlocks(threads.stream().map(t -> t.block).distinct().toList());
        meet(threads);
    }

    private void meetBlocks(List<BlockState> blocks) {
        Map<Long, Integer> all = new HashMap<>();
        for (BlockState block : blocks) {
            knownBy(block.number).forEach((other, count) -> all.merge(other, count, Math::max));
            all.merge(block.number, countOf(block.number), Math::max);
        }
        for (BlockState block : blocks) {
            known.put(block.number, new HashMap<>(all));
            told.merge(block.number, 1, Integer::sum);
        }
    }

    @Override
    void fence(KernelThread thread) {
        thread.fenced = true;
    }

    private Map<Long, Integer> knownBy(long block) {
        return known.computeIfAbsent(block, b -> new HashMap<>());
    }

    private int countOf(long block) {
        return told.getOrDefault(block, 0);
    }

    private void hear(KernelThread thread, Object place) {
        Message message = messages.get(place);
        if (message != null) {
            Map<Long, Integer> mine = knownBy(thread.block.number);
            message.known.forEach((other, count) -> mine.merge(other, count, Math::max));
            Integer epoch = message.epochs.get(thread.block.number);
            if (epoch != null) {
                thread.epoch = Math.max(thread.epoch, epoch);
            }
        }
    }

    private void tell(KernelThread thread, Object place) {
        long block = thread.block.number;
        Message message = messages.computeIfAbsent(place, p -> new Message());
        knownBy(block).forEach((other, count) -> message.known.merge(other, count, Math::max));
        message.known.merge(block, countOf(block), Math::max);
        told.merge(block, 1, Integer::sum);
        thread.epoch++;
        message.epochs.merge(block, thread.epoch, Math::max);
    }

    // ---- accesses ----

    @Override
    void array(KernelThread thread, Object array, int index, int kind) {
        if (thread.block.isShared(array) && index >= 0 && index < Array.getLength(array)) {
            visit(thread, arrayCell(array, index), kind, false, () -> "element " + index + " of the shared array");
        }
    }

    private Cell arrayCell(Object array, long index) {
        return arrays.computeIfAbsent(array, a -> new HashMap<>()).computeIfAbsent(index, i -> new Cell());
    }

    private record Place(Object memory, long at) {
        @Override
        @SuppressWarnings("ReferenceEquality") // arrays are themselves
        public boolean equals(@Nullable Object other) {
            return other instanceof Place place && place.memory == memory && place.at == at;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(memory) * 31 + Long.hashCode(at);
        }
    }

    @Override
    void pointer(KernelThread thread, Ptr pointer, long index, PointerAccess access) {
        MemorySegment segment = (MemorySegment) SEGMENT.get(pointer);
        if (index > FARTHEST || index < -FARTHEST) {
            // The access itself will say so.
            return;
        }
        long from = pointer.address() + index * access.element();
        long bytes = (long) access.element() * access.count();
        if (from < segment.address() || from + bytes > segment.address() + segment.byteSize()) {
            // So is that.
            return;
        }
        Object array = segment.heapBase().orElse(null);
        Object place = new Place(array == null ? this : array, from);
        if (access.atomic()) {
            if ((access.kind() & PointerAccess.READ) != 0) {
                hear(thread, place);
            }
        }
        int step = Math.min(access.element(), 4);
        if (array != null) {
            if (thread.block.isShared(array) || thread.block.launch.config.clusterBlocks() > 1) {
                int element = Memory.elementBytes(array.getClass());
                for (long at = from; at < from + bytes; at += element) {
                    long i = at / element;
                    visit(
                            thread,
                            arrayCell(array, i),
                            access.kind(),
                            access.atomic(),
                            () -> "element " + i + " of the shared array");
                }
            }
        } else {
            boolean dynamic = thread.block.isDynamic(segment);
            for (long at = from; at < from + bytes; at += step) {
                long address = at;
                Cell cell = (dynamic ? arrays.computeIfAbsent(segment.scope(), a -> new HashMap<>()) : global)
                        .computeIfAbsent(at, a -> new Cell());
                if (dynamic) {
                    visit(
                            thread,
                            cell,
                            access.kind(),
                            access.atomic(),
                            () -> "byte " + (address - segment.address()) + " of dynamic shared memory");
                } else {
                    check(
                            thread,
                            cell,
                            access.kind(),
                            access.atomic(),
                            () -> "element "
                                    + (address - segment.address()) / access.element() + " of "
                                    + (pointer.buffer() == null ? "global memory" : pointer.buffer()));
                }
            }
        }
        if (access.atomic() && (access.kind() & PointerAccess.WRITE) != 0 && (thread.fenced || access.releases())) {
            tell(thread, place);
        }
    }

    @Override
    void copied(KernelThread thread, MemorySegment memory, long offset, long bytes, boolean byEngine) {
        Object array = memory.heapBase().orElse(null);
        int step = array == null ? 1 : Memory.elementBytes(array.getClass());
        long from = memory.address() + offset;
        for (long at = from; at < from + bytes; at += step) {
            Cell cell = array == null
                    ? arrays.computeIfAbsent(memory.scope(), a -> new HashMap<>())
                            .computeIfAbsent(at, a -> new Cell())
                    : arrayCell(array, at / step);
            if (byEngine) {
                // Who reads it has waited, or finds what was there before: no race.
                cell.writer = new Visit(thread, thread.lineType, thread.lineMethod, thread.line, -1, -1, -1, false);
                Arrays.fill(cell.readers, null);
            } else {
                long i = at / step;
                visit(thread, cell, PointerAccess.WRITE, false, () -> "element " + i + " of shared memory");
            }
        }
    }

    private interface Name {
        String get();
    }

    /** In shared memory, which holds nothing at first. */
    private void visit(KernelThread thread, Cell cell, int kind, boolean atomic, Name name) {
        if ((kind & PointerAccess.READ) != 0 && cell.writer == null) {
            throw new KernelRace(name.get() + " is read before it was written; shared memory is not zero at first");
        }
        check(thread, cell, kind, atomic, name);
    }

    private void check(KernelThread thread, Cell cell, int kind, boolean atomic, Name name) {
        boolean writes = (kind & PointerAccess.WRITE) != 0;
        Visit visit = new Visit(
                thread,
                thread.lineType,
                thread.lineMethod,
                thread.line,
                thread.epoch,
                thread.warpEpoch,
                countOf(thread.block.number),
                atomic);
        Visit writer = cell.writer;
        if (writer != null && !isOrdered(writer, visit)) {
            throw race(writer, "writes", visit, writes ? "writes" : "reads", name);
        }
        if (writes) {
            for (int i = 0; i < READERS; i++) {
                Visit reader = cell.readers[i];
                if (reader != null && !isOrdered(reader, visit)) {
                    throw race(reader, "reads", visit, "writes", name);
                }
                cell.readers[i] = null;
            }
            cell.writer = visit;
        } else {
            int free = -1;
            for (int i = 0; i < READERS; i++) {
                Visit reader = cell.readers[i];
                if (reader == null || isOrdered(reader, visit)) {
                    cell.readers[i] = null;
                    free = i;
                }
            }
            cell.readers[free < 0 ? READERS - 1 : free] = visit;
        }
    }

    /** Whether {@code first} has happened before {@code second}, or it does not matter. */
    private boolean isOrdered(Visit first, Visit second) {
        KernelThread a = first.thread;
        KernelThread b = second.thread;
        if (a == b || first.atomic && second.atomic) {
            return true;
        }
        if (a.block == b.block) {
            return second.epoch > first.epoch || a.warp() == b.warp() && second.warpEpoch > first.warpEpoch;
        }
        Integer heard = knownBy(b.block.number).get(a.block.number);
        return heard != null && heard >= first.told;
    }

    private static KernelRace race(Visit first, String does, Visit second, String doesThen, Name name) {
        return new KernelRace("race on " + name.get() + ": " + first.thread + " " + does + " it at " + first.at() + ", "
                + second.thread + " " + doesThen + " it at " + second.at() + ", and nothing orders the two");
    }
}
