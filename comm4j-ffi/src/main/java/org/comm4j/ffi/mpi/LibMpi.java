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
}
