// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.math.Memory;
import org.jspecify.annotations.Nullable;

/**
 * Whole arrays on one rank: gathered from the parts of all ranks, scattered to them, or broadcast. Elements travel in
 * pieces of bounded size, so that no other rank has more than its part, and arrays may be larger than 2 GiB. The
 * {@link DistributedArray#toHost} of an array is the whole array on every rank.
 */
public final class Gather {
    /** Bytes of a piece: large enough for the rate of long messages, small beside a part that needs pieces at all. */
    private static final long PIECE = 64L << 20;

    private Gather() {}

    /**
     * Collective: returns a copy of the whole array, in row-major order, on one rank ({@code MPI_Gather}).
     *
     * @param x a replicated or divided array
     * @param root the rank that gets it
     * @return the array in host memory, null on the other ranks
     * @throws IllegalArgumentException on every rank, if the array is local, {@code root} is no rank, or {@code root}
     *     lacks the memory
     */
    public static @Nullable HostArray gather(DistributedArray x, int root) {
        return gather(x, root, PIECE);
    }

    static @Nullable HostArray gather(DistributedArray x, int root, long piece) {
        Backend backend = x.backend();
        Layout layout = x.layout();
        check("gather", backend, layout, root);
        Buffer part = x.part();
        long most = pieceCount(x.type(), piece);
        boolean isRoot = backend.rank() == root;
        HostArray whole = null;
        String problem = part.isAlive() ? "" : x + " is closed";
        if (isRoot && problem.isEmpty()) {
            try {
                whole = HostArray.allocate(x.type(), layout.size());
            } catch (OutOfMemoryError e) {
                problem = lacking(layout, x.type(), e);
            }
        }
        agree("gather", backend, problem);
        Operations operations = backend.operations();
        for (int r = 0; r < backend.size(); r++) {
            boolean sends = r == root || layout.isDivided() && layout.areTogether(r, root);
            if (r != root && sends && r == backend.rank()) {
                for (long at = 0; at < part.count(); at += most) {
                    operations.send(part.slice(at, Math.min(most, part.count() - at)), root);
                }
            }
            if (whole != null && sends) {
                receive(backend, layout, r, part, whole, most);
            }
        }
        return whole;
    }

    /** Copies the part of {@code rank} to its places in the whole array. */
    private static void receive(Backend backend, Layout layout, int rank, Buffer own, HostArray whole, long most) {
        long count = layout.localSize(rank);
        HostArray words = HostArray.allocate(whole.type(), Math.min(most, count));
        try (Memory staging = backend.compute().allocate(whole.type(), rank == backend.rank() ? 0 : words.count())) {
            for (long at = 0; at < count; at += most) {
                long length = Math.min(most, count - at);
                Buffer from = own;
                if (rank == backend.rank()) {
                    from = own.slice(at, length);
                } else {
                    from = staging.buffer().slice(0, length);
                    backend.operations().recv(from, rank);
                }
                backend.compute().synchronize();
                HostArray piece = words.slice(0, length);
                from.copyTo(piece);
                pieces(
                        layout,
                        rank,
                        at,
                        length,
                        (local, global, run) -> whole.slice(global, run).copyFrom(piece.slice(local, run)));
            }
        }
    }

    /**
     * Collective: returns an array with the elements of a whole array that one rank has ({@code MPI_Scatter}); a
     * replicated array is broadcast.
     *
     * @param layout a replicated or divided one
     * @param whole the elements in row-major order on {@code root}, in host memory; ignored on the other ranks
     * @param root the rank that has them
     * @throws IllegalArgumentException on every rank, if the layout is local, {@code root} is no rank, or {@code whole}
     *     is missing there, or has another type or another number of elements
     */
    public static DistributedArray scatter(
            Backend backend, Layout layout, DataType type, @Nullable HostArray whole, int root) {
        return scatter(backend, layout, type, whole, root, PIECE);
    }

