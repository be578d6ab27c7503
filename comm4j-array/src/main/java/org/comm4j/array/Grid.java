// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Arrays;

/**
 * A division of a shape into blocks, in row-major order: the arithmetic of {@link Layout}.
 *
 * @param starts first slice of each block along each axis, and the end of the last one; 0 alone where the axis is not
 *     divided, and no axes where none is
 */
record Grid(long[] shape, long[][] starts) {
    static final long[][] WHOLE = {};

    static long[] balanced(String operation, int ranks, long length) {
        if (ranks < 1) {
            throw new IllegalArgumentException(operation + ": " + ranks + " parts of an axis; at least one is needed");
        }
        long[] sizes = new long[ranks];
        Arrays.setAll(sizes, r -> length / ranks + (r < length % ranks ? 1 : 0));
        return sizes;
    }

    /** Returns balanced sizes along each axis that both a grid of blocks and a shape have. */
    static long[][] balanced(String operation, int[] blocks, long[] shape) {
        long[][] sizes = new long[blocks.length][];
        for (int a = 0; a < Math.min(blocks.length, shape.length); a++) {
            sizes[a] = balanced(operation, blocks[a], shape[a]);
        }
        return sizes;
    }

    static long[] starts(String operation, long[] shape, int axis, long... sizes) {
        long[] starts = new long[sizes.length + 1];
        for (int r = 0; r < sizes.length; r++) {
            if (sizes[r] < 0) {
                throw new IllegalArgumentException(
                        operation + ": the size " + sizes[r] + " of rank " + r + " is negative");
            }
            starts[r + 1] = Math.addExact(starts[r], sizes[r]);
        }
        if (starts[sizes.length] != shape[axis]) {
            throw new IllegalArgumentException(operation + ": the sizes " + Arrays.toString(sizes) + " add up to "
                    + starts[sizes.length] + ", but axis " + axis + " of " + Arrays.toString(shape) + " has length "
                    + shape[axis]);
        }
        return starts;
    }

    static long[] checked(String operation, long... shape) {
        for (long length : nonNull(shape, operation, "shape")) {
            if (length < 0) {
                throw new IllegalArgumentException(
                        operation + ": the shape " + Arrays.toString(shape) + " has a negative length");
            }
        }
        product(operation, shape);
        return shape.clone();
    }

    static int axis(String operation, int axis, int dimensions) {
        int along = axis < 0 ? axis + dimensions : axis;
        if (along < 0 || along >= dimensions) {
            throw new IllegalArgumentException(
                    operation + ": axis " + axis + " is outside of " + dimensions + " dimensions");
        }
        return along;
    }

    static long product(String operation, long... lengths) {
        long size = 1;
        for (long length : lengths) {
            if (length != 0 && size > Long.MAX_VALUE / length) {
                throw new IllegalArgumentException(
                        operation + ": the shape " + Arrays.toString(lengths) + " has more than 2^63 elements");
            }
            size *= length;
        }
        return size;
    }

    boolean isDivided(int axis) {
        return starts.length > 0 && starts[axis].length > 1;
    }

    /** Returns the number of blocks along an axis. */
    int blocks(int axis) {
        return starts.length == 0 ? 1 : Math.max(1, starts[axis].length - 1);
    }

    /** Returns whether the divided axes keep their order in a permutation. */
    boolean isPermutedInOrder(int... axes) {
        int last = -1;
        boolean inOrder = true;
        for (int axis : axes) {
            if (isDivided(axis)) {
                inOrder &= axis > last;
                last = axis;
            }
        }
        return inOrder;
    }

    /** Returns the number of blocks; 0 where no axis is divided. */
    int count() {
        int count = starts.length == 0 ? 0 : 1;
        for (int a = 0; a < starts.length; a++) {
            count *= blocks(a);
        }
        return count;
    }

    /** Returns which block along an axis the rank at a place has, in row-major order of the blocks. */
    int block(int place, int axis) {
        int rest = place;
        for (int a = shape.length - 1; a > axis; a--) {
            rest /= blocks(a);
        }
        return rest % blocks(axis);
    }

    /** Returns the first slice along an axis that the rank at a place has. */
    long start(int place, int axis) {
        return isDivided(axis) ? starts[axis][block(place, axis)] : 0;
    }

    /** Returns the shape of the part of the rank at a place. */
    long[] localShape(int place) {
        long[] local = shape.clone();
        for (int a = 0; a < starts.length; a++) {
            if (isDivided(a)) {
                int block = block(place, a);
                local[a] = starts[a][block + 1] - starts[a][block];
            }
        }
        return local;
    }

    /** Passes the contiguous runs of the part of the rank at a place to {@code body}. */
    void runs(int place, Layout.Run body) {
        int last = starts.length - 1;
        while (last >= 0 && !isDivided(last)) {
            last--;
        }
        if (last < 0) {
            body.accept(0, 0, product("runs", shape));
            return;
        }
        long[] local = localShape(place);
        long count = product("runs", Arrays.copyOfRange(local, last, local.length));
        long outer = product("runs", Arrays.copyOf(local, last));
        long inner = product("runs", Arrays.copyOfRange(shape, last + 1, shape.length));
        for (long o = 0; o < outer; o++) {
            // The index of the run's first element, axis by axis.
            long rest = o;
            long global = start(place, last);
            long stride = shape[last];
            for (int a = last - 1; a >= 0; a--) {
                global += (start(place, a) + rest % local[a]) * stride;
                rest /= local[a];
                stride *= shape[a];
            }
            body.accept(o * count, global * inner, count);
        }
    }

    /** Returns whether the shape has an element. */
    boolean has(long... index) {
        boolean inside = index.length == shape.length;
        for (int a = 0; inside && a < shape.length; a++) {
            inside = index[a] >= 0 && index[a] < shape[a];
        }
        return inside;
    }

    /** Returns the number of an element in the part of the rank at a place, or −1 if another one has it. */
    long offset(int place, long... index) {
        long[] local = localShape(place);
        long offset = 0;
        boolean here = true;
        for (int a = 0; a < shape.length; a++) {
            long at = index[a] - start(place, a);
            here &= at >= 0 && at < local[a];
            offset = offset * local[a] + at;
        }
        return here ? offset : -1;
    }

    /** The slices before the divided axis, and the elements before each rank's part of the first one. */
    long[] cuts(int axis) {
        long inner = product("reshape", Arrays.copyOfRange(shape, axis + 1, shape.length));
        long outer = product("reshape", Arrays.copyOf(shape, axis));
        long[] cuts = new long[starts[axis].length + 1];
        cuts[0] = outer;
        for (int r = 0; r < starts[axis].length; r++) {
            cuts[r + 1] = starts[axis][r] * inner;
        }
        return cuts;
    }
}
