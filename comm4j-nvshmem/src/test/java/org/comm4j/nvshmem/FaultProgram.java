// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.io.IOException;
import java.time.Duration;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.nvshmem.LibNvshmem;

/**
 * What the PEs of {@link FaultContract} do: the first argument says what goes wrong, the second which PE dies, if one
 * does.
 */
final class FaultProgram {
    private static final int COUNT = 1 << 16;
    /** The round in which the victim dies. */
    private static final int DEATH = 30;
    /** What a wait may take that is in vain though all live. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private final World world;
    private final Device device;
    private final String fault;
    private final int victim;

    private FaultProgram(World world, Device device, String fault, int victim) {
        this.world = world;
        this.device = device;
        this.fault = fault;
        this.victim = victim;
    }

    public static void main(String[] args) {
        if (args[0].equals("raw")) {
            // What no exception can stop, and what therefore must be stopped before.
            LibNvshmem.nvshmem_barrier_all();
            System.out.println("survived");
            return;
        }
        World world = World.join();
        Pes.join(world);
        int victim = args.length > 1 ? Integer.parseInt(args[1]) : -1;
        new FaultProgram(world, Pes.device(), args[0], victim).run();
        System.out.println("survived");
        if (!args[0].equals("unclosed")) {
            world.close();
        }
    }

    private boolean isVictim() {
        return world.rank() == victim;
    }

    private void run() {
        switch (fault) {
            case "put", "get", "collective", "wait", "allocate", "free", "split", "throw", "leave" -> loop();
            case "init" -> init();
            case "never" -> never();
            case "first", "another size", "recorded" -> absent();
            case "unclosed" -> Nvshmem.init(world, device).allocate(DataType.INT32, 10);
            case "swallowed" -> swallowed();
            case "failed" -> failed();
            case "missing" -> missing();
            case "device" -> device();
            default -> throw new IllegalArgumentException(fault);
        }
    }

    /** Says what the exception was, and what can be done after it. */
    private void told(Nvshmem nvshmem, CommException e, long start) {
        String what = switch (e) {
            case RankFailedException dead -> "named " + dead.failedRank();
            case CommTimeoutException late -> "late";
            default -> e.getClass().getSimpleName();
        };
        System.out.println(what + " after " + (System.nanoTime() - start) / 1_000_000 + " ms: " + e.getMessage());
        try {
            nvshmem.barrierAll();
            System.out.println("a barrier went on");
        } catch (IllegalStateException | RankFailedException | CommTimeoutException refused) {
            // Out of step; or, after a wait that the host alone made or that can be repeated, in vain.
            System.out.println("then: " + refused.getMessage());
        }
        long end = System.nanoTime();
        nvshmem.close();
        System.out.println("closed after " + (System.nanoTime() - end) / 1_000_000 + " ms, " + Nvshmem.state());
        try (Nvshmem again = Nvshmem.init(world, device)) {
            again.barrierAll();
            System.out.println("again: " + again.nPes() + " PEs");
        } catch (IllegalStateException given) {
            System.out.println("again: " + given.getMessage());
        }
    }

    private void loop() {
        Nvshmem nvshmem = Nvshmem.init(world, device);
        SymmetricArray array = nvshmem.allocate(DataType.INT32, COUNT);
        SymmetricArray source = nvshmem.allocate(DataType.INT32, COUNT);
        SymmetricArray signal = nvshmem.allocate(DataType.UINT64, 1);
        int n = nvshmem.nPes();
        int next = (nvshmem.myPe() + 1) % n;
        Stream stream = device.newStream();
        long start = System.nanoTime();
        try {
            for (int round = 1; round < 10 * DEATH; round++) {
                if (isVictim() && round == DEATH) {
                    die();
                }
                start = System.nanoTime();
                switch (fault) {
                    case "put" -> {
                        nvshmem.put(array, source, next, stream);
                        nvshmem.barrierAll(stream);
                        nvshmem.synchronize(stream);
                    }
                    case "get" -> {
                        nvshmem.get(source, array, next);
                        nvshmem.barrierAll();
                    }
                    case "collective" -> nvshmem.world().reduce(array, source, ReduceOp.SUM);
                    case "wait" -> {
                        nvshmem.putSignal(array, source, signal, 0, round, org.comm4j.core.SignalOp.SET, next, stream);
                        nvshmem.signalWaitUntil(signal, 0, Comparison.GE, round);
                    }
                    case "allocate" -> nvshmem.allocate(DataType.INT8, 100).close();
                    case "free" -> {
                        SymmetricArray piece = nvshmem.allocate(DataType.INT8, 100);
                        if (isVictim() && round == DEATH - 1) {
                            die();
                        }
                        piece.close();
                    }
                    case "split" -> {
                        Team team = nvshmem.world().splitStrided(0, 1, n);
                        if (team != null) {
                            team.barrier();
                            team.close();
                        }
                    }
                    default -> nvshmem.barrierAll();
                }
            }
            System.out.println("nobody died");
        } catch (CommException e) {
            told(nvshmem, e, start);
        }
    }

