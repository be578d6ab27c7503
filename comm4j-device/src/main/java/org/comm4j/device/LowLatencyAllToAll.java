// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Long2;

/**
 * An exchange of short messages of all ranks of an LSA team with all, in a kernel: an argument by value, made by {@link
 * NcclDevice#allToAll}. It lies in memory as that of NCCL's {@code ncclLLA2ASession} does: each 8 bytes travel together
 * with the number of their epoch, so that who finds it has the data, without a barrier.
 *
 * <p>Each block number of a rank has {@code slots} elements of 8 bytes to be sent to in an epoch, and the blocks of the
 * same number of all ranks exchange with each other. In each epoch a rank receives something from every rank that it
 * sends to in the next one.
 *
 * @param flat where rank 0's begins
 * @param stride bytes from one rank's to the next one's
 * @param rank of this GPU in the team
 * @param size of the team
 * @param blocks that can use it at a time
 * @param slots elements of an epoch that a block can receive
 * @param limit of waiting
 */
@KernelLibrary
public record LowLatencyAllToAll(I8Ptr flat, long stride, int rank, int size, int blocks, int slots, WaitLimit limit) {
    /** The bytes of a slot: two words of data, each with its epoch. */
    private static final int SLOT = 16;

    /** Epochs are counted from 2 on; 0, which empty slots have, is none. */
    private static final int FIRST = 2;

    /** The bytes that so many blocks need on each rank. */
    static long bytes(int blocks, long slots) {
        return blocks * (1 + 2 * slots) * SLOT;
    }

    /** The next epoch of a block number: to be called by the threads that exchange, before any has ended it. */
    public Epoch open(int block) {
        boolean valid = block >= 0 && block < blocks;
        if (!valid) {
            limit.report(WaitLimit.NO_BLOCK, block, rank);
        }
        int safe = valid ? block : 0;
        return new Epoch(this, safe, valid ? state(safe).get(0) + FIRST : 0);
    }

    /** How many epochs have been ended. */
    private I32Ptr state(int block) {
        return line(rank, block, 0).asI32();
    }

    /** A line of 16 bytes among those of a block on a rank: the state, the slots of even epochs, those of odd ones. */
    private I8Ptr line(int owner, int block, int line) {
        return flat.plus(owner * stride + SLOT * ((long) block * (1 + 2 * slots) + line));
    }

    /**
     * An epoch of a block.
     *
     * @param number 0 if it cannot be used
     */
    @KernelLibrary
    public record Epoch(LowLatencyAllToAll exchange, int block, int number) {
        /**
         * Sends 8 bytes to an element of a rank ({@code send}). Who sends to which element is for the kernel to say.
         */
        public void send(int lsaRank, int element, long data) {
            if (lsaRank < 0 || lsaRank >= exchange.size) {
                exchange.limit.report(WaitLimit.NO_RANK, lsaRank, exchange.rank);
            } else if (isElement(element)) {
                Wire.store2(slot(lsaRank, element), word((int) data), word((int) (data >>> 32)));
            }
        }

        /** Sends 8 bytes to the same element of all ranks, this one too ({@code bcast}). */
        public void broadcast(int element, long data) {
            for (int i = 0; i < exchange.size; i++) {
                int next = exchange.rank + i;
                send(next < exchange.size ? next : next - exchange.size, element, data);
            }
        }

        /**
         * Waits for an element of this rank ({@code recv}).
         *
         * @param from who sends it, for messages
         * @return 0 when it did not come in time, or there is no such element, which {@link NcclDevice#check} then says
         */
        public long receive(int element, int from) {
            if (!isElement(element)) {
                return 0;
            }
            I64Ptr slot = slot(exchange.rank, element);
            long start = 0;
            int polls = 0;
            while (true) {
                Long2 words = Wire.load2(slot);
                if ((int) (words.x() >>> 32) == number && (int) (words.y() >>> 32) == number) {
                    return words.x() & 0xffff_ffffL | words.y() << 32;
                }
                if (++polls % WaitLimit.POLLS == 0) {
                    start = exchange.limit.lookAround(start, WaitLimit.ELEMENT, element, from);
                    if (start < 0) {
                        return 0;
                    }
                }
            }
        }

        /**
         * The threads have received all that was sent to them ({@code endEpoch}).
         *
         * @return the next epoch, instead of this one
         */
        public Epoch end(Coop coop) {
            // Before numbers begin anew: what lies there must not be taken for something newer.
            if (number == -1 || number == -2) {
                coop.sync();
                for (int i = coop.rank(); i < exchange.slots; i += coop.size()) {
                    Wire.store2(slot(exchange.rank, i), 0, 0);
                }
            }
            coop.sync();
            if (number == 0) {
                return this;
            }
            int next = number == -1 ? FIRST : number + 1;
            if (coop.rank() == 0) {
                exchange.state(block).set(0, next - FIRST);
            }
            return new Epoch(exchange, block, next);
        }

        private boolean isElement(int element) {
            if (number == 0) {
                return false;
            }
            if (element < 0 || element >= exchange.slots) {
                exchange.limit.report(WaitLimit.NO_ELEMENT, element, exchange.rank);
                return false;
            }
            return true;
        }

        private long word(int data) {
            return (long) number << 32 | data & 0xffff_ffffL;
        }

        private I64Ptr slot(int owner, int element) {
            return exchange.line(owner, block, 1 + (number & 1) * exchange.slots + element)
                    .asI64();
        }
    }
}
