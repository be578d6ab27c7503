// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nvshmem;

import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeFamily;
import org.comm4j.ffi.NativeFunction;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.handle.CUlibrary;
import org.comm4j.ffi.handle.CUmodule;
import org.comm4j.ffi.handle.CUstream;

/**
 * The C interface of NVSHMEM, function by function under the C names; generated, see the package. Every
 * function throws {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library,
 * {@link UnsupportedOperationException} if the loaded one lacks the function, and {@link NativeCallException} if the call fails.
 *
 * <p>Pointers to data of host or device are addresses, passed as numbers; pointers to what Java fills or reads are memory
 * segments, {@link MemorySegment#NULL} for C's {@code NULL}.
 *
 * <p>Functions that differ in a C type, or in a number of bits, are one method here; its first argument says which is meant.
 * A value of that type is the low bits of a {@code long}, on the way there and back: {@code Float.floatToRawIntBits(x)} for a
 * float. Pointers to elements and signals are addresses.
 *
 * <p>Most functions end the process when NVSHMEM is not initialised, which no exception can stop: each says what it does then.
 * To be asked before: {@link #nvshmemx_init_status}.
 */
@SuppressWarnings("MemberName") // names are C's
public final class LibNvshmem {
    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.NVSHMEM);

    private static final NativeFunction nvshmem_align = LIBRARY.function("nvshmem_align");
    private static final NativeFunction nvshmem_alltoallmem = LIBRARY.function("nvshmem_alltoallmem");
    private static final NativeFunction nvshmem_barrier = LIBRARY.function("nvshmem_barrier");
    private static final NativeFunction nvshmem_barrier_all = LIBRARY.function("nvshmem_barrier_all");
    private static final NativeFunction nvshmem_broadcastmem = LIBRARY.function("nvshmem_broadcastmem");
    private static final NativeFunction nvshmem_calloc = LIBRARY.function("nvshmem_calloc");
    private static final NativeFunction nvshmem_fcollectmem = LIBRARY.function("nvshmem_fcollectmem");
    private static final NativeFunction nvshmem_fence = LIBRARY.function("nvshmem_fence");
    private static final NativeFunction nvshmem_free = LIBRARY.function("nvshmem_free");
    private static final NativeFunction nvshmem_getmem = LIBRARY.function("nvshmem_getmem");
    private static final NativeFunction nvshmem_getmem_nbi = LIBRARY.function("nvshmem_getmem_nbi");
    private static final NativeFunction nvshmem_global_exit = LIBRARY.function("nvshmem_global_exit");
    private static final NativeFunction nvshmem_info_get_name = LIBRARY.function("nvshmem_info_get_name");
    private static final NativeFunction nvshmem_info_get_version = LIBRARY.function("nvshmem_info_get_version");
    private static final NativeFunction nvshmem_malloc = LIBRARY.function("nvshmem_malloc");
    private static final NativeFunction nvshmem_my_pe = LIBRARY.function("nvshmem_my_pe");
    private static final NativeFunction nvshmem_n_pes = LIBRARY.function("nvshmem_n_pes");
    private static final NativeFunction nvshmem_ptr = LIBRARY.function("nvshmem_ptr");
    private static final NativeFunction nvshmem_putmem = LIBRARY.function("nvshmem_putmem");
    private static final NativeFunction nvshmem_putmem_nbi = LIBRARY.function("nvshmem_putmem_nbi");
    private static final NativeFunction nvshmem_query_thread = LIBRARY.function("nvshmem_query_thread");
    private static final NativeFunction nvshmem_quiet = LIBRARY.function("nvshmem_quiet");
    private static final NativeFunction nvshmem_signal_fetch = LIBRARY.function("nvshmem_signal_fetch");
    private static final NativeFunction nvshmem_sync_all = LIBRARY.function("nvshmem_sync_all");
    private static final NativeFunction nvshmem_team_destroy = LIBRARY.function("nvshmem_team_destroy");
    private static final NativeFunction nvshmem_team_get_config = LIBRARY.function("nvshmem_team_get_config");
    private static final NativeFunction nvshmem_team_my_pe = LIBRARY.function("nvshmem_team_my_pe");
    private static final NativeFunction nvshmem_team_n_pes = LIBRARY.function("nvshmem_team_n_pes");
    private static final NativeFunction nvshmem_team_split_2d = LIBRARY.function("nvshmem_team_split_2d");
    private static final NativeFunction nvshmem_team_split_strided = LIBRARY.function("nvshmem_team_split_strided");
    private static final NativeFunction nvshmem_team_sync = LIBRARY.function("nvshmem_team_sync");
    private static final NativeFunction nvshmem_team_translate_pe = LIBRARY.function("nvshmem_team_translate_pe");
    private static final NativeFunction nvshmemx_alltoallmem_on_stream =
            LIBRARY.function("nvshmemx_alltoallmem_on_stream");
    private static final NativeFunction nvshmemx_barrier_all_on_stream =
            LIBRARY.function("nvshmemx_barrier_all_on_stream");
    private static final NativeFunction nvshmemx_barrier_on_stream = LIBRARY.function("nvshmemx_barrier_on_stream");
    private static final NativeFunction nvshmemx_broadcastmem_on_stream =
            LIBRARY.function("nvshmemx_broadcastmem_on_stream");
    private static final NativeFunction nvshmemx_buffer_register = LIBRARY.function("nvshmemx_buffer_register");
    private static final NativeFunction nvshmemx_buffer_register_symmetric =
            LIBRARY.function("nvshmemx_buffer_register_symmetric");
    private static final NativeFunction nvshmemx_buffer_register_symmetric_at_preferred_address =
            LIBRARY.function("nvshmemx_buffer_register_symmetric_at_preferred_address", "3.6");
    private static final NativeFunction nvshmemx_buffer_unregister = LIBRARY.function("nvshmemx_buffer_unregister");
    private static final NativeFunction nvshmemx_buffer_unregister_all =
            LIBRARY.function("nvshmemx_buffer_unregister_all");
    private static final NativeFunction nvshmemx_buffer_unregister_symmetric =
            LIBRARY.function("nvshmemx_buffer_unregister_symmetric");
    private static final NativeFunction nvshmemx_collective_launch =
            LIBRARY.function("nvshmemx_collective_launch", "3.8");
    private static final NativeFunction nvshmemx_collective_launch_attr =
            LIBRARY.function("nvshmemx_collective_launch_attr", "3.8");
    private static final NativeFunction nvshmemx_collective_launch_query_gridsize =
            LIBRARY.function("nvshmemx_collective_launch_query_gridsize", "3.8");
    private static final NativeFunction nvshmemx_culibrary_finalize = LIBRARY.function("nvshmemx_culibrary_finalize");
    private static final NativeFunction nvshmemx_culibrary_init = LIBRARY.function("nvshmemx_culibrary_init");
    private static final NativeFunction nvshmemx_cumodule_finalize = LIBRARY.function("nvshmemx_cumodule_finalize");
    private static final NativeFunction nvshmemx_cumodule_init = LIBRARY.function("nvshmemx_cumodule_init");
    private static final NativeFunction nvshmemx_fcollectmem_on_stream =
            LIBRARY.function("nvshmemx_fcollectmem_on_stream");
    private static final NativeFunction nvshmemx_flush = LIBRARY.function("nvshmemx_flush", "3.7");
    private static final NativeFunction nvshmemx_flush_on_stream = LIBRARY.function("nvshmemx_flush_on_stream", "3.7");
    private static final NativeFunction nvshmemx_get_uniqueid = LIBRARY.function("nvshmemx_get_uniqueid");
    private static final NativeFunction nvshmemx_getmem_nbi_on_stream =
            LIBRARY.function("nvshmemx_getmem_nbi_on_stream");
    private static final NativeFunction nvshmemx_getmem_on_stream = LIBRARY.function("nvshmemx_getmem_on_stream");
    private static final NativeFunction nvshmemx_hostlib_finalize = LIBRARY.function("nvshmemx_hostlib_finalize");
    private static final NativeFunction nvshmemx_hostlib_init_attr = LIBRARY.function("nvshmemx_hostlib_init_attr");
    private static final NativeFunction nvshmemx_init_status = LIBRARY.function("nvshmemx_init_status");
    private static final NativeFunction nvshmemx_mc_ptr = LIBRARY.function("nvshmemx_mc_ptr");
    private static final NativeFunction nvshmemx_putmem_nbi_on_stream =
            LIBRARY.function("nvshmemx_putmem_nbi_on_stream");
    private static final NativeFunction nvshmemx_putmem_on_stream = LIBRARY.function("nvshmemx_putmem_on_stream");
    private static final NativeFunction nvshmemx_putmem_signal_nbi_on_stream =
            LIBRARY.function("nvshmemx_putmem_signal_nbi_on_stream");
    private static final NativeFunction nvshmemx_putmem_signal_on_stream =
            LIBRARY.function("nvshmemx_putmem_signal_on_stream");
    private static final NativeFunction nvshmemx_qp_create = LIBRARY.function("nvshmemx_qp_create", "3.5");
    private static final NativeFunction nvshmemx_quiet_on_stream = LIBRARY.function("nvshmemx_quiet_on_stream");
    private static final NativeFunction nvshmemx_region_is_active =
            LIBRARY.function("nvshmemx_region_is_active", "3.8");
    private static final NativeFunction nvshmemx_region_start = LIBRARY.function("nvshmemx_region_start", "3.8");
    private static final NativeFunction nvshmemx_region_stop = LIBRARY.function("nvshmemx_region_stop", "3.8");
    private static final NativeFunction nvshmemx_set_attr_mpi_comm_args =
            LIBRARY.function("nvshmemx_set_attr_mpi_comm_args");
    private static final NativeFunction nvshmemx_set_attr_uniqueid_args =
            LIBRARY.function("nvshmemx_set_attr_uniqueid_args");
    private static final NativeFunction nvshmemx_signal_counted_reset =
            LIBRARY.function("nvshmemx_signal_counted_reset", "3.8");
    private static final NativeFunction nvshmemx_signal_op_on_stream = LIBRARY.function("nvshmemx_signal_op_on_stream");
    private static final NativeFunction nvshmemx_signal_wait_until_on_stream =
            LIBRARY.function("nvshmemx_signal_wait_until_on_stream");
    private static final NativeFunction nvshmemx_sync_all_on_stream = LIBRARY.function("nvshmemx_sync_all_on_stream");
    private static final NativeFunction nvshmemx_team_get_uniqueid = LIBRARY.function("nvshmemx_team_get_uniqueid");
    private static final NativeFunction nvshmemx_team_init = LIBRARY.function("nvshmemx_team_init");
    private static final NativeFunction nvshmemx_team_sync_on_stream = LIBRARY.function("nvshmemx_team_sync_on_stream");
    private static final NativeFunction nvshmemx_vendor_get_version_info =
            LIBRARY.function("nvshmemx_vendor_get_version_info");
    private static final String MEMBERS_1 = "bfloat16 half float double char schar short int long longlong "
            + "uchar ushort uint ulong ulonglong int8 int16 int32 int64 uint8 "
            + "uint16 uint32 uint64 size ptrdiff";
    private static final String MEMBERS_2 =
            "uchar ushort uint ulong ulonglong int8 int16 int32 int64 uint8 " + "uint16 uint32 uint64 size";
    private static final String MEMBERS_3 =
            "int long longlong uint ulong ulonglong int32 int64 uint32 uint64 " + "size ptrdiff";
    private static final String MEMBERS_4 = "uint ulong ulonglong int32 int64 uint32 uint64";
    private static final String MEMBERS_5 =
            "float double int long longlong uint ulong ulonglong int32 int64 " + "uint32 uint64 size ptrdiff";
    private static final String MEMBERS_6 = "bfloat16 half float double char schar short int long longlong "
            + "uchar ushort uint ulong ulonglong int8 int16 int32 int64 uint8 "
            + "uint16 uint32 uint64 size";
    private static final String MEMBERS_7 = "8 16 32 64 128";
    private static final String MEMBERS_8 = "half float double";
    private static final String MEMBERS_9 =
            "short int long longlong ushort uint ulong ulonglong int32 int64 " + "uint32 uint64 size ptrdiff";
    private static final NativeFamily<NvshmemType> nvshmem_T_alltoall =
            LIBRARY.family("nvshmem_<T>_alltoall", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmem_T_and_reduce =
            LIBRARY.family("nvshmem_<T>_and_reduce", "", NvshmemType.class, MEMBERS_2);
    private static final NativeFamily<NvshmemType> nvshmem_T_and_reducescatter =
            LIBRARY.family("nvshmem_<T>_and_reducescatter", "", NvshmemType.class, MEMBERS_2);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_add =
            LIBRARY.family("nvshmem_<T>_atomic_add", "", NvshmemType.class, MEMBERS_3);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_and =
            LIBRARY.family("nvshmem_<T>_atomic_and", "", NvshmemType.class, MEMBERS_4);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_compare_swap =
            LIBRARY.family("nvshmem_<T>_atomic_compare_swap", "", NvshmemType.class, MEMBERS_3);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_fetch =
            LIBRARY.family("nvshmem_<T>_atomic_fetch", "", NvshmemType.class, MEMBERS_5);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_fetch_add =
            LIBRARY.family("nvshmem_<T>_atomic_fetch_add", "", NvshmemType.class, MEMBERS_3);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_fetch_and =
            LIBRARY.family("nvshmem_<T>_atomic_fetch_and", "", NvshmemType.class, MEMBERS_4);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_fetch_inc =
            LIBRARY.family("nvshmem_<T>_atomic_fetch_inc", "", NvshmemType.class, MEMBERS_3);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_fetch_or =
            LIBRARY.family("nvshmem_<T>_atomic_fetch_or", "", NvshmemType.class, MEMBERS_4);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_fetch_xor =
            LIBRARY.family("nvshmem_<T>_atomic_fetch_xor", "", NvshmemType.class, MEMBERS_4);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_inc =
            LIBRARY.family("nvshmem_<T>_atomic_inc", "", NvshmemType.class, MEMBERS_3);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_or =
            LIBRARY.family("nvshmem_<T>_atomic_or", "", NvshmemType.class, MEMBERS_4);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_set =
            LIBRARY.family("nvshmem_<T>_atomic_set", "", NvshmemType.class, MEMBERS_5);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_swap =
            LIBRARY.family("nvshmem_<T>_atomic_swap", "", NvshmemType.class, MEMBERS_5);
    private static final NativeFamily<NvshmemType> nvshmem_T_atomic_xor =
            LIBRARY.family("nvshmem_<T>_atomic_xor", "", NvshmemType.class, MEMBERS_4);
    private static final NativeFamily<NvshmemType> nvshmem_T_broadcast =
            LIBRARY.family("nvshmem_<T>_broadcast", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmem_T_fcollect =
            LIBRARY.family("nvshmem_<T>_fcollect", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmem_T_g =
            LIBRARY.family("nvshmem_<T>_g", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmem_T_get =
            LIBRARY.family("nvshmem_<T>_get", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmem_T_get_nbi =
            LIBRARY.family("nvshmem_<T>_get_nbi", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmem_T_iget =
            LIBRARY.family("nvshmem_<T>_iget", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmem_T_iput =
            LIBRARY.family("nvshmem_<T>_iput", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmem_T_max_reduce =
            LIBRARY.family("nvshmem_<T>_max_reduce", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmem_T_max_reducescatter =
            LIBRARY.family("nvshmem_<T>_max_reducescatter", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmem_T_min_reduce =
            LIBRARY.family("nvshmem_<T>_min_reduce", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmem_T_min_reducescatter =
            LIBRARY.family("nvshmem_<T>_min_reducescatter", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmem_T_or_reduce =
            LIBRARY.family("nvshmem_<T>_or_reduce", "", NvshmemType.class, MEMBERS_2);
    private static final NativeFamily<NvshmemType> nvshmem_T_or_reducescatter =
            LIBRARY.family("nvshmem_<T>_or_reducescatter", "", NvshmemType.class, MEMBERS_2);
    private static final NativeFamily<NvshmemType> nvshmem_T_p =
            LIBRARY.family("nvshmem_<T>_p", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmem_T_prod_reduce =
            LIBRARY.family("nvshmem_<T>_prod_reduce", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmem_T_prod_reducescatter =
            LIBRARY.family("nvshmem_<T>_prod_reducescatter", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmem_T_put =
            LIBRARY.family("nvshmem_<T>_put", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmem_T_put_nbi =
            LIBRARY.family("nvshmem_<T>_put_nbi", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmem_T_sum_reduce =
            LIBRARY.family("nvshmem_<T>_sum_reduce", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmem_T_sum_reducescatter =
            LIBRARY.family("nvshmem_<T>_sum_reducescatter", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmem_T_xor_reduce =
            LIBRARY.family("nvshmem_<T>_xor_reduce", "", NvshmemType.class, MEMBERS_2);
    private static final NativeFamily<NvshmemType> nvshmem_T_xor_reducescatter =
            LIBRARY.family("nvshmem_<T>_xor_reducescatter", "", NvshmemType.class, MEMBERS_2);
    private static final NativeFamily<NvshmemBits> nvshmem_getN =
            LIBRARY.family("nvshmem_get<N>", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemBits> nvshmem_getN_nbi =
            LIBRARY.family("nvshmem_get<N>_nbi", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemBits> nvshmem_igetN =
            LIBRARY.family("nvshmem_iget<N>", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemBits> nvshmem_iputN =
            LIBRARY.family("nvshmem_iput<N>", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemBits> nvshmem_putN =
            LIBRARY.family("nvshmem_put<N>", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemBits> nvshmem_putN_nbi =
            LIBRARY.family("nvshmem_put<N>_nbi", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemType> nvshmemx_T_alltoall_on_stream =
            LIBRARY.family("nvshmemx_<T>_alltoall_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_and_reduce_on_stream =
            LIBRARY.family("nvshmemx_<T>_and_reduce_on_stream", "", NvshmemType.class, MEMBERS_2);
    private static final NativeFamily<NvshmemType> nvshmemx_T_and_reducescatter_on_stream =
            LIBRARY.family("nvshmemx_<T>_and_reducescatter_on_stream", "", NvshmemType.class, MEMBERS_2);
    private static final NativeFamily<NvshmemType> nvshmemx_T_atomic_add =
            LIBRARY.family("nvshmemx_<T>_atomic_add", "3.7", NvshmemType.class, MEMBERS_8);
    private static final NativeFamily<NvshmemType> nvshmemx_T_atomic_fetch_add =
            LIBRARY.family("nvshmemx_<T>_atomic_fetch_add", "3.7", NvshmemType.class, MEMBERS_8);
    private static final NativeFamily<NvshmemType> nvshmemx_T_broadcast_on_stream =
            LIBRARY.family("nvshmemx_<T>_broadcast_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_fcollect_on_stream =
            LIBRARY.family("nvshmemx_<T>_fcollect_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_g_on_stream =
            LIBRARY.family("nvshmemx_<T>_g_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_get_nbi_on_stream =
            LIBRARY.family("nvshmemx_<T>_get_nbi_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_get_on_stream =
            LIBRARY.family("nvshmemx_<T>_get_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_iget_on_stream =
            LIBRARY.family("nvshmemx_<T>_iget_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_iput_on_stream =
            LIBRARY.family("nvshmemx_<T>_iput_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_max_reduce_on_stream =
            LIBRARY.family("nvshmemx_<T>_max_reduce_on_stream", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmemx_T_max_reducescatter_on_stream =
            LIBRARY.family("nvshmemx_<T>_max_reducescatter_on_stream", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmemx_T_min_reduce_on_stream =
            LIBRARY.family("nvshmemx_<T>_min_reduce_on_stream", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmemx_T_min_reducescatter_on_stream =
            LIBRARY.family("nvshmemx_<T>_min_reducescatter_on_stream", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmemx_T_or_reduce_on_stream =
            LIBRARY.family("nvshmemx_<T>_or_reduce_on_stream", "", NvshmemType.class, MEMBERS_2);
    private static final NativeFamily<NvshmemType> nvshmemx_T_or_reducescatter_on_stream =
            LIBRARY.family("nvshmemx_<T>_or_reducescatter_on_stream", "", NvshmemType.class, MEMBERS_2);
    private static final NativeFamily<NvshmemType> nvshmemx_T_p_on_stream =
            LIBRARY.family("nvshmemx_<T>_p_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_prod_reduce_on_stream =
            LIBRARY.family("nvshmemx_<T>_prod_reduce_on_stream", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmemx_T_prod_reducescatter_on_stream =
            LIBRARY.family("nvshmemx_<T>_prod_reducescatter_on_stream", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmemx_T_put_nbi_on_stream =
            LIBRARY.family("nvshmemx_<T>_put_nbi_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_put_on_stream =
            LIBRARY.family("nvshmemx_<T>_put_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_put_signal_nbi_on_stream =
            LIBRARY.family("nvshmemx_<T>_put_signal_nbi_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_put_signal_on_stream =
            LIBRARY.family("nvshmemx_<T>_put_signal_on_stream", "", NvshmemType.class, MEMBERS_1);
    private static final NativeFamily<NvshmemType> nvshmemx_T_sum_reduce_on_stream =
            LIBRARY.family("nvshmemx_<T>_sum_reduce_on_stream", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmemx_T_sum_reducescatter_on_stream =
            LIBRARY.family("nvshmemx_<T>_sum_reducescatter_on_stream", "", NvshmemType.class, MEMBERS_6);
    private static final NativeFamily<NvshmemType> nvshmemx_T_wait_until_all_on_stream =
            LIBRARY.family("nvshmemx_<T>_wait_until_all_on_stream", "", NvshmemType.class, MEMBERS_9);
    private static final NativeFamily<NvshmemType> nvshmemx_T_wait_until_all_vector_on_stream =
            LIBRARY.family("nvshmemx_<T>_wait_until_all_vector_on_stream", "", NvshmemType.class, MEMBERS_9);
    private static final NativeFamily<NvshmemType> nvshmemx_T_wait_until_on_stream =
            LIBRARY.family("nvshmemx_<T>_wait_until_on_stream", "", NvshmemType.class, MEMBERS_9);
    private static final NativeFamily<NvshmemType> nvshmemx_T_xor_reduce_on_stream =
            LIBRARY.family("nvshmemx_<T>_xor_reduce_on_stream", "", NvshmemType.class, MEMBERS_2);
    private static final NativeFamily<NvshmemType> nvshmemx_T_xor_reducescatter_on_stream =
            LIBRARY.family("nvshmemx_<T>_xor_reducescatter_on_stream", "", NvshmemType.class, MEMBERS_2);
    private static final NativeFamily<NvshmemBits> nvshmemx_getN_nbi_on_stream =
            LIBRARY.family("nvshmemx_get<N>_nbi_on_stream", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemBits> nvshmemx_getN_on_stream =
            LIBRARY.family("nvshmemx_get<N>_on_stream", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemBits> nvshmemx_igetN_on_stream =
            LIBRARY.family("nvshmemx_iget<N>_on_stream", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemBits> nvshmemx_iputN_on_stream =
            LIBRARY.family("nvshmemx_iput<N>_on_stream", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemBits> nvshmemx_putN_nbi_on_stream =
            LIBRARY.family("nvshmemx_put<N>_nbi_on_stream", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemBits> nvshmemx_putN_on_stream =
            LIBRARY.family("nvshmemx_put<N>_on_stream", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemBits> nvshmemx_putN_signal_nbi_on_stream =
            LIBRARY.family("nvshmemx_put<N>_signal_nbi_on_stream", "", NvshmemBits.class, MEMBERS_7);
    private static final NativeFamily<NvshmemBits> nvshmemx_putN_signal_on_stream =
            LIBRARY.family("nvshmemx_put<N>_signal_on_stream", "", NvshmemBits.class, MEMBERS_7);

    // nvshmemx_status

    public static final int NVSHMEMX_SUCCESS = 0;
    public static final int NVSHMEMX_ERROR_INVALID_VALUE = 1;
    public static final int NVSHMEMX_ERROR_OUT_OF_MEMORY = 2;
    public static final int NVSHMEMX_ERROR_NOT_SUPPORTED = 3;
    public static final int NVSHMEMX_ERROR_SYMMETRY = 4;
    public static final int NVSHMEMX_ERROR_GPU_NOT_SELECTED = 5;
    public static final int NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED = 6;
    public static final int NVSHMEMX_ERROR_INTERNAL = 7;
    public static final int NVSHMEMX_ERROR_SENTINEL = 2147483647;

    // flags

    public static final int NVSHMEMX_INIT_THREAD_PES = 1;
    public static final int NVSHMEMX_INIT_WITH_MPI_COMM = 2;
    public static final int NVSHMEMX_INIT_WITH_SHMEM = 4;
    public static final int NVSHMEMX_INIT_WITH_UNIQUEID = 8;
    public static final int NVSHMEMX_INIT_MAX = -2147483648;

    // nvshmemx_init_status_t

    public static final int NVSHMEM_STATUS_NOT_INITIALIZED = 0;
    public static final int NVSHMEM_STATUS_IS_BOOTSTRAPPED = 1;
    public static final int NVSHMEM_STATUS_IS_INITIALIZED = 2;
    public static final int NVSHMEM_STATUS_LIMITED_MPG = 3;
    public static final int NVSHMEM_STATUS_FULL_MPG = 4;
    public static final int NVSHMEM_STATUS_INVALID = 2147483647;

    // nvshmemx_thread_support_t

    public static final int NVSHMEM_THREAD_SINGLE = 0;
    public static final int NVSHMEM_THREAD_FUNNELED = 1;
    public static final int NVSHMEM_THREAD_SERIALIZED = 2;
    public static final int NVSHMEM_THREAD_MULTIPLE = 3;
    public static final int NVSHMEM_THREAD_TYPE_SENTINEL = 2147483647;

    // nvshmemx_cmp_type_t

    public static final int NVSHMEM_CMP_EQ = 0;
    public static final int NVSHMEM_CMP_NE = 1;
    public static final int NVSHMEM_CMP_GT = 2;
    public static final int NVSHMEM_CMP_LE = 3;
    public static final int NVSHMEM_CMP_LT = 4;
    public static final int NVSHMEM_CMP_GE = 5;
    public static final int NVSHMEM_CMP_SENTINEL = 2147483647;

    // nvshmemx_signal_op_t

    public static final int NVSHMEM_SIGNAL_SET = 9;
    public static final int NVSHMEM_SIGNAL_ADD = 10;

    // nvshmem_team_id_t

    public static final int NVSHMEM_TEAM_INVALID = -1;
    public static final int NVSHMEM_TEAM_WORLD = 0;
    public static final int NVSHMEM_TEAM_WORLD_INDEX = 0;
    public static final int NVSHMEM_TEAM_SHARED = 1;
    public static final int NVSHMEM_TEAM_SHARED_INDEX = 1;
    public static final int NVSHMEMX_TEAM_NODE = 2;
    public static final int NVSHMEM_TEAM_NODE_INDEX = 2;
    public static final int NVSHMEMX_TEAM_SAME_MYPE_NODE = 3;
    public static final int NVSHMEM_TEAM_SAME_MYPE_NODE_INDEX = 3;
    public static final int NVSHMEMI_TEAM_SAME_GPU = 4;
    public static final int NVSHMEM_TEAM_SAME_GPU_INDEX = 4;
    public static final int NVSHMEMI_TEAM_GPU_LEADERS = 5;
    public static final int NVSHMEM_TEAM_GPU_LEADERS_INDEX = 5;
    public static final int NVSHMEM_TEAM_MC_SHARED = 6;
    public static final int NVSHMEM_TEAM_MC_SHARED_INDEX = 6;
    public static final int NVSHMEM_TEAMS_MIN = 7;
    public static final int NVSHMEM_TEAM_INDEX_MAX = 2147483647;

    // nvshmemx_qp_handle_index_t

    public static final int NVSHMEMX_QP_HOST = 0;
    public static final int NVSHMEMX_QP_DEFAULT = 1;
    public static final int NVSHMEMX_QP_ANY = 2147483647;
    public static final int NVSHMEMX_QP_ALL = 2147483647;

    // nvshmem_pe_index_t

    public static final int NVSHMEM_PE_INVALID = -1;
    public static final int NVSHMEMX_PE_ANY = 32768;
    public static final int NVSHMEMX_PE_ALL = 32768;

    // nvshmemx_region_hint_t

    public static final int NVSHMEMX_REGION_HINT_NONE = 0;
    public static final int NVSHMEMX_REGION_HINT_BATCH_RMA = 1;

    // macros

    public static final int NVSHMEM_MAX_NAME_LEN = 256;
    public static final int NVSHMEM_TEAM_CONFIG_MASK_NUM_CONTEXTS = 1;
    public static final int NVSHMEM_TEAM_CONFIG_MASK_UNIQUEID = 2;
    public static final int NVSHMEM_VENDOR_MAJOR_VERSION = 3;
    public static final int NVSHMEM_VENDOR_MINOR_VERSION = 8;
    public static final int NVSHMEM_VENDOR_PATCH_VERSION = 0;

    private LibNvshmem() {}

    /** The library as found and loaded, or why not. */
    public static NativeLibrary library() {
        return LIBRARY;
    }

    /**
     * Whether the loaded library has a function; false if there is no library.
     *
     * @throws IllegalArgumentException if this class has no function of that name
     */
    public static boolean has(String function) {
        return LIBRARY.has(function);
    }

    /**
     * {@code void *nvshmem_align(size_t argument0, size_t argument1)}
     *
     * <p>Before initialisation it ends the process up to 3.5, and returns {@code NULL} in newer versions.
     */
    public static long nvshmem_align(long argument0, long argument1) {
        return Downcalls.callLong(nvshmem_align.address(), argument0, argument1);
    }

    /**
     * {@code int nvshmem_alltoallmem(nvshmem_team_t team, void *dest, const void *src, size_t nelems)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_alltoallmem(int team, long dest, long src, long nelems) {
        check(nvshmem_alltoallmem, Downcalls.callInt(nvshmem_alltoallmem.address(), team, dest, src, nelems));
    }

    /**
     * {@code int nvshmem_barrier(nvshmem_team_t team)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_barrier(int team) {
        check(nvshmem_barrier, Downcalls.callInt(nvshmem_barrier.address(), team));
    }

    /**
     * {@code void nvshmem_barrier_all()}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_barrier_all() {
        Downcalls.callVoid(nvshmem_barrier_all.address());
    }

    /**
     * {@code int nvshmem_broadcastmem(nvshmem_team_t team, void *dest, const void *src, size_t nelems, int PE_root)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_broadcastmem(int team, long dest, long src, long nelems, int PE_root) {
        check(
                nvshmem_broadcastmem,
                Downcalls.callInt(nvshmem_broadcastmem.address(), team, dest, src, nelems, PE_root));
    }

    /**
     * {@code void *nvshmem_calloc(size_t argument0, size_t argument1)}
     *
     * <p>Before initialisation it ends the process up to 3.5, and returns {@code NULL} in newer versions.
     */
    public static long nvshmem_calloc(long argument0, long argument1) {
        return Downcalls.callLong(nvshmem_calloc.address(), argument0, argument1);
    }

    /**
     * {@code int nvshmem_fcollectmem(nvshmem_team_t team, void *dest, const void *src, size_t nelems)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_fcollectmem(int team, long dest, long src, long nelems) {
        check(nvshmem_fcollectmem, Downcalls.callInt(nvshmem_fcollectmem.address(), team, dest, src, nelems));
    }

    /**
     * {@code void nvshmem_fence()}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_fence() {
        Downcalls.callVoid(nvshmem_fence.address());
    }

    /**
     * {@code void nvshmem_free(void *ptr)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_free(long ptr) {
        Downcalls.callVoid(nvshmem_free.address(), ptr);
    }

    /**
     * {@code void nvshmem_getmem(void *dest, const void *source, size_t bytes, int pe)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_getmem(long dest, long source, long bytes, int pe) {
        Downcalls.callVoid(nvshmem_getmem.address(), dest, source, bytes, pe);
    }

    /**
     * {@code void nvshmem_getmem_nbi(void *dest, const void *source, size_t bytes, int pe)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_getmem_nbi(long dest, long source, long bytes, int pe) {
        Downcalls.callVoid(nvshmem_getmem_nbi.address(), dest, source, bytes, pe);
    }

    /**
     * {@code void nvshmem_global_exit(int status)}
     *
     * <p>Ends the processes of all PEs, this one too, at any time.
     */
    public static void nvshmem_global_exit(int status) {
        Downcalls.callVoid(nvshmem_global_exit.address(), status);
    }

    /**
     * {@code void nvshmem_info_get_name(char *name)}
     *
     * <p>May be called before initialisation.
     */
    public static void nvshmem_info_get_name(MemorySegment name) {
        Downcalls.callVoid(nvshmem_info_get_name.address(), name);
    }

    /**
     * {@code void nvshmem_info_get_version(int *major, int *minor)}
     *
     * <p>May be called before initialisation.
     */
    public static void nvshmem_info_get_version(MemorySegment major, MemorySegment minor) {
        Downcalls.callVoid(nvshmem_info_get_version.address(), major, minor);
    }

    /**
     * {@code void *nvshmem_malloc(size_t size)}
     *
     * <p>Before initialisation it ends the process up to 3.5, and returns {@code NULL} in newer versions.
     */
    public static long nvshmem_malloc(long size) {
        return Downcalls.callLong(nvshmem_malloc.address(), size);
    }

    /**
     * {@code int nvshmem_my_pe()}
     *
     * <p>Before initialisation it returns 0.
     */
    public static int nvshmem_my_pe() {
        return Downcalls.callInt(nvshmem_my_pe.address());
    }

    /**
     * {@code int nvshmem_n_pes()}
     *
     * <p>Before initialisation it returns 0.
     */
    public static int nvshmem_n_pes() {
        return Downcalls.callInt(nvshmem_n_pes.address());
    }

    /**
     * {@code void *nvshmem_ptr(const void *ptr, int pe)}
     *
     * <p>Before initialisation it returns {@code NULL}.
     */
    public static long nvshmem_ptr(long ptr, int pe) {
        return Downcalls.callLong(nvshmem_ptr.address(), ptr, pe);
    }

    /**
     * {@code void nvshmem_putmem(void *dest, const void *source, size_t bytes, int pe)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_putmem(long dest, long source, long bytes, int pe) {
        Downcalls.callVoid(nvshmem_putmem.address(), dest, source, bytes, pe);
    }

    /**
     * {@code void nvshmem_putmem_nbi(void *dest, const void *source, size_t bytes, int pe)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_putmem_nbi(long dest, long source, long bytes, int pe) {
        Downcalls.callVoid(nvshmem_putmem_nbi.address(), dest, source, bytes, pe);
    }

    /**
     * {@code void nvshmem_query_thread(int *provided)}
     *
     * <p>May be called before initialisation.
     */
    public static void nvshmem_query_thread(MemorySegment provided) {
        Downcalls.callVoid(nvshmem_query_thread.address(), provided);
    }

    /**
     * {@code void nvshmem_quiet()}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_quiet() {
        Downcalls.callVoid(nvshmem_quiet.address());
    }

    /**
     * {@code uint64_t nvshmem_signal_fetch(uint64_t *sig_addr)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static long nvshmem_signal_fetch(long sig_addr) {
        return Downcalls.callLong(nvshmem_signal_fetch.address(), sig_addr);
    }

    /**
     * {@code void nvshmem_sync_all()}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_sync_all() {
        Downcalls.callVoid(nvshmem_sync_all.address());
    }

    /**
     * {@code void nvshmem_team_destroy(nvshmem_team_t team)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_team_destroy(int team) {
        Downcalls.callVoid(nvshmem_team_destroy.address(), team);
    }

    /**
     * {@code void nvshmem_team_get_config(nvshmem_team_t team, nvshmem_team_config_t *config)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_team_get_config(int team, MemorySegment config) {
        Downcalls.callVoid(nvshmem_team_get_config.address(), team, config);
    }

    /**
     * {@code int nvshmem_team_my_pe(nvshmem_team_t team)}
     *
     * <p>Before initialisation it returns 0.
     */
    public static int nvshmem_team_my_pe(int team) {
        return Downcalls.callInt(nvshmem_team_my_pe.address(), team);
    }

    /**
     * {@code int nvshmem_team_n_pes(nvshmem_team_t team)}
     *
     * <p>Before initialisation it returns 0.
     */
    public static int nvshmem_team_n_pes(int team) {
        return Downcalls.callInt(nvshmem_team_n_pes.address(), team);
    }

    /**
     * {@code int nvshmem_team_split_2d(nvshmem_team_t parent_team, int xrange, const nvshmem_team_config_t *xaxis_config, long xaxis_mask, nvshmem_team_t *xaxis_team, const nvshmem_team_config_t *yaxis_config, long yaxis_mask, nvshmem_team_t *yaxis_team)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_team_split_2d(
            int parent_team,
            int xrange,
            MemorySegment xaxis_config,
            long xaxis_mask,
            MemorySegment xaxis_team,
            MemorySegment yaxis_config,
            long yaxis_mask,
            MemorySegment yaxis_team) {
        check(
                nvshmem_team_split_2d,
                Downcalls.callInt(
                        nvshmem_team_split_2d.address(),
                        parent_team,
                        xrange,
                        xaxis_config,
                        xaxis_mask,
                        xaxis_team,
                        yaxis_config,
                        yaxis_mask,
                        yaxis_team));
    }

    /**
     * {@code int nvshmem_team_split_strided(nvshmem_team_t parent_team, int PE_start, int PE_stride, int PE_size, const nvshmem_team_config_t *config, long config_mask, nvshmem_team_t *new_team)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_team_split_strided(
            int parent_team,
            int PE_start,
            int PE_stride,
            int PE_size,
            MemorySegment config,
            long config_mask,
            MemorySegment new_team) {
        check(
                nvshmem_team_split_strided,
                Downcalls.callInt(
                        nvshmem_team_split_strided.address(),
                        parent_team,
                        PE_start,
                        PE_stride,
                        PE_size,
                        config,
                        config_mask,
                        new_team));
    }

    /**
     * {@code int nvshmem_team_sync(nvshmem_team_t team)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_team_sync(int team) {
        check(nvshmem_team_sync, Downcalls.callInt(nvshmem_team_sync.address(), team));
    }

    /**
     * {@code int nvshmem_team_translate_pe(nvshmem_team_t src_team, int src_pe, nvshmem_team_t dest_team)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static int nvshmem_team_translate_pe(int src_team, int src_pe, int dest_team) {
        return Downcalls.callInt(nvshmem_team_translate_pe.address(), src_team, src_pe, dest_team);
    }

    /**
     * {@code int nvshmemx_alltoallmem_on_stream(nvshmem_team_t team, void *dest, const void *src, size_t nelem, cudaStream_t stream)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_alltoallmem_on_stream(int team, long dest, long src, long nelem, CUstream stream) {
        check(
                nvshmemx_alltoallmem_on_stream,
                Downcalls.callInt(nvshmemx_alltoallmem_on_stream.address(), team, dest, src, nelem, stream.address()));
    }

    /**
     * {@code void nvshmemx_barrier_all_on_stream(cudaStream_t argument0)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_barrier_all_on_stream(CUstream argument0) {
        Downcalls.callVoid(nvshmemx_barrier_all_on_stream.address(), argument0.address());
    }

    /**
     * {@code int nvshmemx_barrier_on_stream(nvshmem_team_t team, cudaStream_t stream)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_barrier_on_stream(int team, CUstream stream) {
        check(
                nvshmemx_barrier_on_stream,
                Downcalls.callInt(nvshmemx_barrier_on_stream.address(), team, stream.address()));
    }

    /**
     * {@code int nvshmemx_broadcastmem_on_stream(nvshmem_team_t team, void *dest, const void *src, size_t nelem, int PE_root, cudaStream_t stream)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_broadcastmem_on_stream(
            int team, long dest, long src, long nelem, int PE_root, CUstream stream) {
        check(
                nvshmemx_broadcastmem_on_stream,
                Downcalls.callInt(
                        nvshmemx_broadcastmem_on_stream.address(), team, dest, src, nelem, PE_root, stream.address()));
    }

    /**
     * {@code int nvshmemx_buffer_register(void *addr, size_t length)}
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmemx_buffer_register(long addr, long length) {
        check(nvshmemx_buffer_register, Downcalls.callInt(nvshmemx_buffer_register.address(), addr, length));
    }

    /**
     * {@code void *nvshmemx_buffer_register_symmetric(void *buf_ptr, size_t size, int flags)}
     *
     * <p>Before initialisation it ends the process up to 3.5, and returns {@code NULL} in newer versions.
     */
    public static long nvshmemx_buffer_register_symmetric(long buf_ptr, long size, int flags) {
        return Downcalls.callLong(nvshmemx_buffer_register_symmetric.address(), buf_ptr, size, flags);
    }

    /**
     * {@code void *nvshmemx_buffer_register_symmetric_at_preferred_address(void *buf_ptr, size_t size, void *preferred_addr, int flags)}
     *
     * <p>Before initialisation it returns {@code NULL}.
     *
     * @since NVSHMEM 3.6
     */
    public static long nvshmemx_buffer_register_symmetric_at_preferred_address(
            long buf_ptr, long size, long preferred_addr, int flags) {
        return Downcalls.callLong(
                nvshmemx_buffer_register_symmetric_at_preferred_address.address(),
                buf_ptr,
                size,
                preferred_addr,
                flags);
    }

    /**
     * {@code int nvshmemx_buffer_unregister(void *addr)}
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmemx_buffer_unregister(long addr) {
        check(nvshmemx_buffer_unregister, Downcalls.callInt(nvshmemx_buffer_unregister.address(), addr));
    }

    /**
     * {@code void nvshmemx_buffer_unregister_all()}
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmemx_buffer_unregister_all() {
        Downcalls.callVoid(nvshmemx_buffer_unregister_all.address());
    }

    /**
     * {@code int nvshmemx_buffer_unregister_symmetric(void *mmap_ptr, size_t size)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_buffer_unregister_symmetric(long mmap_ptr, long size) {
        check(
                nvshmemx_buffer_unregister_symmetric,
                Downcalls.callInt(nvshmemx_buffer_unregister_symmetric.address(), mmap_ptr, size));
    }

    /**
     * {@code int nvshmemx_collective_launch(const void *func, dim3 gridDims, dim3 blockDims, void **args, size_t sharedMem, cudaStream_t stream)}
     *
     * <p>Before initialisation it fails.
     *
     * @since NVSHMEM 3.8
     */
    public static void nvshmemx_collective_launch(
            long func,
            MemorySegment gridDims,
            MemorySegment blockDims,
            MemorySegment args,
            long sharedMem,
            CUstream stream) {
        check(
                nvshmemx_collective_launch,
                Downcalls.callIntWithDim3WithDim3(
                        nvshmemx_collective_launch.address(),
                        func,
                        gridDims,
                        blockDims,
                        args,
                        sharedMem,
                        stream.address()));
    }

    /**
     * {@code int nvshmemx_collective_launch_attr(const nvshmemx_collective_launch_attr_t *attr, const void *func, void **args)}
     *
     * <p>Before initialisation it fails.
     *
     * @since NVSHMEM 3.8
     */
    public static void nvshmemx_collective_launch_attr(MemorySegment attr, long func, MemorySegment args) {
        check(
                nvshmemx_collective_launch_attr,
                Downcalls.callInt(nvshmemx_collective_launch_attr.address(), attr, func, args));
    }

    /**
     * {@code int nvshmemx_collective_launch_query_gridsize(const void *func, dim3 blockDims, void **args, size_t sharedMem, int *gridsize)}
     *
     * <p>Before initialisation it fails.
     *
     * @since NVSHMEM 3.8
     */
    public static void nvshmemx_collective_launch_query_gridsize(
            long func, MemorySegment blockDims, MemorySegment args, long sharedMem, MemorySegment gridsize) {
        check(
                nvshmemx_collective_launch_query_gridsize,
                Downcalls.callIntWithDim3(
                        nvshmemx_collective_launch_query_gridsize.address(),
                        func,
                        blockDims,
                        args,
                        sharedMem,
                        gridsize));
    }

    /**
     * {@code int nvshmemx_culibrary_finalize(CUlibrary library)}
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmemx_culibrary_finalize(CUlibrary library) {
        check(nvshmemx_culibrary_finalize, Downcalls.callInt(nvshmemx_culibrary_finalize.address(), library.address()));
    }

    /**
     * {@code int nvshmemx_culibrary_init(CUlibrary library)}
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmemx_culibrary_init(CUlibrary library) {
        check(nvshmemx_culibrary_init, Downcalls.callInt(nvshmemx_culibrary_init.address(), library.address()));
    }

    /**
     * {@code int nvshmemx_cumodule_finalize(CUmodule module)}
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmemx_cumodule_finalize(CUmodule module) {
        check(nvshmemx_cumodule_finalize, Downcalls.callInt(nvshmemx_cumodule_finalize.address(), module.address()));
    }

    /**
     * {@code int nvshmemx_cumodule_init(CUmodule module)}
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmemx_cumodule_init(CUmodule module) {
        check(nvshmemx_cumodule_init, Downcalls.callInt(nvshmemx_cumodule_init.address(), module.address()));
    }

    /**
     * {@code int nvshmemx_fcollectmem_on_stream(nvshmem_team_t team, void *dest, const void *src, size_t nelem, cudaStream_t stream)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_fcollectmem_on_stream(int team, long dest, long src, long nelem, CUstream stream) {
        check(
                nvshmemx_fcollectmem_on_stream,
                Downcalls.callInt(nvshmemx_fcollectmem_on_stream.address(), team, dest, src, nelem, stream.address()));
    }

    /**
     * {@code void nvshmemx_flush()}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     *
     * @since NVSHMEM 3.7
     */
    public static void nvshmemx_flush() {
        Downcalls.callVoid(nvshmemx_flush.address());
    }

    /**
     * {@code void nvshmemx_flush_on_stream(cudaStream_t cstrm)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     *
     * @since NVSHMEM 3.7
     */
    public static void nvshmemx_flush_on_stream(CUstream cstrm) {
        Downcalls.callVoid(nvshmemx_flush_on_stream.address(), cstrm.address());
    }

    /**
     * {@code int nvshmemx_get_uniqueid(nvshmemx_uniqueid_t *uniqueid)}
     *
     * <p>May be called before initialisation.
     */
    public static void nvshmemx_get_uniqueid(MemorySegment uniqueid) {
        check(nvshmemx_get_uniqueid, Downcalls.callInt(nvshmemx_get_uniqueid.address(), uniqueid));
    }

    /**
     * {@code void nvshmemx_getmem_nbi_on_stream(void *dest, const void *source, size_t bytes, int pe, cudaStream_t cstrm)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_getmem_nbi_on_stream(long dest, long source, long bytes, int pe, CUstream cstrm) {
        Downcalls.callVoid(nvshmemx_getmem_nbi_on_stream.address(), dest, source, bytes, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_getmem_on_stream(void *dest, const void *source, size_t bytes, int pe, cudaStream_t cstrm)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_getmem_on_stream(long dest, long source, long bytes, int pe, CUstream cstrm) {
        Downcalls.callVoid(nvshmemx_getmem_on_stream.address(), dest, source, bytes, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_hostlib_finalize()}
     *
     * <p>Before initialisation it does nothing.
     */
    public static void nvshmemx_hostlib_finalize() {
        Downcalls.callVoid(nvshmemx_hostlib_finalize.address());
    }

    /**
     * {@code int nvshmemx_hostlib_init_attr(unsigned int flags, nvshmemx_init_attr_t *attr)}
     *
     * <p>Initialises; 3.4 returns normally even where it could not: {@link #nvshmemx_init_status} tells.
     */
    public static void nvshmemx_hostlib_init_attr(int flags, MemorySegment attr) {
        check(nvshmemx_hostlib_init_attr, Downcalls.callInt(nvshmemx_hostlib_init_attr.address(), flags, attr));
    }

    /**
     * {@code int nvshmemx_init_status()}
     *
     * <p>May be called before initialisation.
     */
    public static int nvshmemx_init_status() {
        return Downcalls.callInt(nvshmemx_init_status.address());
    }

    /**
     * {@code void *nvshmemx_mc_ptr(nvshmem_team_t team, const void *ptr)}
     *
     * <p>Before initialisation it returns {@code NULL}.
     */
    public static long nvshmemx_mc_ptr(int team, long ptr) {
        return Downcalls.callLong(nvshmemx_mc_ptr.address(), team, ptr);
    }

    /**
     * {@code void nvshmemx_putmem_nbi_on_stream(void *dest, const void *source, size_t bytes, int pe, cudaStream_t cstrm)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_putmem_nbi_on_stream(long dest, long source, long bytes, int pe, CUstream cstrm) {
        Downcalls.callVoid(nvshmemx_putmem_nbi_on_stream.address(), dest, source, bytes, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_putmem_on_stream(void *dest, const void *source, size_t bytes, int pe, cudaStream_t cstrm)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_putmem_on_stream(long dest, long source, long bytes, int pe, CUstream cstrm) {
        Downcalls.callVoid(nvshmemx_putmem_on_stream.address(), dest, source, bytes, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_putmem_signal_nbi_on_stream(void *dest, const void *source, size_t bytes, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, cudaStream_t cstrm)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_putmem_signal_nbi_on_stream(
            long dest, long source, long bytes, long sig_addr, long signal, int sig_op, int pe, CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_putmem_signal_nbi_on_stream.address(),
                dest,
                source,
                bytes,
                sig_addr,
                signal,
                sig_op,
                pe,
                cstrm.address());
    }

    /**
     * {@code void nvshmemx_putmem_signal_on_stream(void *dest, const void *source, size_t bytes, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, cudaStream_t cstrm)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_putmem_signal_on_stream(
            long dest, long source, long bytes, long sig_addr, long signal, int sig_op, int pe, CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_putmem_signal_on_stream.address(),
                dest,
                source,
                bytes,
                sig_addr,
                signal,
                sig_op,
                pe,
                cstrm.address());
    }

    /**
     * {@code int nvshmemx_qp_create(int num_qps, nvshmemx_qp_handle_t **out_qp_array)}
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     *
     * @since NVSHMEM 3.5
     */
    public static void nvshmemx_qp_create(int num_qps, MemorySegment out_qp_array) {
        check(nvshmemx_qp_create, Downcalls.callInt(nvshmemx_qp_create.address(), num_qps, out_qp_array));
    }

    /**
     * {@code void nvshmemx_quiet_on_stream(cudaStream_t cstrm)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_quiet_on_stream(CUstream cstrm) {
        Downcalls.callVoid(nvshmemx_quiet_on_stream.address(), cstrm.address());
    }

    /**
     * {@code int nvshmemx_region_is_active(uint32_t hints, int *active)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     *
     * @since NVSHMEM 3.8
     */
    public static void nvshmemx_region_is_active(int hints, MemorySegment active) {
        check(nvshmemx_region_is_active, Downcalls.callInt(nvshmemx_region_is_active.address(), hints, active));
    }

    /**
     * {@code int nvshmemx_region_start(nvshmemx_region_handle_t *handle, const nvshmemx_region_attrs_t *attrs)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     *
     * @since NVSHMEM 3.8
     */
    public static void nvshmemx_region_start(MemorySegment handle, MemorySegment attrs) {
        check(nvshmemx_region_start, Downcalls.callInt(nvshmemx_region_start.address(), handle, attrs));
    }

    /**
     * {@code int nvshmemx_region_stop(nvshmemx_region_handle_t handle)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     *
     * @since NVSHMEM 3.8
     */
    public static void nvshmemx_region_stop(long handle) {
        check(nvshmemx_region_stop, Downcalls.callInt(nvshmemx_region_stop.address(), handle));
    }

    /**
     * {@code int nvshmemx_set_attr_mpi_comm_args(void *mpi_comm, nvshmemx_init_attr_t *nvshmem_attr)}
     *
     * <p>May be called before initialisation.
     */
    public static void nvshmemx_set_attr_mpi_comm_args(long mpi_comm, MemorySegment nvshmem_attr) {
        check(
                nvshmemx_set_attr_mpi_comm_args,
                Downcalls.callInt(nvshmemx_set_attr_mpi_comm_args.address(), mpi_comm, nvshmem_attr));
    }

    /**
     * {@code int nvshmemx_set_attr_uniqueid_args(const int myrank, const int nranks, const nvshmemx_uniqueid_t *uniqueid, nvshmemx_init_attr_t *attr)}
     *
     * <p>May be called before initialisation.
     */
    public static void nvshmemx_set_attr_uniqueid_args(
            int myrank, int nranks, MemorySegment uniqueid, MemorySegment attr) {
        check(
                nvshmemx_set_attr_uniqueid_args,
                Downcalls.callInt(nvshmemx_set_attr_uniqueid_args.address(), myrank, nranks, uniqueid, attr));
    }

    /**
     * {@code void nvshmemx_signal_counted_reset(uint64_t *signal_addr)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     *
     * @since NVSHMEM 3.8
     */
    public static void nvshmemx_signal_counted_reset(long signal_addr) {
        Downcalls.callVoid(nvshmemx_signal_counted_reset.address(), signal_addr);
    }

    /**
     * {@code void nvshmemx_signal_op_on_stream(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, cudaStream_t cstrm)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_signal_op_on_stream(long sig_addr, long signal, int sig_op, int pe, CUstream cstrm) {
        Downcalls.callVoid(nvshmemx_signal_op_on_stream.address(), sig_addr, signal, sig_op, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_signal_wait_until_on_stream(uint64_t *sig_addr, int cmp, uint64_t cmp_value, cudaStream_t cstream)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_signal_wait_until_on_stream(long sig_addr, int cmp, long cmp_value, CUstream cstream) {
        Downcalls.callVoid(nvshmemx_signal_wait_until_on_stream.address(), sig_addr, cmp, cmp_value, cstream.address());
    }

    /**
     * {@code void nvshmemx_sync_all_on_stream(cudaStream_t argument0)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_sync_all_on_stream(CUstream argument0) {
        Downcalls.callVoid(nvshmemx_sync_all_on_stream.address(), argument0.address());
    }

    /**
     * {@code int nvshmemx_team_get_uniqueid(nvshmemx_team_uniqueid_t *uniqueid)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_team_get_uniqueid(MemorySegment uniqueid) {
        check(nvshmemx_team_get_uniqueid, Downcalls.callInt(nvshmemx_team_get_uniqueid.address(), uniqueid));
    }

    /**
     * {@code int nvshmemx_team_init(nvshmem_team_t *team, nvshmem_team_config_t *config, long config_mask, int npes, int pe_idx_in_team)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_team_init(
            MemorySegment team, MemorySegment config, long config_mask, int npes, int pe_idx_in_team) {
        check(
                nvshmemx_team_init,
                Downcalls.callInt(nvshmemx_team_init.address(), team, config, config_mask, npes, pe_idx_in_team));
    }

    /**
     * {@code int nvshmemx_team_sync_on_stream(nvshmem_team_t team, cudaStream_t stream)}
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_team_sync_on_stream(int team, CUstream stream) {
        check(
                nvshmemx_team_sync_on_stream,
                Downcalls.callInt(nvshmemx_team_sync_on_stream.address(), team, stream.address()));
    }

    /**
     * {@code void nvshmemx_vendor_get_version_info(int *major, int *minor, int *patch)}
     *
     * <p>May be called before initialisation.
     */
    public static void nvshmemx_vendor_get_version_info(MemorySegment major, MemorySegment minor, MemorySegment patch) {
        Downcalls.callVoid(nvshmemx_vendor_get_version_info.address(), major, minor, patch);
    }

    /**
     * {@code int nvshmem_<T>_alltoall(nvshmem_team_t team, T *dest, const T *src, size_t nelems)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_alltoall(NvshmemType type, int team, long dest, long src, long nelems) {
        NativeFunction function = nvshmem_T_alltoall.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nelems));
    }

    /**
     * {@code int nvshmem_<T>_and_reduce(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_and_reduce(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_and_reduce.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code int nvshmem_<T>_and_reducescatter(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_and_reducescatter(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_and_reducescatter.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code void nvshmem_<T>_atomic_add(T *dest, T value, int pe)}; T: int, long, longlong, uint, ulong, ulonglong, int32, int64, uint32, uint64, size, ptrdiff
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmem_atomic_add(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmem_T_atomic_add.function(type).address();
        switch (type.carrier()) {
            case INT -> Downcalls.callVoid(function, dest, (int) value, pe);
            case LONG -> Downcalls.callVoid(function, dest, value, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_add of " + type);
        }
    }

    /**
     * {@code void nvshmem_<T>_atomic_and(T *dest, T value, int pe)}; T: uint, ulong, ulonglong, int32, int64, uint32, uint64
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmem_atomic_and(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmem_T_atomic_and.function(type).address();
        switch (type.carrier()) {
            case INT -> Downcalls.callVoid(function, dest, (int) value, pe);
            case LONG -> Downcalls.callVoid(function, dest, value, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_and of " + type);
        }
    }

    /**
     * {@code T nvshmem_<T>_atomic_compare_swap(T *dest, T cond, T value, int pe)}; T: int, long, longlong, uint, ulong, ulonglong, int32, int64, uint32, uint64, size, ptrdiff
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static long nvshmem_atomic_compare_swap(NvshmemType type, long dest, long cond, long value, int pe) {
        MemorySegment function = nvshmem_T_atomic_compare_swap.function(type).address();
        return switch (type.carrier()) {
            case INT -> Downcalls.callInt(function, dest, (int) cond, (int) value, pe);
            case LONG -> Downcalls.callLong(function, dest, cond, value, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_compare_swap of " + type);
        };
    }

    /**
     * {@code T nvshmem_<T>_atomic_fetch(const T *dest, int pe)}; T: float, double, int, long, longlong, uint, ulong, ulonglong, int32, int64, uint32, uint64, size, ptrdiff
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static long nvshmem_atomic_fetch(NvshmemType type, long dest, int pe) {
        MemorySegment function = nvshmem_T_atomic_fetch.function(type).address();
        return switch (type.carrier()) {
            case DOUBLE -> Double.doubleToRawLongBits(Downcalls.callDouble(function, dest, pe));
            case FLOAT -> Float.floatToRawIntBits(Downcalls.callFloat(function, dest, pe));
            case INT -> Downcalls.callInt(function, dest, pe);
            case LONG -> Downcalls.callLong(function, dest, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_fetch of " + type);
        };
    }

    /**
     * {@code T nvshmem_<T>_atomic_fetch_add(T *dest, T value, int pe)}; T: int, long, longlong, uint, ulong, ulonglong, int32, int64, uint32, uint64, size, ptrdiff
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static long nvshmem_atomic_fetch_add(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmem_T_atomic_fetch_add.function(type).address();
        return switch (type.carrier()) {
            case INT -> Downcalls.callInt(function, dest, (int) value, pe);
            case LONG -> Downcalls.callLong(function, dest, value, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_fetch_add of " + type);
        };
    }

    /**
     * {@code T nvshmem_<T>_atomic_fetch_and(T *dest, T value, int pe)}; T: uint, ulong, ulonglong, int32, int64, uint32, uint64
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static long nvshmem_atomic_fetch_and(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmem_T_atomic_fetch_and.function(type).address();
        return switch (type.carrier()) {
            case INT -> Downcalls.callInt(function, dest, (int) value, pe);
            case LONG -> Downcalls.callLong(function, dest, value, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_fetch_and of " + type);
        };
    }

    /**
     * {@code T nvshmem_<T>_atomic_fetch_inc(T *dest, int pe)}; T: int, long, longlong, uint, ulong, ulonglong, int32, int64, uint32, uint64, size, ptrdiff
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static long nvshmem_atomic_fetch_inc(NvshmemType type, long dest, int pe) {
        MemorySegment function = nvshmem_T_atomic_fetch_inc.function(type).address();
        return switch (type.carrier()) {
            case INT -> Downcalls.callInt(function, dest, pe);
            case LONG -> Downcalls.callLong(function, dest, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_fetch_inc of " + type);
        };
    }

    /**
     * {@code T nvshmem_<T>_atomic_fetch_or(T *dest, T value, int pe)}; T: uint, ulong, ulonglong, int32, int64, uint32, uint64
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static long nvshmem_atomic_fetch_or(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmem_T_atomic_fetch_or.function(type).address();
        return switch (type.carrier()) {
            case INT -> Downcalls.callInt(function, dest, (int) value, pe);
            case LONG -> Downcalls.callLong(function, dest, value, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_fetch_or of " + type);
        };
    }

    /**
     * {@code T nvshmem_<T>_atomic_fetch_xor(T *dest, T value, int pe)}; T: uint, ulong, ulonglong, int32, int64, uint32, uint64
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static long nvshmem_atomic_fetch_xor(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmem_T_atomic_fetch_xor.function(type).address();
        return switch (type.carrier()) {
            case INT -> Downcalls.callInt(function, dest, (int) value, pe);
            case LONG -> Downcalls.callLong(function, dest, value, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_fetch_xor of " + type);
        };
    }

    /**
     * {@code void nvshmem_<T>_atomic_inc(T *dest, int pe)}; T: int, long, longlong, uint, ulong, ulonglong, int32, int64, uint32, uint64, size, ptrdiff
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmem_atomic_inc(NvshmemType type, long dest, int pe) {
        Downcalls.callVoid(nvshmem_T_atomic_inc.function(type).address(), dest, pe);
    }

    /**
     * {@code void nvshmem_<T>_atomic_or(T *dest, T value, int pe)}; T: uint, ulong, ulonglong, int32, int64, uint32, uint64
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmem_atomic_or(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmem_T_atomic_or.function(type).address();
        switch (type.carrier()) {
            case INT -> Downcalls.callVoid(function, dest, (int) value, pe);
            case LONG -> Downcalls.callVoid(function, dest, value, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_or of " + type);
        }
    }

    /**
     * {@code void nvshmem_<T>_atomic_set(T *dest, T value, int pe)}; T: float, double, int, long, longlong, uint, ulong, ulonglong, int32, int64, uint32, uint64, size, ptrdiff
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmem_atomic_set(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmem_T_atomic_set.function(type).address();
        switch (type.carrier()) {
            case DOUBLE -> Downcalls.callVoid(function, dest, Double.longBitsToDouble(value), pe);
            case FLOAT -> Downcalls.callVoid(function, dest, Float.intBitsToFloat((int) value), pe);
            case INT -> Downcalls.callVoid(function, dest, (int) value, pe);
            case LONG -> Downcalls.callVoid(function, dest, value, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_set of " + type);
        }
    }

    /**
     * {@code T nvshmem_<T>_atomic_swap(T *dest, T value, int pe)}; T: float, double, int, long, longlong, uint, ulong, ulonglong, int32, int64, uint32, uint64, size, ptrdiff
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static long nvshmem_atomic_swap(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmem_T_atomic_swap.function(type).address();
        return switch (type.carrier()) {
            case DOUBLE ->
                Double.doubleToRawLongBits(Downcalls.callDouble(function, dest, Double.longBitsToDouble(value), pe));
            case FLOAT ->
                Float.floatToRawIntBits(Downcalls.callFloat(function, dest, Float.intBitsToFloat((int) value), pe));
            case INT -> Downcalls.callInt(function, dest, (int) value, pe);
            case LONG -> Downcalls.callLong(function, dest, value, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_swap of " + type);
        };
    }

    /**
     * {@code void nvshmem_<T>_atomic_xor(T *dest, T value, int pe)}; T: uint, ulong, ulonglong, int32, int64, uint32, uint64
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     */
    public static void nvshmem_atomic_xor(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmem_T_atomic_xor.function(type).address();
        switch (type.carrier()) {
            case INT -> Downcalls.callVoid(function, dest, (int) value, pe);
            case LONG -> Downcalls.callVoid(function, dest, value, pe);
            default -> throw new IllegalArgumentException("nvshmem_<T>_atomic_xor of " + type);
        }
    }

    /**
     * {@code int nvshmem_<T>_broadcast(nvshmem_team_t team, T *dest, const T *src, size_t nelem, int PE_root)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_broadcast(NvshmemType type, int team, long dest, long src, long nelem, int PE_root) {
        NativeFunction function = nvshmem_T_broadcast.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nelem, PE_root));
    }

    /**
     * {@code int nvshmem_<T>_fcollect(nvshmem_team_t team, T *dest, const T *src, size_t nelem)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_fcollect(NvshmemType type, int team, long dest, long src, long nelem) {
        NativeFunction function = nvshmem_T_fcollect.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nelem));
    }

    /**
     * {@code T nvshmem_<T>_g(const T *src, int pe)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static long nvshmem_g(NvshmemType type, long src, int pe) {
        MemorySegment function = nvshmem_T_g.function(type).address();
        return switch (type.carrier()) {
            case BYTE -> Downcalls.callByte(function, src, pe);
            case DOUBLE -> Double.doubleToRawLongBits(Downcalls.callDouble(function, src, pe));
            case FLOAT -> Float.floatToRawIntBits(Downcalls.callFloat(function, src, pe));
            case INT -> Downcalls.callInt(function, src, pe);
            case LONG -> Downcalls.callLong(function, src, pe);
            case SHORT -> Downcalls.callShort(function, src, pe);
        };
    }

    /**
     * {@code void nvshmem_<T>_get(T *dest, const T *source, size_t nelems, int pe)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_get(NvshmemType type, long dest, long source, long nelems, int pe) {
        Downcalls.callVoid(nvshmem_T_get.function(type).address(), dest, source, nelems, pe);
    }

    /**
     * {@code void nvshmem_<T>_get_nbi(T *dest, const T *source, size_t nelems, int pe)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_get_nbi(NvshmemType type, long dest, long source, long nelems, int pe) {
        Downcalls.callVoid(nvshmem_T_get_nbi.function(type).address(), dest, source, nelems, pe);
    }

    /**
     * {@code void nvshmem_<T>_iget(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_iget(NvshmemType type, long dest, long source, long dst, long sst, long nelems, int pe) {
        Downcalls.callVoid(nvshmem_T_iget.function(type).address(), dest, source, dst, sst, nelems, pe);
    }

    /**
     * {@code void nvshmem_<T>_iput(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_iput(NvshmemType type, long dest, long source, long dst, long sst, long nelems, int pe) {
        Downcalls.callVoid(nvshmem_T_iput.function(type).address(), dest, source, dst, sst, nelems, pe);
    }

    /**
     * {@code int nvshmem_<T>_max_reduce(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_max_reduce(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_max_reduce.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code int nvshmem_<T>_max_reducescatter(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_max_reducescatter(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_max_reducescatter.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code int nvshmem_<T>_min_reduce(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_min_reduce(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_min_reduce.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code int nvshmem_<T>_min_reducescatter(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_min_reducescatter(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_min_reducescatter.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code int nvshmem_<T>_or_reduce(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_or_reduce(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_or_reduce.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code int nvshmem_<T>_or_reducescatter(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_or_reducescatter(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_or_reducescatter.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code void nvshmem_<T>_p(T *dest, T value, int pe)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_p(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmem_T_p.function(type).address();
        switch (type.carrier()) {
            case BYTE -> Downcalls.callVoid(function, dest, (byte) value, pe);
            case DOUBLE -> Downcalls.callVoid(function, dest, Double.longBitsToDouble(value), pe);
            case FLOAT -> Downcalls.callVoid(function, dest, Float.intBitsToFloat((int) value), pe);
            case INT -> Downcalls.callVoid(function, dest, (int) value, pe);
            case LONG -> Downcalls.callVoid(function, dest, value, pe);
            case SHORT -> Downcalls.callVoid(function, dest, (short) value, pe);
        }
    }

    /**
     * {@code int nvshmem_<T>_prod_reduce(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_prod_reduce(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_prod_reduce.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code int nvshmem_<T>_prod_reducescatter(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_prod_reducescatter(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_prod_reducescatter.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code void nvshmem_<T>_put(T *dest, const T *source, size_t nelems, int pe)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_put(NvshmemType type, long dest, long source, long nelems, int pe) {
        Downcalls.callVoid(nvshmem_T_put.function(type).address(), dest, source, nelems, pe);
    }

    /**
     * {@code void nvshmem_<T>_put_nbi(T *dest, const T *source, size_t nelems, int pe)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_put_nbi(NvshmemType type, long dest, long source, long nelems, int pe) {
        Downcalls.callVoid(nvshmem_T_put_nbi.function(type).address(), dest, source, nelems, pe);
    }

    /**
     * {@code int nvshmem_<T>_sum_reduce(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_sum_reduce(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_sum_reduce.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code int nvshmem_<T>_sum_reducescatter(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_sum_reducescatter(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_sum_reducescatter.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code int nvshmem_<T>_xor_reduce(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_xor_reduce(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_xor_reduce.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code int nvshmem_<T>_xor_reducescatter(nvshmem_team_t team, T *dest, const T *src, size_t nreduce)}; T: uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_xor_reducescatter(NvshmemType type, int team, long dest, long src, long nreduce) {
        NativeFunction function = nvshmem_T_xor_reducescatter.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce));
    }

    /**
     * {@code void nvshmem_get<N>(void *dest, const void *source, size_t nelems, int pe)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_get(NvshmemBits bits, long dest, long source, long nelems, int pe) {
        Downcalls.callVoid(nvshmem_getN.function(bits).address(), dest, source, nelems, pe);
    }

    /**
     * {@code void nvshmem_get<N>_nbi(void *dest, const void *source, size_t nelems, int pe)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_get_nbi(NvshmemBits bits, long dest, long source, long nelems, int pe) {
        Downcalls.callVoid(nvshmem_getN_nbi.function(bits).address(), dest, source, nelems, pe);
    }

    /**
     * {@code void nvshmem_iget<N>(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_iget(NvshmemBits bits, long dest, long source, long dst, long sst, long nelems, int pe) {
        Downcalls.callVoid(nvshmem_igetN.function(bits).address(), dest, source, dst, sst, nelems, pe);
    }

    /**
     * {@code void nvshmem_iput<N>(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_iput(NvshmemBits bits, long dest, long source, long dst, long sst, long nelems, int pe) {
        Downcalls.callVoid(nvshmem_iputN.function(bits).address(), dest, source, dst, sst, nelems, pe);
    }

    /**
     * {@code void nvshmem_put<N>(void *dest, const void *source, size_t nelems, int pe)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_put(NvshmemBits bits, long dest, long source, long nelems, int pe) {
        Downcalls.callVoid(nvshmem_putN.function(bits).address(), dest, source, nelems, pe);
    }

    /**
     * {@code void nvshmem_put<N>_nbi(void *dest, const void *source, size_t nelems, int pe)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmem_put_nbi(NvshmemBits bits, long dest, long source, long nelems, int pe) {
        Downcalls.callVoid(nvshmem_putN_nbi.function(bits).address(), dest, source, nelems, pe);
    }

    /**
     * {@code int nvshmemx_<T>_alltoall_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nelem, cudaStream_t stream)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_alltoall_on_stream(
            NvshmemType type, int team, long dest, long src, long nelem, CUstream stream) {
        NativeFunction function = nvshmemx_T_alltoall_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nelem, stream.address()));
    }

    /**
     * {@code int nvshmemx_<T>_and_reduce_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_and_reduce_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_and_reduce_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code int nvshmemx_<T>_and_reducescatter_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_and_reducescatter_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_and_reducescatter_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code void nvshmemx_<T>_atomic_add(T *dest, T value, int pe)}; T: half, float, double
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     *
     * @since NVSHMEM 3.7
     */
    public static void nvshmemx_atomic_add(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmemx_T_atomic_add.function(type).address();
        switch (type.carrier()) {
            case DOUBLE -> Downcalls.callVoid(function, dest, Double.longBitsToDouble(value), pe);
            case FLOAT -> Downcalls.callVoid(function, dest, Float.intBitsToFloat((int) value), pe);
            case SHORT -> Downcalls.callVoid(function, dest, (short) value, pe);
            default -> throw new IllegalArgumentException("nvshmemx_<T>_atomic_add of " + type);
        }
    }

    /**
     * {@code T nvshmemx_<T>_atomic_fetch_add(T *dest, T value, int pe)}; T: half, float, double
     *
     * <p>Before initialisation it crashes the process (SIGSEGV).
     *
     * @since NVSHMEM 3.7
     */
    public static long nvshmemx_atomic_fetch_add(NvshmemType type, long dest, long value, int pe) {
        MemorySegment function = nvshmemx_T_atomic_fetch_add.function(type).address();
        return switch (type.carrier()) {
            case DOUBLE ->
                Double.doubleToRawLongBits(Downcalls.callDouble(function, dest, Double.longBitsToDouble(value), pe));
            case FLOAT ->
                Float.floatToRawIntBits(Downcalls.callFloat(function, dest, Float.intBitsToFloat((int) value), pe));
            case SHORT -> Downcalls.callShort(function, dest, (short) value, pe);
            default -> throw new IllegalArgumentException("nvshmemx_<T>_atomic_fetch_add of " + type);
        };
    }

    /**
     * {@code int nvshmemx_<T>_broadcast_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nelem, int PE_root, cudaStream_t stream)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_broadcast_on_stream(
            NvshmemType type, int team, long dest, long src, long nelem, int PE_root, CUstream stream) {
        NativeFunction function = nvshmemx_T_broadcast_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nelem, PE_root, stream.address()));
    }

    /**
     * {@code int nvshmemx_<T>_fcollect_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nelem, cudaStream_t stream)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_fcollect_on_stream(
            NvshmemType type, int team, long dest, long src, long nelem, CUstream stream) {
        NativeFunction function = nvshmemx_T_fcollect_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nelem, stream.address()));
    }

    /**
     * {@code T nvshmemx_<T>_g_on_stream(const T *src, int pe, cudaStream_t cstrm)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static long nvshmemx_g_on_stream(NvshmemType type, long src, int pe, CUstream cstrm) {
        MemorySegment function = nvshmemx_T_g_on_stream.function(type).address();
        return switch (type.carrier()) {
            case BYTE -> Downcalls.callByte(function, src, pe, cstrm.address());
            case DOUBLE -> Double.doubleToRawLongBits(Downcalls.callDouble(function, src, pe, cstrm.address()));
            case FLOAT -> Float.floatToRawIntBits(Downcalls.callFloat(function, src, pe, cstrm.address()));
            case INT -> Downcalls.callInt(function, src, pe, cstrm.address());
            case LONG -> Downcalls.callLong(function, src, pe, cstrm.address());
            case SHORT -> Downcalls.callShort(function, src, pe, cstrm.address());
        };
    }

    /**
     * {@code void nvshmemx_<T>_get_nbi_on_stream(T *dest, const T *source, size_t nelems, int pe, cudaStream_t cstrm)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_get_nbi_on_stream(
            NvshmemType type, long dest, long source, long nelems, int pe, CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_T_get_nbi_on_stream.function(type).address(), dest, source, nelems, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_<T>_get_on_stream(T *dest, const T *source, size_t nelems, int pe, cudaStream_t cstrm)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_get_on_stream(
            NvshmemType type, long dest, long source, long nelems, int pe, CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_T_get_on_stream.function(type).address(), dest, source, nelems, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_<T>_iget_on_stream(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, cudaStream_t cstrm)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_iget_on_stream(
            NvshmemType type, long dest, long source, long dst, long sst, long nelems, int pe, CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_T_iget_on_stream.function(type).address(),
                dest,
                source,
                dst,
                sst,
                nelems,
                pe,
                cstrm.address());
    }

    /**
     * {@code void nvshmemx_<T>_iput_on_stream(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, cudaStream_t cstrm)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_iput_on_stream(
            NvshmemType type, long dest, long source, long dst, long sst, long nelems, int pe, CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_T_iput_on_stream.function(type).address(),
                dest,
                source,
                dst,
                sst,
                nelems,
                pe,
                cstrm.address());
    }

    /**
     * {@code int nvshmemx_<T>_max_reduce_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_max_reduce_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_max_reduce_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code int nvshmemx_<T>_max_reducescatter_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_max_reducescatter_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_max_reducescatter_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code int nvshmemx_<T>_min_reduce_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_min_reduce_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_min_reduce_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code int nvshmemx_<T>_min_reducescatter_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_min_reducescatter_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_min_reducescatter_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code int nvshmemx_<T>_or_reduce_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_or_reduce_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_or_reduce_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code int nvshmemx_<T>_or_reducescatter_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_or_reducescatter_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_or_reducescatter_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code void nvshmemx_<T>_p_on_stream(T *dest, T value, int pe, cudaStream_t cstrm)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_p_on_stream(NvshmemType type, long dest, long value, int pe, CUstream cstrm) {
        MemorySegment function = nvshmemx_T_p_on_stream.function(type).address();
        switch (type.carrier()) {
            case BYTE -> Downcalls.callVoid(function, dest, (byte) value, pe, cstrm.address());
            case DOUBLE -> Downcalls.callVoid(function, dest, Double.longBitsToDouble(value), pe, cstrm.address());
            case FLOAT -> Downcalls.callVoid(function, dest, Float.intBitsToFloat((int) value), pe, cstrm.address());
            case INT -> Downcalls.callVoid(function, dest, (int) value, pe, cstrm.address());
            case LONG -> Downcalls.callVoid(function, dest, value, pe, cstrm.address());
            case SHORT -> Downcalls.callVoid(function, dest, (short) value, pe, cstrm.address());
        }
    }

    /**
     * {@code int nvshmemx_<T>_prod_reduce_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_prod_reduce_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_prod_reduce_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code int nvshmemx_<T>_prod_reducescatter_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_prod_reducescatter_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_prod_reducescatter_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code void nvshmemx_<T>_put_nbi_on_stream(T *dest, const T *source, size_t nelems, int pe, cudaStream_t cstrm)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_put_nbi_on_stream(
            NvshmemType type, long dest, long source, long nelems, int pe, CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_T_put_nbi_on_stream.function(type).address(), dest, source, nelems, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_<T>_put_on_stream(T *dest, const T *source, size_t nelems, int pe, cudaStream_t cstrm)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_put_on_stream(
            NvshmemType type, long dest, long source, long nelems, int pe, CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_T_put_on_stream.function(type).address(), dest, source, nelems, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_<T>_put_signal_nbi_on_stream(T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, cudaStream_t cstrm)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_put_signal_nbi_on_stream(
            NvshmemType type,
            long dest,
            long source,
            long nelems,
            long sig_addr,
            long signal,
            int sig_op,
            int pe,
            CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_T_put_signal_nbi_on_stream.function(type).address(),
                dest,
                source,
                nelems,
                sig_addr,
                signal,
                sig_op,
                pe,
                cstrm.address());
    }

    /**
     * {@code void nvshmemx_<T>_put_signal_on_stream(T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, cudaStream_t cstrm)}; T: all types
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_put_signal_on_stream(
            NvshmemType type,
            long dest,
            long source,
            long nelems,
            long sig_addr,
            long signal,
            int sig_op,
            int pe,
            CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_T_put_signal_on_stream.function(type).address(),
                dest,
                source,
                nelems,
                sig_addr,
                signal,
                sig_op,
                pe,
                cstrm.address());
    }

    /**
     * {@code int nvshmemx_<T>_sum_reduce_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_sum_reduce_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_sum_reduce_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code int nvshmemx_<T>_sum_reducescatter_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: bfloat16, half, float, double, char, schar, short, int, long, longlong, uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_sum_reducescatter_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_sum_reducescatter_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code void nvshmemx_<T>_wait_until_all_on_stream(T *ivars, size_t nelems, const int *status, int cmp, T cmp_value, cudaStream_t cstream)}; T: short, int, long, longlong, ushort, uint, ulong, ulonglong, int32, int64, uint32, uint64, size, ptrdiff
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_wait_until_all_on_stream(
            NvshmemType type, long ivars, long nelems, long status, int cmp, long cmp_value, CUstream cstream) {
        MemorySegment function =
                nvshmemx_T_wait_until_all_on_stream.function(type).address();
        switch (type.carrier()) {
            case INT -> Downcalls.callVoid(function, ivars, nelems, status, cmp, (int) cmp_value, cstream.address());
            case LONG -> Downcalls.callVoid(function, ivars, nelems, status, cmp, cmp_value, cstream.address());
            case SHORT ->
                Downcalls.callVoid(function, ivars, nelems, status, cmp, (short) cmp_value, cstream.address());
            default -> throw new IllegalArgumentException("nvshmemx_<T>_wait_until_all_on_stream of " + type);
        }
    }

    /**
     * {@code void nvshmemx_<T>_wait_until_all_vector_on_stream(T *ivars, size_t nelems, const int *status, int cmp, T *cmp_value, cudaStream_t cstream)}; T: short, int, long, longlong, ushort, uint, ulong, ulonglong, int32, int64, uint32, uint64, size, ptrdiff
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_wait_until_all_vector_on_stream(
            NvshmemType type, long ivars, long nelems, long status, int cmp, long cmp_value, CUstream cstream) {
        Downcalls.callVoid(
                nvshmemx_T_wait_until_all_vector_on_stream.function(type).address(),
                ivars,
                nelems,
                status,
                cmp,
                cmp_value,
                cstream.address());
    }

    /**
     * {@code void nvshmemx_<T>_wait_until_on_stream(T *ivar, int cmp, T cmp_value, cudaStream_t cstream)}; T: short, int, long, longlong, ushort, uint, ulong, ulonglong, int32, int64, uint32, uint64, size, ptrdiff
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_wait_until_on_stream(
            NvshmemType type, long ivar, int cmp, long cmp_value, CUstream cstream) {
        MemorySegment function = nvshmemx_T_wait_until_on_stream.function(type).address();
        switch (type.carrier()) {
            case INT -> Downcalls.callVoid(function, ivar, cmp, (int) cmp_value, cstream.address());
            case LONG -> Downcalls.callVoid(function, ivar, cmp, cmp_value, cstream.address());
            case SHORT -> Downcalls.callVoid(function, ivar, cmp, (short) cmp_value, cstream.address());
            default -> throw new IllegalArgumentException("nvshmemx_<T>_wait_until_on_stream of " + type);
        }
    }

    /**
     * {@code int nvshmemx_<T>_xor_reduce_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_xor_reduce_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_xor_reduce_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code int nvshmemx_<T>_xor_reducescatter_on_stream(nvshmem_team_t team, T *dest, const T *src, size_t nreduce, cudaStream_t stream)}; T: uchar, ushort, uint, ulong, ulonglong, int8, int16, int32, int64, uint8, uint16, uint32, uint64, size
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_xor_reducescatter_on_stream(
            NvshmemType type, int team, long dest, long src, long nreduce, CUstream stream) {
        NativeFunction function = nvshmemx_T_xor_reducescatter_on_stream.function(type);
        check(function, Downcalls.callInt(function.address(), team, dest, src, nreduce, stream.address()));
    }

    /**
     * {@code void nvshmemx_get<N>_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, cudaStream_t cstrm)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_get_nbi_on_stream(
            NvshmemBits bits, long dest, long source, long nelems, int pe, CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_getN_nbi_on_stream.function(bits).address(), dest, source, nelems, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_get<N>_on_stream(void *dest, const void *source, size_t nelems, int pe, cudaStream_t cstrm)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_get_on_stream(
            NvshmemBits bits, long dest, long source, long nelems, int pe, CUstream cstrm) {
        Downcalls.callVoid(nvshmemx_getN_on_stream.function(bits).address(), dest, source, nelems, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_iget<N>_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, cudaStream_t cstrm)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_iget_on_stream(
            NvshmemBits bits, long dest, long source, long dst, long sst, long nelems, int pe, CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_igetN_on_stream.function(bits).address(), dest, source, dst, sst, nelems, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_iput<N>_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, cudaStream_t cstrm)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_iput_on_stream(
            NvshmemBits bits, long dest, long source, long dst, long sst, long nelems, int pe, CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_iputN_on_stream.function(bits).address(), dest, source, dst, sst, nelems, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_put<N>_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, cudaStream_t cstrm)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_put_nbi_on_stream(
            NvshmemBits bits, long dest, long source, long nelems, int pe, CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_putN_nbi_on_stream.function(bits).address(), dest, source, nelems, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_put<N>_on_stream(void *dest, const void *source, size_t nelems, int pe, cudaStream_t cstrm)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_put_on_stream(
            NvshmemBits bits, long dest, long source, long nelems, int pe, CUstream cstrm) {
        Downcalls.callVoid(nvshmemx_putN_on_stream.function(bits).address(), dest, source, nelems, pe, cstrm.address());
    }

    /**
     * {@code void nvshmemx_put<N>_signal_nbi_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, cudaStream_t cstrm)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_put_signal_nbi_on_stream(
            NvshmemBits bits,
            long dest,
            long source,
            long nelems,
            long sig_addr,
            long signal,
            int sig_op,
            int pe,
            CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_putN_signal_nbi_on_stream.function(bits).address(),
                dest,
                source,
                nelems,
                sig_addr,
                signal,
                sig_op,
                pe,
                cstrm.address());
    }

    /**
     * {@code void nvshmemx_put<N>_signal_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, cudaStream_t cstrm)}; N: all sizes
     *
     * <p>Before initialisation it ends the process (exit code 255).
     */
    public static void nvshmemx_put_signal_on_stream(
            NvshmemBits bits,
            long dest,
            long source,
            long nelems,
            long sig_addr,
            long signal,
            int sig_op,
            int pe,
            CUstream cstrm) {
        Downcalls.callVoid(
                nvshmemx_putN_signal_on_stream.function(bits).address(),
                dest,
                source,
                nelems,
                sig_addr,
                signal,
                sig_op,
                pe,
                cstrm.address());
    }

    private static void check(NativeFunction function, int status) {
        if (status != NVSHMEMX_SUCCESS) {
            throw failure(function, status);
        }
    }

    private static NativeCallException failure(NativeFunction function, int status) {
        return new NativeCallException(LIBRARY, function.name(), status, statusName(status), words(status));
    }

    /** The library has no texts for statuses: what went wrong it writes to the standard error. */
    @SuppressWarnings("UnusedVariable") // the same for all libraries
    private static String words(int status) {
        return "NVSHMEM writes the reason to the standard error";
    }

    /** The C name of a status, or a text with its number if it is newer than this class. */
    public static String statusName(int status) {
        return switch (status) {
            case NVSHMEMX_SUCCESS -> "NVSHMEMX_SUCCESS";
            case NVSHMEMX_ERROR_INVALID_VALUE -> "NVSHMEMX_ERROR_INVALID_VALUE";
            case NVSHMEMX_ERROR_OUT_OF_MEMORY -> "NVSHMEMX_ERROR_OUT_OF_MEMORY";
            case NVSHMEMX_ERROR_NOT_SUPPORTED -> "NVSHMEMX_ERROR_NOT_SUPPORTED";
            case NVSHMEMX_ERROR_SYMMETRY -> "NVSHMEMX_ERROR_SYMMETRY";
            case NVSHMEMX_ERROR_GPU_NOT_SELECTED -> "NVSHMEMX_ERROR_GPU_NOT_SELECTED";
            case NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED -> "NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED";
            case NVSHMEMX_ERROR_INTERNAL -> "NVSHMEMX_ERROR_INTERNAL";
            case NVSHMEMX_ERROR_SENTINEL -> "NVSHMEMX_ERROR_SENTINEL";

            default -> "status " + status;
        };
    }
}
