// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.comm4j.cuda.CudaModule;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.lang.DeviceFunction;

/**
 * NVSHMEM's device code, compiled from the headers of the installed version. There is no library of it that could be
 * linked and inlined, but the headers have all of it: a function that takes the addresses of others makes the compiler
 * keep them under their own names.
 */
final class NvshmemUnit {
    /** As {@link DeviceFunction#unit} calls it. */
    static final String NAME = "nvshmem";

    private static final String HEADERS = """
        // The compiler at run time has no C++ library; the headers need a few names of it.
        #include <cuda/std/type_traits>
        namespace std {
        using cuda::std::conditional;
        using cuda::std::enable_if;
        using cuda::std::is_floating_point;
        using cuda::std::is_integral;
        using cuda::std::is_same;
        using cuda::std::is_signed;
        using cuda::std::is_unsigned;
        }
        #include "non_abi/nvshmem_build_options.h"
        #include "non_abi/nvshmem_version.h"
        // These ways to InfiniBand need headers that are not there; the others, by the host, stay.
        #undef NVSHMEM_IBGDA_SUPPORT
        #undef NVSHMEM_GPUNETIO_SUPPORT
        #ifndef NVSHMEM_ENABLE_ALL_DEVICE_INLINING
        #define NVSHMEM_ENABLE_ALL_DEVICE_INLINING
        #endif
        #include "device/nvshmem_device_macros.h"
        // Collectives are static in the headers, and would not be found by their names.
        #undef NVSHMEMI_STATIC
        #define NVSHMEMI_STATIC
        """;

    private static final String DIRECT = """
        #define COMM4J_DIRECT
        """;

    /**
     * In place of the headers' ways to memory out of reach: they are never gone, says each, and the compiler leaves out
     * what decides whether to. Newer headers can leave them out themselves; among the others, the parameters have
     * changed with the versions.
     */
    private static final String NO_NETWORK = """
        #if __has_include("non_abi/device/pt-to-pt/nvshmemi_transfer_api_stubs.cuh")
        #define NVSHMEM_BUILD_P2P_ONLY
        #else
        #define TRANSFER_DEVICE_CUH
        #define _NVSHMEMI_TRANSFER_H_
        #include "device_host/nvshmem_common.cuh"
        #include "non_abi/device/threadgroup/nvshmemi_common_device_defines.cuh"
        #define COMM4J_NEVER(PARAMETERS, RESULT, NAME) \
            template <PARAMETERS, typename... Arguments> \
            static __device__ __forceinline__ RESULT nvshmemi_transfer_##NAME(Arguments...) { \
                __builtin_unreachable(); \
            }
        #define COMM4J_SCOPED threadgroup_t SCOPE, nvshmemi_op_t OPERATION
        COMM4J_NEVER(typename T, void, rma_p)
        COMM4J_NEVER(typename T, T, rma_g)
        COMM4J_NEVER(COMM4J_SCOPED, void, rma)
        COMM4J_NEVER(COMM4J_SCOPED, void, rma_nbi)
        COMM4J_NEVER(threadgroup_t SCOPE, void, put_signal)
        COMM4J_NEVER(typename T, T, amo_fetch)
        COMM4J_NEVER(typename T, void, amo_nonfetch)
        COMM4J_NEVER(threadgroup_t SCOPE, void, quiet)
        COMM4J_NEVER(threadgroup_t SCOPE, void, fence)
        static __device__ __forceinline__ void nvshmemi_transfer_enforce_consistency_at_target(bool) {
            __builtin_unreachable();
        }
        // What a wait does last.
        static __device__ __forceinline__ void nvshmemi_transfer_syncapi_update_mem() {
            __threadfence();
        }
        #endif
        """;

    private static final String ONE_SIDED_HEADERS = """
        #include "device/nvshmem_defines.h"
        #include "device/nvshmemx_defines.h"
        """;

    /** What parts without anything of the headers but types and constants need, in a tenth of the time. */
    private static final String TYPES = """
        #include "non_abi/nvshmem_build_options.h"
        #include "device_host/nvshmem_common.cuh"
        """;

