// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.cpu.KernelThread;
import org.comm4j.kernel.cpu.Printf;

/** What a thread can ask of the processor. */
public final class Gpu {
    private Gpu() {}

    /**
     * Prints, with the conversions of C ({@code printf}); {@code format} is a constant. On a GPU it comes out when the
     * host waits for the kernel, as far as the buffer of the driver goes.
     */
    public static void printf(String format, Object... arguments) {
        KernelThread.current().print(Printf.format(format, arguments));
    }

    /** Ends the kernel with an error ({@code __trap}). */
    @InlinePtx("trap;")
    public static void trap() {
        KernelThread.current().trap();
    }

    /** Returns the cycles of the multiprocessor ({@code clock64}); on the CPU, nanoseconds. */
    @InlinePtx("mov.u64 $0, %clock64;")
    public static long clock() {
        KernelThread.pause();
        return System.nanoTime();
    }

    /** Returns nanoseconds since some time, the same on all multiprocessors. */
    @InlinePtx("mov.u64 $0, %globaltimer;")
    public static long globalTimer() {
        KernelThread.pause();
        return System.nanoTime();
    }

    /** Lets others run for about {@code nanoseconds}, at most a million ({@code __nanosleep}). */
    @InlinePtx("nanosleep.u32 $1;")
    public static void nanosleep(int nanoseconds) {
        KernelThread.pause();
    }

    /**
     * The compiler may rely on {@code condition} ({@code __builtin_assume}); where it does not hold, anything may
     * happen on a GPU.
     */
    @DeviceFunction("llvm.assume")
    public static void assume(boolean condition) {
        if (!condition) {
            throw new IllegalStateException("Gpu.assume: the condition does not hold");
        }
    }

    /**
     * Brings the line that {@code global}, in global memory, points to into the L2 cache ({@code prefetch.global.L2} of
     * PTX).
     */
    @InlinePtx("{ .reg .b64 g; cvta.to.global.u64 g, $1; prefetch.global.L2 [g]; }")
    public static void prefetch(Ptr global) {
        // The CPU needs no hint.
    }

    /**
     * Brings the line that {@code global}, in global memory, points to into the L1 cache ({@code prefetch.global.L1} of
     * PTX).
     */
    @InlinePtx("{ .reg .b64 g; cvta.to.global.u64 g, $1; prefetch.global.L1 [g]; }")
    public static void prefetchL1(Ptr global) {
        // The CPU needs no hint.
    }
}
