// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.World;
import org.comm4j.core.contract.LostRanks;
import org.comm4j.core.launch.Launcher;
import org.comm4j.ffi.OperatingSystem;

/** What the ranks of {@link FaultTest} do: the first argument says what. */
final class FaultProgram {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private FaultProgram() {}

    public static void main(String[] args) throws Exception {
        System.out.println("pid " + ProcessHandle.current().pid());
        switch (args[0]) {
            case "die" -> die(args[1], Integer.parseInt(args[2]));
            case "work" -> work();
            case "lose" -> lose(args[1], args[2]);
            case "creator" -> creatorDies();
            case "mapper" -> mapperDies(false);
            case "mapped" -> mapperDies(true);
            case "stop" -> stop();
            case "small-heap" -> smallHeap();
            case "narrow" -> narrow();
            case "init" -> HostShmem.init(World.join()).close();
            case "sum" -> sum(Long.parseLong(args[1]));
            case "launch" ->
                System.exit(Launcher.ranks(2)
                        .jvmOptions("-XX:TieredStopAtLevel=1")
                        .java(FaultProgram.class.getName(), "sum", "1")
                        .run());
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static long myPid() {
        return ProcessHandle.current().pid();
    }

    private static void signalMyself(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(myPid()))
                .inheritIO()
                .start()
                .waitFor();
        // SIGTERM takes effect while this thread goes on.
        Thread.sleep(PATIENCE);
    }

    // ---- one rank dies while the others wait in every operation

    private static void die(String how, int victim) throws Exception {
        World world = World.join();
        BlockedOperations operations = new BlockedOperations(world, victim);
        HostShmem shmem = HostShmem.init(world);
        SymmetricArray timeOfDeath = shmem.allocate(DataType.INT64, 1);
        Set<BlockedOperation> all = EnumSet.allOf(BlockedOperation.class);
        if (how.equals("unwind")) {
            // A rank that leaves in order, though early, does not end the wait of two others for memory: see
            // EndOfWaitsTest.
            all.removeIf(BlockedOperation::waitsForMemory);
        }
        if (world.rank() == victim) {
            world.barrier();
            for (int pe = 0; pe < world.size(); pe++) {
                shmem.ptr(timeOfDeath, pe).setLong(0, System.nanoTime());
            }
            switch (how) {
                case "kill" -> signalMyself("KILL");
                case "term" -> signalMyself("TERM");
                case "exit" -> System.exit(3);
                case "throw" -> throw new IllegalStateException("on purpose");
                case "unwind" -> {
                    try (world;
                            operations;
                            shmem;
                            timeOfDeath) {
                        throw new IllegalStateException("on purpose");
                    }
                }
                default -> throw new IllegalArgumentException(how);
            }
        }
        operations.start(all, null);
        Thread joining = Thread.ofPlatform().unstarted(() -> report("INIT", victim, timeOfDeath, init(world)));
        joining.start();
        world.barrier();
        for (Map.Entry<BlockedOperation, BlockedOperations.Outcome> each :
                operations.outcomes(PATIENCE).entrySet()) {
            report(each.getKey().name(), victim, timeOfDeath, each.getValue());
        }
        joining.join();
        // In the clean-up nobody waits for the dead.
        timeOfDeath.close();
        operations.close();
        shmem.close();
        world.close();
        System.out.println("survived");
    }

    private static BlockedOperations.Outcome init(World world) {
        try {
            HostShmem.init(world).close();
            return new BlockedOperations.Outcome(new AssertionError("init without rank"), System.nanoTime());
        } catch (RuntimeException e) {
            return new BlockedOperations.Outcome(e, System.nanoTime());
        }
    }

    private static void report(
            String operation, int victim, SymmetricArray timeOfDeath, BlockedOperations.Outcome outcome) {
        long death = timeOfDeath.getLong(0);
        long millis = TimeUnit.NANOSECONDS.toMillis(outcome.nanoTime() - death);
        boolean named = outcome.thrown() instanceof RankFailedException e
                && e.failedRank() == victim
                && e.getMessage().contains("rank " + victim);
        System.out.println("ended " + operation + (named ? " named" : " NOT NAMED") + " after " + millis + " ms: "
                + outcome.thrown());
    }

    /** Endless collectives; rank 1 is killed after a while. */
    private static void work() throws Exception {
        try (World world = World.join();
                HostCommunicator comm = Host.communicator(world)) {
            HostArray x = comm.allocate(DataType.FLOAT32, 100_000);
            for (int i = 0; ; i++) {
                comm.allReduce(x, x, ReduceOp.SUM);
                if (i == 20 && comm.rank() == 1) {
                    signalMyself("KILL");
                }
            }
        }
    }

    /** Ranks die in turn, and the others go on; {@code deaths} is like "3/1,2". */
    private static void lose(String how, String deaths) {
        List<List<Integer>> turns = Stream.of(deaths.split("/"))
                .map(turn -> Stream.of(turn.split(",")).map(Integer::valueOf).toList())
                .toList();
        try (World world = World.join()) {
            HostCommunicator comm = Host.communicator(world);
            comm.timeout(PATIENCE);
            System.out.println(LostRanks.run(world, comm, turns, each -> {
                if (how.equals("exit")) {
                    Runtime.getRuntime().halt(9);
                }
                try {
                    signalMyself("KILL");
                } catch (IOException | InterruptedException e) {
                    throw new AssertionError("not killed", e);
                }
            }));
        }
    }

    // ---- a rank dies while the heap is made

    private static void creatorDies() throws IOException {
        World world = World.join();
        if (world.rank() == 0) {
            OperatingSystem os = OperatingSystem.current();
            int file = os.createSharedFile("comm4j", 1 << 30);
            world.exchange("comm4j.host.heap.1", ((2 << 20) + " " + os.sharedPath(file)).getBytes(UTF_8));
            Runtime.getRuntime().halt(9);
        }
        initFails(world, 0);
    }

    /** @param mapped whether it tells the others before that it has mapped the heap */
    private static void mapperDies(boolean mapped) throws Exception {
        World world = World.join();
        if (world.rank() == 1) {
            String offer =
                    new String(world.exchange("comm4j.host.heap.1", new byte[0]).getFirst(), UTF_8);
            OperatingSystem os = OperatingSystem.current();
            int file = os.openSharedFile(offer.substring(offer.indexOf(' ') + 1));
            if (!os.lockByte(file, 1)) {
                throw new IllegalStateException("the byte is locked");
            }
            if (mapped) {
                world.exchange("comm4j.host.heap.1.mapped", new byte[0]);
            }
            signalMyself("KILL");
        }
        initFails(world, 1);
    }

    private static void initFails(World world, int victim) throws IOException {
        try {
            HostShmem.init(world).close();
        } catch (RankFailedException e) {
            System.out.println(e.failedRank() == victim ? "named " + e.getMessage() : "wrong rank: " + e);
            System.out.println(
                    Files.readString(Path.of("/proc/self/maps")).contains("memfd:comm4j")
                            ? "mapped still"
                            : "unmapped");
        }
    }

    // ---- a rank is stopped for a second

    private static void stop() throws Exception {
        try (World world = World.join();
                HostShmem shmem = HostShmem.init(world);
                SymmetricArray flag = shmem.allocate(DataType.INT64, 1)) {
            if (world.rank() == 1) {
                shmem.barrierAll();
                Process helper = new ProcessBuilder(
                                "sh", "-c", "kill -STOP " + myPid() + "; sleep 1.2; kill -CONT " + myPid())
                        .inheritIO()
                        .start();
                helper.waitFor();
                Words.store(shmem, flag, 0, 1, 0);
                shmem.barrierAll();
            } else {
                shmem.barrierAll();
                Thread waiting =
                        Thread.ofPlatform().start(() -> blocked("await", () -> Words.await(shmem, flag, 0, 1)));
                blocked("barrierAll", shmem::barrierAll);
                waiting.join();
            }
        }
    }

    private static void blocked(String what, Runnable call) {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        long start = System.nanoTime();
        long processor = bean.getCurrentThreadCpuTime();
        call.run();
        System.out.println("blocked " + what + " " + (System.nanoTime() - start) / 1000 + " us, processor "
                + (bean.getCurrentThreadCpuTime() - processor) / 1000 + " us");
    }

    // ---- memory

    /** Ranks that may have less address space than the heap of a machine's whole memory takes. */
    private static void narrow() throws Exception {
        try (World world = World.join()) {
            String status = Files.readString(Path.of("/proc/self/status"));
            long has = Long.parseLong(status.replaceAll("(?s).*VmSize:\\s*(\\d+) kB.*", "$1")) << 10;
            long whole = 2 * world.size() * OperatingSystem.current().totalMemory();
            String limit = "--as=" + (has + whole / 4 * 3);
            if (run("prlimit", "--pid", Long.toString(ProcessHandle.current().pid()), limit) != 0) {
                throw new IllegalStateException("prlimit " + limit + " failed");
            }
            try (HostCommunicator comm = Host.communicator(world)) {
                HostArray x = comm.allocate(DataType.FLOAT32, 100_000);
                x.fill(1);
                comm.allReduce(x, x, ReduceOp.SUM);
                System.out.println("sum " + x.getFloat(99_999));
            }
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    /** With COMM4J_HEAP_SIZE=4M. */
    private static void smallHeap() {
        try (World world = World.join();
                HostShmem shmem = HostShmem.init(world);
                HostCommunicator comm = Host.communicator(shmem)) {
            SymmetricArray first = shmem.allocate(DataType.INT8, 2_000_000);
            try (SymmetricArray second = shmem.allocate(DataType.INT8, 2_500_000)) {
                System.out.println("allocated " + second);
            } catch (SymmetricMemoryException e) {
                System.out.println("exhausted: " + e.getMessage());
            }
            if (world.rank() == 1) {
                try {
                    System.out.println("allocated " + comm.allocate(DataType.INT8, 5 << 20));
                } catch (SymmetricMemoryException e) {
                    System.out.println("exhausted alone: " + e.getMessage());
                }
            }
            first.close();
            try (SymmetricArray third = shmem.allocate(DataType.INT8, 2_500_000)) {
                comm.barrier();
                System.out.println("goes on with " + third);
            }
        }
    }

    /** Many sums, of other numbers in every job. */
    private static void sum(long job) {
        try (World world = World.join();
                HostCommunicator comm = Host.communicator(world)) {
            HostArray mine = comm.allocate(DataType.INT64, 10_000);
            HostArray sum = comm.allocate(DataType.INT64, 10_000);
            for (long round = 0; round < 200; round++) {
                mine.fill((double) (job * 1000 + round + world.rank()));
                comm.allReduce(mine, sum, ReduceOp.SUM);
                long expected = 2 * (job * 1000 + round) + 1;
                if (sum.getLong(round) != expected || sum.getLong(9_999) != expected) {
                    throw new AssertionError("round " + round + ": " + sum.getLong(round) + ", not " + expected);
                }
            }
            System.out.println("sums of job " + job + " are right");
        }
    }
}
