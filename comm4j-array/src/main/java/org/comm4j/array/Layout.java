// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The shape of an array and its parts on all ranks: an immutable value, equal by value, made without communication.
 * Elements are in row-major order, on every rank and in the whole array.
 */
public final class Layout {
    /** A run of elements that is contiguous both in a rank's part and in the whole array. */
    @FunctionalInterface
    public interface Run {
        /**
         * Takes one run.
         *
         * @param local number of its first element in the rank's part
         * @param global number of its first element in the whole array
         * @param count of elements
         */
        void accept(long local, long global, long count);
    }

    private final Partition partition;
    private final long[] shape;
    private final int axis;
    /** First slice of each rank along the axis, and the end of the last one. */
    private final long[] starts;

    private final List<Layout> members;

    private Layout(Partition partition, long[] shape, int axis, long[] starts, List<Layout> members) {
        this.partition = partition;
        this.shape = shape;
        this.axis = axis;
        this.starts = starts;
        this.members = members;
        product("layout", shape);
    }

    /** Returns the layout of an array that every rank has whole. */
    public static Layout replicated(long... shape) {
        return new Layout(Partition.REPLICATED, checked("replicated", shape), -1, new long[0], List.of());
    }

    /** Returns the layout of arrays of this shape that each rank has for itself. */
    public static Layout local(long... shape) {
        return new Layout(Partition.LOCAL, checked("local", shape), -1, new long[0], List.of());
    }

    /**
     * Returns a layout with balanced parts: where the axis' length is no multiple of the ranks, the first ranks have
     * one slice more.
     *
     * @param ranks number of ranks
     * @param axis that is divided; negative axes count from the end
     */
    public static Layout scattered(int ranks, int axis, long... shape) {
        long[] checked = checked("scattered", shape);
        int along = axis("scattered", axis, shape.length);
        long[] starts = new long[ranks + 1];
        for (int r = 0; r < ranks; r++) {
            starts[r + 1] = starts[r] + checked[along] / ranks + (r < checked[along] % ranks ? 1 : 0);
        }
        return new Layout(Partition.SCATTERED, checked, along, starts, List.of());
    }

    /**
     * Returns a layout whose parts have given lengths.
     *
     * @param sizes length of each rank's part along the axis, which may be 0
     * @throws IllegalArgumentException if the sizes do not add up to the axis' length
     */
    public static Layout scattered(long[] sizes, int axis, long... shape) {
        long[] checked = checked("scattered", shape);
        int along = axis("scattered", axis, shape.length);
        long[] starts = new long[sizes.length + 1];
        for (int r = 0; r < sizes.length; r++) {
            if (sizes[r] < 0) {
                throw new IllegalArgumentException(
                        "scattered: the size " + sizes[r] + " of rank " + r + " is negative");
            }
            starts[r + 1] = Math.addExact(starts[r], sizes[r]);
        }
        if (starts[sizes.length] != checked[along]) {
            throw new IllegalArgumentException("scattered: the sizes " + Arrays.toString(sizes) + " add up to "
                    + starts[sizes.length] + ", but axis " + along + " of " + Arrays.toString(shape) + " has length "
                    + checked[along]);
        }
        return new Layout(Partition.SCATTERED, checked, along, starts, List.of());
    }

    /** Returns the layout of arrays one above the other. */
    public static Layout stacked(Layout... members) {
        if (members.length == 0) {
            throw new IllegalArgumentException("stacked: no layouts");
        }
        long size = 0;
        for (Layout member : members) {
            size = Math.addExact(size, member.size());
        }
        return new Layout(Partition.STACKED, new long[] {size}, -1, new long[0], List.of(members));
    }

    private static long[] checked(String operation, long[] shape) {
        for (long length : shape) {
            if (length < 0) {
                throw new IllegalArgumentException(
                        operation + ": the shape " + Arrays.toString(shape) + " has a negative length");
            }
        }
        product(operation, shape);
        return shape.clone();
    }

    private static int axis(String operation, int axis, int dimensions) {
        int along = axis < 0 ? axis + dimensions : axis;
        if (along < 0 || along >= dimensions) {
            throw new IllegalArgumentException(
                    operation + ": axis " + axis + " is outside of " + dimensions + " dimensions");
        }
        return along;
    }

