// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.host.PeerMemory;
import org.comm4j.host.Team;
import org.comm4j.kernel.CpuContext;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Ptr;
import org.jspecify.annotations.Nullable;

/**
 * What {@link NvshmemFunctions} do on the CPU, over the embedded engine. A put is complete when it returns, which is
 * more than NVSHMEM promises. What waits lets the kernel's other threads run, and ends with an exception when a PE died
 * or the time is over.
 */
@KernelLibrary
final class Twin {
    /** Who calls a function together. */
    static final int THREAD = 0;

    static final int WARP = 1;
    static final int BLOCK = 2;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    /** Looks at a value that is waited for, before a thread sleeps between them. */
    private static final int SPINS = 200;

    private static final long NAP_NANOS = 20_000;
    private static final long LOOK_AROUND_NANOS = 100_000_000;

    /** {@code NVSHMEM_CMP_EQ} and so on, by their numbers. */
    private static final Comparison[] COMPARISONS = {
        Comparison.EQ, Comparison.NE, Comparison.GT, Comparison.LE, Comparison.LT, Comparison.GE
    };

    private Twin() {}

    static CpuPe pe() {
        return CpuContext.get(
                CpuPe.class,
                () -> "this kernel calls Shmem, but was compiled without PEs: compile it with"
                        + " ShmemCompiler.of(HostShmem)");
    }

    /** The others of the warp or block have come; true for the one who does the work. */
    private static boolean enter(int scope) {
        return scope == THREAD || CpuContext.begin(scope == BLOCK);
    }

    /** The work is done. */
    private static void leave(int scope) {
        if (scope != THREAD) {
            CpuContext.end(scope == BLOCK);
        }
    }

    // ---- who is there ----

    static int myPe() {
        return pe().myPe;
    }

    static int nPes() {
        return pe().nPes;
    }

    static int teamMyPe(int team) {
        return pe().team(team).rank();
    }

    static int teamNPes(int team) {
        return pe().team(team).size();
    }

    static int teamTranslatePe(int team, int pe, int destinationTeam) {
        CpuPe here = pe();
        Team from = here.team(team);
        return pe < 0 || pe >= from.size() ? -1 : here.team(destinationTeam).memberOf(from.worldRank(pe));
    }

    // ---- places ----

    static I8Ptr ptr(Ptr destination, int pe) {
        CpuPe here = pe();
        return here.pointer(destination, pe);
    }

    static I8Ptr mcPtr(int team, Ptr destination) {
        return pe().nowhere(team, destination);
    }

    private static MemorySegment remote(Ptr place, long bytes, int pe) {
        return pe().memory.on(place.memory(bytes), pe);
    }

    // ---- put and get ----

    private static long checked(long count, String what) {
        if (count < 0) {
            throw new IllegalArgumentException(count + " " + what);
        }
        return count;
    }

    private static void copyTo(Ptr destination, Ptr source, long bytes, int pe) {
        remote(destination, checked(bytes, "bytes"), pe).copyFrom(source.memory(bytes));
    }

    static void putmem(int scope, Ptr destination, Ptr source, long bytes, int pe) {
        if (enter(scope)) {
            copyTo(destination, source, bytes, pe);
            pe().memory.written(pe);
        }
        leave(scope);
    }

    static void getmem(int scope, Ptr destination, Ptr source, long bytes, int pe) {
        if (enter(scope)) {
            CpuContext.pause();
            destination.memory(bytes).copyFrom(remote(source, checked(bytes, "bytes"), pe));
        }
        leave(scope);
    }

    private static long span(long count, long stride, int bytes) {
        if (stride < 1) {
            throw new IllegalArgumentException("stride " + stride + " is not at least 1");
        }
        return checked(count, "elements") == 0 ? 0 : ((count - 1) * stride + 1) * bytes;
    }

    static void iput(
            int scope, Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        int bytes = destination.elementBytes();
        if (enter(scope)) {
            MemorySegment to = remote(destination, span(count, destinationStride, bytes), pe);
            strided(to, source.memory(span(count, sourceStride, bytes)), destinationStride, sourceStride, count, bytes);
            pe().memory.written(pe);
        }
        leave(scope);
    }

    static void iget(
            int scope, Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        int bytes = destination.elementBytes();
        if (enter(scope)) {
            CpuContext.pause();
            MemorySegment to = destination.memory(span(count, destinationStride, bytes));
            strided(
                    to,
                    remote(source, span(count, sourceStride, bytes), pe),
                    destinationStride,
                    sourceStride,
                    count,
                    bytes);
        }
        leave(scope);
    }

