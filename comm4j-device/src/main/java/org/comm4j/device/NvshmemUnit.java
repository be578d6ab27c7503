// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.lang.reflect.Method;
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

    /** One-sided functions are always compiled all, once for a machine: that takes as long as a few of them. */
    private static final Set<String> ONE_SIDED = oneSided();

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

    /** The waits for all variables: the pointer to those that are left out is null. */
    private static final String WAITS = """
            #define COMM4J_WAITS(NAME, T, SUFFIX, VALUE) \\
                extern "C" __device__ void comm4j_##NAME##_wait_until_all##SUFFIX(T *v, size_t n, int c, VALUE x) { \\
                    nvshmem_##NAME##_wait_until_all##SUFFIX(v, n, nullptr, c, x); \\
                } \\
                extern "C" __device__ size_t comm4j_##NAME##_wait_until_any##SUFFIX(T *v, size_t n, int c, VALUE x) { \\
                    return nvshmem_##NAME##_wait_until_any##SUFFIX(v, n, nullptr, c, x); \\
                } \\
                extern "C" __device__ size_t comm4j_##NAME##_wait_until_some##SUFFIX( \\
                    T *v, size_t n, size_t *found, int c, VALUE x) { \\
                    return nvshmem_##NAME##_wait_until_some##SUFFIX(v, n, found, nullptr, c, x); \\
                } \\
                extern "C" __device__ int comm4j_##NAME##_test_all##SUFFIX(T *v, size_t n, int c, VALUE x) { \\
                    return nvshmem_##NAME##_test_all##SUFFIX(v, n, nullptr, c, x); \\
                } \\
                extern "C" __device__ size_t comm4j_##NAME##_test_any##SUFFIX(T *v, size_t n, int c, VALUE x) { \\
                    return nvshmem_##NAME##_test_any##SUFFIX(v, n, nullptr, c, x); \\
                } \\
                extern "C" __device__ size_t comm4j_##NAME##_test_some##SUFFIX(T *v, size_t n, size_t *found, int c, VALUE x) { \\
                    return nvshmem_##NAME##_test_some##SUFFIX(v, n, found, nullptr, c, x); \\
                }
            COMM4J_WAITS(int32, int32_t, , int32_t)
            COMM4J_WAITS(int32, int32_t, _vector, int32_t *)
            COMM4J_WAITS(int64, int64_t, , int64_t)
            COMM4J_WAITS(int64, int64_t, _vector, int64_t *)
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
        Set<String> collectives = new TreeSet<>();
        for (String function : called) {
            if (isCollective(function)) {
                collectives.add(function);
            }
        }
        Set<String> kept = new TreeSet<>(ONE_SIDED);
        kept.addAll(collectives);
        StringBuilder text = new StringBuilder(HEADERS);
        if (!collectives.isEmpty()) {
            text.append(COLLECTIVES);
        }
        text.append(STATE)
                .append(WAITS)
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

    private static Set<String> oneSided() {
        Set<String> names = new TreeSet<>();
        for (Method method : NvshmemFunctions.class.getDeclaredMethods()) {
            DeviceFunction function = method.getAnnotation(DeviceFunction.class);
            if (function != null && !isCollective(function.value())) {
                names.add(function.value());
            }
        }
        return names;
    }
}
