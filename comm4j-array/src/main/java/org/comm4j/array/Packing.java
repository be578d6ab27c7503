// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.Arrays;
import org.comm4j.core.Buffer;
import org.comm4j.math.AxisMatrix;
import org.comm4j.math.Compute;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of a part that lie one behind the other in a packed buffer, rank by rank. Neighbours are merged. What is still
 * in several pieces is moved by one product with a selection of rows, where its index is not too long.
 */
final class Packing {
    /** Rows of an index for each piece: a GPU reads them sooner than it starts another copy. */
    private static final long ROWS_ON_GPU = 1 << 16;

    private static final long ROWS_ON_PROCESSOR = 8;

    /** An index of more rows takes more memory than it is worth. */
    private static final long MOST_ROWS = 1 << 22;

    private final Compute compute;
    /** Whether it packs the pieces, or puts them where they belong. */
    private final boolean packs;

    /** Elements of the part. */
    private final long part;
    /** Elements for each rank. */
    private final long[] counts;

    /** Offset in the part and count of each piece. */
    private long[] pieces = new long[16];

    private int used;
    private @Nullable Views own;
    private @Nullable Views behind;
    /** The move as a matrix over blocks of {@code inner} elements. */
    private @Nullable AxisMatrix selection;

    private long inner;

    Packing(Compute compute, boolean packs, int ranks, long part) {
        this.compute = compute;
        this.packs = packs;
        this.part = part;
        counts = new long[ranks];
    }

    /** Adds a piece behind those before it. */
    void add(int rank, long offset, long count) {
        counts[rank] += count;
        if (used > 0 && pieces[used - 2] + pieces[used - 1] == offset) {
            pieces[used - 1] += count;
            return;
        }
        if (used == pieces.length) {
            pieces = Arrays.copyOf(pieces, 2 * used);
        }
        pieces[used++] = offset;
        pieces[used++] = count;
    }

    /** Plans the move; called once, when all pieces are added. */
    void end() {
        if (isPacked()) {
            return;
        }
        inner = part;
        for (int i = 0; i < used; i++) {
            inner = divisor(inner, pieces[i]);
        }
        int number = used / 2;
        long rows = inner == 0 ? 0 : total() / inner;
        long most = number * (compute.isAsynchronous() ? ROWS_ON_GPU : ROWS_ON_PROCESSOR);
        // The product sets all elements of a part, which these pieces may not be.
        boolean whole = packs || part == total();
        if (whole && number > 1 && rows <= Math.min(most, MOST_ROWS)) {
            selection = selection();
            return;
        }
        long[] offsets = new long[number];
        long[] lengths = new long[number];
        long[] packed = new long[number];
        long at = 0;
        for (int i = 0; i < number; i++) {
            offsets[i] = pieces[2 * i];
            lengths[i] = pieces[2 * i + 1];
            packed[i] = at;
            at += lengths[i];
        }
        own = new Views(offsets, lengths);
        behind = new Views(packed, lengths);
    }

    private AxisMatrix selection() {
        AxisMatrix.Builder matrix = AxisMatrix.of(part / inner);
        for (int i = 0; i < used; i += 2) {
            long first = pieces[i] / inner;
            for (long r = first; r < first + pieces[i + 1] / inner; r++) {
                matrix.element(r, 1).endRow();
            }
        }
        return packs ? matrix.build() : matrix.build().transposed();
    }

    private static long divisor(long a, long b) {
        long x = a;
        long y = b;
        while (y != 0) {
            long rest = x % y;
            x = y;
            y = rest;
        }
        return x;
    }

    long[] counts() {
        return counts;
    }

    long total() {
        return Arrays.stream(counts).sum();
    }

    /** Returns whether the part itself is the packed buffer. */
    boolean isPacked() {
        return part == total() && (used == 0 || used == 2 && pieces[0] == 0);
    }

    /** Moves all pieces; the packed buffer has them all, and of a part what is in no piece stays. */
    void move(Buffer whole, Buffer packed) {
        Buffer from = packs ? whole : packed;
        Buffer to = packs ? packed : whole;
        if (selection != null) {
            compute.multiply(selection, 1, inner, from, to);
            return;
        }
        if (own == null || behind == null) {
            throw new AssertionError("not planned");
        }
        for (int i = 0; i < own.count(); i++) {
            Buffer piece = own.of(whole, i);
            Buffer other = behind.of(packed, i);
            compute.copy(packs ? piece : other, packs ? other : piece);
        }
    }
}
