// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.List;
import org.comm4j.kernel.ir.Position;

/**
 * A line of a kernel.
 *
 * @param calls that lead to it, the innermost first
 */
record Line(Position at, List<Position> calls) {
    static final Line UNKNOWN = new Line(Position.UNKNOWN, List.of());
}