    static DistributedArray scatter(
            Backend backend, Layout layout, DataType type, @Nullable HostArray whole, int root, long piece) {
        check("scatter", backend, layout, root);
        String problem = "";
        if (backend.rank() == root) {
            if (whole == null) {
                problem = "there is no whole array";
            } else if (whole.type() != type || whole.count() != layout.size()) {
                problem = whole + " has not the " + layout.size() + " elements of " + type + " of " + layout;
            }
        }
        agree("scatter", backend, problem);
        DistributedArray array = backend.zeros(layout, type);
        Buffer part = array.part();
        long most = pieceCount(type, piece);
        if (layout.partition() == Partition.REPLICATED) {
            if (backend.rank() == root && whole != null) {
                backend.compute().synchronize();
                part.copyFrom(whole);
            }
            broadcast(backend, part, root, most);
            return array;
        }
        for (int r = 0; r < backend.size(); r++) {
            if (backend.rank() == root && whole != null) {
                send(backend, layout, r, whole, part, most);
            } else if (r == backend.rank()) {
                for (long at = 0; at < part.count(); at += most) {
                    backend.operations().recv(part.slice(at, Math.min(most, part.count() - at)), root);
                }
            }
        }
        return array;
    }

    /** Copies what {@code rank} has of the whole array to its part. */
    private static void send(Backend backend, Layout layout, int rank, HostArray whole, Buffer own, long most) {
        long count = layout.localSize(rank);
        HostArray words = HostArray.allocate(whole.type(), Math.min(most, count));
        try (Memory staging = backend.compute().allocate(whole.type(), rank == backend.rank() ? 0 : words.count())) {
            for (long at = 0; at < count; at += most) {
                long length = Math.min(most, count - at);
                HostArray piece = words.slice(0, length);
                pieces(
                        layout,
                        rank,
                        at,
                        length,
                        (local, global, run) -> piece.slice(local, run).copyFrom(whole.slice(global, run)));
                backend.compute().synchronize();
                if (rank == backend.rank()) {
                    own.slice(at, length).copyFrom(piece);
                } else {
                    Buffer to = staging.buffer().slice(0, length);
                    to.copyFrom(piece);
                    backend.operations().send(to, rank);
                }
            }
            backend.compute().synchronize();
        }
    }

    /**
     * Collective: gives every rank the elements that one rank has of a replicated array ({@code MPI_Bcast}).
     *
     * @throws IllegalArgumentException on every rank, if the array is not replicated, or if {@code root} is no rank
     */
    public static void broadcast(DistributedArray x, int root) {
        check("broadcast", x.backend(), x.layout(), root);
        if (x.layout().partition() != Partition.REPLICATED) {
            throw new IllegalArgumentException("broadcast on rank "
                    + x.backend().rank() + ": " + x + " is not replicated; scatter gives each rank its part");
        }
        broadcast(x.backend(), x.part(), root, pieceCount(x.type(), PIECE));
    }

    private static void broadcast(Backend backend, Buffer part, int root, long most) {
        for (long at = 0; at < part.count() && backend.size() > 1; at += most) {
            backend.operations().broadcast(part.slice(at, Math.min(most, part.count() - at)), root);
        }
    }

    /** Passes the runs of elements {@code from} to {@code from + count} of a part, numbered from {@code from} on. */
    private static void pieces(Layout layout, int rank, long from, long count, Layout.Run body) {
        layout.runs(rank, (local, global, length) -> {
            long begin = Math.max(local, from);
            long end = Math.min(local + length, from + count);
            if (begin < end) {
                body.accept(begin - from, global + begin - local, end - begin);
            }
        });
    }

    private static long pieceCount(DataType type, long bytes) {
        return Math.max(1, bytes / type.bytes());
    }

    private static void check(String operation, Backend backend, Layout layout, int root) {
        backend.checkLayout(operation, layout);
        if (layout.partition() == Partition.LOCAL) {
            throw new IllegalArgumentException(operation + " on rank " + backend.rank() + ": the elements of an array"
                    + " that is " + layout + " are each rank's own; there is no whole array");
        }
        if (root < 0 || root >= backend.size()) {
            throw new IllegalArgumentException(operation + " on rank " + backend.rank() + ": the root " + root
                    + " is none of " + backend.size() + " ranks");
        }
    }

    private static void agree(String operation, Backend backend, String problem) {
        String words = backend.firstProblem(problem);
        if (!words.isEmpty()) {
            throw new IllegalArgumentException(operation + ": " + words);
        }
    }

    private static String lacking(Layout layout, DataType type, OutOfMemoryError e) {
        return "no memory for the " + layout.size() * type.bytes() + " bytes of " + layout + " (" + e.getMessage()
                + ")";
    }
}
