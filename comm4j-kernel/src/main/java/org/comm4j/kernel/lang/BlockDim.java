// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.cpu.KernelThread;

/** Threads of a block ({@code blockDim}). */
public final class BlockDim {
    private BlockDim() {}

    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.ntid.x", pure = true)
    public static int x() {
        return KernelThread.current().blockDimX;
    }

    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.ntid.y", pure = true)
    public static int y() {
        return KernelThread.current().blockDimY;
    }

    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.ntid.z", pure = true)
    public static int z() {
        return KernelThread.current().blockDimZ;
    }
}
