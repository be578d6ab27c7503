// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import org.comm4j.core.DataType;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.nvshmem.Nvshmem;
import org.jspecify.annotations.Nullable;

/** A clock of calls that are queued in a stream, or that return when they are done. */
sealed interface MoeClock extends AutoCloseable {
    /** Samples of a batch, and calls of a sample, at most. */
    int BATCH = 10;

    int CALLS = 4;

    /** The stream of the calls; null on the CPU. */
    @Nullable
    Stream stream();

    /** Holds the stream until {@link #complete}, so that calls follow each other without a wait for the host. */
    void hold();

    /** Collective: the calls behind it begin when all PEs are there. */
    void barrier();

    /** Marks the beginning of a call. */
    void begin(int sample, int call);

    /** Marks the end of a call. */
    void end(int sample, int call);

    /** Waits for everything. */
    void complete();

    /** Returns the time between the marks. */
    double micros(int sample, int call);

    @Override
    void close();

    /** Events in a stream. */
    final class OfGpu implements MoeClock {
        private static final double MICROS = 1e3;
        /** Nanoseconds after which a stream goes on whose host has failed meanwhile. */
        private static final long LONGEST_HOLD = 2_000_000_000L;

        private final Nvshmem shmem;
        private final Stream stream;
        private final Event[] events = new Event[2 * BATCH * CALLS];
        private final PinnedArray released;
        private final GpuKernel holding;
        private int holds;

        @Kernel
        static void holding(I32Ptr released, int turn) {
            long begin = Gpu.globalTimer();
            while (released.getVolatile(0) < turn && Gpu.globalTimer() - begin < LONGEST_HOLD) {}
        }

        OfGpu(Nvshmem shmem) {
            this.shmem = shmem;
            stream = shmem.device().newStream();
            released = shmem.device().allocatePinned(DataType.INT32, 1);
            try (KernelCompiler<GpuKernel> compiler = KernelCompiler.of(shmem.device())) {
                holding = compiler.compile(OfGpu::holding);
            }
            // Loaded before it is held.
            hold();
            complete();
            for (int i = 0; i < events.length; i++) {
                events[i] = shmem.device().newTimingEvent();
            }
        }

        @Override
        public Stream stream() {
            return stream;
        }

        @Override
        public void hold() {
            holding.launch(LaunchConfig.grid(1).block(1), stream, I32Ptr.of(released), ++holds);
        }

        @Override
        public void barrier() {
            shmem.barrierAll(stream);
        }

        @Override
        public void begin(int sample, int call) {
            stream.record(events[2 * (sample * CALLS + call)]);
        }

        @Override
        public void end(int sample, int call) {
            stream.record(events[2 * (sample * CALLS + call) + 1]);
        }

        @Override
        public void complete() {
            released.setInt(0, holds);
            shmem.synchronize(stream);
        }

        @Override
        public double micros(int sample, int call) {
            int at = 2 * (sample * CALLS + call);
            return MICROS * events[at + 1].millisSince(events[at]);
        }

        @Override
        public void close() {
            for (Event each : events) {
                each.close();
            }
            stream.close();
            holding.close();
            released.close();
        }
    }

    /** The processor's clock. */
    final class OfProcessor implements MoeClock {
        private static final double MICROS = 1e-3;

        private final ShmemPe pe;
        private final long[] marks = new long[2 * BATCH * CALLS];

        OfProcessor(ShmemPe pe) {
            this.pe = pe;
        }

        @Override
        public @Nullable Stream stream() {
            return null;
        }

        @Override
        public void hold() {}

        @Override
        public void barrier() {
            pe.barrier();
        }

        @Override
        public void begin(int sample, int call) {
            marks[2 * (sample * CALLS + call)] = System.nanoTime();
        }

        @Override
        public void end(int sample, int call) {
            marks[2 * (sample * CALLS + call) + 1] = System.nanoTime();
        }

        @Override
        public void complete() {}

        @Override
        public double micros(int sample, int call) {
            int at = 2 * (sample * CALLS + call);
            return MICROS * (marks[at + 1] - marks[at]);
        }

        @Override
        public void close() {}
    }
}
