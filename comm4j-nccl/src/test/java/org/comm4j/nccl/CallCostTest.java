// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.comm4j.core.DataType;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.nccl.LibNccl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a call costs on the host above the bare call of C, alone and in a group, with C functions that do nothing: at
 * most 0.3 µs, and no allocation. The best of many rounds counts, because others use this machine, too.
 */
@Tag("nightly")
class CallCostTest {
    private static final int CALLS = 20_000;
    private static final int ROUNDS = 40;
    private static final double LIMIT_NANOS = 300;

    @BeforeEach
    void nothingIsReallyDone() {
        Simulation.require();
        Simulation.set("noop", 1);
    }

    @AfterEach
    void again() {
        Simulation.set("noop", 0);
    }

    @Test
    void aboveTheBareCall() {
        Simulation.set("noop", 0);
        try (Device device = Device.of(0);
                Device second = Device.of(1);
                Stream stream = device.newStream();
                Stream secondStream = second.newStream();
                DeviceArray all = device.allocate(DataType.FLOAT32, 4 * 1024);
                DeviceArray secondAll = second.allocate(DataType.FLOAT32, 1024);
                NcclCommunicator comm = Nccl.initAll(device).getFirst()) {
            List<NcclCommunicator> two = Nccl.initAll(device, second);
            Simulation.set("noop", 1);
            DeviceArray[] parts = new DeviceArray[4];
            Arrays.setAll(parts, i -> all.slice(i * 1024L, 1024));
            DeviceArray x = parts[0];
            var handle = comm.handle();
            var queue = stream.handle();
            long address = x.address();
            Runnable bare = () ->
                    LibNccl.ncclAllReduce(address, address, 1024, LibNccl.ncclFloat32, LibNccl.ncclSum, handle, queue);
            Runnable ours = () -> comm.allReduce(x, x, ReduceOp.SUM, stream);
            IntFunction<Runnable> bareGroup = calls -> () -> {
                LibNccl.ncclGroupStart();
                for (int i = 0; i < calls; i++) {
                    LibNccl.ncclAllReduce(address, address, 1024, LibNccl.ncclFloat32, LibNccl.ncclSum, handle, queue);
                }
                LibNccl.ncclGroupEnd();
            };
            Consumer<Operations> body = g -> {
                for (int i = 0; i < 4; i++) {
                    g.allReduce(parts[i], parts[i], ReduceOp.SUM);
                }
            };
            Consumer<Group> several = g -> body.accept(g.on(comm, stream));
            compare("allReduce", 1, bare, ours);
            compare("allReduce in a group", 4, bareGroup.apply(4), () -> comm.group(body, stream));
            compare("allReduce in a group of communicators", 4, bareGroup.apply(4), () -> Nccl.group(several));
            // As one thread drives two GPUs.
            Consumer<Group> both = g -> {
                g.on(two.getFirst(), stream).allReduce(x, x, ReduceOp.SUM);
                g.on(two.getLast(), secondStream).allReduce(secondAll, secondAll, ReduceOp.SUM);
            };
            compare("allReduce of two communicators in a group", 2, bareGroup.apply(2), () -> Nccl.group(both));
            try (Stream beside = device.newStream()) {
                Consumer<Group> streams = g -> {
                    g.on(comm, stream).allReduce(x, x, ReduceOp.SUM);
                    g.on(comm, beside).allReduce(parts[1], parts[1], ReduceOp.SUM);
                };
                compare("allReduce on two streams in a group", 2, bareGroup.apply(2), () -> Nccl.group(streams));
            }
            CustomReductions sums = comm.with(comm.preMulSum(DataType.FLOAT32, 0.5));
            compare("allReduce with a sum of one's own", 1, bare, () -> sums.allReduce(x, x, stream));
            Simulation.set("noop", 0);
            two.forEach(NcclCommunicator::close);
        }
    }

    private static void compare(String what, int calls, Runnable bare, Runnable ours) {
        double bareBest = Double.MAX_VALUE;
        double oursBest = Double.MAX_VALUE;
        long allocated = Long.MAX_VALUE;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int round = 0; round < ROUNDS; round++) {
            bareBest = Math.min(bareBest, nanos(bare) / calls);
            long before = threads.getCurrentThreadAllocatedBytes();
            oursBest = Math.min(oursBest, nanos(ours) / calls);
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        System.out.printf("%s: C %.0f ns, Java %.0f ns a call%n", what, bareBest, oursBest);
        assertThat(allocated).as("bytes allocated by %d x %s", CALLS, what).isLessThan(CALLS);
        assertThat(oursBest - bareBest).as("ns above C of %s", what).isLessThan(LIMIT_NANOS);
    }

    private static double nanos(Runnable call) {
        long start = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        return (System.nanoTime() - start) / (double) CALLS;
    }
}
