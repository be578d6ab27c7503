// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

/** A variable is a pointer into one of several memories: the program is made again, with a number for the memory. */
final class SeveralMemories extends Unsupported {
    private static final long serialVersionUID = 1L;

    private final int variable;

    /** @param variable its number, in the order in which variables are made */
    SeveralMemories(int variable) {
        super("pointer into one of several memories");
        this.variable = variable;
    }

    int variable() {
        return variable;
    }
}
