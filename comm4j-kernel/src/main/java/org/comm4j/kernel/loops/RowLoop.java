// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.loops.RowShape.Relation;
import org.comm4j.kernel.loops.RowShape.Uniform;
import org.comm4j.kernel.loops.RowShape.Window;
import org.jspecify.annotations.Nullable;

/**
 * Runs rows of threads as {@link RowWriter} has written them, where that cannot be told from one thread after the
 * other: all elements are there, and what is written is not what another thread of the row reads. Threads of which that
 * is not known, or of which one throws something, have done nothing then, and are run one after the other.
 */
final class RowLoop {
    /** Bytes that are in no cache any more. */
    private static final long CACHES = 32 << 20;

    /** Threads from which on it is worth while. */
    private static final int LEAST = 64;

    /** Threads from which on groups of them are: what is less than a few hundred of them is done one by one. */
    private static final int MANY = 1024;

    /** What is farther than that is in no memory. */
    private static final long FARTHEST = 1L << 57;

    /** Runs threads one after the other. */
    interface Threads {
        /** Runs those between two numbers, of which the last is one behind. */
        void run(int from, int to);
    }

    /**
     * Memory of a window, as elements.
     *
     * @param phase bytes in it before the first element
     * @param count of elements
     * @param all the elements; null if they are more than an index reaches
     */
    private record Memory(
            ElementKind kind,
            MemorySegment segment,
            long phase,
            long count,
            @Nullable Buffer all) {
        static Memory of(ElementKind kind, MemorySegment segment, long phase) {
            long count = Math.max(0, segment.byteSize() - phase) / kind.bytes;
            boolean isReached = count <= RowWriter.REACH && count * kind.bytes <= Integer.MAX_VALUE;
            return new Memory(kind, segment, phase, count, isReached ? buffer(kind, segment, phase, count) : null);
        }

        boolean is(ElementKind of, MemorySegment all, long begin) {
            return isSame(segment, all) && kind == of && phase == begin;
        }

        /** The element at a place in bytes; −1 if there is none for some threads from it on. */
        long element(long at, int threads) {
            long fromFirst = at - phase;
            long element = fromFirst / kind.bytes;
            return fromFirst >= 0 && fromFirst % kind.bytes == 0 && element <= count - threads ? element : -1;
        }
    }

    /** A read or write, and a write, of which it depends on the arguments whether their memory overlaps. */
    private record Pair(int other, int write) {}

    private final LoopState state;
    private final RowShape shape;
    private final Threads threads;
    /** Of windows, and then of writes. */
    private final List<Window> places = new ArrayList<>();

    private final @Nullable Memory[] memory;
    /** Those of the launch before, as long as somebody else has that memory, too. */
    private final @Nullable WeakReference<Memory>[] before;
    /** Of places: which argument points to their memory. */
    private final int[] pointer;
    /** Of places: which term is their place in bytes, and the bytes of an element. */
    private final int[] term;

    private final int[] size;
    private final long[] slopes;
    private final boolean[] isInt;
    private final Relation[] guards;
    private final Relation[] checks;
    private final boolean collectsAll;
    private final boolean collectsFew;
    private final Pair[] pairs;
    /** Which pairs are of memory that overlaps. */
    private final boolean[] isNear;

    private boolean isAnyNear;
    private final Uniform[] uniform;
    private final int windows;
    private final long[] values;
    private final @Nullable Object[] buffers;
    private final int[] starts;
    private final @Nullable Object[] results;
    /** Threads whose results are collected in arrays at once. */
    private final int few;

    /** Whether it is known of this launch whether rows of it are suited. */
    private boolean isBound;

    private boolean isSuited;

    RowLoop(LoopState state, RowShape shape, Threads threads) {
        this.state = state;
        this.shape = shape;
        this.threads = threads;
        places.addAll(shape.windows());
        places.addAll(shape.writes());
        windows = shape.windows().size();
        uniform = shape.uniform().toArray(Uniform[]::new);
        pairs = pairs(shape);
        isNear = new boolean[pairs.length];
        memory = new @Nullable Memory[places.size()];
        before = newReferences(places.size());
        pointer = places.stream().mapToInt(place -> state.pointer(place.room())).toArray();
        term = places.stream().mapToInt(Window::bytes).toArray();
        size = places.stream().mapToInt(place -> place.kind().bytes).toArray();
        slopes = shape.slopes();
        isInt = new boolean[slopes.length];
        for (int i = 0; i < isInt.length; i++) {
            isInt[i] = shape.terms().get(i).kind() == Kind.INT;
        }
        guards = shape.guards().toArray(Relation[]::new);
        checks = shape.checks().toArray(Relation[]::new);
        collectsAll = shape.lanes() == 0;
        collectsFew = shape.collects();
        values = new long[shape.terms().size()];
        buffers = new @Nullable Object[windows];
        starts = new int[windows + RowWriter.TOGGLES];
        results = new @Nullable Object[shape.writes().size()];
        int bytes = 1;
        for (Window write : shape.writes()) {
            bytes = Math.max(bytes, write.kind().bytes);
        }
        few = Math.min(RowWriter.MOST, RowWriter.PIECE / bytes);
    }

