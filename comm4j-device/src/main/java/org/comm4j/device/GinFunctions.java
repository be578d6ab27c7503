// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Order;
import org.comm4j.kernel.lang.Scope;

/**
 * NCCL's functions for the network, as {@link GinUnit} has them, for one thread. Their bodies are what they do on the
 * CPU, where {@code comm} is a place in this rank's part of the shared memory: words that say what is where, and behind
 * them signals, shadows and counters. A put is complete there when it returns, which is more than NCCL promises.
 */
@KernelLibrary
final class GinFunctions {
    /** Words on the CPU: bytes from one rank's memory to the next one's, signals and counters of a context. */
    static final int STRIDE = 0;

    static final int SIGNALS = 1;
    static final int COUNTERS = 2;
    static final int HEADER = 8;

    private GinFunctions() {}

    /** The words that so many contexts need on the CPU. */
    static long words(int contexts, int signals, int counters) {
        return HEADER + contexts * (2L * signals + counters);
    }

    @DeviceFunction(value = "comm4j_gin_put", unit = GinUnit.NAME)
    static void put(
            I8Ptr comm,
            int context,
            int size,
            int rank,
            int stride,
            int peer,
            I8Ptr to,
            long toOffset,
            I8Ptr from,
            long fromOffset,
            long bytes,
            int op,
            int signal,
            long value,
            int counter) {
        long distance = distance(comm, (peer - rank) * stride);
        to.plus(distance + toOffset)
                .memory(bytes)
                .copyFrom(from.plus(fromOffset).memory(bytes));
        if (op != 0) {
            increase(word(comm.plus(distance), context, signal), value);
        }
        if (counter >= 0) {
            increase(counterWord(comm, context, counter), 1);
        }
    }

    @DeviceFunction(value = "comm4j_gin_put_value", unit = GinUnit.NAME)
    static void putValue(
            I8Ptr comm,
            int context,
            int size,
            int rank,
            int stride,
            int peer,
            I8Ptr to,
            long toOffset,
            long bits,
            int bytes,
            int op,
            int signal,
            long value) {
        long distance = distance(comm, (peer - rank) * stride);
        I8Ptr place = to.plus(distance + toOffset);
        if (bytes == Integer.BYTES) {
            place.asI32().setVolatile(0, (int) bits);
        } else {
            place.asI64().setVolatile(0, bits);
        }
        if (op != 0) {
            increase(word(comm.plus(distance), context, signal), value);
        }
    }

    @DeviceFunction(value = "comm4j_gin_get", unit = GinUnit.NAME)
    static void get(
            I8Ptr comm,
            int context,
            int size,
            int rank,
            int stride,
            int peer,
            I8Ptr from,
            long fromOffset,
            I8Ptr to,
            long toOffset,
            long bytes) {
        long distance = distance(comm, (peer - rank) * stride);
        to.plus(toOffset)
                .memory(bytes)
                .copyFrom(from.plus(distance + fromOffset).memory(bytes));
    }

    @DeviceFunction(value = "comm4j_gin_signal", unit = GinUnit.NAME)
    static void signal(
            I8Ptr comm, int context, int size, int rank, int stride, int peer, int op, int signal, long value) {
        increase(word(comm.plus(distance(comm, (peer - rank) * stride)), context, signal), value);
    }

    @DeviceFunction(value = "comm4j_gin_flush", unit = GinUnit.NAME, cooperative = true)
    static void flush(I8Ptr comm, int context) {}

    /** Whether a signal comes behind all puts before it. */
    @DeviceFunction(value = "comm4j_gin_ordered", unit = GinUnit.NAME)
    static boolean ordered(I8Ptr comm, int context) {
        return true;
    }

    @DeviceFunction(value = "comm4j_gin_read_signal", unit = GinUnit.NAME)
    static long readSignal(I8Ptr comm, int context, int signal) {
        return word(comm, context, signal).getVolatile(0);
    }

    @DeviceFunction(value = "comm4j_gin_reset_signal", unit = GinUnit.NAME)
    static void resetSignal(I8Ptr comm, int context, int signal) {
        word(comm, context, signal).setVolatile(0, 0);
        shadow(comm, context, signal).set(0, 0);
    }

    @DeviceFunction(value = "comm4j_gin_shadow", unit = GinUnit.NAME)
    static I64Ptr shadow(I8Ptr comm, int context, int signal) {
        return word(comm, context, header(comm, SIGNALS) + signal);
    }

    @DeviceFunction(value = "comm4j_gin_read_counter", unit = GinUnit.NAME)
    static long readCounter(I8Ptr comm, int context, int counter) {
        return counterWord(comm, context, counter).getVolatile(0);
    }

    @DeviceFunction(value = "comm4j_gin_reset_counter", unit = GinUnit.NAME)
    static void resetCounter(I8Ptr comm, int context, int counter) {
        counterWord(comm, context, counter).setVolatile(0, 0);
    }

    // ---- on the CPU ----

    private static long header(I8Ptr comm, int word) {
        return comm.asI64().get(word);
    }

    private static long distance(I8Ptr comm, int ranks) {
        return ranks * header(comm, STRIDE);
    }

    /** Of a context: signals, shadows, counters. */
    private static I64Ptr word(I8Ptr comm, int context, long word) {
        long each = 2 * header(comm, SIGNALS) + header(comm, COUNTERS);
        return comm.asI64().plus(HEADER + context * each + word);
    }

    private static I64Ptr counterWord(I8Ptr comm, int context, int counter) {
        return word(comm, context, 2 * header(comm, SIGNALS) + counter);
    }

    /** What was written before is seen by who sees it. */
    private static void increase(I64Ptr word, long value) {
        word.atomicAdd(0, value, Scope.SYSTEM, Order.RELEASE);
    }
}
