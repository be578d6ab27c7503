// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.Comparison;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.F8E4M3Ptr;
import org.comm4j.kernel.lang.F8E5M2Ptr;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Ptr;

/**
 * NVSHMEM from inside kernels, for a single thread: who is there, put and get, signals, waits, atomics, order. {@link
 * ShmemWarp} and {@link ShmemBlock} have what a warp or block does together. Names, argument order (destination,
 * source, count, PE) and meaning are those of the host's side ({@code Nvshmem}, {@code HostShmem}).
 *
 * <p>Pointers to memory of others are <em>symmetric</em>: the kernel names the place in its own copy of a symmetric
 * array, and the PE. A pointer to other memory is undefined on a GPU, and an exception on the CPU and in kernels that
 * are compiled with checks, as is a PE that there is not.
 *
 * <p>Kernels are made by {@link ShmemCompiler}.
 */
@KernelLibrary
public final class Shmem {
    private Shmem() {}

    // ---- who is there ----

    /** This PE ({@code nvshmem_my_pe}). */
    public static int myPe() {
        return NvshmemFunctions.nvshmem_my_pe();
    }

    /** The number of PEs ({@code nvshmem_n_pes}). */
    public static int nPes() {
        return NvshmemFunctions.nvshmem_n_pes();
    }

    // ---- memory of others, for loads and stores ----

    /**
     * Where {@code symmetric} is on {@code pe}, for loads and stores; a pointer to address 0 if this GPU does not reach
     * that one ({@code nvshmem_ptr}).
     */
    public static F32Ptr ptr(F32Ptr symmetric, int pe) {
        Check.remote(symmetric, pe);
        return NvshmemFunctions.nvshmem_ptr(symmetric, pe).asF32();
    }

    /**
     * Where {@code symmetric} is on {@code pe}, for loads and stores; a pointer to address 0 if this GPU does not reach
     * that one ({@code nvshmem_ptr}).
     */
    public static F64Ptr ptr(F64Ptr symmetric, int pe) {
        Check.remote(symmetric, pe);
        return NvshmemFunctions.nvshmem_ptr(symmetric, pe).asF64();
    }

    /**
     * Where {@code symmetric} is on {@code pe}, for loads and stores; a pointer to address 0 if this GPU does not reach
     * that one ({@code nvshmem_ptr}).
     */
    public static I8Ptr ptr(I8Ptr symmetric, int pe) {
        Check.remote(symmetric, pe);
        return NvshmemFunctions.nvshmem_ptr(symmetric, pe);
    }

    /**
     * Where {@code symmetric} is on {@code pe}, for loads and stores; a pointer to address 0 if this GPU does not reach
     * that one ({@code nvshmem_ptr}).
     */
    public static I16Ptr ptr(I16Ptr symmetric, int pe) {
        Check.remote(symmetric, pe);
        return NvshmemFunctions.nvshmem_ptr(symmetric, pe).asI16();
    }

    /**
     * Where {@code symmetric} is on {@code pe}, for loads and stores; a pointer to address 0 if this GPU does not reach
     * that one ({@code nvshmem_ptr}).
     */
    public static I32Ptr ptr(I32Ptr symmetric, int pe) {
        Check.remote(symmetric, pe);
        return NvshmemFunctions.nvshmem_ptr(symmetric, pe).asI32();
    }

    /**
     * Where {@code symmetric} is on {@code pe}, for loads and stores; a pointer to address 0 if this GPU does not reach
     * that one ({@code nvshmem_ptr}).
     */
    public static I64Ptr ptr(I64Ptr symmetric, int pe) {
        Check.remote(symmetric, pe);
        return NvshmemFunctions.nvshmem_ptr(symmetric, pe).asI64();
    }

    /**
     * Where {@code symmetric} is on {@code pe}, for loads and stores; a pointer to address 0 if this GPU does not reach
     * that one ({@code nvshmem_ptr}).
     */
    public static F16Ptr ptr(F16Ptr symmetric, int pe) {
        Check.remote(symmetric, pe);
        return NvshmemFunctions.nvshmem_ptr(symmetric, pe).asF16();
    }

    /**
     * Where {@code symmetric} is on {@code pe}, for loads and stores; a pointer to address 0 if this GPU does not reach
     * that one ({@code nvshmem_ptr}).
     */
    public static BF16Ptr ptr(BF16Ptr symmetric, int pe) {
        Check.remote(symmetric, pe);
        return NvshmemFunctions.nvshmem_ptr(symmetric, pe).asBF16();
    }

    /**
     * Where {@code symmetric} is on {@code pe}, for loads and stores; a pointer to address 0 if this GPU does not reach
     * that one ({@code nvshmem_ptr}).
     */
    public static F8E4M3Ptr ptr(F8E4M3Ptr symmetric, int pe) {
        Check.remote(symmetric, pe);
        return NvshmemFunctions.nvshmem_ptr(symmetric, pe).asF8E4M3();
    }

    /**
     * Where {@code symmetric} is on {@code pe}, for loads and stores; a pointer to address 0 if this GPU does not reach
     * that one ({@code nvshmem_ptr}).
     */
    public static F8E5M2Ptr ptr(F8E5M2Ptr symmetric, int pe) {
        Check.remote(symmetric, pe);
        return NvshmemFunctions.nvshmem_ptr(symmetric, pe).asF8E5M2();
    }

    /**
     * {@code symmetric} on all members of a team at once: a store there reaches all; a pointer to address 0 where that
     * cannot be ({@code nvshmemx_mc_ptr}).
     */
    public static F32Ptr multicast(ShmemTeam team, F32Ptr symmetric) {
        Check.symmetric(symmetric);
        return NvshmemFunctions.nvshmemx_mc_ptr(team.handle(), symmetric).asF32();
    }

    /**
     * {@code symmetric} on all members of a team at once: a store there reaches all; a pointer to address 0 where that
     * cannot be ({@code nvshmemx_mc_ptr}).
     */
    public static F64Ptr multicast(ShmemTeam team, F64Ptr symmetric) {
        Check.symmetric(symmetric);
        return NvshmemFunctions.nvshmemx_mc_ptr(team.handle(), symmetric).asF64();
    }

    /**
     * {@code symmetric} on all members of a team at once: a store there reaches all; a pointer to address 0 where that
     * cannot be ({@code nvshmemx_mc_ptr}).
     */
    public static I8Ptr multicast(ShmemTeam team, I8Ptr symmetric) {
        Check.symmetric(symmetric);
        return NvshmemFunctions.nvshmemx_mc_ptr(team.handle(), symmetric);
    }

