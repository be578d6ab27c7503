// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.BitSet;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.jspecify.annotations.Nullable;

/** Where the kernels of {@link ExpertParallel} run, and the memory that they share with other PEs. */
abstract class MoeMachine implements AutoCloseable {
    /** Returns the symmetric memory. */
    abstract Buffer space();

    /** Returns its beginning, from which other PEs' are at {@link #distances}. */
    abstract I8Ptr base();

    abstract I64Ptr distances();

    /** Returns what brings rows to PEs whose memory kernels do not reach; null if there are none. */
    @Nullable
    FarRows farRows(MoeMemory.Plan plan) {
        return null;
    }

    /** Returns what keeps kernels from reaching the memory of all other PEs, for messages; null if nothing does. */
    @Nullable
    String outOfReach() {
        return null;
    }

    /** Returns the PEs that kernels do not reach, where they reach others. */
    BitSet far() {
        return new BitSet();
    }

    /** Returns zeroed memory of this PE alone, which lives as long as this. */
    abstract Buffer allocate(DataType type, long count);

    /** Returns the memory as the functions of {@link org.comm4j.device.Shmem} know it. */
    Buffer symmetric() {
        return space();
    }

    /** Puts a kernel that calls these functions into the stream; null for that of this object. */
    void launchFar(Method kernel, int blocks, int sharedBytes, @Nullable Stream stream, Object... arguments) {
        throw new IllegalStateException("there is no network");
    }

    /** Returns the words that kernels write for the host. */
    abstract I64Ptr report();

    /** Returns the most blocks that run at a time. */
    abstract int blocks();

    /** Returns the threads of a block for so much work. */
    abstract int threads(int units);

    /** @throws IllegalArgumentException if kernels cannot work on it */
    abstract void check(String operation, String name, Buffer buffer);

    /** @throws UnsupportedOperationException if there are no streams */
    abstract void check(String operation, @Nullable Stream stream);

    /** Puts a kernel into the stream; null for that of this object. */
    abstract void launch(
            Method kernel,
            Object[] constants,
            int blocks,
            int threads,
            int sharedBytes,
            @Nullable Stream stream,
            Object... arguments);

    /** Makes ready a kernel that is going to be launched. */
    void load(Method kernel, Object... constants) {}

    /** Returns a launch of a kernel that is repeated with other arguments. */
    abstract MoeLaunch prepare(
            Method kernel, Object[] constants, int blocks, int threads, int sharedBytes, Object... arguments);

    /** Waits for the stream; null for that of this object. */
    abstract void complete(@Nullable Stream stream);

    /** Waits for kernels that have been told to leave, in the stream and in that of this object. */
    abstract void settle(@Nullable Stream stream);

    /** Returns the stream of calls that have none; null where there are no streams. */
    abstract @Nullable Stream own();

    /** Returns a word of the report. */
    abstract long reported(int word);

    abstract void clear(int word);

    /** Sets back what kernels have found. */
    void nothingFound() {
        set(MoeSpace.STATUS, 0);
        set(MoeSpace.WRONG, MoeSpace.NO_ROUTE);
        set(MoeSpace.OVERFLOW, MoeSpace.NO_ROUTE);
        for (int word = 0; word < MoeSpace.REPORTS; word++) {
            clear(word);
        }
    }

    /** Returns a word of the report, which is 0 afterwards. */
    long taken(int word) {
        long value = reported(word);
        if (value != 0) {
            clear(word);
        }
        return value;
    }

    /** Returns whether all PEs have this memory. */
    abstract boolean isSymmetric(Buffer buffer);

    /** Returns the copy of symmetric memory on another PE. */
    abstract Buffer peer(Buffer symmetric, int pe);

    /** Copies all of {@code source} to the front of {@code target}, in the stream. */
    abstract void copy(Buffer target, Buffer source, @Nullable Stream stream);

    /** Returns the PEs that are known to have died, but for those that it goes on without. */
    abstract BitSet dead();

    /** Writes 64 bits of this PE's memory. */
    abstract void set(long offset, long value);

    /** Waits for all PEs. */
    abstract void barrier();

    /** Goes on without these PEs: their death ends no wait. */
    abstract void without(BitSet excluded);

    static Method kernel(Class<?> of, String name) {
        return Arrays.stream(of.getDeclaredMethods())
                .filter(method -> method.getName().equals(name) && !method.isSynthetic())
                .filter(method -> method.isAnnotationPresent(org.comm4j.kernel.lang.Kernel.class))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public abstract void close();
}
