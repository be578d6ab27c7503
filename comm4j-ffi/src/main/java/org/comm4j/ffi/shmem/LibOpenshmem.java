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
    private static final NativeFunction shmem_putmem = LIBRARY.function("shmem_putmem");
    private static final NativeFunction shmem_getmem = LIBRARY.function("shmem_getmem");
    private static final NativeFunction shmem_fence = LIBRARY.function("shmem_fence");
    private static final NativeFunction shmem_quiet = LIBRARY.function("shmem_quiet");
    private static final NativeFunction shmem_barrier_all = LIBRARY.function("shmem_barrier_all");
    private static final NativeFunction shmem_int_atomic_fetch = LIBRARY.function("shmem_int_atomic_fetch");
    private static final NativeFunction shmem_int_atomic_set = LIBRARY.function("shmem_int_atomic_set");
    private static final NativeFunction shmem_int_atomic_swap = LIBRARY.function("shmem_int_atomic_swap");
    private static final NativeFunction shmem_int_atomic_fetch_add = LIBRARY.function("shmem_int_atomic_fetch_add");
    private static final NativeFunction shmem_long_atomic_fetch = LIBRARY.function("shmem_long_atomic_fetch");
    private static final NativeFunction shmem_long_atomic_set = LIBRARY.function("shmem_long_atomic_set");
    private static final NativeFunction shmem_long_atomic_swap = LIBRARY.function("shmem_long_atomic_swap");
    private static final NativeFunction shmem_long_atomic_fetch_add = LIBRARY.function("shmem_long_atomic_fetch_add");
    private static final NativeFunction shmem_long_atomic_compare_swap =
            LIBRARY.function("shmem_long_atomic_compare_swap");

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
     * {@code void shmem_putmem(void *target, const void *source, size_t len, int pe)}
     */
    public static void shmem_putmem(long target, long source, long len, int pe) {
        Downcalls.callVoid(shmem_putmem.address(), target, source, len, pe);
    }

    /**
     * {@code void shmem_getmem(void *target, const void *source, size_t len, int pe)}
     */
    public static void shmem_getmem(long target, long source, long len, int pe) {
        Downcalls.callVoid(shmem_getmem.address(), target, source, len, pe);
    }

    /**
     * {@code void shmem_fence()}
     */
    public static void shmem_fence() {
        Downcalls.callVoid(shmem_fence.address());
    }

    /**
     * {@code void shmem_quiet()}
     */
    public static void shmem_quiet() {
        Downcalls.callVoid(shmem_quiet.address());
    }

    /**
     * {@code void shmem_barrier_all()}
     */
    public static void shmem_barrier_all() {
        Downcalls.callVoid(shmem_barrier_all.address());
    }

    /**
     * {@code int shmem_int_atomic_fetch(const int *target, int pe)}
     */
    public static int shmem_int_atomic_fetch(long target, int pe) {
        return Downcalls.callInt(shmem_int_atomic_fetch.address(), target, pe);
    }

    /**
     * {@code void shmem_int_atomic_set(int *target, int value, int pe)}
     */
    public static void shmem_int_atomic_set(long target, int value, int pe) {
        Downcalls.callVoid(shmem_int_atomic_set.address(), target, value, pe);
    }

    /**
     * {@code int shmem_int_atomic_swap(int *target, int value, int pe)}
     */
    public static int shmem_int_atomic_swap(long target, int value, int pe) {
        return Downcalls.callInt(shmem_int_atomic_swap.address(), target, value, pe);
    }

    /**
     * {@code int shmem_int_atomic_fetch_add(int *target, int value, int pe)}
     */
    public static int shmem_int_atomic_fetch_add(long target, int value, int pe) {
        return Downcalls.callInt(shmem_int_atomic_fetch_add.address(), target, value, pe);
    }

    /**
     * {@code long shmem_long_atomic_fetch(const long *target, int pe)}
     */
    public static long shmem_long_atomic_fetch(long target, int pe) {
        return Downcalls.callLong(shmem_long_atomic_fetch.address(), target, pe);
    }

    /**
     * {@code void shmem_long_atomic_set(long *target, long value, int pe)}
     */
    public static void shmem_long_atomic_set(long target, long value, int pe) {
        Downcalls.callVoid(shmem_long_atomic_set.address(), target, value, pe);
    }

    /**
     * {@code long shmem_long_atomic_swap(long *target, long value, int pe)}
     */
    public static long shmem_long_atomic_swap(long target, long value, int pe) {
        return Downcalls.callLong(shmem_long_atomic_swap.address(), target, value, pe);
    }

    /**
     * {@code long shmem_long_atomic_fetch_add(long *target, long value, int pe)}
     */
    public static long shmem_long_atomic_fetch_add(long target, long value, int pe) {
        return Downcalls.callLong(shmem_long_atomic_fetch_add.address(), target, value, pe);
    }

    /**
     * {@code long shmem_long_atomic_compare_swap(long *target, long cond, long value, int pe)}
     */
    public static long shmem_long_atomic_compare_swap(long target, long cond, long value, int pe) {
        return Downcalls.callLong(shmem_long_atomic_compare_swap.address(), target, cond, value, pe);
    }
}
