// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The 8 bytes of an mbarrier, as the CPU has them.
 *
 * @param count arrivals of a phase
 * @param pending arrivals that this phase lacks
 * @param bytes that were announced and have not come; negative if more have come
 * @param parity of the phase that goes on
 */
record BarrierWord(int count, int pending, int bytes, int parity) {
    static final int MOST = (1 << 20) - 1;
    private static final long VALID = 1L << 63;

    static BarrierWord read(MemorySegment memory, long offset) {
        long word = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
        if ((word & VALID) == 0) {
            throw new IllegalStateException("an mbarrier that is not initialised: one thread calls Mbarrier.init, and"
                    + " Block.sync() comes before its use");
        }
        return new BarrierWord(
                (int) word & MOST, (int) (word >>> 20) & MOST, (int) (word << 2 >> 42), (int) (word >>> 62) & 1);
    }

    void write(MemorySegment memory, long offset) {
        memory.set(
                ValueLayout.JAVA_LONG_UNALIGNED,
                offset,
                VALID | (long) parity << 62 | (bytes & 0x3f_ffffL) << 40 | (long) pending << 20 | count);
    }

    BarrierWord arrive() {
        if (pending == 0) {
            throw new IllegalStateException(
                    "more than the " + count + " arrivals of a phase come to an mbarrier that waits for bytes");
        }
        return new BarrierWord(count, pending - 1, bytes, parity).next();
    }

    /** Announces bytes; a negative number of them has come. */
    BarrierWord expect(int more) {
        int all = bytes + more;
        if (Math.abs(all) > MOST) {
            throw new IllegalStateException(all + " bytes in a phase of an mbarrier: it counts up to " + MOST);
        }
        return new BarrierWord(count, pending, all, parity);
    }

    /** The next phase, if this one has ended. */
    BarrierWord next() {
        return pending == 0 && bytes == 0 ? new BarrierWord(count, count, 0, parity ^ 1) : this;
    }
}
