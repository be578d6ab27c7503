// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

/**
 * How bytecode is read.
 *
 * @param checked whether an index outside of an array ends the kernel with an error
 * @param assertions whether {@code assert} is evaluated
 * @param lines whether lines go along
 */
public record FrontendOptions(boolean checked, boolean assertions, boolean lines) {
    public static final FrontendOptions DEFAULT = new FrontendOptions(false, false, true);
}
