// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import org.comm4j.kernel.lang.Kernel;

/**
 * How bytecode is read.
 *
 * @param checked whether an index outside of an array ends the kernel with an error
 * @param assertions whether {@code assert} is evaluated
 * @param lines whether lines go along
 * @param arch what it is for: 90 is sm_90
 * @param math of kernels that do not choose it, nor their classes
 * @param specific whether it is for this architecture alone, as in sm_90a
 * @param host whether it is for a processor: what a GPU has other code for is then an external function whose symbol
 *     names the Java method, {@code java/lang/Math.sin(D)D}, and whose arguments are as on the JVM's stack
 */
public record FrontendOptions(
        boolean checked,
        boolean assertions,
        boolean lines,
        int arch,
        Kernel.Math math,
        boolean specific,
        boolean host) {
    public static final FrontendOptions DEFAULT = new FrontendOptions(false, false, true);

    /** For this machine's processors. */
    public static final FrontendOptions HOST =
            new FrontendOptions(false, false, true, Integer.MAX_VALUE, Kernel.Math.EXACT, true, true);

    /** With or without {@code assert}. */
    public FrontendOptions withAssertions(boolean evaluated) {
        return new FrontendOptions(checked, evaluated, lines, arch, math, host);
    }

    /** For a GPU. */
    public FrontendOptions(
            boolean checked, boolean assertions, boolean lines, int arch, Kernel.Math math, boolean specific) {
        this(checked, assertions, lines, arch, math, specific, false);
    }

    /** For an architecture that has everything, with Java's arithmetic. */
    public FrontendOptions(boolean checked, boolean assertions, boolean lines) {
        this(checked, assertions, lines, Integer.MAX_VALUE, Kernel.Math.EXACT, true);
    }
}
