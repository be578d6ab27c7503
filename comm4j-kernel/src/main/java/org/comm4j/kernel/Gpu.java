// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import org.comm4j.kernel.cpu.KernelThread;
import org.comm4j.kernel.cpu.Printf;

/** What a thread can ask of the processor. */
public final class Gpu {
    private Gpu() {}

    /**
     * Prints, with the conversions of C ({@code printf}); {@code format} is a constant. On a GPU it comes out when the host waits for the kernel, as far as the
     * buffer of the driver goes.
     */
    public static void printf(String format, Object... arguments) {
        KernelThread.current().print(Printf.format(format, arguments));
    }

    /** Ends the kernel with an error ({@code __trap}). */
    @Ptx("trap;")
    public static void trap() {
        KernelThread.current().trap();
    }

    /** Cycles of the multiprocessor ({@code clock64}); on the CPU, nanoseconds. */
    @Ptx("mov.u64 $0, %clock64;")
    public static long clock() {
        KernelThread.pause();
        return System.nanoTime();
    }

    /** Nanoseconds since some time, the same on all multiprocessors. */
    @Ptx("mov.u64 $0, %globaltimer;")
    public static long globalTimer() {
        KernelThread.pause();
        return System.nanoTime();
    }

    /** Lets others run for about {@code nanoseconds}, at most a million ({@code __nanosleep}). */
    @Ptx("nanosleep.u32 $1;")
    public static void nanosleep(int nanoseconds) {
        KernelThread.pause();
    }
}
