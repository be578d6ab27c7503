// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.launch;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.ffi.cuda.CUtensorMap;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Swizzle;
import org.comm4j.kernel.lang.TensorMap;

/** Makes tensor maps: by the driver for a GPU, by itself for the CPU. */
public final class TensorMaps {
    private static final int MOST_BOX = 256;
    private static final int MOST_PIXELS = 1024;
    private static final int MOST_STEP = 8;
    private static final long MOST_STRIDE = 1L << 40;

    /** The largest offset of a window's corner for images of 1, 2 and 3 dimensions; the least is -1 less this. */
    private static final int[] MOST_CORNER = {32767, 127, 15};

    // On the CPU, which number of a map is what: integers of 32 bits, but for the strides.

    /** Says that the bytes are a map of the CPU's. */
    public static final int MAGIC = 0x7c34_6d70;

    public static final int MAGIC_AT = 0;
    public static final int RANK = 1;
    public static final int TYPE = 2;
    public static final int SWIZZLE = 3;
    public static final int SHAPE = 4;

    /** The box; of pixels, their channels, their number and the steps from one to the next. */
    public static final int BOX = SHAPE + TensorMap.MOST_DIMENSIONS;

    public static final int IM2COL = BOX + TensorMap.MOST_DIMENSIONS;

    /** Where strides are, in bytes; each has 8. */
    public static final long STRIDES = 64;

    public static final int LOWER = 24;
    public static final int UPPER = LOWER + 3;

    private TensorMaps() {}

    /** As {@link TensorMap#of(Buffer, long, Buffer, long, long[], long[], int[], Swizzle)} says. */
    public static TensorMap make(
            Buffer maps,
            long index,
            Buffer tensor,
            long first,
            long[] shape,
            long[] strides,
            int[] box,
            Swizzle swizzle) {
        nonNull(maps, "TensorMap.of", "maps");
        nonNull(tensor, "TensorMap.of", "tensor");
        nonNull(shape, "TensorMap.of", "shape");
        nonNull(strides, "TensorMap.of", "strides");
        nonNull(box, "TensorMap.of", "box");
        nonNull(swizzle, "TensorMap.of", "swizzle");
        checkPlaces(maps, index, tensor);
        check(tensor, first, shape, strides, box, swizzle);
        long address = tensor.address() + first * tensor.type().bytes();
        HostArray made = HostArray.allocate(DataType.INT8, TensorMap.BYTES);
        if (maps instanceof HostArray) {
            describe(made.segment(), tensor.type(), shape, strides, box, swizzle);
        } else {
            encode(made.segment(), tensor.type(), address, shape, strides, box, swizzle);
        }
        maps.slice(index * TensorMap.BYTES, TensorMap.BYTES).copyFrom(made);
        return new TensorMap(
                I8Ptr.of(maps, index * TensorMap.BYTES),
                Ptr.of(tensor).asI8().plus(first * tensor.type().bytes()));
    }

    private static void checkPlaces(Buffer maps, long index, Buffer tensor) {
        boolean together = maps instanceof HostArray && tensor instanceof HostArray
                || maps instanceof DeviceArray there
                        && tensor instanceof DeviceArray array
                        && there.device().ordinal() == array.device().ordinal();
        if (!together) {
            throw new IllegalArgumentException("a TensorMap is in the memory of its tensor's device, but " + maps
                    + " is not where " + tensor + " is");
        }
        if (maps.type() != DataType.INT8 || index < 0 || index >= maps.count() / TensorMap.BYTES) {
            throw new IllegalArgumentException("TensorMap " + index + " does not fit into " + maps + ": it is INT8, "
                    + TensorMap.BYTES + " for each map");
        }
        if (maps instanceof DeviceArray && maps.address() % TensorMap.BYTES != 0) {
            throw new IllegalArgumentException(
                    "TensorMaps are at multiples of " + TensorMap.BYTES + " bytes, which " + maps + " is not");
        }
    }

