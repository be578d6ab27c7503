// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.nio.file.Path;
import java.util.List;
import org.comm4j.kernel.DeviceUnit;

/**
 * NCCL's functions for the network (GIN), compiled from the headers of the installed version: they are templates, of
 * which a function of C for each of {@link GinFunctions} makes use. The code that NCCL ships as LTO-IR from 2.31 on is
 * not used: it is for the newest nvJitLink only, takes ten seconds to link, and is called rather than inlined.
 */
final class GinUnit {
    /** As {@link org.comm4j.kernel.lang.DeviceFunction#unit} calls it. */
    static final String NAME = "nccl-gin";

    /** What NCCL's headers expect of the system's, and of nvcc. */
    private static final String BEFORE = """
        #include <cuda_runtime.h>
        #include <cuda/atomic>
        #include <cuda/std/climits>
        #include <cuda/std/cstdint>
        #include <cuda/std/type_traits>
        namespace std {
        using namespace cuda::std;
        }
        #ifndef CUDA_VERSION
        #define CUDA_VERSION CUDART_VERSION
        #endif
        #ifndef INT_MAX
        #define INT_MAX 2147483647
        #define INT_MIN (-INT_MAX - 1)
        #endif
        // Of the driver's header.
        enum CUmemLocationType : int { CU_MEM_LOCATION_TYPE_HOST_NUMA = 3 };
        // Functions of the host are declared, too.
        #undef __host__
        #define __host__
        #define assert(condition)
        #define __builtin_memcpy memcpy
        #define EIO 5
        #define EBUSY 16
        #define EINVAL 22
        typedef unsigned char __u8;
        typedef unsigned short __u16, __be16;
        typedef unsigned int __u32, __be32;
        typedef unsigned long long __u64, __be64;
        #define typeof(x) cuda::std::remove_reference_t<decltype(x)>
        template <typename T>
        __device__ __forceinline__ volatile T &comm4j_once(T &x) {
            return x;
        }
        template <typename T>
        __device__ __forceinline__ volatile T &comm4j_once(volatile T &x) {
            return x;
        }
        #define READ_ONCE(x) comm4j_once(x)
        #define WRITE_ONCE(x, v) (comm4j_once(x) = (v))
        #define GPI_READ_ONCE(x) comm4j_once(x)
        #define GPI_WRITE_ONCE(x, v) (comm4j_once(x) = (v))
        #define NCCL_GIN_EFA_GDA_ENABLE 0
        """;

    private static final String[] HEADERS = {
        "nccl.h",
        "nccl_device/impl/comm__funcs.h",
        "nccl_device/impl/core__funcs.h",
        "nccl_device/impl/ptr__funcs.h",
        "nccl_device/impl/gin__funcs.h"
    };

