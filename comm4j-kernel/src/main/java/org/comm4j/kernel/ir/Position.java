// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

/**
 * A line of Java.
 *
 * @param file as the class file names it
 * @param method {@code Jacobi.step}
 * @param line 0 if unknown
 */
public record Position(String file, String method, int line) {
    public static final Position UNKNOWN = new Position("", "", 0);

    /** {@code Jacobi.step (Jacobi.java:27)}. */
    @Override
    public String toString() {
        return method + " (" + file + (line > 0 ? ":" + line : "") + ")";
    }
}
