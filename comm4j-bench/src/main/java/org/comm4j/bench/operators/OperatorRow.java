// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

/**
 * An operation as it was measured.
 *
 * @param name of the operation
 * @param shape of the array
 * @param micros median time of a call
 * @param bytes that it has to read and write at least, on all ranks together
 * @param share of the rate of a copy of as large an array in the same run
 */
public record OperatorRow(String name, String shape, double micros, long bytes, double share) {
    /** Returns the rate in 10⁹ bytes per second. */
    public double rate() {
        return bytes / micros / 1e3;
    }
}
