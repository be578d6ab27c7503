// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.comm4j.cuda.CudaModule;
import org.comm4j.kernel.DeviceFunction;
import org.comm4j.kernel.DeviceUnit;

/**
 * NVSHMEM's device code, compiled from the headers of the installed version. There is no library of it that could be linked and inlined, but the headers have all of it:
 * a function that takes the addresses of others makes the compiler keep them under their own names.
 */
final class NvshmemUnit {
    /** As {@link DeviceFunction#unit} calls it. */
    static final String NAME = "nvshmem";

    /** Their names in C; everything else is one-sided. Collectives take seconds to compile and link, so that a kernel gets those that it calls only. */
    private static final Pattern COLLECTIVE = Pattern.compile(
            "nvshmemx?_.*(reduce|reducescatter|alltoall|fcollect|broadcast|barrier|sync)(mem|_all)?(_warp|_block)?");

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
            #include "device/nvshmem_defines.h"
            #include "device/nvshmemx_defines.h"
            """;

    private static final String COLLECTIVES = """
            #include "device/nvshmem_coll_defines.cuh"
            #include "device/nvshmemx_coll_defines.cuh"
            """;

    /** The variables into which the host library writes where the heaps are. */
    private static final String STATE = """
            __constant__ nvshmemi_device_host_state_t nvshmemi_device_state_d;
            __constant__ nvshmemi_version_t nvshmemi_device_lib_version_d = {
                NVSHMEM_VENDOR_MAJOR_VERSION, NVSHMEM_VENDOR_MINOR_VERSION, NVSHMEM_VENDOR_PATCH_VERSION};
            """;

    /**
     * Moves to and from memory that this GPU reaches: each thread has eight words under way, where the headers' loops have one or few. Words are as wide as alignment allows, as there,
     * so that an element is written at once.
     */
    private static final String MOVES = """
            template <typename T>
            static __device__ __forceinline__ void comm4j_copy_words(
                    char *__restrict__ to, const char *__restrict__ from, size_t count, size_t index, size_t threads) {
                const int BATCH = 8;
                T *__restrict__ destination = (T *) to;
                const T *__restrict__ source = (const T *) from;
                for (size_t i = index; i < count; i += BATCH * threads) {
                    T words[BATCH];
                    #pragma unroll
                    for (int k = 0; k < BATCH; k++) {
                        if (i + k * threads < count) {
                            words[k] = source[i + k * threads];
                        }
                    }
                    #pragma unroll
                    for (int k = 0; k < BATCH; k++) {
                        if (i + k * threads < count) {
                            destination[i + k * threads] = words[k];
                        }
                    }
                }
            }

            static __device__ __forceinline__ void comm4j_copy(
                    char *to, const char *from, size_t bytes, size_t index, size_t threads) {
                #define COMM4J_COPY(T) \
                    if (bytes >= sizeof(T) && (((size_t) to | (size_t) from) & (sizeof(T) - 1)) == 0) { \
                        comm4j_copy_words<T>(to, from, bytes / sizeof(T), index, threads); \
                        size_t copied = bytes & ~(sizeof(T) - 1); \
                        to += copied; \
                        from += copied; \
                        bytes -= copied; \
                    }
                COMM4J_COPY(uint4)
                COMM4J_COPY(unsigned long long)
                COMM4J_COPY(unsigned)
                COMM4J_COPY(unsigned short)
                COMM4J_COPY(unsigned char)
            }

            static __device__ __forceinline__ size_t comm4j_thread() {
                return threadIdx.x + blockDim.x * (threadIdx.y + (size_t) blockDim.y * threadIdx.z);
            }

            static __device__ __forceinline__ size_t comm4j_threads() {
                return (size_t) blockDim.x * blockDim.y * blockDim.z;
            }

