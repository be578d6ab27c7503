// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;

/** Each atomic, once by each PE on PE 0's integers, or on the next one's where the result would depend on the order. */
final class AtomicKernels {
    private AtomicKernels() {}

    @Kernel
    static void integersI32(I32Ptr shared, I32Ptr mine, I32Ptr out) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        // Sums, and who was first: all PEs on PE 0.
        Shmem.atomicAdd(shared, 10 + me, 0);
        int added = Shmem.atomicFetchAdd(shared.plus(1), 1, 0);
        Shmem.atomicInc(shared.plus(2), 0);
        int counted = Shmem.atomicFetchInc(shared.plus(3), 0);
        Shmem.atomicOr(shared.plus(4), 1 << me, 0);
        int or = Shmem.atomicFetchOr(shared.plus(5), 1 << me, 0);
        Shmem.atomicXor(shared.plus(6), 3 << me, 0);
        int xor = Shmem.atomicFetchXor(shared.plus(7), 3 << me, 0);
        Shmem.atomicAnd(shared.plus(8), ~(1 << me), 0);
        int and = Shmem.atomicFetchAnd(shared.plus(9), ~(1 << me), 0);
        int swapped = Shmem.atomicCompareSwap(shared.plus(10), 0, me + 1, 0);
        out.set(0, added);
        out.set(1, counted);
        out.set(2, or >> me & 1);
        out.set(3, xor);
        out.set(4, and >> me & 1);
        out.set(5, swapped);
        // One PE at a time.
        Shmem.atomicSet(mine, 100 + me, next);
        out.set(6, Shmem.atomicFetch(mine, next));
        out.set(7, Shmem.atomicSwap(mine, 200 + me, next));
        out.set(8, Shmem.atomicFetch(mine, next));
        out.set(9, Shmem.atomicCompareSwap(mine, 200 + me, 300 + me, next));
        out.set(10, Shmem.atomicCompareSwap(mine, 0, 400, next));
    }

    @Kernel
    static void integersI64(I64Ptr shared, I64Ptr mine, I64Ptr out) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        // Sums, and who was first: all PEs on PE 0.
        Shmem.atomicAdd(shared, 10 + me, 0);
        long added = Shmem.atomicFetchAdd(shared.plus(1), 1, 0);
        Shmem.atomicInc(shared.plus(2), 0);
        long counted = Shmem.atomicFetchInc(shared.plus(3), 0);
        Shmem.atomicOr(shared.plus(4), 1L << me, 0);
        long or = Shmem.atomicFetchOr(shared.plus(5), 1L << me, 0);
        Shmem.atomicXor(shared.plus(6), 3L << me, 0);
        long xor = Shmem.atomicFetchXor(shared.plus(7), 3L << me, 0);
        Shmem.atomicAnd(shared.plus(8), ~(1L << me), 0);
        long and = Shmem.atomicFetchAnd(shared.plus(9), ~(1L << me), 0);
        long swapped = Shmem.atomicCompareSwap(shared.plus(10), 0, me + 1, 0);
        out.set(0, added);
        out.set(1, counted);
        out.set(2, or >> me & 1);
        out.set(3, xor);
        out.set(4, and >> me & 1);
        out.set(5, swapped);
        // One PE at a time.
        Shmem.atomicSet(mine, 100 + me, next);
        out.set(6, Shmem.atomicFetch(mine, next));
        out.set(7, Shmem.atomicSwap(mine, 200 + me, next));
        out.set(8, Shmem.atomicFetch(mine, next));
        out.set(9, Shmem.atomicCompareSwap(mine, 200 + me, 300 + me, next));
        out.set(10, Shmem.atomicCompareSwap(mine, 0, 400, next));
    }

    @Kernel
    static void floatsF32(F32Ptr shared, F32Ptr mine, F32Ptr out) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        Shmem.atomicAdd(shared, 0.5f + me, 0);
        out.set(0, Shmem.atomicFetchAdd(shared.plus(1), 1, 0));
        Shmem.atomicSet(mine, 1.5f + me, next);
        out.set(1, Shmem.atomicFetch(mine, next));
        out.set(2, Shmem.atomicSwap(mine, 2.5f + me, next));
    }

    @Kernel
    static void floatsF64(F64Ptr shared, F64Ptr mine, F64Ptr out) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        Shmem.atomicAdd(shared, 0.5f + me, 0);
        out.set(0, Shmem.atomicFetchAdd(shared.plus(1), 1, 0));
        Shmem.atomicSet(mine, 1.5f + me, next);
        out.set(1, Shmem.atomicFetch(mine, next));
        out.set(2, Shmem.atomicSwap(mine, 2.5f + me, next));
    }
}
