// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.Request;
import org.comm4j.core.World;
import org.comm4j.core.contract.LostRanks;
import org.comm4j.ffi.mpi.LibMpi;

/** A rank of {@link MpiFaultTest}. */
final class FaultProgram {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long MOST = (1L << 31) + 5;

    private FaultProgram() {}

    static void main(String[] arguments) {
        switch (arguments[0]) {
            case "lose" -> lose(arguments[1], arguments[2]);
            case "late" -> late();
            case "initialised" -> initialised();
            case "finalised" -> finalised();
            case "two-threads" -> twoThreads();
            case "many" -> many();
            case "leave" -> leave(arguments[1], arguments[2]);
            case "huge" -> huge();
            case "without-close" -> withoutClose();
            case "large-late" -> largeLate();
            case "slow" -> slow();
            case "interrupt" -> interrupt();
            case "close-under-way" -> closeUnderWay();
            case "counts" -> counts();
            default -> throw new IllegalArgumentException(Arrays.toString(arguments));
        }
    }

    /** Ranks die in turn, and the others go on; {@code deaths} is like "3/1,2". */
    private static void lose(String how, String deaths) {
        List<List<Integer>> turns = Stream.of(deaths.split("/"))
                .map(turn -> Stream.of(turn.split(",")).map(Integer::valueOf).toList())
                .toList();
        try (World world = World.join()) {
            MpiCommunicator comm = Mpi.communicator(world);
            if (!how.endsWith("without-limit")) {
                comm.timeout(PATIENCE);
            }
            System.out.println(LostRanks.run(world, comm, turns, each -> {
                kill();
            }));
        }
    }

    private static void kill() {
        try {
            int ignored = new ProcessBuilder(
                            "kill",
                            "-KILL",
                            Long.toString(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("not killed", e);
        }
    }

    /** A rank does not come; what the others gave up keeps its memory. */
    private static void late() {
        try (World world = World.join();
                MpiCommunicator comm = Mpi.communicator(world)) {
            if (comm.rank() == 0) {
                comm.timeout(Duration.ofMillis(300));
                Arena arena = Arena.ofShared();
                HostArray x = HostArray.allocate(arena, DataType.FLOAT64, 10);
                try {
                    comm.recv(x, 1);
                } catch (CommException e) {
                    System.out.println("late: " + e.getMessage());
                }
                try {
                    arena.close();
                } catch (IllegalStateException e) {
                    System.out.println("kept");
                }
                try {
                    comm.barrier();
                } catch (IllegalStateException e) {
                    System.out.println("then: " + e.getMessage());
                }
            }
            world.barrier();
        }
    }

    private static void expect(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    private static void checkSum(Communicator comm) {
        HostArray x = HostArray.of(comm.rank() + 1L);
        comm.allReduce(x, x, ReduceOp.SUM);
        expect(x.getLong(0) == comm.size() * (comm.size() + 1L) / 2, "sum " + x.getLong(0));
    }

    /** A library in this process has initialised MPI before, and ends it after the world. */
    private static void initialised() {
        try (Arena arena = Arena.ofConfined()) {
            long provided = arena.allocate(ValueLayout.JAVA_INT).address();
            int multiple = Math.toIntExact(Abi.ofLibrary().get("THREAD_MULTIPLE"));
            expect(LibMpi.MPI_Init_thread(0, 0, multiple, provided) == 0, "MPI_Init_thread");
            try (World world = World.join();
                    MpiCommunicator comm = Mpi.communicator(world)) {
                checkSum(comm);
            }
            expect(LibMpi.MPI_Finalize() == 0, "MPI_Finalize");
            System.out.println("finalised by who has initialised it");
        }
    }

    /** A library in this process ends MPI under the world. */
    private static void finalised() {
        try (World world = World.join()) {
            MpiCommunicator comm = Mpi.communicator(world);
            checkSum(comm);
            expect(LibMpi.MPI_Finalize() == 0, "MPI_Finalize");
            try {
                comm.barrier();
            } catch (IllegalStateException e) {
                System.out.println("used: " + e.getMessage());
            }
            comm.close();
            try {
                MpiCommunicator ignored = Mpi.communicator(world);
            } catch (IllegalStateException e) {
                System.out.println("made: " + e.getMessage());
            }
        }
        System.out.println("left");
    }

    /** Two threads, each with a communicator of its own. */
    private static void twoThreads() {
        try (World world = World.join();
                MpiCommunicator first = Mpi.communicator(world);
                MpiCommunicator second = Mpi.communicator(world)) {
            first.timeout(PATIENCE);
            second.timeout(PATIENCE);
            Thread other = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 300; i++) {
                    checkSum(second);
                }
            });
            for (int i = 0; i < 300; i++) {
                checkSum(first);
            }
            join(other);
            System.out.println("two threads");
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts", e);
        }
    }

