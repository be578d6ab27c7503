// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

/** What is said of wrong parameters. */
final class Checks {
    /** The most elements of a Java array. */
    static final long LARGEST = Integer.MAX_VALUE - 8;

    private Checks() {}

    static void atLeast(String kernel, String what, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    kernel + ": " + what + " is " + value + ", but must be at least " + least);
        }
    }

    /** @param elements that a PE has in one array */
    static void fits(String kernel, String what, double elements, String advice) {
        if (elements > LARGEST) {
            throw new IllegalArgumentException(String.format(
                    "%s: %s would have %.0f elements on a PE, but an array has at most %d; %s",
                    kernel, what, elements, LARGEST, advice));
        }
    }
}
