// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.ComputeCapability;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Copies of tensors and products of warpgroups by a GPU of compute capability 9.0. */
@Tag("gpu")
class GpuTensorTest extends TensorContract {
    private Device device;

    @BeforeEach
    void open() {
        device = Machine.gpu(CompileOptions.DEFAULT).open();
        assumeTrue(
                device.computeCapability().equals(new ComputeCapability(9, 0)),
                () -> device + " is not of compute capability 9.0");
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

    @Override
    HostArray get(Buffer memory) {
        HostArray content = HostArray.allocate(memory.type(), memory.count());
        ((DeviceArray) memory).copyTo(content);
        return content;
    }
}
