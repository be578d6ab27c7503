// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.util.List;
import org.comm4j.kernel.ir.Position;

/** The line of Java that a thread is at, which code keeps in a variable for what is thrown. */
final class Lines {
    private final CodeBuilder code;
    private final Layout layout;
    /** The variable. */
    final int slot;

    private Position last = Position.UNKNOWN;
    private List<Position> calls = List.of();

    Lines(CodeBuilder code, Layout layout) {
        this.code = code;
        this.layout = layout;
        this.slot = code.allocateLocal(TypeKind.INT);
    }

    /** Notes the line of what may fail. */
    void at(Position position) {
        if (!position.equals(last)) {
            last = position;
            code.loadConstant(layout.line(position, calls)).istore(slot);
        }
    }

    /** Notes that what follows is in a part. */
    void in(Part part) {
        calls = part.calls;
        last = Position.UNKNOWN;
    }
}
