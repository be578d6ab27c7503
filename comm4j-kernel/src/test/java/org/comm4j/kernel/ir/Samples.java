// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import static org.comm4j.kernel.ir.Build.i32;
import static org.comm4j.kernel.ir.Build.i64;
import static org.comm4j.kernel.ir.Build.parameter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.kernel.ir.Instruction.Access;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type.Pointer;
import org.comm4j.kernel.ir.Type.Scalar;

/** Kernels that between them have every instruction, for tests of the stages behind the frontend. */
public final class Samples {
    public static final Type.Struct FLOAT4 =
            new Type.Struct("Float4", List.of(Scalar.F32, Scalar.F32, Scalar.F32, Scalar.F32));
    public static final Type.Struct MIXED =
            new Type.Struct("Mixed", List.of(Scalar.I1, Scalar.I32, Scalar.I8, Scalar.F64, Pointer.GENERIC));

    private Samples() {}

    /** {@code if (i < n) y[i] = a * x[i] + y[i]}. */
    public static Build saxpy() {
        Build b = Build.kernel(
                "saxpy",
                new Function.Launch(256, 2, 0, 0, 0),
                parameter(0, Scalar.I32, "n"),
                parameter(1, Scalar.F32, "a"),
                parameter(2, Pointer.GENERIC, "x"),
                parameter(3, Pointer.GENERIC, "y"));
        Value i = b.thread();
        Block inside = b.block("inside");
        Block after = b.block("after");
        b.branch(b.compare(Comparison.LT, i, b.p(0)), inside, after);
        b.nextLine().in(inside);
        Value x = b.load(Scalar.F32, b.element(b.p(2), i, 4));
        Value y = b.element(b.p(3), i, 4);
        b.store(b.add(b.mul(b.p(1), x), b.load(Scalar.F32, y)), y);
        b.jump(after);
        b.nextLine().in(after);
        b.ret();
        return b;
    }

    /** Every operator of two numbers of one type, and every comparison, written to {@code out} one after the other. */
    public static Build arithmetic(Scalar type) {
        Build b = Build.kernel(
                "arithmetic_" + type,
                parameter(0, type, "a"),
                parameter(1, type, "b"),
                parameter(2, Pointer.GENERIC, "out"));
        int at = 0;
        for (BinaryOp op : BinaryOp.values()) {
            boolean shift = op == BinaryOp.SHL || op == BinaryOp.SHR || op == BinaryOp.USHR;
            boolean bits = shift || op == BinaryOp.AND || op == BinaryOp.OR || op == BinaryOp.XOR;
            if (bits && type.isFloat()) {
                continue;
            }
            Value right = !shift
                    ? b.p(1)
                    : type == Scalar.I32
                            ? b.p(1)
                            : b.convert(
                                    type == Scalar.I64 ? Conversion.TRUNCATE : Conversion.SIGN_EXTEND,
                                    b.p(1),
                                    Scalar.I32);
            b.store(b.binary(op, b.p(0), right), b.element(b.p(2), i32(at++), 8));
            if (shift) {
                b.store(b.binary(op, b.p(0), i32(33)), b.element(b.p(2), i32(at++), 8));
            }
        }
        b.store(b.negate(b.p(0)), b.element(b.p(2), i32(at++), 8));
        for (Comparison op : Comparison.values()) {
            if (op.name().startsWith("U") && !type.isFloat()) {
                continue;
            }
            Value truth = b.compare(op, b.p(0), b.p(1));
            b.store(truth, b.element(b.p(2), i32(at++), 8));
            b.store(b.select(truth, b.p(0), b.p(1)), b.element(b.p(2), i32(at++), 8));
        }
        for (int ofNaN : type.isFloat() ? new int[] {-1, 1} : new int[] {0}) {
            b.store(b.order(b.p(0), b.p(1), ofNaN), b.element(b.p(2), i32(at++), 8));
        }
        for (Scalar to : List.of(Scalar.I8, Scalar.I16, Scalar.I32, Scalar.I64, Scalar.F32, Scalar.F64)) {
            b.store(b.convert(Conversion.NUMBER, b.p(0), to), b.element(b.p(2), i32(at++), 8));
        }
        b.ret();
        return b;
    }

