// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;

/**
 * Any rows of an array, along a divided axis, on the ranks that need them: one allToAllV. It is planned once
 * and used for any number of arrays of a type.
 */
public final class RowExchange {
    private final Backend backend;
    private final Layout layout;
    private final int axis;
    private final long outer;
    private final long inner;
    private final long[] sendRows;
    private final long[] sendCounts;
    private final long[] receiveCounts;
    private final Buffer outgoing;
    private final Buffer incoming;
    private final Buffer rows;

    /**
     * Plans the exchange; does not communicate.
     *
     * @param layout of the arrays
     * @param axis a divided one
     * @param needed returns the rows that a rank needs, in ascending order; all ranks know them of all
     */
    public RowExchange(Backend backend, Layout layout, int axis, DataType type, IntFunction<long[]> needed) {
        this.backend = backend;
        this.layout = layout;
        this.axis = axis;
        long[] shape = layout.localShape(backend.rank());
        long before = 1;
        long behind = 1;
        for (int a = 0; a < layout.ndim(); a++) {
            before *= a < axis ? shape[a] : 1;
            behind *= a > axis ? shape[a] : 1;
        }
        outer = before;
        inner = behind;
        int ranks = backend.size();
        int mine = backend.rank();
        sendCounts = new long[ranks];
        receiveCounts = new long[ranks];
        long[] send = new long[0];
        for (int r = 0; r < ranks; r++) {
            if (!layout.areInLine(r, mine, axis)) {
                continue;
            }
            long[] rowsOfMine = owned(needed.apply(r), mine);
            send = Arrays.copyOf(send, send.length + rowsOfMine.length);
            System.arraycopy(rowsOfMine, 0, send, send.length - rowsOfMine.length, rowsOfMine.length);
            sendCounts[r] = outer * rowsOfMine.length * inner;
            receiveCounts[r] = outer * owned(needed.apply(mine), r).length * inner;
        }
        sendRows = send;
        outgoing = backend.compute().buffer(type, outer * send.length * inner);
        long count = outer * needed.apply(mine).length * inner;
        incoming = backend.compute().buffer(type, count);
        rows = outer == 1 ? incoming : backend.compute().buffer(type, count);
    }

    private long[] owned(long[] needed, int rank) {
        long start = layout.start(rank, axis);
        long end = start + layout.localShape(rank)[axis];
        return Arrays.stream(needed).filter(row -> row >= start && row < end).toArray();
    }

    /**
     * Collective: returns the rows of {@code x} that this rank needs, in ascending order, with the shape of the array
     * otherwise. The next call overwrites them.
     */
    public Buffer exchange(DistributedArray x) {
        int mine = backend.rank();
        long length = layout.localShape(mine)[axis];
        long at = 0;
        int row = 0;
        for (long count : sendCounts) {
            long strip = outer == 0 || inner == 0 ? 0 : count / outer / inner;
            for (long o = 0; o < outer; o++) {
                for (long i = 0; i < strip; i++) {
                    long from = (o * length + sendRows[row + (int) i] - layout.start(mine, axis)) * inner;
                    backend.compute().copy(x.part().slice(from, inner), outgoing.slice(at, inner));
                    at += inner;
                }
            }
            row += (int) strip;
        }
        backend.operations().allToAllV(outgoing, sendCounts, incoming, receiveCounts);
        if (outer != 1) {
            sort();
        }
        return rows;
    }

    /** From one block for each rank to one block for each outer slice. */
    private void sort() {
        long total = rows.count() / Math.max(1, outer * inner);
        long from = 0;
        long first = 0;
        for (long count : receiveCounts) {
            long strip = inner == 0 ? 0 : count / outer / inner;
            for (long o = 0; o < outer; o++) {
                backend.compute()
                        .copy(
                                incoming.slice(from, strip * inner),
                                rows.slice((o * total + first) * inner, strip * inner));
                from += strip * inner;
            }
            first += strip;
        }
    }
}