    /**
     * What one-sided functions do not need takes a third of the time, and as much when a kernel is linked: the headers
     * would make some of their templates anyway.
     */
    private static final String NO_COLLECTIVES = """
        #define _NVSHMEMI_DEVICE_COLL_DEFINES_H_
        """;

    private static final String COLLECTIVES = """
        #include "device/nvshmem_coll_defines.cuh"
        #include "device/nvshmemx_coll_defines.cuh"
        """;

    /** The variables into which the host library writes where the heaps are. */
    private static final String STATE = """
        #include "non_abi/nvshmem_version.h"
        __constant__ nvshmemi_device_host_state_t nvshmemi_device_state_d;
        __constant__ nvshmemi_version_t nvshmemi_device_lib_version_d = {
            NVSHMEM_VENDOR_MAJOR_VERSION, NVSHMEM_VENDOR_MINOR_VERSION, NVSHMEM_VENDOR_PATCH_VERSION};
        """;

    private static final String STATE_ELSEWHERE = """
        extern __constant__ nvshmemi_device_host_state_t nvshmemi_device_state_d;
        """;

    /**
     * Where something of this PE is on another one, and what is a few instructions then: elements, signals, waits,
     * fences. The headers ask for each whether the other PE is in reach, before they load what is to be stored; they
     * have fences of a total order where a release or an acquire is meant; and none after a wait for a signal in older
     * versions, so that a load after it may find what a cache still has.
     */
    private static final String WORDS = """
        // What was written before the word that this thread has seen is what its loads find from now on. The fence only empties a cache. Where there is none for this direction alone,
        // another load of the word costs less than one for both, which waits for this thread's stores.
        static __device__ __forceinline__ void comm4j_acquire(const void *word) {
            #if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1208
            asm volatile("fence.acquire.sys;" ::: "memory");
            #else
            unsigned ignored;
            asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(ignored) : "l"(word) : "memory");
            #endif
        }

        #ifdef COMM4J_DIRECT
        // Where the compiler does not know it, it has slower instructions, for memory of any kind.
        template <typename T>
        static __device__ __forceinline__ T *comm4j_global(T *pointer) {
            __builtin_assume(__isGlobal(pointer));
            return pointer;
        }

        static __device__ __forceinline__ char *comm4j_there(const void *named, int pe) {
            // No fence changes what __ldg would load here, and so a loop loads it before it begins; perhaps for a PE that there is not, which the kernel only finds out afterwards.
            unsigned known = (unsigned) pe < (unsigned) nvshmemi_device_state_d.npes ? pe : 0;
            char *base;
            asm("ld.global.nc.u64 %0, [%1];"
                    : "=l"(base)
                    : "l"(__cvta_generic_to_global((void **) nvshmemi_device_state_d.peer_heap_base_p2p + known)));
            return comm4j_global(base + ((const char *) named - (const char *) nvshmemi_device_state_d.heap_base));
        }
        #define COMM4J_REACHED(THERE) true
        #define COMM4J_WHERE_REACHED(OWN, HEADERS) OWN

        #define COMM4J_SIGNAL_THERE(NAME, ORDER) \
            static __device__ __forceinline__ void NAME(uint64_t *signal, uint64_t value, int op, int pe) { \
                size_t there = __cvta_generic_to_global(comm4j_there(signal, pe)); \
                if (op == NVSHMEM_SIGNAL_SET) { \
                    asm volatile("st." ORDER ".sys.global.u64 [%0], %1;" : : "l"(there), "l"(value) : "memory"); \
                } else { \
                    asm volatile("red." ORDER ".sys.global.add.u64 [%0], %1;" : : "l"(there), "l"(value) : "memory"); \
                } \
            }
        COMM4J_SIGNAL_THERE(comm4j_signal_relaxed, "relaxed")
        COMM4J_SIGNAL_THERE(comm4j_signal_release, "release")

        template <typename T>
        static __device__ __forceinline__ bool comm4j_holds(T seen, int comparison, T value) {
            switch (comparison) {
                case NVSHMEM_CMP_EQ: return seen == value;
                case NVSHMEM_CMP_NE: return seen != value;
                case NVSHMEM_CMP_GT: return seen > value;
                case NVSHMEM_CMP_LE: return seen <= value;
                case NVSHMEM_CMP_LT: return seen < value;
                default: return seen >= value;
            }
        }

        template <typename T>
        static __device__ __forceinline__ T comm4j_await(const T *word, int comparison, T value) {
            T seen;
            do {
                seen = *(const volatile T *) comm4j_global(word);
            } while (!comm4j_holds(seen, comparison, value));
            comm4j_acquire(word);
            return seen;
        }
        #else
        #define comm4j_there nvshmem_ptr
        #define COMM4J_REACHED(THERE) (THERE != nullptr)
        #define COMM4J_WHERE_REACHED(OWN, HEADERS) HEADERS

        static __device__ __forceinline__ void comm4j_signal_release(uint64_t *signal, uint64_t value, int op, int pe) {
            __threadfence_system();
            nvshmemx_signal_op(signal, value, op, pe);
        }
        #endif

        #define COMM4J_ELEMENT(NAME, T) \
            extern "C" inline __device__ void comm4j_##NAME##_p(T *to, T value, int pe) { \
                COMM4J_WHERE_REACHED(*(T *) comm4j_there(to, pe) = value, nvshmem_##NAME##_p(to, value, pe)); \
            } \
            extern "C" inline __device__ T comm4j_##NAME##_g(const T *from, int pe) { \
                return COMM4J_WHERE_REACHED(*(const T *) comm4j_there(from, pe), nvshmem_##NAME##_g(from, pe)); \
            }
        COMM4J_ELEMENT(int8, int8_t)
        COMM4J_ELEMENT(int16, int16_t)
        COMM4J_ELEMENT(int32, int32_t)
        COMM4J_ELEMENT(int64, int64_t)
        COMM4J_ELEMENT(float, float)
        COMM4J_ELEMENT(double, double)

        extern "C" inline __device__ void comm4j_fence() {
            COMM4J_WHERE_REACHED(asm volatile("fence.acq_rel.sys;" ::: "memory"), nvshmem_fence());
        }

        extern "C" inline __device__ void comm4j_signal_op(uint64_t *signal, uint64_t value, int op, int pe) {
            COMM4J_WHERE_REACHED(comm4j_signal_relaxed, nvshmemx_signal_op)(signal, value, op, pe);
        }

        #define COMM4J_WAIT_UNTIL(NAME, T) \
            extern "C" inline __device__ void comm4j_##NAME##_wait_until(T *word, int comparison, T value) { \
                COMM4J_WHERE_REACHED(comm4j_await, nvshmem_##NAME##_wait_until)(word, comparison, value); \
            }
        COMM4J_WAIT_UNTIL(int32, int32_t)
        COMM4J_WAIT_UNTIL(int64, int64_t)

        // Older headers' own ends with neither a fence nor the value that it has seen.
        extern "C" inline __device__ uint64_t comm4j_signal_wait_until(uint64_t *signal, int comparison, uint64_t value) {
            #ifdef COMM4J_DIRECT
            return comm4j_await(signal, comparison, value);
            #else
            nvshmem_signal_wait_until(signal, comparison, value);
            // First the value, which may be a later one, and then what was written before it.
            uint64_t seen = nvshmem_signal_fetch(signal);
            comm4j_acquire(signal);
            return seen;
            #endif
        }
        """;

