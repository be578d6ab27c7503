// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.shmem;

import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeFunction;
import org.comm4j.ffi.NativeLibrary;

/**
 * The C interface of OpenSHMEM, function by function under the C names; generated, see the package. Every
 * function throws {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library,
 * {@link UnsupportedOperationException} if the loaded one lacks the function.
 *
 * <p>Pointers to data of host or device are addresses, passed as numbers; pointers to what Java fills or reads are memory
 * segments, {@link MemorySegment#NULL} for C's {@code NULL}.
 */
@SuppressWarnings("MemberName") // names are C's
public final class LibOpenshmem {
    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.OPENSHMEM);

    private static final NativeFunction shmem_init_thread = LIBRARY.function("shmem_init_thread");
    private static final NativeFunction shmem_finalize = LIBRARY.function("shmem_finalize");
    private static final NativeFunction shmem_my_pe = LIBRARY.function("shmem_my_pe");
    private static final NativeFunction shmem_n_pes = LIBRARY.function("shmem_n_pes");
    private static final NativeFunction shmem_info_get_version = LIBRARY.function("shmem_info_get_version");
    private static final NativeFunction shmem_info_get_name = LIBRARY.function("shmem_info_get_name");
    private static final NativeFunction shmem_align = LIBRARY.function("shmem_align");
    private static final NativeFunction shmem_free = LIBRARY.function("shmem_free");
    private static final NativeFunction shmem_ptr = LIBRARY.function("shmem_ptr");
    private static final NativeFunction shmem_barrier_all = LIBRARY.function("shmem_barrier_all");
    private static final NativeFunction shmem_long_test = LIBRARY.function("shmem_long_test");
    private static final NativeFunction shmem_ctx_create = LIBRARY.function("shmem_ctx_create");
    private static final NativeFunction shmem_ctx_destroy = LIBRARY.function("shmem_ctx_destroy");
    private static final NativeFunction shmem_ctx_putmem = LIBRARY.function("shmem_ctx_putmem");
    private static final NativeFunction shmem_ctx_getmem = LIBRARY.function("shmem_ctx_getmem");
    private static final NativeFunction shmem_ctx_putmem_nbi = LIBRARY.function("shmem_ctx_putmem_nbi");
    private static final NativeFunction shmem_ctx_getmem_nbi = LIBRARY.function("shmem_ctx_getmem_nbi");
    private static final NativeFunction shmem_ctx_fence = LIBRARY.function("shmem_ctx_fence");
    private static final NativeFunction shmem_ctx_quiet = LIBRARY.function("shmem_ctx_quiet");
    private static final NativeFunction shmem_ctx_int_atomic_fetch = LIBRARY.function("shmem_ctx_int_atomic_fetch");
    private static final NativeFunction shmem_ctx_int_atomic_set = LIBRARY.function("shmem_ctx_int_atomic_set");
    private static final NativeFunction shmem_ctx_int_atomic_swap = LIBRARY.function("shmem_ctx_int_atomic_swap");
    private static final NativeFunction shmem_ctx_int_atomic_fetch_add =
            LIBRARY.function("shmem_ctx_int_atomic_fetch_add");
    private static final NativeFunction shmem_ctx_long_atomic_fetch = LIBRARY.function("shmem_ctx_long_atomic_fetch");
    private static final NativeFunction shmem_ctx_long_atomic_set = LIBRARY.function("shmem_ctx_long_atomic_set");
    private static final NativeFunction shmem_ctx_long_atomic_swap = LIBRARY.function("shmem_ctx_long_atomic_swap");
    private static final NativeFunction shmem_ctx_long_atomic_fetch_add =
            LIBRARY.function("shmem_ctx_long_atomic_fetch_add");
    private static final NativeFunction shmem_ctx_long_atomic_compare_swap =
            LIBRARY.function("shmem_ctx_long_atomic_compare_swap");
    private static final NativeFunction opal_progress = LIBRARY.function("opal_progress");

    // macros

    public static final int SHMEM_MAJOR_VERSION = 1;
    public static final int SHMEM_MAX_NAME_LEN = 256;
    public static final int SHMEM_MINOR_VERSION = 4;

    private LibOpenshmem() {}

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
     * {@code int shmem_init_thread(int requested, int *provided)}
     */
    public static int shmem_init_thread(int requested, MemorySegment provided) {
        return Downcalls.callInt(shmem_init_thread.address(), requested, provided);
    }

    /**
     * {@code void shmem_finalize()}
     */
    public static void shmem_finalize() {
        Downcalls.callVoid(shmem_finalize.address());
    }

    /**
     * {@code int shmem_my_pe()}
     */
    public static int shmem_my_pe() {
        return Downcalls.callInt(shmem_my_pe.address());
    }

    /**
     * {@code int shmem_n_pes()}
     */
    public static int shmem_n_pes() {
        return Downcalls.callInt(shmem_n_pes.address());
    }

    /**
     * {@code void shmem_info_get_version(int *major, int *minor)}
     */
    public static void shmem_info_get_version(MemorySegment major, MemorySegment minor) {
        Downcalls.callVoid(shmem_info_get_version.address(), major, minor);
    }

    /**
     * {@code void shmem_info_get_name(char *name)}
     */
    public static void shmem_info_get_name(MemorySegment name) {
        Downcalls.callVoid(shmem_info_get_name.address(), name);
    }

    /**
     * {@code void *shmem_align(size_t align, size_t size)}
     */
    public static long shmem_align(long align, long size) {
        return Downcalls.callLong(shmem_align.address(), align, size);
    }

    /**
     * {@code void shmem_free(void *ptr)}
     */
    public static void shmem_free(long ptr) {
        Downcalls.callVoid(shmem_free.address(), ptr);
    }

    /**
     * {@code void *shmem_ptr(const void *ptr, int pe)}
     */
    public static long shmem_ptr(long ptr, int pe) {
        return Downcalls.callLong(shmem_ptr.address(), ptr, pe);
    }

    /**
     * {@code void shmem_barrier_all()}
     */
    public static void shmem_barrier_all() {
        Downcalls.callVoid(shmem_barrier_all.address());
    }

    /**
     * {@code int shmem_long_test(long *addr, int cmp, long value)}
     */
    public static int shmem_long_test(MemorySegment addr, int cmp, long value) {
        return Downcalls.callInt(shmem_long_test.address(), addr, cmp, value);
    }

    /**
     * {@code int shmem_ctx_create(long options, shmem_ctx_t *ctx)}
     */
    public static int shmem_ctx_create(long options, MemorySegment ctx) {
        return Downcalls.callInt(shmem_ctx_create.address(), options, ctx);
    }

    /**
     * {@code void shmem_ctx_destroy(shmem_ctx_t ctx)}
     */
    public static void shmem_ctx_destroy(ShmemCtx ctx) {
        Downcalls.callVoid(shmem_ctx_destroy.address(), ctx.address());
    }

    /**
     * {@code void shmem_ctx_putmem(shmem_ctx_t ctx, void *target, const void *source, size_t len, int pe)}
     */
    public static void shmem_ctx_putmem(ShmemCtx ctx, long target, long source, long len, int pe) {
        Downcalls.callVoid(shmem_ctx_putmem.address(), ctx.address(), target, source, len, pe);
    }

    /**
     * {@code void shmem_ctx_getmem(shmem_ctx_t ctx, void *target, const void *source, size_t len, int pe)}
     */
    public static void shmem_ctx_getmem(ShmemCtx ctx, long target, long source, long len, int pe) {
        Downcalls.callVoid(shmem_ctx_getmem.address(), ctx.address(), target, source, len, pe);
    }

    /**
     * {@code void shmem_ctx_putmem_nbi(shmem_ctx_t ctx, void *target, const void *source, size_t len, int pe)}
     */
    public static void shmem_ctx_putmem_nbi(ShmemCtx ctx, long target, long source, long len, int pe) {
        Downcalls.callVoid(shmem_ctx_putmem_nbi.address(), ctx.address(), target, source, len, pe);
    }

    /**
     * {@code void shmem_ctx_getmem_nbi(shmem_ctx_t ctx, void *target, const void *source, size_t len, int pe)}
     */
    public static void shmem_ctx_getmem_nbi(ShmemCtx ctx, long target, long source, long len, int pe) {
        Downcalls.callVoid(shmem_ctx_getmem_nbi.address(), ctx.address(), target, source, len, pe);
    }

    /**
     * {@code void shmem_ctx_fence(shmem_ctx_t ctx)}
     */
    public static void shmem_ctx_fence(ShmemCtx ctx) {
        Downcalls.callVoid(shmem_ctx_fence.address(), ctx.address());
    }

    /**
     * {@code void shmem_ctx_quiet(shmem_ctx_t ctx)}
     */
    public static void shmem_ctx_quiet(ShmemCtx ctx) {
        Downcalls.callVoid(shmem_ctx_quiet.address(), ctx.address());
    }

    /**
     * {@code int shmem_ctx_int_atomic_fetch(shmem_ctx_t ctx, const int *target, int pe)}
     */
    public static int shmem_ctx_int_atomic_fetch(ShmemCtx ctx, long target, int pe) {
        return Downcalls.callInt(shmem_ctx_int_atomic_fetch.address(), ctx.address(), target, pe);
    }

    /**
     * {@code void shmem_ctx_int_atomic_set(shmem_ctx_t ctx, int *target, int value, int pe)}
     */
    public static void shmem_ctx_int_atomic_set(ShmemCtx ctx, long target, int value, int pe) {
        Downcalls.callVoid(shmem_ctx_int_atomic_set.address(), ctx.address(), target, value, pe);
    }

    /**
     * {@code int shmem_ctx_int_atomic_swap(shmem_ctx_t ctx, int *target, int value, int pe)}
     */
    public static int shmem_ctx_int_atomic_swap(ShmemCtx ctx, long target, int value, int pe) {
        return Downcalls.callInt(shmem_ctx_int_atomic_swap.address(), ctx.address(), target, value, pe);
    }

    /**
     * {@code int shmem_ctx_int_atomic_fetch_add(shmem_ctx_t ctx, int *target, int value, int pe)}
     */
    public static int shmem_ctx_int_atomic_fetch_add(ShmemCtx ctx, long target, int value, int pe) {
        return Downcalls.callInt(shmem_ctx_int_atomic_fetch_add.address(), ctx.address(), target, value, pe);
    }

    /**
     * {@code long shmem_ctx_long_atomic_fetch(shmem_ctx_t ctx, const long *target, int pe)}
     */
    public static long shmem_ctx_long_atomic_fetch(ShmemCtx ctx, long target, int pe) {
        return Downcalls.callLong(shmem_ctx_long_atomic_fetch.address(), ctx.address(), target, pe);
    }

    /**
     * {@code void shmem_ctx_long_atomic_set(shmem_ctx_t ctx, long *target, long value, int pe)}
     */
    public static void shmem_ctx_long_atomic_set(ShmemCtx ctx, long target, long value, int pe) {
        Downcalls.callVoid(shmem_ctx_long_atomic_set.address(), ctx.address(), target, value, pe);
    }

    /**
     * {@code long shmem_ctx_long_atomic_swap(shmem_ctx_t ctx, long *target, long value, int pe)}
     */
    public static long shmem_ctx_long_atomic_swap(ShmemCtx ctx, long target, long value, int pe) {
        return Downcalls.callLong(shmem_ctx_long_atomic_swap.address(), ctx.address(), target, value, pe);
    }

    /**
     * {@code long shmem_ctx_long_atomic_fetch_add(shmem_ctx_t ctx, long *target, long value, int pe)}
     */
    public static long shmem_ctx_long_atomic_fetch_add(ShmemCtx ctx, long target, long value, int pe) {
        return Downcalls.callLong(shmem_ctx_long_atomic_fetch_add.address(), ctx.address(), target, value, pe);
    }

    /**
     * {@code long shmem_ctx_long_atomic_compare_swap(shmem_ctx_t ctx, long *target, long cond, long value, int pe)}
     */
    public static long shmem_ctx_long_atomic_compare_swap(ShmemCtx ctx, long target, long cond, long value, int pe) {
        return Downcalls.callLong(shmem_ctx_long_atomic_compare_swap.address(), ctx.address(), target, cond, value, pe);
    }

    /**
     * {@code void opal_progress()}
     */
    public static void opal_progress() {
        Downcalls.callVoid(opal_progress.address());
    }
}
