// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.math.ExactSums;
import org.comm4j.math.Memory;
import org.comm4j.math.Scalar;
import org.comm4j.math.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * A communicator and what computes for this rank. It makes layouts and arrays, without communication, and owns the
 * arrays that the program does not close before it.
 */
public final class Backend implements AutoCloseable {
    /** Arrays that the message of a full memory names. */
    private static final int MOST_NAMED = 5;

    private static final long LEAST_OVERLAP = 4L << 20;

    private final Communicator communicator;
    private final Compute compute;
    private final GroupedOperations operations;
    private final List<Group> groups = new ArrayList<>();
    private final List<Background> backgrounds = new ArrayList<>();
    private final Set<DistributedArray> owned = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable Scalar scratch;
    private @Nullable ExactSums exactScratch;
    private boolean reproducible;
    private boolean overlap = true;
    private long overlapFrom = LEAST_OVERLAP;
    private boolean closed;

    /** The ranks of this rank's group, for layouts with these groups. */
    private record Group(int[] groups, Communicator communicator, GroupedOperations operations) {}

    /** The communicator of what travels in the background for the users of some operations. */
    private record Background(GroupedOperations operations, Communicator communicator) {}

    private Backend(Communicator communicator, Compute compute) {
        this.communicator = communicator;
        this.compute = compute;
        operations = compute.operations(communicator);
    }

    /**
     * Returns a backend whose arrays are where the communicator's own memory is: on the GPU of this rank, or in host
     * memory. The communicator stays the caller's.
     */
    public static Backend of(Communicator communicator) {
        nonNull(communicator, "of", "communicator");
        return new Backend(communicator, Compute.of(communicator));
    }

    /**
     * Returns a backend that computes with what is given, and closes it. The communicator stays the caller's.
     *
     * @param compute whose memory the communicator reaches
     */
    public static Backend of(Communicator communicator, Compute compute) {
        nonNull(communicator, "of", "communicator");
        nonNull(compute, "of", "compute");
        return new Backend(communicator, compute);
    }

    /**
     * Makes all dot products and norms from now on the same to the bit for every split of the vectors, number of ranks,
     * engine and device, as {@link Dots#reproducible} does for some: norms of order 0, 1, 2 and ±∞. Solvers on them
     * then make the same iterations where their operators compute the same numbers.
     *
     * <p>What has no reproducible sum throws {@link IllegalArgumentException}: norms of other orders, and those along
     * an axis that is divided.
     */
    public Backend reproducible() {
        reproducible = true;
        return this;
    }

    /** Returns whether dot products and norms are {@linkplain #reproducible reproducible}. */
    public boolean isReproducible() {
        return reproducible;
    }

    /** Returns the communicator. */
    public Communicator communicator() {
        return communicator;
    }

    /**
     * Returns the communicator's operations in the order of what {@link #compute} does: on a GPU the host does not wait
     * for them.
     */
    public GroupedOperations operations() {
        return operations;
    }

    /** Returns what computes for this rank. */
    public Compute compute() {
        return compute;
    }

    /** Returns a number for one reduction at a time: norms of short vectors would otherwise mostly make room for it. */
    Scalar scratch() {
        Scalar known = scratch;
        if (known == null) {
            known = compute.scalars(1).get(0);
            scratch = known;
        }
        return known;
    }

    /** Returns two sums for one reduction at a time. */
    ExactSums exactScratch() {
        ExactSums known = exactScratch;
        if (known == null) {
            known = compute.exactSums(2);
            exactScratch = known;
        }
        return known;
    }

    /** Returns this process's number among the ranks. */
    public int rank() {
        return communicator.rank();
    }

    /** Returns the number of ranks. */
    public int size() {
        return communicator.size();
    }

    // Layouts

    /** Returns {@link Layout#replicated}. */
    public Layout replicated(long... shape) {
        return Layout.replicated(shape);
    }

    /** Returns {@link Layout#local}. */
    public Layout local(long... shape) {
        return Layout.local(shape);
    }

    /** Returns {@link Layout#scattered(int, int, long...)} for the ranks of this backend. */
    public Layout scattered(int axis, long... shape) {
        return Layout.scattered(size(), axis, shape);
    }

    /** Returns {@link Layout#blocks(int[], long...)} for a grid of the ranks of this backend. */
    public Layout blocks(int[] grid, long... shape) {
        return Layout.blocks(grid, shape);
    }

    /**
     * Collective the first time for these groups: returns {@link Layout#grouped}, and makes the communicator of this
     * rank's group, which stays as long as this does ({@code MPI_Comm_split}).
     *
     * @param groups number of each rank's group
     */
    public Layout grouped(Layout layout, int... groups) {
        nonNull(layout, "grouped", "layout");
        Layout grouped = layout.grouped(groups);
        checkLayout("grouped", grouped);
        if (find(grouped) == null) {
            Communicator own = communicator.split(groups[rank()], rank());
            if (own == null) {
                throw new AssertionError("no communicator of group " + groups[rank()]);
            }
            this.groups.add(new Group(groups.clone(), own, compute.operations(own)));
        }
        return grouped;
    }

