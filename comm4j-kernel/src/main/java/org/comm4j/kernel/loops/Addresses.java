// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.loops.Leaf.Pointer;
import org.jspecify.annotations.Nullable;

/** Arithmetic of pointers in the calls of a function that an {@link Inliner} writes. */
final class Addresses {
    private final Flattener flat;
    private final Inliner inliner;

    Addresses(Flattener flat, Inliner inliner) {
        this.flat = flat;
        this.inliner = inliner;
    }

    /** A pointer that is moved by some bytes. */
    Pointer offset(Instruction.Offset offset, Pointer pointer) {
        Scaled scaled = scaled(offset.bytes(), pointer.room());
        if (scaled != null && isZero(pointer.bytes()) && scaled.index().kind() == Kind.INT) {
            return new Pointer(
                    pointer.room(), inliner.number(offset.bytes()), scaled.index(), scaled.by(), pointer.which());
        }
        Val bytes;
        if (scaled != null && scaled.index().kind() == Kind.LONG && !(scaled.index() instanceof Val.Num)) {
            Val.Reg checked = flat.register(Kind.LONG);
            checked.by = inliner.add(new Op.Scale(offset.at(), scaled.index(), scaled.by(), checked));
            bytes = checked;
        } else {
            bytes = inliner.number(offset.bytes());
        }
        if (isZero(pointer.bytes())) {
            return pointer.at(bytes);
        }
        Val.Reg sum = flat.register(Kind.LONG);
        Instruction.Binary add =
                new Instruction.Binary(-1, offset.at(), Instruction.BinaryOp.ADD, offset.bytes(), offset.bytes());
        sum.by = inliner.add(new Op.Compute(add, Type.Scalar.I64, List.of(pointer.bytes(), bytes), sum));
        return pointer.at(sum);
    }

    private static boolean isZero(Val value) {
        return value instanceof Val.Num number && number.bits() == 0;
    }

    private record Scaled(Val index, int by) {}

    /** Recognises an index times the size of an element, as pointers and arrays have it. */
    private @Nullable Scaled scaled(Value bytes, Room room) {
        int size = (int) room.element.bytes();
        return switch (bytes) {
            case Value.Int number
            when number.value() % size == 0 && number.value() / size == (int) (number.value() / size) ->
                new Scaled(Val.Num.of((int) (number.value() / size)), size);
            case Instruction.Binary binary
            when binary.op() == Instruction.BinaryOp.MUL
                    && binary.right() instanceof Value.Int by
                    && by.value() > 0
                    && by.value() <= 1 << 20 -> new Scaled(index(binary.left()), (int) by.value());
            case Instruction.Convert convert
            when convert.kind() == Instruction.Conversion.SIGN_EXTEND
                    && convert.value().type() == Type.Scalar.I32 -> new Scaled(inliner.number(convert.value()), 1);
            default -> null;
        };
    }

    private Val index(Value wide) {
        return wide instanceof Instruction.Convert convert
                        && convert.kind() == Instruction.Conversion.SIGN_EXTEND
                        && convert.value().type() == Type.Scalar.I32
                ? inliner.number(convert.value())
                : inliner.number(wide);
    }

    /** Whole structs that are accessed at once have to be aligned as such. */
    void align(Instruction access, Pointer pointer, long alignment) {
        Type type = access instanceof Instruction.Store store ? store.value().type() : access.type();
        if (type instanceof Type.Struct struct && alignment > struct.alignment()) {
            pointer.room().needsMemory();
            inliner.add(new Op.Aligned(access.at(), pointer, (int) alignment));
        }
    }

    /** Returns the place of a field in what is accessed. */
    Pointer at(Instruction access, Pointer pointer, Flattener.Field field, Type.Scalar type) {
        Room room = pointer.room();
        if (pointer.index() == null || pointer.scale() != room.element.bytes() || type != room.element) {
            room.needsMemory();
        }
        if (field.offset() == 0) {
            return pointer;
        }
        room.needsMemory();
        Val bytes;
        if (pointer.bytes() instanceof Val.Num known) {
            bytes = Val.Num.of(known.bits() + field.offset());
        } else {
            Val.Reg sum = flat.register(Kind.LONG);
            Value.Int zero = new Value.Int(Type.Scalar.I64, 0);
            Instruction.Binary add = new Instruction.Binary(-1, access.at(), Instruction.BinaryOp.ADD, zero, zero);
            sum.by = inliner.add(
                    new Op.Compute(add, Type.Scalar.I64, List.of(pointer.bytes(), Val.Num.of(field.offset())), sum));
            bytes = sum;
        }
        return pointer.at(bytes);
    }

    /** One of two structs or pointers. */
    List<Leaf> select(Instruction.Select select) {
        Val condition = inliner.number(select.condition());
        List<Leaf> one = inliner.leaves(select.ifTrue());
        List<Leaf> other = inliner.leaves(select.ifFalse());
        List<Leaf> all = new ArrayList<>();
        for (int i = 0; i < one.size(); i++) {
            if (one.get(i) instanceof Leaf.Plain a && other.get(i) instanceof Leaf.Plain b) {
                all.add(new Leaf.Plain(select(select, condition, a.value(), b.value())));
            } else if (one.get(i) instanceof Pointer a && other.get(i) instanceof Pointer b) {
                a.room().needsMemory();
                b.room().needsMemory();
                Val bytes = select(select, condition, a.bytes(), b.bytes());
                boolean isSame = a.room() == b.room() && a.which() == null && b.which() == null;
                if (!isSame && (a.room().where == Room.Where.LOCAL || b.room().where == Room.Where.LOCAL)) {
                    throw new Unsupported("pointer into a local array or another memory");
                }
                all.add(
                        isSame
                                ? a.at(bytes)
                                : new Pointer(
                                        Room.ANYWHERE,
                                        bytes,
                                        null,
                                        0,
                                        select(select, condition, Inliner.which(a), Inliner.which(b))));
            }
        }
        return all;
    }

    private Val select(Instruction.Select select, Val condition, Val one, Val other) {
        Type.Scalar type = switch (one.kind()) {
            case INT -> Type.Scalar.I32;
            case LONG -> Type.Scalar.I64;
            case FLOAT -> Type.Scalar.F32;
            case DOUBLE -> Type.Scalar.F64;
        };
        Value.Int zero = new Value.Int(Type.Scalar.I32, 0);
        Val.Reg result = flat.register(one.kind());
        result.by = inliner.add(new Op.Compute(
                new Instruction.Select(-1, select.at(), zero, zero, zero),
                type,
                List.of(condition, one, other),
                result));
        return result;
    }
}