    /**
     * Within reach, what the headers need all of C++'s type traits for, which take NVRTC ten times as long as the rest:
     * the same instructions as theirs.
     */
    private static final String OWN_WORDS = """
        extern "C" inline __device__ int nvshmem_my_pe() {
            return nvshmemi_device_state_d.mype;
        }

        extern "C" inline __device__ int nvshmem_n_pes() {
            return nvshmemi_device_state_d.npes;
        }

        extern "C" inline __device__ void nvshmem_quiet() {
            __threadfence_system();
        }

        extern "C" inline __device__ uint64_t nvshmem_signal_fetch(uint64_t *signal) {
            return *(volatile uint64_t *) comm4j_global(signal);
        }
        """;

    /**
     * Of a word's bits; what there is of it in {@link Declared} is kept. What returns nothing is {@code red}, or a
     * store: an {@code atom} whose result nobody wants travels back all the same, and four times as few go over NVLink
     * in the same time.
     */
    private static final String OWN_ATOMICS = """
        #define COMM4J_POSTED(INSTRUCTION, R, TO, PE, VALUE) \
            asm volatile(INSTRUCTION " [%0], %1;" : : "l"(__cvta_generic_to_global(comm4j_there(TO, PE))), R(VALUE) : "memory")
        #define COMM4J_ATOMIC(NAME, T, BITS, OPERATION, INSTRUCTION, TYPE, R) \
            extern "C" inline __device__ T nvshmem_##NAME##_atomic_fetch_##OPERATION(T *to, T value, int pe) { \
                return (T) INSTRUCTION((BITS *) comm4j_there(to, pe), (BITS) value); \
            } \
            extern "C" inline __device__ void nvshmem_##NAME##_atomic_##OPERATION(T *to, T value, int pe) { \
                COMM4J_POSTED("red.relaxed.sys.global." #OPERATION "." TYPE, R, to, pe, (BITS) value); \
            }
        #define COMM4J_ATOMIC_WORD(NAME, T, BITS, TO_BITS, FROM_BITS, WIDTH, R) \
            extern "C" inline __device__ T nvshmem_##NAME##_atomic_fetch(const T *from, int pe) { \
                return FROM_BITS(atomicOr_system((BITS *) comm4j_there(from, pe), (BITS) 0)); \
            } \
            extern "C" inline __device__ void nvshmem_##NAME##_atomic_set(T *to, T value, int pe) { \
                COMM4J_POSTED("st.relaxed.sys.global.u" #WIDTH, R, to, pe, (BITS) TO_BITS(value)); \
            } \
            extern "C" inline __device__ T nvshmem_##NAME##_atomic_swap(T *to, T value, int pe) { \
                return FROM_BITS(atomicExch_system((BITS *) comm4j_there(to, pe), (BITS) TO_BITS(value))); \
            }
        #define COMM4J_ATOMIC_INTEGER(NAME, T, BITS, WIDTH, R) \
            COMM4J_ATOMIC(NAME, T, BITS, add, atomicAdd_system, "u" #WIDTH, R) \
            COMM4J_ATOMIC(NAME, T, BITS, and, atomicAnd_system, "b" #WIDTH, R) \
            COMM4J_ATOMIC(NAME, T, BITS, or, atomicOr_system, "b" #WIDTH, R) \
            COMM4J_ATOMIC(NAME, T, BITS, xor, atomicXor_system, "b" #WIDTH, R) \
            COMM4J_ATOMIC_WORD(NAME, T, BITS, (BITS), (T), WIDTH, R) \
            extern "C" inline __device__ T nvshmem_##NAME##_atomic_fetch_inc(T *to, int pe) { \
                return (T) atomicAdd_system((BITS *) comm4j_there(to, pe), (BITS) 1); \
            } \
            extern "C" inline __device__ void nvshmem_##NAME##_atomic_inc(T *to, int pe) { \
                COMM4J_POSTED("red.relaxed.sys.global.add.u" #WIDTH, R, to, pe, (BITS) 1); \
            } \
            extern "C" inline __device__ T nvshmem_##NAME##_atomic_compare_swap(T *to, T expected, T value, int pe) { \
                return (T) atomicCAS_system((BITS *) comm4j_there(to, pe), (BITS) expected, (BITS) value); \
            }
        COMM4J_ATOMIC_INTEGER(int32, int32_t, unsigned, 32, "r")
        COMM4J_ATOMIC_INTEGER(int64, int64_t, unsigned long long, 64, "l")
        COMM4J_ATOMIC_INTEGER(uint64, uint64_t, unsigned long long, 64, "l")
        COMM4J_ATOMIC_WORD(float, float, unsigned, __float_as_uint, __uint_as_float, 32, "r")
        COMM4J_ATOMIC_WORD(double, double, unsigned long long, __double_as_longlong, __longlong_as_double, 64, "l")
        """;