    /**
     * {@code symmetric} on all members of a team at once: a store there reaches all; a pointer to address 0 where that
     * cannot be ({@code nvshmemx_mc_ptr}).
     */
    public static I16Ptr multicast(ShmemTeam team, I16Ptr symmetric) {
        Check.symmetric(symmetric);
        return NvshmemFunctions.nvshmemx_mc_ptr(team.handle(), symmetric).asI16();
    }

    /**
     * {@code symmetric} on all members of a team at once: a store there reaches all; a pointer to address 0 where that
     * cannot be ({@code nvshmemx_mc_ptr}).
     */
    public static I32Ptr multicast(ShmemTeam team, I32Ptr symmetric) {
        Check.symmetric(symmetric);
        return NvshmemFunctions.nvshmemx_mc_ptr(team.handle(), symmetric).asI32();
    }

    /**
     * {@code symmetric} on all members of a team at once: a store there reaches all; a pointer to address 0 where that
     * cannot be ({@code nvshmemx_mc_ptr}).
     */
    public static I64Ptr multicast(ShmemTeam team, I64Ptr symmetric) {
        Check.symmetric(symmetric);
        return NvshmemFunctions.nvshmemx_mc_ptr(team.handle(), symmetric).asI64();
    }

    /**
     * {@code symmetric} on all members of a team at once: a store there reaches all; a pointer to address 0 where that
     * cannot be ({@code nvshmemx_mc_ptr}).
     */
    public static F16Ptr multicast(ShmemTeam team, F16Ptr symmetric) {
        Check.symmetric(symmetric);
        return NvshmemFunctions.nvshmemx_mc_ptr(team.handle(), symmetric).asF16();
    }

    /**
     * {@code symmetric} on all members of a team at once: a store there reaches all; a pointer to address 0 where that
     * cannot be ({@code nvshmemx_mc_ptr}).
     */
    public static BF16Ptr multicast(ShmemTeam team, BF16Ptr symmetric) {
        Check.symmetric(symmetric);
        return NvshmemFunctions.nvshmemx_mc_ptr(team.handle(), symmetric).asBF16();
    }

    /**
     * {@code symmetric} on all members of a team at once: a store there reaches all; a pointer to address 0 where that
     * cannot be ({@code nvshmemx_mc_ptr}).
     */
    public static F8E4M3Ptr multicast(ShmemTeam team, F8E4M3Ptr symmetric) {
        Check.symmetric(symmetric);
        return NvshmemFunctions.nvshmemx_mc_ptr(team.handle(), symmetric).asF8E4M3();
    }

    /**
     * {@code symmetric} on all members of a team at once: a store there reaches all; a pointer to address 0 where that
     * cannot be ({@code nvshmemx_mc_ptr}).
     */
    public static F8E5M2Ptr multicast(ShmemTeam team, F8E5M2Ptr symmetric) {
        Check.symmetric(symmetric);
        return NvshmemFunctions.nvshmemx_mc_ptr(team.handle(), symmetric).asF8E5M2();
    }

    // ---- put and get ----

    /**
     * Copies {@code count} elements to {@code destination} on {@code pe}. When it returns, {@code source} may be used
     * again; {@link Shmem#quiet} says when the data has arrived ({@code nvshmem_putmem}).
     *
     * @param destination symmetric
     * @param source of this PE
     */
    public static <P extends Ptr> void put(P destination, P source, long count, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmem_putmem(destination, source, count * destination.elementBytes(), pe);
    }

    /**
     * {@link #put} that may return before {@code source} may be used again: that is after {@link Shmem#quiet} ({@code
     * nvshmem_putmem_nbi}).
     */
    public static <P extends Ptr> void putNbi(P destination, P source, long count, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmem_putmem_nbi(destination, source, count * destination.elementBytes(), pe);
    }

    /**
     * Copies {@code count} elements from {@code source} on {@code pe}; they are there when it returns. ({@code
     * nvshmem_getmem}).
     *
     * @param destination of this PE
     * @param source symmetric
     */
    public static <P extends Ptr> void get(P destination, P source, long count, int pe) {
        Check.remote(source, pe);
        NvshmemFunctions.nvshmem_getmem(destination, source, count * source.elementBytes(), pe);
    }

    /**
     * {@link #get} that may return before the data is there: it is after {@link Shmem#quiet} ({@code
     * nvshmem_getmem_nbi}).
     */
    public static <P extends Ptr> void getNbi(P destination, P source, long count, int pe) {
        Check.remote(source, pe);
        NvshmemFunctions.nvshmem_getmem_nbi(destination, source, count * source.elementBytes(), pe);
    }

    /**
     * Copies every {@code sourceStride}-th of {@code source} to every {@code destinationStride}-th of {@code
     * destination} on {@code pe}. ({@code nvshmem_iput8} to {@code 64}).
     *
     * @param destinationStride in elements, at least 1, as the other one
     * @param count of elements that are copied
     */
    public static <P extends Ptr> void iput(
            P destination, P source, long destinationStride, long sourceStride, long count, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmem_iput(destination, source, destinationStride, sourceStride, count, pe);
    }

    /**
     * The counterpart of {@link #iput}: from {@code source} on {@code pe} to {@code destination} ({@code nvshmem_iget8}
     * to {@code 64}).
     */
    public static <P extends Ptr> void iget(
            P destination, P source, long destinationStride, long sourceStride, long count, int pe) {
        Check.remote(source, pe);
        NvshmemFunctions.nvshmem_iget(destination, source, destinationStride, sourceStride, count, pe);
    }

    /**
     * {@link #put}, then a signal: the PE that sees the signal sees the data. ({@code nvshmem_putmem_signal}).
     *
     * @param signal symmetric; waited for by {@link Shmem#signalWaitUntil}
     */
    public static <P extends Ptr> void putSignal(
            P destination, P source, long count, I64Ptr signal, long value, SignalOp op, int pe) {
        Check.remote(destination, pe);
        Check.symmetric(signal);
        NvshmemFunctions.nvshmem_putmem_signal(
                destination, source, count * destination.elementBytes(), signal, value, Codes.of(op), pe);
    }

