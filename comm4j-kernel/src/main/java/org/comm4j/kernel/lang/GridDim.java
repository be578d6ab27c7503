// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.cpu.KernelThread;

/** Blocks of the grid ({@code gridDim}). */
public final class GridDim {
    private GridDim() {}

    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.nctaid.x", pure = true)
    public static int x() {
        return KernelThread.current().gridDimX;
    }

    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.nctaid.y", pure = true)
    public static int y() {
        return KernelThread.current().gridDimY;
    }

    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.nctaid.z", pure = true)
    public static int z() {
        return KernelThread.current().gridDimZ;
    }
}
