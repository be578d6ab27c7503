// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.I32Ptr;
import org.comm4j.kernel.I64Ptr;
import org.comm4j.kernel.I8Ptr;
import org.comm4j.kernel.KernelLibrary;

/**
 * Places of everything in the symmetric memory of an {@link ExpertParallel}, as kernels see those of one dispatch in
 * flight: an argument by value. Offsets are bytes from {@code base} on. All words that others write have the number of
 * the dispatch, its epoch, with or in them, so that nothing is ever set back.
 *
 * @param base this PE's memory
 * @param distances from it to that of each PE, in bytes
 * @param report of the host: what was waited for in vain, the first wrong route, the first overflow
 * @param maxRows rows of an expert's area; 0 if areas follow each other
 * @param capacity rows of a PE
 * @param rowBytes of a row
 * @param members PEs that have the same tokens
 * @param scales of a row
 * @param scaleBytes of a scale
 * @param scalePeriod rows of which each scale is a column; 0 where the scales of a row follow each other
 * @param slot where what is of one dispatch begins
 * @param flags by PE: the epoch whose rows have come
 * @param answers by PE: the epoch whose results are there
 * @param words by PE and expert: the number of routes, below its epoch
 * @param places by token and choice: the PE, above its row there; -1 for none
 */
@KernelLibrary
public record MoeSpace(
        I8Ptr base,
        I64Ptr distances,
        I64Ptr report,
        int me,
        int pes,
        int experts,
        int perToken,
        int padding,
        int maxRows,
        int capacity,
        int rowBytes,
        int members,
        int scales,
        int scaleBytes,
        int scalePeriod,
        long slot,
        long flags,
        long answers,
        long words,
        long counts,
        long starts,
        long rowExperts,
        long places,
        long rows,
        long rowScales,
        long results) {
    /** Of this PE alone: 0, or what was waited for in vain. */
    static final long STATUS = 0;
    /** Of this PE alone: nanoseconds that are waited for a PE; 0 for no limit. */
    static final long LIMIT = 8;
    /** Of this PE alone: the first wrong route, {@link #NO_ROUTE} without. */
    static final long WRONG = 16;
    /**
     * Of this PE alone: the PE that has too few rows, or where areas have a size the expert, above the rows that it
     * needed; {@link #NO_ROUTE} without.
     */
    static final long OVERFLOW = 24;
    /** Behind what is not of one dispatch. */
    static final long SLOTS = 256;

    /** In a slot: the epoch of the last dispatch, and how many blocks of one have ended. */
    static final long EPOCH = 0;

    static final long TICKET = 4;
    /** And its number of tokens. */
    static final long TOKENS = 8;
    /** Behind them. */
    static final long HEAD = 128;

    static final long NO_ROUTE = Long.MAX_VALUE;

    /** Words of {@link #report}. */
    static final int REPORT_WAIT = 0;

    static final int REPORT_ROUTE = 1;
    static final int REPORT_OVERFLOW = 2;
    static final int REPORT_TOKENS = 3;
    static final int REPORTS = 4;

    I8Ptr at(int pe) {
        return base.plus(distances.get(pe));
    }

    I64Ptr status() {
        return base.plus(STATUS).asI64();
    }

    I64Ptr limit() {
        return base.plus(LIMIT).asI64();
    }

    I64Ptr wrong() {
        return base.plus(WRONG).asI64();
    }

    I64Ptr overflow() {
        return base.plus(OVERFLOW).asI64();
    }

    I32Ptr epoch() {
        return base.plus(slot + EPOCH).asI32();
    }

    I32Ptr ticket() {
        return base.plus(slot + TICKET).asI32();
    }

    I32Ptr tokens() {
        return base.plus(slot + TOKENS).asI32();
    }

    /** Where a scale of a row is, in bytes. */
    long scale(int row, int number) {
        if (scalePeriod == 0) {
            return rowScales + ((long) row * scales + number) * scaleBytes;
        }
        int area = row / scalePeriod;
        long first = (long) area * scalePeriod * scales;
        return rowScales + (first + (long) number * scalePeriod + row % scalePeriod) * scaleBytes;
    }

    I64Ptr place(long route) {
        return base.plus(places + 8 * route).asI64();
    }

    /** Experts of every PE, except that the first {@link #more} have one more. */
    private int share() {
        return experts / pes;
    }

    private int more() {
        return experts % pes;
    }

    /** The first expert of a PE. */
    int first(int pe) {
        return pe * share() + Math.min(pe, more());
    }

    /** The number of its experts. */
    int local(int pe) {
        return share() + (pe < more() ? 1 : 0);
    }

    /** The PE of an expert. */
    int owner(int expert) {
        int share = share();
        int more = more();
        int those = more * (share + 1);
        // Without experts for all, nobody is behind those that have one.
        return expert < those ? expert / (share + 1) : more + (expert - those) / Math.max(share, 1);
    }
}