    /**
     * {@link #putSignal} that may return before {@code source} may be used again: that is after {@link Shmem#quiet}
     * ({@code nvshmem_putmem_signal_nbi}).
     */
    public static <P extends Ptr> void putSignalNbi(
            P destination, P source, long count, I64Ptr signal, long value, SignalOp op, int pe) {
        Check.remote(destination, pe);
        Check.symmetric(signal);
        NvshmemFunctions.nvshmem_putmem_signal_nbi(
                destination, source, count * destination.elementBytes(), signal, value, Codes.of(op), pe);
    }

    /** Stores one element on {@code pe} ({@code nvshmem_int8_p}). */
    public static void p(I8Ptr destination, byte value, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmem_p(destination, value, pe);
    }

    /** Loads one element of {@code pe} ({@code nvshmem_int8_g}). */
    public static byte g(I8Ptr source, int pe) {
        Check.remote(source, pe);
        return NvshmemFunctions.nvshmem_g(source, pe);
    }

    /** Stores one element on {@code pe} ({@code nvshmem_int16_p}). */
    public static void p(I16Ptr destination, short value, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmem_p(destination, value, pe);
    }

    /** Loads one element of {@code pe} ({@code nvshmem_int16_g}). */
    public static short g(I16Ptr source, int pe) {
        Check.remote(source, pe);
        return NvshmemFunctions.nvshmem_g(source, pe);
    }

    /** Stores one element on {@code pe} ({@code nvshmem_int32_p}). */
    public static void p(I32Ptr destination, int value, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmem_p(destination, value, pe);
    }

    /** Loads one element of {@code pe} ({@code nvshmem_int32_g}). */
    public static int g(I32Ptr source, int pe) {
        Check.remote(source, pe);
        return NvshmemFunctions.nvshmem_g(source, pe);
    }

    /** Stores one element on {@code pe} ({@code nvshmem_int64_p}). */
    public static void p(I64Ptr destination, long value, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmem_p(destination, value, pe);
    }

    /** Loads one element of {@code pe} ({@code nvshmem_int64_g}). */
    public static long g(I64Ptr source, int pe) {
        Check.remote(source, pe);
        return NvshmemFunctions.nvshmem_g(source, pe);
    }

    /** Stores one element on {@code pe} ({@code nvshmem_float_p}). */
    public static void p(F32Ptr destination, float value, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmem_p(destination, value, pe);
    }

    /** Loads one element of {@code pe} ({@code nvshmem_float_g}). */
    public static float g(F32Ptr source, int pe) {
        Check.remote(source, pe);
        return NvshmemFunctions.nvshmem_g(source, pe);
    }

    /** Stores one element on {@code pe} ({@code nvshmem_double_p}). */
    public static void p(F64Ptr destination, double value, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmem_p(destination, value, pe);
    }

    /** Loads one element of {@code pe} ({@code nvshmem_double_g}). */
    public static double g(F64Ptr source, int pe) {
        Check.remote(source, pe);
        return NvshmemFunctions.nvshmem_g(source, pe);
    }

    // ---- order ----

    /**
     * Orders what this thread put before it, at each other PE, before what it puts after it ({@code nvshmem_fence}).
     */
    public static void fence() {
        NvshmemFunctions.nvshmem_fence();
    }

    /** Returns when all that this thread started has arrived ({@code nvshmem_quiet}). */
    public static void quiet() {
        NvshmemFunctions.nvshmem_quiet();
    }

    /**
     * Returns when the sources of all that this thread put without waiting ({@link #putNbi}, {@link #putSignalNbi}) may
     * be used again, which is no later than {@link #quiet}: the data may still be under way ({@code nvshmemx_flush},
     * NVSHMEM 3.7 and newer; with an older one a kernel that calls it does not compile).
     */
    public static void flush() {
        NvshmemFunctions.nvshmemx_flush();
    }

    // ---- signals ----

    /** A signal without data ({@code nvshmemx_signal_op}). */
    public static void signal(I64Ptr signal, long value, SignalOp op, int pe) {
        Check.remote(signal, pe);
        NvshmemFunctions.nvshmemx_signal_op(signal, value, Codes.of(op), pe);
    }

    /** The value of a signal of this PE ({@code nvshmem_signal_fetch}). */
    public static long signalFetch(I64Ptr signal) {
        Check.symmetric(signal);
        return NvshmemFunctions.nvshmem_signal_fetch(signal);
    }

    /**
     * Waits for a signal of this PE and returns its value; signals have no sign ({@code nvshmem_signal_wait_until}).
     */
    public static long signalWaitUntil(I64Ptr signal, Comparison comparison, long value) {
        Check.symmetric(signal);
        return NvshmemFunctions.nvshmem_signal_wait_until(signal, Codes.of(comparison), value);
    }

    // ---- waits ----

    /** Waits until an integer of this PE compares as asked with {@code value} ({@code nvshmem_int32_wait_until}). */
    public static void waitUntil(I32Ptr variable, Comparison comparison, int value) {
        Check.symmetric(variable);
        NvshmemFunctions.nvshmem_wait_until(variable, Codes.of(comparison), value);
    }

    /** Whether an integer of this PE compares as asked with {@code value} now ({@code nvshmem_int32_test}). */
    public static boolean test(I32Ptr variable, Comparison comparison, int value) {
        Check.symmetric(variable);
        return NvshmemFunctions.nvshmem_test(variable, Codes.of(comparison), value) != 0;
    }

    /**
     * Waits until all of {@code count} integers of this PE compare as asked with {@code value} ({@code
     * nvshmem_int32_wait_until_all}).
     */
    public static void waitUntilAll(I32Ptr variables, long count, Comparison comparison, int value) {
        Check.symmetric(variables);
        NvshmemFunctions.nvshmem_wait_until_all(variables, count, null, Codes.of(comparison), value);
    }

    /**
     * Whether all of {@code count} integers of this PE compare as asked with {@code value} now ({@code
     * nvshmem_int32_test_all}).
     */
    public static boolean testAll(I32Ptr variables, long count, Comparison comparison, int value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_all(variables, count, null, Codes.of(comparison), value) != 0;
    }

    /**
     * Waits until one of {@code count} integers of this PE compares as asked with {@code value} and returns its index;
     * −1 at once if there are none ({@code nvshmem_int32_wait_until_any}).
     */
    public static long waitUntilAny(I32Ptr variables, long count, Comparison comparison, int value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_any(variables, count, null, Codes.of(comparison), value);
    }

