// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** {@link CopyEngineKernels} by a GPU of compute capability 9.0 or later. */
@Tag("gpu")
class GpuCopyEngineTest extends CopyEngineContract {
    private Device device;

    @BeforeEach
    void open() {
        device = Machine.gpu(CompileOptions.DEFAULT).open();
        assumeTrue(
                device.computeCapability().major() >= 9, () -> device + " is not of compute capability 9.0 or later");
    }

    @Override
    KernelCompiler<?> compiler() {
        return KernelCompiler.of(device, CompileOptions.DEFAULT);
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
