// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.AxisShape;
import org.comm4j.math.Complex;
import org.comm4j.math.Memory;
import org.jspecify.annotations.Nullable;

/** An array of which each rank has a part, as a buffer without a copy. */
public final class DistributedArray implements Vector {
    private final Backend backend;
    private final Layout layout;
    private final Buffer part;
    private final @Nullable Memory memory;
    private final List<DistributedArray> itself = List.of(this);
    /** Views that {@link #local} has returned: operators ask for the same ones in each iteration of a solver. */
    private final List<View> views = new ArrayList<>();

    private record View(long offset, Vector vector) {}

    private DistributedArray(Backend backend, Layout layout, Buffer part, @Nullable Memory memory) {
        this.backend = backend;
        this.layout = layout;
        this.part = part;
        this.memory = memory;
    }

    static DistributedArray allocate(Backend backend, Layout layout, DataType type) {
        Memory memory = backend.compute().allocate(type, layout.localSize(backend.rank()));
        return new DistributedArray(backend, layout, memory.buffer(), memory);
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public Layout layout() {
        return layout;
    }

    @Override
    public DataType type() {
        return part.type();
    }

    /** Returns this rank's part, in row-major order. */
    public Buffer part() {
        return part;
    }

    @Override
    public List<DistributedArray> arrays() {
        return itself;
    }

    @Override
    public DistributedArray like() {
        return like(type());
    }

    @Override
    public DistributedArray like(DataType type) {
        nonNull(type, "like", "type");
        return backend.zeros(layout, type);
    }

    /**
     * Returns a local array that shares the memory of elements of this rank's part; the same array for the same
     * arguments.
     *
     * @param offset of its first element in the part
     * @param layout a local or replicated one
     * @throws IndexOutOfBoundsException if it leaves the part
     */
    public DistributedArray local(long offset, Layout layout) {
        nonNull(layout, "local", "layout");
        if (layout.partition() == Partition.STACKED) {
            throw new IllegalArgumentException(
                    "local on rank " + backend.rank() + ": " + layout + " is a stack; view returns one");
        }
        return (DistributedArray) view(offset, layout);
    }

    /**
     * Returns a local vector that shares the memory of elements of this rank's part, of a stack one member behind the
     * other; the same vector for the same arguments.
     *
     * @param offset of its first element in the part
     * @param layout a local or replicated one, or a stack of such ones
     * @throws IndexOutOfBoundsException if it leaves the part
     */
    public synchronized Vector view(long offset, Layout layout) {
        nonNull(layout, "view", "layout");
        for (int i = 0; i < views.size(); i++) {
            View view = views.get(i);
            if (view.offset == offset && view.vector.layout().equals(layout)) {
                return view.vector;
            }
        }
        Vector vector;
        if (layout.partition() == Partition.STACKED) {
            List<Vector> members = new ArrayList<>();
            long from = offset;
            for (Layout member : layout.members()) {
                members.add(view(from, member));
                from += member.localSize(backend.rank());
            }
            vector = StackedArray.of(members);
        } else {
            vector = new DistributedArray(backend, layout, part.slice(offset, layout.localSize(backend.rank())), null);
        }
        views.add(new View(offset, vector));
        return vector;
    }

    /**
     * Returns an array that shares this one's memory and has another shape of as many elements, in row-major order.
     * Does not communicate.
     *
     * @throws IllegalArgumentException if the sizes differ, or if an element would be on another rank: what divides the
     *     array must be whole slices of both shapes, which {@link #reshape(long...)} does not ask for
     */
    public DistributedArray reshape(Layout other) {
        nonNull(other, "reshape", "other");
        backend.checkLayout("reshape", other);
        if (!layout.hasPartsOf(other)) {
            throw new IllegalArgumentException("reshape on rank " + backend.rank() + ": " + this + " and " + other
                    + " have not the same elements on every rank; reshape(shape) moves them, and so does Redistribute");
        }
        return new DistributedArray(backend, other, part, null);
    }

    /**
     * Collective if the array is divided: returns a new array of another shape, with the elements of this one in
     * row-major order of the whole arrays (NumPy {@code reshape}). It is scattered along the first axis, in balanced
     * parts, if this one is divided.
     *
     * @throws IllegalArgumentException if the shape has not as many elements
     */
    public DistributedArray reshape(long... shape) {
        nonNull(shape, "reshape", "shape");
        Layout other = switch (layout.partition()) {
            case REPLICATED -> Layout.replicated(shape);
            case LOCAL -> Layout.local(shape);
            default -> Layout.scattered(backend.communicator(layout).size(), 0, shape);
        };
        if (layout.isGrouped()) {
            other = other.grouped(layout.groups());
        }
        if (other.size() != layout.size()) {
            throw new IllegalArgumentException("reshape on rank " + backend.rank() + ": " + this + " has "
                    + layout.size() + " elements, and " + other + " has " + other.size());
        }
        DistributedArray result = backend.zeros(other, type());
        if (layout.isDivided()) {
            new Redistribution(backend, layout, other, type()).run(this, result);
        } else {
            backend.compute().copy(part, result.part);
        }
        return result;
    }

    /** Collective if the array is divided: returns a new array of one dimension, {@code reshape(layout().size())}. */
    public DistributedArray ravel() {
        return reshape(layout.size());
    }

    /**
     * Returns a new array, a copy of some slices of this one (NumPy {@code x[from:to]}). Each slice stays on its rank.
     *
     * @param axis along which the slices are; negative axes count from the end
     * @param from the first slice
     * @param to the first slice behind them
     * @throws IndexOutOfBoundsException if the array has no such slices
     */
    public DistributedArray slice(int axis, long from, long to) {
        int along = layout.axis(axis);
        DistributedArray result = backend.zeros(layout.sliced(along, from, to), type());
        AxisShape local = AxisShape.of(along, layout.localShape(backend.rank()));
        long rows = result.layout.localShape(backend.rank())[along];
        long first = Math.max(0, from - layout.start(backend.rank(), along));
        long inner = local.inner();
        for (long o = 0; o < local.outer() && rows * inner > 0; o++) {
            backend.compute()
                    .copy(
                            part.slice((o * local.length() + first) * inner, rows * inner),
                            result.part.slice(o * rows * inner, rows * inner));
        }
        return result;
    }

    /**
     * Collective if the array is divided: returns an element of the whole array, equal on every rank.
     *
     * @param index of the element along each axis
     * @throws IndexOutOfBoundsException if the array has no such element
     */
    public Complex get(long... index) {
        nonNull(index, "get", "index");
        Communicator group = backend.communicator(layout);
        int owner = backend.rank();
        if (layout.isDivided()) {
            owner = 0;
            while (!layout.areTogether(owner, backend.rank()) || layout.offset(owner, index) < 0) {
                owner++;
            }
        }
        HostArray element = HostArray.allocate(type(), 1);
        if (owner == backend.rank()) {
            backend.compute().synchronize();
            part.slice(layout.offset(owner, index), 1).copyTo(element);
        }
        if (layout.isDivided() && group.size() > 1) {
            try (Memory memory = backend.compute().allocate(type(), 1)) {
                memory.buffer().copyFrom(element);
                group.broadcast(memory.buffer(), layout.place(owner));
                memory.buffer().copyTo(element);
            }
        }
        return type().isComplex()
                ? new Complex(element.getReal(0), element.getImaginary(0))
                : new Complex(element.getDouble(0), 0);
    }

    /**
     * Collective if the array is divided: returns the norms of the lines along an axis, in an array without it (NumPy
     * {@code linalg.norm} with {@code axis}). It is computed by the host.
     *
     * @param order as of {@link #norm(double)}
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     * @return the norms, replicated, or local of a local array
     */
    public DistributedArray norm(double order, int axis) {
        return Norms.along(this, order, layout.axis(axis));
    }

    /**
     * Collective unless replicated or local: returns a copy of the whole array, in row-major order, on every rank
     * (pylops-mpi {@code asarray}).
     */
    public HostArray toHost() {
        if (!layout.isDivided()) {
            backend.compute().synchronize();
            return part.toHost();
        }
        int[] ranks = IntStream.range(0, backend.size())
                .filter(r -> layout.areTogether(r, backend.rank()))
                .toArray();
        long[] counts = Arrays.stream(ranks).mapToLong(layout::localSize).toArray();
        HostArray packed;
        try (Memory memory = backend.compute().allocate(type(), layout.size())) {
            backend.operations(layout).allGatherV(part, memory.buffer(), counts);
            backend.compute().synchronize();
            packed = memory.buffer().toHost();
        }
        if (layout.partition() == Partition.SCATTERED && layout.axis() == 0) {
            return packed;
        }
        HostArray whole = HostArray.allocate(type(), layout.size());
        long before = 0;
        for (int i = 0; i < ranks.length; i++) {
            long from = before;
            layout.runs(
                    ranks[i],
                    (local, global, count) -> whole.slice(global, count).copyFrom(packed.slice(from + local, count)));
            before += counts[i];
        }
        return whole;
    }

    @Override
    public void close() {
        if (memory != null && part.isAlive()) {
            backend.closed(this);
            memory.close();
        }
    }

    @Override
    public String toString() {
        return "DistributedArray[" + layout + ", " + type() + (part.isAlive() ? "]" : ", closed]");
    }
}
