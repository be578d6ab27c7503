// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.Buffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.comm4j.kernel.cpu.AccessPattern.Guard;
import org.comm4j.kernel.cpu.AccessPattern.Pointer;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.F64View;
import org.comm4j.kernel.lang.I16View;
import org.comm4j.kernel.lang.I32View;
import org.comm4j.kernel.lang.I64View;
import org.comm4j.kernel.lang.I8View;
import org.comm4j.kernel.lang.Ptr;
import org.jspecify.annotations.Nullable;

/**
 * Runs rows of threads as {@link VectorLoopWriter} has written them, where that cannot be told from one thread after
 * the other: all elements are there, and what is written is not what another thread of the row reads. A row of which
 * that is not known, or that throws something, has done nothing then, and is run by the loop that does one thread after
 * the other.
 */
final class VectorLoop {
    /** Bytes that are in no cache any more. */
    private static final long CACHES = 32 << 20;

    /** Threads from which on it is worth while. */
    private static final int LEAST = 64;

    /** Threads from which on groups of them are: what is less than a few hundred of them is done one by one. */
    private static final int MANY = 1024;

    private static final VarHandle SEGMENT = field("segment", MemorySegment.class);
    private static final VarHandle OFFSET = field("offset", long.class);

    /** Arrays of this thread that rows write, by kind and number. */
    private static final ThreadLocal<@Nullable Object[][]> ARRAYS =
            ThreadLocal.withInitial(() -> new Object[ElementKind.values().length][LoopVectorizer.WRITES]);

    /** The other loop. */
    interface Threads {
        /**
         * Some threads of a row: from, to, and where the block begins, in x over all blocks; y and z of the threads;
         * the block.
         */
        void run(int from, int to, int start, int threadY, int threadZ, int blockX, int blockY, int blockZ)
                throws Throwable;
    }

    /**
     * Memory that an argument points to, as elements.
     *
     * @param phase bytes in it before the first element
     * @param first the element that the pointer points to
     * @param count of elements
     * @param limit what the indices of a view are less than
     * @param all the elements; null if they are more than an index reaches
     */
    private record Memory(
            ElementKind kind,
            MemorySegment segment,
            long phase,
            long first,
            long count,
            long limit,
            @Nullable Buffer all) {
        boolean overlaps(Memory other) {
            return overlaps(address(), segment.byteSize(), other.address(), other.segment.byteSize());
        }

        long address() {
            return segment.address();
        }

        long addressOf(long element) {
            return address() + phase + element * kind.bytes;
        }

        /** Whether the elements of some threads, from the first one's on, are there. */
        boolean has(long index, int count) {
            boolean inside = limit == Long.MAX_VALUE || index >= 0 && index <= limit - count;
            long element = first + index;
            return inside && element >= 0 && element <= this.count - count;
        }

        static boolean overlaps(long a, long bytes, long b, long otherBytes) {
            return a < b + otherBytes && b < a + bytes;
        }
    }

    /** A read or write, and a write, of memory that overlaps. */
    private record Pair(int other, int write) {}

    /** What workers of a launch have in common. */
    static final class Bound {
        private final VectorKernel row;
        private final Object[] arguments;

        /** Of windows, and then of writes. */
        private final Memory[] memory;

        private final List<Pair> near = new ArrayList<>();

        private Bound(VectorKernel row, Object[] arguments, Memory[] memory) {
            this.row = row;
            this.arguments = arguments;
            this.memory = memory;
        }

        /** Null if the memory is not off the heap, or is written where nobody knows who reads. */
        static @Nullable Bound of(VectorKernel row, Object... arguments) {
            try {
                return bind(row, arguments);
            } catch (IllegalStateException e) {
                return null; // an arena was closed: the thread that comes to it says so
            }
        }