    /** As many splits and requests as the property says: neither the library nor comm4j keeps anything of them. */
    private static void many() {
        int times = Integer.getInteger("comm4j.test.many");
        try (World world = World.join();
                MpiCommunicator comm = Mpi.communicator(world)) {
            HostArray x = HostArray.of(1L);
            long before = 0;
            for (int i = 0; i < times; i++) {
                if (i == times / 5) {
                    before = resident();
                }
                try (Communicator part = comm.split(0, comm.rank())) {
                    part.allReduceAsync(x, x, ReduceOp.MAX).await();
                }
            }
            long grown = resident() - before;
            System.out.println("grown by " + grown + " KiB" + (grown < 40 << 10 ? ", which is nothing" : ""));
        }
    }

    /** Returns what the process has in memory besides the Java heap, in KiB. */
    private static long resident() {
        System.gc();
        long heap = Runtime.getRuntime().totalMemory() >> 10;
        try {
            return -heap
                    + Files.readAllLines(Path.of("/proc/self/status")).stream()
                            .filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .findFirst()
                            .orElseThrow();
        } catch (IOException e) {
            throw new AssertionError("no /proc", e);
        }
    }

    /**
     * Rank 1 leaves in some way while rank 0 waits for it: in {@code World.join()}, in a collective of few or of many
     * elements, in a group, or in {@code MPI_Finalize}.
     */
    private static void leave(String how, String where) {
        boolean leaves = ranksNumber() == 1;
        if (where.equals("init") && leaves) {
            die(how);
        }
        long start = System.nanoTime();
        try {
            World world = World.join();
            MpiCommunicator comm = Mpi.communicator(world);
            if (leaves) {
                // The other one is in MPI by then.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                die(how);
            }
            start = System.nanoTime();
            HostArray x = HostArray.allocate(DataType.FLOAT64, where.equals("large") ? 1 << 20 : 10);
            HostArray y = HostArray.allocate(DataType.FLOAT64, 10);
            switch (where) {
                case "group" ->
                    comm.group(group -> {
                        group.send(x, 1);
                        group.recv(y, 1);
                    });
                case "finalize" -> world.close();
                default -> comm.allReduce(x, x, ReduceOp.SUM);
            }
            System.out.println(where.equals("finalize") ? "closed" : "nothing noticed");
        } catch (CommException e) {
            long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
            System.out.println("told " + (millis < 2000 ? "soon" : "after " + millis + " ms") + ": "
                    + e.getClass().getSimpleName() + " " + e.getMessage());
            Runtime.getRuntime().halt(7);
        }
    }

    /** Returns this process's rank by its launcher, as there may be no world yet. */
    private static int ranksNumber() {
        return Stream.of("OMPI_COMM_WORLD_RANK", "PMI_RANK")
                .map(System::getenv)
                .filter(Objects::nonNull)
                .mapToInt(Integer::parseInt)
                .findFirst()
                .orElseThrow();
    }

    private static void die(String how) {
        System.out.println("leaves at " + System.currentTimeMillis() + " ms");
        switch (how) {
            case "kill" -> kill();
            case "zero" -> Runtime.getRuntime().halt(0);
            case "nine" -> Runtime.getRuntime().halt(9);
            case "exit" -> System.exit(3);
            default -> throw new IllegalStateException("on purpose");
        }
    }

