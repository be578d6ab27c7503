// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Int4;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Long2;
import org.comm4j.kernel.lang.PeerPointers;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;

/**
 * How threads of kernels on several PEs reach each other. Each thread has places of its own on every PE, where the
 * thread of the same number of the same block writes two words, each together with its epoch: who finds the epoch has
 * the data. Nothing is emptied or met for. A thread that has what was sent in an epoch may send in the next one, which
 * has other places; in the one after that it uses the first again, since whoever has sent it something in between has
 * read them.
 */
@KernelLibrary
final class PeerExchange {
    /** Looks at what is waited for, before somebody looks at the clock. */
    private static final int POLLS = 256;

    private PeerExchange() {}

    static void send(
            int me, int pes, PeerPointers peers, int epoch, int pe, int block, int round, int first, int second) {
        I64Ptr slot = PeerSpace.slot(peers.at(pe), pes, epoch, me, block, round, ThreadIdx.x());
        Wire.store2(slot, pair(epoch, first), pair(epoch, second));
    }

    private static long pair(int epoch, int word) {
        return (long) epoch << 32 | word & 0xffff_ffffL;
    }

    /**
     * Waits for what all others have sent.
     *
     * @param firsts by PE
     * @param seconds by PE
     * @return whether it is there; false when a PE did not send it in time
     */
    static boolean receive(
            int me, int pes, I8Ptr space, I32Ptr report, int epoch, int block, int round, int[] firsts, int[] seconds) {
        long start = 0;
        int polls = 0;
        while (true) {
            int missing = -1;
            for (int pe = 0; pe < pes; pe++) {
                Unroll.all();
                if (pe != me) {
                    Long2 words = Wire.load2(PeerSpace.slot(space, pes, epoch, pe, block, round, ThreadIdx.x()));
                    firsts[pe] = (int) words.x();
                    seconds[pe] = (int) words.y();
                    if ((int) (words.x() >>> 32) != epoch || (int) (words.y() >>> 32) != epoch) {
                        missing = pe;
                    }
                }
            }
            if (missing < 0) {
                return true;
            }
            if (++polls % POLLS == 0) {
                start = lookAround(space, report, start, missing);
                if (start < 0) {
                    return false;
                }
            }
        }
    }

    /**
     * After {@link #receive} of all rounds: in the last epochs before they begin anew, empties this thread's places, so
     * that what is in them is not taken for something newer then. Who sends there next has to wait for what this thread
     * sends first.
     */
    static void endEpoch(int me, int pes, I8Ptr space, int epoch, int block) {
        if (PeerSpace.isLast(epoch)) {
            for (int pe = 0; pe < pes; pe++) {
                for (int round = 0; round < PeerSpace.ROUNDS; round++) {
                    Wire.store2(PeerSpace.slot(space, pes, epoch, pe, block, round, ThreadIdx.x()), 0, 0);
                }
            }
        }
    }

    /**
     * Pushes 16 bytes to where nothing is. Places of which {@link #pull} has taken what was there are empty again when
     * the kernel ends; who pushes there the next time but one has got something from all PEs in between, which they
     * pushed in a later kernel.
     */
    static void push(I64Ptr place, Int4 words) {
        Wire.store2(place, present(words.x(), words.y()), present(words.z(), words.w()));
    }

    /** As it is pushed: 64 bits that do not begin with ones, as empty ones do. It is not a number either way. */
    private static long present(int low, int high) {
        return (long) (high == -1 ? 0x7fff7fff : high) << 32 | low & 0xffff_ffffL;
    }

    /** What comes of words when they are pushed, for the one who does not push them to himself. */
    static Int4 pushed(Int4 words) {
        return new Int4(
                words.x(),
                words.y() == -1 ? 0x7fff7fff : words.y(),
                words.z(),
                words.w() == -1 ? 0x7fff7fff : words.w());
    }