    private @Nullable Group find(Layout layout) {
        for (int i = 0; i < groups.size(); i++) {
            if (Arrays.equals(layout.groups(), groups.get(i).groups)) {
                return groups.get(i);
            }
        }
        return null;
    }

    private Group group(Layout layout) {
        Group group = find(layout);
        if (group == null) {
            throw new IllegalStateException(
                    "no communicators were made for " + layout + "; Backend.grouped makes them");
        }
        return group;
    }

    /**
     * Collective the first time: returns what travels over the ranks of some operations in the background, by a
     * communicator of its own, which stays as long as this does.
     */
    Transfer background(GroupedOperations of, Consumer<Operations> body) {
        return compute.transfer(background(of), true, body);
    }

    @SuppressWarnings("ReferenceEquality") // these very operations
    private Communicator background(GroupedOperations of) {
        for (Background known : backgrounds) {
            if (known.operations == of) {
                return known.communicator;
            }
        }
        Communicator ranks = communicator;
        for (Group group : groups) {
            ranks = group.operations == of ? group.communicator : ranks;
        }
        Communicator own = ranks.split(0, ranks.rank());
        if (own == null) {
            throw new AssertionError("no communicator for what travels in the background");
        }
        backgrounds.add(new Background(of, own));
        return own;
    }

    /** Returns the operations of the ranks that have an array of a layout together, like {@link #operations()}. */
    public GroupedOperations operations(Layout layout) {
        nonNull(layout, "operations", "layout");
        return layout.isGrouped() ? group(layout).operations : operations;
    }

    /** Returns the communicator of the ranks that have an array of a layout together. */
    public Communicator communicator(Layout layout) {
        nonNull(layout, "communicator", "layout");
        return layout.isGrouped() ? group(layout).communicator : communicator;
    }

    /**
     * Returns operations of the ranks that have an array of a layout together, which travel while this rank computes
     * unless {@link #overlap} says otherwise. The caller closes them.
     *
     * @param body of a group of operations, which is the same each time
     */
    public Transfer transfer(Layout layout, Consumer<Operations> body) {
        nonNull(layout, "transfer", "layout");
        nonNull(body, "transfer", "body");
        return compute.transfer(communicator(layout), overlap, body);
    }

    /**
     * Sets whether operators that are made from now on compute while elements travel; they do unless this says
     * otherwise. Without it elements travel first.
     */
    public Backend overlap(boolean on) {
        overlap = on;
        return this;
    }

    /**
     * Sets from how many bytes of a rank's part on stencils compute inner rows while ghost rows travel. Unless set it
     * is {@value #LEAST_OVERLAP}: below it another launch or thread costs more than it gains.
     */
    public Backend overlapFrom(long bytes) {
        overlapFrom = bytes;
        return this;
    }

    /** Returns the bytes that {@link #overlapFrom} sets. */
    public long overlapFrom() {
        return overlapFrom;
    }

    /** Returns whether operators compute while elements travel. */
    public boolean overlaps() {
        return overlap;
    }

    // Arrays

    /** Returns an array of zeros. */
    public DistributedArray zeros(Layout layout, DataType type) {
        nonNull(layout, "zeros", "layout");
        nonNull(type, "zeros", "type");
        return array(layout, type);
    }

    /** Returns an array whose elements are all {@code value}. */
    public DistributedArray full(Layout layout, DataType type, double value) {
        nonNull(layout, "full", "layout");
        nonNull(type, "full", "type");
        DistributedArray array = array(layout, type);
        array.fill(Coefficient.of(value));
        return array;
    }

    /**
     * Returns an array of random numbers, uniform in [0, 1). An element depends on the seed and on its index in the
     * whole array, not on how the array is split: of a local array on its index there.
     */
    public DistributedArray random(Layout layout, DataType type, long seed) {
        nonNull(layout, "random", "layout");
        nonNull(type, "random", "type");
        DistributedArray array = array(layout, type);
        layout.runs(
                rank(),
                (local, global, count) ->
                        compute.random(seed, global, array.part().slice(local, count)));
        return array;
    }

    /**
     * Returns an array with the elements of a whole array, of which every rank passes all of it.
     *
     * @throws IllegalArgumentException if {@code values} has not the size of the layout
     */
    public DistributedArray of(Layout layout, double... values) {
        nonNull(layout, "of", "layout");
        nonNull(values, "of", "values");
        if (values.length != layout.size()) {
            throw new IllegalArgumentException(
                    "of: " + values.length + " values for " + layout + ", which has " + layout.size() + " elements");
        }
        DistributedArray array = array(layout, DataType.FLOAT64);
        var part = HostArray.allocate(DataType.FLOAT64, array.part().count());
        layout.runs(rank(), (local, global, count) -> {
            for (long i = 0; i < count; i++) {
                part.setDouble(local + i, values[(int) (global + i)]);
            }
        });
        array.part().copyFrom(part);
        return array;
    }

