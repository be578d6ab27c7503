// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;

/** A small blocking call allocates nothing in steady state, from engine memory and from ordinary memory. */
public abstract class AllocationContract extends Contract {
    private static final int CALLS = 2000;
    private static final int ROUNDS = 6;

    protected AllocationContract(ContractEngine engine) {
        super(engine);
    }

    @RankCounts({1, 2, 4})
    void smallCallsAllocateNothing(int ranks) {
        int count = engine.times(CALLS);
        probe(ranks, p -> {
            for (boolean ofEngine : new boolean[] {true, false}) {
                for (Map.Entry<String, Runnable> each : calls(p, ofEngine).entrySet()) {
                    p.at(each.getKey() + (ofEngine ? ", engine memory" : ", ordinary memory"));
                    long best = Long.MAX_VALUE;
                    boolean more = true;
                    for (int round = 0; more && round < ROUNDS; round++) {
                        best = Math.min(best, allocatedBy(each.getValue(), count));
                        more = anyRank(p, best >= count);
                    }
                    p.expect(best < count, count + " calls allocated " + best + " bytes");
                }
            }
        });
    }

    /** Code that is not compiled yet may allocate on one rank alone, and then all have to go on. */
    private static boolean anyRank(Probe p, boolean mine) {
        Buffer flag = p.of(mine ? 1 : 0);
        p.comm.allReduce(flag, flag, ReduceOp.MAX);
        return Probe.host(flag).getInt(0) != 0;
    }

    /** Bytes that this thread allocates in many calls; less than one for each call is somebody else's. */
    private static long allocatedBy(Runnable call, int count) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < count; i++) {
            call.run();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static Map<String, Runnable> calls(Probe p, boolean ofEngine) {
        int ranks = p.size;
        Buffer one = p.buffer("one", DataType.FLOAT32, 8, ofEngine);
        Buffer two = p.buffer("two", DataType.FLOAT32, 8, ofEngine);
        Buffer all = p.buffer("all", DataType.FLOAT32, 8L * ranks, ofEngine);
        Buffer every = p.buffer("every", DataType.FLOAT32, 8L * ranks, ofEngine);
        Buffer half = p.buffer("half", DataType.BFLOAT16, 8, ofEngine);
        long[] counts = new long[ranks];
        long[] offsets = new long[ranks];
        for (int r = 0; r < ranks; r++) {
            counts[r] = 8;
            offsets[r] = 8L * r;
        }
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.put("barrier", p.comm::barrier);
        calls.put("allReduce", () -> p.comm.allReduce(one, two, ReduceOp.SUM));
        calls.put("allReduce in place", () -> p.comm.allReduce(half, half, ReduceOp.MAX));
        calls.put("reduce", () -> p.comm.reduce(one, two, ReduceOp.SUM, 0));
        calls.put("broadcast", () -> p.comm.broadcast(one, ranks - 1));
        calls.put("allGather", () -> p.comm.allGather(one, all));
        calls.put("allGatherV", () -> p.comm.allGatherV(one, all, counts, offsets));
        calls.put("reduceScatter", () -> p.comm.reduceScatter(all, one, ReduceOp.SUM));
        calls.put("allToAll", () -> p.comm.allToAll(all, every));
        calls.put("allToAllV", () -> p.comm.allToAllV(all, counts, offsets, every, counts, offsets));
        calls.put("gather", () -> p.comm.gather(one, all, 0));
        calls.put("scatter", () -> p.comm.scatter(all, one, 0));
        if (ranks > 1) {
            // Even ranks send and then receive, odd ones the other way round.
            int peer = p.rank ^ 1;
            calls.put("send and recv", () -> {
                if (p.rank % 2 == 0) {
                    p.comm.send(one, peer);
                    p.comm.recv(two, peer);
                } else {
                    p.comm.recv(two, peer);
                    p.comm.send(one, peer);
                }
            });
        }
        return calls;
    }
}
