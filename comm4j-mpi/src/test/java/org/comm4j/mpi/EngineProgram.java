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

    /** How long the world takes beside MPI's own start. */
    private static void join() {
        try (Arena arena = Arena.ofConfined()) {
            long provided = arena.allocate(ValueLayout.JAVA_INT).address();
            int multiple = Math.toIntExact(Abi.ofLibrary().get("THREAD_MULTIPLE"));
            long start = System.nanoTime();
            int status = LibMpi.MPI_Init_thread(0, 0, multiple, provided);
            long initialised = System.nanoTime();
            try (World world = World.join()) {
                long joined = System.nanoTime();
                System.out.println("init " + status + " took " + TimeUnit.NANOSECONDS.toMillis(initialised - start)
                        + " ms, join of " + world.size() + " "
                        + TimeUnit.NANOSECONDS.toMillis(joined - initialised) + " ms");
                world.barrier();
            }
            int ignored = LibMpi.MPI_Finalize();
        }
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
