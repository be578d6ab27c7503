// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

/**
 * How bytecode is read.
 *
 * @param checked whether an index outside of an array ends the kernel with an error
 * @param assertions whether {@code assert} is evaluated
 * @param lines whether lines go along
 * @param arch what it is for: 90 is sm_90
 */
public record FrontendOptions(boolean checked, boolean assertions, boolean lines, int arch) {
    public static final FrontendOptions DEFAULT = new FrontendOptions(false, false, true);

    /** For an architecture that has everything. */
    public FrontendOptions(boolean checked, boolean assertions, boolean lines) {
        this(checked, assertions, lines, Integer.MAX_VALUE);
    }
}
