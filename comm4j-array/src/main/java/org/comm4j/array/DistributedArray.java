// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
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

    private record View(long offset, DistributedArray array) {}

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
    public synchronized DistributedArray local(long offset, Layout layout) {
        for (int i = 0; i < views.size(); i++) {
            View view = views.get(i);
            if (view.offset == offset && view.array.layout.equals(layout)) {
                return view.array;
            }
        }
        DistributedArray array =
                new DistributedArray(backend, layout, part.slice(offset, layout.localSize(backend.rank())), null);
        views.add(new View(offset, array));
        return array;
    }

    /**
     * Returns an array that shares this one's memory and has another shape of as many elements, scattered along the
     * first axis like this one.
     *
     * @throws IllegalArgumentException if the sizes differ, or if a rank's part does not consist of whole slices of the
     *     shape
     */
    public DistributedArray reshape(Layout other) {
        if (other.localSize(backend.rank()) != part.count() || other.partition() != layout.partition()) {
            throw new IllegalArgumentException("reshape on rank " + backend.rank() + ": " + this + " has "
                    + part.count() + " elements here, and " + other + " has " + other.localSize(backend.rank()));
        }
        return new DistributedArray(backend, other, part, null);
    }

    /**
     * Collective unless replicated or local: returns a copy of the whole array, in row-major order, on every rank
     * (pylops-mpi {@code asarray}).
     */
    public HostArray toHost() {
        if (layout.partition() != Partition.SCATTERED) {
            backend.compute().synchronize();
            return part.toHost();
        }
        int ranks = backend.size();
        long[] counts = new long[ranks];
        long[] offsets = new long[ranks];
        for (int r = 0; r < ranks; r++) {
            counts[r] = layout.localSize(r);
            offsets[r] = r == 0 ? 0 : offsets[r - 1] + counts[r - 1];
        }
        HostArray packed;
        try (Memory memory = backend.compute().allocate(type(), layout.size())) {
            backend.operations().allGatherV(part, memory.buffer(), counts);
            backend.compute().synchronize();
            packed = memory.buffer().toHost();
        }
        if (layout.axis() == 0) {
            return packed;
        }
        HostArray whole = HostArray.allocate(type(), layout.size());
        for (int r = 0; r < ranks; r++) {
            long from = offsets[r];
            layout.runs(
                    r,
                    (local, global, count) -> whole.slice(global, count).copyFrom(packed.slice(from + local, count)));
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
