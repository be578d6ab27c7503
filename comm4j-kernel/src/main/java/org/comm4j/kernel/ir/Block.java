// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Instructions that are executed one after the other; built up, then complete when it has its end. */
public final class Block {
    private final String label;
    private final List<Instruction> instructions = new ArrayList<>();
    private @Nullable Terminator end;

    public Block(String label) {
        this.label = label;
    }

    /** Unique within the function. */
    public String label() {
        return label;
    }

    public List<Instruction> instructions() {
        return Collections.unmodifiableList(instructions);
    }

    public boolean isComplete() {
        return end != null;
    }

    public Terminator end() {
        return Objects.requireNonNull(end, () -> "block " + label + " has no end");
    }

    public <T extends Instruction> T add(T instruction) {
        if (end != null) {
            throw new IllegalStateException("block " + label + " has ended with " + end);
        }
        instructions.add(instruction);
        return instruction;
    }

    public void end(Terminator terminator) {
        if (end != null) {
            throw new IllegalStateException("block " + label + " has ended with " + end);
        }
        end = terminator;
    }

    @Override
    public String toString() {
        return label;
    }
}
