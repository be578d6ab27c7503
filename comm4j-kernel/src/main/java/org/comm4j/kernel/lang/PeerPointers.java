// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.util.function.IntFunction;

/**
 * The same place in the memory of each of several ranks that reach each other's, for loads and stores of a kernel: an
 * argument of kernels, by value. Those that there are not are those of rank 0.
 */
public record PeerPointers(I8Ptr p0, I8Ptr p1, I8Ptr p2, I8Ptr p3, I8Ptr p4, I8Ptr p5, I8Ptr p6, I8Ptr p7) {
    /** The most ranks that there can be. */
    public static final int MAX = 8;

    /**
     * Returns the pointers of some ranks, from 0 on.
     *
     * @param of the pointer of a rank
     * @throws IllegalArgumentException if there are no ranks, or more than {@link #MAX}
     */
    public static PeerPointers of(int ranks, IntFunction<I8Ptr> of) {
        if (ranks < 1 || ranks > MAX) {
            throw new IllegalArgumentException("PeerPointers.of: pointers of " + ranks + " ranks; 1 to " + MAX);
        }
        I8Ptr[] all = new I8Ptr[MAX];
        for (int rank = 0; rank < MAX; rank++) {
            all[rank] = rank < ranks ? of.apply(rank) : all[0];
        }
        return new PeerPointers(all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7]);
    }

    /** Returns that of a rank. Costs nothing where {@code rank} is known when the kernel is compiled. */
    public I8Ptr at(int rank) {
        return rank < 4
                ? rank == 0 ? p0 : rank == 1 ? p1 : rank == 2 ? p2 : p3
                : rank == 4 ? p4 : rank == 5 ? p5 : rank == 6 ? p6 : p7;
    }

    /** Returns all of them, as many bytes further. */
    public PeerPointers plus(long bytes) {
        return new PeerPointers(
                p0.plus(bytes),
                p1.plus(bytes),
                p2.plus(bytes),
                p3.plus(bytes),
                p4.plus(bytes),
                p5.plus(bytes),
                p6.plus(bytes),
                p7.plus(bytes));
    }
}
