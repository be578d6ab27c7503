// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import org.comm4j.ffi.cuda.LibCuda;

/**
 * What does not change about a device ({@code cuDeviceGetAttribute}); {@link Device#attribute} gives the rest.
 *
 * @param multiprocessors the number of streaming multiprocessors
 * @param warpSize threads of a warp
 * @param maxThreadsPerBlock threads of a block, at most
 * @param maxThreadsPerMultiprocessor threads that reside on one multiprocessor, at most
 * @param sharedBytesPerBlock shared memory of a block without asking for more, in bytes
 * @param maxSharedBytesPerBlock shared memory of a block, at most, in bytes
 * @param l2Bytes second-level cache, in bytes
 * @param copyEngines copies that run at the same time as kernels
 * @param integrated whether the device uses the host's memory as its own
 * @param pageableMemoryAccess whether kernels can read host memory that was not pinned
 * @param memoryPools whether {@link MemoryPool} works
 * @param cooperativeLaunch whether all blocks of a grid can wait for each other
 * @param clusterLaunch whether blocks can form clusters
 * @param multicast whether the device takes part in multicast objects (NVLink SHARP)
 */
public record DeviceProperties(
        int multiprocessors,
        int warpSize,
        int maxThreadsPerBlock,
        int maxThreadsPerMultiprocessor,
        int sharedBytesPerBlock,
        int maxSharedBytesPerBlock,
        int l2Bytes,
        int copyEngines,
        boolean integrated,
        boolean pageableMemoryAccess,
        boolean memoryPools,
        boolean cooperativeLaunch,
        boolean clusterLaunch,
        boolean multicast) {

    static DeviceProperties of(Device device) {
        return new DeviceProperties(
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_WARP_SIZE),
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT),
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_INTEGRATED) != 0,
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0,
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) != 0,
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0,
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) != 0,
                device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED) != 0);
    }
}