    /**
     * The index of one of {@code count} integers of this PE that compares as asked with {@code value} now, or −1
     * ({@code nvshmem_int32_test_any}).
     */
    public static long testAny(I32Ptr variables, long count, Comparison comparison, int value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_any(variables, count, null, Codes.of(comparison), value);
    }

    /**
     * Waits until at least one of {@code count} integers of this PE compares as asked with {@code value}, writes the
     * indices of all that do to {@code indices}, and returns how many ({@code nvshmem_int32_wait_until_some}).
     */
    public static long waitUntilSome(I32Ptr variables, long count, I64Ptr indices, Comparison comparison, int value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_some(variables, count, indices, null, Codes.of(comparison), value);
    }

    /**
     * Writes the indices of those of {@code count} integers of this PE to {@code indices} that compare as asked with
     * {@code value} now, and returns how many ({@code nvshmem_int32_test_some}).
     */
    public static long testSome(I32Ptr variables, long count, I64Ptr indices, Comparison comparison, int value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_some(variables, count, indices, null, Codes.of(comparison), value);
    }

    /**
     * Waits until all of {@code count} integers of this PE compare as asked with {@code value}, without those whose
     * element of {@code skip} is not 0 ({@code nvshmem_int32_wait_until_all}).
     */
    public static void waitUntilAll(I32Ptr variables, long count, I32Ptr skip, Comparison comparison, int value) {
        Check.symmetric(variables);
        NvshmemFunctions.nvshmem_wait_until_all(variables, count, skip, Codes.of(comparison), value);
    }

    /**
     * Whether all of {@code count} integers of this PE compare as asked with {@code value}, without those whose element
     * of {@code skip} is not 0 now ({@code nvshmem_int32_test_all}).
     */
    public static boolean testAll(I32Ptr variables, long count, I32Ptr skip, Comparison comparison, int value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_all(variables, count, skip, Codes.of(comparison), value) != 0;
    }

    /**
     * Waits until one of {@code count} integers of this PE compares as asked with {@code value}, without those whose
     * element of {@code skip} is not 0 and returns its index; −1 at once if there are none ({@code
     * nvshmem_int32_wait_until_any}).
     */
    public static long waitUntilAny(I32Ptr variables, long count, I32Ptr skip, Comparison comparison, int value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_any(variables, count, skip, Codes.of(comparison), value);
    }

    /**
     * The index of one of {@code count} integers of this PE that compares as asked with {@code value}, without those
     * whose element of {@code skip} is not 0 now, or −1 ({@code nvshmem_int32_test_any}).
     */
    public static long testAny(I32Ptr variables, long count, I32Ptr skip, Comparison comparison, int value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_any(variables, count, skip, Codes.of(comparison), value);
    }

    /**
     * Waits until at least one of {@code count} integers of this PE compares as asked with {@code value}, without those
     * whose element of {@code skip} is not 0, writes the indices of all that do to {@code indices}, and returns how
     * many ({@code nvshmem_int32_wait_until_some}).
     */
    public static long waitUntilSome(
            I32Ptr variables, long count, I64Ptr indices, I32Ptr skip, Comparison comparison, int value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_some(variables, count, indices, skip, Codes.of(comparison), value);
    }

    /**
     * Writes the indices of those of {@code count} integers of this PE to {@code indices} that compare as asked with
     * {@code value}, without those whose element of {@code skip} is not 0 now, and returns how many ({@code
     * nvshmem_int32_test_some}).
     */
    public static long testSome(
            I32Ptr variables, long count, I64Ptr indices, I32Ptr skip, Comparison comparison, int value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_some(variables, count, indices, skip, Codes.of(comparison), value);
    }

    /**
     * Waits until all of {@code count} integers of this PE compare as asked each with its own of {@code values} ({@code
     * nvshmem_int32_wait_until_all_vector}).
     */
    public static void waitUntilAll(I32Ptr variables, long count, Comparison comparison, I32Ptr values) {
        Check.symmetric(variables);
        NvshmemFunctions.nvshmem_wait_until_all_vector(variables, count, null, Codes.of(comparison), values);
    }

    /**
     * Whether all of {@code count} integers of this PE compare as asked each with its own of {@code values} now ({@code
     * nvshmem_int32_test_all_vector}).
     */
    public static boolean testAll(I32Ptr variables, long count, Comparison comparison, I32Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_all_vector(variables, count, null, Codes.of(comparison), values) != 0;
    }

    /**
     * Waits until one of {@code count} integers of this PE compares as asked each with its own of {@code values} and
     * returns its index; −1 at once if there are none ({@code nvshmem_int32_wait_until_any_vector}).
     */
    public static long waitUntilAny(I32Ptr variables, long count, Comparison comparison, I32Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_any_vector(variables, count, null, Codes.of(comparison), values);
    }

    /**
     * The index of one of {@code count} integers of this PE that compares as asked each with its own of {@code values}
     * now, or −1 ({@code nvshmem_int32_test_any_vector}).
     */
    public static long testAny(I32Ptr variables, long count, Comparison comparison, I32Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_any_vector(variables, count, null, Codes.of(comparison), values);
    }

    /**
     * Waits until at least one of {@code count} integers of this PE compares as asked each with its own of {@code
     * values}, writes the indices of all that do to {@code indices}, and returns how many ({@code
     * nvshmem_int32_wait_until_some_vector}).
     */
    public static long waitUntilSome(
            I32Ptr variables, long count, I64Ptr indices, Comparison comparison, I32Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_some_vector(
                variables, count, indices, null, Codes.of(comparison), values);
    }

    /**
     * Writes the indices of those of {@code count} integers of this PE to {@code indices} that compare as asked each
     * with its own of {@code values} now, and returns how many ({@code nvshmem_int32_test_some_vector}).
     */
    public static long testSome(I32Ptr variables, long count, I64Ptr indices, Comparison comparison, I32Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_some_vector(variables, count, indices, null, Codes.of(comparison), values);
    }

    /**
     * Waits until all of {@code count} integers of this PE compare as asked each with its own of {@code values},
     * without those whose element of {@code skip} is not 0 ({@code nvshmem_int32_wait_until_all_vector}).
     */
    public static void waitUntilAll(I32Ptr variables, long count, I32Ptr skip, Comparison comparison, I32Ptr values) {
        Check.symmetric(variables);
        NvshmemFunctions.nvshmem_wait_until_all_vector(variables, count, skip, Codes.of(comparison), values);
    }

