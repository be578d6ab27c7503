// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUfunction;
import org.comm4j.ffi.handle.CUmodule;
import org.jspecify.annotations.Nullable;

/**
 * A function that runs on a device. Arguments are numbers of exactly the parameter's size ({@code int} for {@code int},
 * {@code long} for {@code size_t}), arrays for pointers, and memory segments for structs by value. Their number and
 * sizes are checked if the driver knows them, which is from CUDA 12.4 on.
 */
public final class CudaFunction {
    private static final int UNKNOWN = -1;

    private final CudaModule module;
    private final String name;
    private final CUfunction handle;
    private final int maxThreadsPerBlock;
    /** Bytes of each parameter; null if the driver cannot tell. */
    private final int @Nullable [] parameterBytes;

    private int dynamicSharedLimit;
    private boolean largeClusters;

    /** Of the last cooperative launch: its block, and how many of these run at the same time. */
    private int residentThreads;

    private int residentShared;
    private int resident;

    CudaFunction(CudaModule module, String name, CUfunction handle) {
        this.module = module;
        this.name = name;
        this.handle = handle;
        this.maxThreadsPerBlock = attribute(LibCuda.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
        this.dynamicSharedLimit = attribute(LibCuda.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
        this.parameterBytes = LibCuda.has("cuFuncGetParamInfo") ? parameters(handle) : null;
    }

    private static int[] parameters(CUfunction handle) {
        List<Integer> sizes = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment offset = arena.allocate(JAVA_LONG);
            MemorySegment size = arena.allocate(JAVA_LONG);
            while (true) {
                LibCuda.cuFuncGetParamInfo(handle, sizes.size(), offset, size);
                sizes.add((int) size.get(JAVA_LONG, 0));
            }
        } catch (NativeCallException e) {
            // The way to learn that there are no more.
            if (e.status() != LibCuda.CUDA_ERROR_INVALID_VALUE) {
                throw CudaException.of("ask for the parameters of a kernel", e);
            }
        }
        return sizes.stream().mapToInt(Integer::intValue).toArray();
    }

    public String name() {
        return name;
    }

    public CudaModule module() {
        return module;
    }

    public Device device() {
        return module.device();
    }

    /** Returns the driver's function, for calls of other libraries. */
    public CUfunction handle() {
        module.check();
        return handle;
    }

    /** Returns the number of parameters, or −1 if the driver cannot tell ({@code cuFuncGetParamInfo}). */
    public int parameterCount() {
        return parameterBytes == null ? UNKNOWN : parameterBytes.length;
    }

    /** The bytes of parameter {@code index}, or −1 if the driver cannot tell. */
    int parameterBytes(int index) {
        return parameterBytes == null ? UNKNOWN : parameterBytes[index];
    }

    /** Threads of a block, at most, with the registers that this kernel uses. */
    public int maxThreadsPerBlock() {
        return maxThreadsPerBlock;
    }

    /**
     * Any property of the driver's list ({@code cuFuncGetAttribute}).
     *
     * @param attribute one of {@code LibCuda.CU_FUNC_ATTRIBUTE_…}
     */
    public int attribute(int attribute) {
        return ask(
                "ask kernel " + name + " for attribute " + attribute,
                cell -> LibCuda.cuFuncGetAttribute(cell, attribute, handle));
    }

    /** Returns the number of blocks of this shape that run on one multiprocessor at the same time. */
    public int blocksPerMultiprocessor(int threadsPerBlock, int sharedBytes) {
        if (sharedBytes > dynamicSharedLimit && sharedBytes <= mostShared()) {
            // Else the answer is about memory that may not be asked for.
            allowShared(sharedBytes);
        }
        return ask(
                "ask for the occupancy of kernel " + name,
                cell -> LibCuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                        cell, handle, threadsPerBlock, sharedBytes));
    }

    /** The answer of a call that uses the code. */
    private int ask(String operation, Cuda.CellCall call) {
        CUmodule ignored = module.acquire();
        try {
            return device().intFrom(operation, call);
        } finally {
            module.release();
        }
    }

    /**
     * Returns the number of blocks of this shape that run on the device at the same time: the most that a cooperative
     * launch can have.
     */
    public int residentBlocks(int threadsPerBlock, int sharedBytes) {
        return blocksPerMultiprocessor(threadsPerBlock, sharedBytes)
                * device().properties().multiprocessors();
    }

