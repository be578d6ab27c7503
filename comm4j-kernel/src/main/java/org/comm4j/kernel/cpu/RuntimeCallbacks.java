// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

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
}