    private static IllegalArgumentException wrong(String problem, Buffer tensor, long[] shape, int[] box) {
        return new IllegalArgumentException(problem + " (TensorMap of " + tensor + ", shape " + Arrays.toString(shape)
                + ", box " + Arrays.toString(box) + ")");
    }

    private static void check(Buffer tensor, long first, long[] shape, long[] strides, int[] box, Swizzle swizzle) {
        int rank = shape.length;
        if (rank < 1 || rank > TensorMap.MOST_DIMENSIONS || box.length != rank || strides.length != rank - 1) {
            throw wrong(
                    "a tensor has 1 to " + TensorMap.MOST_DIMENSIONS
                            + " dimensions, a box as many and one stride fewer",
                    tensor,
                    shape,
                    box);
        }
        for (int i = 0; i < rank; i++) {
            if (box[i] < 1 || box[i] > MOST_BOX) {
                throw wrong("a box has 1 to " + MOST_BOX + " elements in each dimension", tensor, shape, box);
            }
        }
        checkTensor(tensor, first, shape, strides, box);
        checkRow(tensor, shape, box, swizzle);
    }

    private static void checkTensor(Buffer tensor, long first, long[] shape, long[] strides, int[] box) {
        int bytes = tensor.type().bytes();
        if (first < 0 || (tensor.address() + first * bytes) % 16 != 0) {
            throw wrong("element " + first + " is not at a multiple of 16 bytes", tensor, shape, box);
        }
        long last = first;
        for (int i = 0; i < shape.length; i++) {
            if (shape[i] < 1 || shape[i] > Integer.MAX_VALUE) {
                throw wrong("dimension " + i + " has " + shape[i] + " elements, not 1 to 2^31 - 1", tensor, shape, box);
            }
            if (i > 0 && (strides[i - 1] % 16 != 0 || strides[i - 1] < 0 || strides[i - 1] >= MOST_STRIDE)) {
                throw wrong(
                        "the stride of dimension " + i + " is " + strides[i - 1]
                                + " bytes; it needs a multiple of 16 below 2^40: pad the rows",
                        tensor,
                        shape,
                        box);
            }
            last += i == 0 ? shape[0] - 1 : (shape[i] - 1) * (strides[i - 1] / bytes);
        }
        if (last >= tensor.count()) {
            throw wrong("the last element would be number " + last, tensor, shape, box);
        }
    }

    private static void checkRow(Buffer tensor, long[] shape, int[] box, Swizzle swizzle) {
        int row = box[0] * tensor.type().bytes();
        if (row % 16 != 0 || swizzle != Swizzle.NONE && row > swizzle.bytes()) {
            throw wrong(
                    "a row of the box has " + row + " bytes; it needs a multiple of 16"
                            + (swizzle == Swizzle.NONE ? "" : ", and at most " + swizzle.bytes() + " for " + swizzle),
                    tensor,
                    shape,
                    box);
        }
    }

    /** As {@link TensorMap#im2col} says. */
    public static TensorMap makeIm2col(
            Buffer maps,
            long index,
            Buffer tensor,
            long[] shape,
            long[] strides,
            TensorMap.Window window,
            Swizzle swizzle) {
        nonNull(maps, "TensorMap.im2col", "maps");
        nonNull(tensor, "TensorMap.im2col", "tensor");
        nonNull(shape, "TensorMap.im2col", "shape");
        nonNull(window.lower(), "TensorMap.im2col", "lower");
        nonNull(window.upper(), "TensorMap.im2col", "upper");
        nonNull(window.steps(), "TensorMap.im2col", "steps");
        nonNull(swizzle, "TensorMap.im2col", "swizzle");
        checkPlaces(maps, index, tensor);
        int[] box = box(window);
        check(tensor, shape, strides, window, box, swizzle);
        HostArray made = HostArray.allocate(DataType.INT8, TensorMap.BYTES);
        if (maps instanceof HostArray) {
            describe(made.segment(), tensor.type(), shape, strides, box, swizzle);
            made.segment().set(JAVA_INT_UNALIGNED, 4L * IM2COL, 1);
            for (int i = 0; i < window.lower().length; i++) {
                made.segment().set(JAVA_INT_UNALIGNED, 4L * (LOWER + i), window.lower()[i]);
                made.segment().set(JAVA_INT_UNALIGNED, 4L * (UPPER + i), window.upper()[i]);
            }
        } else {
            encode(made.segment(), tensor, shape, strides, window, swizzle);
        }
        maps.slice(index * TensorMap.BYTES, TensorMap.BYTES).copyFrom(made);
        return new TensorMap(
                I8Ptr.of(maps, index * TensorMap.BYTES), Ptr.of(tensor).asI8());
    }

