// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongBinaryOperator;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.Request;
import org.comm4j.core.World;

/** A rank of {@link MpiPowersTest}: what MPI has and the common interface does not. */
final class PowersProgram {
    private static final MemoryLayout POINT = MemoryLayout.structLayout(
            ValueLayout.JAVA_DOUBLE.withName("distance"),
            ValueLayout.JAVA_INT.withName("id"),
            MemoryLayout.paddingLayout(4));

    private static final int[] COUNTS = {0, 1, 17, 1001};
    private static final long BIG = 1L << 40;

    private PowersProgram() {}

    static void main() {
        try (World world = World.join()) {
            MpiOptions[] all = {MpiOptions.polling(), MpiOptions.blocking()};
            for (MpiOptions options : all) {
                try (MpiCommunicator comm = Mpi.communicator(world, options)) {
                    collectives(comm);
                    scans(comm);
                    messages(comm);
                    prepared(comm);
                    records(comm);
                    hosts(comm);
                    windows(comm);
                    misuse(comm);
                    arenas(world, comm);
                    own(world, comm);
                    foreign(world, comm);
                }
            }
            System.out.println("powers ok");
        }
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    private static void same(long[] actual, long[] expected, String what) {
        check(Arrays.equals(actual, expected), what + ": " + Arrays.toString(actual));
    }

    /** Values of each rank: anything whose sums differ. */
    private static long value(int rank, int i) {
        return (rank + 1L) * (rank + 3L) + 7L * i;
    }

    private static HostArray values(DataType type, int rank, int count) {
        HostArray array = HostArray.allocate(type, count);
        for (int i = 0; i < count; i++) {
            if (type.isFloat()) {
                array.setDouble(i, (double) (value(rank, i) % 8));
            } else {
                array.setLong(i, value(rank, i));
            }
        }
        return array;
    }

    /** Sizes on both sides of those from which on ranks meet before they block. */
    private static void collectives(MpiCommunicator comm) {
        int ranks = comm.size();
        for (int count : new int[] {3, 5001, 40_001}) {
            HostArray x = values(DataType.INT64, comm.rank(), count);
            comm.allReduce(x, x, ReduceOp.SUM);
            long sum = 0;
            for (int r = 0; r < ranks; r++) {
                sum += value(r, count - 1);
            }
            check(x.getLong(count - 1) == sum, "allReduce of " + count);
            HostArray y = values(DataType.INT64, comm.rank(), count);
            comm.reduce(y, y, ReduceOp.SUM, ranks - 1);
            long last = comm.rank() == ranks - 1 ? sum : value(comm.rank(), count - 1);
            check(y.getLong(count - 1) == last, "reduce of " + count);
            HostArray half = values(DataType.BFLOAT16, comm.rank(), count);
            comm.allReduce(half, half, ReduceOp.SUM);
            float halves = 0;
            for (int r = 0; r < ranks; r++) {
                halves += value(r, count - 1) % 8;
            }
            check(half.getFloat(count - 1) == halves, "bfloat16 " + half.getFloat(count - 1));
            HostArray every = HostArray.allocate(DataType.INT64, (long) count * ranks);
            comm.allGather(values(DataType.INT64, comm.rank(), count), every);
            check(every.getLong((long) count * ranks - 1) == value(ranks - 1, count - 1), "allGather of " + count);
        }
    }

    private static void scans(MpiCommunicator comm) {
        for (int count : COUNTS) {
            for (ReduceOp op : new ReduceOp[] {ReduceOp.SUM, ReduceOp.MAX, ReduceOp.BXOR}) {
                LongBinaryOperator combine = switch (op) {
                    case SUM -> Long::sum;
                    case MAX -> Math::max;
                    default -> (a, b) -> a ^ b;
                };
                long[] before = new long[count];
                for (int i = 0; i < count; i++) {
                    before[i] = value(0, i);
                    for (int r = 1; r < comm.rank(); r++) {
                        before[i] = combine.applyAsLong(before[i], value(r, i));
                    }
                }
                long[] upTo = before.clone();
                for (int i = 0; i < count && comm.rank() > 0; i++) {
                    upTo[i] = combine.applyAsLong(before[i], value(comm.rank(), i));
                }
                HostArray x = values(DataType.INT64, comm.rank(), count);
                HostArray y = HostArray.allocate(DataType.INT64, count);
                y.fill(-5);
                comm.scan(x, y, op);
                same(y.toLongArray(), upTo, "scan " + op);
                y.fill(-5);
                comm.exclusiveScan(x, y, op);
                if (comm.rank() == 0) {
                    Arrays.fill(before, -5);
                }
                same(y.toLongArray(), before, "exclusiveScan " + op);
                comm.scan(x, x, op);
                same(x.toLongArray(), upTo, "scan in place " + op);
            }
        }
        HostArray nan = HostArray.of(comm.rank() == 0 ? Float.NaN : 1);
        comm.scan(nan, nan, ReduceOp.MIN);
        check(Float.isNaN(nan.getFloat(0)), "NaN wins in a scan");
    }

    private static void messages(MpiCommunicator comm) {
        int next = (comm.rank() + 1) % comm.size();
        int previous = (comm.rank() + comm.size() - 1) % comm.size();
        for (int count : COUNTS) {
            HostArray x = values(DataType.INT64, comm.rank(), count);
            HostArray y = HostArray.allocate(DataType.INT64, count + 3L);
            if (count > Step.LIMIT) {
                refuses(() -> comm.send(x, next, 11), IllegalArgumentException.class, "the most of a message");
                continue;
            }
            Received got = comm.sendReceive(x, next, 11, y, previous, 11);
            check(got.equals(new Received(previous, 11, count)), "sendReceive got " + got);
            same(
                    y.slice(0, count).toLongArray(),
                    values(DataType.INT64, previous, count).toLongArray(),
                    "sendReceive");
            Received own = comm.sendReceive(x, comm.rank(), 12, y, Mpi.ANY_SOURCE, 12);
            check(own.rank() == comm.rank(), "a message to oneself");
        }
    }

    private static void prepared(MpiCommunicator comm) {
        HostArray x = HostArray.allocate(DataType.INT64, 9);
        HostArray y = HostArray.allocate(DataType.INT64, 9);
        Buffer half = values(DataType.FLOAT16, comm.rank(), 5);
        int next = (comm.rank() + 1) % comm.size();
        int previous = (comm.rank() + comm.size() - 1) % comm.size();
        HostArray in = HostArray.allocate(DataType.INT64, 9);
        try (Prepared sum = comm.prepareAllReduce(x, y, ReduceOp.SUM);
                Prepared halves = comm.prepareAllReduce(half, half, ReduceOp.MAX);
                Prepared barrier = comm.prepareBarrier();
                Prepared spread = comm.prepareBroadcast(y, 0);
                Prepared out = comm.prepareSend(x, next, 3);
                Prepared into = comm.prepareReceive(in, previous, 3)) {
            for (int step = 0; step < 5; step++) {
                x.fill(comm.rank() + 10.0 * step);
                into.start();
                out.start();
                sum.start();
                halves.start();
                halves.await();
                sum.await();
                out.await();
                into.await();
                check(in.getLong(8) == previous + 10L * step, "a prepared message");
                long ranks = comm.size();
                check(y.getLong(8) == ranks * (ranks - 1) / 2 + ranks * 10 * step, "a prepared sum " + y.getLong(8));
                barrier.start();
                barrier.await();
                y.fill(comm.rank() == 0 ? step : -1);
                spread.start();
                spread.await();
                check(y.getLong(0) == step && spread.isDone(), "a prepared broadcast");
            }
            refuses(sum::await, IllegalStateException.class, "was not started");
        }
    }

    private static void records(MpiCommunicator comm) {
        Records points = Records.allocate(POINT, 700);
        Records nearest = Records.allocate(POINT, 700);
        for (int i = 0; i < 700; i++) {
            points.get(i).set(ValueLayout.JAVA_DOUBLE, 0, Math.abs((comm.rank() * 31 + i * 7) % 11 - 5) + i / 1e3);
            points.get(i).set(ValueLayout.JAVA_INT, 8, comm.rank());
        }
        comm.allReduce(points, nearest, PowersProgram::nearer);
        for (int i = 0; i < 700; i++) {
            int best = 0;
            for (int r = 1; r < comm.size(); r++) {
                best = Math.abs((r * 31 + i * 7) % 11 - 5) < Math.abs((best * 31 + i * 7) % 11 - 5) ? r : best;
            }
            check(nearest.get(i).get(ValueLayout.JAVA_INT, 8) == best, "the nearest point of " + i);
        }
        // What depends on the order: the last rank's record wins.
        comm.reduce(points, points, (lower, into) -> {}, comm.size() - 1);
        check(
                comm.rank() < comm.size() - 1 || points.get(3).get(ValueLayout.JAVA_INT, 8) == comm.size() - 1,
                "order of a reduction");
        comm.broadcast(nearest.bytes(), nearest.bytes(), 0);
        refuses(
                () -> comm.allReduce(points, nearest, (lower, into) -> {
                    if (into.get(ValueLayout.JAVA_INT, 8) >= 0) {
                        throw new IllegalArgumentException("on purpose");
                    }
                }),
                CommException.class,
                "the reduction threw");
        comm.barrier();
    }

    private static void nearer(MemorySegment lower, MemorySegment into) {
        if (lower.get(ValueLayout.JAVA_DOUBLE, 0) <= into.get(ValueLayout.JAVA_DOUBLE, 0)) {
            into.copyFrom(lower);
        }
    }

    private static void hosts(MpiCommunicator comm) {
        try (MpiCommunicator node = comm.splitByHost();
                MpiWindow window = node.allocateShared(DataType.INT64, node.rank() + 1L)) {
            check(node.size() == comm.size() && node.rank() == comm.rank(), "all are on one host");
            window.local().fill(100 + node.rank());
            window.fence();
            int next = (node.rank() + 1) % node.size();
            check(window.of(next).getLong(next) == 100 + next, "a load from another rank's memory");
            window.fence();
        }
    }

    private static void windows(MpiCommunicator comm) {
        int rank = comm.rank();
        int next = (rank + 1) % comm.size();
        try (MpiWindow window = comm.allocateWindow(DataType.INT64, 8)) {
            window.put(HostArray.of(7L + rank, 8L + rank), next, 3);
            window.flush(next);
            window.fence();
            int previous = (rank + comm.size() - 1) % comm.size();
            check(window.local().getLong(4) == 8 + previous, "put");
            HostArray read = HostArray.allocate(DataType.INT64, 2);
            window.get(read, next, 3);
            window.flushAll();
            check(read.getLong(0) == 7 + rank, "get");
            for (int i = 0; i < 100; i++) {
                long ignored = window.fetchAndOp(1, ReduceOp.SUM, 0, 0);
            }
            window.accumulate(HostArray.of(BIG), ReduceOp.SUM, 0, 1);
            window.fence();
            check(window.fetch(0, 0) == 100L * comm.size(), "fetchAndOp " + window.fetch(0, 0));
            check(window.fetch(0, 1) == BIG * comm.size(), "accumulate");
            window.fence();
            long seen = window.compareAndSwap(0, rank + 1L, 0, 7);
            window.fence();
            long winner = window.fetch(0, 7);
            check(seen == 0 ? winner == rank + 1 : winner == seen, "compareAndSwap " + seen + " " + winner);
            refuses(() -> window.put(HostArray.of(1L), next, 8), IndexOutOfBoundsException.class, "not in its 8");
            refuses(() -> window.put(HostArray.of(1), next, 0), IllegalArgumentException.class, "is not of its type");
            refuses(() -> window.get(read, comm.size(), 0), IllegalArgumentException.class, "there are ranks 0 to");
            window.fence();
        }
    }

    /** Memory that MPI uses cannot be freed. */
    private static void arenas(World world, MpiCommunicator comm) {
        Arena arena = Arena.ofShared();
        HostArray x = HostArray.allocate(arena, DataType.INT64, 1000);
        x.fill(comm.rank());
        if (comm.rank() == 0) {
            Request request = comm.recvAsync(x, 1);
            awaitUse(x);
            refuses(arena::close, IllegalStateException.class, "acquired");
            world.barrier();
            request.await();
            check(x.getLong(999) == 1, "received although somebody tried to close the arena");
        } else {
            world.barrier();
            if (comm.rank() == 1) {
                comm.send(x, 0);
            }
        }
        try (Prepared sum = comm.prepareAllReduce(x, x, ReduceOp.MAX)) {
            refuses(arena::close, IllegalStateException.class, "acquired");
            sum.start();
            sum.await();
        }
        comm.barrier();
        arena.close();
        refuses(() -> comm.send(x, 0, 1), IllegalStateException.class, "was freed");
    }

    /** Nor can what a communicator has allocated, while something prepared or another communicator has it. */
    private static void own(World world, MpiCommunicator comm) {
        HostArray x = (HostArray) comm.allocate(DataType.INT64, 1000);
        try (Prepared sum = comm.prepareAllReduce(x, x, ReduceOp.MAX)) {
            refuses(() -> comm.free(x), IllegalStateException.class, "is in use");
            sum.start();
            sum.await();
        }
        try (Communicator other = Objects.requireNonNull(comm.split(0, 0))) {
            if (comm.rank() == 0) {
                Request request = other.recvAsync(x, 1);
                awaitUse(x);
                refuses(() -> comm.free(x), IllegalStateException.class, "is in use");
                world.barrier();
                request.await();
                check(x.getLong(999) == 1, "received although somebody tried to free the memory");
            } else {
                world.barrier();
                if (comm.rank() == 1) {
                    x.fill(1);
                    other.send(x, 0);
                }
            }
        }
        comm.free(x);
        refuses(() -> comm.send(x, 0, 1), IllegalStateException.class, "was freed");
    }

    /** The other thread may not have begun yet, but the memory is not freed before that. */
    private static void awaitUse(HostArray x) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!isInUse(x) && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Whether another thread holds the memory: its arena's scope says nothing, so a thread dump is looked at. */
    private static boolean isInUse(HostArray x) {
        check(x.isAlive(), "the arena is open");
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getClassName().equals("org.comm4j.ffi.MemoryHold")
                        && frame.getMethodName().equals("run"));
    }

