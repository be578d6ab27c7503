// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.Callbacks;
import org.comm4j.ffi.NativeAccess;
import org.comm4j.ffi.NativeMemory;

/**
 * Arrays that cross to and from other libraries of this process without a copy, as DLPack tensors: PyTorch, JAX, CuPy,
 * TensorFlow, ONNX Runtime and others know them. A tensor is a struct in memory, given by its address; whoever takes it
 * calls the function that it carries when it needs the memory no more.
 *
 * <p>Ordering is the caller's business: work on the memory that the giving side has started must be done, or waited for
 * by the streams of the taking side. Arrays have no shape here; a tensor of any shape becomes its elements in C order.
 *
 * <p>A tensor's address is taken on trust, memory and function that the struct names included. Methods that get one are
 * restricted: the caller's module needs {@linkplain NativeAccess native access}.
 */
public final class DlPack {
    /** The two structs in use. */
    public enum Form {
        /**
         * {@code DLManagedTensorVersioned}, of DLPack 1.x; Python has it in capsules of the name {@code
         * dltensor_versioned}.
         */
        VERSIONED,
        /** {@code DLManagedTensor}, of all versions before; it has no {@link Flag}. Python: {@code dltensor}. */
        LEGACY
    }

    /** What a tensor of DLPack 1.x says about its memory. */
    public enum Flag {
        /** Nobody may write there ({@code DLPACK_FLAG_BITMASK_READ_ONLY}). */
        READ_ONLY(1),
        /**
         * It was copied for whoever takes it, so that nobody else sees what he writes ({@code
         * DLPACK_FLAG_BITMASK_IS_COPIED}).
         */
        COPIED(2),
        /**
         * Types of less than a byte have a byte each ({@code DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED}); we have none
         * of these.
         */
        SUBBYTE_PADDED(4);

        private final long bit;

        Flag(long bit) {
            this.bit = bit;
        }

        private static Set<Flag> of(long bits) {
            Set<Flag> flags = EnumSet.noneOf(Flag.class);
            for (Flag flag : values()) {
                if ((bits & flag.bit) != 0) {
                    flags.add(flag);
                }
            }
            return flags;
        }
    }

    static final int CPU = 1;
    static final int CUDA = 2;
    static final int CUDA_HOST = 3;
    static final int CUDA_MANAGED = 13;

    /** Offsets in {@code DLTensor}. */
    static final long DATA = 0;

    static final long DEVICE_TYPE = 8;
    static final long DEVICE_ID = 12;
    static final long NDIM = 16;
    static final long TYPE_CODE = 20;
    static final long TYPE_BITS = 21;
    static final long TYPE_LANES = 22;
    static final long SHAPE = 24;
    static final long STRIDES = 32;
    static final long BYTE_OFFSET = 40;

    private static final int MAJOR = 1;
    /** The first one with numbers for types of 8-bit floats; readers only look at the other number. */
    private static final int MINOR = 1;

    /** A {@code DLManagedTensor…}: where its parts are. */
    enum Layout {
        VERSIONED(80, 32, 8, 16),
        LEGACY(64, 0, 48, 56);

        final long bytes;
        final long tensor;
        final long managerContext;
        final long deleter;

        Layout(long bytes, long tensor, long managerContext, long deleter) {
            this.bytes = bytes;
            this.tensor = tensor;
            this.managerContext = managerContext;
            this.deleter = deleter;
        }

        static Layout of(Form form) {
            return switch (form) {
                case VERSIONED -> VERSIONED;
                case LEGACY -> LEGACY;
            };
        }
    }

    static final long VERSION_MAJOR = 0;
    static final long VERSION_MINOR = 4;
    static final long FLAGS = 24;

    private static final System.Logger LOG = System.getLogger("org.comm4j.cuda");
    private static final String NOT_GIVEN_BACK = "the memory of a DLPack tensor could not be given back";

    /** What we gave and did not get back yet, by the struct's address. */
    private static final Map<Long, Lent> LENT = new ConcurrentHashMap<>();

    private static final MemorySegment TAKE_BACK = Callbacks.pointerTo(DlPack::takeBack, Arena.global());

