// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Atomic operations on memory within reach, by 32 and 64 bits. */
final class Atomic {
    static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private Atomic() {}

    enum Operation {
        FETCH,
        SET,
        SWAP,
        COMPARE_SWAP,
        ADD,
        AND,
        OR,
        XOR
    }

    /** Returns what was there; 0 of {@code SET}. */
    static long wide(Operation operation, MemorySegment memory, long at, long value, long condition) {
        return switch (operation) {
            case FETCH -> (long) LONG.getAcquire(memory, at);
            case SET -> {
                LONG.setVolatile(memory, at, value);
                yield 0;
            }
            case SWAP -> (long) LONG.getAndSet(memory, at, value);
            case COMPARE_SWAP -> (long) LONG.compareAndExchange(memory, at, condition, value);
            case ADD -> (long) LONG.getAndAdd(memory, at, value);
            case AND -> (long) LONG.getAndBitwiseAnd(memory, at, value);
            case OR -> (long) LONG.getAndBitwiseOr(memory, at, value);
            case XOR -> (long) LONG.getAndBitwiseXor(memory, at, value);
        };
    }

    /** Returns what was there; 0 of {@code SET}. */
    static int narrow(Operation operation, MemorySegment memory, long at, int value, int condition) {
        return switch (operation) {
            case FETCH -> (int) INT.getAcquire(memory, at);
            case SET -> {
                INT.setVolatile(memory, at, value);
                yield 0;
            }
            case SWAP -> (int) INT.getAndSet(memory, at, value);
            case COMPARE_SWAP -> (int) INT.compareAndExchange(memory, at, condition, value);
            case ADD -> (int) INT.getAndAdd(memory, at, value);
            case AND -> (int) INT.getAndBitwiseAnd(memory, at, value);
            case OR -> (int) INT.getAndBitwiseOr(memory, at, value);
            case XOR -> (int) INT.getAndBitwiseXor(memory, at, value);
        };
    }
}
