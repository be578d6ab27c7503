// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.kernel.DeviceFunction;
import org.comm4j.kernel.F32Ptr;
import org.comm4j.kernel.F64Ptr;
import org.comm4j.kernel.Fence;
import org.comm4j.kernel.I16Ptr;
import org.comm4j.kernel.I32Ptr;
import org.comm4j.kernel.I64Ptr;
import org.comm4j.kernel.I8Ptr;
import org.comm4j.kernel.KernelLibrary;
import org.comm4j.kernel.Ptr;

/**
 * The functions of NVSHMEM's device library that {@link Shmem}, {@link ShmemWarp} and {@link ShmemBlock} are made of, under their names in C. Moves of elements side by
 * side are of bytes, strided ones of elements of a size: the library treats all types of one size alike. Sums of integers are those of unsigned ones, which have all sizes.
 * What begins with {@code comm4j} is the function of NVSHMEM without the variables to skip.
 */
@KernelLibrary
@SuppressWarnings("MemberName") // C's
final class NvshmemFunctions {
    private NvshmemFunctions() {}

    // ---- who is there ----

    @DeviceFunction(value = "nvshmem_my_pe", unit = NvshmemUnit.NAME)
    static int nvshmem_my_pe() {
        return Twin.pe().myPe;
    }

    @DeviceFunction(value = "nvshmem_n_pes", unit = NvshmemUnit.NAME)
    static int nvshmem_n_pes() {
        return Twin.pe().nPes;
    }

    @DeviceFunction(value = "nvshmem_team_my_pe", unit = NvshmemUnit.NAME)
    static int nvshmem_team_my_pe(int team) {
        return Twin.teamMyPe(team);
    }

    @DeviceFunction(value = "nvshmem_team_n_pes", unit = NvshmemUnit.NAME)
    static int nvshmem_team_n_pes(int team) {
        return Twin.teamNPes(team);
    }

    @DeviceFunction(value = "nvshmem_team_translate_pe", unit = NvshmemUnit.NAME)
    static int nvshmem_team_translate_pe(int team, int pe, int destinationTeam) {
        return Twin.translatePe(team, pe, destinationTeam);
    }

    @DeviceFunction(value = "nvshmem_ptr", unit = NvshmemUnit.NAME)
    static I8Ptr nvshmem_ptr(Ptr destination, int pe) {
        return Twin.ptr(destination, pe);
    }

    @DeviceFunction(value = "nvshmemx_mc_ptr", unit = NvshmemUnit.NAME)
    static I8Ptr nvshmemx_mc_ptr(int team, Ptr destination) {
        return Twin.multicast(team, destination);
    }

    // ---- put and get ----

    @DeviceFunction(value = "comm4j_putmem", unit = NvshmemUnit.NAME)
    static void comm4j_putmem(Ptr destination, Ptr source, long bytes, int pe) {
        Twin.put(Twin.THREAD, destination, source, bytes, pe);
    }

    @DeviceFunction(value = "comm4j_getmem", unit = NvshmemUnit.NAME)
    static void comm4j_getmem(Ptr destination, Ptr source, long bytes, int pe) {
        Twin.get(Twin.THREAD, destination, source, bytes, pe);
    }

    @DeviceFunction(value = "comm4j_putmem_nbi", unit = NvshmemUnit.NAME)
    static void comm4j_putmem_nbi(Ptr destination, Ptr source, long bytes, int pe) {
        Twin.put(Twin.THREAD, destination, source, bytes, pe);
    }

    @DeviceFunction(value = "comm4j_getmem_nbi", unit = NvshmemUnit.NAME)
    static void comm4j_getmem_nbi(Ptr destination, Ptr source, long bytes, int pe) {
        Twin.get(Twin.THREAD, destination, source, bytes, pe);
    }

    @DeviceFunction(value = "nvshmem_iput8", unit = NvshmemUnit.NAME)
    static void nvshmem_iput8(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iput(Twin.THREAD, destination, source, destinationStride, sourceStride, count, 1, pe);
    }

    @DeviceFunction(value = "nvshmem_iget8", unit = NvshmemUnit.NAME)
    static void nvshmem_iget8(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iget(Twin.THREAD, destination, source, destinationStride, sourceStride, count, 1, pe);
    }

    @DeviceFunction(value = "nvshmem_iput16", unit = NvshmemUnit.NAME)
    static void nvshmem_iput16(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iput(Twin.THREAD, destination, source, destinationStride, sourceStride, count, 2, pe);
    }

    @DeviceFunction(value = "nvshmem_iget16", unit = NvshmemUnit.NAME)
    static void nvshmem_iget16(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iget(Twin.THREAD, destination, source, destinationStride, sourceStride, count, 2, pe);
    }

    @DeviceFunction(value = "nvshmem_iput32", unit = NvshmemUnit.NAME)
    static void nvshmem_iput32(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iput(Twin.THREAD, destination, source, destinationStride, sourceStride, count, 4, pe);
    }

    @DeviceFunction(value = "nvshmem_iget32", unit = NvshmemUnit.NAME)
    static void nvshmem_iget32(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iget(Twin.THREAD, destination, source, destinationStride, sourceStride, count, 4, pe);
    }

    @DeviceFunction(value = "nvshmem_iput64", unit = NvshmemUnit.NAME)
    static void nvshmem_iput64(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iput(Twin.THREAD, destination, source, destinationStride, sourceStride, count, 8, pe);
    }

    @DeviceFunction(value = "nvshmem_iget64", unit = NvshmemUnit.NAME)
    static void nvshmem_iget64(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iget(Twin.THREAD, destination, source, destinationStride, sourceStride, count, 8, pe);
    }

    @DeviceFunction(value = "comm4j_putmem_signal", unit = NvshmemUnit.NAME)
    static void comm4j_putmem_signal(
            Ptr destination, Ptr source, long bytes, I64Ptr signal, long value, int op, int pe) {
        Twin.putSignal(Twin.THREAD, destination, source, bytes, signal, value, op, pe);
    }

    @DeviceFunction(value = "comm4j_putmem_signal_nbi", unit = NvshmemUnit.NAME)
    static void comm4j_putmem_signal_nbi(
            Ptr destination, Ptr source, long bytes, I64Ptr signal, long value, int op, int pe) {
        Twin.putSignal(Twin.THREAD, destination, source, bytes, signal, value, op, pe);
    }

    @DeviceFunction(value = "comm4j_putmem_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void comm4j_putmem_warp(Ptr destination, Ptr source, long bytes, int pe) {
        Twin.put(Twin.WARP, destination, source, bytes, pe);
    }

    @DeviceFunction(value = "comm4j_getmem_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void comm4j_getmem_warp(Ptr destination, Ptr source, long bytes, int pe) {
        Twin.get(Twin.WARP, destination, source, bytes, pe);
    }

    @DeviceFunction(value = "comm4j_putmem_nbi_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void comm4j_putmem_nbi_warp(Ptr destination, Ptr source, long bytes, int pe) {
        Twin.put(Twin.WARP, destination, source, bytes, pe);
    }