    /** Returns vectors of zeros for any layout, stacks included. */
    public Vector vector(Layout layout, DataType type) {
        nonNull(layout, "vector", "layout");
        nonNull(type, "vector", "type");
        if (layout.partition() != Partition.STACKED) {
            return array(layout, type);
        }
        List<Vector> members = new ArrayList<>();
        layout.members().forEach(member -> members.add(vector(member, type)));
        return StackedArray.of(members);
    }

    private synchronized DistributedArray array(Layout layout, DataType type) {
        Compute.check("array", type);
        checkLayout("array", layout);
        if (closed) {
            throw new IllegalStateException("the backend of rank " + rank() + " is closed");
        }
        DistributedArray array;
        try {
            array = DistributedArray.allocate(this, layout, type);
        } catch (OutOfMemoryError e) {
            OutOfMemoryError told = new OutOfMemoryError(full(layout, type) + "; " + e.getMessage());
            told.initCause(e);
            throw told;
        } catch (RuntimeException e) {
            // What a device says has no word of arrays.
            e.addSuppressed(new IllegalStateException(full(layout, type)));
            throw e;
        }
        owned.add(array);
        return array;
    }

    /** Says how much each array takes, the largest ones first. */
    private String full(Layout layout, DataType type) {
        List<DistributedArray> open = new ArrayList<>(owned);
        open.sort(Comparator.comparingLong(
                        (DistributedArray array) -> array.part().byteSize())
                .reversed());
        long all = 0;
        StringBuilder largest = new StringBuilder();
        for (int i = 0; i < open.size(); i++) {
            long bytes = open.get(i).part().byteSize();
            all += bytes;
            if (i < MOST_NAMED) {
                largest.append("; ").append(bytes).append(" bytes: ").append(open.get(i));
            }
        }
        return "rank " + rank() + " has no memory for an array of " + type + " that is " + layout + ", "
                + layout.localSize(rank()) * type.bytes() + " bytes here; " + open.size() + " open arrays take " + all
                + " bytes" + largest;
    }

    /** Checks that a layout is one of an array of this many ranks. */
    void checkLayout(String operation, Layout layout) {
        if (layout.partition() == Partition.STACKED) {
            throw new IllegalArgumentException(operation + ": " + layout + " is a stack; vector(...) makes its arrays");
        }
        if (layout.ranks() != 0 && layout.ranks() != size()) {
            throw new IllegalArgumentException(
                    operation + ": " + layout + " is for " + layout.ranks() + " ranks, and this backend has " + size());
        }
    }

    synchronized void closed(DistributedArray array) {
        owned.remove(array);
    }

    /** Collective: exchanges one number of each rank. */
    public long[] exchange(long mine) {
        try (Memory memory = compute.allocate(DataType.INT64, size())) {
            Buffer all = memory.buffer();
            Buffer part = all.slice(rank(), 1);
            part.copyFrom(HostArray.of(mine));
            communicator.allGather(part, all);
            HostArray numbers = all.toHost();
            return IntStream.range(0, size()).mapToLong(numbers::getLong).toArray();
        }
    }

    /** Collective: returns the exclusive or of the ranks' words, each with that at the same index. */
    HostArray combined(HostArray words) {
        try (Memory memory = compute.allocate(words.type(), words.count())) {
            memory.buffer().copyFrom(words);
            communicator.allReduce(memory.buffer(), memory.buffer(), ReduceOp.BXOR);
            return memory.buffer().toHost();
        }
    }

    /**
     * Collective: tells all ranks what one of them has met, so that they end alike.
     *
     * @param mine what this rank has met, or an empty text
     * @return the text of the first rank that met something, with its number; empty if none did
     */
    public String firstProblem(String mine) {
        nonNull(mine, "firstProblem", "mine");
        byte[] text = mine.getBytes(UTF_8);
        long[] lengths = exchange(text.length);
        for (int r = 0; r < lengths.length; r++) {
            if (lengths[r] > 0) {
                try (Memory memory = compute.allocate(DataType.INT8, lengths[r])) {
                    HostArray words = HostArray.allocate(DataType.INT8, lengths[r]);
                    if (r == rank()) {
                        words.copyFrom(text);
                        memory.buffer().copyFrom(words);
                    }
                    communicator.broadcast(memory.buffer(), r);
                    return "rank " + r + ": "
                            + new String(memory.buffer().toHost().toByteArray(), UTF_8);
                }
            }
        }
        return "";
    }

    /** Closes the arrays that are still open. The communicator stays open. */
    @Override
    public void close() {
        List<DistributedArray> left;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            left = List.copyOf(owned);
        }
        left.forEach(DistributedArray::close);
        compute.close();
        backgrounds.forEach(background -> background.communicator.close());
        groups.forEach(group -> group.communicator.close());
    }

    @Override
    public String toString() {
        return "Backend[rank " + rank() + " of " + size() + ", " + communicator.engine() + ", " + compute.name() + "]";
    }
}