    /**
     * Moves to and from memory that this GPU reaches: each thread has eight words under way, where the headers' loops
     * have one or few. Words are as wide as alignment allows, as there, so that an element is written at once. Of those
     * of less than 16 bytes a thread has one under way: they are what is before and behind the others, or where source
     * and destination are not aligned alike. Where a thread has one word at most, there is no loop, which is what
     * counts for latency. Loops are functions, which a kernel has once for all its moves: inlined, they would be most
     * of the time that it takes to compile.
     */
    private static final String MOVES = """
        // Eight words of a thread, each if its number is below the end: without branches, and as one instruction, since the compiler would take half of its time for them.
        #define COMM4J_EIGHT(X) X("0") X("1") X("2") X("3") X("4") X("5") X("6") X("7")
        #define COMM4J_LOAD_BELOW(K) "setp.lt.u32 p" K ", n, %3; @p" K " ld.v4.u32 {x" K ", y" K ", z" K ", w" K "}, [%1]; " \
                "add.u64 %1, %1, %5; add.u32 n, n, %4; "
        #define COMM4J_STORE_BELOW(K) "@p" K " st.v4.u32 [%0], {x" K ", y" K ", z" K ", w" K "}; add.u64 %0, %0, %5; "
        static __device__ __forceinline__ void comm4j_copy_wide(
                char *to, const char *from, size_t count, unsigned index, unsigned threads) {
            to += (size_t) index * 16;
            from += (size_t) index * 16;
            #pragma unroll 1
            for (size_t first = 0; first < count; first += 8 * threads) {
                // The end of this round, whose words are numbered from 0 on: in 32 bits the numbers cost half.
                unsigned end = (unsigned) (count - first < 8 * threads ? count - first : 8 * threads);
                asm volatile("{ .reg .pred p<8>; .reg .b32 n, x<8>, y<8>, z<8>, w<8>; mov.u32 n, %2; "
                        COMM4J_EIGHT(COMM4J_LOAD_BELOW) COMM4J_EIGHT(COMM4J_STORE_BELOW) "}"
                        : "+l"(to), "+l"(from)
                        : "r"(index), "r"(end), "r"(threads), "l"((size_t) threads * 16)
                        : "memory");
            }
        }

        // Words of 8 bytes or less, each of an instruction of its own.
        static __device__ __forceinline__ void comm4j_copy_narrow(
                char *to, const char *from, unsigned width, size_t bytes, unsigned index, unsigned threads) {
            #pragma unroll 1
            for (size_t at = (size_t) index * width; at < bytes; at += threads * width) {
                asm volatile("{ .reg .pred p8, p4, p2, p1; .reg .b64 word; setp.eq.u32 p8, %2, 8; setp.eq.u32 p4, %2, 4; "
                        "setp.eq.u32 p2, %2, 2; setp.eq.u32 p1, %2, 1; "
                        "@p8 ld.u64 word, [%1]; @p4 ld.u32 word, [%1]; @p2 ld.u16 word, [%1]; @p1 ld.u8 word, [%1]; "
                        "@p8 st.u64 [%0], word; @p4 st.u32 [%0], word; @p2 st.u16 [%0], word; @p1 st.u8 [%0], word; }"
                        :
                        : "l"(to + at), "l"(from + at), "r"(width)
                        : "memory");
            }
        }

        extern "C" inline __device__ __noinline__ void comm4j_copy_any(
                char *to, const char *from, size_t bytes, unsigned index, unsigned threads) {
            unsigned apart = (unsigned) ((size_t) to ^ (size_t) from);
            #pragma unroll 1
            while (bytes != 0) {
                unsigned places = (unsigned) ((size_t) to | (size_t) from | 16);
                unsigned width = places & -places;
                #pragma unroll 1
                while (width > bytes) {
                    width /= 2;
                }
                size_t part = bytes & -(size_t) width;
                if (width == 16) {
                    comm4j_copy_wide(to, from, part / 16, index, threads);
                } else {
                    // One word, if both places behind it are better ones, and that is worth a round.
                    if ((apart & (2 * width - 1)) == 0 && part > (size_t) (4 * width) * threads) {
                        part = width;
                    }
                    comm4j_copy_narrow(to, from, width, part, index, threads);
                }
                to += part;
                from += part;
                bytes -= part;
            }
        }

        static __device__ __forceinline__ void comm4j_copy(
                char *to, const char *from, size_t bytes, unsigned index, unsigned threads) {
            size_t words = bytes / 16;
            if ((((size_t) to | (size_t) from | bytes) & 15) == 0 && words <= threads) {
                if (index < words) {
                    ((uint4 *) to)[index] = ((const uint4 *) from)[index];
                }
            } else {
                comm4j_copy_any(to, from, bytes, index, threads);
            }
        }

        // One element at a time.
        extern "C" inline __device__ __noinline__ void comm4j_copy_strided(
                char *to, const char *from, ptrdiff_t toStride, ptrdiff_t fromStride, size_t count, int bits, unsigned index, unsigned threads) {
            #pragma unroll 1
            for (size_t i = index; i < count; i += threads) {
                #define COMM4J_COPY_ELEMENT(T) ((T *) to)[(ptrdiff_t) i * toStride] = ((const T *) from)[(ptrdiff_t) i * fromStride]
                switch (bits) {
                    case 8: COMM4J_COPY_ELEMENT(char); break;
                    case 16: COMM4J_COPY_ELEMENT(short); break;
                    case 32: COMM4J_COPY_ELEMENT(int); break;
                    default: COMM4J_COPY_ELEMENT(long long); break;
                }
            }
        }

        static __device__ __forceinline__ unsigned comm4j_thread() {
            return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        }

        static __device__ __forceinline__ unsigned comm4j_threads() {
            return blockDim.x * blockDim.y * blockDim.z;
        }

        #define COMM4J_MOVE(OTHERS, NAME, NAMED, TO, FROM, INDEX, THREADS, MEET) \
            extern "C" inline __device__ void NAME(char *to, const char *from, size_t bytes, int pe) { \
                char *there = (char *) comm4j_there(NAMED, pe); \
                if (COMM4J_REACHED(there)) { \
                    MEET; \
                    comm4j_copy(TO, FROM, bytes, INDEX, THREADS); \
                    MEET; \
                } else { \
                    COMM4J_WHERE_REACHED(, OTHERS(to, from, bytes, pe)); \
                } \
            }
        #define COMM4J_SIGNAL(OTHERS, NAME, INDEX, THREADS, MEET) \
            extern "C" inline __device__ void NAME( \
                char *to, const char *from, size_t bytes, uint64_t *signal, uint64_t value, int op, int pe) { \
                char *there = (char *) comm4j_there(to, pe); \
                if (COMM4J_REACHED(there)) { \
                    MEET; \
                    comm4j_copy(there, from, bytes, INDEX, THREADS); \
                    MEET; \
                    if (INDEX == 0) { \
                        comm4j_signal_release(signal, value, op, pe); \
                    } \
                    MEET; \
                } else { \
                    COMM4J_WHERE_REACHED(, OTHERS(to, from, bytes, signal, value, op, pe)); \
                } \
            }
        #define COMM4J_STRIDED(OTHERS, NAME, BITS, NAMED, TO, FROM, INDEX, THREADS, MEET) \
            extern "C" inline __device__ void NAME( \
                char *to, const char *from, ptrdiff_t toStride, ptrdiff_t fromStride, size_t count, int pe) { \
                char *there = (char *) comm4j_there(NAMED, pe); \
                if (COMM4J_REACHED(there)) { \
                    MEET; \
                    comm4j_copy_strided(TO, FROM, toStride, fromStride, count, BITS, INDEX, THREADS); \
                    MEET; \
                } else { \
                    COMM4J_WHERE_REACHED(, OTHERS(to, from, toStride, fromStride, count, pe)); \
                } \
            }
        #define COMM4J_STRIDES(X, SUFFIX, BITS, INDEX, THREADS, MEET) \
            COMM4J_STRIDED(nvshmem##X##_iput##BITS##SUFFIX, comm4j_iput##BITS##SUFFIX, BITS, to, there, from, INDEX, THREADS, MEET) \
            COMM4J_STRIDED(nvshmem##X##_iget##BITS##SUFFIX, comm4j_iget##BITS##SUFFIX, BITS, from, to, there, INDEX, THREADS, MEET)
        #define COMM4J_MOVES(X, SUFFIX, INDEX, THREADS, MEET) \
            COMM4J_MOVE(nvshmem##X##_putmem##SUFFIX, comm4j_putmem##SUFFIX, to, there, from, INDEX, THREADS, MEET) \
            COMM4J_MOVE(nvshmem##X##_putmem_nbi##SUFFIX, comm4j_putmem_nbi##SUFFIX, to, there, from, INDEX, THREADS, MEET) \
            COMM4J_MOVE(nvshmem##X##_getmem##SUFFIX, comm4j_getmem##SUFFIX, from, to, there, INDEX, THREADS, MEET) \
            COMM4J_MOVE(nvshmem##X##_getmem_nbi##SUFFIX, comm4j_getmem_nbi##SUFFIX, from, to, there, INDEX, THREADS, MEET) \
            COMM4J_SIGNAL(nvshmem##X##_putmem_signal##SUFFIX, comm4j_putmem_signal##SUFFIX, INDEX, THREADS, MEET) \
            COMM4J_SIGNAL(nvshmem##X##_putmem_signal_nbi##SUFFIX, comm4j_putmem_signal_nbi##SUFFIX, INDEX, THREADS, MEET) \
            COMM4J_STRIDES(X, SUFFIX, 8, INDEX, THREADS, MEET) \
            COMM4J_STRIDES(X, SUFFIX, 16, INDEX, THREADS, MEET) \
            COMM4J_STRIDES(X, SUFFIX, 32, INDEX, THREADS, MEET) \
            COMM4J_STRIDES(X, SUFFIX, 64, INDEX, THREADS, MEET)
        COMM4J_MOVES(, , 0, 1, )
        COMM4J_MOVES(x, _warp, comm4j_thread() % 32, (comm4j_threads() < 32 ? comm4j_threads() : 32), __syncwarp())
        COMM4J_MOVES(x, _block, comm4j_thread(), comm4j_threads(), __syncthreads())
        """;