    /**
     * Returns the number of clusters of a launch that run on the device at the same time ({@code
     * cuOccupancyMaxActiveClusters}); they may be fewer than multiprocessors divided by blocks, since a cluster is on
     * multiprocessors that are near to each other.
     *
     * @throws IllegalArgumentException if the shape does not fit this kernel or device
     */
    public int residentClusters(LaunchConfig config) {
        nonNull(config, "residentClusters", "config");
        allow(config);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment launch = PreparedLaunch.layOut(arena, config, false);
            return ask(
                    "ask for the clusters of kernel " + name,
                    cell -> LibCuda.cuOccupancyMaxActiveClusters(cell, handle, launch));
        }
    }

    /**
     * Returns the block with which the most threads run on a multiprocessor at the same time ({@code
     * cuOccupancyMaxPotentialBlockSize}).
     *
     * @param sharedBytes dynamic shared memory of a block
     * @return threads of a block
     */
    public int suggestedBlock(int sharedBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment grid = arena.allocate(JAVA_INT);
            return ask(
                    "ask for the best block of kernel " + name,
                    cell -> LibCuda.cuOccupancyMaxPotentialBlockSize(
                            grid, cell, handle, MemorySegment.NULL, sharedBytes, 0));
        }
    }

    /**
     * Puts the kernel into a stream ({@code cuLaunchKernelEx}).
     *
     * @param arguments {@code Byte}, {@code Short}, {@code Integer}, {@code Long}, {@code Float}, {@code Double},
     *     {@code Boolean} (one byte), {@link DeviceArray}, {@link PinnedArray}, a {@link MemorySegment} whose bytes are
     *     a struct, or a {@link KernelArgument}. Arrays must stay open, and host memory that the garbage collector
     *     frees reachable, until the stream has passed the kernel; those of another device are made accessible.
     * @throws IllegalArgumentException if an argument does not fit its parameter, or the shape this kernel or device
     */
    public void launch(LaunchConfig config, Stream stream, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            new PreparedLaunch(this, config, arena, arguments).launch(stream);
        }
    }

    /**
     * Returns a launch that is checked once and then repeated without allocation; arguments are as in {@link #launch}.
     */
    public PreparedLaunch prepare(LaunchConfig config, Object... arguments) {
        return new PreparedLaunch(this, config, Arena.ofAuto(), arguments);
    }

    /** Makes the function ready for launches of this shape, or says why it cannot be. */
    synchronized void allow(LaunchConfig config) {
        module.check();
        DeviceProperties properties = device().properties();
        if (config.threadsPerBlock() > maxThreadsPerBlock) {
            throw refused(
                    config,
                    "with its registers it runs with at most " + maxThreadsPerBlock
                            + " threads per block; compiled for larger blocks, by @Kernel(maxThreads = …) in Java or"
                            + " __launch_bounds__ in CUDA C++, it has fewer of them");
        }
        if (config.sharedBytes() > dynamicSharedLimit) {
            int most = mostShared();
            if (config.sharedBytes() > most) {
                throw refused(config, device() + " has " + most + " bytes of dynamic shared memory for a block of it");
            }
            allowShared(config.sharedBytes());
        }
        if (config.clusterBlocks() > 1) {
            if (!properties.clusterLaunch()) {
                throw refused(config, device() + " has no clusters; they need compute capability 9.0");
            }
            // More than 8 is not possible on every device that has clusters.
            if (config.clusterBlocks() > 8 && !largeClusters) {
                set(LibCuda.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
                largeClusters = true;
            }
        }
        if (config.cooperative()) {
            if (!properties.cooperativeLaunch()) {
                throw refused(config, device() + " has no cooperative launches");
            }
            if (config.threadsPerBlock() != residentThreads || config.sharedBytes() != residentShared) {
                resident = residentBlocks(config.threadsPerBlock(), config.sharedBytes());
                residentThreads = config.threadsPerBlock();
                residentShared = config.sharedBytes();
            }
            if (config.blocks() > resident) {
                throw refused(config, "only " + resident + " blocks of this shape run at the same time on " + device());
            }
        }
    }

    /** The most dynamic shared memory of a block, in bytes. */
    private int mostShared() {
        return device().properties().maxSharedBytesPerBlock() - attribute(LibCuda.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    }

    /** Never lowers the limit, which belongs to all objects of this kernel. */
    private void allowShared(int bytes) {
        synchronized (module) {
            dynamicSharedLimit = attribute(LibCuda.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
            if (bytes > dynamicSharedLimit) {
                set(LibCuda.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
                dynamicSharedLimit = bytes;
            }
        }
    }

    private void set(int attribute, int value) {
        CUmodule ignored = module.acquire();
        try {
            device().run(
                            "set attribute " + attribute + " of kernel " + name + " to " + value,
                            () -> LibCuda.cuFuncSetAttribute(handle, attribute, value));
        } finally {
            module.release();
        }
    }

    private IllegalArgumentException refused(LaunchConfig config, String why) {
        return new IllegalArgumentException("kernel " + name + " cannot be launched as " + config + ": " + why);
    }

    @Override
    public String toString() {
        return "CudaFunction[" + name + " on " + device() + (module.isOpen() ? "]" : ", unloaded]");
    }
}
