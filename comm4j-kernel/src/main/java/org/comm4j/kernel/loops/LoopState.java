// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.comm4j.core.Buffer;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.launch.Parts;
import org.jspecify.annotations.Nullable;

/**
 * What one worker keeps of a block that it runs, and, in the class that is made for a kernel, the loops over its
 * threads.
 */
public abstract class LoopState {
    static final ValueLayout.OfByte OF_I1 = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfByte OF_I8 = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort OF_I16 = ValueLayout.JAVA_SHORT_UNALIGNED;
    static final ValueLayout.OfInt OF_I32 = ValueLayout.JAVA_INT_UNALIGNED;
    static final ValueLayout.OfLong OF_I64 = ValueLayout.JAVA_LONG_UNALIGNED;
    static final ValueLayout.OfFloat OF_F32 = ValueLayout.JAVA_FLOAT_UNALIGNED;
    static final ValueLayout.OfDouble OF_F64 = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    private static final int ALIGNMENT = 128;

    /** Scalar parts of the arguments. */
    long[] bits = {};
    /** By the numbers of rooms. */
    MemorySegment[] memory = {};

    Object[] arrays = {};
    /** Arrays of what lives from a region to another. */
    Object[] values = {};
    /** Where each thread waits: a stop, or 0 if it has ended; written where threads of a region may differ. */
    int[] at = {};

    int[] operands = {};
    long[] wideOperands = {};
    float[] floatOperands = {};
    double[] doubleOperands = {};
    int[] lanes = {};
    int[] widths = {};
    int[] masks = {};
    int[] results = {};
    long[] wideResults = {};
    float[] floatResults = {};
    double[] doubleResults = {};

    int[] tid_x = {};
    int[] tid_y = {};
    int[] tid_z = {};
    /** Threads in x before the block. */
    int base;

    int ctaid_x;
    int ctaid_y;
    int ctaid_z;
    int ntid_x;
    int ntid_y;
    int ntid_z;
    int nctaid_x;
    int nctaid_y;
    int nctaid_z;
    int cluster_rank;
    int cluster_size = 1;

    /** Of the row of a block that runs, the threads' places in y and z, and the number of its first thread. */
    int row_y;

    int row_z;
    int row;

    private int threads;
    /** Shared memory of the block. */
    private Room[] shared = {};
    /** The blocks of the cluster, by their ranks. */
    private LoopState[] cluster = {this};

    private LoopCode code = LoopCode.NONE;
    private Runnable polled = () -> {};
    /** Null if nobody checks. */
    @Nullable
    BlockRaces races;

    /** Accesses of a region, told before it runs; null if nobody checks. */
    @Nullable
    RegionAccesses accesses;

    private final CallResults returned = new CallResults();
    private @Nullable LoopThreads called;
    private int line;
    private SplittableRandom random = new SplittableRandom(0);
    private long seed;

    /** For classes that are made. */
    protected LoopState() {}

    /**
     * Runs a region for some threads.
     *
     * @param region the stop that they have passed; 0 at the beginning
     * @return where all of them are now; −1 if that differs, which {@link #at} tells
     */
    protected abstract int run(int region, int from, int to);

    /**
     * Runs a region for all threads of the block, which are together: of values that are the same for all of them the
     * first elements count.
     *
     * @param from 0, but in rows
     * @return where all of them are now
     */
    protected abstract int together(int region, int from, int to);

    /** Says to {@link #accesses} what the same threads are going to access. */
    protected int survey(int region, int from, int to) {
        throw new UnsupportedOperationException();
    }

    /** The same as {@link #together}, but nothing is looked at. */
    protected int unchecked(int region, int from, int to) {
        throw new UnsupportedOperationException();
    }

    /** Runs a region for all threads of the block; their accesses are looked at one by one if some of them may meet. */
    int all(int region) {
        if (accesses != null && code.surveyed().get(region)) {
            accesses.begin();
            survey(region, 0, threads);
            if (accesses.areApart()) {
                return unchecked(region, 0, threads);
            }
        }
        return together(region, 0, threads);
    }

    /**
     * Computes the terms of a {@link RowShape}.
     *
     * @param x of the thread, in the grid
     */
    protected void values(long[] values, int x) {
        throw new UnsupportedOperationException();
    }

    /** Runs threads of a row in groups, from the one whose place in the grid is {@code x}. */
    protected void group(@Nullable Object[] buffers, int[] starts, @Nullable Object[] results, int count, int x) {
        throw new UnsupportedOperationException();
    }

    /** The same one by one, with results in arrays. */
    protected void collect(@Nullable Object[] buffers, int[] starts, @Nullable Object[] results, int count, int x) {
        throw new UnsupportedOperationException();
    }

    /** The number among {@link #bits} of the argument that is a pointer into memory. */
    int pointer(Room room) {
        for (Flat.Argument argument : code.flat().arguments()) {
            if (argument.room() == room) {
                return argument.value().number();
            }
        }
        throw new IllegalStateException(room.name());
    }

    int threads() {
        return threads;
    }

