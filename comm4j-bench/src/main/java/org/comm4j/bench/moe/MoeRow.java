// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

/**
 * Measurements of a way and a number of tokens, in microseconds.
 *
 * @param way name of it
 * @param tokens of a PE in a call
 * @param samples of each call
 * @param dispatch without a barrier behind it
 * @param combine without a barrier before it
 * @param dispatchAlone with a barrier behind it
 * @param combineAlone with a barrier before it
 * @param pair a dispatch and a combine, of many in a row
 * @param graph such a pair in a captured graph; NaN if it was not measured
 * @param halves the halves of dispatch and combine, in their order; none if they were not measured
 * @param layer a dispatch, the experts' kernel and a combine; NaN if it was not measured
 * @param fused the same by kernels that communicate themselves; NaN if it was not measured
 * @param dispatchBytes of a PE's calls: tokens * choices * a row
 * @param combineBytes likewise, of answers
 * @param wrong elements of sums of all PEs that are not what they must be
 */
public record MoeRow(
        String way,
        int tokens,
        int samples,
        Times dispatch,
        Times combine,
        Times dispatchAlone,
        Times combineAlone,
        double pair,
        double graph,
        double[] halves,
        double layer,
        double fused,
        long dispatchBytes,
        long combineBytes,
        long wrong) {
    /**
     * Times of calls.
     *
     * @param p50 median of the slowest PE
     * @param mean of PE 0
     * @param deviation of PE 0
     * @param most of all PEs
     */
    public record Times(double p50, double mean, double deviation, double most) {}
}