    /** Structs as a parameter, through pointers at once and by their parts, volatile memory, booleans. */
    public static Build structs() {
        Build b = Build.kernel(
                "structs",
                parameter(0, MIXED, "mixed"),
                parameter(1, Scalar.I1, "flag"),
                parameter(2, Pointer.GENERIC, "vectors"),
                parameter(3, Scalar.I8, "small"));
        Value local = b.alloca(MIXED, "local");
        Value flagCell = b.alloca(Scalar.I1, "flag");
        b.store(b.p(1), flagCell);
        b.store(b.p(0), local);
        Value again = b.load(MIXED, local);
        Value flag = b.binary(BinaryOp.XOR, b.load(Scalar.I1, flagCell), b.extract(again, 0));
        Value quad = b.load(FLOAT4, b.p(2), 16, Access.PLAIN);
        Value sum = b.add(b.extract(quad, 0), b.extract(quad, 3));
        Value made = b.compose(FLOAT4, sum, sum, b.extract(quad, 1), new Value.Real(Scalar.F32, 0.1f));
        b.store(made, b.element(b.p(2), i32(1), 16), 16, Access.PLAIN);
        b.store(made, b.element(b.p(2), i32(2), 16), 4, Access.PLAIN);
        Value mixed = b.compose(
                MIXED, flag, b.extract(again, 1), b.p(3), new Value.Real(Scalar.F64, -0.5), b.extract(again, 4));
        b.store(mixed, b.extract(again, 4));
        Type.Struct halves = new Type.Struct(
                "Half8",
                List.of(
                        Scalar.I16,
                        Scalar.I16,
                        Scalar.I16,
                        Scalar.I16,
                        Scalar.I16,
                        Scalar.I16,
                        Scalar.I16,
                        Scalar.I16));
        Value eight = b.load(halves, b.element(b.p(2), i32(3), 16), 16, Access.PLAIN);
        b.store(eight, b.element(b.p(2), i32(4), 16), 16, Access.PLAIN);
        Value number = b.load(Scalar.I32, b.p(2), 4, Access.VOLATILE);
        b.store(number, b.p(2), 4, Access.VOLATILE);
        b.store(new Value.Zero(MIXED), local);
        b.store(b.select(flag, b.p(2), new Value.Zero(Pointer.GENERIC)), b.p(2));
        b.ret();
        return b;
    }

    /** Shared, constant and global memory, a loop over a table, barriers, a function that is called. */
    public static Build memory() {
        byte[] content = new byte[64];
        for (int i = 0; i < 16; i++) {
            content[4 * i] = (byte) i;
        }
        Global table = new Global("table", Type.Space.CONSTANT, new Type.Array(Scalar.I32, 16), content, 4);
        Global tile = new Global("tile", Type.Space.SHARED, new Type.Array(Scalar.F32, 256), null, 16);
        Global dynamic = new Global("dynamic", Type.Space.SHARED, new Type.Array(Scalar.I8, 0), null, 16);
        Global counter = new Global("counter", Type.Space.GLOBAL, Scalar.I64, null, 8);
        Build square = Build.function("square", Scalar.F32, parameter(0, Scalar.F32, "x"));
        square.ret(square.mul(square.p(0), square.p(0)));
        Build b = Build.kernel("memory", parameter(0, Pointer.GENERIC, "out"), parameter(1, Scalar.I32, "n"));
        Value sum = b.alloca(Scalar.I32, "sum");
        b.store(i32(0), sum);
        Value thread = b.register("tid.x");
        Value shared = b.global(tile);
        Value mine = b.element(shared, thread, 4);
        b.loop(b.p(1), 4, i -> {
            Value entry = b.load(Scalar.I32, b.element(b.global(table), b.binary(BinaryOp.AND, i, i32(15)), 4));
            b.store(b.add(b.load(Scalar.I32, sum), entry), sum);
        });
        b.store(b.convert(Conversion.NUMBER, b.load(Scalar.I32, sum), Scalar.F32), mine);
        b.barrier();
        Value generic = b.convert(Conversion.SPACE, shared, Pointer.GENERIC);
        Value other = b.element(generic, b.binary(BinaryOp.XOR, thread, i32(1)), 4);
        Value value = b.call(square.function(), b.load(Scalar.F32, other));
        b.store(value, b.element(b.p(0), thread, 4));
        b.store(value, b.element(b.global(dynamic), thread, 4));
        Value count = b.global(counter);
        b.store(b.add(b.load(Scalar.I64, count), i64(1)), count);
        b.ret();
        return b;
    }