    /**
     * Waits for what all others have pushed, and empties its places.
     *
     * @param from the first element of a PE's, for it that is {@code from + pe * share}; nothing comes where that is
     *     not below {@code end}
     * @param words of all PEs, four each
     * @return whether it is there; false when a PE did not push it in time
     */
    static boolean pull(
            int me,
            int pes,
            I8Ptr space,
            I32Ptr report,
            int row,
            int epoch,
            int step,
            int block,
            int i,
            long from,
            long share,
            long end,
            int[] words) {
        long start = 0;
        int polls = 0;
        while (true) {
            int missing = -1;
            // Also of those that push nothing: all loads are under way before the first is looked at.
            for (int pe = 0; pe < pes; pe++) {
                Unroll.all();
                if (pe != me) {
                    Long2 pair = Wire.load2(PeerSpace.place(space, pes, row, epoch, step, pe, block, i));
                    words[4 * pe] = (int) pair.x();
                    words[4 * pe + 1] = (int) (pair.x() >>> 32);
                    words[4 * pe + 2] = (int) pair.y();
                    words[4 * pe + 3] = (int) (pair.y() >>> 32);
                }
            }
            for (int pe = 0; pe < pes; pe++) {
                Unroll.all();
                boolean absent = words[4 * pe + 1] == -1 || words[4 * pe + 3] == -1;
                if (pe != me && absent && from + pe * share < end) {
                    missing = pe;
                }
            }
            if (missing < 0) {
                break;
            }
            if (++polls % POLLS == 0) {
                start = lookAround(space, report, start, missing);
                if (start < 0) {
                    return false;
                }
            }
        }
        for (int pe = 0; pe < pes; pe++) {
            Unroll.all();
            if (pe != me && from + pe * share < end) {
                Wire.store2(PeerSpace.place(space, pes, row, epoch, step, pe, block, i), -1, -1);
            }
        }
        return true;
    }

    /**
     * To be called now and then by who waits.
     *
     * @param start what it has returned before, 0 at first
     * @param pe that is waited for
     * @return below 0 if the time is over
     */
    static long lookAround(I8Ptr space, I32Ptr report, long start, int pe) {
        I32Ptr status = PeerSpace.status(space);
        if (status.getVolatile(0) != 0) {
            return -1;
        }
        long now = Gpu.globalTimer();
        long limit = PeerSpace.limit(space).getVolatile(0);
        if (start != 0 && limit > 0 && now - start > limit) {
            // The host, too, finds the first one that is told.
            if (status.atomicCas(0, 0, pe + 1) == 0) {
                Wire.store(report, pe + 1);
            }
            return -1;
        }
        Wire.nap(start, pe);
        return start == 0 ? now : start;
    }

    /**
     * This block meets those of the same number on the other PEs. To be called by all threads of the block, with a
     * barrier of the block before, unless nothing is to be handed over, and after it.
     *
     * @param meeting the number of it
     * @param ordered whether what the blocks wrote before is seen after it by the others
     * @return whether all came, for the threads that look for one
     */
    static boolean meet(
            int me, int pes, PeerPointers peers, I8Ptr space, I32Ptr report, int meeting, int block, boolean ordered) {
        int other = ThreadIdx.x() + 1;
        if (other >= pes) {
            return true;
        }
        // One path for all, or the first one's wait would keep the others from saying that they are there.
        int pe = (me + other) % pes;
        I32Ptr theirs = PeerSpace.flag(peers.at(pe), meeting, block, me);
        if (ordered) {
            theirs.setRelease(0, meeting, Scope.SYSTEM);
        } else {
            Wire.store(theirs, meeting);
        }
        return await(PeerSpace.flag(space, meeting, block, pe), space, report, meeting, pe, ordered);
    }

    private static boolean await(I32Ptr flag, I8Ptr space, I32Ptr report, int meeting, int pe, boolean ordered) {
        long start = 0;
        int polls = 0;
        while (Wire.load(flag) != meeting) {
            if (++polls % POLLS == 0) {
                start = lookAround(space, report, start, pe);
                if (start < 0) {
                    return false;
                }
            }
        }
        return !ordered || flag.getAcquire(0, Scope.SYSTEM) == meeting;
    }
}
