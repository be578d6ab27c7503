// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.Buffer;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.SignalOp;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;

/** Who sees a flag sees the data that was put before it: litmus tests, many times. */
final class OrderCases {
    private static final int WORDS = 64;

    private OrderCases() {}

    private static int rounds(TestPe pe) {
        return Integer.getInteger("comm4j.device.litmus", pe.onCpu() ? 300 : 100_000);
    }

    /** Data, a fence, a flag; the next PE counts words that it should have seen, and says that it has. */
    @Kernel
    static void fencedPuts(I32Ptr data, I64Ptr flag, I64Ptr acknowledged, int rounds, I64Ptr wrong) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        int previous = (me + Shmem.nPes() - 1) % Shmem.nPes();
        long bad = 0;
        for (int round = 1; round <= rounds; round++) {
            for (int i = 0; i < WORDS; i++) {
                Shmem.p(data.plus(i), round, next);
            }
            Shmem.fence();
            Shmem.p(flag, (long) round, next);
            Shmem.waitUntil(flag, Comparison.GE, (long) round);
            for (int i = WORDS - 1; i >= 0; i--) {
                if (data.getVolatile(i) != round) {
                    bad++;
                }
            }
            Shmem.signal(acknowledged, round, SignalOp.SET, previous);
            Shmem.signalWaitUntil(acknowledged, Comparison.GE, round);
        }
        wrong.set(0, bad);
    }

    /** Data with a signal. */
    @Kernel
    static void signalledPuts(I32Ptr data, I32Ptr source, I64Ptr flag, I64Ptr acknowledged, int rounds, I64Ptr wrong) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        int previous = (me + Shmem.nPes() - 1) % Shmem.nPes();
        long bad = 0;
        for (int round = 1; round <= rounds; round++) {
            for (int i = 0; i < WORDS; i++) {
                source.set(i, round);
            }
            Shmem.putSignal(data, source, WORDS, flag, 1, SignalOp.ADD, next);
            Shmem.signalWaitUntil(flag, Comparison.GE, round);
            for (int i = WORDS - 1; i >= 0; i--) {
                if (data.getVolatile(i) != round) {
                    bad++;
                }
            }
            Shmem.signal(acknowledged, round, SignalOp.SET, previous);
            Shmem.signalWaitUntil(acknowledged, Comparison.GE, round);
        }
        wrong.set(0, bad);
    }

    static void fenced(TestPe pe) {
        Buffer data = pe.zeroed(DataType.INT32, WORDS);
        Buffer flag = pe.zeroed(DataType.INT64, 1);
        Buffer acknowledged = pe.zeroed(DataType.INT64, 1);
        Buffer wrong = pe.zeroed(DataType.INT64, 1);
        wrong.fill(-1);
        try (CompiledKernel kernel = pe.compiler().compile(OrderCases::fencedPuts)) {
            pe.launch(kernel, LaunchConfig.grid(1).block(1), data, flag, acknowledged, rounds(pe), wrong);
        }
        assertThat(wrong.toHost().getLong(0)).isZero();
    }

    static void signalled(TestPe pe) {
        Buffer data = pe.zeroed(DataType.INT32, WORDS);
        Buffer source = pe.zeroed(DataType.INT32, WORDS);
        Buffer flag = pe.zeroed(DataType.INT64, 1);
        Buffer acknowledged = pe.zeroed(DataType.INT64, 1);
        Buffer wrong = pe.zeroed(DataType.INT64, 1);
        wrong.fill(-1);
        try (CompiledKernel kernel = pe.compiler().compile(OrderCases::signalledPuts)) {
            pe.launch(kernel, LaunchConfig.grid(1).block(1), data, source, flag, acknowledged, rounds(pe), wrong);
        }
        assertThat(wrong.toHost().getLong(0)).isZero();
    }
}
