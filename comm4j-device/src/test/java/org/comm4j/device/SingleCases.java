// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;

/** {@link SingleKernels}, with the data checked. */
final class SingleCases {
    private static final LaunchConfig ONE = LaunchConfig.grid(1).block(1);

    private SingleCases() {}

    private static double get(HostArray array, long i) {
        return array.type().isFloat() ? array.getDouble(i) : array.getLong(i);
    }

    static void elements(TestPe pe) {
        var compiler = pe.compiler();
        element(pe, DataType.INT8, compiler.compile(SingleKernels::elementI8));
        element(pe, DataType.INT16, compiler.compile(SingleKernels::elementI16));
        element(pe, DataType.INT32, compiler.compile(SingleKernels::elementI32));
        element(pe, DataType.INT64, compiler.compile(SingleKernels::elementI64));
        element(pe, DataType.FLOAT32, compiler.compile(SingleKernels::elementF32));
        element(pe, DataType.FLOAT64, compiler.compile(SingleKernels::elementF64));
    }

    private static void element(TestPe pe, DataType type, CompiledKernel kernel) {
        Buffer mine = pe.zeroed(type, 3);
        pe.launch(kernel, ONE, mine, -50);
        HostArray seen = mine.toHost();
        assertThat(get(seen, 0)).as(kernel.name()).isEqualTo(-50 + pe.previous());
        assertThat(get(seen, 1)).as(kernel.name()).isEqualTo(-100 + pe.next());
        kernel.close();
    }

    static void pointers(TestPe pe) {
        var compiler = pe.compiler();
        pointer(pe, DataType.INT8, compiler.compile(SingleKernels::pointerI8));
        pointer(pe, DataType.INT16, compiler.compile(SingleKernels::pointerI16));
        pointer(pe, DataType.INT32, compiler.compile(SingleKernels::pointerI32));
        pointer(pe, DataType.INT64, compiler.compile(SingleKernels::pointerI64));
        pointer(pe, DataType.FLOAT32, compiler.compile(SingleKernels::pointerF32));
        pointer(pe, DataType.FLOAT64, compiler.compile(SingleKernels::pointerF64));
        pointer(pe, DataType.FLOAT16, compiler.compile(SingleKernels::pointerF16));
        pointer(pe, DataType.BFLOAT16, compiler.compile(SingleKernels::pointerBF16));
        pointer(pe, DataType.FLOAT8_E4M3, compiler.compile(SingleKernels::pointerF8E4M3));
        pointer(pe, DataType.FLOAT8_E5M2, compiler.compile(SingleKernels::pointerF8E5M2));
    }

    private static void pointer(TestPe pe, DataType type, CompiledKernel kernel) {
        Buffer mine = pe.zeroed(type, 8);
        Buffer multicast = pe.zeroed(DataType.INT32, 1);
        multicast.fill(-1);
        pe.launch(kernel, ONE, mine, multicast);
        assertThat(get(mine.toHost(), 0)).as(kernel.name()).isEqualTo(pe.previous() + 1);
        // Whether there is such memory depends on the machine; there is none on the CPU.
        assertThat(multicast.toHost().getInt(0)).isBetween(0, pe.onCpu() ? 0 : 1);
        kernel.close();
    }

    static void signals(TestPe pe) {
        Buffer signals = pe.zeroed(DataType.INT64, 3);
        Buffer out = pe.zeroed(DataType.INT64, 3);
        try (CompiledKernel kernel = pe.compiler().compile(SingleKernels::signals)) {
            pe.launch(kernel, ONE, signals, out);
        }
        assertThat(out.toHost().toLongArray()).containsExactly(5, 3L * pe.nPes(), -1);
    }

    static void team(TestPe pe) {
        Buffer out = pe.zeroed(DataType.INT32, 7);
        try (CompiledKernel kernel = pe.compiler().compile(SingleKernels::team)) {
            pe.launch(kernel, ONE, ShmemTeam.world(), out);
            assertThat(out.toHost().toIntArray())
                    .containsExactly(pe.myPe(), pe.nPes(), pe.nPes() - 1, pe.myPe(), 0, pe.myPe(), pe.nPes());
            // Every second one.
            int size = (pe.nPes() + 1) / 2;
            try (TestPe.SomeTeam even = pe.splitStrided(0, 2, size)) {
                pe.barrier();
                if (even.team() != null) {
                    kernel.launch(ONE, even.team(), out);
                    assertThat(out.toHost().toIntArray())
                            .containsExactly(
                                    pe.myPe() / 2, size, 2 * (size - 1), pe.myPe() / 2, 0, pe.myPe(), pe.nPes());
                }
                pe.barrier();
            }
        }
    }
}
