// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Type;

/** Writes arithmetic. */
final class Calculator {
    private static final ClassDesc FLOAT = ClassDesc.of("java.lang.Float");
    private static final ClassDesc DOUBLE = ClassDesc.of("java.lang.Double");

    private final CodeBuilder code;
    private final Steps steps;

    Calculator(CodeBuilder code, Steps steps) {
        this.code = code;
        this.steps = steps;
    }

    /** Pushes the result. */
    void compute(Op.Compute op) {
        List<Val> arguments = op.arguments();
        switch (op.from()) {
            case Instruction.Binary binary -> {
                arguments.forEach(steps::push);
                if (Analysis.mayFail(op)) {
                    steps.at(op);
                }
                binary(binary.op(), Kind.of(op.type()));
                narrow(op.type());
            }
            case Instruction.Negate _ -> {
                steps.push(arguments.getFirst());
                switch (Kind.of(op.type())) {
                    case INT -> code.ineg();
                    case LONG -> code.lneg();
                    case FLOAT -> code.fneg();
                    case DOUBLE -> code.dneg();
                }
                narrow(op.type());
            }
            case Instruction.Compare compare -> {
                Label yes = code.newLabel();
                Label done = code.newLabel();
                branch(op, compare, true, yes);
                code.iconst_0().goto_(done);
                code.labelBinding(yes);
                code.iconst_1();
                code.labelBinding(done);
            }
            case Instruction.Order order -> {
                arguments.forEach(steps::push);
                order(arguments.getFirst().kind(), order.ofNaN() < 0);
            }
            case Instruction.Convert convert -> {
                steps.push(arguments.getFirst());
                convert(convert, (Type.Scalar) convert.value().type());
            }
            case Instruction.Select _ -> {
                Label no = code.newLabel();
                Label done = code.newLabel();
                steps.branch(arguments.getFirst(), false, no);
                steps.push(arguments.get(1));
                code.goto_(done);
                code.labelBinding(no);
                steps.push(arguments.get(2));
                code.labelBinding(done);
            }
            default -> throw new IllegalStateException(op.toString());
        }
    }

    /** As memory of that type keeps it. */
    private void narrow(Type.Scalar type) {
        switch (type) {
            case I1 -> code.iconst_1().iand();
            case I8 -> code.i2b();
            case I16 -> code.i2s();
            default -> {}
        }
    }

    private void order(Kind kind, boolean lowOfNaN) {
        switch (kind) {
            case LONG -> code.lcmp();
            case FLOAT -> {
                if (lowOfNaN) {
                    code.fcmpl();
                } else {
                    code.fcmpg();
                }
            }
            case DOUBLE -> {
                if (lowOfNaN) {
                    code.dcmpl();
                } else {
                    code.dcmpg();
                }
            }
            case INT ->
                code.invokestatic(ClassDesc.of("java.lang.Integer"), "compare", MethodTypeDesc.ofDescriptor("(II)I"));
        }
    }

    /** Goes to the label if the comparison is {@code wanted}. */
    void branch(Op.Compute op, Instruction.Compare compare, boolean wanted, Label target) {
        op.arguments().forEach(steps::push);
        Kind kind = op.arguments().getFirst().kind();
        boolean isFloat = kind == Kind.FLOAT || kind == Kind.DOUBLE;
        Comparison how = compare.op();
        if (kind == Kind.INT) {
            Opcode opcode = switch (how) {
                case EQ -> wanted ? Opcode.IF_ICMPEQ : Opcode.IF_ICMPNE;
                case NE -> wanted ? Opcode.IF_ICMPNE : Opcode.IF_ICMPEQ;
                case LT, ULT -> wanted ? Opcode.IF_ICMPLT : Opcode.IF_ICMPGE;
                case LE, ULE -> wanted ? Opcode.IF_ICMPLE : Opcode.IF_ICMPGT;
                case GT, UGT -> wanted ? Opcode.IF_ICMPGT : Opcode.IF_ICMPLE;
                case GE, UGE -> wanted ? Opcode.IF_ICMPGE : Opcode.IF_ICMPLT;
            };
            code.branch(opcode, target);
            return;
        }
        // What the order is if one is NaN has to make ordered comparisons false, and U… ones true.
        boolean lowOfNaN = switch (how) {
            case LT, LE, UGT, UGE -> false;
            default -> true;
        };
        order(kind, isFloat && lowOfNaN);
        code.branch(
                switch (how) {
                    case EQ -> wanted ? Opcode.IFEQ : Opcode.IFNE;
                    case NE -> wanted ? Opcode.IFNE : Opcode.IFEQ;
                    case LT, ULT -> wanted ? Opcode.IFLT : Opcode.IFGE;
                    case LE, ULE -> wanted ? Opcode.IFLE : Opcode.IFGT;
                    case GT, UGT -> wanted ? Opcode.IFGT : Opcode.IFLE;
                    case GE, UGE -> wanted ? Opcode.IFGE : Opcode.IFLT;
                },
                target);
    }

