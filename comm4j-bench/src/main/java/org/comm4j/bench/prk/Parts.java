// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

/** How elements are dealt out: the first PEs have one more if they do not come out even. */
record Parts(long count, int pes) {
    /** Where the part of {@code pe} begins; {@code first(pes)} is the count. */
    long first(int pe) {
        return pe * (count / pes) + Math.min(pe, count % pes);
    }

    long size(int pe) {
        return first(pe + 1) - first(pe);
    }

    /** The largest part. */
    long largest() {
        return size(0);
    }

    /** The part that an element is in. */
    int owner(long element) {
        int pe = 0;
        while (first(pe + 1) <= element) {
            pe++;
        }
        return pe;
    }

    /** The smaller side of the grid of PEs that is nearest to a square. */
    static int side(int pes) {
        int side = (int) Math.sqrt(pes);
        while (pes % side != 0) {
            side--;
        }
        return side;
    }
}
