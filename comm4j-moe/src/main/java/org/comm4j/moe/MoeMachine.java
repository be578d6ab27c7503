// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
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

    /** Waits for the stream; null for that of this object. */
    abstract void complete(@Nullable Stream stream);

    /** Returns the stream of calls that have none; null where there are no streams. */
    abstract @Nullable Stream own();

    /** Returns a word of the report. */
    abstract long reported(int word);

    abstract void clear(int word);

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

    /** Returns what to throw when a kernel has waited for this PE in vain. */
    abstract CommException failure(String message, int pe);

    /** Writes 64 bits of this PE's memory. */
    abstract void set(long offset, long value);

    /** Waits for all PEs. */
    abstract void barrier();

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