    private void binary(BinaryOp op, Kind kind) {
        switch (kind) {
            case INT -> {
                switch (op) {
                    case ADD -> code.iadd();
                    case SUB -> code.isub();
                    case MUL -> code.imul();
                    case DIV -> code.idiv();
                    case REM -> code.irem();
                    case SHL -> code.ishl();
                    case SHR -> code.ishr();
                    case USHR -> code.iushr();
                    case AND -> code.iand();
                    case OR -> code.ior();
                    case XOR -> code.ixor();
                }
            }
            case LONG -> {
                switch (op) {
                    case ADD -> code.ladd();
                    case SUB -> code.lsub();
                    case MUL -> code.lmul();
                    case DIV -> code.ldiv();
                    case REM -> code.lrem();
                    case SHL -> code.lshl();
                    case SHR -> code.lshr();
                    case USHR -> code.lushr();
                    case AND -> code.land();
                    case OR -> code.lor();
                    case XOR -> code.lxor();
                }
            }
            case FLOAT -> {
                switch (op) {
                    case ADD -> code.fadd();
                    case SUB -> code.fsub();
                    case MUL -> code.fmul();
                    case DIV -> code.fdiv();
                    case REM -> code.frem();
                    default -> throw new IllegalStateException(op + " of floats");
                }
            }
            case DOUBLE -> {
                switch (op) {
                    case ADD -> code.dadd();
                    case SUB -> code.dsub();
                    case MUL -> code.dmul();
                    case DIV -> code.ddiv();
                    case REM -> code.drem();
                    default -> throw new IllegalStateException(op + " of doubles");
                }
            }
        }
    }

    private void convert(Instruction.Convert convert, Type.Scalar from) {
        Type.Scalar to = (Type.Scalar) convert.type();
        switch (convert.kind()) {
            case TRUNCATE -> {
                number(Kind.of(from), Kind.of(to));
                narrow(to);
            }
            case SIGN_EXTEND -> {
                if (from == Type.Scalar.I1) {
                    code.ineg();
                }
                number(Kind.INT, Kind.of(to));
            }
            case ZERO_EXTEND -> {
                number(Kind.of(from), Kind.of(to));
                if (from.bits() < 64 && from != Type.Scalar.I1) {
                    long mask = (1L << from.bits()) - 1;
                    if (to == Type.Scalar.I64) {
                        code.loadConstant(mask).land();
                    } else if (from != Type.Scalar.I32) {
                        code.loadConstant((int) mask).iand();
                    }
                }
            }
            case NUMBER -> {
                number(Kind.of(from), Kind.of(to));
                if (to.isInteger()) {
                    narrow(to);
                }
            }
            case BITS -> bits(Kind.of(from));
            case ADDRESS, SPACE -> throw new IllegalStateException(convert.toString());
        }
    }

    private void bits(Kind from) {
        switch (from) {
            case INT -> code.invokestatic(FLOAT, "intBitsToFloat", MethodTypeDesc.ofDescriptor("(I)F"));
            case LONG -> code.invokestatic(DOUBLE, "longBitsToDouble", MethodTypeDesc.ofDescriptor("(J)D"));
            case FLOAT -> code.invokestatic(FLOAT, "floatToRawIntBits", MethodTypeDesc.ofDescriptor("(F)I"));
            case DOUBLE -> code.invokestatic(DOUBLE, "doubleToRawLongBits", MethodTypeDesc.ofDescriptor("(D)J"));
        }
    }

    private void number(Kind from, Kind to) {
        if (from != to) {
            code.conversion(from.jvm, to.jvm);
        }
    }
}