    /**
     * What is compiled by itself, once for a machine, and linked to kernels that call one of its functions: linking a
     * function costs a tenth of a millisecond, whether it is called or not.
     */
    private enum Part {
        /** The headers' variables, which every kernel has. */
        STATE("", true),
        /** The variable of collectives. */
        PEERS("", true),
        BARRIERS("nvshmemx?_(barrier|team_sync|sync)(_all)?(_warp|_block)?", true),
        REDUCTIONS("nvshmemx?_.*_(reduce|reducescatter)(_warp|_block)?", true),
        COLLECTIVES("nvshmemx?_.*_(alltoall|fcollect|broadcast)(mem)?(_warp|_block)?", true),
        STRIDED("comm4j_i(put|get)\\d+(_warp|_block)?", true),
        MOVES("comm4j_(put|get)mem.*", true),
        ATOMICS("nvshmem_.*_atomic_.*", true),
        WAITS("nvshmem_.*_(test|wait_until)(_.*)?", false),
        WORDS("comm4j_.*|nvshmem_(my_pe|n_pes|quiet|signal_fetch)", true),
        /** Everything else. */
        OTHERS(".*", false);

        private final Pattern functions;
        /** Within reach, of the headers it needs types and constants only. */
        private final boolean own;

        Part(String functions, boolean own) {
            this.functions = Pattern.compile(functions);
            this.own = own;
        }

