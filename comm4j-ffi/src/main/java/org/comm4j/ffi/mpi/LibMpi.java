// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.mpi;

import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeFunction;
import org.comm4j.ffi.NativeLibrary;

/**
 * The C interface of MPI, function by function under the C names; generated, see the package. Every
 * function throws {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library,
 * {@link UnsupportedOperationException} if the loaded one lacks the function.
 *
 * <p>Pointers to data of host or device are addresses, passed as numbers; pointers to what Java fills or reads are memory
 * segments, {@link MemorySegment#NULL} for C's {@code NULL}.
 */
@SuppressWarnings("MemberName") // names are C's
public final class LibMpi {
    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.MPI);

    private static final NativeFunction MPI_Init_thread = LIBRARY.function("MPI_Init_thread");
    private static final NativeFunction MPI_Initialized = LIBRARY.function("MPI_Initialized");
    private static final NativeFunction MPI_Finalized = LIBRARY.function("MPI_Finalized");
    private static final NativeFunction MPI_Query_thread = LIBRARY.function("MPI_Query_thread");
    private static final NativeFunction MPI_Finalize = LIBRARY.function("MPI_Finalize");
    private static final NativeFunction MPI_Get_version = LIBRARY.function("MPI_Get_version");
    private static final NativeFunction MPI_Get_library_version = LIBRARY.function("MPI_Get_library_version");
    private static final NativeFunction MPI_Abi_get_version = LIBRARY.function("MPI_Abi_get_version");
    private static final NativeFunction MPI_Error_class = LIBRARY.function("MPI_Error_class");
    private static final NativeFunction MPI_Error_string = LIBRARY.function("MPI_Error_string");
    private static final NativeFunction MPI_Comm_set_errhandler = LIBRARY.function("MPI_Comm_set_errhandler");
    private static final NativeFunction MPI_Comm_rank = LIBRARY.function("MPI_Comm_rank");
    private static final NativeFunction MPI_Comm_size = LIBRARY.function("MPI_Comm_size");
    private static final NativeFunction MPI_Comm_split = LIBRARY.function("MPI_Comm_split");
    private static final NativeFunction MPI_Comm_free = LIBRARY.function("MPI_Comm_free");
    private static final NativeFunction MPI_Reduce_local = LIBRARY.function("MPI_Reduce_local");
    private static final NativeFunction MPI_Test = LIBRARY.function("MPI_Test");
    private static final NativeFunction MPI_Get_count = LIBRARY.function("MPI_Get_count");
    private static final NativeFunction MPI_Isend = LIBRARY.function("MPI_Isend");
    private static final NativeFunction MPI_Irecv = LIBRARY.function("MPI_Irecv");
    private static final NativeFunction MPI_Iprobe = LIBRARY.function("MPI_Iprobe");
    private static final NativeFunction MPI_Ibarrier = LIBRARY.function("MPI_Ibarrier");
    private static final NativeFunction MPI_Ibcast = LIBRARY.function("MPI_Ibcast");
    private static final NativeFunction MPI_Iallreduce = LIBRARY.function("MPI_Iallreduce");
    private static final NativeFunction MPI_Ireduce = LIBRARY.function("MPI_Ireduce");
    private static final NativeFunction MPI_Ireduce_scatter_block = LIBRARY.function("MPI_Ireduce_scatter_block");
    private static final NativeFunction MPI_Iallgather = LIBRARY.function("MPI_Iallgather");
    private static final NativeFunction MPI_Iallgatherv = LIBRARY.function("MPI_Iallgatherv");
    private static final NativeFunction MPI_Ialltoall = LIBRARY.function("MPI_Ialltoall");
    private static final NativeFunction MPI_Ialltoallv = LIBRARY.function("MPI_Ialltoallv");
    private static final NativeFunction MPI_Igather = LIBRARY.function("MPI_Igather");
    private static final NativeFunction MPI_Iscatter = LIBRARY.function("MPI_Iscatter");
    private static final NativeFunction MPI_Win_create = LIBRARY.function("MPI_Win_create");
    private static final NativeFunction MPI_Win_allocate = LIBRARY.function("MPI_Win_allocate");
    private static final NativeFunction MPI_Win_allocate_shared = LIBRARY.function("MPI_Win_allocate_shared");
    private static final NativeFunction MPI_Win_shared_query = LIBRARY.function("MPI_Win_shared_query");
    private static final NativeFunction MPI_Win_free = LIBRARY.function("MPI_Win_free");
    private static final NativeFunction MPI_Win_get_attr = LIBRARY.function("MPI_Win_get_attr");
    private static final NativeFunction MPI_Win_set_errhandler = LIBRARY.function("MPI_Win_set_errhandler");
    private static final NativeFunction MPI_Win_lock = LIBRARY.function("MPI_Win_lock");
    private static final NativeFunction MPI_Win_unlock = LIBRARY.function("MPI_Win_unlock");
    private static final NativeFunction MPI_Win_lock_all = LIBRARY.function("MPI_Win_lock_all");
    private static final NativeFunction MPI_Win_unlock_all = LIBRARY.function("MPI_Win_unlock_all");
    private static final NativeFunction MPI_Win_flush = LIBRARY.function("MPI_Win_flush");
    private static final NativeFunction MPI_Win_flush_all = LIBRARY.function("MPI_Win_flush_all");
    private static final NativeFunction MPI_Win_flush_local = LIBRARY.function("MPI_Win_flush_local");
    private static final NativeFunction MPI_Win_flush_local_all = LIBRARY.function("MPI_Win_flush_local_all");
    private static final NativeFunction MPI_Win_sync = LIBRARY.function("MPI_Win_sync");
    private static final NativeFunction MPI_Win_fence = LIBRARY.function("MPI_Win_fence");
    private static final NativeFunction MPI_Put = LIBRARY.function("MPI_Put");
    private static final NativeFunction MPI_Get = LIBRARY.function("MPI_Get");
    private static final NativeFunction MPI_Rput = LIBRARY.function("MPI_Rput");
    private static final NativeFunction MPI_Rget = LIBRARY.function("MPI_Rget");
    private static final NativeFunction MPI_Accumulate = LIBRARY.function("MPI_Accumulate");
    private static final NativeFunction MPI_Get_accumulate = LIBRARY.function("MPI_Get_accumulate");
    private static final NativeFunction MPI_Fetch_and_op = LIBRARY.function("MPI_Fetch_and_op");
    private static final NativeFunction MPI_Compare_and_swap = LIBRARY.function("MPI_Compare_and_swap");
    private static final NativeFunction MPI_Info_create = LIBRARY.function("MPI_Info_create");
    private static final NativeFunction MPI_Info_set = LIBRARY.function("MPI_Info_set");
    private static final NativeFunction MPI_Info_free = LIBRARY.function("MPI_Info_free");

    private LibMpi() {}

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
     * {@code int MPI_Init_thread(void *argc, void *argv, int required, void *provided)}
     */
    public static int MPI_Init_thread(long argc, long argv, int required, long provided) {
        return Downcalls.callInt(MPI_Init_thread.address(), argc, argv, required, provided);
    }

    /**
     * {@code int MPI_Initialized(void *flag)}
     */
    public static int MPI_Initialized(long flag) {
        return Downcalls.callInt(MPI_Initialized.address(), flag);
    }

    /**
     * {@code int MPI_Finalized(void *flag)}
     */
    public static int MPI_Finalized(long flag) {
        return Downcalls.callInt(MPI_Finalized.address(), flag);
    }

    /**
     * {@code int MPI_Query_thread(void *provided)}
     */
    public static int MPI_Query_thread(long provided) {
        return Downcalls.callInt(MPI_Query_thread.address(), provided);
    }

    /**
     * {@code int MPI_Finalize()}
     */
    public static int MPI_Finalize() {
        return Downcalls.callInt(MPI_Finalize.address());
    }

    /**
     * {@code int MPI_Get_version(void *version, void *subversion)}
     */
    public static int MPI_Get_version(long version, long subversion) {
        return Downcalls.callInt(MPI_Get_version.address(), version, subversion);
    }

    /**
     * {@code int MPI_Get_library_version(void *version, void *length)}
     */
    public static int MPI_Get_library_version(long version, long length) {
        return Downcalls.callInt(MPI_Get_library_version.address(), version, length);
    }

    /**
     * {@code int MPI_Abi_get_version(void *major, void *minor)}
     */
    public static int MPI_Abi_get_version(long major, long minor) {
        return Downcalls.callInt(MPI_Abi_get_version.address(), major, minor);
    }

    /**
     * {@code int MPI_Error_class(int code, void *class_of)}
     */
    public static int MPI_Error_class(int code, long class_of) {
        return Downcalls.callInt(MPI_Error_class.address(), code, class_of);
    }

    /**
     * {@code int MPI_Error_string(int code, void *text, void *length)}
     */
    public static int MPI_Error_string(int code, long text, long length) {
        return Downcalls.callInt(MPI_Error_string.address(), code, text, length);
    }

    /**
     * {@code int MPI_Comm_set_errhandler(long comm, long handler)}
     */
    public static int MPI_Comm_set_errhandler(long comm, long handler) {
        return Downcalls.callInt(MPI_Comm_set_errhandler.address(), comm, handler);
    }

    /**
     * {@code int MPI_Comm_rank(long comm, void *rank)}
     */
    public static int MPI_Comm_rank(long comm, long rank) {
        return Downcalls.callInt(MPI_Comm_rank.address(), comm, rank);
    }

    /**
     * {@code int MPI_Comm_size(long comm, void *size)}
     */
    public static int MPI_Comm_size(long comm, long size) {
        return Downcalls.callInt(MPI_Comm_size.address(), comm, size);
    }

    /**
     * {@code int MPI_Comm_split(long comm, int color, int key, void *result)}
     */
    public static int MPI_Comm_split(long comm, int color, int key, long result) {
        return Downcalls.callInt(MPI_Comm_split.address(), comm, color, key, result);
    }

    /**
     * {@code int MPI_Comm_free(void *comm)}
     */
    public static int MPI_Comm_free(long comm) {
        return Downcalls.callInt(MPI_Comm_free.address(), comm);
    }

    /**
     * {@code int MPI_Reduce_local(const void *values, void *result, int count, long type, long op)}
     */
    public static int MPI_Reduce_local(long values, long result, int count, long type, long op) {
        return Downcalls.callInt(MPI_Reduce_local.address(), values, result, count, type, op);
    }

    /**
     * {@code int MPI_Test(void *request, void *flag, void *status)}
     */
    public static int MPI_Test(long request, long flag, long status) {
        return Downcalls.callInt(MPI_Test.address(), request, flag, status);
    }

    /**
     * {@code int MPI_Get_count(const void *status, long type, void *count)}
     */
    public static int MPI_Get_count(long status, long type, long count) {
        return Downcalls.callInt(MPI_Get_count.address(), status, type, count);
    }

    /**
     * {@code int MPI_Isend(const void *send, int count, long type, int to, int tag, long comm, void *request)}
     */
    public static int MPI_Isend(long send, int count, long type, int to, int tag, long comm, long request) {
        return Downcalls.callInt(MPI_Isend.address(), send, count, type, to, tag, comm, request);
    }

    /**
     * {@code int MPI_Irecv(void *recv, int count, long type, int from, int tag, long comm, void *request)}
     */
    public static int MPI_Irecv(long recv, int count, long type, int from, int tag, long comm, long request) {
        return Downcalls.callInt(MPI_Irecv.address(), recv, count, type, from, tag, comm, request);
    }

    /**
     * {@code int MPI_Iprobe(int from, int tag, long comm, void *flag, void *status)}
     */
    public static int MPI_Iprobe(int from, int tag, long comm, long flag, long status) {
        return Downcalls.callInt(MPI_Iprobe.address(), from, tag, comm, flag, status);
    }

    /**
     * {@code int MPI_Ibarrier(long comm, void *request)}
     */
    public static int MPI_Ibarrier(long comm, long request) {
        return Downcalls.callInt(MPI_Ibarrier.address(), comm, request);
    }

    /**
     * {@code int MPI_Ibcast(void *data, int count, long type, int root, long comm, void *request)}
     */
    public static int MPI_Ibcast(long data, int count, long type, int root, long comm, long request) {
        return Downcalls.callInt(MPI_Ibcast.address(), data, count, type, root, comm, request);
    }

    /**
     * {@code int MPI_Iallreduce(const void *send, void *recv, int count, long type, long op, long comm, void *request)}
     */
    public static int MPI_Iallreduce(long send, long recv, int count, long type, long op, long comm, long request) {
        return Downcalls.callInt(MPI_Iallreduce.address(), send, recv, count, type, op, comm, request);
    }

    /**
     * {@code int MPI_Ireduce(const void *send, void *recv, int count, long type, long op, int root, long comm, void *request)}
     */
    public static int MPI_Ireduce(
            long send, long recv, int count, long type, long op, int root, long comm, long request) {
        return Downcalls.callInt(MPI_Ireduce.address(), send, recv, count, type, op, root, comm, request);
    }

    /**
     * {@code int MPI_Ireduce_scatter_block(const void *send, void *recv, int count, long type, long op, long comm, void *request)}
     */
    public static int MPI_Ireduce_scatter_block(
            long send, long recv, int count, long type, long op, long comm, long request) {
        return Downcalls.callInt(MPI_Ireduce_scatter_block.address(), send, recv, count, type, op, comm, request);
    }

    /**
     * {@code int MPI_Iallgather(const void *send, int sends, long from, void *recv, int recvs, long into, long comm, void *request)}
     */
    public static int MPI_Iallgather(
            long send, int sends, long from, long recv, int recvs, long into, long comm, long request) {
        return Downcalls.callInt(MPI_Iallgather.address(), send, sends, from, recv, recvs, into, comm, request);
    }

    /**
     * {@code int MPI_Iallgatherv(const void *send, int sends, long from, void *recv, const void *counts, const void *offsets, long into, long comm, void *request)}
     */
    public static int MPI_Iallgatherv(
            long send, int sends, long from, long recv, long counts, long offsets, long into, long comm, long request) {
        return Downcalls.callInt(
                MPI_Iallgatherv.address(), send, sends, from, recv, counts, offsets, into, comm, request);
    }

    /**
     * {@code int MPI_Ialltoall(const void *send, int sends, long from, void *recv, int recvs, long into, long comm, void *request)}
     */
    public static int MPI_Ialltoall(
            long send, int sends, long from, long recv, int recvs, long into, long comm, long request) {
        return Downcalls.callInt(MPI_Ialltoall.address(), send, sends, from, recv, recvs, into, comm, request);
    }

    /**
     * {@code int MPI_Ialltoallv(const void *send, const void *sends, const void *starts, long from, void *recv, const void *recvs, const void *offsets, long into, long comm, void *request)}
     */
    public static int MPI_Ialltoallv(
            long send,
            long sends,
            long starts,
            long from,
            long recv,
            long recvs,
            long offsets,
            long into,
            long comm,
            long request) {
        return Downcalls.callInt(
                MPI_Ialltoallv.address(), send, sends, starts, from, recv, recvs, offsets, into, comm, request);
    }

    /**
     * {@code int MPI_Igather(const void *send, int sends, long from, void *recv, int recvs, long into, int root, long comm, void *request)}
     */
    public static int MPI_Igather(
            long send, int sends, long from, long recv, int recvs, long into, int root, long comm, long request) {
        return Downcalls.callInt(MPI_Igather.address(), send, sends, from, recv, recvs, into, root, comm, request);
    }

    /**
     * {@code int MPI_Iscatter(const void *send, int sends, long from, void *recv, int recvs, long into, int root, long comm, void *request)}
     */
    public static int MPI_Iscatter(
            long send, int sends, long from, long recv, int recvs, long into, int root, long comm, long request) {
        return Downcalls.callInt(MPI_Iscatter.address(), send, sends, from, recv, recvs, into, root, comm, request);
    }

    /**
     * {@code int MPI_Win_create(void *base, long bytes, int unit, long info, long comm, void *win)}
     */
    public static int MPI_Win_create(long base, long bytes, int unit, long info, long comm, long win) {
        return Downcalls.callInt(MPI_Win_create.address(), base, bytes, unit, info, comm, win);
    }

    /**
     * {@code int MPI_Win_allocate(long bytes, int unit, long info, long comm, void *base, void *win)}
     */
    public static int MPI_Win_allocate(long bytes, int unit, long info, long comm, long base, long win) {
        return Downcalls.callInt(MPI_Win_allocate.address(), bytes, unit, info, comm, base, win);
    }

    /**
     * {@code int MPI_Win_allocate_shared(long bytes, int unit, long info, long comm, void *base, void *win)}
     */
    public static int MPI_Win_allocate_shared(long bytes, int unit, long info, long comm, long base, long win) {
        return Downcalls.callInt(MPI_Win_allocate_shared.address(), bytes, unit, info, comm, base, win);
    }

    /**
     * {@code int MPI_Win_shared_query(long win, int rank, void *bytes, void *unit, void *base)}
     */
    public static int MPI_Win_shared_query(long win, int rank, long bytes, long unit, long base) {
        return Downcalls.callInt(MPI_Win_shared_query.address(), win, rank, bytes, unit, base);
    }

    /**
     * {@code int MPI_Win_free(void *win)}
     */
    public static int MPI_Win_free(long win) {
        return Downcalls.callInt(MPI_Win_free.address(), win);
    }

    /**
     * {@code int MPI_Win_get_attr(long win, int key, void *value, void *flag)}
     */
    public static int MPI_Win_get_attr(long win, int key, long value, long flag) {
        return Downcalls.callInt(MPI_Win_get_attr.address(), win, key, value, flag);
    }

    /**
     * {@code int MPI_Win_set_errhandler(long win, long handler)}
     */
    public static int MPI_Win_set_errhandler(long win, long handler) {
        return Downcalls.callInt(MPI_Win_set_errhandler.address(), win, handler);
    }

    /**
     * {@code int MPI_Win_lock(int kind, int rank, int mode, long win)}
     */
    public static int MPI_Win_lock(int kind, int rank, int mode, long win) {
        return Downcalls.callInt(MPI_Win_lock.address(), kind, rank, mode, win);
    }

    /**
     * {@code int MPI_Win_unlock(int rank, long win)}
     */
    public static int MPI_Win_unlock(int rank, long win) {
        return Downcalls.callInt(MPI_Win_unlock.address(), rank, win);
    }

    /**
     * {@code int MPI_Win_lock_all(int mode, long win)}
     */
    public static int MPI_Win_lock_all(int mode, long win) {
        return Downcalls.callInt(MPI_Win_lock_all.address(), mode, win);
    }

    /**
     * {@code int MPI_Win_unlock_all(long win)}
     */
    public static int MPI_Win_unlock_all(long win) {
        return Downcalls.callInt(MPI_Win_unlock_all.address(), win);
    }

    /**
     * {@code int MPI_Win_flush(int rank, long win)}
     */
    public static int MPI_Win_flush(int rank, long win) {
        return Downcalls.callInt(MPI_Win_flush.address(), rank, win);
    }

    /**
     * {@code int MPI_Win_flush_all(long win)}
     */
    public static int MPI_Win_flush_all(long win) {
        return Downcalls.callInt(MPI_Win_flush_all.address(), win);
    }

    /**
     * {@code int MPI_Win_flush_local(int rank, long win)}
     */
    public static int MPI_Win_flush_local(int rank, long win) {
        return Downcalls.callInt(MPI_Win_flush_local.address(), rank, win);
    }

    /**
     * {@code int MPI_Win_flush_local_all(long win)}
     */
    public static int MPI_Win_flush_local_all(long win) {
        return Downcalls.callInt(MPI_Win_flush_local_all.address(), win);
    }

    /**
     * {@code int MPI_Win_sync(long win)}
     */
    public static int MPI_Win_sync(long win) {
        return Downcalls.callInt(MPI_Win_sync.address(), win);
    }

    /**
     * {@code int MPI_Win_fence(int mode, long win)}
     */
    public static int MPI_Win_fence(int mode, long win) {
        return Downcalls.callInt(MPI_Win_fence.address(), mode, win);
    }

    /**
     * {@code int MPI_Put(const void *from, int count, long type, int rank, long at, int there, long into, long win)}
     */
    public static int MPI_Put(long from, int count, long type, int rank, long at, int there, long into, long win) {
        return Downcalls.callInt(MPI_Put.address(), from, count, type, rank, at, there, into, win);
    }

    /**
     * {@code int MPI_Get(void *into, int count, long type, int rank, long at, int there, long from, long win)}
     */
    public static int MPI_Get(long into, int count, long type, int rank, long at, int there, long from, long win) {
        return Downcalls.callInt(MPI_Get.address(), into, count, type, rank, at, there, from, win);
    }

    /**
     * {@code int MPI_Rput(const void *from, int count, long type, int rank, long at, int there, long into, long win, void *request)}
     */
    public static int MPI_Rput(
            long from, int count, long type, int rank, long at, int there, long into, long win, long request) {
        return Downcalls.callInt(MPI_Rput.address(), from, count, type, rank, at, there, into, win, request);
    }

    /**
     * {@code int MPI_Rget(void *into, int count, long type, int rank, long at, int there, long from, long win, void *request)}
     */
    public static int MPI_Rget(
            long into, int count, long type, int rank, long at, int there, long from, long win, long request) {
        return Downcalls.callInt(MPI_Rget.address(), into, count, type, rank, at, there, from, win, request);
    }

    /**
     * {@code int MPI_Accumulate(const void *from, int count, long type, int rank, long at, int there, long into, long op, long win)}
     */
    public static int MPI_Accumulate(
            long from, int count, long type, int rank, long at, int there, long into, long op, long win) {
        return Downcalls.callInt(MPI_Accumulate.address(), from, count, type, rank, at, there, into, op, win);
    }

    /**
     * {@code int MPI_Get_accumulate(const void *from, int count, long type, void *old, int olds, long old_type, int rank, long at, int there, long into, long op, long win)}
     */
    public static int MPI_Get_accumulate(
            long from,
            int count,
            long type,
            long old,
            int olds,
            long old_type,
            int rank,
            long at,
            int there,
            long into,
            long op,
            long win) {
        return Downcalls.callInt(
                MPI_Get_accumulate.address(), from, count, type, old, olds, old_type, rank, at, there, into, op, win);
    }

    /**
     * {@code int MPI_Fetch_and_op(const void *value, void *old, long type, int rank, long at, long op, long win)}
     */
    public static int MPI_Fetch_and_op(long value, long old, long type, int rank, long at, long op, long win) {
        return Downcalls.callInt(MPI_Fetch_and_op.address(), value, old, type, rank, at, op, win);
    }

    /**
     * {@code int MPI_Compare_and_swap(const void *value, const void *expected, void *old, long type, int rank, long at, long win)}
     */
    public static int MPI_Compare_and_swap(
            long value, long expected, long old, long type, int rank, long at, long win) {
        return Downcalls.callInt(MPI_Compare_and_swap.address(), value, expected, old, type, rank, at, win);
    }

    /**
     * {@code int MPI_Info_create(void *info)}
     */
    public static int MPI_Info_create(long info) {
        return Downcalls.callInt(MPI_Info_create.address(), info);
    }

    /**
     * {@code int MPI_Info_set(long info, const void *key, const void *value)}
     */
    public static int MPI_Info_set(long info, long key, long value) {
        return Downcalls.callInt(MPI_Info_set.address(), info, key, value);
    }

    /**
     * {@code int MPI_Info_free(void *info)}
     */
    public static int MPI_Info_free(long info) {
        return Downcalls.callInt(MPI_Info_free.address(), info);
    }
}
