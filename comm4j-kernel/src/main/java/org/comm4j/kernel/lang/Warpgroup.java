// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** Four warps, 128 threads, that multiply matrices together ({@link Wgmma}) and share registers. sm_90a. */
public final class Warpgroup {
    /** Threads of a warpgroup. */
    public static final int THREADS = 128;

    private Warpgroup() {}

    /** The number of this thread's warpgroup in a block whose threads are along x; known to be the same for a warp. */
    public static int rank() {
        return Warp.shuffle(ThreadIdx.x() / THREADS, 0);
    }

    /**
     * Gives each thread of the warpgroup more registers, {@code count} in all, when others have given them back ({@code
     * setmaxnreg.inc}). {@code count} is a constant, 24 to 256 and a multiple of 8. The whole warpgroup calls it, in a
     * kernel with {@link Kernel#maxThreads}.
     */
    @InlinePtx(
            value = "setmaxnreg.inc.sync.aligned.u32 $1;",
            constants = 1,
            convergent = true,
            since = 90,
            specific = true)
    public static void increaseRegisters(int count) {
        check(count);
    }

    /**
     * Gives registers back, so that each thread of the warpgroup keeps {@code count} ({@code setmaxnreg.dec}). {@code
     * count} is a constant, 24 to 256 and a multiple of 8. The whole warpgroup calls it, in a kernel with {@link
     * Kernel#maxThreads}.
     */
    @InlinePtx(
            value = "setmaxnreg.dec.sync.aligned.u32 $1;",
            constants = 1,
            convergent = true,
            since = 90,
            specific = true)
    public static void decreaseRegisters(int count) {
        check(count);
    }

    private static void check(int count) {
        if (count < 24 || count > 256 || count % 8 != 0) {
            throw new IllegalArgumentException(
                    count + " registers of a thread: it has 24 to 256, a multiple of 8 (setmaxnreg)");
        }
    }
}