        /**
         * Of a function within reach, or over a network: collectives are one there, because the headers' share
         * functions with names.
         */
        static Part of(String function, boolean direct) {
            Part part = of(function);
            return part.isCollective() && !direct ? COLLECTIVES : part;
        }

        private static Part of(String function) {
            for (Part part : values()) {
                if (part.functions.matcher(function).matches()) {
                    return part;
                }
            }
            throw new IllegalArgumentException(function);
        }

        boolean isCollective() {
            return this == BARRIERS || this == REDUCTIONS || this == COLLECTIVES;
        }
    }

    private NvshmemUnit() {}

    /**
     * The unit.
     *
     * @param direct whether it is for PEs that all reach each other's memory by loads, stores and atomic instructions:
     *     then it is loads, stores and atomic instructions, which is less to compile, and its kernels must not run
     *     anywhere else
     * @param includes folders of NVSHMEM's and CUDA's headers
     * @param setUp as of {@link DeviceUnit#whenLoaded}
     */
    static DeviceUnit of(boolean direct, List<Path> includes, Function<CudaModule, Runnable> setUp) {
        return with(includes, DeviceUnit.onDemand(NAME, functions -> parts(functions, direct, includes)))
                .madeBy(NvshmemUnit.class, direct ? "direct" : "network")
                .whenLoaded(setUp);
    }