        private static @Nullable Bound bind(VectorKernel row, Object... arguments) {
            Memory[] all = new Memory[row.pointers.length];
            long bytes = 0;
            for (int i = 0; i < all.length; i++) {
                Memory memory = memory(row.pointers[i], arguments);
                if (memory == null) {
                    return null;
                }
                all[i] = memory;
                bytes += memory.segment.byteSize();
            }
            AccessPattern shape = row.shape;
            if (shape.light() && shape.lanes() == 0 && bytes > CACHES) {
                return null; // it waits for memory in either loop, and here a piece at a time
            }
            Memory[] memory = new Memory[row.index.length];
            for (int i = 0; i < memory.length; i++) {
                memory[i] = all[row.pointer[i]];
            }
            Bound bound = new Bound(row, arguments, memory);
            for (int write = 0; write < row.writes; write++) {
                Memory written = memory[row.windows + write];
                if (written.segment.isReadOnly()) {
                    return null;
                }
                for (int i = row.index.length; i < row.pointer.length; i++) {
                    if (all[row.pointer[i]].overlaps(written)) {
                        return null;
                    }
                }
                for (int i = 0; i < row.windows; i++) {
                    if (!row.isSame(i, write) && memory[i].overlaps(written)) {
                        bound.near.add(new Pair(i, row.windows + write));
                    }
                }
                for (int i = 0; i < write; i++) {
                    if (memory[row.windows + i].overlaps(written)) {
                        bound.near.add(new Pair(row.windows + i, row.windows + write));
                    }
                }
            }
            return bound;
        }

        private static @Nullable Memory memory(Pointer pointer, Object... arguments) {
            Object argument = arguments[pointer.argument()];
            long length = argument instanceof Ptr ? Long.MAX_VALUE : length(argument);
            Ptr start = argument instanceof Ptr p ? p : pointerOf(argument);
            MemorySegment segment = (MemorySegment) SEGMENT.get(start);
            if (!segment.isNative()) {
                return null;
            }
            int bytes = pointer.kind().bytes;
            long offset = (long) OFFSET.get(start);
            long phase = Math.floorMod(offset, (long) bytes);
            long count = Math.max(0, segment.byteSize() - phase) / bytes;
            Buffer all = count <= VectorLoopWriter.REACH && count * bytes <= Integer.MAX_VALUE
                    ? buffer(pointer.kind(), segment, phase, count)
                    : null;
            long limit = pointer.view() ? length : Long.MAX_VALUE;
            return new Memory(pointer.kind(), segment, phase, Math.floorDiv(offset, (long) bytes), count, limit, all);
        }
    }

    private final Bound bound;
    private final Threads threads;
    private final int[] dimensions;
    private final long[] values;
    private final @Nullable Object[] buffers;
    private final int[] starts;

    /** Whether this thread may touch the memory; if not, the other loop says so. */
    private final boolean accessible;

    private final @Nullable Object[] written;