    /**
     * @param struct holds the struct
     * @param array must not be collected before
     * @param giveBack lets its memory go
     */
    private record Lent(Arena struct, Buffer array, Runnable giveBack) {}

    private DlPack() {}

    // ---- giving ----

    /**
     * Lends an array. Device memory, and pinned memory, stays until the tensor comes back, even if the array is closed
     * before.
     *
     * @param array a {@link DeviceArray}, {@link PinnedArray} or other {@link HostArray}; the last must stay alive by
     *     the caller's care if an arena owns it
     * @param shape the tensor's shape, of {@code array.count()} elements in C order; none for one dimension
     * @return the address of the tensor; it must be taken by somebody, or given to {@link #discard}
     */
    public static long lend(Buffer array, Form form, long... shape) {
        nonNull(array, "lend", "array");
        nonNull(form, "lend", "form");
        nonNull(shape, "lend", "shape");
        return lend(array, form, Set.of(), shape);
    }

    /**
     * {@link #lend(Buffer, Form, long...)} with what there is to say about the memory. An array over a read-only memory
     * segment is {@link Flag#READ_ONLY} without being asked.
     *
     * @param flags none for {@link Form#LEGACY}, whose struct has no place for them
     * @throws IllegalArgumentException if a flag would get lost
     */
    public static long lend(Buffer array, Form form, Set<Flag> flags, long... shape) {
        nonNull(array, "lend", "array");
        nonNull(form, "lend", "form");
        nonNull(flags, "lend", "flags");
        nonNull(shape, "lend", "shape");
        boolean readOnly = array instanceof HostArray host && host.segment().isReadOnly();
        if (form == Form.LEGACY && (readOnly || !flags.isEmpty())) {
            throw new IllegalArgumentException("lend: the legacy form cannot say that " + array + " is "
                    + (readOnly ? "read-only" : flags) + "; use the versioned one, or lend a copy");
        }
        if (!array.isAlive()) {
            throw new IllegalStateException("lend: " + array + " was freed");
        }
        long[] extents = shape.length == 0 ? new long[] {array.count()} : shape;
        checkShape(array, extents);
        Layout layout = Layout.of(form);
        Arena arena = Arena.ofShared();
        try {
            MemorySegment managed = arena.allocate(layout.bytes, 8);
            if (form == Form.VERSIONED) {
                managed.set(JAVA_INT, VERSION_MAJOR, MAJOR);
                managed.set(JAVA_INT, VERSION_MINOR, MINOR);
                long bits = flags.stream().mapToLong(flag -> flag.bit).sum();
                managed.set(JAVA_LONG, FLAGS, readOnly ? bits | Flag.READ_ONLY.bit : bits);
            }
            managed.set(JAVA_LONG, layout.deleter, TAKE_BACK.address());
            MemorySegment tensor = managed.asSlice(layout.tensor);
            tensor.set(JAVA_LONG, DATA, array.address());
            tensor.set(JAVA_INT, NDIM, extents.length);
            tensor.set(JAVA_LONG, SHAPE, arena.allocateFrom(JAVA_LONG, extents).address());
            tensor.set(
                    JAVA_LONG,
                    STRIDES,
                    arena.allocateFrom(JAVA_LONG, denseStrides(extents)).address());
            putDevice(tensor, array);
            putType(tensor, array.type());
            LENT.put(managed.address(), new Lent(arena, array, keep(array)));
            return managed.address();
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    private static void checkShape(Buffer array, long[] extents) {
        if (elements(extents) != array.count()) {
            throw new IllegalArgumentException(
                    "lend: the shape " + Arrays.toString(extents) + " has not the number of elements of " + array);
        }
    }

    /** The number of elements of a shape; −1 if it is none: an extent is negative, or they are too many to count. */
    private static long elements(long[] shape) {
        if (Arrays.stream(shape).anyMatch(extent -> extent < 0)) {
            return -1;
        }
        if (Arrays.stream(shape).anyMatch(extent -> extent == 0)) {
            return 0;
        }
        long product = 1;
        for (long extent : shape) {
            if (product > Long.MAX_VALUE / extent) {
                return -1;
            }
            product *= extent;
        }
        return product;
    }

    private static void putDevice(MemorySegment tensor, Buffer array) {
        switch (array) {
            case DeviceArray on -> {
                tensor.set(JAVA_INT, DEVICE_TYPE, CUDA);
                tensor.set(JAVA_INT, DEVICE_ID, on.device().ordinal());
            }
            case PinnedArray pinned -> tensor.set(JAVA_INT, DEVICE_TYPE, CUDA_HOST);
            case HostArray host -> tensor.set(JAVA_INT, DEVICE_TYPE, CPU);
            default -> throw new IllegalArgumentException("lend: nothing is known about the memory of " + array);
        }
    }

    private static Runnable keep(Buffer array) {
        return switch (array) {
            case DeviceArray device -> device.keep();
            case PinnedArray pinned -> pinned.keep();
            default ->
                () -> {
                    // The garbage collector's: the entry in the table keeps it.
                };
        };
    }

    /** The function that tensors of ours carry; nothing may be thrown into whoever calls it. */
    private static void takeBack(long address) {
        try {
            Lent lent = LENT.remove(address);
            if (lent == null) {
                LOG.log(Level.ERROR, "the DLPack tensor at 0x" + Long.toHexString(address) + " was given back twice");
                return;
            }
            lent.struct.close();
            if (HostCallbacks.isInside()) {
                // The device waits for this thread, so another one must do it.
                Thread.startVirtualThread(() -> giveBack(lent));
            } else {
                giveBack(lent);
            }
        } catch (Throwable e) {
            LOG.log(Level.ERROR, NOT_GIVEN_BACK, e);
        }
    }

    private static void giveBack(Lent lent) {
        try {
            lent.giveBack.run();
        } catch (Throwable e) {
            LOG.log(Level.ERROR, NOT_GIVEN_BACK, e);
        }
    }

    /** How many tensors of ours did not come back yet. */
    static int lentCount() {
        return LENT.size();
    }

    // ---- taking ----

    /**
     * Returns what a tensor says about its memory; nothing if it is of the legacy form. The tensor is not taken.
     *
     * @throws IllegalArgumentException if it is of another major version than 1
     * @throws IllegalCallerException if the caller's module has no {@linkplain NativeAccess native access}
     */
    public static Set<Flag> flags(long tensor, Form form) {
        nonNull(form, "flags", "form");
        NativeAccess.checkCaller("DlPack.flags");
        return form == Form.VERSIONED ? Flag.of(Tensor.flags(tensor)) : Set.of();
    }

    /**
     * Takes a tensor in device memory. Closing the array, or the device, gives it back.
     *
     * @param tensor the struct's address
     * @throws IllegalArgumentException if it is on another device, not dense, read-only, or of a type that is none of
     *     {@link DataType}; the tensor is not taken then
     * @throws IllegalCallerException if the caller's module has no {@linkplain NativeAccess native access}
     */
    public static DeviceArray take(Device device, long tensor, Form form) {
        nonNull(device, "take", "device");
        nonNull(form, "take", "form");
        NativeAccess.checkCaller("DlPack.take");
        return take(device, tensor, form, false);
    }

    /**
     * {@link #take} also of memory that is {@link Flag#READ_ONLY}. Nothing keeps the program from writing there: by
     * calling this it promises not to, also where it lends the array to others.
     *
     * @throws IllegalCallerException if the caller's module has no {@linkplain NativeAccess native access}
     */
    public static DeviceArray takeToRead(Device device, long tensor, Form form) {
        nonNull(device, "takeToRead", "device");
        nonNull(form, "takeToRead", "form");
        NativeAccess.checkCaller("DlPack.takeToRead");
        return take(device, tensor, form, true);
    }

    private static DeviceArray take(Device device, long tensor, Form form, boolean toRead) {
        device.check();
        Tensor t = Tensor.read(tensor, form, toRead);
        boolean onDevice = t.deviceType == CUDA && t.deviceId == device.ordinal();
        if (!onDevice && t.deviceType != CUDA_MANAGED) {
            throw refused("it is in the memory of " + t.place() + ", not of " + device);
        }
        return DeviceArray.owned(device, t.type, t.address, t.count, t.back);
    }

    /**
     * Takes a tensor in host memory. Closing {@code arena} gives it back.
     *
     * @throws IllegalArgumentException as {@link #take} does
     * @throws IllegalCallerException if the caller's module has no {@linkplain NativeAccess native access}
     */
    public static HostArray takeHost(Arena arena, long tensor, Form form) {
        nonNull(arena, "takeHost", "arena");
        nonNull(form, "takeHost", "form");
        NativeAccess.checkCaller("DlPack.takeHost");
        return takeHost(arena, tensor, form, false);
    }

    /**
     * {@link #takeHost} also of memory that is {@link Flag#READ_ONLY}. Java code cannot write to the array: the attempt
     * is an {@link IllegalArgumentException}. As a destination of copies or communication it must not be used.
     *
     * @throws IllegalCallerException if the caller's module has no {@linkplain NativeAccess native access}
     */
    public static HostArray takeHostToRead(Arena arena, long tensor, Form form) {
        nonNull(arena, "takeHostToRead", "arena");
        nonNull(form, "takeHostToRead", "form");
        NativeAccess.checkCaller("DlPack.takeHostToRead");
        return takeHost(arena, tensor, form, true);
    }

    private static HostArray takeHost(Arena arena, long tensor, Form form, boolean toRead) {
        Tensor t = Tensor.read(tensor, form, toRead);
        if (t.deviceType != CPU && t.deviceType != CUDA_HOST) {
            throw refused("it is in the memory of " + t.place() + ", not of the host");
        }
        if (t.address % t.type.alignment() != 0) {
            throw refused("its address 0x" + Long.toHexString(t.address) + " is not aligned for " + t.type);
        }
        MemorySegment memory = NativeMemory.at(t.address, HostArray.bytes(t.type, t.count), arena, t.back);
        return HostArray.wrap(toRead ? memory.asReadOnly() : memory, t.type);
    }

    /**
     * Gives a tensor back that nobody takes.
     *
     * @throws IllegalStateException inside of a callback in a stream, where its library could not free memory; nothing
     *     has changed then
     * @throws IllegalCallerException if the caller's module has no {@linkplain NativeAccess native access}
     */
    public static void discard(long tensor, Form form) {
        nonNull(form, "discard", "form");
        NativeAccess.checkCaller("DlPack.discard");
        HostCallbacks.checkOutside();
        Tensor.giveBack(tensor, Layout.of(form));
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("the DLPack tensor cannot be taken: " + why);
    }

    /** What a struct says, checked. */
    private record Tensor(DataType type, long address, long count, int deviceType, int deviceId, Runnable back) {

        private static void checkAddress(long address) {
            if (address == 0) {
                throw new IllegalArgumentException("the DLPack tensor's address is NULL");
            }
        }

        /** Of one of the versioned form. */
        static long flags(long address) {
            checkAddress(address);
            // Another major version may have anything behind the version.
            int major = NativeMemory.at(address, 8).get(JAVA_INT, VERSION_MAJOR);
            if (major != MAJOR) {
                throw refused(
                        "it is of DLPack " + major + ", and only " + MAJOR + " is known (is it of the legacy form?)");
            }
            return NativeMemory.at(address, Layout.VERSIONED.bytes).get(JAVA_LONG, FLAGS);
        }

        static Tensor read(long address, Form form, boolean toRead) {
            checkAddress(address);
            Layout layout = Layout.of(form);
            if (form == Form.VERSIONED && (flags(address) & Flag.READ_ONLY.bit) != 0 && !toRead) {
                throw refused("it is read-only; copy it first, or take it to read");
            }
            MemorySegment tensor = NativeMemory.at(address, layout.bytes).asSlice(layout.tensor);
            long count = denseCount(tensor);
            long data = tensor.get(JAVA_LONG, DATA);
            if (data == 0 && count > 0) {
                throw refused("it has " + count + " elements, but their address is NULL");
            }
            return new Tensor(
                    typeOf(tensor),
                    data + tensor.get(JAVA_LONG, BYTE_OFFSET),
                    count,
                    tensor.get(JAVA_INT, DEVICE_TYPE),
                    tensor.get(JAVA_INT, DEVICE_ID),
                    () -> giveBack(address, layout));
        }

        static void giveBack(long address, Layout layout) {
            checkAddress(address);
            long deleter = NativeMemory.at(address, layout.bytes).get(JAVA_LONG, layout.deleter);
            // NULL is allowed: nobody wants it back.
            if (deleter != 0) {
                Callbacks.call(deleter, address);
            }
        }

        String place() {
            return switch (deviceType) {
                case CPU -> "the host";
                case CUDA_HOST -> "the host (pinned)";
                case CUDA, CUDA_MANAGED -> "device " + deviceId;
                default -> "a device of DLPack type " + deviceType;
            };
        }
    }

    private static long denseCount(MemorySegment tensor) {
        int dimensions = tensor.get(JAVA_INT, NDIM);
        if (dimensions < 0 || dimensions > 64) {
            throw refused("it has " + dimensions + " dimensions");
        }
        if (dimensions > 0 && tensor.get(JAVA_LONG, SHAPE) == 0) {
            throw refused("it has " + dimensions + " dimensions, but its shape is NULL");
        }
        long[] shape = longs(tensor.get(JAVA_LONG, SHAPE), dimensions);
        long count = elements(shape);
        if (count < 0) {
            throw refused("its shape is " + Arrays.toString(shape));
        }
        long at = tensor.get(JAVA_LONG, STRIDES);
        if (at != 0 && count > 0) {
            long[] strides = longs(at, dimensions);
            long[] dense = denseStrides(shape);
            for (int i = 0; i < dimensions; i++) {
                // Where there is one element only, the stride says nothing.
                if (shape[i] > 1 && strides[i] != dense[i]) {
                    throw refused("it is not dense in C order: shape " + Arrays.toString(shape) + ", strides "
                            + Arrays.toString(strides) + "; make it contiguous first");
                }
            }
        }
        return count;
    }

    private static long[] longs(long address, int count) {
        return count == 0
                ? new long[0]
                : NativeMemory.at(address, (long) count * Long.BYTES).toArray(JAVA_LONG);
    }

    private static long[] denseStrides(long[] shape) {
        long[] strides = new long[shape.length];
        long stride = 1;
        for (int i = shape.length - 1; i >= 0; i--) {
            strides[i] = stride;
            stride *= Math.max(shape[i], 1);
        }
        return strides;
    }

    // ---- types ----

    private static final int INT = 0;
    private static final int UINT = 1;
    private static final int FLOAT = 2;
    private static final int BFLOAT = 4;
    private static final int COMPLEX = 5;
    private static final int E4M3FN = 10;
    private static final int E5M2 = 12;

    private static int code(DataType type) {
        return switch (type) {
            case INT8, INT16, INT32, INT64 -> INT;
            case UINT8, UINT16, UINT32, UINT64 -> UINT;
            case FLOAT16, FLOAT32, FLOAT64 -> FLOAT;
            case BFLOAT16 -> BFLOAT;
            case COMPLEX64, COMPLEX128 -> COMPLEX;
            case FLOAT8_E4M3 -> E4M3FN;
            case FLOAT8_E5M2 -> E5M2;
        };
    }

    private static void putType(MemorySegment tensor, DataType type) {
        tensor.set(JAVA_BYTE, TYPE_CODE, (byte) code(type));
        tensor.set(JAVA_BYTE, TYPE_BITS, (byte) (8 * type.bytes()));
        tensor.set(JAVA_SHORT, TYPE_LANES, (short) 1);
    }

    private static DataType typeOf(MemorySegment tensor) {
        int code = Byte.toUnsignedInt(tensor.get(JAVA_BYTE, TYPE_CODE));
        int bits = Byte.toUnsignedInt(tensor.get(JAVA_BYTE, TYPE_BITS));
        int lanes = Short.toUnsignedInt(tensor.get(JAVA_SHORT, TYPE_LANES));
        for (DataType type : DataType.values()) {
            if (code(type) == code && 8 * type.bytes() == bits && lanes == 1) {
                return type;
            }
        }
        throw refused("no DataType has the DLPack type code " + code + " with " + bits + " bits and " + lanes + " lanes"
                + (code == 6 ? " (bool: view it as uint8)" : ""));
    }
}