    private static DeviceUnit with(List<Path> includes, DeviceUnit unit) {
        DeviceUnit complete = unit.hostVariables(
                        "nvshmemi_device_state_d", "nvshmemi_device_lib_version_d", NvshmemCollectives.PEERS)
                .versionHeaders(
                        "non_abi/nvshmem_version.h",
                        "device/nvshmem_defines.h",
                        "cuda_runtime_api.h",
                        "crt/host_defines.h",
                        "cuda/std/__cccl/version.h",
                        "cuda/std/type_traits");
        for (Path include : includes) {
            complete = complete.include(include);
        }
        return complete;
    }

    private static List<DeviceUnit> parts(Set<String> called, boolean direct, List<Path> includes) {
        Version version = Declared.require(called, includes);
        Map<Part, Set<String>> kept = new EnumMap<>(Part.class);
        kept.put(Part.STATE, Set.of());
        for (String function : called) {
            if (Declared.names().contains(function)) {
                Part part = Part.of(function, direct);
                kept.computeIfAbsent(part, key -> new TreeSet<>()).add(function);
                if (direct && part.isCollective()) {
                    kept.put(Part.PEERS, Set.of());
                }
            }
        }
        // Of a part all functions are compiled, which takes as long as a few of them; but for reductions, which are
        // many, and the headers' collectives.
        for (String function : Declared.namesIn(version)) {
            Part part = Part.of(function, direct);
            if (kept.containsKey(part) && part != Part.REDUCTIONS && (direct || !part.isCollective())) {
                kept.get(part).add(function);
            }
        }
        List<DeviceUnit> units = new ArrayList<>();
        kept.forEach((part, functions) -> units.add(with(
                includes,
                DeviceUnit.source(
                        NAME + "_" + part.name().toLowerCase(Locale.ROOT),
                        source(part, functions, direct),
                        "-std=c++17",
                        "-default-device"))));
        return units;
    }

