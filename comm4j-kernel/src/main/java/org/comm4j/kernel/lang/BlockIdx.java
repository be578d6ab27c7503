// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.cpu.KernelThread;

/** The place of this thread's block in the grid ({@code blockIdx}). */
public final class BlockIdx {
    private BlockIdx() {}

    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.ctaid.x", pure = true)
    public static int x() {
        return KernelThread.current().blockX;
    }

    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.ctaid.y", pure = true)
    public static int y() {
        return KernelThread.current().blockY;
    }

    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.ctaid.z", pure = true)
    public static int z() {
        return KernelThread.current().blockZ;
    }
}