    /** Gives all threads the values that are the same for all of them. */
    void spread() {
        for (int slot : code.uniform()) {
            switch (values[slot]) {
                case int[] a -> Arrays.fill(a, a[0]);
                case long[] a -> Arrays.fill(a, a[0]);
                case float[] a -> Arrays.fill(a, a[0]);
                case double[] a -> Arrays.fill(a, a[0]);
                default -> throw new IllegalStateException();
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // another one of the same kernel is another class
    boolean isOf(LoopCode some) {
        return code == some;
    }

    /**
     * Gets ready for launches of a shape.
     *
     * @param arguments the scalar parts, and for pointers their place in their memory, of each launch
     */
    void shape(LoopCode of, long[] arguments, LaunchConfig config, long seed, Runnable poll, LoopThreads asked) {
        called = asked;
        code = of;
        this.seed = seed;
        bits = arguments;
        polled = poll;
        ntid_x = config.blockX();
        ntid_y = config.blockY();
        ntid_z = config.blockZ();
        nctaid_x = config.gridX();
        nctaid_y = config.gridY();
        nctaid_z = config.gridZ();
        row_y = 0;
        row_z = 0;
        row = 0;
        // Of the threads of a row nothing is kept.
        int count = code.form().rows() ? 1 : ntid_x * ntid_y * ntid_z;
        if (count != threads) {
            resize(count);
        }
        if (!code.form().rows()) {
            for (int i = 0; i < count; i++) {
                tid_x[i] = i % ntid_x;
                tid_y[i] = i / ntid_x % ntid_y;
                tid_z[i] = i / ntid_x / ntid_y;
            }
        }
        MemorySegment block = null;
        for (Room room : code.flat().rooms()) {
            if (room.where == Room.Where.DYNAMIC) {
                block = block == null ? Arena.ofAuto().allocate(config.sharedBytes(), ALIGNMENT) : block;
                memory[room.number] = block;
            }
        }
    }

    /** Gets ready for a launch. */
    void enter(Parts parts, @Nullable LoopRaces checks) {
        returned.reset(code.keeps() ? threads : 0);
        if (cluster_size > 1) {
            cluster = new LoopState[] {this};
        }
        cluster_rank = 0;
        cluster_size = 1;
        List<Flat.Argument> declared = code.flat().arguments();
        MemorySegment[] pointed = parts.memory();
        for (int i = 0; i < pointed.length; i++) {
            Room room = declared.get(i).room();
            if (room != null) {
                memory[room.number] = pointed[i];
            }
        }
        if (checks != null) {
            String[] names = new String[memory.length];
            for (int i = 0; i < pointed.length; i++) {
                Room room = declared.get(i).room();
                if (room != null) {
                    Buffer buffer = parts.buffers()[i];
                    names[room.number] = buffer == null ? "global memory" : String.valueOf(buffer);
                }
            }
            races = new BlockRaces(checks, this, code, memory, names);
            accesses = races.accesses;
        }
    }

    /** Lets the memory of a launch go. */
    void leave() {
        List<Flat.Argument> declared = code.flat().arguments();
        for (int i = 0; i < declared.size(); i++) {
            Room room = declared.get(i).room();
            if (room != null) {
                memory[room.number] = MemorySegment.NULL;
            }
        }
        if (races != null) {
            races.release();
        }
        races = null;
        accesses = null;
    }

    private void resize(int count) {
        threads = count;
        tid_x = new int[count];
        tid_y = new int[count];
        tid_z = new int[count];
        at = new int[count];
        operands = new int[count];
        wideOperands = new long[BlockReductions.room(count)];
        floatOperands = new float[count];
        doubleOperands = new double[BlockReductions.room(count)];
        lanes = new int[count];
        widths = new int[count];
        masks = new int[count];
        results = new int[count];
        wideResults = new long[count];
        floatResults = new float[count];
        doubleResults = new double[count];
        values = code.kinds().stream().map(kind -> kind.newArray(count)).toArray();
        List<Room> rooms = code.flat().rooms();
        shared = rooms.stream()
                .filter(room -> room.where == Room.Where.SHARED || room.where == Room.Where.DYNAMIC)
                .toArray(Room[]::new);
        arrays = new Object[rooms.size()];
        memory = new MemorySegment[rooms.size()];
        for (Room room : rooms) {
            boolean isLocal = room.where == Room.Where.LOCAL;
            if (room.isArray()) {
                arrays[room.number] = room.where == Room.Where.CONSTANT
                        ? Objects.requireNonNull(code.tables()[room.number])
                        : room.newArray(isLocal ? count : 1);
            } else if (room.where == Room.Where.SHARED || isLocal) {
                memory[room.number] =
                        Arena.ofAuto().allocate(room.count * room.element.bytes() * (isLocal ? count : 1), ALIGNMENT);
            } else if (room.where == Room.Where.CONSTANT) {
                memory[room.number] = Objects.requireNonNull((MemorySegment) code.tables()[room.number]);
            }
        }
    }

    /** Begins a block, whose shared memory is zero. */
    void begin(long number, int x, int y, int z) {
        if (code.form().shuffled()) {
            random = new SplittableRandom(seed * 31 + number);
        }
        if (races != null) {
            races.begin(number);
        }
        ctaid_x = x;
        base = x * ntid_x;
        ctaid_y = y;
        ctaid_z = z;
        for (Room room : shared) {
            if (room.isArray()) {
                Room.clear(arrays[room.number]);
            } else {
                memory[room.number].fill((byte) 0);
            }
        }
    }

    // ---- what the loops call ----

    /** The first thread whose number, {@code base} more, is a limit or more; between {@code from} and {@code to}. */
    protected static int cut(long limit, int base, int from, int to) {
        return (int) Math.min(to, Math.max(from, limit - base));
    }

    /** Draws the first of some threads. */
    protected final int first(int from, int to) {
        return from + random.nextInt(to - from);
    }

    /** Draws by how much the next thread's number is larger, modulo their count: each of them has its turn. */
    protected final int stride(int from, int to) {
        int count = to - from;
        int stride = 1 + random.nextInt(count);
        while (gcd(stride, count) != 1) {
            stride++;
        }
        return stride % count;
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** The memory of a number, from {@link Room#MOST} on that of the blocks of the cluster. */
    protected final MemorySegment memory(int number) {
        return number < 0 ? returned.memory(number) : of(number).memory[number & Room.MOST - 1];
    }

    private LoopState of(int number) {
        int rank = number / Room.MOST - 1;
        if (number >= 0 && number < Room.MOST) {
            return this;
        }
        if (rank < 0 || rank >= cluster.length) {
            throw new IndexOutOfBoundsException("block " + rank + " of a cluster of " + cluster.length + " blocks");
        }
        return cluster[rank];
    }

    /** Makes a block one of a cluster. */
    void join(LoopState[] all, int rank) {
        cluster = all;
        cluster_rank = rank;
        cluster_size = all.length;
        if (races != null) {
            for (LoopState other : all) {
                races.meets(Objects.requireNonNull(other.races));
            }
        }
    }

    /** An access of memory, as {@link BlockRaces#access} has it. */
    protected final void access(int room, long at, int what, int line, int thread) {
        BlockRaces mine = Objects.requireNonNull(races);
        if (room < 0) {
            // Memory of a library, or of another process.
            return;
        }
        if (room < Room.MOST) {
            mine.access(mine, room, at, what, line, thread);
        } else {
            BlockRaces its = Objects.requireNonNull(of(room).races);
            mine.access(its, room & Room.MOST - 1, at, what, line, thread);
        }
    }

    /** A thread is about to call what asks for it. */
    protected final void enter(int thread, int at) {
        line = at;
        Objects.requireNonNull(called).enter(row + thread);
    }

    /** A thread is about to call what may wait. */
    @SuppressWarnings("unchecked") // generated code has no generic types
    protected final void begin(Object call, int thread, int at) {
        returned.begin((Callable<@Nullable Object>) call, thread, at);
    }

    /** A thread's call has returned. */
    protected final void keep(Object result, int thread) {
        returned.keep(result, thread, thread + 1);
    }

    /** A part of what a thread's call has returned. */
    protected final int takeInt(int thread, int part) {
        return ((Number) returned.part(thread, part)).intValue();
    }

    protected final long takeLong(int thread, int part) {
        return (Long) returned.part(thread, part);
    }

    protected final float takeFloat(int thread, int part) {
        return (Float) returned.part(thread, part);
    }

    protected final double takeDouble(int thread, int part) {
        return (Double) returned.part(thread, part);
    }

    CallResults results() {
        return returned;
    }

    /** What a thread's method has thrown, and where the kernel calls it. */
    LoopFault failed(Throwable thrown, int thread) {
        return (LoopFault) fault(thrown, thread, returned.line(thread));
    }

    /** Memory that a thread, or the copy engine, has copied to in a call. */
    void copied(MemorySegment to, long offset, long bytes, int thread, boolean byEngine) {
        for (LoopState block : cluster) {
            for (int room = 0; room < memory.length && block.races != null; room++) {
                if (to.equals(block.memory[room])) {
                    block.races.copied(room, offset, bytes, line, thread, byEngine);
                }
            }
        }
    }

    protected final void fence(int thread) {
        Objects.requireNonNull(races).fence(thread);
    }

    /** In loops that may be long. */
    protected final void poll() {
        polled.run();
    }

    /** Notes which thread has failed, and where. */
    protected final Throwable fault(Throwable thrown, int thread, int line) {
        Line where = code.lines().get(line);
        return thrown instanceof LoopFault ? thrown : new LoopFault(thrown, thread, where.at(), where.calls());
    }

    /** {@code thread (3, 0, 0) of block (0, 0, 0)}. */
    String describe(int thread) {
        return describe(thread, ctaid_x + nctaid_x * (ctaid_y + (long) nctaid_y * ctaid_z));
    }

    /** The same of another block. */
    String describe(int thread, long block) {
        return "thread (" + tid_x[thread] + ", " + tid_y[thread] + ", " + tid_z[thread] + ") of block ("
                + block % nctaid_x + ", " + block / nctaid_x % nctaid_y + ", " + block / nctaid_x / nctaid_y + ")";
    }
}