    /** Shuffles, an instruction with several results, votes, addresses as numbers; things that threads do together. */
    public static Build ptx() {
        Build b = Build.kernel("ptx", parameter(0, Pointer.GENERIC, "out"), parameter(1, Scalar.I1, "flag"));
        Value lane = b.register("laneid");
        Value other = b.ptx("shfl.sync.bfly.b32 $0, $1, 16, 31, -1;", "=r,r", Scalar.I32, false, true, lane);
        Value ballot = b.ptx(
                "{ .reg .pred p; setp.ne.b32 p, $1, 0; vote.sync.ballot.b32 $0, p, -1; }",
                "=r,r",
                Scalar.I32,
                false,
                true,
                b.p(1));
        Value any = b.ptx(
                "{ .reg .pred p; setp.ne.b32 p, $1, 0; vote.sync.any.pred p, p, -1; selp.u32 $0, 1, 0, p; }",
                "=r,r",
                Scalar.I1,
                false,
                true,
                b.p(1));
        Type.Struct pair = new Type.Struct("Pair", List.of(Scalar.I64, Scalar.I1));
        Value two = b.ptx("mov.u64 $0, %clock64; mov.u32 $1, 1;", "=l,=r", pair, true, false);
        Value old = b.ptx(
                "atom.relaxed.gpu.global.add.u32 $0, [$1], $2;",
                "=r,l,r,~{memory}",
                Scalar.I32,
                true,
                false,
                b.p(0),
                b.add(other, ballot));
        Value address = b.convert(Conversion.ADDRESS, b.p(0), Scalar.I64);
        Value back = b.convert(Conversion.ADDRESS, b.add(address, i64(8)), Pointer.GENERIC);
        b.store(b.select(any, old, i32(-1)), back);
        b.store(b.extract(two, 0), b.element(b.p(0), i32(2), 8));
        b.store(b.extract(two, 1), b.element(b.p(0), i32(3), 8));
        b.ptx("membar.gl;", "~{memory}", Scalar.VOID, true, false);
        b.ret();
        return b;
    }

    /** {@code switch}, an error with a message, functions of libdevice. */
    public static Build choices() {
        Build b = Build.kernel("choices", parameter(0, Scalar.I32, "n"), parameter(1, Pointer.GENERIC, "out"));
        Block one = b.block("one");
        Block two = b.block("two");
        Block wrong = b.block("wrong");
        Map<Integer, Block> cases = new LinkedHashMap<>();
        cases.put(1, one);
        cases.put(-7, two);
        b.end(new Terminator.Switch(Position.UNKNOWN, b.p(0), cases, wrong));
        b.in(one);
        External sin = new External("__nv_sinf", Scalar.F32, List.of(Scalar.F32), false, true);
        b.store(b.external(sin, b.load(Scalar.F32, b.p(1))), b.p(1));
        b.ret();
        b.in(two);
        Value pow = b.external(
                new External("__nv_pow", Scalar.F64, List.of(Scalar.F64, Scalar.F64), false, true),
                b.load(Scalar.F64, b.p(1)),
                new Value.Real(Scalar.F64, 1.5));
        b.store(pow, b.p(1));
        b.ret();
        b.in(wrong);
        b.fail("java.lang.IllegalArgumentException: \"n\" is neither 1 nor −7");
        return b;
    }
}