    private static String source(Part part, Set<String> kept, boolean direct) {
        StringBuilder text = new StringBuilder(direct ? DIRECT : "");
        if (part == Part.STATE || part == Part.PEERS) {
            return text.append(TYPES)
                    .append(part == Part.STATE ? STATE : NvshmemCollectives.VARIABLE)
                    .toString();
        }
        if (direct && part.own) {
            text.append(TYPES);
        } else {
            text.append(HEADERS)
                    .append(direct ? NO_NETWORK : "")
                    .append(part.isCollective() ? ONE_SIDED_HEADERS + COLLECTIVES : NO_COLLECTIVES + ONE_SIDED_HEADERS);
        }
        text.append(STATE_ELSEWHERE)
                .append(WORDS)
                .append(MOVES)
                .append(direct ? own(part, kept) : "")
                // Functions of which nobody takes the address are not compiled.
                .append("extern \"C\" __device__ void comm4j_")
                .append(part.name().toLowerCase(Locale.ROOT))
                .append("_functions(void **kept) {\n");
        int number = 0;
        for (String function : kept) {
            text.append("    kept[")
                    .append(number++)
                    .append("] = (void *) ")
                    .append(function)
                    .append(";\n");
        }
        return text.append("}\n").toString();
    }

    private static String own(Part part, Set<String> kept) {
        return switch (part) {
            case WORDS -> OWN_WORDS;
            case ATOMICS -> OWN_ATOMICS;
            case BARRIERS, REDUCTIONS, COLLECTIVES -> NvshmemCollectives.source(kept);
            default -> "";
        };
    }

    static boolean isCollective(String function) {
        return Part.of(function).isCollective();
    }
}