    @DeviceFunction(value = "comm4j_getmem_nbi_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void comm4j_getmem_nbi_warp(Ptr destination, Ptr source, long bytes, int pe) {
        Twin.get(Twin.WARP, destination, source, bytes, pe);
    }

    @DeviceFunction(value = "nvshmemx_iput8_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iput8_warp(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iput(Twin.WARP, destination, source, destinationStride, sourceStride, count, 1, pe);
    }

    @DeviceFunction(value = "nvshmemx_iget8_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iget8_warp(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iget(Twin.WARP, destination, source, destinationStride, sourceStride, count, 1, pe);
    }

    @DeviceFunction(value = "nvshmemx_iput16_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iput16_warp(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iput(Twin.WARP, destination, source, destinationStride, sourceStride, count, 2, pe);
    }

    @DeviceFunction(value = "nvshmemx_iget16_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iget16_warp(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iget(Twin.WARP, destination, source, destinationStride, sourceStride, count, 2, pe);
    }

    @DeviceFunction(value = "nvshmemx_iput32_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iput32_warp(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iput(Twin.WARP, destination, source, destinationStride, sourceStride, count, 4, pe);
    }

    @DeviceFunction(value = "nvshmemx_iget32_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iget32_warp(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iget(Twin.WARP, destination, source, destinationStride, sourceStride, count, 4, pe);
    }

    @DeviceFunction(value = "nvshmemx_iput64_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iput64_warp(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iput(Twin.WARP, destination, source, destinationStride, sourceStride, count, 8, pe);
    }

    @DeviceFunction(value = "nvshmemx_iget64_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iget64_warp(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iget(Twin.WARP, destination, source, destinationStride, sourceStride, count, 8, pe);
    }

    @DeviceFunction(value = "comm4j_putmem_signal_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void comm4j_putmem_signal_warp(
            Ptr destination, Ptr source, long bytes, I64Ptr signal, long value, int op, int pe) {
        Twin.putSignal(Twin.WARP, destination, source, bytes, signal, value, op, pe);
    }

    @DeviceFunction(value = "comm4j_putmem_signal_nbi_warp", unit = NvshmemUnit.NAME, convergent = true)
    static void comm4j_putmem_signal_nbi_warp(
            Ptr destination, Ptr source, long bytes, I64Ptr signal, long value, int op, int pe) {
        Twin.putSignal(Twin.WARP, destination, source, bytes, signal, value, op, pe);
    }

    @DeviceFunction(value = "comm4j_putmem_block", unit = NvshmemUnit.NAME, convergent = true)
    static void comm4j_putmem_block(Ptr destination, Ptr source, long bytes, int pe) {
        Twin.put(Twin.BLOCK, destination, source, bytes, pe);
    }

    @DeviceFunction(value = "comm4j_getmem_block", unit = NvshmemUnit.NAME, convergent = true)
    static void comm4j_getmem_block(Ptr destination, Ptr source, long bytes, int pe) {
        Twin.get(Twin.BLOCK, destination, source, bytes, pe);
    }

    @DeviceFunction(value = "comm4j_putmem_nbi_block", unit = NvshmemUnit.NAME, convergent = true)
    static void comm4j_putmem_nbi_block(Ptr destination, Ptr source, long bytes, int pe) {
        Twin.put(Twin.BLOCK, destination, source, bytes, pe);
    }

    @DeviceFunction(value = "comm4j_getmem_nbi_block", unit = NvshmemUnit.NAME, convergent = true)
    static void comm4j_getmem_nbi_block(Ptr destination, Ptr source, long bytes, int pe) {
        Twin.get(Twin.BLOCK, destination, source, bytes, pe);
    }

