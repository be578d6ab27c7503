// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/** What becomes of the elements of two PEs. */
enum PeerOp {
    SUM,
    MIN,
    MAX;

    /** Null for reductions that kernels do not know. */
    static @Nullable PeerOp of(ReduceOp op) {
        return op == ReduceOp.SUM ? SUM : op == ReduceOp.MIN ? MIN : op == ReduceOp.MAX ? MAX : null;
    }
}
