// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;

/** Operations that are called again and again make no work for the garbage collector. */
final class AllocationCases {
    /** Few: where many others want the processors, PEs that wait for each other need milliseconds for each. */
    private static final int CALLS = 500;
    /** The first ones are not compiled yet, and how many that are depends on the machine's other work. */
    private static final int ROUNDS = 8000;

    private AllocationCases() {}

    static void nothing(OpenShmem shmem) {
        if (shmem.nPes() > 2
                || CasesProgram.isFirstCompilerOnly()
                || shmem.shared().size() < shmem.nPes()) {
            // The second compiler removes objects; and calls of a library need memory to pass values in.
            return;
        }
        int n = shmem.nPes();
        int next = (shmem.myPe() + 1) % n;
        try (SymmetricArray small = shmem.allocate(DataType.INT64, 8);
                SymmetricArray other = shmem.allocate(DataType.INT64, 8L * n);
                SymmetricArray all = shmem.allocate(DataType.INT64, 8L * n);
                SymmetricArray large = shmem.allocate(DataType.UINT8, 64 << 10);
                SymmetricArray larger = shmem.allocate(DataType.UINT8, 64 << 10);
                SymmetricArray signal = shmem.allocate(DataType.UINT64, 1);
                SymmetricArray least = shmem.allocate(DataType.INT64, 1)) {
            HostArray mine = HostArray.allocate(DataType.INT64, 8);
            Team world = shmem.world();
            Map<String, Runnable> calls = new LinkedHashMap<>();
            calls.put("put", () -> shmem.put(small, mine, next));
            calls.put("put of symmetric memory", () -> shmem.put(all, other, next));
            calls.put("putNbi", () -> shmem.putNbi(small, mine, next));
            calls.put("large put", () -> shmem.put(large, larger, next));
            calls.put("get", () -> shmem.get(mine, small, next));
            calls.put("large get", () -> shmem.get(larger, large, next));
            calls.put("p", () -> shmem.p(small, 1, 5, next));
            calls.put("g", () -> mine.setLong(0, shmem.g(small, 1, next)));
            calls.put("iput", () -> shmem.iput(small, mine, 2, 1, 4, next));
            calls.put("atomicAdd", () -> shmem.atomicAdd(small, 2, 1, next));
            calls.put("atomicFetchAdd", () -> mine.setLong(0, shmem.atomicFetchAdd(small, 2, 1, next)));
            calls.put("atomicCompareSwap", () -> mine.setLong(0, shmem.atomicCompareSwap(small, 2, 1, 2, next)));
            calls.put("putSignal", () -> shmem.putSignal(small, mine, signal, 0, 1, SignalOp.SET, next));
            calls.put("waitUntil", () -> mine.setLong(0, shmem.waitUntil(other, 0, Comparison.EQ, 0)));
            calls.put("fence", shmem::fence);
            calls.put("quiet", shmem::quiet);
            calls.put("barrierAll", shmem::barrierAll);
            calls.put("broadcast", () -> world.broadcast(all, other, 0));
            calls.put("large broadcast", () -> world.broadcast(large, larger, 0));
            calls.put("fcollect", () -> world.fcollect(all, small));
            calls.put("collect", () -> mine.setLong(0, world.collect(all, small, 3)));
            calls.put("allToAll", () -> world.allToAll(all, other));
            calls.put("reduce", () -> world.reduce(all, other, ReduceOp.SUM));
            calls.put("large reduce", () -> world.reduce(large, larger, ReduceOp.MAX));
            calls.put("sumInscan", () -> world.sumInscan(all, other));
            calls.forEach((name, call) -> {
                least.setLong(0, Long.MAX_VALUE);
                // All PEs make the same calls.
                for (int round = 0; round < ROUNDS && least.getLong(0) >= CALLS; round++) {
                    least.setLong(0, allocatedBy(call));
                    world.reduce(least, least, ReduceOp.MAX);
                }
                assertThat(least.getLong(0))
                        .as("bytes allocated by %d calls of %s", CALLS, name)
                        .isLessThan(CALLS);
            });
            shmem.barrierAll();
        }
    }

    /** Bytes that this thread allocates in many calls; less than one for each call is somebody else's. */
    private static long allocatedBy(Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
