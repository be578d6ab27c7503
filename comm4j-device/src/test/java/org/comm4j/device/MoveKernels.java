// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.Comparison;
import org.comm4j.core.SignalOp;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;

/** Each way to move elements, once, at each scope: to the next PE and from the one before. */
final class MoveKernels {
    /** Elements of a piece; each way has one. */
    static final int PIECE = 48;

    /** Pieces of the destination: iput needs two. */
    static final int PIECES = 9;

    private MoveKernels() {}

    @Kernel
    static void thread(F32Ptr destination, F32Ptr source, I64Ptr signals) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        int previous = (me + Shmem.nPes() - 1) % Shmem.nPes();
        Shmem.put(destination, source, PIECE, next);
        Shmem.putNbi(destination.plus(PIECE), source, PIECE, next);
        Shmem.get(destination.plus(2 * PIECE), source, PIECE, previous);
        Shmem.getNbi(destination.plus(3 * PIECE), source, PIECE, previous);
        Shmem.iput(destination.plus(4 * PIECE), source, 2, 1, PIECE, next);
        Shmem.iget(destination.plus(6 * PIECE), source, 1, 2, PIECE / 2, previous);
        Shmem.putSignal(destination.plus(7 * PIECE), source, PIECE, signals, 7, SignalOp.SET, next);
        Shmem.putSignalNbi(destination.plus(8 * PIECE), source, PIECE, signals.plus(1), 8, SignalOp.ADD, next);
        Shmem.quiet();
        Shmem.signalWaitUntil(signals, Comparison.EQ, 7);
        Shmem.signalWaitUntil(signals.plus(1), Comparison.GE, 8);
    }

    @Kernel
    static void warp(F32Ptr destination, F32Ptr source, I64Ptr signals) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        int previous = (me + Shmem.nPes() - 1) % Shmem.nPes();
        ShmemWarp.put(destination, source, PIECE, next);
        ShmemWarp.putNbi(destination.plus(PIECE), source, PIECE, next);
        ShmemWarp.get(destination.plus(2 * PIECE), source, PIECE, previous);
        ShmemWarp.getNbi(destination.plus(3 * PIECE), source, PIECE, previous);
        ShmemWarp.iput(destination.plus(4 * PIECE), source, 2, 1, PIECE, next);
        ShmemWarp.iget(destination.plus(6 * PIECE), source, 1, 2, PIECE / 2, previous);
        ShmemWarp.putSignal(destination.plus(7 * PIECE), source, PIECE, signals, 7, SignalOp.SET, next);
        ShmemWarp.putSignalNbi(destination.plus(8 * PIECE), source, PIECE, signals.plus(1), 8, SignalOp.ADD, next);
        Shmem.quiet();
        Shmem.signalWaitUntil(signals, Comparison.EQ, 7);
        Shmem.signalWaitUntil(signals.plus(1), Comparison.GE, 8);
    }

    @Kernel
    static void block(F32Ptr destination, F32Ptr source, I64Ptr signals) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        int previous = (me + Shmem.nPes() - 1) % Shmem.nPes();
        ShmemBlock.put(destination, source, PIECE, next);
        ShmemBlock.putNbi(destination.plus(PIECE), source, PIECE, next);
        ShmemBlock.get(destination.plus(2 * PIECE), source, PIECE, previous);
        ShmemBlock.getNbi(destination.plus(3 * PIECE), source, PIECE, previous);
        ShmemBlock.iput(destination.plus(4 * PIECE), source, 2, 1, PIECE, next);
        ShmemBlock.iget(destination.plus(6 * PIECE), source, 1, 2, PIECE / 2, previous);
        ShmemBlock.putSignal(destination.plus(7 * PIECE), source, PIECE, signals, 7, SignalOp.SET, next);
        ShmemBlock.putSignalNbi(destination.plus(8 * PIECE), source, PIECE, signals.plus(1), 8, SignalOp.ADD, next);
        Shmem.quiet();
        Shmem.signalWaitUntil(signals, Comparison.EQ, 7);
        Shmem.signalWaitUntil(signals.plus(1), Comparison.GE, 8);
    }

    @Kernel
    static void threadI8(I8Ptr destination, I8Ptr source) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        int previous = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        Shmem.put(destination, source, PIECE, next);
        Shmem.iput(destination.plus(PIECE), source, 2, 3, PIECE / 3, next);
        Shmem.iget(destination.plus(2 * PIECE), source, 3, 2, PIECE / 3, previous);
    }

    @Kernel
    static void warpI8(I8Ptr destination, I8Ptr source) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        int previous = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        ShmemWarp.put(destination, source, PIECE, next);
        ShmemWarp.iput(destination.plus(PIECE), source, 2, 3, PIECE / 3, next);
        ShmemWarp.iget(destination.plus(2 * PIECE), source, 3, 2, PIECE / 3, previous);
    }

    @Kernel
    static void blockI8(I8Ptr destination, I8Ptr source) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        int previous = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        ShmemBlock.put(destination, source, PIECE, next);
        ShmemBlock.iput(destination.plus(PIECE), source, 2, 3, PIECE / 3, next);
        ShmemBlock.iget(destination.plus(2 * PIECE), source, 3, 2, PIECE / 3, previous);
    }

    @Kernel
    static void threadI16(I16Ptr destination, I16Ptr source) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        int previous = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        Shmem.put(destination, source, PIECE, next);
        Shmem.iput(destination.plus(PIECE), source, 2, 3, PIECE / 3, next);
        Shmem.iget(destination.plus(2 * PIECE), source, 3, 2, PIECE / 3, previous);
    }

    @Kernel
    static void warpI16(I16Ptr destination, I16Ptr source) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        int previous = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        ShmemWarp.put(destination, source, PIECE, next);
        ShmemWarp.iput(destination.plus(PIECE), source, 2, 3, PIECE / 3, next);
        ShmemWarp.iget(destination.plus(2 * PIECE), source, 3, 2, PIECE / 3, previous);
    }

    @Kernel
    static void blockI16(I16Ptr destination, I16Ptr source) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        int previous = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        ShmemBlock.put(destination, source, PIECE, next);
        ShmemBlock.iput(destination.plus(PIECE), source, 2, 3, PIECE / 3, next);
        ShmemBlock.iget(destination.plus(2 * PIECE), source, 3, 2, PIECE / 3, previous);
    }

    @Kernel
    static void threadF64(F64Ptr destination, F64Ptr source) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        int previous = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        Shmem.put(destination, source, PIECE, next);
        Shmem.iput(destination.plus(PIECE), source, 2, 3, PIECE / 3, next);
        Shmem.iget(destination.plus(2 * PIECE), source, 3, 2, PIECE / 3, previous);
    }

    @Kernel
    static void warpF64(F64Ptr destination, F64Ptr source) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        int previous = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        ShmemWarp.put(destination, source, PIECE, next);
        ShmemWarp.iput(destination.plus(PIECE), source, 2, 3, PIECE / 3, next);
        ShmemWarp.iget(destination.plus(2 * PIECE), source, 3, 2, PIECE / 3, previous);
    }

    @Kernel
    static void blockF64(F64Ptr destination, F64Ptr source) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        int previous = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        ShmemBlock.put(destination, source, PIECE, next);
        ShmemBlock.iput(destination.plus(PIECE), source, 2, 3, PIECE / 3, next);
        ShmemBlock.iget(destination.plus(2 * PIECE), source, 3, 2, PIECE / 3, previous);
    }

    @Kernel
    static void threadF16(F16Ptr destination, F16Ptr source) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        int previous = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        Shmem.put(destination, source, PIECE, next);
        Shmem.iput(destination.plus(PIECE), source, 2, 3, PIECE / 3, next);
        Shmem.iget(destination.plus(2 * PIECE), source, 3, 2, PIECE / 3, previous);
    }

    @Kernel
    static void warpF16(F16Ptr destination, F16Ptr source) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        int previous = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        ShmemWarp.put(destination, source, PIECE, next);
        ShmemWarp.iput(destination.plus(PIECE), source, 2, 3, PIECE / 3, next);
        ShmemWarp.iget(destination.plus(2 * PIECE), source, 3, 2, PIECE / 3, previous);
    }

    @Kernel
    static void blockF16(F16Ptr destination, F16Ptr source) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        int previous = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        ShmemBlock.put(destination, source, PIECE, next);
        ShmemBlock.iput(destination.plus(PIECE), source, 2, 3, PIECE / 3, next);
        ShmemBlock.iget(destination.plus(2 * PIECE), source, 3, 2, PIECE / 3, previous);
    }

    /** Bytes at any places: put into the next PE's memory, or got from there. */
    @Kernel
    static void bytes(@Constant int scope, @Constant boolean reads, I8Ptr destination, I8Ptr source, long count) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        switch (scope) {
            case 0 -> {
                if (reads) {
                    Shmem.get(destination, source, count, next);
                } else {
                    Shmem.put(destination, source, count, next);
                }
            }
            case 1 -> {
                if (reads) {
                    ShmemWarp.get(destination, source, count, next);
                } else {
                    ShmemWarp.put(destination, source, count, next);
                }
            }
            default -> {
                if (reads) {
                    ShmemBlock.get(destination, source, count, next);
                } else {
                    ShmemBlock.put(destination, source, count, next);
                }
            }
        }
    }
}