    /** A communicator that C might have made. */
    private static void foreign(World world, MpiCommunicator comm) {
        try (MpiCommunicator other = Mpi.communicator(world, comm.handle())) {
            check(other.rank() == comm.rank() && other.size() == comm.size(), "ranks of a foreign communicator");
            HostArray x = HostArray.of(1L);
            other.allReduce(x, x, ReduceOp.SUM);
            check(x.getLong(0) == comm.size(), "a sum on a foreign communicator");
        }
    }

    private static void misuse(MpiCommunicator comm) {
        HostArray x = HostArray.of(1L, 2L, 3L);
        refuses(() -> comm.scan(x, x.slice(0, 2), ReduceOp.SUM), IllegalArgumentException.class, "scan on rank");
        refuses(() -> comm.scan(x, x, ReduceOp.AVG), IllegalArgumentException.class, "take SUM");
        refuses(() -> comm.send(x, 0, -4), IllegalArgumentException.class, "tag -4 is below 0");
        refuses(() -> comm.prepareSend(x, 0, -1), IllegalArgumentException.class, "tag -1 is below 0");
        refuses(
                () -> comm.sendReceive(x, 0, 1, x.slice(1, 1), 0, 1),
                IllegalArgumentException.class,
                "send and recv overlap");
        refuses(
                () -> comm.allReduce(Records.allocate(POINT, 2), Records.allocate(POINT, 3), PowersProgram::nearer),
                IllegalArgumentException.class,
                "send has 2 records of 16 bytes but recv has 3");
    }

    private static void refuses(Runnable body, Class<? extends Exception> type, String text) {
        try {
            body.run();
        } catch (RuntimeException e) {
            check(type.isInstance(e) && Objects.toString(e.getMessage()).contains(text), text + ", not " + e);
            return;
        }
        throw new AssertionError("nothing was thrown that says: " + text);
    }
}
