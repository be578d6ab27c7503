// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import org.comm4j.kernel.lang.Ptr;

/** What copies of kernels call, by handles: the classes of users do not see this package. */
final class RuntimeCallbacks {
    private RuntimeCallbacks() {}

    /** Something was thrown in this line. */
    static Throwable fault(Throwable thrown, String type, String method, int line) {
        if (thrown instanceof CooperativeScheduler.Ended || thrown instanceof Launch.Stopped) {
            return thrown;
        }
        KernelFault fault = thrown instanceof KernelFault f ? f : new KernelFault(thrown);
        fault.add(type, method, line);
        return fault;
    }

    /** It came out of this thread. */
    static Throwable at(Throwable thrown, int threadX, int threadY, int threadZ, int blockX, int blockY, int blockZ) {
        if (thrown instanceof KernelFault fault) {
            fault.setPlace("thread (" + threadX + ", " + threadY + ", " + threadZ + ") of block (" + blockX + ", "
                    + blockY + ", " + blockZ + ")");
        }
        return thrown;
    }

    /** A loop over threads comes to this one. */
    static void enter(int threadX, int threadY, int threadZ) {
        KernelThread thread = KernelThread.current();
        thread.threadX = threadX;
        thread.threadY = threadY;
        thread.threadZ = threadZ;
        thread.index = (threadZ * thread.blockDimY + threadY) * thread.blockDimX + threadX;
    }

    static void poll() {
        if (Launch.isAnyEnding()) {
            KernelThread.current().block.launch.checkStopped();
        }
    }

    static void line(String type, String method, int line) {
        KernelThread thread = KernelThread.current();
        thread.lineType = type;
        thread.lineMethod = method;
        thread.line = line;
    }

    static void load(Object array, int index) {
        KernelThread thread = KernelThread.current();
        thread.block.launch.races.array(thread, array, index, PointerAccess.READ);
    }

    static void store(Object array, int index) {
        KernelThread thread = KernelThread.current();
        thread.block.launch.races.array(thread, array, index, PointerAccess.WRITE);
    }

    static void pointer(Object pointer, long index, int access) {
        KernelThread thread = KernelThread.current();
        PointerAccess what = PointerAccess.of(access);
        if (what.pauses()) {
            // Others go first before it is seen what they have done.
            KernelThread.pause();
            thread.paused = true;
        }
        thread.block.launch.races.pointer(thread, (Ptr) pointer, index, what);
    }
}
