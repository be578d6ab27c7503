// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.test.Nightly;

/** Faults of processes whose kernels run on the CPU. */
class DeviceFaultTest extends DeviceFaultContract {
    DeviceFaultTest() {
        super(DeviceProgram.CPU, Nightly.isOn() ? 3 : 2);
    }

    @Override
    void require() {}

    @Override
    String wait(String kernel, String function) {
        return function + " in a kernel";
    }
}
