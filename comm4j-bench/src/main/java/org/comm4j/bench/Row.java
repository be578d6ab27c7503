// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * One line of the table.
 *
 * @param bytes of the larger buffer of a rank
 * @param count elements that the call is about
 * @param reduction null if the operation does not reduce
 * @param root −1 if the operation has none
 * @param inPlace null if the operation has no in-place form
 * @param copyBandwidth GB/s of a plain copy of as many bytes within the memory of each rank that takes part, all at
 *     once; NaN if nothing is moved
 */
public record Row(
        Measured operation,
        long bytes,
        long count,
        DataType type,
        @Nullable ReduceOp reduction,
        int root,
        Timing outOfPlace,
        @Nullable Timing inPlace,
        double copyBandwidth) {

    /** For {@link Timing#wrong}: nobody looked. */
    public static final long UNCHECKED = -1;

    /**
     * What was measured.
     *
     * @param seconds of one call, or of issuing it where that is what was asked for
     * @param algorithmBandwidth GB/s, {@link Operation#algorithmBandwidth(long, double)}
     * @param busBandwidth GB/s, {@link Measured#busFactor} times as much
     * @param wrong elements of all ranks that were not what they must be, or {@link #UNCHECKED}
     * @param iterations times of the single iterations, if somebody asked for them
     */
    public record Timing(
            double seconds,
            double algorithmBandwidth,
            double busBandwidth,
            long wrong,
            @Nullable Iterations iterations) {
        static Timing of(
                Measured operation,
                long bytes,
                int ranks,
                double seconds,
                long wrong,
                @Nullable Iterations iterations) {
            double algorithm = Operation.algorithmBandwidth(bytes, seconds) * operation.algorithmPart(ranks);
            return new Timing(seconds, algorithm, algorithm * operation.busFactor(ranks), wrong, iterations);
        }

        double micros() {
            return seconds * 1e6;
        }
    }

    /** The out-of-place algorithm bandwidth as a multiple of the plain copy's; NaN if nothing is moved. */
    public double ofCopy() {
        return outOfPlace.algorithmBandwidth() / copyBandwidth;
    }

    long wrong() {
        return Math.max(outOfPlace.wrong(), 0) + (inPlace == null ? 0 : Math.max(inPlace.wrong(), 0));
    }
}
