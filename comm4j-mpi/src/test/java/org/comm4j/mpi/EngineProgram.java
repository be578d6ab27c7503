// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.ffi.mpi.LibMpi;

/** A rank of {@link MpiHostsTest}: the common interface alone, as programs use it that know no engine. */
final class EngineProgram {
    private EngineProgram() {}

    static void main(String[] arguments) throws InterruptedException {
        switch (arguments[0]) {
            case "sum" -> sum();
            case "init" -> init();
            case "join" -> join();
            case "wait" -> await();
            default -> throw new IllegalArgumentException(Arrays.toString(arguments));
        }
    }

    private static void sum() {
        try (World world = World.join();
                Communicator comm = world.communicator()) {
            Buffer x = comm.allocate(DataType.FLOAT64, 1 << 20);
            x.fill(comm.rank() + 1);
            comm.allReduce(x, x, ReduceOp.SUM);
            System.out.println(comm.engine() + " sum " + x.toDoubleArray()[7] + " of " + world.size());
        }
    }

    /** How long MPI's initialisation takes, with the loading of the library, and nothing else. */
    private static void init() {
        long start = System.nanoTime();
        try (Arena arena = Arena.ofConfined()) {
            long provided = arena.allocate(ValueLayout.JAVA_INT).address();
            int multiple = Math.toIntExact(Abi.ofLibrary().get("THREAD_MULTIPLE"));
            int status = LibMpi.MPI_Init_thread(0, 0, multiple, provided);
            System.out.println("init " + status + " took " + millisSince(start) + " ms");
            int ignored = LibMpi.MPI_Finalize();
        }
    }

    /** How long the world takes, MPI's initialisation among it. */
    private static void join() {
        long start = System.nanoTime();
        try (World world = World.join()) {
            System.out.println("join of " + world.size() + " took " + millisSince(start) + " ms");
            world.barrier();
        }
    }

    private static long millisSince(long start) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /** Waits for somebody who never comes; the last rank does not wait. */
    private static void await() throws InterruptedException {
        try (World world = World.join();
                Communicator comm = world.communicator()) {
            HostArray x = HostArray.allocate(DataType.INT64, 10);
            comm.allReduce(x, x, ReduceOp.SUM);
            System.out.println("waiting, pid " + ProcessHandle.current().pid());
            if (comm.rank() == comm.size() - 1) {
                Thread.sleep(TimeUnit.MINUTES.toMillis(2));
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            try {
                comm.allReduce(x, x, ReduceOp.SUM);
            } catch (RuntimeException e) {
                System.out.println("told: " + e);
                throw e;
            }
        }
    }
}