    @DeviceFunction(value = "nvshmemx_iput8_block", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iput8_block(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iput(Twin.BLOCK, destination, source, destinationStride, sourceStride, count, 1, pe);
    }

    @DeviceFunction(value = "nvshmemx_iget8_block", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iget8_block(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iget(Twin.BLOCK, destination, source, destinationStride, sourceStride, count, 1, pe);
    }

    @DeviceFunction(value = "nvshmemx_iput16_block", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iput16_block(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iput(Twin.BLOCK, destination, source, destinationStride, sourceStride, count, 2, pe);
    }

    @DeviceFunction(value = "nvshmemx_iget16_block", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iget16_block(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iget(Twin.BLOCK, destination, source, destinationStride, sourceStride, count, 2, pe);
    }

    @DeviceFunction(value = "nvshmemx_iput32_block", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iput32_block(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iput(Twin.BLOCK, destination, source, destinationStride, sourceStride, count, 4, pe);
    }

    @DeviceFunction(value = "nvshmemx_iget32_block", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iget32_block(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iget(Twin.BLOCK, destination, source, destinationStride, sourceStride, count, 4, pe);
    }

    @DeviceFunction(value = "nvshmemx_iput64_block", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iput64_block(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iput(Twin.BLOCK, destination, source, destinationStride, sourceStride, count, 8, pe);
    }

    @DeviceFunction(value = "nvshmemx_iget64_block", unit = NvshmemUnit.NAME, convergent = true)
    static void nvshmemx_iget64_block(
            Ptr destination, Ptr source, long destinationStride, long sourceStride, long count, int pe) {
        Twin.iget(Twin.BLOCK, destination, source, destinationStride, sourceStride, count, 8, pe);
    }

    @DeviceFunction(value = "comm4j_putmem_signal_block", unit = NvshmemUnit.NAME, convergent = true)
    static void comm4j_putmem_signal_block(
            Ptr destination, Ptr source, long bytes, I64Ptr signal, long value, int op, int pe) {
        Twin.putSignal(Twin.BLOCK, destination, source, bytes, signal, value, op, pe);
    }

    @DeviceFunction(value = "comm4j_putmem_signal_nbi_block", unit = NvshmemUnit.NAME, convergent = true)
    static void comm4j_putmem_signal_nbi_block(
            Ptr destination, Ptr source, long bytes, I64Ptr signal, long value, int op, int pe) {
        Twin.putSignal(Twin.BLOCK, destination, source, bytes, signal, value, op, pe);
    }

    @DeviceFunction(value = "nvshmem_int8_p", unit = NvshmemUnit.NAME)
    static void nvshmem_int8_p(I8Ptr destination, byte value, int pe) {
        Twin.p(destination, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int8_g", unit = NvshmemUnit.NAME)
    static byte nvshmem_int8_g(I8Ptr source, int pe) {
        return Twin.g(source, pe);
    }

    @DeviceFunction(value = "nvshmem_int16_p", unit = NvshmemUnit.NAME)
    static void nvshmem_int16_p(I16Ptr destination, short value, int pe) {
        Twin.p(destination, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int16_g", unit = NvshmemUnit.NAME)
    static short nvshmem_int16_g(I16Ptr source, int pe) {
        return Twin.g(source, pe);
    }

    @DeviceFunction(value = "nvshmem_int32_p", unit = NvshmemUnit.NAME)
    static void nvshmem_int32_p(I32Ptr destination, int value, int pe) {
        Twin.p(destination, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int32_g", unit = NvshmemUnit.NAME)
    static int nvshmem_int32_g(I32Ptr source, int pe) {
        return Twin.g(source, pe);
    }

    @DeviceFunction(value = "nvshmem_int64_p", unit = NvshmemUnit.NAME)
    static void nvshmem_int64_p(I64Ptr destination, long value, int pe) {
        Twin.p(destination, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int64_g", unit = NvshmemUnit.NAME)
    static long nvshmem_int64_g(I64Ptr source, int pe) {
        return Twin.g(source, pe);
    }

    @DeviceFunction(value = "nvshmem_float_p", unit = NvshmemUnit.NAME)
    static void nvshmem_float_p(F32Ptr destination, float value, int pe) {
        Twin.p(destination, value, pe);
    }

    @DeviceFunction(value = "nvshmem_float_g", unit = NvshmemUnit.NAME)
    static float nvshmem_float_g(F32Ptr source, int pe) {
        return Twin.g(source, pe);
    }

    @DeviceFunction(value = "nvshmem_double_p", unit = NvshmemUnit.NAME)
    static void nvshmem_double_p(F64Ptr destination, double value, int pe) {
        Twin.p(destination, value, pe);
    }

    @DeviceFunction(value = "nvshmem_double_g", unit = NvshmemUnit.NAME)
    static double nvshmem_double_g(F64Ptr source, int pe) {
        return Twin.g(source, pe);
    }

    // ---- order ----

    @DeviceFunction(value = "nvshmem_fence", unit = NvshmemUnit.NAME)
    static void nvshmem_fence() {
        Fence.system();
    }

    @DeviceFunction(value = "nvshmem_quiet", unit = NvshmemUnit.NAME)
    static void nvshmem_quiet() {
        Fence.system();
    }

    // ---- signals ----

    @DeviceFunction(value = "nvshmemx_signal_op", unit = NvshmemUnit.NAME)
    static void nvshmemx_signal_op(I64Ptr signal, long value, int op, int pe) {
        Twin.signal(signal, value, op, pe);
    }

    @DeviceFunction(value = "nvshmem_signal_fetch", unit = NvshmemUnit.NAME)
    static long nvshmem_signal_fetch(I64Ptr signal) {
        return Twin.signalFetch(signal);
    }

    @DeviceFunction(value = "nvshmem_signal_wait_until", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_signal_wait_until(I64Ptr signal, int comparison, long value) {
        return Twin.signalWaitUntil(signal, comparison, value);
    }

    // ---- waits ----

    @DeviceFunction(value = "nvshmem_int32_wait_until", unit = NvshmemUnit.NAME, cooperative = true)
    static void nvshmem_int32_wait_until(I32Ptr variable, int comparison, int value) {
        Twin.waitUntil(variable, comparison, value);
    }

    @DeviceFunction(value = "nvshmem_int32_test", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_test(I32Ptr variable, int comparison, int value) {
        return Twin.test(variable, comparison, value);
    }

    @DeviceFunction(value = "nvshmem_int32_wait_until_all", unit = NvshmemUnit.NAME, cooperative = true)
    static void nvshmem_int32_wait_until_all(I32Ptr variables, long count, I32Ptr skip, int comparison, int value) {
        Twin.waitUntilAll(variables, count, skip, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "comm4j_int32_wait_until_all", unit = NvshmemUnit.NAME, cooperative = true)
    static void comm4j_int32_wait_until_all(I32Ptr variables, long count, int comparison, int value) {
        Twin.waitUntilAll(variables, count, null, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "nvshmem_int32_wait_until_any", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int32_wait_until_any(I32Ptr variables, long count, I32Ptr skip, int comparison, int value) {
        return Twin.waitUntilAny(variables, count, skip, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "comm4j_int32_wait_until_any", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int32_wait_until_any(I32Ptr variables, long count, int comparison, int value) {
        return Twin.waitUntilAny(variables, count, null, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "nvshmem_int32_wait_until_some", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int32_wait_until_some(
            I32Ptr variables, long count, I64Ptr indices, I32Ptr skip, int comparison, int value) {
        return Twin.waitUntilSome(variables, count, indices, skip, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "comm4j_int32_wait_until_some", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int32_wait_until_some(I32Ptr variables, long count, I64Ptr indices, int comparison, int value) {
        return Twin.waitUntilSome(variables, count, indices, null, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "nvshmem_int32_test_all", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_test_all(I32Ptr variables, long count, I32Ptr skip, int comparison, int value) {
        return Twin.testAll(variables, count, skip, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "comm4j_int32_test_all", unit = NvshmemUnit.NAME, cooperative = true)
    static int comm4j_int32_test_all(I32Ptr variables, long count, int comparison, int value) {
        return Twin.testAll(variables, count, null, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "nvshmem_int32_test_any", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int32_test_any(I32Ptr variables, long count, I32Ptr skip, int comparison, int value) {
        return Twin.testAny(variables, count, skip, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "comm4j_int32_test_any", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int32_test_any(I32Ptr variables, long count, int comparison, int value) {
        return Twin.testAny(variables, count, null, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "nvshmem_int32_test_some", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int32_test_some(
            I32Ptr variables, long count, I64Ptr indices, I32Ptr skip, int comparison, int value) {
        return Twin.testSome(variables, count, indices, skip, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "comm4j_int32_test_some", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int32_test_some(I32Ptr variables, long count, I64Ptr indices, int comparison, int value) {
        return Twin.testSome(variables, count, indices, null, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "nvshmem_int32_wait_until_all_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static void nvshmem_int32_wait_until_all_vector(
            I32Ptr variables, long count, I32Ptr skip, int comparison, I32Ptr values) {
        Twin.waitUntilAll(variables, count, skip, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "comm4j_int32_wait_until_all_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static void comm4j_int32_wait_until_all_vector(I32Ptr variables, long count, int comparison, I32Ptr values) {
        Twin.waitUntilAll(variables, count, null, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "nvshmem_int32_wait_until_any_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int32_wait_until_any_vector(
            I32Ptr variables, long count, I32Ptr skip, int comparison, I32Ptr values) {
        return Twin.waitUntilAny(variables, count, skip, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "comm4j_int32_wait_until_any_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int32_wait_until_any_vector(I32Ptr variables, long count, int comparison, I32Ptr values) {
        return Twin.waitUntilAny(variables, count, null, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "nvshmem_int32_wait_until_some_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int32_wait_until_some_vector(
            I32Ptr variables, long count, I64Ptr indices, I32Ptr skip, int comparison, I32Ptr values) {
        return Twin.waitUntilSome(variables, count, indices, skip, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "comm4j_int32_wait_until_some_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int32_wait_until_some_vector(
            I32Ptr variables, long count, I64Ptr indices, int comparison, I32Ptr values) {
        return Twin.waitUntilSome(variables, count, indices, null, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "nvshmem_int32_test_all_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_test_all_vector(I32Ptr variables, long count, I32Ptr skip, int comparison, I32Ptr values) {
        return Twin.testAll(variables, count, skip, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "comm4j_int32_test_all_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static int comm4j_int32_test_all_vector(I32Ptr variables, long count, int comparison, I32Ptr values) {
        return Twin.testAll(variables, count, null, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "nvshmem_int32_test_any_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int32_test_any_vector(
            I32Ptr variables, long count, I32Ptr skip, int comparison, I32Ptr values) {
        return Twin.testAny(variables, count, skip, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "comm4j_int32_test_any_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int32_test_any_vector(I32Ptr variables, long count, int comparison, I32Ptr values) {
        return Twin.testAny(variables, count, null, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "nvshmem_int32_test_some_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int32_test_some_vector(
            I32Ptr variables, long count, I64Ptr indices, I32Ptr skip, int comparison, I32Ptr values) {
        return Twin.testSome(variables, count, indices, skip, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "comm4j_int32_test_some_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int32_test_some_vector(
            I32Ptr variables, long count, I64Ptr indices, int comparison, I32Ptr values) {
        return Twin.testSome(variables, count, indices, null, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "nvshmem_int64_wait_until", unit = NvshmemUnit.NAME, cooperative = true)
    static void nvshmem_int64_wait_until(I64Ptr variable, int comparison, long value) {
        Twin.waitUntil(variable, comparison, value);
    }

    @DeviceFunction(value = "nvshmem_int64_test", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_test(I64Ptr variable, int comparison, long value) {
        return Twin.test(variable, comparison, value);
    }

    @DeviceFunction(value = "nvshmem_int64_wait_until_all", unit = NvshmemUnit.NAME, cooperative = true)
    static void nvshmem_int64_wait_until_all(I64Ptr variables, long count, I32Ptr skip, int comparison, long value) {
        Twin.waitUntilAll(variables, count, skip, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "comm4j_int64_wait_until_all", unit = NvshmemUnit.NAME, cooperative = true)
    static void comm4j_int64_wait_until_all(I64Ptr variables, long count, int comparison, long value) {
        Twin.waitUntilAll(variables, count, null, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "nvshmem_int64_wait_until_any", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int64_wait_until_any(I64Ptr variables, long count, I32Ptr skip, int comparison, long value) {
        return Twin.waitUntilAny(variables, count, skip, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "comm4j_int64_wait_until_any", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int64_wait_until_any(I64Ptr variables, long count, int comparison, long value) {
        return Twin.waitUntilAny(variables, count, null, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "nvshmem_int64_wait_until_some", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int64_wait_until_some(
            I64Ptr variables, long count, I64Ptr indices, I32Ptr skip, int comparison, long value) {
        return Twin.waitUntilSome(variables, count, indices, skip, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "comm4j_int64_wait_until_some", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int64_wait_until_some(I64Ptr variables, long count, I64Ptr indices, int comparison, long value) {
        return Twin.waitUntilSome(variables, count, indices, null, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "nvshmem_int64_test_all", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_test_all(I64Ptr variables, long count, I32Ptr skip, int comparison, long value) {
        return Twin.testAll(variables, count, skip, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "comm4j_int64_test_all", unit = NvshmemUnit.NAME, cooperative = true)
    static int comm4j_int64_test_all(I64Ptr variables, long count, int comparison, long value) {
        return Twin.testAll(variables, count, null, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "nvshmem_int64_test_any", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int64_test_any(I64Ptr variables, long count, I32Ptr skip, int comparison, long value) {
        return Twin.testAny(variables, count, skip, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "comm4j_int64_test_any", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int64_test_any(I64Ptr variables, long count, int comparison, long value) {
        return Twin.testAny(variables, count, null, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "nvshmem_int64_test_some", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int64_test_some(
            I64Ptr variables, long count, I64Ptr indices, I32Ptr skip, int comparison, long value) {
        return Twin.testSome(variables, count, indices, skip, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "comm4j_int64_test_some", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int64_test_some(I64Ptr variables, long count, I64Ptr indices, int comparison, long value) {
        return Twin.testSome(variables, count, indices, null, comparison, Twin.all(value));
    }

    @DeviceFunction(value = "nvshmem_int64_wait_until_all_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static void nvshmem_int64_wait_until_all_vector(
            I64Ptr variables, long count, I32Ptr skip, int comparison, I64Ptr values) {
        Twin.waitUntilAll(variables, count, skip, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "comm4j_int64_wait_until_all_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static void comm4j_int64_wait_until_all_vector(I64Ptr variables, long count, int comparison, I64Ptr values) {
        Twin.waitUntilAll(variables, count, null, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "nvshmem_int64_wait_until_any_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int64_wait_until_any_vector(
            I64Ptr variables, long count, I32Ptr skip, int comparison, I64Ptr values) {
        return Twin.waitUntilAny(variables, count, skip, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "comm4j_int64_wait_until_any_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int64_wait_until_any_vector(I64Ptr variables, long count, int comparison, I64Ptr values) {
        return Twin.waitUntilAny(variables, count, null, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "nvshmem_int64_wait_until_some_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int64_wait_until_some_vector(
            I64Ptr variables, long count, I64Ptr indices, I32Ptr skip, int comparison, I64Ptr values) {
        return Twin.waitUntilSome(variables, count, indices, skip, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "comm4j_int64_wait_until_some_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int64_wait_until_some_vector(
            I64Ptr variables, long count, I64Ptr indices, int comparison, I64Ptr values) {
        return Twin.waitUntilSome(variables, count, indices, null, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "nvshmem_int64_test_all_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_test_all_vector(I64Ptr variables, long count, I32Ptr skip, int comparison, I64Ptr values) {
        return Twin.testAll(variables, count, skip, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "comm4j_int64_test_all_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static int comm4j_int64_test_all_vector(I64Ptr variables, long count, int comparison, I64Ptr values) {
        return Twin.testAll(variables, count, null, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "nvshmem_int64_test_any_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int64_test_any_vector(
            I64Ptr variables, long count, I32Ptr skip, int comparison, I64Ptr values) {
        return Twin.testAny(variables, count, skip, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "comm4j_int64_test_any_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int64_test_any_vector(I64Ptr variables, long count, int comparison, I64Ptr values) {
        return Twin.testAny(variables, count, null, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "nvshmem_int64_test_some_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long nvshmem_int64_test_some_vector(
            I64Ptr variables, long count, I64Ptr indices, I32Ptr skip, int comparison, I64Ptr values) {
        return Twin.testSome(variables, count, indices, skip, comparison, Twin.each(values));
    }

    @DeviceFunction(value = "comm4j_int64_test_some_vector", unit = NvshmemUnit.NAME, cooperative = true)
    static long comm4j_int64_test_some_vector(
            I64Ptr variables, long count, I64Ptr indices, int comparison, I64Ptr values) {
        return Twin.testSome(variables, count, indices, null, comparison, Twin.each(values));
    }

    // ---- atomics ----

    @DeviceFunction(value = "nvshmem_int32_atomic_fetch", unit = NvshmemUnit.NAME)
    static int nvshmem_int32_atomic_fetch(I32Ptr source, int pe) {
        return Twin.fetch(source, pe);
    }

    @DeviceFunction(value = "nvshmem_int32_atomic_set", unit = NvshmemUnit.NAME)
    static void nvshmem_int32_atomic_set(I32Ptr target, int value, int pe) {
        Twin.set(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int32_atomic_swap", unit = NvshmemUnit.NAME)
    static int nvshmem_int32_atomic_swap(I32Ptr target, int value, int pe) {
        return Twin.swap(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int32_atomic_compare_swap", unit = NvshmemUnit.NAME)
    static int nvshmem_int32_atomic_compare_swap(I32Ptr target, int condition, int value, int pe) {
        return Twin.compareSwap(target, condition, value, pe);
    }

    @DeviceFunction(value = "nvshmem_uint32_atomic_inc", unit = NvshmemUnit.NAME)
    static void nvshmem_uint32_atomic_inc(I32Ptr target, int pe) {
        Twin.fetchAdd(target, 1, pe);
    }

    @DeviceFunction(value = "nvshmem_uint32_atomic_fetch_inc", unit = NvshmemUnit.NAME)
    static int nvshmem_uint32_atomic_fetch_inc(I32Ptr target, int pe) {
        return Twin.fetchAdd(target, 1, pe);
    }

    @DeviceFunction(value = "nvshmem_uint32_atomic_add", unit = NvshmemUnit.NAME)
    static void nvshmem_uint32_atomic_add(I32Ptr target, int value, int pe) {
        Twin.fetchAdd(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_uint32_atomic_fetch_add", unit = NvshmemUnit.NAME)
    static int nvshmem_uint32_atomic_fetch_add(I32Ptr target, int value, int pe) {
        return Twin.fetchAdd(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int32_atomic_and", unit = NvshmemUnit.NAME)
    static void nvshmem_int32_atomic_and(I32Ptr target, int value, int pe) {
        Twin.fetchAnd(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int32_atomic_fetch_and", unit = NvshmemUnit.NAME)
    static int nvshmem_int32_atomic_fetch_and(I32Ptr target, int value, int pe) {
        return Twin.fetchAnd(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int32_atomic_or", unit = NvshmemUnit.NAME)
    static void nvshmem_int32_atomic_or(I32Ptr target, int value, int pe) {
        Twin.fetchOr(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int32_atomic_fetch_or", unit = NvshmemUnit.NAME)
    static int nvshmem_int32_atomic_fetch_or(I32Ptr target, int value, int pe) {
        return Twin.fetchOr(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int32_atomic_xor", unit = NvshmemUnit.NAME)
    static void nvshmem_int32_atomic_xor(I32Ptr target, int value, int pe) {
        Twin.fetchXor(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int32_atomic_fetch_xor", unit = NvshmemUnit.NAME)
    static int nvshmem_int32_atomic_fetch_xor(I32Ptr target, int value, int pe) {
        return Twin.fetchXor(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int64_atomic_fetch", unit = NvshmemUnit.NAME)
    static long nvshmem_int64_atomic_fetch(I64Ptr source, int pe) {
        return Twin.fetch(source, pe);
    }

    @DeviceFunction(value = "nvshmem_int64_atomic_set", unit = NvshmemUnit.NAME)
    static void nvshmem_int64_atomic_set(I64Ptr target, long value, int pe) {
        Twin.set(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int64_atomic_swap", unit = NvshmemUnit.NAME)
    static long nvshmem_int64_atomic_swap(I64Ptr target, long value, int pe) {
        return Twin.swap(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int64_atomic_compare_swap", unit = NvshmemUnit.NAME)
    static long nvshmem_int64_atomic_compare_swap(I64Ptr target, long condition, long value, int pe) {
        return Twin.compareSwap(target, condition, value, pe);
    }

    @DeviceFunction(value = "nvshmem_uint64_atomic_inc", unit = NvshmemUnit.NAME)
    static void nvshmem_uint64_atomic_inc(I64Ptr target, int pe) {
        Twin.fetchAdd(target, 1, pe);
    }

    @DeviceFunction(value = "nvshmem_uint64_atomic_fetch_inc", unit = NvshmemUnit.NAME)
    static long nvshmem_uint64_atomic_fetch_inc(I64Ptr target, int pe) {
        return Twin.fetchAdd(target, 1, pe);
    }

    @DeviceFunction(value = "nvshmem_uint64_atomic_add", unit = NvshmemUnit.NAME)
    static void nvshmem_uint64_atomic_add(I64Ptr target, long value, int pe) {
        Twin.fetchAdd(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_uint64_atomic_fetch_add", unit = NvshmemUnit.NAME)
    static long nvshmem_uint64_atomic_fetch_add(I64Ptr target, long value, int pe) {
        return Twin.fetchAdd(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int64_atomic_and", unit = NvshmemUnit.NAME)
    static void nvshmem_int64_atomic_and(I64Ptr target, long value, int pe) {
        Twin.fetchAnd(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int64_atomic_fetch_and", unit = NvshmemUnit.NAME)
    static long nvshmem_int64_atomic_fetch_and(I64Ptr target, long value, int pe) {
        return Twin.fetchAnd(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int64_atomic_or", unit = NvshmemUnit.NAME)
    static void nvshmem_int64_atomic_or(I64Ptr target, long value, int pe) {
        Twin.fetchOr(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int64_atomic_fetch_or", unit = NvshmemUnit.NAME)
    static long nvshmem_int64_atomic_fetch_or(I64Ptr target, long value, int pe) {
        return Twin.fetchOr(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int64_atomic_xor", unit = NvshmemUnit.NAME)
    static void nvshmem_int64_atomic_xor(I64Ptr target, long value, int pe) {
        Twin.fetchXor(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_int64_atomic_fetch_xor", unit = NvshmemUnit.NAME)
    static long nvshmem_int64_atomic_fetch_xor(I64Ptr target, long value, int pe) {
        return Twin.fetchXor(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_float_atomic_fetch", unit = NvshmemUnit.NAME)
    static float nvshmem_float_atomic_fetch(F32Ptr source, int pe) {
        return Twin.fetch(source, pe);
    }

    @DeviceFunction(value = "nvshmem_float_atomic_set", unit = NvshmemUnit.NAME)
    static void nvshmem_float_atomic_set(F32Ptr target, float value, int pe) {
        Twin.set(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_float_atomic_swap", unit = NvshmemUnit.NAME)
    static float nvshmem_float_atomic_swap(F32Ptr target, float value, int pe) {
        return Twin.swap(target, value, pe);
    }

    @DeviceFunction(value = "nvshmem_double_atomic_fetch", unit = NvshmemUnit.NAME)
    static double nvshmem_double_atomic_fetch(F64Ptr source, int pe) {
        return Twin.fetch(source, pe);
    }

    @DeviceFunction(value = "nvshmem_double_atomic_set", unit = NvshmemUnit.NAME)
    static void nvshmem_double_atomic_set(F64Ptr target, double value, int pe) {
        Twin.set(target, value, pe);
    }

    // ---- barriers ----

    @DeviceFunction(value = "nvshmem_barrier_all", unit = NvshmemUnit.NAME, cooperative = true)
    static void nvshmem_barrier_all() {
        Twin.barrier(Twin.THREAD, 0);
    }

    @DeviceFunction(value = "nvshmem_sync_all", unit = NvshmemUnit.NAME, cooperative = true)
    static void nvshmem_sync_all() {
        Twin.barrier(Twin.THREAD, 0);
    }

    @DeviceFunction(value = "nvshmem_barrier", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_barrier(int team) {
        return Twin.barrier(Twin.THREAD, team);
    }

    @DeviceFunction(value = "nvshmem_team_sync", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_team_sync(int team) {
        return Twin.barrier(Twin.THREAD, team);
    }

    @DeviceFunction(value = "nvshmemx_barrier_all_warp", unit = NvshmemUnit.NAME, convergent = true, cooperative = true)
    static void nvshmemx_barrier_all_warp() {
        Twin.barrier(Twin.WARP, 0);
    }

    @DeviceFunction(value = "nvshmemx_sync_all_warp", unit = NvshmemUnit.NAME, convergent = true, cooperative = true)
    static void nvshmemx_sync_all_warp() {
        Twin.barrier(Twin.WARP, 0);
    }

    @DeviceFunction(value = "nvshmemx_barrier_warp", unit = NvshmemUnit.NAME, convergent = true, cooperative = true)
    static int nvshmemx_barrier_warp(int team) {
        return Twin.barrier(Twin.WARP, team);
    }

    @DeviceFunction(value = "nvshmemx_team_sync_warp", unit = NvshmemUnit.NAME, convergent = true, cooperative = true)
    static int nvshmemx_team_sync_warp(int team) {
        return Twin.barrier(Twin.WARP, team);
    }

    @DeviceFunction(
            value = "nvshmemx_barrier_all_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static void nvshmemx_barrier_all_block() {
        Twin.barrier(Twin.BLOCK, 0);
    }

    @DeviceFunction(value = "nvshmemx_sync_all_block", unit = NvshmemUnit.NAME, convergent = true, cooperative = true)
    static void nvshmemx_sync_all_block() {
        Twin.barrier(Twin.BLOCK, 0);
    }

    @DeviceFunction(value = "nvshmemx_barrier_block", unit = NvshmemUnit.NAME, convergent = true, cooperative = true)
    static int nvshmemx_barrier_block(int team) {
        return Twin.barrier(Twin.BLOCK, team);
    }

    @DeviceFunction(value = "nvshmemx_team_sync_block", unit = NvshmemUnit.NAME, convergent = true, cooperative = true)
    static int nvshmemx_team_sync_block(int team) {
        return Twin.barrier(Twin.BLOCK, team);
    }

    // ---- collectives ----

    @DeviceFunction(value = "nvshmem_int8_broadcast", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_broadcast(int team, Ptr destination, Ptr source, long count, int root) {
        return Twin.broadcast(Twin.THREAD, team, destination, source, count * 1, root);
    }

    @DeviceFunction(value = "nvshmem_int8_fcollect", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_fcollect(int team, Ptr destination, Ptr source, long count) {
        return Twin.fcollect(Twin.THREAD, team, destination, source, count * 1);
    }

    @DeviceFunction(value = "nvshmem_int8_alltoall", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_alltoall(int team, Ptr destination, Ptr source, long count) {
        return Twin.allToAll(Twin.THREAD, team, destination, source, count * 1);
    }

    @DeviceFunction(value = "nvshmem_int16_broadcast", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_broadcast(int team, Ptr destination, Ptr source, long count, int root) {
        return Twin.broadcast(Twin.THREAD, team, destination, source, count * 2, root);
    }

    @DeviceFunction(value = "nvshmem_int16_fcollect", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_fcollect(int team, Ptr destination, Ptr source, long count) {
        return Twin.fcollect(Twin.THREAD, team, destination, source, count * 2);
    }

    @DeviceFunction(value = "nvshmem_int16_alltoall", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_alltoall(int team, Ptr destination, Ptr source, long count) {
        return Twin.allToAll(Twin.THREAD, team, destination, source, count * 2);
    }

    @DeviceFunction(value = "nvshmem_int32_broadcast", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_broadcast(int team, Ptr destination, Ptr source, long count, int root) {
        return Twin.broadcast(Twin.THREAD, team, destination, source, count * 4, root);
    }

    @DeviceFunction(value = "nvshmem_int32_fcollect", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_fcollect(int team, Ptr destination, Ptr source, long count) {
        return Twin.fcollect(Twin.THREAD, team, destination, source, count * 4);
    }

    @DeviceFunction(value = "nvshmem_int32_alltoall", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_alltoall(int team, Ptr destination, Ptr source, long count) {
        return Twin.allToAll(Twin.THREAD, team, destination, source, count * 4);
    }

    @DeviceFunction(value = "nvshmem_int64_broadcast", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_broadcast(int team, Ptr destination, Ptr source, long count, int root) {
        return Twin.broadcast(Twin.THREAD, team, destination, source, count * 8, root);
    }

    @DeviceFunction(value = "nvshmem_int64_fcollect", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_fcollect(int team, Ptr destination, Ptr source, long count) {
        return Twin.fcollect(Twin.THREAD, team, destination, source, count * 8);
    }

    @DeviceFunction(value = "nvshmem_int64_alltoall", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_alltoall(int team, Ptr destination, Ptr source, long count) {
        return Twin.allToAll(Twin.THREAD, team, destination, source, count * 8);
    }

    @DeviceFunction(value = "nvshmem_int8_sum_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_sum_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_int8_sum_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_sum_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_int8_prod_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_prod_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_int8_prod_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_prod_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_int8_min_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_min_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_int8_min_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_min_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_int8_max_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_max_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_int8_max_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_max_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_int8_and_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_and_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.BAND);
    }

    @DeviceFunction(value = "nvshmem_int8_and_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_and_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.BAND);
    }

    @DeviceFunction(value = "nvshmem_int8_or_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_or_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.BOR);
    }

    @DeviceFunction(value = "nvshmem_int8_or_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_or_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.BOR);
    }

    @DeviceFunction(value = "nvshmem_int8_xor_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_xor_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.BXOR);
    }

    @DeviceFunction(value = "nvshmem_int8_xor_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int8_xor_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT8, ReduceOp.BXOR);
    }

    @DeviceFunction(value = "nvshmem_int16_sum_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_sum_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_int16_sum_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_sum_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_int16_prod_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_prod_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_int16_prod_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_prod_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_int16_min_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_min_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_int16_min_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_min_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_int16_max_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_max_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_int16_max_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_max_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_int16_and_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_and_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.BAND);
    }

    @DeviceFunction(value = "nvshmem_int16_and_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_and_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.BAND);
    }

    @DeviceFunction(value = "nvshmem_int16_or_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_or_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.BOR);
    }

    @DeviceFunction(value = "nvshmem_int16_or_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_or_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.BOR);
    }

    @DeviceFunction(value = "nvshmem_int16_xor_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_xor_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.BXOR);
    }

    @DeviceFunction(value = "nvshmem_int16_xor_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int16_xor_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT16, ReduceOp.BXOR);
    }

    @DeviceFunction(value = "nvshmem_int32_sum_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_sum_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_int32_sum_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_sum_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_int32_prod_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_prod_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_int32_prod_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_prod_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_int32_min_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_min_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_int32_min_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_min_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_int32_max_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_max_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_int32_max_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_max_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_int32_and_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_and_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.BAND);
    }

    @DeviceFunction(value = "nvshmem_int32_and_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_and_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.BAND);
    }

    @DeviceFunction(value = "nvshmem_int32_or_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_or_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.BOR);
    }

    @DeviceFunction(value = "nvshmem_int32_or_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_or_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.BOR);
    }

    @DeviceFunction(value = "nvshmem_int32_xor_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_xor_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.BXOR);
    }

    @DeviceFunction(value = "nvshmem_int32_xor_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int32_xor_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT32, ReduceOp.BXOR);
    }

    @DeviceFunction(value = "nvshmem_int64_sum_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_sum_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_int64_sum_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_sum_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_int64_prod_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_prod_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_int64_prod_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_prod_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_int64_min_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_min_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_int64_min_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_min_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_int64_max_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_max_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_int64_max_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_max_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_int64_and_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_and_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.BAND);
    }

    @DeviceFunction(value = "nvshmem_int64_and_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_and_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.BAND);
    }

    @DeviceFunction(value = "nvshmem_int64_or_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_or_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.BOR);
    }

    @DeviceFunction(value = "nvshmem_int64_or_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_or_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.BOR);
    }

    @DeviceFunction(value = "nvshmem_int64_xor_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_xor_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.BXOR);
    }

    @DeviceFunction(value = "nvshmem_int64_xor_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_int64_xor_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.INT64, ReduceOp.BXOR);
    }

    @DeviceFunction(value = "nvshmem_half_sum_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_half_sum_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.FLOAT16, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_half_sum_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_half_sum_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.FLOAT16, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_half_prod_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_half_prod_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.FLOAT16, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_half_prod_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_half_prod_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.FLOAT16, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_half_min_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_half_min_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.FLOAT16, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_half_min_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_half_min_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.FLOAT16, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_half_max_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_half_max_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.FLOAT16, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_half_max_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_half_max_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.FLOAT16, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_bfloat16_sum_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_bfloat16_sum_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.BFLOAT16, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_bfloat16_sum_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_bfloat16_sum_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.BFLOAT16, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_bfloat16_prod_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_bfloat16_prod_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.BFLOAT16, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_bfloat16_prod_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_bfloat16_prod_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.BFLOAT16, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_bfloat16_min_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_bfloat16_min_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.BFLOAT16, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_bfloat16_min_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_bfloat16_min_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.BFLOAT16, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_bfloat16_max_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_bfloat16_max_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.BFLOAT16, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_bfloat16_max_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_bfloat16_max_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.BFLOAT16, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_float_sum_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_float_sum_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.FLOAT32, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_float_sum_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_float_sum_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.FLOAT32, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_float_prod_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_float_prod_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.FLOAT32, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_float_prod_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_float_prod_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.FLOAT32, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_float_min_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_float_min_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.FLOAT32, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_float_min_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_float_min_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.FLOAT32, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_float_max_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_float_max_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.FLOAT32, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_float_max_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_float_max_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.FLOAT32, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_double_sum_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_double_sum_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.FLOAT64, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_double_sum_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_double_sum_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.FLOAT64, ReduceOp.SUM);
    }

    @DeviceFunction(value = "nvshmem_double_prod_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_double_prod_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.FLOAT64, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_double_prod_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_double_prod_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.FLOAT64, ReduceOp.PROD);
    }

    @DeviceFunction(value = "nvshmem_double_min_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_double_min_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.FLOAT64, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_double_min_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_double_min_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.FLOAT64, ReduceOp.MIN);
    }

    @DeviceFunction(value = "nvshmem_double_max_reduce", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_double_max_reduce(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.THREAD, team, destination, source, count, DataType.FLOAT64, ReduceOp.MAX);
    }

    @DeviceFunction(value = "nvshmem_double_max_reducescatter", unit = NvshmemUnit.NAME, cooperative = true)
    static int nvshmem_double_max_reducescatter(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.THREAD, team, destination, source, count, DataType.FLOAT64, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_broadcast_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_broadcast_warp(int team, Ptr destination, Ptr source, long count, int root) {
        return Twin.broadcast(Twin.WARP, team, destination, source, count * 1, root);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_fcollect_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_fcollect_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.fcollect(Twin.WARP, team, destination, source, count * 1);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_alltoall_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_alltoall_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.allToAll(Twin.WARP, team, destination, source, count * 1);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_broadcast_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_broadcast_warp(int team, Ptr destination, Ptr source, long count, int root) {
        return Twin.broadcast(Twin.WARP, team, destination, source, count * 2, root);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_fcollect_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_fcollect_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.fcollect(Twin.WARP, team, destination, source, count * 2);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_alltoall_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_alltoall_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.allToAll(Twin.WARP, team, destination, source, count * 2);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_broadcast_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_broadcast_warp(int team, Ptr destination, Ptr source, long count, int root) {
        return Twin.broadcast(Twin.WARP, team, destination, source, count * 4, root);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_fcollect_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_fcollect_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.fcollect(Twin.WARP, team, destination, source, count * 4);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_alltoall_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_alltoall_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.allToAll(Twin.WARP, team, destination, source, count * 4);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_broadcast_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_broadcast_warp(int team, Ptr destination, Ptr source, long count, int root) {
        return Twin.broadcast(Twin.WARP, team, destination, source, count * 8, root);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_fcollect_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_fcollect_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.fcollect(Twin.WARP, team, destination, source, count * 8);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_alltoall_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_alltoall_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.allToAll(Twin.WARP, team, destination, source, count * 8);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_sum_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_sum_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_sum_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_sum_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_prod_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_prod_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_prod_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_prod_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_min_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_min_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_min_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_min_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_max_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_max_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_max_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_max_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_and_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_and_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_and_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_and_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_or_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_or_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_or_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_or_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_xor_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_xor_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_xor_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_xor_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT8, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_sum_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_sum_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_sum_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_sum_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_prod_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_prod_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_prod_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_prod_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_min_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_min_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_min_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_min_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_max_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_max_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_max_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_max_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_and_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_and_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_and_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_and_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_or_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_or_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_or_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_or_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_xor_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_xor_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_xor_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_xor_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT16, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_sum_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_sum_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_sum_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_sum_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_prod_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_prod_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_prod_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_prod_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_min_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_min_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_min_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_min_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_max_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_max_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_max_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_max_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_and_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_and_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_and_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_and_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_or_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_or_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_or_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_or_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_xor_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_xor_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_xor_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_xor_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT32, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_sum_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_sum_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_sum_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_sum_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_prod_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_prod_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_prod_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_prod_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_min_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_min_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_min_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_min_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_max_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_max_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_max_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_max_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_and_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_and_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_and_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_and_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_or_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_or_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_or_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_or_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_xor_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_xor_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_xor_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_xor_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.INT64, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_half_sum_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_sum_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.FLOAT16, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_half_sum_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_sum_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.FLOAT16, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_half_prod_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_prod_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.FLOAT16, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_half_prod_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_prod_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.FLOAT16, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_half_min_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_min_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.FLOAT16, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_half_min_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_min_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.FLOAT16, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_half_max_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_max_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.FLOAT16, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_half_max_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_max_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.FLOAT16, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_sum_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_sum_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.BFLOAT16, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_sum_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_sum_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.BFLOAT16, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_prod_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_prod_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.BFLOAT16, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_prod_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_prod_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.BFLOAT16, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_min_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_min_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.BFLOAT16, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_min_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_min_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.BFLOAT16, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_max_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_max_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.BFLOAT16, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_max_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_max_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.BFLOAT16, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_float_sum_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_sum_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.FLOAT32, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_float_sum_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_sum_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.FLOAT32, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_float_prod_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_prod_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.FLOAT32, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_float_prod_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_prod_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.FLOAT32, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_float_min_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_min_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.FLOAT32, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_float_min_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_min_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.FLOAT32, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_float_max_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_max_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.FLOAT32, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_float_max_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_max_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.FLOAT32, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_double_sum_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_sum_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.FLOAT64, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_double_sum_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_sum_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.FLOAT64, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_double_prod_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_prod_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.FLOAT64, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_double_prod_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_prod_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.FLOAT64, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_double_min_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_min_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.FLOAT64, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_double_min_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_min_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.FLOAT64, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_double_max_reduce_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_max_reduce_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.WARP, team, destination, source, count, DataType.FLOAT64, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_double_max_reducescatter_warp",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_max_reducescatter_warp(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.WARP, team, destination, source, count, DataType.FLOAT64, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_broadcast_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_broadcast_block(int team, Ptr destination, Ptr source, long count, int root) {
        return Twin.broadcast(Twin.BLOCK, team, destination, source, count * 1, root);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_fcollect_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_fcollect_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.fcollect(Twin.BLOCK, team, destination, source, count * 1);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_alltoall_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_alltoall_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.allToAll(Twin.BLOCK, team, destination, source, count * 1);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_broadcast_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_broadcast_block(int team, Ptr destination, Ptr source, long count, int root) {
        return Twin.broadcast(Twin.BLOCK, team, destination, source, count * 2, root);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_fcollect_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_fcollect_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.fcollect(Twin.BLOCK, team, destination, source, count * 2);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_alltoall_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_alltoall_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.allToAll(Twin.BLOCK, team, destination, source, count * 2);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_broadcast_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_broadcast_block(int team, Ptr destination, Ptr source, long count, int root) {
        return Twin.broadcast(Twin.BLOCK, team, destination, source, count * 4, root);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_fcollect_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_fcollect_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.fcollect(Twin.BLOCK, team, destination, source, count * 4);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_alltoall_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_alltoall_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.allToAll(Twin.BLOCK, team, destination, source, count * 4);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_broadcast_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_broadcast_block(int team, Ptr destination, Ptr source, long count, int root) {
        return Twin.broadcast(Twin.BLOCK, team, destination, source, count * 8, root);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_fcollect_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_fcollect_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.fcollect(Twin.BLOCK, team, destination, source, count * 8);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_alltoall_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_alltoall_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.allToAll(Twin.BLOCK, team, destination, source, count * 8);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_sum_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_sum_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_sum_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_sum_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_prod_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_prod_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_prod_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_prod_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_min_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_min_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_min_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_min_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_max_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_max_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_max_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_max_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_and_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_and_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_and_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_and_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_or_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_or_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_or_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_or_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_xor_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_xor_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int8_xor_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int8_xor_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT8, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_sum_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_sum_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_sum_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_sum_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_prod_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_prod_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_prod_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_prod_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_min_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_min_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_min_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_min_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_max_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_max_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_max_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_max_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_and_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_and_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_and_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_and_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_or_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_or_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_or_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_or_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_xor_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_xor_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int16_xor_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int16_xor_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT16, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_sum_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_sum_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_sum_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_sum_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_prod_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_prod_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_prod_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_prod_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_min_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_min_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_min_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_min_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_max_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_max_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_max_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_max_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_and_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_and_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_and_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_and_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_or_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_or_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_or_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_or_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_xor_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_xor_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int32_xor_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int32_xor_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT32, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_sum_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_sum_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_sum_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_sum_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_prod_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_prod_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_prod_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_prod_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_min_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_min_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_min_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_min_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_max_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_max_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_max_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_max_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_and_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_and_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_and_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_and_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.BAND);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_or_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_or_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_or_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_or_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.BOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_xor_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_xor_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_int64_xor_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_int64_xor_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.INT64, ReduceOp.BXOR);
    }

    @DeviceFunction(
            value = "nvshmemx_half_sum_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_sum_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.FLOAT16, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_half_sum_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_sum_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.FLOAT16, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_half_prod_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_prod_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.FLOAT16, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_half_prod_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_prod_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.FLOAT16, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_half_min_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_min_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.FLOAT16, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_half_min_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_min_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.FLOAT16, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_half_max_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_max_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.FLOAT16, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_half_max_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_half_max_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.FLOAT16, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_sum_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_sum_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.BFLOAT16, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_sum_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_sum_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.BFLOAT16, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_prod_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_prod_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.BFLOAT16, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_prod_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_prod_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.BFLOAT16, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_min_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_min_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.BFLOAT16, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_min_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_min_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.BFLOAT16, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_max_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_max_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.BFLOAT16, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_bfloat16_max_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_bfloat16_max_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.BFLOAT16, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_float_sum_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_sum_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.FLOAT32, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_float_sum_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_sum_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.FLOAT32, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_float_prod_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_prod_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.FLOAT32, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_float_prod_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_prod_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.FLOAT32, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_float_min_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_min_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.FLOAT32, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_float_min_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_min_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.FLOAT32, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_float_max_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_max_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.FLOAT32, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_float_max_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_float_max_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.FLOAT32, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_double_sum_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_sum_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.FLOAT64, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_double_sum_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_sum_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.FLOAT64, ReduceOp.SUM);
    }

    @DeviceFunction(
            value = "nvshmemx_double_prod_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_prod_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.FLOAT64, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_double_prod_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_prod_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.FLOAT64, ReduceOp.PROD);
    }

    @DeviceFunction(
            value = "nvshmemx_double_min_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_min_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.FLOAT64, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_double_min_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_min_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.FLOAT64, ReduceOp.MIN);
    }

    @DeviceFunction(
            value = "nvshmemx_double_max_reduce_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_max_reduce_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduce(Twin.BLOCK, team, destination, source, count, DataType.FLOAT64, ReduceOp.MAX);
    }

    @DeviceFunction(
            value = "nvshmemx_double_max_reducescatter_block",
            unit = NvshmemUnit.NAME,
            convergent = true,
            cooperative = true)
    static int nvshmemx_double_max_reducescatter_block(int team, Ptr destination, Ptr source, long count) {
        return Twin.reduceScatter(Twin.BLOCK, team, destination, source, count, DataType.FLOAT64, ReduceOp.MAX);
    }
}
