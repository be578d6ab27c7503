// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

/** Faults of processes whose kernels run on the CPU. */
class DeviceFaultTest extends DeviceFaultContract {
    DeviceFaultTest() {
        super(DeviceProgram.CPU, 3);
    }

    @Override
    void require() {}

    @Override
    String wait(String kernel, String function) {
        return function + " in a kernel";
    }
}