    /** The victim dies while the others are on their way into the library. */
    private void init() {
        long start = System.nanoTime();
        try {
            if (world.rank() == victim) {
                Thread.ofPlatform().daemon().start(() -> {
                    pause(500);
                    die();
                });
            } else if (world.rank() == (victim + 1) % world.size()) {
                pause(1500);
            }
            Nvshmem.init(world, device);
            System.out.println("nobody died");
        } catch (CommException e) {
            String what = e instanceof RankFailedException dead ? "named " + dead.failedRank() : "unnamed";
            System.out.println(what + " after " + (System.nanoTime() - start) / 1_000_000 + " ms: " + e.getMessage());
        }
    }

    /** All live, but nobody sends what each waits for. */
    private void never() {
        Nvshmem nvshmem = Nvshmem.init(world, device);
        nvshmem.timeout(SHORT);
        SymmetricArray signals = nvshmem.allocate(DataType.UINT64, 8);
        signals.fill(41);
        System.out.println("address 0x" + Long.toHexString(signals.address() + 5 * Long.BYTES));
        long start = System.nanoTime();
        try {
            if (victim == 0) {
                nvshmem.signalWaitUntil(signals, 5, Comparison.EQ, 4711);
            } else {
                Stream stream = device.newStream();
                nvshmem.signalWaitUntil(signals, 5, Comparison.EQ, 4711, stream);
                nvshmem.synchronize(stream);
            }
        } catch (CommException e) {
            told(nvshmem, e, start);
        }
    }

    /** One PE does not come to a collective. */
    private void absent() {
        Nvshmem nvshmem = Nvshmem.init(world, device);
        SymmetricArray array = nvshmem.allocate(DataType.INT32, COUNT);
        Team team = nvshmem.world();
        Stream stream = device.newStream();
        if (fault.equals("another size")) {
            team.reduce(array, array, 10, ReduceOp.SUM);
        }
        nvshmem.timeout(SHORT);
        long start = System.nanoTime();
        try {
            if (isVictim()) {
                pause(60_000);
            } else if (fault.equals("recorded")) {
                try (Graph graph = Graph.capture(stream, () -> team.reduce(array, array, ReduceOp.SUM, stream));
                        GraphExec exec = graph.instantiate()) {
                    exec.launch(stream);
                    nvshmem.synchronize(stream);
                }
            } else {
                team.reduce(array, array, ReduceOp.SUM);
            }
        } catch (CommException e) {
            told(nvshmem, e, start);
            // The one that does not come has to go, too.
            world.abort(9, "this was to be");
        }
    }

    private void refused(Runnable call) {
        try {
            call.run();
            System.out.println("it went on");
        } catch (CommException e) {
            System.out.println("refused: " + e.getMessage() + " (" + Nvshmem.state() + ")");
        }
    }

    /** The library says that all is well though it is not. */
    private void swallowed() {
        Simulation.set("initSwallowed", 1);
        refused(() -> Nvshmem.init(world, device));
    }

    private void failed() {
        Simulation.fail("nvshmemx_hostlib_init_attr", LibNvshmem.NVSHMEMX_ERROR_INTERNAL, 1);
        refused(() -> Nvshmem.init(world, device));
    }

    /** Rank 0 cannot make an id. */
    private void missing() {
        if (world.rank() == 0) {
            Simulation.fail("nvshmemx_get_uniqueid", LibNvshmem.NVSHMEMX_ERROR_INTERNAL, 1);
        }
        refused(() -> Nvshmem.init(world, device));
        // Nothing has happened to the library.
        try (Nvshmem nvshmem = Nvshmem.init(world, device)) {
            nvshmem.barrierAll();
            System.out.println("then it worked");
        }
    }

    /** The library has ended already when this PE's device fails. */
    private void device() {
        Nvshmem nvshmem = Nvshmem.init(world, device);
        Simulation.fail("cuDevicePrimaryCtxRelease_v2", LibCuda.CUDA_ERROR_INVALID_CONTEXT, 1);
        refused(nvshmem::close);
    }

    private void die() {
        switch (fault) {
            case "throw" -> throw new IllegalStateException("this PE ends by an exception");
            case "leave" -> System.exit(5);
            default -> {
                try {
                    new ProcessBuilder(
                                    "kill",
                                    "-9",
                                    Long.toString(ProcessHandle.current().pid()))
                            .start()
                            .waitFor();
                    Thread.sleep(10_000);
                } catch (IOException | InterruptedException e) {
                    Runtime.getRuntime().halt(137);
                }
            }
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError("nobody knows this thread", e);
        }
    }
}
