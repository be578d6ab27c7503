// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.core.contract.RandomOperations;

/** A rank of {@link MpiSoakTest}: random operations for some seconds. */
final class SoakProgram {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Code that is compiled meanwhile, and buffers of sizes that come late. */
    private static final long MOST_MEBIBYTES = 64;

    private final MpiCommunicator comm;
    private final MpiWindow window;
    /** What every rank has added to the window's element 0 on rank 0 so far. */
    private long tickets;

    private SoakProgram(MpiCommunicator comm, MpiWindow window) {
        this.comm = comm;
        this.window = window;
    }

    /** The arguments are seconds, a seed, and whether there are windows. */
    static void main(String[] arguments) {
        Duration duration = Duration.ofSeconds(Long.parseLong(arguments[0]));
        long seed = Long.parseLong(arguments[1]);
        try (World world = World.join();
                MpiCommunicator comm = Mpi.communicator(world);
                MpiCommunicator host = comm.splitByHost()) {
            comm.timeout(PATIENCE);
            host.timeout(PATIENCE);
            boolean everywhere = Boolean.parseBoolean(arguments[2]);
            try (MpiWindow window = (everywhere ? comm : host).allocateWindow(DataType.INT64, 64)) {
                SoakProgram program = new SoakProgram(everywhere ? comm : host, window);
                // Until compiled code and buffers of all sizes are there.
                String first = program.run(comm, seed, duration.dividedBy(5));
                long before = residentMebibytes();
                String second =
                        program.run(comm, seed + 1, duration.multipliedBy(4).dividedBy(5));
                long after = residentMebibytes();
                System.out.println("soaked: " + first + "; " + second + "; resident without the heap " + before
                        + " then " + after + " MiB" + (after < before + MOST_MEBIBYTES ? ", no growth" : ""));
            }
        }
    }

    private String run(MpiCommunicator world, long seed, Duration duration) {
        return RandomOperations.run(new ProcessEngine(1), world, seed, duration, this::own);
    }

    /** Returns what the process has in memory besides the Java heap, when garbage has gone. */
    private static long residentMebibytes() {
        for (int i = 0; i < 2; i++) {
            // Host arrays end with their garbage.
            System.gc();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
        }
        long heap = Runtime.getRuntime().totalMemory() >> 20;
        try {
            return -heap
                    + Files.readAllLines(Path.of("/proc/self/status")).stream()
                            .filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                            .findFirst()
                            .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One of MPI's own operations, on the ranks of the window. */
    private void own(SplittableRandom random) {
        int size = comm.size();
        int rank = comm.rank();
        int count = random.nextInt(1, 3000);
        long base = random.nextInt(1_000_000);
        switch (random.nextInt(5)) {
            case 0 -> {
                HostArray x = HostArray.allocate(DataType.INT64, count);
                x.fill((double) (base + rank));
                comm.scan(x, x, ReduceOp.SUM);
                expect(x.getLong(count - 1L), base * (rank + 1) + rank * (rank + 1L) / 2, "scan");
            }
            case 1 -> tags(random, count, base);
            case 2 -> {
                HostArray x = HostArray.allocate(DataType.INT64, count);
                HostArray y = HostArray.allocate(DataType.INT64, count);
                try (Prepared most = comm.prepareAllReduce(x, y, ReduceOp.MAX)) {
                    for (int i = 0; i < 3; i++) {
                        x.fill((double) (base + (rank + i) % size));
                        most.start();
                        most.await();
                        expect(y.getLong(count - 1L), base + size - 1, "a prepared maximum");
                    }
                }
            }
            case 3 -> {
                Records records = Records.allocate(ValueLayout.JAVA_LONG, count);
                records.get(count - 1L).set(ValueLayout.JAVA_LONG, 0, base + rank);
                comm.allReduce(records, records, (lower, into) -> {});
                expect(records.get(count - 1L).get(ValueLayout.JAVA_LONG, 0), base + size - 1, "the last record");
            }
            default -> window(random, base);
        }
    }

    /** Messages with tags to a neighbour, of whom the other one knows the tag or the sender or neither. */
    private void tags(SplittableRandom random, int count, long base) {
        int size = comm.size();
        int tag = random.nextInt(32768);
        int way = random.nextInt(3);
        HostArray x = HostArray.allocate(DataType.INT64, count);
        HostArray y = HostArray.allocate(DataType.INT64, count + 5L);
        x.fill((double) (base + comm.rank()));
        int from = (comm.rank() + size - 1) % size;
        Received got = comm.sendReceive(
                x, (comm.rank() + 1) % size, tag, y, way == 0 ? Mpi.ANY_SOURCE : from, way == 1 ? Mpi.ANY_TAG : tag);
        expect(got.count(), count, "elements of a message");
        expect(got.tag(), tag, "tag of a message");
        expect(got.rank(), from, "sender of a message");
        expect(y.getLong(count - 1L), base + from, "a message");
    }

    private void window(SplittableRandom random, long base) {
        int size = comm.size();
        int next = (comm.rank() + 1) % size;
        int place = 1 + random.nextInt(60);
        int times = random.nextInt(20);
        window.put(HostArray.of(base + comm.rank(), -base), next, place);
        for (int i = 0; i < times; i++) {
            long ignored = window.fetchAndOp(1, ReduceOp.SUM, 0, 0);
        }
        tickets += (long) times * size;
        window.fence();
        expect(window.local().getLong(place), base + (comm.rank() + size - 1) % size, "a put");
        expect(window.fetch(0, 0), tickets, "tickets");
        window.fence();
    }

    private void expect(long actual, long expected, String what) {
        if (actual != expected) {
            throw new AssertionError(what + " on " + comm + " is " + actual + ", not " + expected);
        }
    }
}