    /** Channels, pixels and steps of a window. */
    private static int[] box(TensorMap.Window window) {
        int[] box = new int[2 + window.steps().length];
        box[0] = window.channels();
        box[1] = window.pixels();
        System.arraycopy(window.steps(), 0, box, 2, window.steps().length);
        return box;
    }

    private static void check(
            Buffer tensor, long[] shape, long[] strides, TensorMap.Window window, int[] box, Swizzle swizzle) {
        int spatial = shape.length - 2;
        if (spatial < 1
                || spatial > 3
                || window.lower().length != spatial
                || window.upper().length != spatial
                || window.steps().length != spatial) {
            throw wrong(
                    "images have 1 to 3 dimensions, with channels and images 3 to 5, and as many corners and steps",
                    tensor,
                    shape,
                    box);
        }
        if (window.channels() < 1 || window.channels() > MOST_BOX || window.pixels() < 1) {
            throw wrong("a copy takes 1 to " + MOST_BOX + " channels of at least 1 pixel", tensor, shape, box);
        }
        if (window.pixels() > MOST_PIXELS) {
            throw wrong("a copy takes up to " + MOST_PIXELS + " pixels", tensor, shape, box);
        }
        checkTensor(tensor, 0, shape, strides, box);
        checkRow(tensor, shape, box, swizzle);
        int most = MOST_CORNER[spatial - 1];
        for (int i = 0; i < spatial; i++) {
            int lower = window.lower()[i];
            int upper = window.upper()[i];
            if (Math.max(lower, upper) > most || Math.min(lower, upper) < -most - 1) {
                throw wrong(
                        "the corners " + lower + " and " + upper + " of the window in dimension " + i
                                + " of an image are not from " + (-most - 1) + " to " + most,
                        tensor,
                        shape,
                        box);
            }
            if (shape[i + 1] + upper <= lower) {
                throw wrong("the window is empty in dimension " + i + " of an image", tensor, shape, box);
            }
            if (window.steps()[i] < 1 || window.steps()[i] > MOST_STEP) {
                throw wrong(
                        "the step in dimension " + i + " of an image is " + window.steps()[i] + ", not 1 to "
                                + MOST_STEP,
                        tensor,
                        shape,
                        box);
            }
        }
    }

    /** Writes what the CPU reads. */
    private static void describe(
            MemorySegment to, DataType type, long[] shape, long[] strides, int[] box, Swizzle swizzle) {
        to.set(JAVA_INT_UNALIGNED, 4L * MAGIC_AT, MAGIC);
        to.set(JAVA_INT_UNALIGNED, 4L * RANK, shape.length);
        to.set(JAVA_INT_UNALIGNED, 4L * TYPE, type.ordinal());
        to.set(JAVA_INT_UNALIGNED, 4L * SWIZZLE, swizzle.ordinal());
        for (int i = 0; i < shape.length; i++) {
            to.set(JAVA_INT_UNALIGNED, 4L * (SHAPE + i), Math.toIntExact(shape[i]));
            to.set(JAVA_INT_UNALIGNED, 4L * (BOX + i), box[i]);
        }
        for (int i = 0; i < strides.length; i++) {
            to.set(JAVA_LONG_UNALIGNED, STRIDES + 8L * i, strides[i]);
        }
    }