    /**
     * Whether all of {@code count} integers of this PE compare as asked each with its own of {@code values}, without
     * those whose element of {@code skip} is not 0 now ({@code nvshmem_int32_test_all_vector}).
     */
    public static boolean testAll(I32Ptr variables, long count, I32Ptr skip, Comparison comparison, I32Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_all_vector(variables, count, skip, Codes.of(comparison), values) != 0;
    }

    /**
     * Waits until one of {@code count} integers of this PE compares as asked each with its own of {@code values},
     * without those whose element of {@code skip} is not 0 and returns its index; −1 at once if there are none ({@code
     * nvshmem_int32_wait_until_any_vector}).
     */
    public static long waitUntilAny(I32Ptr variables, long count, I32Ptr skip, Comparison comparison, I32Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_any_vector(variables, count, skip, Codes.of(comparison), values);
    }

    /**
     * The index of one of {@code count} integers of this PE that compares as asked each with its own of {@code values},
     * without those whose element of {@code skip} is not 0 now, or −1 ({@code nvshmem_int32_test_any_vector}).
     */
    public static long testAny(I32Ptr variables, long count, I32Ptr skip, Comparison comparison, I32Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_any_vector(variables, count, skip, Codes.of(comparison), values);
    }

    /**
     * Waits until at least one of {@code count} integers of this PE compares as asked each with its own of {@code
     * values}, without those whose element of {@code skip} is not 0, writes the indices of all that do to {@code
     * indices}, and returns how many ({@code nvshmem_int32_wait_until_some_vector}).
     */
    public static long waitUntilSome(
            I32Ptr variables, long count, I64Ptr indices, I32Ptr skip, Comparison comparison, I32Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_some_vector(
                variables, count, indices, skip, Codes.of(comparison), values);
    }

    /**
     * Writes the indices of those of {@code count} integers of this PE to {@code indices} that compare as asked each
     * with its own of {@code values}, without those whose element of {@code skip} is not 0 now, and returns how many
     * ({@code nvshmem_int32_test_some_vector}).
     */
    public static long testSome(
            I32Ptr variables, long count, I64Ptr indices, I32Ptr skip, Comparison comparison, I32Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_some_vector(variables, count, indices, skip, Codes.of(comparison), values);
    }

    /** Waits until an integer of this PE compares as asked with {@code value} ({@code nvshmem_int64_wait_until}). */
    public static void waitUntil(I64Ptr variable, Comparison comparison, long value) {
        Check.symmetric(variable);
        NvshmemFunctions.nvshmem_wait_until(variable, Codes.of(comparison), value);
    }

    /** Whether an integer of this PE compares as asked with {@code value} now ({@code nvshmem_int64_test}). */
    public static boolean test(I64Ptr variable, Comparison comparison, long value) {
        Check.symmetric(variable);
        return NvshmemFunctions.nvshmem_test(variable, Codes.of(comparison), value) != 0;
    }

    /**
     * Waits until all of {@code count} integers of this PE compare as asked with {@code value} ({@code
     * nvshmem_int64_wait_until_all}).
     */
    public static void waitUntilAll(I64Ptr variables, long count, Comparison comparison, long value) {
        Check.symmetric(variables);
        NvshmemFunctions.nvshmem_wait_until_all(variables, count, null, Codes.of(comparison), value);
    }

    /**
     * Whether all of {@code count} integers of this PE compare as asked with {@code value} now ({@code
     * nvshmem_int64_test_all}).
     */
    public static boolean testAll(I64Ptr variables, long count, Comparison comparison, long value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_all(variables, count, null, Codes.of(comparison), value) != 0;
    }

    /**
     * Waits until one of {@code count} integers of this PE compares as asked with {@code value} and returns its index;
     * −1 at once if there are none ({@code nvshmem_int64_wait_until_any}).
     */
    public static long waitUntilAny(I64Ptr variables, long count, Comparison comparison, long value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_any(variables, count, null, Codes.of(comparison), value);
    }

    /**
     * The index of one of {@code count} integers of this PE that compares as asked with {@code value} now, or −1
     * ({@code nvshmem_int64_test_any}).
     */
    public static long testAny(I64Ptr variables, long count, Comparison comparison, long value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_any(variables, count, null, Codes.of(comparison), value);
    }

    /**
     * Waits until at least one of {@code count} integers of this PE compares as asked with {@code value}, writes the
     * indices of all that do to {@code indices}, and returns how many ({@code nvshmem_int64_wait_until_some}).
     */
    public static long waitUntilSome(I64Ptr variables, long count, I64Ptr indices, Comparison comparison, long value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_some(variables, count, indices, null, Codes.of(comparison), value);
    }

    /**
     * Writes the indices of those of {@code count} integers of this PE to {@code indices} that compare as asked with
     * {@code value} now, and returns how many ({@code nvshmem_int64_test_some}).
     */
    public static long testSome(I64Ptr variables, long count, I64Ptr indices, Comparison comparison, long value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_some(variables, count, indices, null, Codes.of(comparison), value);
    }

    /**
     * Waits until all of {@code count} integers of this PE compare as asked with {@code value}, without those whose
     * element of {@code skip} is not 0 ({@code nvshmem_int64_wait_until_all}).
     */
    public static void waitUntilAll(I64Ptr variables, long count, I32Ptr skip, Comparison comparison, long value) {
        Check.symmetric(variables);
        NvshmemFunctions.nvshmem_wait_until_all(variables, count, skip, Codes.of(comparison), value);
    }

    /**
     * Whether all of {@code count} integers of this PE compare as asked with {@code value}, without those whose element
     * of {@code skip} is not 0 now ({@code nvshmem_int64_test_all}).
     */
    public static boolean testAll(I64Ptr variables, long count, I32Ptr skip, Comparison comparison, long value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_all(variables, count, skip, Codes.of(comparison), value) != 0;
    }

    /**
     * Waits until one of {@code count} integers of this PE compares as asked with {@code value}, without those whose
     * element of {@code skip} is not 0 and returns its index; −1 at once if there are none ({@code
     * nvshmem_int64_wait_until_any}).
     */
    public static long waitUntilAny(I64Ptr variables, long count, I32Ptr skip, Comparison comparison, long value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_any(variables, count, skip, Codes.of(comparison), value);
    }

