// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.CUlaunchAttribute;
import org.comm4j.ffi.cuda.CUlaunchConfig;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUfunction;
import org.comm4j.ffi.handle.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * A kernel with its shape and arguments, ready to be launched again and again; {@code set} changes an argument. Neither
 * allocates. For one thread at a time. The arguments count at the moment of {@link #launch}: setting one later does not
 * change launches before.
 */
public final class PreparedLaunch implements RepeatableLaunch {
    private final CudaFunction kernel;
    private final LaunchConfig config;
    private final CUfunction function;
    /** A {@code CUlaunchConfig}. */
    private final MemorySegment launch;
    /** The addresses of the values. */
    private final MemorySegment parameters;

    private final MemorySegment[] values;
    /** Arrays among the arguments: they must be open at each launch. */
    private final @Nullable Buffer[] arrays;
    /** Arrays that arguments made of bytes point into. */
    private final Buffer[] @Nullable [] inside;

    PreparedLaunch(CudaFunction kernel, LaunchConfig config, Arena arena, Object... arguments) {
        nonNull(config, "launch", "config");
        nonNull(arguments, "launch", "arguments");
        kernel.allow(config);
        int expected = kernel.parameterCount();
        if (expected >= 0 && expected != arguments.length) {
            throw new IllegalArgumentException("kernel " + kernel.name() + " has " + expected + " parameters, but "
                    + arguments.length + " arguments are given");
        }
        this.kernel = kernel;
        this.config = config;
        this.function = kernel.handle();
        this.values = new MemorySegment[arguments.length];
        this.arrays = new Buffer[arguments.length];
        this.inside = new Buffer[arguments.length][];
        this.parameters = arena.allocate(ADDRESS, Math.max(arguments.length, 1));
        for (int i = 0; i < arguments.length; i++) {
            values[i] = value(arena, i, arguments[i]);
            parameters.setAtIndex(ADDRESS, i, values[i]);
        }
        this.launch = layOut(arena, config, kernel.device().computeCapability().number() >= 90);
    }

    /**
     * Returns a {@code CUlaunchConfig} without stream.
     *
     * @param early whether the device can start a kernel while the one before it runs
     */
    static MemorySegment layOut(Arena arena, LaunchConfig config, boolean early) {
        MemorySegment launch = arena.allocate(CUlaunchConfig.LAYOUT);
        launch.set(JAVA_INT, CUlaunchConfig.gridDimX, config.gridX());
        launch.set(JAVA_INT, CUlaunchConfig.gridDimY, config.gridY());
        launch.set(JAVA_INT, CUlaunchConfig.gridDimZ, config.gridZ());
        launch.set(JAVA_INT, CUlaunchConfig.blockDimX, config.blockX());
        launch.set(JAVA_INT, CUlaunchConfig.blockDimY, config.blockY());
        launch.set(JAVA_INT, CUlaunchConfig.blockDimZ, config.blockZ());
        launch.set(JAVA_INT, CUlaunchConfig.sharedMemBytes, config.sharedBytes());
        MemorySegment attributes = arena.allocate(3 * CUlaunchAttribute.BYTES, 8);
        int count = 0;
        if (config.cooperative()) {
            MemorySegment attribute = attributes.asSlice(CUlaunchAttribute.BYTES * count++);
            attribute.set(JAVA_INT, CUlaunchAttribute.id, LibCuda.CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
            attribute.set(JAVA_INT, CUlaunchAttribute.value, 1);
        }
        if (config.clusterBlocks() > 1) {
            MemorySegment attribute = attributes.asSlice(CUlaunchAttribute.BYTES * count++);
            attribute.set(JAVA_INT, CUlaunchAttribute.id, LibCuda.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
            attribute.set(JAVA_INT, CUlaunchAttribute.value, config.clusterX());
            attribute.set(JAVA_INT, CUlaunchAttribute.value + 4, config.clusterY());
            attribute.set(JAVA_INT, CUlaunchAttribute.value + 8, config.clusterZ());
        }
        if (config.dependent() && early) {
            MemorySegment attribute = attributes.asSlice(CUlaunchAttribute.BYTES * count++);
            attribute.set(
                    JAVA_INT, CUlaunchAttribute.id, LibCuda.CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
            attribute.set(JAVA_INT, CUlaunchAttribute.value, 1);
        }
        launch.set(ADDRESS, CUlaunchConfig.attrs, attributes);
        launch.set(JAVA_INT, CUlaunchConfig.numAttrs, count);
        return launch;
    }

    private MemorySegment value(Arena arena, int index, Object argument) {
        Objects.requireNonNull(argument, () -> where(index) + " is null");
        MemorySegment value = switch (argument) {
            case Byte number -> arena.allocateFrom(JAVA_BYTE, number);
            case Boolean truth -> arena.allocateFrom(JAVA_BYTE, (byte) (truth ? 1 : 0));
            case Short number -> arena.allocateFrom(JAVA_SHORT, number);
            case Integer number -> arena.allocateFrom(JAVA_INT, number);
            case Long number -> arena.allocateFrom(JAVA_LONG, number);
            case Float number -> arena.allocateFrom(JAVA_FLOAT, number);
            case Double number -> arena.allocateFrom(JAVA_DOUBLE, number);
            case Buffer array -> {
                check(index, array);
                arrays[index] = array;
                yield arena.allocateFrom(JAVA_LONG, array.address());
            }
            case MemorySegment struct -> {
                MemorySegment copy = arena.allocate(struct.byteSize(), 16);
                yield copy.copyFrom(struct);
            }
            case KernelArgument packed -> {
                MemorySegment copy =
                        arena.allocate(packed.bytes().byteSize(), 16).copyFrom(packed.bytes());
                keep(index, packed);
                yield copy;
            }
            default ->
                throw new IllegalArgumentException(where(index) + " is a "
                        + argument.getClass().getName()
                        + "; kernels take numbers, arrays, memory segments (structs) and KernelArgument");
        };
        int expected = kernel.parameterBytes(index);
        if (expected >= 0 && expected != value.byteSize()) {
            throw wrongSize(index, value.byteSize(), expected);
        }
        return value;
    }

    private void keep(int index, KernelArgument packed) {
        Buffer[] kept = packed.arrays().toArray(Buffer[]::new);
        for (Buffer array : kept) {
            check(index, array);
        }
        arrays[index] = null;
        inside[index] = kept.length == 0 ? null : kept;
    }

    private void check(int index, Buffer array) {
        if (!array.isAlive()) {
            throw new IllegalStateException(where(index) + ": " + array + " was freed");
        }
        if (array instanceof DeviceArray there) {
            if (!there.device().isSame(kernel.device())) {
                there.reachFrom(kernel.device());
            }
        } else if (!(array instanceof HostArray)) {
            throw new IllegalArgumentException(where(index) + ": " + array + " is no memory of a device or host");
        } else if (!(array instanceof PinnedArray)
                && !kernel.device().properties().pageableMemoryAccess()) {
            throw new IllegalArgumentException(where(index) + ": " + array + " is host memory that " + kernel.device()
                    + " cannot reach; use Device.allocatePinned, or copy it to a DeviceArray");
        }
    }

    private String where(int index) {
        return "argument " + index + " of kernel " + kernel.name();
    }

    private IllegalArgumentException wrongSize(int index, long bytes, long expected) {
        return new IllegalArgumentException(
                where(index) + " has " + bytes + " bytes, but the parameter has " + expected);
    }

    private MemorySegment slot(int index, int bytes) {
        if (index < 0 || index >= values.length) {
            throw new IndexOutOfBoundsException(
                    "kernel " + kernel.name() + " has " + values.length + " arguments, there is no argument " + index);
        }
        MemorySegment value = values[index];
        if (value.byteSize() != bytes) {
            throw wrongSize(index, bytes, value.byteSize());
        }
        return value;
    }

    /** Where a number goes that takes the place of what was there. */
    private MemorySegment number(int index, int bytes) {
        MemorySegment slot = slot(index, bytes);
        arrays[index] = null;
        inside[index] = null;
        return slot;
    }

    /**
     * Another number for an argument, of exactly its parameter's size; {@code set} of other types does the same.
     *
     * @param index from 0
     * @throws IndexOutOfBoundsException if there is no such argument
     * @throws IllegalArgumentException if the argument before had another number of bytes; nothing has changed then
     */
    @Override
    public PreparedLaunch set(int index, int value) {
        number(index, Integer.BYTES).set(JAVA_INT, 0, value);
        return this;
    }

    @Override
    public PreparedLaunch set(int index, long value) {
        number(index, Long.BYTES).set(JAVA_LONG, 0, value);
        return this;
    }

    @Override
    public PreparedLaunch set(int index, float value) {
        number(index, Float.BYTES).set(JAVA_FLOAT, 0, value);
        return this;
    }

    @Override
    public PreparedLaunch set(int index, double value) {
        number(index, Double.BYTES).set(JAVA_DOUBLE, 0, value);
        return this;
    }

    @Override
    public PreparedLaunch set(int index, boolean value) {
        number(index, Byte.BYTES).set(JAVA_BYTE, 0, (byte) (value ? 1 : 0));
        return this;
    }

    /**
     * The bytes of an argument.
     *
     * @throws IllegalArgumentException if it has not as many bytes as the argument before, or the device cannot reach
     *     its arrays
     * @throws IllegalStateException if one of them was freed; nothing has changed then
     */
    public PreparedLaunch set(int index, KernelArgument argument) {
        nonNull(argument, "set", "argument");
        MemorySegment slot = slot(index, Math.toIntExact(argument.bytes().byteSize()));
        keep(index, argument);
        slot.copyFrom(argument.bytes());
        return this;
    }

    /**
     * Another array for an argument.
     *
     * @param array a {@link DeviceArray}, {@link PinnedArray} or other host memory that the device can reach
     * @throws IllegalArgumentException if the device cannot reach it, or the argument is no pointer
     * @throws IllegalStateException if it was freed; nothing has changed then
     */
    @Override
    public PreparedLaunch set(int index, Buffer array) {
        nonNull(array, "set", "array");
        MemorySegment slot = slot(index, Long.BYTES);
        check(index, array);
        slot.set(JAVA_LONG, 0, array.address());
        arrays[index] = array;
        inside[index] = null;
        return this;
    }

    /**
     * Puts the kernel into the stream with the arguments as they are now ({@code cuLaunchKernelEx}).
     *
     * @throws IllegalArgumentException if the stream is another device's
     * @throws IllegalStateException if the stream, the module or an array among the arguments was closed
     */
    public void launch(Stream stream) {
        nonNull(stream, "launch", "stream");
        if (!stream.device().isSame(kernel.device())) {
            throw new IllegalArgumentException("launch: " + stream + " is not on the device of " + kernel);
        }
        CUstream queue = stream.acquire();
        try {
            kernel.module().usedIn(stream);
            for (int i = 0; i < arrays.length; i++) {
                use(i, stream);
            }
            kernel.device().enter();
            launch.set(JAVA_LONG, CUlaunchConfig.hStream, queue.address());
            LibCuda.cuLaunchKernelEx(launch, function, parameters, MemorySegment.NULL);
        } catch (NativeCallException e) {
            throw CudaException.of("launch of " + kernel + " (" + config + ")", e);
        } finally {
            stream.release();
        }
    }

    /**
     * Puts the kernel into the device's default stream, and waits for that. Kernels that wait for each other need
     * streams of their own.
     */
    @Override
    public void launch() {
        Stream stream = kernel.device().defaultStream();
        launch(stream);
        stream.synchronize();
    }

    private void use(int index, Stream stream) {
        use(index, arrays[index], stream);
        Buffer @Nullable [] more = inside[index];
        for (int i = 0; more != null && i < more.length; i++) {
            use(index, more[i], stream);
        }
    }

    private void use(int index, @Nullable Buffer array, Stream stream) {
        if (array != null && !array.isAlive()) {
            throw new IllegalStateException(where(index) + ": " + array + " was freed");
        }
        if (array instanceof DeviceArray here) {
            here.usedIn(stream);
        } else if (array instanceof HostArray host) {
            PinnedArray.usedIn(host, stream);
            Recording.takes(host, stream);
        }
    }

    public CudaFunction function() {
        return kernel;
    }

    public LaunchConfig config() {
        return config;
    }

    @Override
    public String toString() {
        return "PreparedLaunch[" + kernel.name() + ", " + config + "]";
    }
}