    private static void encode(
            MemorySegment to, DataType type, long address, long[] shape, long[] strides, int[] box, Swizzle swizzle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment map = arena.allocate(CUtensorMap.BYTES, TensorMap.BYTES);
            int[] steps = new int[shape.length];
            Arrays.fill(steps, 1);
            // A tensor of one dimension has no strides, but the driver wants an address.
            long[] bytes = strides.length == 0 ? new long[1] : strides;
            LibCuda.cuTensorMapEncodeTiled(
                    map,
                    code(type),
                    shape.length,
                    address,
                    arena.allocateFrom(ValueLayout.JAVA_LONG, shape),
                    arena.allocateFrom(ValueLayout.JAVA_LONG, bytes),
                    arena.allocateFrom(ValueLayout.JAVA_INT, box),
                    arena.allocateFrom(ValueLayout.JAVA_INT, steps),
                    LibCuda.CU_TENSOR_MAP_INTERLEAVE_NONE,
                    code(swizzle),
                    LibCuda.CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                    LibCuda.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
            to.copyFrom(map);
        }
    }

    private static void encode(
            MemorySegment to, Buffer tensor, long[] shape, long[] strides, TensorMap.Window window, Swizzle swizzle) {
        int[] steps = new int[shape.length];
        Arrays.fill(steps, 1);
        System.arraycopy(window.steps(), 0, steps, 1, window.steps().length);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment map = arena.allocate(CUtensorMap.BYTES, TensorMap.BYTES);
            LibCuda.cuTensorMapEncodeIm2col(
                    map,
                    code(tensor.type()),
                    shape.length,
                    tensor.address(),
                    arena.allocateFrom(ValueLayout.JAVA_LONG, shape),
                    arena.allocateFrom(ValueLayout.JAVA_LONG, strides),
                    arena.allocateFrom(ValueLayout.JAVA_INT, window.lower()),
                    arena.allocateFrom(ValueLayout.JAVA_INT, window.upper()),
                    window.channels(),
                    window.pixels(),
                    arena.allocateFrom(ValueLayout.JAVA_INT, steps),
                    LibCuda.CU_TENSOR_MAP_INTERLEAVE_NONE,
                    code(swizzle),
                    LibCuda.CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                    LibCuda.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
            to.copyFrom(map);
        }
    }

    private static int code(Swizzle swizzle) {
        return switch (swizzle) {
            case NONE -> LibCuda.CU_TENSOR_MAP_SWIZZLE_NONE;
            case B32 -> LibCuda.CU_TENSOR_MAP_SWIZZLE_32B;
            case B64 -> LibCuda.CU_TENSOR_MAP_SWIZZLE_64B;
            case B128 -> LibCuda.CU_TENSOR_MAP_SWIZZLE_128B;
        };
    }

    private static int code(DataType type) {
        return switch (type) {
            case INT8, UINT8, FLOAT8_E4M3, FLOAT8_E5M2 -> LibCuda.CU_TENSOR_MAP_DATA_TYPE_UINT8;
            case INT16, UINT16 -> LibCuda.CU_TENSOR_MAP_DATA_TYPE_UINT16;
            case INT32 -> LibCuda.CU_TENSOR_MAP_DATA_TYPE_INT32;
            case UINT32 -> LibCuda.CU_TENSOR_MAP_DATA_TYPE_UINT32;
            case INT64 -> LibCuda.CU_TENSOR_MAP_DATA_TYPE_INT64;
            case UINT64 -> LibCuda.CU_TENSOR_MAP_DATA_TYPE_UINT64;
            case FLOAT16 -> LibCuda.CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
            case BFLOAT16 -> LibCuda.CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
            case FLOAT32 -> LibCuda.CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
            case FLOAT64 -> LibCuda.CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
            case COMPLEX64, COMPLEX128 ->
                throw new IllegalArgumentException(
                        "the copy engine has no complex tensors: make one of their parts (TensorMap)");
        };
    }
}