    /**
     * The functions. What is done to a signal is a type in C++, and a constant in kernels, so that one branch is left
     * of these.
     */
    private static final String FUNCTIONS = """
        static __device__ __forceinline__ ncclTeam comm4j_team(int size, int rank, int stride) {
            ncclTeam team;
            team.nRanks = size;
            team.rank = rank;
            team.stride = stride;
            return team;
        }

        template <typename F>
        static __device__ __forceinline__ void comm4j_with(int op, int signal, uint64_t value, F put) {
            if (op == 0) {
                put(ncclGin_None());
            } else if (op == 1) {
                put(ncclGin_SignalInc{(ncclGinSignal_t) signal});
            } else {
                put(ncclGin_SignalAdd{(ncclGinSignal_t) signal, value});
            }
        }

        extern "C" __device__ void comm4j_gin_put(
                ncclDevComm *comm, int context, int size, int rank, int stride, int peer, ncclWindow_t to, size_t toOffset,
                ncclWindow_t from, size_t fromOffset, size_t bytes, int op, int signal, uint64_t value, int counter) {
            ncclGin gin(*comm, context);
            ncclTeam team = comm4j_team(size, rank, stride);
            comm4j_with(op, signal, value, [&](auto action) {
                if (counter < 0) {
                    gin.put(team, peer, to, toOffset, from, fromOffset, bytes, action);
                } else {
                    gin.put(team, peer, to, toOffset, from, fromOffset, bytes, action,
                            ncclGin_CounterInc{(ncclGinCounter_t) counter});
                }
            });
        }

        extern "C" __device__ void comm4j_gin_put_value(
                ncclDevComm *comm, int context, int size, int rank, int stride, int peer, ncclWindow_t to, size_t toOffset,
                uint64_t bits, int bytes, int op, int signal, uint64_t value) {
            ncclGin gin(*comm, context);
            ncclTeam team = comm4j_team(size, rank, stride);
            comm4j_with(op, signal, value, [&](auto action) {
                if (bytes == 4) {
                    gin.putValue(team, peer, to, toOffset, (uint32_t) bits, action);
                } else {
                    gin.putValue(team, peer, to, toOffset, bits, action);
                }
            });
        }

        extern "C" __device__ void comm4j_gin_signal(
                ncclDevComm *comm, int context, int size, int rank, int stride, int peer, int op, int signal, uint64_t value) {
            ncclGin gin(*comm, context);
            ncclTeam team = comm4j_team(size, rank, stride);
            if (op == 1) {
                gin.signal(team, peer, ncclGin_SignalInc{(ncclGinSignal_t) signal});
            } else {
                gin.signal(team, peer, ncclGin_SignalAdd{(ncclGinSignal_t) signal, value});
            }
        }

        #if NCCL_VERSION_CODE >= 23007
        extern "C" __device__ void comm4j_gin_get(
                ncclDevComm *comm, int context, int size, int rank, int stride, int peer, ncclWindow_t from, size_t fromOffset,
                ncclWindow_t to, size_t toOffset, size_t bytes) {
            ncclGin(*comm, context)
                .get(comm4j_team(size, rank, stride), peer, from, fromOffset, to, toOffset, bytes);
        }
        #endif

        extern "C" __device__ void comm4j_gin_flush(ncclDevComm *comm, int context) {
            ncclGin(*comm, context).flush(ncclCoopThread());
        }

        extern "C" __device__ bool comm4j_gin_ordered(ncclDevComm *comm, int context) {
        #if NCCL_VERSION_CODE >= 23102
            return ncclGin(*comm, context)._supportsStrongSignal();
        #else
            return NCCL_VERSION_CODE < 22900;
        #endif
        }

        extern "C" __device__ uint64_t comm4j_gin_read_signal(ncclDevComm *comm, int context, int signal) {
            return ncclGin(*comm, context).readSignal(signal);
        }

        extern "C" __device__ void comm4j_gin_reset_signal(ncclDevComm *comm, int context, int signal) {
            ncclGin(*comm, context).resetSignal(signal);
        }

        extern "C" __device__ uint64_t *comm4j_gin_shadow(ncclDevComm *comm, int context, int signal) {
            return ncclGin(*comm, context).getSignalShadowPtr(signal);
        }

        extern "C" __device__ uint64_t comm4j_gin_read_counter(ncclDevComm *comm, int context, int counter) {
            return ncclGin(*comm, context).readCounter(counter);
        }

        extern "C" __device__ void comm4j_gin_reset_counter(ncclDevComm *comm, int context, int counter) {
            ncclGin(*comm, context).resetCounter(counter);
        }
        """;

    private GinUnit() {}

    /** Its source. */
    static String text(Path nccl) {
        return BEFORE + NcclHeaders.text(nccl, HEADERS) + FUNCTIONS;
    }

    /** With NCCL's headers in a folder, and CUDA's. */
    static DeviceUnit of(Path nccl, List<Path> cuda) {
        DeviceUnit unit = DeviceUnit.source(NAME, text(nccl), "-std=c++17", "-default-device", "-w")
                .hostVariables("none")
                .versionHeaders(
                        "cuda_runtime_api.h",
                        "crt/host_defines.h",
                        "cuda/std/__cccl/version.h",
                        "cuda/std/type_traits");
        for (Path folder : cuda) {
            unit = unit.include(folder);
        }
        return unit;
    }
}
