// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.loops.Leaf.Plain;
import org.comm4j.kernel.loops.Leaf.Pointer;
import org.comm4j.kernel.loops.Val.Num;
import org.comm4j.kernel.loops.Val.Place;

/**
 * Matrices of 8 rows of 16 bytes, of which each lane of a warp has the place of a row ({@code ldmatrix} of PTX): the
 * lane that needs a part of a row gets its place by an exchange, and loads.
 */
final class Matrices {
    private static final int ROW_BYTES = 16;

    private final Flattener flat;
    private final Inliner inliner;
    private final String name;
    private final Position at;
    private final Pointer row;

    Matrices(Flattener flat, Inliner inliner, String name, Position at, Pointer row) {
        this.flat = flat;
        this.inliner = inliner;
        this.name = name;
        this.at = at;
        this.row = row;
        row.room().needsMemory();
    }

    /** Returns how many matrices a method of {@code Mma} loads; 0 for others. */
    static int count(String name) {
        return name.startsWith("Mma.load") && name.length() > 8 && Character.isDigit(name.charAt(8))
                ? name.charAt(8) - '0'
                : 0;
    }

    List<Leaf> load(int count) {
        List<Leaf> all = new ArrayList<>();
        Val member = inliner.binary(at, BinaryOp.AND, Scalar.I32, Place.LANE, Num.of(3));
        Val group = inliner.binary(at, BinaryOp.USHR, Scalar.I32, Place.LANE, Num.of(2));
        for (int matrix = 0; matrix < count; matrix++) {
            Val first = Num.of(8 * matrix);
            if (name.endsWith("Transposed")) {
                Val two = inliner.binary(at, BinaryOp.MUL, Scalar.I32, member, Num.of(2));
                Val from = inliner.binary(at, BinaryOp.ADD, Scalar.I32, two, first);
                Val column = inliner.binary(at, BinaryOp.MUL, Scalar.I32, group, Num.of(2));
                Val next = inliner.binary(at, BinaryOp.ADD, Scalar.I32, from, Num.of(1));
                Val low = inliner.binary(at, BinaryOp.AND, Scalar.I32, load(Scalar.I16, from, column), Num.of(0xffff));
                Val high = inliner.binary(at, BinaryOp.SHL, Scalar.I32, load(Scalar.I16, next, column), Num.of(16));
                all.add(new Plain(inliner.binary(at, BinaryOp.OR, Scalar.I32, low, high)));
            } else {
                Val from = inliner.binary(at, BinaryOp.ADD, Scalar.I32, group, first);
                Val column = inliner.binary(at, BinaryOp.MUL, Scalar.I32, member, Num.of(4));
                all.add(new Plain(load(Scalar.I32, from, column)));
            }
        }
        return all;
    }

    /** Loads what is some bytes behind the row of a lane. */
    private Val load(Scalar type, Val lane, Val bytes) {
        Val.Reg place = flat.register(Kind.LONG);
        List<Val> arguments = List.of(row.bytes(), lane, Num.of(32), Num.of(-1));
        inliner.stop(new Stop(flat.nextStop(), Stop.What.SHUFFLE, name, at, arguments, place));
        inliner.add(new Op.Aligned(at, new Pointer(row.room(), place, null, 0), ROW_BYTES));
        Val wide = inliner.widened(at, bytes);
        Val sum = inliner.binary(at, BinaryOp.ADD, Scalar.I64, place, wide);
        Val.Reg value = flat.register(Kind.INT);
        value.by = inliner.add(new Op.Load(at, type, new Pointer(row.room(), sum, null, 0), false, value));
        return value;
    }
}
