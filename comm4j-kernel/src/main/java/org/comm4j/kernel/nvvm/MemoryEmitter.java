// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;

/** Writes loads and stores: of scalars, of vectors, and of records in as few accesses as their alignment allows. */
final class MemoryEmitter {
    private final FunctionText text;

    MemoryEmitter(FunctionText text) {
        this.text = text;
    }

    private static String access(Instruction.Access access) {
        return access == Instruction.Access.VOLATILE ? "volatile " : "";
    }

    /** A pointer with the type of what is there. */
    String pointer(Value pointer, String type) {
        if (pointer instanceof Instruction.Alloca alloca
                && Llvm.memory(alloca.allocated()).equals(type)) {
            return type + "* " + FunctionText.name(alloca) + ".m";
        }
        String space = Llvm.space(((Type.Pointer) pointer.type()).space());
        return type + space + "* " + text.temporary("bitcast " + text.typed(pointer) + " to " + type + space + "*");
    }

    void load(Instruction.Load load) {
        Vector vector = Vector.of(load.type(), load.alignment());
        if (vector != null) {
            String whole = text.temporary("load " + access(load.access()) + vector.memory() + ", "
                    + pointer(load.pointer(), vector.memory()) + ", align " + load.alignment());
            String lanes = vector.memory().equals(vector.lanes())
                    ? whole
                    : text.temporary("bitcast " + vector.memory() + " " + whole + " to " + vector.lanes());
            String struct = "undef";
            for (int i = 0; i < vector.paths().size(); i++) {
                String lane = text.temporary("extractelement " + vector.lanes() + " " + lanes + ", i32 " + i);
                String insert = "insertvalue " + Llvm.memory(load.type()) + " " + struct + ", "
                        + Llvm.memory(vector.element()) + " " + lane + ", "
                        + vector.paths().get(i);
                if (i < vector.paths().size() - 1) {
                    struct = text.temporary(insert);
                } else {
                    text.define(load, insert);
                }
            }
            return;
        }
        Words words = Words.of(load.type(), load.alignment());
        if (words != null) {
            String whole = text.temporary("load " + access(load.access()) + words.memory() + ", "
                    + pointer(load.pointer(), words.memory()) + ", align " + load.alignment());
            text.define(load, words.unpack(whole, Llvm.memory(load.type()), text::temporary));
            return;
        }
        String type = Llvm.memory(load.type());
        String loaded = "load " + access(load.access()) + type + ", " + pointer(load.pointer(), type) + ", align "
                + load.alignment();
        if (load.type() == Scalar.I1) {
            text.define(load, "icmp ne i8 " + text.temporary(loaded) + ", 0");
        } else {
            text.define(load, loaded);
        }
    }

    void store(Instruction.Store store) {
        Type type = store.value().type();
        Vector vector = Vector.of(type, store.alignment());
        Words words = vector == null ? Words.of(type, store.alignment()) : null;
        if (words != null) {
            text.line("store " + access(store.access()) + words.memory() + " "
                    + words.pack(text.typed(store.value()), text::temporary) + ", "
                    + pointer(store.pointer(), words.memory()) + ", align " + store.alignment());
            return;
        }
        if (vector == null) {
            String value = text.stored(store.value());
            text.line("store " + access(store.access()) + value + ", " + pointer(store.pointer(), Llvm.memory(type))
                    + ", align " + store.alignment());
            return;
        }
        String lanes = "undef";
        for (int i = 0; i < vector.paths().size(); i++) {
            String field = text.temporary("extractvalue " + text.typed(store.value()) + ", "
                    + vector.paths().get(i));
            lanes = text.temporary("insertelement " + vector.lanes() + " " + lanes + ", "
                    + Llvm.memory(vector.element()) + " " + field + ", i32 " + i);
        }
        String whole = vector.memory().equals(vector.lanes())
                ? lanes
                : text.temporary("bitcast " + vector.lanes() + " " + lanes + " to " + vector.memory());
        text.line("store " + access(store.access()) + vector.memory() + " " + whole + ", "
                + pointer(store.pointer(), vector.memory()) + ", align " + store.alignment());
    }
}
