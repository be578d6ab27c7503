// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import org.comm4j.core.Comparison;
import org.comm4j.core.SignalOp;
import org.comm4j.device.Shmem;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * The kernels of {@link DevicePerftests} in which two PEs answer each other. The last parameter is the number of round
 * trips; signals are 0 before.
 */
final class PingPongKernels {
    private PingPongKernels() {}

    /** The other PE's words that this one waits for, or who begins, have the number of the round trip. */
    private static boolean begins() {
        return Shmem.myPe() == 0;
    }

    /** A thread puts, then says so, in the way of the test. */
    @Kernel
    static void putPingPong(@Constant DevicePerftest test, I32Ptr data, I64Ptr signal, long count, int iterations) {
        for (int i = 1; i <= iterations; i++) {
            if (!begins()) {
                awaitPing(test, signal, i);
            }
            switch (test) {
                case PUT_SIGNAL_PING_PONG ->
                    Shmem.putSignalNbi(data, data, count, signal, i, SignalOp.SET, DeviceKernels.peer());
                case PUT_ATOMIC_PING_PONG -> {
                    Shmem.putNbi(data, data, count, DeviceKernels.peer());
                    Shmem.fence();
                    Shmem.atomicInc(signal, DeviceKernels.peer());
                }
                default -> {
                    Shmem.putNbi(data, data, count, DeviceKernels.peer());
                    Shmem.fence();
                    Shmem.signal(signal, i, SignalOp.SET, DeviceKernels.peer());
                }
            }
            if (begins()) {
                awaitPing(test, signal, i);
            }
        }
        Shmem.quiet();
    }

    /** What an atomic operation changes is no signal, and has to be waited for with more care. */
    private static void awaitPing(DevicePerftest test, I64Ptr signal, int value) {
        if (test == DevicePerftest.PUT_ATOMIC_PING_PONG) {
            Shmem.waitUntil(signal, Comparison.EQ, value);
        } else {
            awaitSignal(signal, value);
        }
    }

    private static void awaitSignal(I64Ptr signal, int value) {
        long ignored = Shmem.signalWaitUntil(signal, Comparison.EQ, value);
    }

    /** The same of the threads of a block, which store single elements. */
    @Kernel
    static void elementsPingPong(I32Ptr data, I64Ptr signal, long count, int iterations) {
        for (int i = 1; i <= iterations; i++) {
            if (!begins()) {
                waitForAll(signal, i);
            }
            for (long at = ThreadIdx.x(); at < count; at += BlockDim.x()) {
                Shmem.p(data.plus(at), data.get(at), DeviceKernels.peer());
            }
            Block.sync();
            if (ThreadIdx.x() == 0) {
                Shmem.fence();
                Shmem.signal(signal, i, SignalOp.SET, DeviceKernels.peer());
            }
            if (begins()) {
                waitForAll(signal, i);
            }
        }
        if (ThreadIdx.x() == 0) {
            Shmem.quiet();
        }
    }

    private static void waitForAll(I64Ptr signal, int value) {
        if (ThreadIdx.x() == 0) {
            awaitSignal(signal, value);
        }
        Block.sync();
    }

    @Kernel
    static void signalPingPong(I64Ptr signal, int iterations) {
        for (int i = 1; i <= iterations; i++) {
            if (!begins()) {
                awaitSignal(signal, i);
            }
            Shmem.signal(signal, i, SignalOp.SET, DeviceKernels.peer());
            if (begins()) {
                awaitSignal(signal, i);
            }
        }
        Shmem.quiet();
    }

    /** With plain memory accesses that nothing has to be ordered with. */
    @Kernel
    static void flagPingPong(I64Ptr flag, int iterations) {
        I64Ptr there = Shmem.ptr(flag, DeviceKernels.peer());
        for (int i = 1; i <= iterations; i++) {
            if (!begins()) {
                awaitFlag(flag, i);
            }
            there.setVolatile(0, i);
            if (begins()) {
                awaitFlag(flag, i);
            }
        }
    }

    @SuppressWarnings("StatementWithEmptyBody") // it waits in the condition
    private static void awaitFlag(I64Ptr flag, int value) {
        while (flag.getVolatile(0) != value) {}
    }

    /**
     * With an atomic operation on the other PE's word that makes it the number of the round trip, or a number that
     * follows from it.
     */
    @Kernel
    static void atomicPingPong(@Constant Atomic op, @Constant int bytes, I8Ptr word, int iterations) {
        for (int i = 0; i < iterations; i++) {
            if (!begins()) {
                awaitAtomic(op, bytes, word, i);
            }
            DeviceKernels.atomic(op, bytes, word, i, DeviceKernels.peer());
            if (begins()) {
                awaitAtomic(op, bytes, word, i);
            }
        }
        Shmem.quiet();
    }

    private static void awaitAtomic(Atomic op, int bytes, I8Ptr word, int i) {
        if (bytes == 4) {
            Shmem.waitUntil(word.asI32(), Comparison.EQ, (int) DeviceKernels.after(op, i));
        } else {
            Shmem.waitUntil(word.asI64(), Comparison.EQ, DeviceKernels.after(op, i));
        }
    }
}
