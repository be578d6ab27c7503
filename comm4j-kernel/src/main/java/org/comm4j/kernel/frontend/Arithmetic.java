// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.util.List;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/** Operators and conversions of numbers. */
final class Arithmetic {
    private final Translator method;

    Arithmetic(Translator method) {
        this.method = method;
    }

    Value not(Value condition) {
        IrBuilder emit = method.emit;
        if (condition instanceof org.comm4j.kernel.ir.Instruction.Compare made
                && made.left().type() instanceof Scalar scalar
                && (made.op() == Comparison.EQ || made.op() == Comparison.NE)
                && scalar.isInteger()) {
            return emit.compare(made.op() == Comparison.EQ ? Comparison.NE : Comparison.EQ, made.left(), made.right());
        }
        return emit.binary(BinaryOp.XOR, condition, IrBuilder.i1(true));
    }

    void operator(OperatorInstruction instruction) {
        Opcode opcode = instruction.opcode();
        IrBuilder emit = method.emit;
        Primitive type = Primitive.of(instruction.typeKind());
        switch (opcode) {
            case INEG, LNEG, FNEG, DNEG ->
                method.push(type, emit.negate(method.pop().value()));
            case LCMP -> order(0);
            case FCMPL, DCMPL -> order(-1);
            case FCMPG, DCMPG -> order(1);
            default -> {
                List<Operand> two = method.pop(2);
                method.push(
                        two.get(0).type(),
                        emit.binary(op(opcode), two.get(0).value(), two.get(1).value()));
            }
        }
    }

    private static BinaryOp op(Opcode opcode) {
        return switch (opcode) {
            case IADD, LADD, FADD, DADD -> BinaryOp.ADD;
            case ISUB, LSUB, FSUB, DSUB -> BinaryOp.SUB;
            case IMUL, LMUL, FMUL, DMUL -> BinaryOp.MUL;
            case IDIV, LDIV, FDIV, DDIV -> BinaryOp.DIV;
            case IREM, LREM, FREM, DREM -> BinaryOp.REM;
            case ISHL, LSHL -> BinaryOp.SHL;
            case ISHR, LSHR -> BinaryOp.SHR;
            case IUSHR, LUSHR -> BinaryOp.USHR;
            case IAND, LAND -> BinaryOp.AND;
            case IOR, LOR -> BinaryOp.OR;
            case IXOR, LXOR -> BinaryOp.XOR;
            default -> throw new IllegalStateException("unknown " + opcode);
        };
    }

    /** javac compares, then branches on the sign; together that is one comparison. */
    private void order(int ofNaN) {
        List<Operand> two = method.pop(2);
        Value left = two.get(0).value();
        Value right = two.get(1).value();
        BranchInstruction branch = method.following() instanceof BranchInstruction next ? next : null;
        Comparison comparison = branch == null ? null : comparison(branch, ofNaN);
        if (branch == null || comparison == null) {
            method.push(Primitive.INT, method.emit.order(left, right, ofNaN));
            return;
        }
        method.skip();
        method.branch(method.emit.compare(comparison, left, right), branch);
    }

    private static @Nullable Comparison comparison(BranchInstruction branch, int ofNaN) {
        return switch (branch.opcode()) {
            case IFEQ -> Comparison.EQ;
            case IFNE -> Comparison.NE;
            case IFLT -> ofNaN < 0 ? Comparison.ULT : Comparison.LT;
            case IFLE -> ofNaN < 0 ? Comparison.ULE : Comparison.LE;
            case IFGT -> ofNaN > 0 ? Comparison.UGT : Comparison.GT;
            case IFGE -> ofNaN > 0 ? Comparison.UGE : Comparison.GE;
            default -> null;
        };
    }

    void convert(ConvertInstruction instruction) {
        Value value = method.pop().value();
        Primitive to = Primitive.of(instruction.toType());
        method.push(to, convert(value, to));
    }

    /** A number on the stack to another type. */
    Value convert(Value value, Primitive to) {
        IrBuilder emit = method.emit;
        switch (to) {
            case BYTE, SHORT, CHAR -> {
                Value small = emit.convert(Conversion.TRUNCATE, value, to.memory());
                return emit.fromMemory(to, small);
            }
            default -> {}
        }
        if (value.type() == to.value()) {
            return value;
        }
        if (value.type() == Scalar.I32 && to == Primitive.LONG) {
            return emit.convert(Conversion.SIGN_EXTEND, value, Scalar.I64);
        }
        if (value.type() == Scalar.I64 && to == Primitive.INT) {
            return emit.convert(Conversion.TRUNCATE, value, Scalar.I32);
        }
        return emit.convert(Conversion.NUMBER, value, to.value());
    }
}
