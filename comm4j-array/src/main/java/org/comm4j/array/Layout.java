// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static org.comm4j.core.spi.Arguments.nonNull;

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
    private final Grid grid;

    private final List<Layout> members;
    /** Group of each rank; none where all ranks have the array together. */
    private final int[] groups;
    /** Place of each rank among those of its group. */
    private final int[] places;

    private Layout(Partition partition, long[] shape, long[][] starts, List<Layout> members, int... groups) {
        this.partition = partition;
        this.shape = shape;
        grid = new Grid(shape, starts);
        this.members = members;
        this.groups = groups;
        places = new int[groups.length];
        for (int r = 0; r < groups.length; r++) {
            for (int before = 0; before < r; before++) {
                places[r] += groups[before] == groups[r] ? 1 : 0;
            }
        }
    }

    private static Layout whole(Partition partition, String operation, long... shape) {
        return new Layout(partition, Grid.checked(operation, shape), Grid.WHOLE, List.of());
    }

    /** Returns the layout of an array that every rank has whole. */
    public static Layout replicated(long... shape) {
        return whole(Partition.REPLICATED, "replicated", shape);
    }

    /** Returns the layout of arrays of this shape that each rank has for itself. */
    public static Layout local(long... shape) {
        return whole(Partition.LOCAL, "local", shape);
    }

    /**
     * Returns a layout with balanced parts: where the axis' length is no multiple of the ranks, the first ranks have
     * one slice more.
     *
     * @param ranks number of ranks
     * @param axis that is divided; negative axes count from the end
     */
    public static Layout scattered(int ranks, int axis, long... shape) {
        long[] checked = Grid.checked("scattered", shape);
        int along = Grid.axis("scattered", axis, shape.length);
        return divided("scattered", checked, along, Grid.balanced("scattered", ranks, checked[along]));
    }

    /**
     * Returns a layout whose parts have given lengths.
     *
     * @param sizes length of each rank's part along the axis, which may be 0
     * @throws IllegalArgumentException if the sizes do not add up to the axis' length
     */
    public static Layout scattered(long[] sizes, int axis, long... shape) {
        return divided(
                "scattered", Grid.checked("scattered", shape), Grid.axis("scattered", axis, shape.length), sizes);
    }

    private static Layout divided(String operation, long[] shape, int axis, long... sizes) {
        long[][] starts = new long[shape.length][1];
        starts[axis] = Grid.starts(operation, shape, axis, nonNull(sizes, operation, "sizes"));
        return new Layout(Partition.SCATTERED, shape, starts, List.of());
    }

    /**
     * Returns a layout whose parts are blocks of a grid of ranks, in row-major order, with balanced lengths.
     *
     * @param grid number of blocks along each axis; their product is the number of ranks
     */
    public static Layout blocks(int[] grid, long... shape) {
        return blocks(Grid.balanced("blocks", nonNull(grid, "blocks", "grid"), Grid.checked("blocks", shape)), shape);
    }

    /**
     * Returns a layout whose parts are blocks of a grid of ranks, in row-major order. A grid with more than one block
     * along one axis at most is {@link #scattered}.
     *
     * @param sizes for each axis the lengths of its blocks, which may be 0
     * @throws IllegalArgumentException if the sizes do not add up to the axes' lengths
     */
    public static Layout blocks(long[][] sizes, long... shape) {
        long[] checked = Grid.checked("blocks", shape);
        if (nonNull(sizes, "blocks", "sizes").length != shape.length || shape.length == 0) {
            throw new IllegalArgumentException("blocks: a grid of " + sizes.length + " axes for "
                    + Arrays.toString(shape) + ", which has " + shape.length + " dimensions");
        }
        long[][] starts = new long[shape.length][];
        int divided = 0;
        int axis = 0;
        for (int a = 0; a < shape.length; a++) {
            starts[a] = Grid.starts("blocks", checked, a, sizes[a]);
            if (sizes[a].length > 1) {
                divided++;
                axis = a;
            }
        }
        if (divided < 2) {
            return divided("blocks", checked, axis, sizes[axis]);
        }
        return new Layout(Partition.BLOCKS, checked, starts, List.of());
    }

    /**
     * Collective: returns the layout of an array of which each rank knows only its own part, one behind the other along
     * an axis.
     *
     * @param axis that is divided; negative axes count from the end
     * @param localShape of this rank's part
     * @throws IllegalArgumentException on every rank, if the parts differ in another axis
     */
    public static Layout agreed(Backend backend, int axis, long... localShape) {
        long[] shape = nonNull(localShape, "agreed", "localShape").clone();
        int along = axis < 0 ? axis + shape.length : axis;
        long[] sizes =
                nonNull(backend, "agreed", "backend").exchange(along >= 0 && along < shape.length ? shape[along] : -1);
        long lengths = shape.length;
        for (int a = 0; a < shape.length; a++) {
            lengths = 0x5851f42d4c957f2dL * lengths + (a == along ? -1 : shape[a]);
        }
        String problem = backend.firstProblem(
                backend.exchange(lengths)[0] != lengths || sizes[backend.rank()] < 0
                        ? "its part " + Arrays.toString(localShape) + " and that of rank 0 do not differ along axis "
                                + axis + " alone"
                        : "");
        if (!problem.isEmpty()) {
            throw new IllegalArgumentException("agreed: " + problem);
        }
        shape[along] = Arrays.stream(sizes).reduce(0, Math::addExact);
        return scattered(sizes, along, shape);
    }

    /** Returns the layout of arrays one above the other. */
    public static Layout stacked(Layout... members) {
        if (nonNull(members, "stacked", "members").length == 0) {
            throw new IllegalArgumentException("stacked: no layouts");
        }
        long size = 0;
        for (Layout member : members) {
            size = Math.addExact(size, member.size());
        }
        return new Layout(Partition.STACKED, new long[] {size}, Grid.WHOLE, List.of(members));
    }

    /**
     * Returns this layout for groups of ranks, each of which has the whole array (pylops-mpi {@code mask}): what one
     * group has is divided among its ranks as this layout says. Dots and norms reduce within a group, whose
     * communicator {@link Backend#grouped} makes.
     *
     * @param groups number of each rank's group; all groups have as many ranks as this layout is for
     * @throws IllegalArgumentException if they have not
     * @throws IllegalStateException if this is a stack, or for groups already
     */
    public Layout grouped(int... groups) {
        if (partition == Partition.STACKED || this.groups.length > 0) {
            throw new IllegalStateException("grouped: " + this + " is a stack or grouped; its parts can be grouped");
        }
        int needed = ranks();
        for (int r = 0; r < nonNull(groups, "grouped", "groups").length; r++) {
            int group = groups[r];
            long members = Arrays.stream(groups).filter(other -> other == group).count();
            if (group < 0 || needed > 0 && members != needed) {
                throw new IllegalArgumentException("grouped: group " + group + " of rank " + r + " has " + members
                        + " ranks, and " + this + " is for " + needed + "; no group is negative");
            }
        }
        return new Layout(partition, shape, grid.starts(), members, groups.clone());
    }

    /**
     * Returns this layout with another length of an axis. A divided axis gets balanced parts, unless its length stays.
     *
     * @throws IllegalStateException if this is a stack
     */
    public Layout resized(int axis, long length) {
        int along = Grid.axis("resized", axis, shape.length);
        if (length == shape[along] && partition != Partition.STACKED) {
            return this;
        }
        return withSizes(along, Grid.balanced("resized", grid.blocks(along), length));
    }

    /**
     * Returns the layout of some slices of an array, each of which stays on its rank.
     *
     * @param axis along which the slices are; negative axes count from the end
     * @param from the first slice
     * @param to the first slice behind them
     * @throws IndexOutOfBoundsException if the array has no such slices
     */
    public Layout sliced(int axis, long from, long to) {
        int along = Grid.axis("sliced", axis, shape.length);
        if (from < 0 || to < from || to > shape[along]) {
            throw new IndexOutOfBoundsException(
                    "sliced: " + from + " to " + to + " along axis " + along + " of " + this);
        }
        long[] sizes = sizes(along);
        long start = 0;
        for (int b = 0; b < sizes.length; b++) {
            long end = start + sizes[b];
            sizes[b] = Math.max(0, Math.min(to, end) - Math.max(from, start));
            start = end;
        }
        return withSizes(along, sizes);
    }

    /** Returns the lengths of the blocks along an axis: one length where it is not divided. */
    public long[] sizes(int axis) {
        long[] sizes = {shape[axis]};
        if (isDivided(axis)) {
            long[] starts = grid.starts()[axis];
            sizes = new long[starts.length - 1];
            Arrays.setAll(sizes, b -> starts[b + 1] - starts[b]);
        }
        return sizes;
    }

    /**
     * Returns this layout with other lengths of the blocks along an axis.
     *
     * @param sizes as many as {@link #sizes} returns
     * @throws IllegalStateException if this is a stack
     */
    public Layout withSizes(int axis, long... sizes) {
        int along = Grid.axis("withSizes", axis, shape.length);
        if (partition == Partition.STACKED) {
            throw new IllegalStateException("withSizes: " + this + " is a stack");
        }
        if (nonNull(sizes, "withSizes", "sizes").length != grid.blocks(along)) {
            throw new IllegalArgumentException("withSizes: " + sizes.length + " lengths for " + grid.blocks(along)
                    + " blocks along axis " + along + " of " + this);
        }
        long[] other = shape.clone();
        other[along] = Arrays.stream(sizes).reduce(0, Math::addExact);
        long[] checked = Grid.checked("withSizes", other);
        long[][] starts = grid.starts().clone();
        if (isDivided(along)) {
            starts[along] = Grid.starts("withSizes", checked, along, sizes);
        }
        return new Layout(partition, checked, starts, members, groups);
    }

    /**
     * Returns the layout of an array with permuted axes, whose parts stay on their ranks.
     *
     * @param axes for each axis of the result the one of this layout
     */
    public Layout transposed(int... axes) {
        long[] other = new long[nonNull(axes, "transposed", "axes").length];
        long[][] starts = grid.starts().clone();
        for (int a = 0; a < axes.length; a++) {
            other[a] = shape[axes[a]];
            if (starts.length > 0) {
                starts[a] = grid.starts()[axes[a]];
            }
        }
        Layout transposed = new Layout(partition, other, starts, members, groups);
        if (partition == Partition.BLOCKS && !grid.isPermutedInOrder(axes)) {
            throw new IllegalArgumentException("transposed: the ranks of " + this + " would have the blocks in another"
                    + " order than row-major; Redistribute to a scattered layout first");
        }
        return transposed;
    }

    /** Returns how the array lies over the ranks, or over those of each group. */
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
        return Grid.axis("axis", axis, shape.length);
    }

    /** Returns the length of an axis; negative axes count from the end. */
    public long length(int axis) {
        return shape[Grid.axis("length", axis, shape.length)];
    }

    /**
     * Returns the axis that is divided among the ranks.
     *
     * @throws IllegalStateException if none is, or more than one
     */
    public int axis() {
        if (partition != Partition.SCATTERED) {
            throw new IllegalStateException("no axis of " + this + " is the one that is divided among the ranks");
        }
        int axis = 0;
        while (!grid.isDivided(axis)) {
            axis++;
        }
        return axis;
    }

    /** Returns whether ranks have different parts of one array. */
    public boolean isDivided() {
        return partition == Partition.SCATTERED || partition == Partition.BLOCKS;
    }

    /** Returns whether an axis is divided among ranks. */
    public boolean isDivided(int axis) {
        return grid.isDivided(axis);
    }

    /** Returns the number of elements of the whole array. */
    public long size() {
        return Grid.product("size", shape);
    }

    /** Returns the layouts that a stack consists of; none if this is no stack. */
    public List<Layout> members() {
        return members;
    }

    /** Returns the group of each rank; none where all ranks have the array together. */
    public int[] groups() {
        return groups.clone();
    }

    /** Returns where another layout differs: in its shape, its division, or the first part that does. */
    public String difference(Layout other) {
        return equals(nonNull(other, "difference", "other")) ? "they are equal" : Differences.of(this, other);
    }

    boolean isGrouped() {
        return groups.length > 0;
    }

    /** Returns whether two ranks have the array together. */
    public boolean areTogether(int a, int b) {
        return groups.length == 0 || groups[a] == groups[b];
    }

    /** Returns whether two ranks that have the array together have the same slices of all axes but one. */
    public boolean areInLine(int a, int b, int axis) {
        boolean inLine = areTogether(a, b);
        for (int other = 0; other < grid.starts().length; other++) {
            inLine &= other == axis || grid.block(place(a), other) == grid.block(place(b), other);
        }
        return inLine;
    }

    /** Returns the first slice along the one divided axis that {@code rank} has; 0 where none is divided. */
    public long start(int rank) {
        return partition == Partition.SCATTERED ? start(rank, axis()) : 0;
    }

    /** Returns the first slice along an axis that {@code rank} has. */
    public long start(int rank, int axis) {
        return isDivided(axis) ? grid.start(place(rank), axis) : 0;
    }

    /** Returns the shape of {@code rank}'s part. */
    public long[] localShape(int rank) {
        return grid.count() == 0 ? shape.clone() : grid.localShape(place(rank));
    }

    /** Returns the number of elements that {@code rank} has. */
    public long localSize(int rank) {
        if (partition == Partition.STACKED) {
            return members.stream().mapToLong(member -> member.localSize(rank)).sum();
        }
        return Grid.product("localSize", localShape(rank));
    }

    /** Returns the place of a rank among those that have the array together. */
    int place(int rank) {
        if (rank < 0 || rank >= ranks()) {
            throw new IndexOutOfBoundsException("rank " + rank + " is not one of the " + ranks() + " of " + this);
        }
        return groups.length == 0 ? rank : places[rank];
    }

    /** Returns the number of ranks that a divided or grouped layout is for; 0 for those that fit any number. */
    int ranks() {
        if (groups.length > 0) {
            return groups.length;
        }
        return members.isEmpty()
                ? grid.count()
                : members.stream().mapToInt(Layout::ranks).max().orElse(0);
    }

    /** Passes the contiguous runs of {@code rank}'s part to {@code body}, in their order there. */
    public void runs(int rank, Run body) {
        grid.runs(grid.count() == 0 ? 0 : place(rank), nonNull(body, "runs", "body"));
    }

    /**
     * Returns the number of an element in {@code rank}'s part, or −1 if another rank has it.
     *
     * @param index of the element along each axis
     * @throws IndexOutOfBoundsException if the array has no such element
     */
    public long offset(int rank, long... index) {
        if (partition == Partition.STACKED || !grid.has(nonNull(index, "offset", "index"))) {
            throw new IndexOutOfBoundsException("element " + Arrays.toString(index) + " of " + this);
        }
        return grid.offset(grid.count() == 0 ? 0 : place(rank), index);
    }

    /** Returns whether every rank has the same elements, in the same order, in an array of another shape. */
    boolean hasPartsOf(Layout other) {
        return partition == other.partition
                && Arrays.equals(groups, other.groups)
                && size() == other.size()
                && (grid.count() == 0
                        || partition == Partition.SCATTERED
                                && Arrays.equals(grid.cuts(axis()), other.grid.cuts(other.axis())));
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Layout that
                        && partition == that.partition
                        && Arrays.equals(shape, that.shape)
                        && Arrays.deepEquals(grid.starts(), that.grid.starts())
                        && Arrays.equals(groups, that.groups)
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
        return 31 * (31 * partition.hashCode() + Arrays.hashCode(shape))
                + Arrays.deepHashCode(grid.starts())
                + Arrays.hashCode(groups)
                + members.hashCode();
    }

    @Override
    public String toString() {
        String text = switch (partition) {
            case REPLICATED -> "replicated " + Arrays.toString(shape);
            case LOCAL -> "local " + Arrays.toString(shape);
            case SCATTERED ->
                "scattered " + Arrays.toString(shape) + " along axis " + axis() + " at "
                        + Arrays.toString(grid.starts()[axis()]);
            case BLOCKS -> "blocks of " + Arrays.toString(shape) + " at " + Arrays.deepToString(grid.starts());
            case STACKED -> members.stream().map(Layout::toString).collect(Collectors.joining("; ", "stacked (", ")"));
        };
        return groups.length == 0 ? text : text + " in groups " + Arrays.toString(groups);
    }
}
