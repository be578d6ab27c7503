// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;

/** {@link Ring}, with the data checked. */
final class RingCases {
    private static final int BLOCKS = 4;
    private static final int THREADS = 64;
    private static final long PER_BLOCK = 1000;

    private RingCases() {}

    private static HostArray data(int pe, int round) {
        HostArray data = HostArray.allocate(DataType.FLOAT32, BLOCKS * PER_BLOCK);
        for (long i = 0; i < data.count(); i++) {
            data.setFloat(i, pe * 1_000_000f + round * 100_000f + i);
        }
        return data;
    }

    static void put(TestPe pe) {
        Buffer source = pe.filled(data(pe.myPe(), 0));
        Buffer destination = pe.zeroed(DataType.FLOAT32, source.count());
        try (CompiledKernel put = pe.compiler().compile(Ring::put)) {
            pe.launch(put, LaunchConfig.grid(BLOCKS).block(THREADS), destination, source, PER_BLOCK);
        }
        assertThat(destination.toHost().toFloatArray())
                .isEqualTo(data(pe.previous(), 0).toFloatArray());
    }

    /** What comes with a signal is there when the signal is, without a barrier between the PEs. */
    static void exchange(TestPe pe) {
        Buffer source = pe.filled(data(pe.myPe(), 0));
        Buffer even = pe.zeroed(DataType.FLOAT32, source.count());
        Buffer odd = pe.zeroed(DataType.FLOAT32, source.count());
        Buffer arrived = pe.zeroed(DataType.INT64, BLOCKS);
        pe.barrier();
        try (CompiledKernel exchange = pe.compiler().compile(Ring::exchange)) {
            for (int round = 1; round <= 6; round++) {
                source.copyFrom(data(pe.myPe(), round));
                Buffer destination = round % 2 == 0 ? even : odd;
                exchange.launch(
                        LaunchConfig.grid(BLOCKS).block(THREADS), destination, source, PER_BLOCK, arrived, (long)
                                round);
                assertThat(destination.toHost().toFloatArray())
                        .as("round %d", round)
                        .isEqualTo(data(pe.previous(), round).toFloatArray());
                pe.barrier();
            }
        }
    }

    static void tour(TestPe pe) {
        int rounds = 50;
        Buffer token = pe.zeroed(DataType.INT64, 1);
        Buffer signal = pe.zeroed(DataType.INT64, 1);
        try (CompiledKernel tour = pe.compiler().compile(Ring::tour)) {
            pe.launch(tour, LaunchConfig.grid(1).block(1), token, signal, rounds);
        }
        // It comes back to the first PE after all rounds, and to each other one a bit before.
        long expected = (rounds - 1L) * pe.nPes() + (pe.myPe() == 0 ? pe.nPes() : pe.myPe());
        assertThat(token.toHost().getLong(0)).isEqualTo(expected);
    }
}