            #define COMM4J_MOVE(OTHERS, NAME, NAMED, TO, FROM, INDEX, THREADS, MEET) \
                extern "C" __device__ void NAME(char *to, const char *from, size_t bytes, int pe) { \
                    char *there = (char *) nvshmem_ptr(NAMED, pe); \
                    if (there != nullptr) { \
                        MEET; \
                        comm4j_copy(TO, FROM, bytes, INDEX, THREADS); \
                        MEET; \
                    } else { \
                        OTHERS(to, from, bytes, pe); \
                    } \
                }
            #define COMM4J_SIGNAL(OTHERS, NAME, INDEX, THREADS, MEET) \
                extern "C" __device__ void NAME( \
                    char *to, const char *from, size_t bytes, uint64_t *signal, uint64_t value, int op, int pe) { \
                    char *there = (char *) nvshmem_ptr(to, pe); \
                    if (there != nullptr) { \
                        MEET; \
                        comm4j_copy(there, from, bytes, INDEX, THREADS); \
                        MEET; \
                        if (INDEX == 0) { \
                            __threadfence_system(); \
                            nvshmemx_signal_op(signal, value, op, pe); \
                        } \
                        MEET; \
                    } else { \
                        OTHERS(to, from, bytes, signal, value, op, pe); \
                    } \
                }
            #define COMM4J_MOVES(X, SUFFIX, INDEX, THREADS, MEET) \
                COMM4J_MOVE(nvshmem##X##_putmem##SUFFIX, comm4j_putmem##SUFFIX, to, there, from, INDEX, THREADS, MEET) \
                COMM4J_MOVE(nvshmem##X##_putmem_nbi##SUFFIX, comm4j_putmem_nbi##SUFFIX, to, there, from, INDEX, THREADS, MEET) \
                COMM4J_MOVE(nvshmem##X##_getmem##SUFFIX, comm4j_getmem##SUFFIX, from, to, there, INDEX, THREADS, MEET) \
                COMM4J_MOVE(nvshmem##X##_getmem_nbi##SUFFIX, comm4j_getmem_nbi##SUFFIX, from, to, there, INDEX, THREADS, MEET) \
                COMM4J_SIGNAL(nvshmem##X##_putmem_signal##SUFFIX, comm4j_putmem_signal##SUFFIX, INDEX, THREADS, MEET) \
                COMM4J_SIGNAL(nvshmem##X##_putmem_signal_nbi##SUFFIX, comm4j_putmem_signal_nbi##SUFFIX, INDEX, THREADS, MEET)
            COMM4J_MOVES(, , 0, 1, )
            COMM4J_MOVES(x, _warp, comm4j_thread() % 32, (comm4j_threads() < 32 ? comm4j_threads() : 32), __syncwarp())
            COMM4J_MOVES(x, _block, comm4j_thread(), comm4j_threads(), __syncthreads())
            """;

    private NvshmemUnit() {}

    /**
     * The unit.
     *
     * @param includes folders of NVSHMEM's and CUDA's headers
     * @param setUp as of {@link DeviceUnit#whenLoaded}
     */
    static DeviceUnit of(List<Path> includes, Function<CudaModule, Runnable> setUp) {
        return DeviceUnit.onDemand(NAME, functions -> source(functions, includes))
                .whenLoaded(setUp);
    }

    private static DeviceUnit source(Set<String> called, List<Path> includes) {
        Version version = Declared.require(called, includes);
        Set<String> collectives = new TreeSet<>();
        for (String function : called) {
            if (isCollective(function)) {
                collectives.add(function);
            }
        }
        // One-sided functions are always compiled all, once for a machine: that takes as long as a few of them.
        Set<String> kept = new TreeSet<>(collectives);
        Declared.namesIn(version).stream().filter(name -> !isCollective(name)).forEach(kept::add);
        StringBuilder text = new StringBuilder(HEADERS);
        if (!collectives.isEmpty()) {
            text.append(COLLECTIVES);
        }
        text.append(STATE)
                .append(MOVES)
                .append("extern \"C\" __device__ void comm4j_nvshmem_functions(void **kept) {\n");
        int number = 0;
        for (String function : kept) {
            text.append("    kept[")
                    .append(number++)
                    .append("] = (void *) ")
                    .append(function)
                    .append(";\n");
        }
        text.append("}\n");
        DeviceUnit unit = DeviceUnit.source(NAME, text.toString(), "-std=c++17", "-default-device")
                .versionHeaders(
                        "non_abi/nvshmem_version.h",
                        "device/nvshmem_defines.h",
                        "cuda_runtime_api.h",
                        "crt/host_defines.h",
                        "cuda/std/__cccl/version.h",
                        "cuda/std/type_traits");
        for (Path include : includes) {
            unit = unit.include(include);
        }
        return unit;
    }

    static boolean isCollective(String function) {
        return COLLECTIVE.matcher(function).matches();
    }
}
