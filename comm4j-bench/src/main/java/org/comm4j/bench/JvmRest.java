// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * When the JVM's own threads have nothing to do: the compiler above all, which goes on with what just ran on processors
 * that PEs need, and which PEs that wait for each other keep from its work. What is measured before it has come to an
 * end is the speed of code that is about to be replaced.
 */
public final class JvmRest {
    private static final long LOOK_NANOS = 10_000_000;
    /** More processor time than this between two looks is work. */
    private static final long WORK_NANOS = LOOK_NANOS / 20;

    private static final Duration LIMIT = Duration.ofSeconds(3);

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private JvmRest() {}

    /**
     * Sleeps until nothing of this process works any more, three seconds at most.
     *
     * @return the nanoseconds of processors that its other threads have taken meanwhile
     */
    public static long await() {
        long start = System.nanoTime();
        long first = PROCESS.getProcessCpuTime();
        long before;
        long now = first;
        do {
            before = now;
            LockSupport.parkNanos(LOOK_NANOS);
            now = PROCESS.getProcessCpuTime();
        } while (now - before > WORK_NANOS && System.nanoTime() - start < LIMIT.toNanos());
        return now - first;
    }
}
