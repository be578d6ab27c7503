// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.cpu.KernelThread;

/** The place of this thread in its block ({@code threadIdx}). */
public final class ThreadIdx {
    private ThreadIdx() {}

    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.tid.x", pure = true)
    public static int x() {
        return KernelThread.current().threadX;
    }

    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.tid.y", pure = true)
    public static int y() {
        return KernelThread.current().threadY;
    }

    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.tid.z", pure = true)
    public static int z() {
        return KernelThread.current().threadZ;
    }
}