    private static void strided(
            MemorySegment to, MemorySegment from, long toStride, long fromStride, long count, int bytes) {
        for (long i = 0; i < count; i++) {
            MemorySegment.copy(from, i * fromStride * bytes, to, i * toStride * bytes, bytes);
        }
    }

    static void putmemSignal(
            int scope, Ptr destination, Ptr source, long bytes, I64Ptr signal, long value, int op, int pe) {
        if (enter(scope)) {
            copyTo(destination, source, bytes, pe);
            signalOp(signal, value, op, pe);
        }
        leave(scope);
    }

    static void p(I8Ptr destination, byte value, int pe) {
        remote(destination, Byte.BYTES, pe).set(ValueLayout.JAVA_BYTE, 0, value);
        pe().memory.written(pe);
    }

    static byte g(I8Ptr source, int pe) {
        CpuContext.pause();
        return remote(source, Byte.BYTES, pe).get(ValueLayout.JAVA_BYTE, 0);
    }

    static void p(I16Ptr destination, short value, int pe) {
        remote(destination, Short.BYTES, pe).set(ValueLayout.JAVA_SHORT, 0, value);
        pe().memory.written(pe);
    }

    static short g(I16Ptr source, int pe) {
        CpuContext.pause();
        return remote(source, Short.BYTES, pe).get(ValueLayout.JAVA_SHORT, 0);
    }

    static void p(I32Ptr destination, int value, int pe) {
        remote(destination, Integer.BYTES, pe).set(ValueLayout.JAVA_INT, 0, value);
        pe().memory.written(pe);
    }

    static int g(I32Ptr source, int pe) {
        CpuContext.pause();
        return remote(source, Integer.BYTES, pe).get(ValueLayout.JAVA_INT, 0);
    }

    static void p(I64Ptr destination, long value, int pe) {
        remote(destination, Long.BYTES, pe).set(ValueLayout.JAVA_LONG, 0, value);
        pe().memory.written(pe);
    }

    static long g(I64Ptr source, int pe) {
        CpuContext.pause();
        return remote(source, Long.BYTES, pe).get(ValueLayout.JAVA_LONG, 0);
    }

    static void p(F32Ptr destination, float value, int pe) {
        remote(destination, Float.BYTES, pe).set(ValueLayout.JAVA_FLOAT, 0, value);
        pe().memory.written(pe);
    }

    static float g(F32Ptr source, int pe) {
        CpuContext.pause();
        return remote(source, Float.BYTES, pe).get(ValueLayout.JAVA_FLOAT, 0);
    }

    static void p(F64Ptr destination, double value, int pe) {
        remote(destination, Double.BYTES, pe).set(ValueLayout.JAVA_DOUBLE, 0, value);
        pe().memory.written(pe);
    }

    static double g(F64Ptr source, int pe) {
        CpuContext.pause();
        return remote(source, Double.BYTES, pe).get(ValueLayout.JAVA_DOUBLE, 0);
    }

    // ---- order ----

    static void fence() {
        Fence.system();
    }

    static void quiet() {
        Fence.system();
    }

    /** What was put has left its source by then. */
    static void flush(int scope) {
        boolean ignored = enter(scope);
        leave(scope);
    }

    // ---- signals ----

    static void signalOp(I64Ptr signal, long value, int op, int pe) {
        MemorySegment word = remote(signal, Long.BYTES, pe);
        if (op == Codes.SIGNAL_SET) {
            LONG.setRelease(word, 0L, value);
        } else {
            LONG.getAndAdd(word, 0L, value);
        }
        pe().memory.written(pe);
    }

    static long signalFetch(I64Ptr signal) {
        CpuContext.pause();
        return load(signal, 0);
    }

    static long signalWaitUntil(I64Ptr signal, int comparison, long value) {
        long[] seen = new long[1];
        await("signalWaitUntil", () -> said(signal, "", comparison, value), () -> {
            seen[0] = load(signal, 0);
            // Signals have no sign.
            return COMPARISONS[comparison].holds(Long.compareUnsigned(seen[0], value));
        });
        return seen[0];
    }

    // ---- waits ----

    /** Of integers of 32 or 64 bits. */
    private static long load(Ptr variables, long i) {
        return switch (variables) {
            case I32Ptr ints -> (int) INT.getAcquire(ints.plus(i).memory(Integer.BYTES), 0L);
            case I64Ptr longs -> (long) LONG.getAcquire(longs.plus(i).memory(Long.BYTES), 0L);
            default -> throw new AssertionError(variables);
        };
    }

