// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.core.Buffer;
import org.comm4j.kernel.launch.TensorMaps;

/**
 * The shape of a tensor in global memory and of the boxes of it that {@link TensorCopy} moves ({@code CUtensorMap}). It
 * is 128 bytes of global memory, made by the host and read by the copy engine. sm_90 and later.
 *
 * @param place of the 128 bytes, at a multiple of 128
 * @param tensor its first element; read on the CPU only
 */
public record TensorMap(I8Ptr place, I8Ptr tensor) {
    /** Bytes of a map. */
    public static final int BYTES = 128;

    /** Dimensions at most. */
    public static final int MOST_DIMENSIONS = 5;

    /**
     * Makes the map of a dense tensor ({@code cuTensorMapEncodeTiled}). All arrays begin with the dimension whose
     * elements are contiguous. Elements outside of the tensor are read as 0 and not written.
     *
     * @param maps where it is put: {@code INT8}, memory of the same device as the tensor; it must live as long as
     *     kernels use the map
     * @param index of the map in {@code maps}, 128 bytes each
     * @param shape elements in each dimension
     * @param box elements that are copied at once in each dimension, 1 to 256; a row has a multiple of 16 bytes
     * @throws IllegalArgumentException if the copy engine cannot do it; the message says which limit
     */
    public static TensorMap of(Buffer maps, long index, Buffer tensor, long[] shape, int[] box, Swizzle swizzle) {
        return TensorMaps.make(maps, index, tensor, 0, shape, dense(tensor, shape), box, swizzle);
    }

    /**
     * Makes the map of a tensor that is a part of a buffer; as {@link #of(Buffer, long, Buffer, long[], int[],
     * Swizzle)}.
     *
     * @param first number of its first element in the buffer
     * @param strides bytes from one index to the next in each dimension but the first, multiples of 16
     */
    public static TensorMap of(
            Buffer maps,
            long index,
            Buffer tensor,
            long first,
            long[] shape,
            long[] strides,
            int[] box,
            Swizzle swizzle) {
        return TensorMaps.make(maps, index, tensor, first, shape, strides, box, swizzle);
    }

    /**
     * Makes the map of a dense tensor whose boxes are pixels in order, as a convolution by a product of matrices needs
     * them ({@code cuTensorMapEncodeIm2col}). All arrays begin with the dimension whose elements are contiguous.
     *
     * <p>A copy takes {@code pixels} pixels of {@code channels} channels, one row of shared memory each. It walks
     * through a window of the image and on to the next image; {@link TensorCopy#im2col} adds the place in the filter.
     * For a filter of {@code r} columns with the distance {@code e}, padding {@code p} and steps of {@code s} in the
     * dimension of columns: {@code lower} is -p, {@code upper} is p - (r - 1) e, and {@code steps} is s.
     *
     * @param maps where it is put, as of {@link #of(Buffer, long, Buffer, long[], int[], Swizzle)}
     * @param shape channels, then columns, rows and layers of an image as far as there are these, then images: 3 to 5
     *     numbers
     * @param lower where the window begins, relative to the image's first pixel, in each dimension of an image
     * @param upper where the window ends, relative to the image's last pixel, in each dimension of an image
     * @param channels that are copied of each pixel, 1 to 256 and a multiple of 16 bytes
     * @param pixels that are copied at once, 1 to 1024
     * @param steps from pixel to pixel in each dimension of an image, 1 to 8
     * @throws IllegalArgumentException if the copy engine cannot do it; the message says which limit
     */
    public static TensorMap im2col(
            Buffer maps,
            long index,
            Buffer tensor,
            long[] shape,
            int[] lower,
            int[] upper,
            int channels,
            int pixels,
            int[] steps,
            Swizzle swizzle) {
        Window window = new Window(lower, upper, channels, pixels, steps);
        return TensorMaps.makeIm2col(maps, index, tensor, shape, dense(tensor, shape), window, swizzle);
    }

    /**
     * The pixels of a copy by {@link #im2col}.
     *
     * @param lower where the window begins in each dimension of an image
     * @param upper where it ends, relative to the last pixel
     * @param channels of each pixel
     * @param pixels of a copy
     * @param steps from pixel to pixel
     */
    @SuppressWarnings("ArrayRecordComponent") // it is on its way to the driver
    public record Window(int[] lower, int[] upper, int channels, int pixels, int[] steps) {}

    private static long[] dense(Buffer tensor, long[] shape) {
        long[] strides = new long[Math.max(shape.length - 1, 0)];
        long stride = tensor.type().bytes();
        for (int i = 0; i < strides.length; i++) {
            stride *= shape[i];
            strides[i] = stride;
        }
        return strides;
    }

    /**
     * What the host has written to the map is seen by copies of this block after it ({@code
     * fence.proxy.tensormap::generic.acquire.sys}). A thread says it once, before the first copy.
     */
    @InlinePtx(value = "fence.proxy.tensormap::generic.acquire.sys [$1], 128;", since = 90)
    public void acquire() {
        // The CPU has one proxy.
    }

    /** Brings the map nearer ({@code prefetch.tensormap}). */
    @InlinePtx(value = "prefetch.tensormap [$1];", since = 90)
    public void prefetch() {
        // The CPU needs no hint.
    }
}
