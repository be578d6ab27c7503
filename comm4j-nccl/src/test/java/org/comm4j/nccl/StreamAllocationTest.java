// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.comm4j.core.DataType;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is put into streams again and again allocates nothing, with C functions that do nothing. */
class StreamAllocationTest {
    private static final int CALLS = 5000;
    private static final int ROUNDS = 12;

    @BeforeEach
    void needsTheSimulation() {
        Simulation.require();
    }

    @Test
    void everyOperation() {
        try (Device device = Device.of(0);
                Device second = Device.of(1);
                Stream stream = device.newStream();
                Stream another = second.newStream()) {
            List<NcclCommunicator> comms = Nccl.initAll(device, second);
            NcclCommunicator comm = comms.getFirst();
            DeviceArray one = comm.allocate(DataType.FLOAT32, 8);
            DeviceArray two = comm.allocate(DataType.FLOAT32, 8);
            DeviceArray all = comm.allocate(DataType.FLOAT32, 16);
            DeviceArray every = comm.allocate(DataType.FLOAT32, 16);
            DeviceArray there = comms.getLast().allocate(DataType.FLOAT32, 8);
            DeviceArray alsoThere = comms.getLast().allocate(DataType.FLOAT32, 8);
            long[] counts = {8, 8};
            long[] offsets = {0, 8};
            CustomReductions sums = comm.with(comm.preMulSum(DataType.FLOAT32, 2));
            Consumer<Operations> messages = g -> {
                g.send(one, 1);
                g.recv(two, 1);
            };
            Consumer<Group> exchange = g -> {
                Operations first = g.on(comm, stream);
                first.send(one, 1);
                first.recv(two, 1);
                Operations last = g.on(comms.getLast(), another);
                last.send(there, 0);
                last.recv(alsoThere, 0);
            };
            Map<String, Runnable> calls = new LinkedHashMap<>();
            calls.put("allReduce", () -> comm.allReduce(one, two, ReduceOp.SUM, stream));
            calls.put("reduce", () -> comm.reduce(one, two, ReduceOp.SUM, 0, stream));
            calls.put("broadcast", () -> comm.broadcast(one, 0, stream));
            calls.put("allGather", () -> comm.allGather(one, all, stream));
            calls.put("allGatherV", () -> comm.allGatherV(one, all, counts, offsets, stream));
            calls.put("reduceScatter", () -> comm.reduceScatter(all, one, ReduceOp.SUM, stream));
            calls.put("allToAll", () -> comm.allToAll(all, every, stream));
            calls.put("allToAllV", () -> comm.allToAllV(all, counts, offsets, every, counts, offsets, stream));
            calls.put("gather", () -> comm.gather(one, all, 0, stream));
            calls.put("scatter", () -> comm.scatter(all, one, 0, stream));
            calls.put("send", () -> comm.send(one, 1, stream));
            calls.put("recv", () -> comm.recv(one, 1, stream));
            calls.put("barrier", () -> comm.barrier(stream));
            calls.put("allReduce with a sum of one's own", () -> sums.allReduce(one, two, stream));
            calls.put("messages in a group", () -> comm.group(messages, stream));
            Consumer<Operations> uneven = g -> g.allToAllV(all, counts, offsets, every, counts, offsets);
            calls.put("parts in a group", () -> comm.group(uneven, stream));
            calls.put("messages of two communicators in a group", () -> Nccl.group(exchange));
            Map<String, Long> allocated = new TreeMap<>();
            Simulation.set("noop", 1);
            try {
                calls.forEach((what, call) -> {
                    long best = Long.MAX_VALUE;
                    for (int round = 0; round < ROUNDS; round++) {
                        best = Math.min(best, allocatedBy(call));
                    }
                    if (best >= CALLS) {
                        allocated.put(what, best / CALLS);
                    }
                });
            } finally {
                Simulation.set("noop", 0);
            }
            assertThat(allocated).as("bytes for a call").isEmpty();
            comms.forEach(NcclCommunicator::close);
        }
    }

    /** Less than a byte for each call is somebody else's. */
    private static long allocatedBy(Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
