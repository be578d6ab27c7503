// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.comm4j.core.DataType;
import org.comm4j.core.SignalOp;
import org.comm4j.cuda.Stream;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;

/** The same again and again: a few times, or, with {@code -Dcomm4j.endurance=true}, as often as a long job does it. */
class EnduranceContract {
    static final String PROPERTY = "comm4j.endurance";
    static final String INITIALISATIONS = PROPERTY + ".initialisations";

    private static int times(int usual, int many) {
        return Boolean.getBoolean(PROPERTY) ? many : usual;
    }

    @Test
    void allocateAndFree() {
        Nvshmem nvshmem = Pes.current();
        int cycles = times(Nightly.times(50, 200), 10_000);
        long offset = -1;
        long free = 0;
        try (SymmetricArray first = nvshmem.allocate(DataType.INT8, 1)) {
            for (int i = 0; i < cycles; i++) {
                try (SymmetricArray array = nvshmem.allocate(DataType.INT32, 1 << 12)) {
                    long place = array.offset() - first.offset();
                    offset = offset < 0 ? place : offset;
                    assertThat(place).isEqualTo(offset);
                }
                if (i == 10) {
                    free = freeMemory();
                }
            }
        }
        assertThat(freeMemory()).as("free memory of the GPU").isGreaterThan(free - (64 << 20));
    }

    @Test
    void initialiseAndClose() {
        Pes.close();
        // Each takes most of a second on GPUs.
        int cycles = times(Nightly.times(4, 5), Integer.getInteger(INITIALISATIONS, 10_000));
        long descriptors = 0;
        long free = 0;
        for (int i = 0; i < cycles; i++) {
            try (Nvshmem nvshmem = Nvshmem.init(Pes.world(), Pes.device())) {
                nvshmem.barrierAll();
            }
            if (i == 2) {
                descriptors = descriptors();
                free = freeMemory();
            }
        }
        assertThat(descriptors()).as("open files").isLessThan(descriptors + 10);
        assertThat(freeMemory()).as("free memory of the GPU").isGreaterThan(free - (64 << 20));
    }

    /** A heap is free when all PEs have unmapped it. */
    private static long freeMemory() {
        Pes.world().barrier();
        return Pes.device().freeMemory();
    }

    private static long descriptors() {
        String[] open = new java.io.File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }

    /** Who sees the signal of a round sees its data: one value, put, fenced, signalled. */
    @Test
    void putFenceSignal() {
        Nvshmem nvshmem = Pes.current();
        int rounds = times(Nightly.times(200, 500), 1_000_000);
        int next = (nvshmem.myPe() + 1) % nvshmem.nPes();
        try (SymmetricArray value = nvshmem.allocate(DataType.INT64, 1);
                SymmetricArray signal = nvshmem.allocate(DataType.UINT64, 1)) {
            for (long round = 1; round <= rounds; round++) {
                nvshmem.p(value, 0, round, next);
                nvshmem.fence();
                nvshmem.signal(signal, 0, round, SignalOp.SET, next);
                if (nvshmem.signalFetch(signal, 0) >= round) {
                    assertThat(nvshmem.g(value, 0, nvshmem.myPe())).isGreaterThanOrEqualTo(round);
                }
            }
            nvshmem.quiet();
            nvshmem.barrierAll();
            assertThat(nvshmem.g(value, 0, nvshmem.myPe())).isEqualTo(rounds);
        }
    }

    @Test
    void floodsOfBarriers() {
        Nvshmem nvshmem = Pes.current();
        Duration limit = nvshmem.timeout();
        nvshmem.timeout(Duration.ofMinutes(5));
        try (Stream stream = Pes.device().newStream()) {
            for (int i = 0; i < times(Nightly.times(100, 500), 100_000); i++) {
                nvshmem.barrierAll(stream);
                nvshmem.syncAll(stream);
            }
            nvshmem.synchronize(stream);
        } finally {
            nvshmem.timeout(limit);
        }
    }
}