    /** @param dimensions of blocks, and of the grid */
    VectorLoop(Bound bound, Threads threads, int... dimensions) {
        this.bound = bound;
        this.threads = threads;
        this.dimensions = dimensions;
        VectorKernel row = bound.row;
        values = new long[row.slopes.length];
        buffers = new @Nullable Object[row.windows];
        starts = new int[row.windows + VectorLoopWriter.TOGGLES];
        written = new @Nullable Object[row.writes];
        boolean all = true;
        for (Memory memory : bound.memory) {
            all &= memory.segment.isAccessibleBy(Thread.currentThread());
        }
        accessible = all;
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = bound.memory[i].all;
        }
    }

    private static Object array(ElementKind kind, int number) {
        @Nullable Object[] known = ARRAYS.get()[kind.ordinal()];
        Object array = known[number];
        if (array == null) {
            array = kind.array.apply(VectorLoopWriter.MOST);
            known[number] = array;
        }
        return array;
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(Ptr.class, MethodHandles.lookup())
                    .findVarHandle(Ptr.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static Ptr pointerOf(Object view) {
        return switch (view) {
            case F32View v -> v.pointer();
            case F64View v -> v.pointer();
            case I8View v -> v.pointer();
            case I16View v -> v.pointer();
            case I32View v -> v.pointer();
            case I64View v -> v.pointer();
            default -> throw new IllegalArgumentException(view.toString());
        };
    }

    private static long length(Object view) {
        return switch (view) {
            case F32View v -> v.length();
            case F64View v -> v.length();
            case I8View v -> v.length();
            case I16View v -> v.length();
            case I32View v -> v.length();
            case I64View v -> v.length();
            default -> throw new IllegalArgumentException(view.toString());
        };
    }

    private static Buffer buffer(ElementKind kind, MemorySegment segment, long from, long count) {
        return kind.view.apply(
                segment.asSlice(from, count * kind.bytes).asByteBuffer().order(ByteOrder.nativeOrder()));
    }

    /** Threads of a row. */
    void run(int from, int to, int start, int threadY, int threadZ, int blockX, int blockY, int blockZ)
            throws Throwable {
        long lanes = to - from < LEAST || !accessible
                ? -1
                : active(from, to, start, threadY, threadZ, blockX, blockY, blockZ);
        if (lanes < 0) {
            threads.run(from, to, start, threadY, threadZ, blockX, blockY, blockZ);
            return;
        }
        int last = from + (int) lanes;
        int x = from + (int) (lanes >>> 32);
        MethodHandle run = bound.row.run;
        MethodHandle collect = bound.row.collect;
        boolean collects = run == null || collect != null && last - x < MANY;
        MethodHandle chosen = Objects.requireNonNull(collects ? collect : run);
        // Of memory that overlaps few at once: what a piece does not reach does not matter.
        int piece = collects ? bound.row.few : bound.near.isEmpty() ? VectorLoopWriter.FAR : VectorLoopWriter.MOST;
        if (collects) {
            findArrays();
        }
        while (x < last) {
            int count = Math.min(piece, last - x);
            if (!isSound(x - from, count)
                    || !compute(chosen, count, x, start, threadY, threadZ, blockX, blockY, blockZ)
                    || collects && !publish(x - from, count)) {
                threads.run(x, x + count, start, threadY, threadZ, blockX, blockY, blockZ);
            }
            x += count;
        }
    }

    // ---- which threads ----

    /**
     * Of the threads that have something to do, how many come before the first, and, in the low half, before the end;
     * −1 if that is not known.
     */
    private long active(int from, int to, int start, int threadY, int threadZ, int blockX, int blockY, int blockZ) {
        int steps = to - from - 1;
        long[] slopes = bound.row.slopes;
        try {
            values(from, start, threadY, threadZ, blockX, blockY, blockZ);
            for (int i = 0; i < slopes.length; i++) {
                long last = Math.addExact(values[i], Math.multiplyExact(slopes[i], steps));
                if (!bound.row.wide[i] && last != (int) last) {
                    return -1; // an int overflows in the middle
                }
            }
            long low = 0;
            long high = (long) to - from;
            for (Guard guard : bound.row.guards) {
                long difference = Math.subtractExact(values[guard.left()], values[guard.right()]);
                long slope = slopes[guard.left()] - slopes[guard.right()];
                long holds = holding(guard, difference, slope, low, high);
                if (holds < 0) {
                    return -1;
                }
                low = holds >>> 32;
                high = end(holds);
            }
            return low << 32 | high;
        } catch (Throwable e) {
            return -1; // who throws it in the other loop is known
        }
    }

    private void values(int x, int start, int threadY, int threadZ, int blockX, int blockY, int blockZ)
            throws Throwable {
        int[] d = dimensions;
        bound.row.values.invokeExact(
                bound.arguments,
                values,
                x,
                start,
                threadY,
                threadZ,
                blockX,
                blockY,
                blockZ,
                d[0],
                d[1],
                d[2],
                d[3],
                d[4],
                d[5]);
    }

    /** Of an interval, which is two halves of a number. */
    private static long end(long interval) {
        return interval & 0xffff_ffffL;
    }

    /** Where in [low, high) {@code difference + k * slope} has the relation to 0; −1 if that is not an interval. */
    private static long holding(Guard guard, long difference, long slope, long low, long high) {
        return switch (guard.relation()) {
            case IF_ICMPLT -> negative(difference, slope, low, high);
            case IF_ICMPLE -> negative(Math.subtractExact(difference, 1), slope, low, high);
            case IF_ICMPGT -> negative(Math.negateExact(difference), -slope, low, high);
            case IF_ICMPGE -> negative(Math.subtractExact(Math.negateExact(difference), 1), -slope, low, high);
            case IF_ICMPEQ -> {
                long first = negative(Math.subtractExact(difference, 1), slope, low, high);
                yield negative(Math.subtractExact(Math.negateExact(difference), 1), -slope, first >>> 32, end(first));
            }
            default -> {
                long equal = negative(Math.subtractExact(difference, 1), slope, low, high);
                equal = negative(Math.subtractExact(Math.negateExact(difference), 1), -slope, equal >>> 32, end(equal));
                long from = equal >>> 32;
                long to = end(equal);
                if (from >= to) {
                    yield low << 32 | high;
                }
                yield from == low ? to << 32 | high : to == high ? low << 32 | from : -1;
            }
        };
    }

    private static long negative(long difference, long slope, long low, long high) {
        long from = low;
        long to = high;
        if (slope == 0) {
            to = difference < 0 ? high : low;
        } else if (slope > 0) {
            to = Math.clamp(Math.ceilDiv(Math.negateExact(difference), slope), low, high);
        } else {
            from = Math.clamp(Math.floorDiv(difference, -slope) + 1, low, high);
        }
        return from << 32 | to;
    }

    // ---- what they do ----

    private void findArrays() {
        for (int i = 0; i < written.length && written[i] == null; i++) {
            written[i] = array(bound.memory[buffers.length + i].kind, i);
        }
    }

    /** Whether all elements are there, and nothing is written that others of these threads read. */
    private boolean isSound(int first, int count) {
        int[] index = bound.row.index;
        for (int i = 0; i < buffers.length; i++) {
            Memory memory = bound.memory[i];
            long at = values[index[i]] + first;
            if (!memory.has(at, count)) {
                return false;
            }
            long element = memory.first + at;
            if (memory.all != null) {
                starts[i] = (int) element;
            } else {
                long from = memory.phase + element * memory.kind.bytes;
                buffers[i] = buffer(memory.kind, memory.segment, from, count);
                starts[i] = 0;
            }
        }
        for (int i = buffers.length; i < index.length; i++) {
            if (!bound.memory[i].has(values[index[i]] + first, count)) {
                return false;
            }
        }
        return bound.near.isEmpty() || areApart(first, count);
    }

    private boolean areApart(int first, int count) {
        VectorKernel row = bound.row;
        for (Pair pair : bound.near) {
            Memory a = bound.memory[pair.other];
            Memory b = bound.memory[pair.write];
            long from = a.addressOf(a.first + values[row.index[pair.other]] + first);
            long other = b.addressOf(b.first + values[row.index[pair.write]] + first);
            boolean reads = pair.other < row.windows;
            boolean same = reads
                    && !row.shape.windows().get(pair.other).late()
                    && from == other
                    && a.kind.bytes == b.kind.bytes;
            if (!same && Memory.overlaps(from, (long) count * a.kind.bytes, other, (long) count * b.kind.bytes)) {
                return false;
            }
        }
        return true;
    }

    /** Writes results, to arrays if that is what {@code run} does; false if a thread has thrown something. */
    private boolean compute(
            MethodHandle run,
            int count,
            int x,
            int start,
            int threadY,
            int threadZ,
            int blockX,
            int blockY,
            int blockZ) {
        int[] d = dimensions;
        try {
            run.invokeExact(
                    bound.arguments,
                    buffers,
                    starts,
                    written,
                    count,
                    x,
                    start,
                    threadY,
                    threadZ,
                    blockX,
                    blockY,
                    blockZ,
                    d[0],
                    d[1],
                    d[2],
                    d[3],
                    d[4],
                    d[5]);
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    private boolean publish(int first, int count) {
        try {
            for (int i = 0; i < written.length; i++) {
                Memory memory = bound.memory[buffers.length + i];
                long index = values[bound.row.index[buffers.length + i]] + first;
                long at = memory.phase + (memory.first + index) * memory.kind.bytes;
                MemorySegment.copy(
                        Objects.requireNonNull(written[i]), 0, memory.segment, memory.kind.layout, at, count);
            }
            return true;
        } catch (IllegalStateException | WrongThreadException e) {
            return false; // its arena was closed, or is not this thread's
        }
    }
}