    private static long product(String operation, long[] lengths) {
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

    /**
     * Returns this layout with another length of an axis. The divided axis gets balanced parts, unless its length
     * stays.
     *
     * @throws IllegalStateException if this is a stack
     */
    public Layout resized(int axis, long length) {
        if (partition == Partition.STACKED) {
            throw new IllegalStateException("resized: " + this + " is a stack");
        }
        int along = axis("resized", axis, shape.length);
        if (length == shape[along]) {
            return this;
        }
        long[] other = shape.clone();
        other[along] = length;
        if (partition != Partition.SCATTERED) {
            return new Layout(partition, checked("resized", other), -1, starts, List.of());
        }
        return along == this.axis
                ? scattered(starts.length - 1, along, other)
                : new Layout(partition, checked("resized", other), this.axis, starts, List.of());
    }

    /** Returns how the array lies over the ranks. */
    public Partition partition() {
        return partition;
    }

    /** Returns the shape of the whole array; of a stack the one length of all its elements. */
    public long[] shape() {
        return shape.clone();
    }

    /** Returns the number of dimensions. */
    public int ndim() {
        return shape.length;
    }

    /**
     * Returns the number of an axis from 0 on, for one that may be counted from the end.
     *
     * @throws IllegalArgumentException if there is no such axis
     */
    public int axis(int axis) {
        return axis("axis", axis, shape.length);
    }

    /** Returns the length of an axis; negative axes count from the end. */
    public long length(int axis) {
        return shape[axis("length", axis, shape.length)];
    }

    /**
     * Returns the axis that is divided among the ranks.
     *
     * @throws IllegalStateException if none is
     */
    public int axis() {
        if (partition != Partition.SCATTERED) {
            throw new IllegalStateException("no axis of " + this + " is divided among the ranks");
        }
        return axis;
    }

    /** Returns the number of elements of the whole array. */
    public long size() {
        return product("size", shape);
    }

    /** Returns the layouts that a stack consists of; none if this is no stack. */
    public List<Layout> members() {
        return members;
    }

    /** Returns the first slice along the divided axis that {@code rank} has; 0 where none is divided. */
    public long start(int rank) {
        return partition == Partition.SCATTERED ? starts[checkRank(rank)] : 0;
    }

    /** Returns the shape of {@code rank}'s part. */
    public long[] localShape(int rank) {
        long[] local = shape.clone();
        if (partition == Partition.SCATTERED) {
            local[axis] = starts[checkRank(rank) + 1] - starts[rank];
        }
        return local;
    }

    /** Returns the number of elements that {@code rank} has. */
    public long localSize(int rank) {
        if (partition == Partition.STACKED) {
            return members.stream().mapToLong(member -> member.localSize(rank)).sum();
        }
        return product("localSize", localShape(rank));
    }

    private int checkRank(int rank) {
        if (rank < 0 || rank >= starts.length - 1) {
            throw new IndexOutOfBoundsException(
                    "rank " + rank + " is not one of the " + (starts.length - 1) + " of " + this);
        }
        return rank;
    }

    /** Returns the number of ranks that a scattered layout is for; 0 for those that fit any number. */
    int ranks() {
        return partition == Partition.SCATTERED
                ? starts.length - 1
                : members.stream().mapToInt(Layout::ranks).max().orElse(0);
    }

    /** Passes the contiguous runs of {@code rank}'s part to {@code body}, in their order there. */
    public void runs(int rank, Run body) {
        if (partition != Partition.SCATTERED) {
            body.accept(0, 0, size());
            return;
        }
        long outer = product("runs", Arrays.copyOf(shape, axis));
        long inner = product("runs", Arrays.copyOfRange(shape, axis + 1, shape.length));
        long count = (starts[checkRank(rank) + 1] - starts[rank]) * inner;
        for (long o = 0; o < outer; o++) {
            body.accept(o * count, (o * shape[axis] + starts[rank]) * inner, count);
        }
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Layout that
                        && partition == that.partition
                        && axis == that.axis
                        && Arrays.equals(shape, that.shape)
                        && Arrays.equals(starts, that.starts)
                        && sameMembers(that);
    }

    /** Compares without an iterator: solvers compare layouts in each iteration, and allocate nothing there. */
    private boolean sameMembers(Layout that) {
        boolean same = members.size() == that.members.size();
        for (int i = 0; same && i < members.size(); i++) {
            same = members.get(i).equals(that.members.get(i));
        }
        return same;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * partition.hashCode() + Arrays.hashCode(shape)) + Arrays.hashCode(starts) + members.hashCode();
    }

    @Override
    public String toString() {
        return switch (partition) {
            case REPLICATED -> "replicated " + Arrays.toString(shape);
            case LOCAL -> "local " + Arrays.toString(shape);
            case SCATTERED ->
                "scattered " + Arrays.toString(shape) + " along axis " + axis + " at " + Arrays.toString(starts);
            case STACKED -> members.stream().map(Layout::toString).collect(Collectors.joining("; ", "stacked (", ")"));
        };
    }
}
