// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.Comparison;
import org.comm4j.core.SignalOp;
import org.comm4j.kernel.lang.KernelLibrary;

/** Numbers that NVSHMEM has for what Java has enums for. */
@KernelLibrary
final class Codes {
    static final int SIGNAL_SET = 9;
    static final int SIGNAL_ADD = 10;

    private Codes() {}

    static int of(SignalOp op) {
        return op == SignalOp.SET ? SIGNAL_SET : SIGNAL_ADD;
    }

    static int of(Comparison comparison) {
        if (comparison == Comparison.EQ) {
            return 0;
        } else if (comparison == Comparison.NE) {
            return 1;
        } else if (comparison == Comparison.GT) {
            return 2;
        } else if (comparison == Comparison.LE) {
            return 3;
        }
        return comparison == Comparison.LT ? 4 : 5;
    }
}
