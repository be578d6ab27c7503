// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.ComputeCapability;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.kernel.KernelCode;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Products by the tensor cores of a GPU. */
@Tag("gpu")
class GpuGemmTest extends GemmContract {
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
    Buffer put(HostArray content) {
        DeviceArray array = device.allocate(content.type(), content.count());
        array.copyFrom(content);
        return array;
    }

    @Override
    HostArray get(Buffer memory) {
        HostArray content = HostArray.allocate(memory.type(), memory.count());
        ((DeviceArray) memory).copyTo(content);
        return content;
    }

    @ParameterizedTest
    @CsvSource({
        "BFLOAT16, FLOAT32, false, false, 1000, 1032, 520",
        "FLOAT16, FLOAT32, true, false, 1000, 1032, 520",
        "BFLOAT16, BFLOAT16, false, true, 1001, 1030, 520",
        "FLOAT16, FLOAT32, true, true, 1000, 1030, 520",
        "FLOAT32, FLOAT32, false, true, 300, 514, 260",
        "FLOAT8_E4M3, FLOAT32, false, true, 999, 1030, 528",
        "FLOAT8_E5M2, FLOAT32, false, true, 129, 4098, 1040"
    })
    void larger(DataType type, DataType result, boolean isA, boolean isB, int m, int n, int k) {
        multiplies(type, result, isA, isB, m, n, k, 0);
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void largerGroups() {
        groups(DataType.BFLOAT16, false, 1, 520, 264, 300, 0, 128, 1, 700);
        groups(DataType.BFLOAT16, true, 2, 520, 264, 300, 0, 128, 1, 700);
        groups(DataType.FLOAT8_E4M3, true, 2, 1030, 272, 0, 300, 256, 1, 0);
    }
}
