// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.comm4j.device.WaitKernels.COUNT;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;

/** {@link WaitKernels}, with the results checked. */
final class WaitCases {
    private WaitCases() {}

    static void waits(TestPe pe, DataType type) {
        HostArray expected = HostArray.allocate(type, COUNT);
        HostArray left = HostArray.allocate(DataType.INT32, COUNT);
        for (int i = 0; i < COUNT; i++) {
            expected.setLong(i, i + 1);
        }
        left.setInt(COUNT - 1, 1);
        Buffer variables = pe.zeroed(type, COUNT);
        Buffer values = pe.filled(expected);
        Buffer skip = pe.filled(left);
        Buffer indices = pe.zeroed(DataType.INT64, COUNT);
        Buffer out = pe.zeroed(DataType.INT64, 25);
        out.fill(-77);
        try (CompiledKernel kernel = type == DataType.INT32
                ? pe.compiler().compile(WaitKernels::waitsI32)
                : pe.compiler().compile(WaitKernels::waitsI64)) {
            pe.launch(kernel, LaunchConfig.grid(1).block(1), variables, values, skip, indices, out);
        }
        long[] seen = out.toHost().toLongArray();
        assertThat(seen[0]).isOne();
        assertThat(seen[1]).as("only 5 is above 4").isEqualTo(4);
        assertThat(seen[2]).isEqualTo(4);
        assertThat(seen[3]).as("each is as its value").isBetween(0L, COUNT - 2L);
        assertThat(seen[4]).as("not the last one").isBetween(0L, COUNT - 2L);
        assertThat(seen[5]).isEqualTo(3);
        assertThat(seen[6]).as("indices of 3, 4, 5").isEqualTo(234);
        assertThat(seen[7]).isEqualTo(2);
        assertThat(seen[8]).as("indices of 1, 2").isEqualTo(1);
        assertThat(seen[9]).isEqualTo(COUNT - 1);
        assertThat(seen[10]).isEqualTo(COUNT - 1);
        assertThat(seen[11]).isOne();
        assertThat(seen[12]).as("the last one is 0").isZero();
        assertThat(seen[13]).isOne();
        assertThat(seen[14]).isOne();
        assertThat(seen[15]).isZero();
        assertThat(seen[16]).isEqualTo(-1);
        assertThat(seen[17]).as("the last one is left out").isEqualTo(-1);
        assertThat(seen[18]).isEqualTo(-1);
        assertThat(seen[19]).isEqualTo(-1);
        assertThat(seen[20]).isEqualTo(2);
        assertThat(seen[21]).as("indices of 1 and of the last one").isEqualTo(COUNT - 1);
        assertThat(seen[22]).isEqualTo(1);
        assertThat(seen[23]).isEqualTo(COUNT - 1);
        assertThat(seen[24]).isZero();
    }
}