    /**
     * The index of one of {@code count} integers of this PE that compares as asked with {@code value}, without those
     * whose element of {@code skip} is not 0 now, or −1 ({@code nvshmem_int64_test_any}).
     */
    public static long testAny(I64Ptr variables, long count, I32Ptr skip, Comparison comparison, long value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_any(variables, count, skip, Codes.of(comparison), value);
    }

    /**
     * Waits until at least one of {@code count} integers of this PE compares as asked with {@code value}, without those
     * whose element of {@code skip} is not 0, writes the indices of all that do to {@code indices}, and returns how
     * many ({@code nvshmem_int64_wait_until_some}).
     */
    public static long waitUntilSome(
            I64Ptr variables, long count, I64Ptr indices, I32Ptr skip, Comparison comparison, long value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_some(variables, count, indices, skip, Codes.of(comparison), value);
    }

    /**
     * Writes the indices of those of {@code count} integers of this PE to {@code indices} that compare as asked with
     * {@code value}, without those whose element of {@code skip} is not 0 now, and returns how many ({@code
     * nvshmem_int64_test_some}).
     */
    public static long testSome(
            I64Ptr variables, long count, I64Ptr indices, I32Ptr skip, Comparison comparison, long value) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_some(variables, count, indices, skip, Codes.of(comparison), value);
    }

    /**
     * Waits until all of {@code count} integers of this PE compare as asked each with its own of {@code values} ({@code
     * nvshmem_int64_wait_until_all_vector}).
     */
    public static void waitUntilAll(I64Ptr variables, long count, Comparison comparison, I64Ptr values) {
        Check.symmetric(variables);
        NvshmemFunctions.nvshmem_wait_until_all_vector(variables, count, null, Codes.of(comparison), values);
    }

    /**
     * Whether all of {@code count} integers of this PE compare as asked each with its own of {@code values} now ({@code
     * nvshmem_int64_test_all_vector}).
     */
    public static boolean testAll(I64Ptr variables, long count, Comparison comparison, I64Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_all_vector(variables, count, null, Codes.of(comparison), values) != 0;
    }

    /**
     * Waits until one of {@code count} integers of this PE compares as asked each with its own of {@code values} and
     * returns its index; −1 at once if there are none ({@code nvshmem_int64_wait_until_any_vector}).
     */
    public static long waitUntilAny(I64Ptr variables, long count, Comparison comparison, I64Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_any_vector(variables, count, null, Codes.of(comparison), values);
    }

    /**
     * The index of one of {@code count} integers of this PE that compares as asked each with its own of {@code values}
     * now, or −1 ({@code nvshmem_int64_test_any_vector}).
     */
    public static long testAny(I64Ptr variables, long count, Comparison comparison, I64Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_any_vector(variables, count, null, Codes.of(comparison), values);
    }

    /**
     * Waits until at least one of {@code count} integers of this PE compares as asked each with its own of {@code
     * values}, writes the indices of all that do to {@code indices}, and returns how many ({@code
     * nvshmem_int64_wait_until_some_vector}).
     */
    public static long waitUntilSome(
            I64Ptr variables, long count, I64Ptr indices, Comparison comparison, I64Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_some_vector(
                variables, count, indices, null, Codes.of(comparison), values);
    }

    /**
     * Writes the indices of those of {@code count} integers of this PE to {@code indices} that compare as asked each
     * with its own of {@code values} now, and returns how many ({@code nvshmem_int64_test_some_vector}).
     */
    public static long testSome(I64Ptr variables, long count, I64Ptr indices, Comparison comparison, I64Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_some_vector(variables, count, indices, null, Codes.of(comparison), values);
    }

    /**
     * Waits until all of {@code count} integers of this PE compare as asked each with its own of {@code values},
     * without those whose element of {@code skip} is not 0 ({@code nvshmem_int64_wait_until_all_vector}).
     */
    public static void waitUntilAll(I64Ptr variables, long count, I32Ptr skip, Comparison comparison, I64Ptr values) {
        Check.symmetric(variables);
        NvshmemFunctions.nvshmem_wait_until_all_vector(variables, count, skip, Codes.of(comparison), values);
    }

    /**
     * Whether all of {@code count} integers of this PE compare as asked each with its own of {@code values}, without
     * those whose element of {@code skip} is not 0 now ({@code nvshmem_int64_test_all_vector}).
     */
    public static boolean testAll(I64Ptr variables, long count, I32Ptr skip, Comparison comparison, I64Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_all_vector(variables, count, skip, Codes.of(comparison), values) != 0;
    }

    /**
     * Waits until one of {@code count} integers of this PE compares as asked each with its own of {@code values},
     * without those whose element of {@code skip} is not 0 and returns its index; −1 at once if there are none ({@code
     * nvshmem_int64_wait_until_any_vector}).
     */
    public static long waitUntilAny(I64Ptr variables, long count, I32Ptr skip, Comparison comparison, I64Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_any_vector(variables, count, skip, Codes.of(comparison), values);
    }

    /**
     * The index of one of {@code count} integers of this PE that compares as asked each with its own of {@code values},
     * without those whose element of {@code skip} is not 0 now, or −1 ({@code nvshmem_int64_test_any_vector}).
     */
    public static long testAny(I64Ptr variables, long count, I32Ptr skip, Comparison comparison, I64Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_any_vector(variables, count, skip, Codes.of(comparison), values);
    }

    /**
     * Waits until at least one of {@code count} integers of this PE compares as asked each with its own of {@code
     * values}, without those whose element of {@code skip} is not 0, writes the indices of all that do to {@code
     * indices}, and returns how many ({@code nvshmem_int64_wait_until_some_vector}).
     */
    public static long waitUntilSome(
            I64Ptr variables, long count, I64Ptr indices, I32Ptr skip, Comparison comparison, I64Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_wait_until_some_vector(
                variables, count, indices, skip, Codes.of(comparison), values);
    }

    /**
     * Writes the indices of those of {@code count} integers of this PE to {@code indices} that compare as asked each
     * with its own of {@code values}, without those whose element of {@code skip} is not 0 now, and returns how many
     * ({@code nvshmem_int64_test_some_vector}).
     */
    public static long testSome(
            I64Ptr variables, long count, I64Ptr indices, I32Ptr skip, Comparison comparison, I64Ptr values) {
        Check.symmetric(variables);
        return NvshmemFunctions.nvshmem_test_some_vector(variables, count, indices, skip, Codes.of(comparison), values);
    }

    // ---- atomics ----

    /** Atomic load ({@code nvshmem_int32_atomic_fetch}). */
    public static int atomicFetch(I32Ptr target, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch(target, pe);
    }

    /** Atomic store ({@code nvshmem_int32_atomic_set}). */
    public static void atomicSet(I32Ptr target, int value, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_set(target, value, pe);
    }

    /** Atomic replacement; returns what was there ({@code nvshmem_int32_atomic_swap}). */
    public static int atomicSwap(I32Ptr target, int value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_swap(target, value, pe);
    }

    /**
     * Atomically replaces an integer on {@code pe} by {@code value} if it is {@code condition}; returns what was there
     * ({@code nvshmem_int32_atomic_compare_swap}).
     */
    public static int atomicCompareSwap(I32Ptr target, int condition, int value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_compare_swap(target, condition, value, pe);
    }

    /** Atomic addition; returns what was there ({@code nvshmem_int32_atomic_fetch_add}). */
    public static int atomicFetchAdd(I32Ptr target, int value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch_add(target, value, pe);
    }

    /** Atomic addition ({@code nvshmem_int32_atomic_add}). */
    public static void atomicAdd(I32Ptr target, int value, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_add(target, value, pe);
    }

    /** Atomic addition of 1; returns what was there ({@code nvshmem_int32_atomic_fetch_inc}). */
    public static int atomicFetchInc(I32Ptr target, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch_inc(target, pe);
    }

    /** Atomic addition of 1 ({@code nvshmem_int32_atomic_inc}). */
    public static void atomicInc(I32Ptr target, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_inc(target, pe);
    }

    /** Atomic bitwise AND; returns what was there ({@code nvshmem_int32_atomic_fetch_and}). */
    public static int atomicFetchAnd(I32Ptr target, int value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch_and(target, value, pe);
    }

    /** Atomic bitwise AND ({@code nvshmem_int32_atomic_and}). */
    public static void atomicAnd(I32Ptr target, int value, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_and(target, value, pe);
    }

    /** Atomic bitwise OR; returns what was there ({@code nvshmem_int32_atomic_fetch_or}). */
    public static int atomicFetchOr(I32Ptr target, int value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch_or(target, value, pe);
    }

    /** Atomic bitwise OR ({@code nvshmem_int32_atomic_or}). */
    public static void atomicOr(I32Ptr target, int value, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_or(target, value, pe);
    }

    /** Atomic bitwise exclusive OR; returns what was there ({@code nvshmem_int32_atomic_fetch_xor}). */
    public static int atomicFetchXor(I32Ptr target, int value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch_xor(target, value, pe);
    }

    /** Atomic bitwise exclusive OR ({@code nvshmem_int32_atomic_xor}). */
    public static void atomicXor(I32Ptr target, int value, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_xor(target, value, pe);
    }

    /** Atomic load ({@code nvshmem_int64_atomic_fetch}). */
    public static long atomicFetch(I64Ptr target, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch(target, pe);
    }

    /** Atomic store ({@code nvshmem_int64_atomic_set}). */
    public static void atomicSet(I64Ptr target, long value, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_set(target, value, pe);
    }

    /** Atomic replacement; returns what was there ({@code nvshmem_int64_atomic_swap}). */
    public static long atomicSwap(I64Ptr target, long value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_swap(target, value, pe);
    }

    /**
     * Atomically replaces an integer on {@code pe} by {@code value} if it is {@code condition}; returns what was there
     * ({@code nvshmem_int64_atomic_compare_swap}).
     */
    public static long atomicCompareSwap(I64Ptr target, long condition, long value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_compare_swap(target, condition, value, pe);
    }

    /** Atomic addition; returns what was there ({@code nvshmem_uint64_atomic_fetch_add}). */
    public static long atomicFetchAdd(I64Ptr target, long value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch_add(target, value, pe);
    }

    /** Atomic addition ({@code nvshmem_uint64_atomic_add}). */
    public static void atomicAdd(I64Ptr target, long value, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_add(target, value, pe);
    }

    /** Atomic addition of 1; returns what was there ({@code nvshmem_uint64_atomic_fetch_inc}). */
    public static long atomicFetchInc(I64Ptr target, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch_inc(target, pe);
    }

    /** Atomic addition of 1 ({@code nvshmem_uint64_atomic_inc}). */
    public static void atomicInc(I64Ptr target, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_inc(target, pe);
    }

    /** Atomic bitwise AND; returns what was there ({@code nvshmem_int64_atomic_fetch_and}). */
    public static long atomicFetchAnd(I64Ptr target, long value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch_and(target, value, pe);
    }

    /** Atomic bitwise AND ({@code nvshmem_int64_atomic_and}). */
    public static void atomicAnd(I64Ptr target, long value, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_and(target, value, pe);
    }

    /** Atomic bitwise OR; returns what was there ({@code nvshmem_int64_atomic_fetch_or}). */
    public static long atomicFetchOr(I64Ptr target, long value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch_or(target, value, pe);
    }

    /** Atomic bitwise OR ({@code nvshmem_int64_atomic_or}). */
    public static void atomicOr(I64Ptr target, long value, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_or(target, value, pe);
    }

    /** Atomic bitwise exclusive OR; returns what was there ({@code nvshmem_int64_atomic_fetch_xor}). */
    public static long atomicFetchXor(I64Ptr target, long value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch_xor(target, value, pe);
    }

    /** Atomic bitwise exclusive OR ({@code nvshmem_int64_atomic_xor}). */
    public static void atomicXor(I64Ptr target, long value, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_xor(target, value, pe);
    }

    /** Atomic load ({@code nvshmem_float_atomic_fetch}). */
    public static float atomicFetch(F32Ptr source, int pe) {
        Check.remote(source, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch(source, pe);
    }

    /** Atomic store ({@code nvshmem_float_atomic_set}). */
    public static void atomicSet(F32Ptr target, float value, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_set(target, value, pe);
    }

    /** Atomic replacement; returns what was there ({@code nvshmem_float_atomic_swap}). */
    public static float atomicSwap(F32Ptr target, float value, int pe) {
        Check.remote(target, pe);
        return NvshmemFunctions.nvshmem_atomic_swap(target, value, pe);
    }

    /**
     * Atomic addition; returns what was there. It compares and swaps until nobody else was quicker, in all versions of
     * NVSHMEM.
     */
    public static float atomicFetchAdd(F32Ptr target, float value, int pe) {
        int seen = atomicFetch(target.asI32(), pe);
        while (true) {
            float old = Float.intBitsToFloat(seen);
            int found = atomicCompareSwap(target.asI32(), seen, Float.floatToRawIntBits(old + value), pe);
            if (found == seen) {
                return old;
            }
            seen = found;
        }
    }

    /** Atomic addition, as {@link #atomicFetchAdd(F32Ptr, float, int)}. */
    public static void atomicAdd(F32Ptr target, float value, int pe) {
        float ignored = atomicFetchAdd(target, value, pe);
    }

    /** Atomic load ({@code nvshmem_double_atomic_fetch}). */
    public static double atomicFetch(F64Ptr source, int pe) {
        Check.remote(source, pe);
        return NvshmemFunctions.nvshmem_atomic_fetch(source, pe);
    }

    /** Atomic store ({@code nvshmem_double_atomic_set}). */
    public static void atomicSet(F64Ptr target, double value, int pe) {
        Check.remote(target, pe);
        NvshmemFunctions.nvshmem_atomic_set(target, value, pe);
    }

    /**
     * Atomic replacement; returns what was there. By its bits: {@code nvshmem_double_atomic_swap} of NVSHMEM 3.4
     * returns those as a number.
     */
    public static double atomicSwap(F64Ptr target, double value, int pe) {
        return Double.longBitsToDouble(atomicSwap(target.asI64(), Double.doubleToRawLongBits(value), pe));
    }

    /**
     * Atomic addition; returns what was there. It compares and swaps until nobody else was quicker, in all versions of
     * NVSHMEM.
     */
    public static double atomicFetchAdd(F64Ptr target, double value, int pe) {
        long seen = atomicFetch(target.asI64(), pe);
        while (true) {
            double old = Double.longBitsToDouble(seen);
            long found = atomicCompareSwap(target.asI64(), seen, Double.doubleToRawLongBits(old + value), pe);
            if (found == seen) {
                return old;
            }
            seen = found;
        }
    }

    /** Atomic addition, as {@link #atomicFetchAdd(F64Ptr, double, int)}. */
    public static void atomicAdd(F64Ptr target, double value, int pe) {
        double ignored = atomicFetchAdd(target, value, pe);
    }

    // ---- collectives ----

    /**
     * Returns when all PEs have called it and all that was put before has arrived. One thread of each member calls it.
     * ({@code nvshmem_barrier_all}).
     */
    public static void barrierAll() {
        NvshmemFunctions.nvshmem_barrier_all();
    }

    /**
     * Returns when all PEs have called it, whatever is under way. One thread of each member calls it. ({@code
     * nvshmem_sync_all}).
     */
    public static void syncAll() {
        NvshmemFunctions.nvshmem_sync_all();
    }

    /** {@link #barrierAll} for the members of a team ({@code nvshmem_barrier}). */
    public static void barrier(ShmemTeam team) {
        int ignored = NvshmemFunctions.nvshmem_barrier(team.handle());
    }

    /** {@link #syncAll} for the members of a team ({@code nvshmem_team_sync}). */
    public static void sync(ShmemTeam team) {
        int ignored = NvshmemFunctions.nvshmem_team_sync(team.handle());
    }

    /**
     * Reduces {@code count} elements of each member, element by element, to each member. One thread of each member
     * calls it. When it returns, {@code source} may be used again, and {@code destination} is complete; other members
     * may be behind. Both are symmetric, and the same array only where all PEs reach each other's memory: over a
     * network NVSHMEM's algorithm of several rounds gives other members what earlier ones have made of the source.
     * {@code op} is a constant, or code for all operations is linked, which over a network takes a minute ({@code
     * nvshmem_TYPE_OP_reduce}).
     *
     * @param op one that {@link ReduceOp#supports} the type, but not {@code AVG}; eight-bit floats have none
     */
    public static <P extends Ptr> void reduce(ShmemTeam team, P destination, P source, long count, ReduceOp op) {
        Check.symmetric(destination);
        Check.symmetric(source);
        int ignored = switch (op) {
            case BAND, BOR, BXOR ->
                NvshmemFunctions.nvshmem_bitwise_reduce(team.handle(), destination, source, count, op);
            default -> NvshmemFunctions.nvshmem_arithmetic_reduce(team.handle(), destination, source, count, op);
        };
    }

    /**
     * {@link #reduce}, of which each member gets a part: member m elements from {@code m * count} on ({@code
     * nvshmem_TYPE_OP_reducescatter}).
     *
     * @param source {@code count} elements for each member; {@code destination} is no part of it
     */
    public static <P extends Ptr> void reduceScatter(ShmemTeam team, P destination, P source, long count, ReduceOp op) {
        Check.symmetric(destination);
        Check.symmetric(source);
        int ignored = switch (op) {
            case BAND, BOR, BXOR ->
                NvshmemFunctions.nvshmem_bitwise_reducescatter(team.handle(), destination, source, count, op);
            default -> NvshmemFunctions.nvshmem_arithmetic_reducescatter(team.handle(), destination, source, count, op);
        };
    }

    /**
     * Copies {@code count} elements of {@code source} of the member {@code root} to {@code destination} of each one.
     * One thread of each member calls it. ({@code nvshmem_TYPE_broadcast}).
     */
    public static <P extends Ptr> void broadcast(ShmemTeam team, P destination, P source, long count, int root) {
        Check.symmetric(destination);
        Check.symmetric(source);
        int ignored = NvshmemFunctions.nvshmem_broadcast(team.handle(), destination, source, count, root);
    }

    /**
     * Gathers {@code count} elements of each member, in the order of the members, at each one. One thread of each
     * member calls it. ({@code nvshmem_TYPE_fcollect}).
     */
    public static <P extends Ptr> void fcollect(ShmemTeam team, P destination, P source, long count) {
        Check.symmetric(destination);
        Check.symmetric(source);
        int ignored = NvshmemFunctions.nvshmem_fcollect(team.handle(), destination, source, count);
    }

    /**
     * Each member sends {@code count} elements to each one: those for member m are from {@code m * count} on, those of
     * member m arrive there. One thread of each member calls it. ({@code nvshmem_TYPE_alltoall}).
     */
    public static <P extends Ptr> void allToAll(ShmemTeam team, P destination, P source, long count) {
        Check.symmetric(destination);
        Check.symmetric(source);
        int ignored = NvshmemFunctions.nvshmem_alltoall(team.handle(), destination, source, count);
    }
}
