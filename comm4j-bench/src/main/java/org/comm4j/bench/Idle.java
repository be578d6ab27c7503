// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import org.comm4j.core.CommException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;

/** How much of a processor a rank uses that is blocked in a barrier. */
public final class Idle {
    private Idle() {}

    /**
     * What was measured.
     *
     * @param seconds that the ranks were blocked
     * @param thread of one processor that the blocked thread used, the largest share of all blocked ranks; 1 is all of
     *     it
     * @param process the same for whole processes, with the compiler's and collector's threads
     */
    public record Share(double seconds, double thread, double process) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "blocked for %.2f s: the waiting thread used %.2f %% of a processor, its whole process %.2f %%",
                    seconds,
                    100 * thread,
                    100 * process);
        }
    }

    /**
     * Collective: all ranks but 0 are blocked in a barrier for so long, while rank 0 sleeps.
     *
     * @throws IllegalArgumentException if there are fewer than 2 ranks
     */
    public static Share measure(Communicator comm, double seconds) {
        if (comm.size() < 2) {
            throw new IllegalArgumentException("nobody can be idle: 2 ranks are needed, one waits for the other");
        }
        HostArray word = HostArray.allocate(DataType.FLOAT64, 1);
        // What happens once, like compiling, is not what waiting costs.
        comm.barrier();
        block(comm, word, Math.min(seconds, 0.2));
        return block(comm, word, seconds);
    }

    private static Share block(Communicator comm, HostArray word, double seconds) {
        comm.barrier();
        long start = System.nanoTime();
        long thread = threadNanos();
        long process = processNanos();
        if (comm.rank() == 0) {
            sleep(seconds);
        }
        comm.barrier();
        double elapsed = System.nanoTime() - start;
        boolean waited = comm.rank() != 0;
        double threadShare = waited ? (threadNanos() - thread) / elapsed : 0;
        double processShare = waited ? (processNanos() - process) / elapsed : 0;
        return new Share(elapsed / 1e9, largest(comm, word, threadShare), largest(comm, word, processShare));
    }

    private static void sleep(double seconds) {
        try {
            Thread.sleep((long) (seconds * 1000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommException("interrupted while the other ranks were waiting", e);
        }
    }

    private static double largest(Communicator comm, HostArray word, double value) {
        word.setDouble(0, value);
        comm.allReduce(word, word, ReduceOp.MAX);
        return word.getDouble(0);
    }

    private static long threadNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long processNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
