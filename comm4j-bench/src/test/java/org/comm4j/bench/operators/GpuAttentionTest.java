// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.ComputeCapability;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link FlashAttention} by a GPU of compute capability 9.0. */
@Tag("gpu")
class GpuAttentionTest extends AttentionContract {
    private static Device device;

    @BeforeAll
    static void open() {
        Natives.use();
        assumeTrue(Cuda.problem() == null, () -> "no GPU: " + Cuda.problem());
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        device = Device.of(0);
        assumeTrue(
                device.computeCapability().equals(new ComputeCapability(9, 0)),
                () -> device + " is not of compute capability 9.0");
    }

    @AfterAll
    static void close() {
        if (device != null) {
            device.close();
        }
    }

    @Override
    KernelCompiler<?> compiler() {
        return KernelCompiler.of(device, CompileOptions.DEFAULT.withSuffix("a"));
    }

    @Override
    Buffer put(HostArray content) {
        DeviceArray array = device.allocate(content.type(), content.count());
        array.copyFrom(content);
        return array;
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1, 128", "0, 1, 3, 640", "1, 0, 2, 1024", "1, 1, 2, 1152"})
    void manyTiles(int causal, int turns, int heads, int length) {
        compares(causal, turns, heads, length);
    }
}
