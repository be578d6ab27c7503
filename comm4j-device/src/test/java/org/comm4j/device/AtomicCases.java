// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;

/** {@link AtomicKernels}, with the data checked. */
final class AtomicCases {
    private static final LaunchConfig ONE = LaunchConfig.grid(1).block(1);

    private AtomicCases() {}

    static void integers(TestPe pe, DataType type) {
        int n = pe.nPes();
        HostArray start = HostArray.allocate(type, 11);
        start.setLong(8, -1);
        start.setLong(9, -1);
        Buffer shared = pe.filled(start);
        Buffer mine = pe.zeroed(type, 1);
        Buffer out = pe.zeroed(type, 11);
        try (CompiledKernel kernel = type == DataType.INT32
                ? pe.compiler().compile(AtomicKernels::integersI32)
                : pe.compiler().compile(AtomicKernels::integersI64)) {
            pe.launch(kernel, ONE, shared, mine, out);
        }
        HostArray seen = out.toHost();
        assertThat(seen.getLong(0)).isBetween(0L, n - 1L);
        assertThat(seen.getLong(1)).isBetween(0L, n - 1L);
        assertThat(seen.getLong(2)).as("this PE's bit was not there").isZero();
        assertThat(seen.getLong(4) & 1).as("this PE's bit was there").isOne();
        assertThat(seen.getLong(5)).isBetween(0L, (long) n);
        long me = pe.myPe();
        assertThat(seen.getLong(6)).isEqualTo(100 + me);
        assertThat(seen.getLong(7)).isEqualTo(100 + me);
        assertThat(seen.getLong(8)).isEqualTo(200 + me);
        assertThat(seen.getLong(9)).isEqualTo(200 + me);
        assertThat(seen.getLong(10)).as("not swapped").isEqualTo(300 + me);
        assertThat(mine.toHost().getLong(0)).isEqualTo(300 + pe.previous());
        if (pe.myPe() == 0) {
            long bits = (1L << n) - 1;
            long xor = 0;
            for (int each = 0; each < n; each++) {
                xor ^= 3L << each;
            }
            HostArray sums = shared.toHost();
            assertThat(sums.getLong(0)).isEqualTo(10L * n + n * (n - 1L) / 2);
            assertThat(sums.getLong(1)).isEqualTo(n);
            assertThat(sums.getLong(2)).isEqualTo(n);
            assertThat(sums.getLong(3)).isEqualTo(n);
            assertThat(sums.getLong(4)).isEqualTo(bits);
            assertThat(sums.getLong(5)).isEqualTo(bits);
            assertThat(sums.getLong(6)).isEqualTo(xor);
            assertThat(sums.getLong(7)).isEqualTo(xor);
            assertThat(sums.getLong(8)).isEqualTo(~bits);
            assertThat(sums.getLong(9)).isEqualTo(~bits);
            assertThat(sums.getLong(10)).as("the first to swap").isBetween(1L, (long) n);
        }
    }

    static void floats(TestPe pe) {
        for (DataType type : new DataType[] {DataType.FLOAT32, DataType.FLOAT64}) {
            int n = pe.nPes();
            Buffer shared = pe.zeroed(type, 2);
            Buffer mine = pe.zeroed(type, 1);
            Buffer out = pe.zeroed(type, 3);
            try (CompiledKernel kernel = type == DataType.FLOAT32
                    ? pe.compiler().compile(AtomicKernels::floatsF32)
                    : pe.compiler().compile(AtomicKernels::floatsF64)) {
                pe.launch(kernel, ONE, shared, mine, out);
            }
            HostArray seen = out.toHost();
            assertThat(seen.getDouble(0)).isBetween(0.0, n - 1.0);
            assertThat(seen.getDouble(1)).isEqualTo(1.5 + pe.myPe());
            assertThat(seen.getDouble(2)).isEqualTo(1.5 + pe.myPe());
            assertThat(mine.toHost().getDouble(0)).isEqualTo(2.5 + pe.previous());
            if (pe.myPe() == 0) {
                assertThat(shared.toHost().getDouble(0)).isEqualTo(0.5 * n + n * (n - 1) / 2.0);
                assertThat(shared.toHost().getDouble(1)).isEqualTo(n);
            }
        }
    }
}
