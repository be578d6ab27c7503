// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Both sides of all kernels on a GPU. */
@Tag("gpu")
class GpuKernelBenchTest {
    @Test
    void bothSidesAreRight() {
        assumeTrue(Cuda.problem() == null, () -> "no GPU: " + Cuda.problem());
        Natives.use();
        for (long elements : new long[] {1024, 3_000_000}) {
            try (Device device = Device.of(0);
                    KernelBench bench = new KernelBench(
                            device, new KernelSettings(KernelCase.list("all"), elements, 256, 2, 2, 0, 0))) {
                List<KernelRow> rows = bench.run(row -> System.out.println(KernelTable.row(row)));
                assertThat(rows).hasSize(KernelCase.values().length);
                assertThat(KernelRow.reaches(rows, 0)).isTrue();
                assertThat(rows).allSatisfy(row -> {
                    assertThat(row.java().registers()).isPositive();
                    assertThat(row.cuda().registers()).isPositive();
                    assertThat(row.ratio()).isPositive();
                });
            }
        }
    }

    @Test
    void hostCosts() {
        assumeTrue(Cuda.problem() == null, () -> "no GPU: " + Cuda.problem());
        Natives.use();
        try (Device device = Device.of(0)) {
            HostCosts costs = HostCosts.ofCompiling(CudaArch.of(device.computeCapability()))
                    .withLaunches(device);
            System.out.println(costs);
            assertThat(costs.cachedMillis()).isBetween(0.0, costs.warmMillis());
            assertThat(costs.launchMicros()).isPositive();
            assertThat(costs.bareMicros()).isPositive();
        }
    }
}
