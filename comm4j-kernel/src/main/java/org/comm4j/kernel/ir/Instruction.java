// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.List;

/**
 * One step, and the value that it makes. {@code id} is unique within a function; instructions are compared by it alone.
 */
public sealed interface Instruction extends Value {
    /** Of two numbers of the same type, or of a shift whose distance is an {@code I32}. */
    enum BinaryOp {
        ADD,
        SUB,
        MUL,
        DIV,
        REM,
        SHL,
        SHR,
        USHR,
        AND,
        OR,
        XOR
    }

    /** {@code U…}: also true if one is NaN. {@code NE} always is. Integers are signed. */
    enum Comparison {
        EQ,
        NE,
        LT,
        LE,
        GT,
        GE,
        ULT,
        ULE,
        UGT,
        UGE
    }

    enum Conversion {
        /** Integer to a smaller one. */
        TRUNCATE,
        SIGN_EXTEND,
        ZERO_EXTEND,
        /** Between numbers by value, as Java casts: float to integer saturates, NaN becomes 0. */
        NUMBER,
        /** The same bits. */
        BITS,
        /** Pointer to {@code I64} and back. */
        ADDRESS,
        /** A pointer into a space to a generic one, or back. */
        SPACE
    }

    /** How memory is accessed. */
    enum Access {
        PLAIN,
        VOLATILE
    }

    record Binary(int id, Position at, BinaryOp op, Value left, Value right) implements Instruction {
        @Override
        public Type type() {
            return left.type();
        }
    }

    record Negate(int id, Position at, Value value) implements Instruction {
        @Override
        public Type type() {
            return value.type();
        }
    }

    /** Makes an {@code I1}. */
    record Compare(int id, Position at, Comparison op, Value left, Value right) implements Instruction {
        @Override
        public Type type() {
            return Type.Scalar.I1;
        }
    }

    /** −1, 0 or 1, as {@code lcmp} and {@code fcmpl}; {@code ofNaN} if one is NaN. */
    record Order(int id, Position at, Value left, Value right, int ofNaN) implements Instruction {
        @Override
        public Type type() {
            return Type.Scalar.I32;
        }
    }

    record Convert(int id, Position at, Conversion kind, Value value, Type type) implements Instruction {}

    /** One of two values, without a branch. */
    record Select(int id, Position at, Value condition, Value ifTrue, Value ifFalse) implements Instruction {
        @Override
        public Type type() {
            return ifTrue.type();
        }
    }

    /** Memory of the thread, as long as the function runs; a generic pointer. In the first block only. */
    record Alloca(int id, Position at, Type allocated, String name) implements Instruction {
        @Override
        public Type type() {
            return Type.Pointer.GENERIC;
        }
    }

    /**
     * Reads memory.
     *
     * @param alignment in bytes; of a whole struct it may be larger than the type's, then it is read at once
     */
    record Load(int id, Position at, Type type, Value pointer, long alignment, Access access) implements Instruction {}

    record Store(int id, Position at, Value value, Value pointer, long alignment, Access access)
            implements Instruction {
        @Override
        public Type type() {
            return Type.Scalar.VOID;
        }
    }

    /** {@code pointer} moved by {@code bytes}, an {@code I64}, in its space. */
    record Offset(int id, Position at, Value pointer, Value bytes) implements Instruction {
        @Override
        public Type type() {
            return pointer.type();
        }
    }

    /** A struct of these fields. */
    record Compose(int id, Position at, Type.Struct type, List<Value> fields) implements Instruction {
        public Compose {
            fields = List.copyOf(fields);
        }
    }

    /** A field of a struct. */
    record Extract(int id, Position at, Value struct, int field) implements Instruction {
        @Override
        public Type type() {
            return ((Type.Struct) struct.type()).fields().get(field);
        }
    }

    /** Of a function of the same module. */
    record Call(int id, Position at, Function callee, List<Value> arguments) implements Instruction {
        public Call {
            arguments = List.copyOf(arguments);
        }

        @Override
        public Type type() {
            return callee.result();
        }
    }

    /**
     * Of a function that something else has: an intrinsic of NVVM ({@code llvm.nvvm.…}), a function of libdevice
     * ({@code __nv_…}), or device code that is linked in.
     */
    record CallExternal(int id, Position at, External callee, List<Value> arguments) implements Instruction {
        public CallExternal {
            arguments = List.copyOf(arguments);
        }

        @Override
        public Type type() {
            return callee.result();
        }
    }

    /**
     * Instructions of PTX.
     *
     * @param text with {@code $0} for the result, if there is one, and {@code $1}, {@code $2}, … for the operands
     * @param constraints as LLVM wants them: {@code "=r,r,l,~{memory}"}
     * @param type of the result; a struct for several
     * @param effects whether it does more than compute its result
     * @param convergent whether all threads of a warp or block must come together to it
     */
    record Ptx(
            int id,
            Position at,
            String text,
            String constraints,
            Type type,
            List<Value> operands,
            boolean effects,
            boolean convergent)
            implements Instruction {
        public Ptx {
            operands = List.copyOf(operands);
        }
    }

    int id();

    Position at();
}
