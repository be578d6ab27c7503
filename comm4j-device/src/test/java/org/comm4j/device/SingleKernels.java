// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.Comparison;
import org.comm4j.core.SignalOp;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.F8E4M3Ptr;
import org.comm4j.kernel.lang.F8E5M2Ptr;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;

/** Single elements, peer pointers, signals, teams. */
final class SingleKernels {
    private SingleKernels() {}

    /** Element 0 from the PE before, element 1 that of the next one. */
    @Kernel
    static void elementI8(I8Ptr mine, int value) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        Shmem.p(mine, (byte) (value + me), next);
        mine.set(2, (byte) (value * 2 + me));
        ShmemBlock.barrierAll();
        mine.set(1, Shmem.g(mine.plus(2), next));
    }

    /** Element 0 from the PE before, element 1 that of the next one. */
    @Kernel
    static void elementI16(I16Ptr mine, int value) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        Shmem.p(mine, (short) (value + me), next);
        mine.set(2, (short) (value * 2 + me));
        ShmemBlock.barrierAll();
        mine.set(1, Shmem.g(mine.plus(2), next));
    }

    /** Element 0 from the PE before, element 1 that of the next one. */
    @Kernel
    static void elementI32(I32Ptr mine, int value) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        Shmem.p(mine, value + me, next);
        mine.set(2, value * 2 + me);
        ShmemBlock.barrierAll();
        mine.set(1, Shmem.g(mine.plus(2), next));
    }

    /** Element 0 from the PE before, element 1 that of the next one. */
    @Kernel
    static void elementI64(I64Ptr mine, int value) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        Shmem.p(mine, (long) (value + me), next);
        mine.set(2, (long) (value * 2 + me));
        ShmemBlock.barrierAll();
        mine.set(1, Shmem.g(mine.plus(2), next));
    }

    /** Element 0 from the PE before, element 1 that of the next one. */
    @Kernel
    static void elementF32(F32Ptr mine, int value) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        Shmem.p(mine, (float) (value + me), next);
        mine.set(2, (float) (value * 2 + me));
        ShmemBlock.barrierAll();
        mine.set(1, Shmem.g(mine.plus(2), next));
    }

    /** Element 0 from the PE before, element 1 that of the next one. */
    @Kernel
    static void elementF64(F64Ptr mine, int value) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        Shmem.p(mine, (double) (value + me), next);
        mine.set(2, (double) (value * 2 + me));
        ShmemBlock.barrierAll();
        mine.set(1, Shmem.g(mine.plus(2), next));
    }

    /**
     * A store into the next PE's memory, in front of a pointer into it; {@code multicast} says whether there is
     * multicast memory.
     */
    @Kernel
    static void pointerF32(F32Ptr mine, I32Ptr multicast) {
        int me = Shmem.myPe();
        F32Ptr there = Shmem.ptr(mine.plus(1), (me + 1) % Shmem.nPes());
        there.set(-1, (float) (me + 1));
        multicast.set(0, Shmem.multicast(ShmemTeam.world(), mine).address() != 0 ? 1 : 0);
        Fence.system();
    }

    /**
     * A store into the next PE's memory, in front of a pointer into it; {@code multicast} says whether there is
     * multicast memory.
     */
    @Kernel
    static void pointerF64(F64Ptr mine, I32Ptr multicast) {
        int me = Shmem.myPe();
        F64Ptr there = Shmem.ptr(mine.plus(1), (me + 1) % Shmem.nPes());
        there.set(-1, (double) (me + 1));
        multicast.set(0, Shmem.multicast(ShmemTeam.world(), mine).address() != 0 ? 1 : 0);
        Fence.system();
    }

    /**
     * A store into the next PE's memory, in front of a pointer into it; {@code multicast} says whether there is
     * multicast memory.
     */
    @Kernel
    static void pointerI8(I8Ptr mine, I32Ptr multicast) {
        int me = Shmem.myPe();
        I8Ptr there = Shmem.ptr(mine.plus(1), (me + 1) % Shmem.nPes());
        there.set(-1, (byte) (me + 1));
        multicast.set(0, Shmem.multicast(ShmemTeam.world(), mine).address() != 0 ? 1 : 0);
        Fence.system();
    }

    /**
     * A store into the next PE's memory, in front of a pointer into it; {@code multicast} says whether there is
     * multicast memory.
     */
    @Kernel
    static void pointerI16(I16Ptr mine, I32Ptr multicast) {
        int me = Shmem.myPe();
        I16Ptr there = Shmem.ptr(mine.plus(1), (me + 1) % Shmem.nPes());
        there.set(-1, (short) (me + 1));
        multicast.set(0, Shmem.multicast(ShmemTeam.world(), mine).address() != 0 ? 1 : 0);
        Fence.system();
    }

    /**
     * A store into the next PE's memory, in front of a pointer into it; {@code multicast} says whether there is
     * multicast memory.
     */
    @Kernel
    static void pointerI32(I32Ptr mine, I32Ptr multicast) {
        int me = Shmem.myPe();
        I32Ptr there = Shmem.ptr(mine.plus(1), (me + 1) % Shmem.nPes());
        there.set(-1, me + 1);
        multicast.set(0, Shmem.multicast(ShmemTeam.world(), mine).address() != 0 ? 1 : 0);
        Fence.system();
    }

    /**
     * A store into the next PE's memory, in front of a pointer into it; {@code multicast} says whether there is
     * multicast memory.
     */
    @Kernel
    static void pointerI64(I64Ptr mine, I32Ptr multicast) {
        int me = Shmem.myPe();
        I64Ptr there = Shmem.ptr(mine.plus(1), (me + 1) % Shmem.nPes());
        there.set(-1, (long) (me + 1));
        multicast.set(0, Shmem.multicast(ShmemTeam.world(), mine).address() != 0 ? 1 : 0);
        Fence.system();
    }

    /**
     * A store into the next PE's memory, in front of a pointer into it; {@code multicast} says whether there is
     * multicast memory.
     */
    @Kernel
    static void pointerF16(F16Ptr mine, I32Ptr multicast) {
        int me = Shmem.myPe();
        F16Ptr there = Shmem.ptr(mine.plus(1), (me + 1) % Shmem.nPes());
        there.set(-1, (float) (me + 1));
        multicast.set(0, Shmem.multicast(ShmemTeam.world(), mine).address() != 0 ? 1 : 0);
        Fence.system();
    }

    /**
     * A store into the next PE's memory, in front of a pointer into it; {@code multicast} says whether there is
     * multicast memory.
     */
    @Kernel
    static void pointerBF16(BF16Ptr mine, I32Ptr multicast) {
        int me = Shmem.myPe();
        BF16Ptr there = Shmem.ptr(mine.plus(1), (me + 1) % Shmem.nPes());
        there.set(-1, (float) (me + 1));
        multicast.set(0, Shmem.multicast(ShmemTeam.world(), mine).address() != 0 ? 1 : 0);
        Fence.system();
    }

    /**
     * A store into the next PE's memory, in front of a pointer into it; {@code multicast} says whether there is
     * multicast memory.
     */
    @Kernel
    static void pointerF8E4M3(F8E4M3Ptr mine, I32Ptr multicast) {
        int me = Shmem.myPe();
        F8E4M3Ptr there = Shmem.ptr(mine.plus(1), (me + 1) % Shmem.nPes());
        there.set(-1, (float) (me + 1));
        multicast.set(0, Shmem.multicast(ShmemTeam.world(), mine).address() != 0 ? 1 : 0);
        Fence.system();
    }

    /**
     * A store into the next PE's memory, in front of a pointer into it; {@code multicast} says whether there is
     * multicast memory.
     */
    @Kernel
    static void pointerF8E5M2(F8E5M2Ptr mine, I32Ptr multicast) {
        int me = Shmem.myPe();
        F8E5M2Ptr there = Shmem.ptr(mine.plus(1), (me + 1) % Shmem.nPes());
        there.set(-1, (float) (me + 1));
        multicast.set(0, Shmem.multicast(ShmemTeam.world(), mine).address() != 0 ? 1 : 0);
        Fence.system();
    }

    /** Signals without data: set, add, fetched. */
    @Kernel
    static void signals(I64Ptr signals, I64Ptr out) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        Shmem.signal(signals, 5, SignalOp.SET, next);
        out.set(0, Shmem.signalWaitUntil(signals, Comparison.NE, 0));
        for (int pe = 0; pe < Shmem.nPes(); pe++) {
            Shmem.signal(signals.plus(1), 3, SignalOp.ADD, pe);
        }
        Shmem.signalWaitUntil(signals.plus(1), Comparison.GE, 3L * Shmem.nPes());
        out.set(1, Shmem.signalFetch(signals.plus(1)));
        // Signals have no sign.
        Shmem.signal(signals.plus(2), -1, SignalOp.SET, next);
        Shmem.signalWaitUntil(signals.plus(2), Comparison.GT, Long.MAX_VALUE);
        out.set(2, Shmem.signalFetch(signals.plus(2)));
    }

    /** What a team says of itself. */
    @Kernel
    static void team(ShmemTeam team, I32Ptr out) {
        out.set(0, team.rank());
        out.set(1, team.size());
        out.set(2, team.worldPe(team.size() - 1));
        out.set(3, team.memberOf(Shmem.myPe()));
        out.set(4, team.translate(0, ShmemTeam.world()));
        out.set(5, Shmem.myPe());
        out.set(6, Shmem.nPes());
    }
}
