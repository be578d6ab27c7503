// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.Comparison;
import org.comm4j.core.SignalOp;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;

/** Data that goes round a ring of PEs. */
final class Ring {
    private Ring() {}

    /** Each block puts its part to the next PE. */
    @Kernel
    static void put(F32Ptr destination, F32Ptr source, long perBlock) {
        long at = BlockIdx.x() * perBlock;
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        ShmemBlock.put(destination.plus(at), source.plus(at), perBlock, next);
    }

    /** Each block puts its part to the next PE with a signal, and waits for what comes from the one before. */
    @Kernel
    static void exchange(F32Ptr destination, F32Ptr source, long perBlock, I64Ptr arrived, long round) {
        long at = BlockIdx.x() * perBlock;
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        I64Ptr signal = arrived.plus(BlockIdx.x());
        ShmemBlock.putSignal(destination.plus(at), source.plus(at), perBlock, signal, round, SignalOp.SET, next);
        if (ThreadIdx.x() == 0) {
            Shmem.signalWaitUntil(signal, Comparison.EQ, round);
        }
    }

    /** Round and round: one block, which adds one on each PE. */
    @Kernel
    static void tour(I64Ptr token, I64Ptr signal, int rounds) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        for (int round = 1; round <= rounds; round++) {
            if (me != 0 || round > 1) {
                Shmem.signalWaitUntil(signal, Comparison.EQ, me == 0 ? round - 1 : round);
            }
            Shmem.p(token, token.getVolatile(0) + 1, next);
            Shmem.fence();
            Shmem.signal(signal, round, SignalOp.SET, next);
        }
        if (me == 0) {
            Shmem.signalWaitUntil(signal, Comparison.EQ, rounds);
        }
    }
}