    private static Pair[] pairs(RowShape shape) {
        List<Pair> pairs = new ArrayList<>();
        int windows = shape.windows().size();
        for (int write = 0; write < shape.writes().size(); write++) {
            for (int i = 0; i < windows; i++) {
                if (!shape.isSame(i, write)) {
                    pairs.add(new Pair(i, windows + write));
                }
            }
            for (int i = 0; i < write; i++) {
                pairs.add(new Pair(windows + i, windows + write));
            }
        }
        return pairs.toArray(Pair[]::new);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // no arrays of generic types
    private static @Nullable WeakReference<Memory>[] newReferences(int count) {
        return new WeakReference[count];
    }

    /** Gets ready for the arguments of a launch. */
    void begin() {
        isBound = false;
    }

    /** Returns whether memory of the arguments is such that this loop does for it, in the thread that runs rows. */
    private boolean isSuited() {
        if (!isBound) {
            try {
                isSuited = bind();
            } catch (IllegalStateException e) {
                isSuited = false; // an arena was closed: the thread that comes to it says so
            }
            isBound = true;
        }
        return isSuited;
    }

    private boolean bind() {
        long bytes = 0;
        for (int i = 0; i < memory.length; i++) {
            Window place = places.get(i);
            MemorySegment segment = state.memory[place.room().number];
            if (!segment.isNative() || !segment.isAccessibleBy(Thread.currentThread())) {
                return false;
            }
            Memory known = known(i, place, segment);
            memory[i] = known;
            if (i < windows) {
                buffers[i] = known.all;
                bytes += segment.byteSize();
            }
        }
        if (shape.light() && shape.lanes() == 0 && bytes > CACHES) {
            return false; // it waits for memory in either loop, and here a piece at a time
        }
        for (int write = windows; write < memory.length; write++) {
            MemorySegment written = memory(write).segment;
            if (written.isReadOnly()) {
                return false;
            }
            for (Uniform read : uniform) {
                if (overlap(state.memory[read.room().number], written)) {
                    return false;
                }
            }
        }
        isAnyNear = false;
        for (int i = 0; i < pairs.length; i++) {
            isNear[i] = overlap(memory(pairs[i].other).segment, memory(pairs[i].write).segment);
            isAnyNear |= isNear[i];
        }
        return true;
    }

    private Memory memory(int place) {
        return Objects.requireNonNull(memory[place]);
    }

    /** That of a place before, or of the launch before, if it is the same. */
    private Memory known(int number, Window place, MemorySegment segment) {
        long phase = Math.floorMod(state.bits[pointer[number]], (long) place.kind().bytes);
        for (int i = 0; i < number; i++) {
            Memory other = memory(i);
            if (other.is(place.kind(), segment, phase)) {
                return other;
            }
        }
        WeakReference<Memory> kept = before[number];
        Memory old = kept == null ? null : kept.get();
        if (old != null && old.is(place.kind(), segment, phase)) {
            return old;
        }
        Memory made = Memory.of(place.kind(), segment, phase);
        before[number] = new WeakReference<>(made);
        return made;
    }

    private static boolean isSame(MemorySegment a, MemorySegment b) {
        return a.address() == b.address()
                && a.byteSize() == b.byteSize()
                && a.isReadOnly() == b.isReadOnly()
                && a.scope().equals(b.scope());
    }

    /** Lets the memory of a launch go. */
    void end() {
        if (isBound) {
            Arrays.fill(memory, null);
            Arrays.fill(buffers, null);
        }
    }

    private static boolean overlap(MemorySegment a, MemorySegment b) {
        return overlap(a.address(), a.byteSize(), b.address(), b.byteSize());
    }

    private static boolean overlap(long a, long bytes, long b, long otherBytes) {
        return a < b + otherBytes && b < a + bytes;
    }

    private static Buffer buffer(ElementKind kind, MemorySegment segment, long from, long count) {
        return kind.view.apply(
                segment.asSlice(from, count * kind.bytes).asByteBuffer().order(ByteOrder.nativeOrder()));
    }

    /** Runs the threads of a row, of which the first one's place in the grid is that of the block. */
    void run(int count) {
        long active = count >= LEAST && isSuited() ? active(count) : -1;
        if (active < 0) {
            threads.run(0, count);
            return;
        }
        int last = (int) active;
        int from = (int) (active >>> 32);
        boolean collects = collectsAll || collectsFew && last - from < MANY;
        // Of memory that overlaps few at once: what a piece does not reach does not matter.
        int piece = collects ? few : isAnyNear ? RowWriter.MOST : RowWriter.FAR;
        if (collects) {
            for (int i = 0; i < results.length; i++) {
                if (results[i] == null) {
                    results[i] = shape.writes().get(i).kind().array.apply(RowWriter.MOST);
                }
            }
        }
        while (from < last) {
            int some = Math.min(piece, last - from);
            if (!isSound(from, some) || !compute(collects, from, some) || collects && !publish(from, some)) {
                threads.run(from, from + some);
            }
            from += some;
        }
    }

    // ---- which threads ----

    /**
     * Of the threads that have something to do, how many come before the first, and, in the low half, before the end;
     * −1 if that is not known.
     */
    private long active(int count) {
        int steps = count - 1;
        try {
            state.values(values, state.base);
            for (int i = 0; i < values.length; i++) {
                long last = Math.addExact(values[i], Math.multiplyExact(slopes[i], steps));
                if (slopes[i] != 0
                        && (isInt[i]
                                ? last != (int) last
                                : Math.abs(last) > FARTHEST || Math.abs(values[i]) > FARTHEST)) {
                    return -1; // something overflows in the middle
                }
            }
            long low = 0;
            long high = count;
            for (Relation guard : guards) {
                long difference = Math.subtractExact(values[guard.left()], values[guard.right()]);
                long slope = slopes[guard.left()] - slopes[guard.right()];
                long holds = holding(guard.how(), difference, slope, low, high);
                if (holds < 0) {
                    return -1;
                }
                low = holds >>> 32;
                high = end(holds);
            }
            return low << 32 | high;
        } catch (RuntimeException e) {
            return -1; // who throws it in the other loop is known
        }
    }

    /** Of an interval, which is two halves of a number. */
    private static long end(long interval) {
        return interval & 0xffff_ffffL;
    }

    /** Where in [low, high) {@code difference + k * slope} has the relation to 0; −1 if that is not an interval. */
    private static long holding(Comparison how, long difference, long slope, long low, long high) {
        return switch (how) {
            case LT -> negative(difference, slope, low, high);
            case LE -> negative(Math.subtractExact(difference, 1), slope, low, high);
            case GT -> negative(Math.negateExact(difference), -slope, low, high);
            case GE -> negative(Math.subtractExact(Math.negateExact(difference), 1), -slope, low, high);
            case EQ -> {
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

    private long at(int place, int thread) {
        return values[term[place]] + (long) thread * size[place];
    }

    /** Whether no check fails, all elements are there, and nothing is written that others of these threads read. */
    private boolean isSound(int first, int count) {
        for (Relation check : checks) {
            if (!holds(check, first, count)) {
                return false;
            }
        }
        for (int i = 0; i < memory.length; i++) {
            Memory its = memory(i);
            long element = its.element(at(i, first), count);
            if (element < 0) {
                return false;
            }
            if (i < windows) {
                boolean isPart = its.all == null;
                if (isPart) {
                    buffers[i] = buffer(its.kind, its.segment, its.phase + element * its.kind.bytes, count);
                }
                starts[i] = isPart ? 0 : (int) element;
            }
        }
        return !isAnyNear || areApart(first, count);
    }

    private boolean holds(Relation check, int first, int count) {
        long slope = slopes[check.left()] - slopes[check.right()];
        long difference = values[check.left()] - values[check.right()] + slope * first;
        long holds = holding(check.how(), difference, slope, 0, count);
        return holds >>> 32 == 0 && end(holds) == count;
    }

    private boolean areApart(int first, int count) {
        for (int i = 0; i < pairs.length; i++) {
            if (!isNear[i]) {
                continue;
            }
            Pair pair = pairs[i];
            Memory a = memory(pair.other);
            Memory b = memory(pair.write);
            long from = a.segment.address() + at(pair.other, first);
            long other = b.segment.address() + at(pair.write, first);
            boolean isSame = pair.other < windows
                    && !places.get(pair.other).late()
                    && from == other
                    && a.kind.bytes == b.kind.bytes;
            if (!isSame && overlap(from, (long) count * a.kind.bytes, other, (long) count * b.kind.bytes)) {
                return false;
            }
        }
        return true;
    }

    /** Writes results, to arrays if they are collected; returns false if a thread has thrown something. */
    private boolean compute(boolean collects, int first, int count) {
        try {
            if (collects) {
                state.collect(buffers, starts, results, count, state.base + first);
            } else {
                state.group(buffers, starts, results, count, state.base + first);
            }
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private boolean publish(int first, int count) {
        try {
            for (int i = 0; i < results.length; i++) {
                Memory to = memory(windows + i);
                MemorySegment.copy(
                        Objects.requireNonNull(results[i]),
                        0,
                        to.segment,
                        to.kind.layout,
                        at(windows + i, first),
                        count);
            }
            return true;
        } catch (IllegalStateException | WrongThreadException e) {
            return false; // its arena was closed, or is not this thread's
        }
    }
}
