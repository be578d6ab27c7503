// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a call costs on the host above the bare call of C, with C functions that do nothing: at most 0.3 µs, and no
 * allocation. The best of many rounds counts, because others use this machine, too.
 */
@Tag("nightly")
class CallCostTest {
    private static final int CALLS = 20_000;
    private static final int ROUNDS = 40;
    private static final double LIMIT_NANOS = 300;
    private static final int COUNT = 1024;

    @Test
    void aboveTheBareCall() {
        Simulation.use(Simulation.Version.V3_4_5);
        World.threads(1, world -> {
            try (Device device = Device.of(0);
                    Stream stream = device.newStream();
                    Nvshmem nvshmem = Nvshmem.init(world, device);
                    SymmetricArray x = nvshmem.allocate(DataType.FLOAT32, COUNT);
                    SymmetricArray y = nvshmem.allocate(DataType.FLOAT32, COUNT);
                    SymmetricArray signal = nvshmem.allocate(DataType.UINT64, 1)) {
                Simulation.set("noop", 1);
                try {
                    compareAll(nvshmem, x, y, signal, stream);
                } finally {
                    Simulation.set("noop", 0);
                }
            }
        });
    }

    private static void compareAll(
            Nvshmem nvshmem, SymmetricArray x, SymmetricArray y, SymmetricArray signal, Stream stream) {
        long to = x.address();
        long from = y.address();
        long flag = signal.address();
        var queue = stream.handle();
        Team world = nvshmem.world();
        compare(
                "put",
                () -> LibNvshmem.nvshmemx_putmem_on_stream(to, from, 4 * COUNT, 0, queue),
                () -> nvshmem.put(x, y, 0, stream));
        compare(
                "p",
                () -> LibNvshmem.nvshmemx_p_on_stream(NvshmemType.FLOAT, to, Float.floatToRawIntBits(1.5f), 0, queue),
                () -> nvshmem.p(x, 0, 1.5, 0, stream));
        compare(
                "putSignal",
                () -> LibNvshmem.nvshmemx_putmem_signal_on_stream(
                        to, from, 4 * COUNT, flag, 1, LibNvshmem.NVSHMEM_SIGNAL_SET, 0, queue),
                () -> nvshmem.putSignal(x, y, signal, 0, 1, SignalOp.SET, 0, stream));
        compare(
                "signalWaitUntil",
                () -> LibNvshmem.nvshmemx_signal_wait_until_on_stream(flag, LibNvshmem.NVSHMEM_CMP_GE, 1, queue),
                () -> nvshmem.signalWaitUntil(signal, 0, Comparison.GE, 1, stream));
        compare(
                "reduce",
                () -> LibNvshmem.nvshmemx_sum_reduce_on_stream(NvshmemType.FLOAT, 0, to, from, COUNT, queue),
                () -> world.reduce(x, y, ReduceOp.SUM, stream));
        compare("barrierAll", () -> LibNvshmem.nvshmemx_barrier_all_on_stream(queue), () -> nvshmem.barrierAll(stream));
    }

    private static void compare(String what, Runnable bare, Runnable ours) {
        double bareBest = Double.MAX_VALUE;
        double oursBest = Double.MAX_VALUE;
        long allocated = Long.MAX_VALUE;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int round = 0; round < ROUNDS; round++) {
            bareBest = Math.min(bareBest, nanos(bare));
            long before = threads.getCurrentThreadAllocatedBytes();
            oursBest = Math.min(oursBest, nanos(ours));
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