    private static String said(Ptr variable, String which, int comparison, long value) {
        return which + variable + " to be " + COMPARISONS[comparison] + " " + value;
    }

    /** Until {@code condition} holds; other threads run meanwhile. */
    static void await(String method, Supplier<String> waitedFor, BooleanSupplier condition) {
        if (condition.getAsBoolean()) {
            return;
        }
        CpuPe here = pe();
        long start = System.nanoTime();
        long looked = start;
        for (int round = 0; ; round++) {
            CpuContext.pause();
            if (condition.getAsBoolean()) {
                return;
            }
            if (round >= SPINS) {
                LockSupport.parkNanos(NAP_NANOS);
                long now = System.nanoTime();
                if (now - looked > LOOK_AROUND_NANOS) {
                    looked = now;
                    here.memory.lookAround(method + " in a kernel, for " + waitedFor.get(), start);
                }
            }
        }
    }

    private static boolean skipped(@Nullable I32Ptr skip, long i) {
        return skip != null && skip.get(i) != 0;
    }

    private static boolean allSkipped(@Nullable I32Ptr skip, long count) {
        for (long i = 0; i < count; i++) {
            if (!skipped(skip, i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean testAll(LongPredicate holds, long count, @Nullable I32Ptr skip) {
        for (long i = 0; i < count; i++) {
            if (!skipped(skip, i) && !holds.test(i)) {
                return false;
            }
        }
        return true;
    }

    private static long testAny(LongPredicate holds, long count, @Nullable I32Ptr skip) {
        for (long i = 0; i < count; i++) {
            if (!skipped(skip, i) && holds.test(i)) {
                return i;
            }
        }
        return -1;
    }

    private static long testSome(LongPredicate holds, long count, I64Ptr indices, @Nullable I32Ptr skip) {
        long found = 0;
        for (long i = 0; i < count; i++) {
            if (!skipped(skip, i) && holds.test(i)) {
                indices.set(found++, i);
            }
        }
        return found;
    }

    private static LongPredicate holds(Ptr variables, int comparison, LongUnaryOperator values) {
        return i -> COMPARISONS[comparison].holds(Long.compare(load(variables, i), values.applyAsLong(i)));
    }

    /** The same value for all. */
    private static LongUnaryOperator all(long value) {
        return i -> value;
    }

    /** A value for each. */
    private static LongUnaryOperator each(Ptr values) {
        return i -> load(values, i);
    }

    static void waitUntil(Ptr variable, int comparison, long value) {
        LongPredicate holds = holds(variable, comparison, all(value));
        await("waitUntil", () -> said(variable, "", comparison, value), () -> holds.test(0));
    }

    static int test(Ptr variable, int comparison, long value) {
        CpuContext.pause();
        return holds(variable, comparison, all(value)).test(0) ? 1 : 0;
    }

    static void waitUntilAll(Ptr variables, long count, @Nullable I32Ptr skip, int comparison, long value) {
        waitUntilAll(variables, count, skip, comparison, all(value));
    }

    static void waitUntilAll(Ptr variables, long count, @Nullable I32Ptr skip, int comparison, Ptr values) {
        waitUntilAll(variables, count, skip, comparison, each(values));
    }

    private static void waitUntilAll(
            Ptr variables, long count, @Nullable I32Ptr skip, int comparison, LongUnaryOperator values) {
        LongPredicate holds = holds(variables, comparison, values);
        await(
                "waitUntilAll",
                () -> said(variables, "all of " + count + " at ", comparison, count == 0 ? 0 : values.applyAsLong(0)),
                () -> testAll(holds, count, skip));
    }

    static long waitUntilAny(Ptr variables, long count, @Nullable I32Ptr skip, int comparison, long value) {
        return waitUntilAny(variables, count, skip, comparison, all(value));
    }

    static long waitUntilAny(Ptr variables, long count, @Nullable I32Ptr skip, int comparison, Ptr values) {
        return waitUntilAny(variables, count, skip, comparison, each(values));
    }

    private static long waitUntilAny(
            Ptr variables, long count, @Nullable I32Ptr skip, int comparison, LongUnaryOperator values) {
        if (allSkipped(skip, count)) {
            return -1;
        }
        LongPredicate holds = holds(variables, comparison, values);
        long[] found = new long[1];
        await(
                "waitUntilAny",
                () -> said(variables, "one of " + count + " at ", comparison, values.applyAsLong(0)),
                () -> (found[0] = testAny(holds, count, skip)) >= 0);
        return found[0];
    }

    static long waitUntilSome(
            Ptr variables, long count, I64Ptr indices, @Nullable I32Ptr skip, int comparison, long value) {
        return waitUntilSome(variables, count, indices, skip, comparison, all(value));
    }

    static long waitUntilSome(
            Ptr variables, long count, I64Ptr indices, @Nullable I32Ptr skip, int comparison, Ptr values) {
        return waitUntilSome(variables, count, indices, skip, comparison, each(values));
    }

    private static long waitUntilSome(
            Ptr variables,
            long count,
            I64Ptr indices,
            @Nullable I32Ptr skip,
            int comparison,
            LongUnaryOperator values) {
        if (allSkipped(skip, count)) {
            return 0;
        }
        LongPredicate holds = holds(variables, comparison, values);
        long[] found = new long[1];
        await(
                "waitUntilSome",
                () -> said(variables, "some of " + count + " at ", comparison, values.applyAsLong(0)),
                () -> (found[0] = testSome(holds, count, indices, skip)) > 0);
        return found[0];
    }

    static int testAll(Ptr variables, long count, @Nullable I32Ptr skip, int comparison, long value) {
        CpuContext.pause();
        return testAll(holds(variables, comparison, all(value)), count, skip) ? 1 : 0;
    }

    static int testAll(Ptr variables, long count, @Nullable I32Ptr skip, int comparison, Ptr values) {
        CpuContext.pause();
        return testAll(holds(variables, comparison, each(values)), count, skip) ? 1 : 0;
    }

    static long testAny(Ptr variables, long count, @Nullable I32Ptr skip, int comparison, long value) {
        CpuContext.pause();
        return testAny(holds(variables, comparison, all(value)), count, skip);
    }

    static long testAny(Ptr variables, long count, @Nullable I32Ptr skip, int comparison, Ptr values) {
        CpuContext.pause();
        return testAny(holds(variables, comparison, each(values)), count, skip);
    }

    static long testSome(Ptr variables, long count, I64Ptr indices, @Nullable I32Ptr skip, int comparison, long value) {
        CpuContext.pause();
        return testSome(holds(variables, comparison, all(value)), count, indices, skip);
    }

    static long testSome(Ptr variables, long count, I64Ptr indices, @Nullable I32Ptr skip, int comparison, Ptr values) {
        CpuContext.pause();
        return testSome(holds(variables, comparison, each(values)), count, indices, skip);
    }

    // ---- atomics ----

    static int atomicFetch(I32Ptr source, int pe) {
        CpuContext.pause();
        return (int) INT.getVolatile(remote(source, Integer.BYTES, pe), 0L);
    }

    static void atomicSet(I32Ptr target, int value, int pe) {
        INT.setVolatile(remote(target, Integer.BYTES, pe), 0L, value);
        pe().memory.written(pe);
    }

    static int atomicSwap(I32Ptr target, int value, int pe) {
        CpuContext.pause();
        int old = (int) INT.getAndSet(remote(target, Integer.BYTES, pe), 0L, value);
        pe().memory.written(pe);
        return old;
    }

    static int atomicFetchAdd(I32Ptr target, int value, int pe) {
        CpuContext.pause();
        int old = (int) INT.getAndAdd(remote(target, Integer.BYTES, pe), 0L, value);
        pe().memory.written(pe);
        return old;
    }

    static int atomicFetchAnd(I32Ptr target, int value, int pe) {
        CpuContext.pause();
        int old = (int) INT.getAndBitwiseAnd(remote(target, Integer.BYTES, pe), 0L, value);
        pe().memory.written(pe);
        return old;
    }

    static int atomicFetchOr(I32Ptr target, int value, int pe) {
        CpuContext.pause();
        int old = (int) INT.getAndBitwiseOr(remote(target, Integer.BYTES, pe), 0L, value);
        pe().memory.written(pe);
        return old;
    }

    static int atomicFetchXor(I32Ptr target, int value, int pe) {
        CpuContext.pause();
        int old = (int) INT.getAndBitwiseXor(remote(target, Integer.BYTES, pe), 0L, value);
        pe().memory.written(pe);
        return old;
    }

    static int atomicCompareSwap(I32Ptr target, int condition, int value, int pe) {
        CpuContext.pause();
        int old = (int) INT.compareAndExchange(remote(target, Integer.BYTES, pe), 0L, condition, value);
        pe().memory.written(pe);
        return old;
    }

    static long atomicFetch(I64Ptr source, int pe) {
        CpuContext.pause();
        return (long) LONG.getVolatile(remote(source, Long.BYTES, pe), 0L);
    }

    static void atomicSet(I64Ptr target, long value, int pe) {
        LONG.setVolatile(remote(target, Long.BYTES, pe), 0L, value);
        pe().memory.written(pe);
    }

    static long atomicSwap(I64Ptr target, long value, int pe) {
        CpuContext.pause();
        long old = (long) LONG.getAndSet(remote(target, Long.BYTES, pe), 0L, value);
        pe().memory.written(pe);
        return old;
    }

    static long atomicFetchAdd(I64Ptr target, long value, int pe) {
        CpuContext.pause();
        long old = (long) LONG.getAndAdd(remote(target, Long.BYTES, pe), 0L, value);
        pe().memory.written(pe);
        return old;
    }

    static long atomicFetchAnd(I64Ptr target, long value, int pe) {
        CpuContext.pause();
        long old = (long) LONG.getAndBitwiseAnd(remote(target, Long.BYTES, pe), 0L, value);
        pe().memory.written(pe);
        return old;
    }

    static long atomicFetchOr(I64Ptr target, long value, int pe) {
        CpuContext.pause();
        long old = (long) LONG.getAndBitwiseOr(remote(target, Long.BYTES, pe), 0L, value);
        pe().memory.written(pe);
        return old;
    }

    static long atomicFetchXor(I64Ptr target, long value, int pe) {
        CpuContext.pause();
        long old = (long) LONG.getAndBitwiseXor(remote(target, Long.BYTES, pe), 0L, value);
        pe().memory.written(pe);
        return old;
    }

    static long atomicCompareSwap(I64Ptr target, long condition, long value, int pe) {
        CpuContext.pause();
        long old = (long) LONG.compareAndExchange(remote(target, Long.BYTES, pe), 0L, condition, value);
        pe().memory.written(pe);
        return old;
    }

    static float atomicFetch(F32Ptr source, int pe) {
        return Float.intBitsToFloat(atomicFetch(source.asI32(), pe));
    }

    static void atomicSet(F32Ptr target, float value, int pe) {
        atomicSet(target.asI32(), Float.floatToRawIntBits(value), pe);
    }

    static float atomicSwap(F32Ptr target, float value, int pe) {
        return Float.intBitsToFloat(atomicSwap(target.asI32(), Float.floatToRawIntBits(value), pe));
    }

    static double atomicFetch(F64Ptr source, int pe) {
        return Double.longBitsToDouble(atomicFetch(source.asI64(), pe));
    }

    static void atomicSet(F64Ptr target, double value, int pe) {
        atomicSet(target.asI64(), Double.doubleToRawLongBits(value), pe);
    }

    // ---- collectives ----

    static int barrier(int scope, int team) {
        if (enter(scope)) {
            meet(pe().team(team), "barrier");
        }
        leave(scope);
        return 0;
    }

    /** All members have come; what they wrote before is seen. */
    private static void meet(Team team, String what) {
        PeerMemory memory = pe().memory;
        long number = memory.arrive(team);
        await(what, () -> "the members of " + team, () -> memory.arrived(team, number));
    }

    /** What a member wants of another one: bytes of its source, to a place in its own destination. */
    private interface Part {
        void copy(int member, MemorySegment from, MemorySegment to);
    }

    /**
     * All members have come, each takes what it wants of the others, and goes on when all have done so. Source and
     * destination may be the same.
     *
     * @param sourceBytes of a member's source
     * @param bytes of the destination
     */
    private static int collect(
            int scope, int team, String what, Ptr destination, Ptr source, long sourceBytes, long bytes, Part part) {
        if (enter(scope)) {
            Team members = pe().team(team);
            MemorySegment target = destination.memory(checked(bytes, "bytes"));
            MemorySegment[] sources = new MemorySegment[members.size()];
            for (int member = 0; member < sources.length; member++) {
                sources[member] = remote(source, sourceBytes, members.worldRank(member));
            }
            meet(members, what);
            MemorySegment made =
                    Arena.ofAuto().allocate(Math.max(bytes, 1), Long.BYTES).asSlice(0, bytes);
            for (int member = 0; member < sources.length; member++) {
                part.copy(member, sources[member], made);
            }
            meet(members, what);
            target.copyFrom(made);
        }
        leave(scope);
        return 0;
    }

    static int broadcast(int scope, int team, Ptr destination, Ptr source, long count, int root) {
        long bytes = count * destination.elementBytes();
        int size = teamNPes(team);
        if (root < 0 || root >= size) {
            throw new IllegalArgumentException("broadcast: member " + root + " is not one of 0 to " + (size - 1));
        }
        return collect(scope, team, "broadcast", destination, source, bytes, bytes, (member, from, to) -> {
            if (member == root) {
                to.copyFrom(from);
            }
        });
    }

    static int fcollect(int scope, int team, Ptr destination, Ptr source, long count) {
        long bytes = count * destination.elementBytes();
        return collect(
                scope,
                team,
                "fcollect",
                destination,
                source,
                bytes,
                bytes * teamNPes(team),
                (member, from, to) -> MemorySegment.copy(from, 0, to, member * bytes, bytes));
    }

    static int alltoall(int scope, int team, Ptr destination, Ptr source, long count) {
        long bytes = count * destination.elementBytes();
        long all = bytes * teamNPes(team);
        long mine = bytes * teamMyPe(team);
        return collect(
                scope,
                team,
                "allToAll",
                destination,
                source,
                all,
                all,
                (member, from, to) -> MemorySegment.copy(from, mine, to, member * bytes, bytes));
    }

    static int reduce(int scope, int team, Ptr destination, Ptr source, long count, ReduceOp op) {
        return reduce(scope, team, "reduce", destination, source, count, 0, count, op);
    }

    static int reducescatter(int scope, int team, Ptr destination, Ptr source, long count, ReduceOp op) {
        long first = count * teamMyPe(team);
        long size = checked(count, "count") * destination.elementBytes();
        if (destination
                .memory(size)
                .asOverlappingSlice(source.memory(size * teamNPes(team)))
                .isPresent()) {
            throw new IllegalArgumentException(
                    "reduceScatter of " + count + " elements for each PE: the destination is part of the source");
        }
        return reduce(scope, team, "reduceScatter", destination, source, count * teamNPes(team), first, count, op);
    }

    private static int reduce(
            int scope,
            int team,
            String what,
            Ptr destination,
            Ptr source,
            long sourceCount,
            long first,
            long count,
            ReduceOp op) {
        DataType type = destination.elementType();
        int last = teamNPes(team) - 1;
        double[] floats = new double[type.isFloat() ? Math.toIntExact(count) : 0];
        return collect(
                scope,
                team,
                what,
                destination,
                source,
                sourceCount * type.bytes(),
                count * type.bytes(),
                (member, from, to) -> {
                    HostArray operand = HostArray.wrap(from, type);
                    HostArray result = HostArray.wrap(to, type);
                    for (long i = 0; i < count; i++) {
                        if (!type.isFloat()) {
                            long next = operand.getLong(first + i);
                            result.setLong(i, member == 0 ? next : combined(op, result.getLong(i), next));
                            continue;
                        }
                        double next = operand.getDouble(first + i);
                        double sum = member == 0 ? next : combined(op, floats[(int) i], next);
                        // Each step is one of the type; those of 16 bits are rounded once, at the end.
                        floats[(int) i] = type == DataType.FLOAT64 ? sum : (float) sum;
                        if (member == last) {
                            result.setDouble(i, floats[(int) i]);
                        }
                    }
                });
    }

    /** The pair with the greatest first number; of equal ones any. */
    static int maxlocReduce(int scope, int team, F64Ptr destination, F64Ptr source, long count) {
        if (count != 1) {
            throw new IllegalArgumentException("maxLoc of " + count + " pairs: NVSHMEM takes one");
        }
        long bytes = 2 * Double.BYTES;
        return collect(scope, team, "maxLoc", destination, source, bytes, bytes, (member, from, to) -> {
            if (member == 0 || from.get(ValueLayout.JAVA_DOUBLE, 0) > to.get(ValueLayout.JAVA_DOUBLE, 0)) {
                to.copyFrom(from);
            }
        });
    }

    private static long combined(ReduceOp op, long a, long b) {
        return switch (op) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case BAND -> a & b;
            case BOR -> a | b;
            case BXOR -> a ^ b;
            case AVG -> throw new IllegalArgumentException("NVSHMEM has no AVG");
        };
    }

    private static double combined(ReduceOp op, double a, double b) {
        return switch (op) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            default -> throw new IllegalArgumentException("NVSHMEM has no " + op + " of floating-point numbers");
        };
    }
}