    /** Messages and broadcasts around 2^31 bytes. */
    private static void huge() {
        try (World world = World.join();
                MpiCommunicator comm = Mpi.communicator(world)) {
            HostArray x = HostArray.allocate(DataType.UINT8, MOST);
            for (long count : new long[] {Integer.MAX_VALUE, 1L << 31, MOST}) {
                int value = (int) (count & 63) + 1;
                HostArray part = x.slice(0, count);
                long[] places = {0, count / 2, count - 1};
                for (long place : places) {
                    part.setLong(place, comm.rank() == 0 ? value : 0);
                }
                comm.broadcast(part, part, 0);
                for (long place : places) {
                    expect(part.getLong(place) == value, "element " + place + " of a broadcast of " + count);
                }
                if (comm.rank() == 1) {
                    part.setLong(count - 1, value + 1L);
                    comm.send(part, 0);
                } else {
                    comm.recv(part, 1);
                    expect(part.getLong(count - 1) == value + 1, "the last of " + count + " elements of a message");
                }
            }
            System.out.println("huge");
        }
    }

    /** All leave main without having closed anything. */
    private static void withoutClose() {
        World world = World.join();
        MpiCommunicator comm = Mpi.communicator(world);
        checkSum(comm);
        System.out.println("not closed");
    }

    /** A rank does not come to a collective that is large, for which ranks of Open MPI meet. */
    private static void slow() {
        try (World world = World.join();
                MpiCommunicator comm = Mpi.communicator(world)) {
            if (comm.rank() == 1) {
                Thread.sleep(1500);
            }
            comm.barrier();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void largeLate() {
        try (World world = World.join();
                MpiCommunicator comm = Mpi.communicator(world)) {
            if (comm.rank() == 0) {
                comm.timeout(Duration.ofMillis(300));
                HostArray x = HostArray.allocate(DataType.FLOAT64, 1 << 20);
                try {
                    comm.allReduce(x, x, ReduceOp.SUM);
                } catch (CommTimeoutException e) {
                    System.out.println("late: " + e.getMessage());
                }
            }
            world.barrier();
        }
    }

    /** A thread that waits is interrupted. */
    private static void interrupt() {
        try (World world = World.join();
                MpiCommunicator comm = Mpi.communicator(world)) {
            if (comm.rank() == 0) {
                Thread caller = Thread.currentThread();
                Thread ignored = Thread.ofPlatform().start(() -> {
                    try {
                        Thread.sleep(300);
                    } catch (InterruptedException e) {
                        throw new AssertionError("nobody interrupts this one", e);
                    }
                    caller.interrupt();
                });
                try {
                    comm.barrier();
                } catch (CommException e) {
                    System.out.println("interrupted " + Thread.interrupted() + ": " + e.getMessage());
                }
            }
            world.barrier();
        }
    }

    /** A communicator is closed while a request of it is under way. */
    private static void closeUnderWay() {
        try (World world = World.join()) {
            MpiCommunicator comm = Mpi.communicator(world);
            comm.timeout(PATIENCE);
            if (comm.rank() == 0) {
                HostArray x = HostArray.of(0L);
                Request request = comm.recvAsync(x, 1);
                Thread other = Thread.ofPlatform().start(comm::close);
                world.barrier();
                request.await();
                join(other);
                System.out.println("came " + x.getLong(0));
            } else {
                world.barrier();
                comm.send(HostArray.of(5L), 0);
                comm.close();
            }
            try {
                comm.barrier();
            } catch (IllegalStateException e) {
                System.out.println("closed: " + e.getMessage());
            }
        }
    }

    /** Messages that are too short for who receives them, and too long. */
    private static void counts() {
        try (World world = World.join()) {
            for (int count : new int[] {5, 7}) {
                try (MpiCommunicator comm = Mpi.communicator(world)) {
                    comm.timeout(PATIENCE);
                    if (comm.rank() == 1) {
                        comm.send(HostArray.allocate(DataType.INT64, count), 0);
                    } else {
                        comm.recv(HostArray.allocate(DataType.INT64, 6), 1);
                        System.out.println("taken");
                    }
                } catch (CommException e) {
                    System.out.println("counts " + count + ": " + e.getClass().getSimpleName() + " "
                            + e.getMessage().replaceAll("\\s+", " "));
                }
            }
        }
    }
}
