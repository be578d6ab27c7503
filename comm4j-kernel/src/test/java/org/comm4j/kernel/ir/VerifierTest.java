// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.kernel.ir.Build.i32;
import static org.comm4j.kernel.ir.Build.i64;
import static org.comm4j.kernel.ir.Build.parameter;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.comm4j.kernel.ir.Instruction.Access;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type.Pointer;
import org.comm4j.kernel.ir.Type.Scalar;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VerifierTest {
    private static final Value REAL = new Value.Real(Scalar.F32, 1.5);

    private static Build kernel() {
        return Build.kernel("k", parameter(0, Scalar.I32, "n"), parameter(1, Pointer.GENERIC, "p"));
    }

    @Test
    void rightProgramsHaveNoProblems() {
        for (Build sample :
                List.of(Samples.saxpy(), Samples.structs(), Samples.memory(), Samples.ptx(), Samples.choices())) {
            assertThat(Verifier.problems(sample.program())).isEmpty();
        }
        for (Scalar type : List.of(Scalar.I8, Scalar.I16, Scalar.I32, Scalar.I64, Scalar.F32, Scalar.F64)) {
            assertThat(Verifier.problems(Samples.arithmetic(type).program())).isEmpty();
        }
    }

    private static Arguments wrong(String words, Consumer<Build> body) {
        return Arguments.of(words, body);
    }

    static Stream<Arguments> wrongSteps() {
        return Stream.of(
                wrong("f32 1.5 is no i32", b -> b.add(b.p(0), REAL)),
                wrong("i64 1 is no i32", b -> b.binary(BinaryOp.SHL, i64(1), i64(1))),
                wrong("f32 has no bits", b -> b.binary(BinaryOp.AND, REAL, REAL)),
                wrong("f32 cannot be shifted", b -> b.binary(BinaryOp.SHR, REAL, i32(1))),
                wrong("ptr is no number", b -> b.add(b.p(1), b.p(1))),
                wrong("no arithmetic with i1", b -> b.add(new Value.Int(Scalar.I1, 1), new Value.Int(Scalar.I1, 0))),
                wrong("ptr has no negative", b -> b.negate(b.p(1))),
                wrong("ptr has no order", b -> b.compare(Comparison.LT, b.p(1), b.p(1))),
                wrong("unordered comparisons", b -> b.compare(Comparison.ULT, b.p(0), b.p(0))),
                wrong("NaN makes 2", b -> b.order(REAL, REAL, 2)),
                wrong("no such conversion", b -> b.convert(Conversion.TRUNCATE, b.p(0), Scalar.I64)),
                wrong("no such conversion", b -> b.convert(Conversion.BITS, b.p(0), Scalar.F64)),
                wrong("no such conversion", b -> b.convert(Conversion.NUMBER, b.p(1), Scalar.I64)),
                wrong("no such conversion", b -> b.convert(Conversion.ADDRESS, b.p(0), Pointer.GENERIC)),
                wrong("i32 %n is no i1", b -> b.select(b.p(0), REAL, REAL)),
                wrong("memory cannot hold void", b -> b.alloca(Scalar.VOID, "v")),
                wrong("i32 %n is no pointer", b -> b.load(Scalar.I32, b.p(0))),
                wrong("alignment 3, which is no power of 2", b -> b.load(Scalar.I32, b.p(1), 3, Access.PLAIN)),
                wrong(
                        "cannot be a value of type [4 x i32]",
                        b -> b.load(new Type.Array(Scalar.I32, 4), b.p(1), 4, Access.PLAIN)),
                wrong("Float4 has 4 parameters, but 1 arguments", b -> b.compose(Samples.FLOAT4, REAL)),
                wrong("300 is no i8", b -> b.negate(new Value.Int(Scalar.I8, 300))),
                wrong("0.1 is no float", b -> b.negate(new Value.Real(Scalar.F32, 0.1))),
                wrong("there is no parameter 7", b -> b.negate(parameter(7, Scalar.I32, "x"))),
                wrong("results and 1 operands", b -> b.ptx("x;", "=r,r", Scalar.VOID, true, false, b.p(0))),
                wrong(
                        "'a b' is no symbol",
                        b -> b.external(new External("a b", Scalar.VOID, List.of(), false, false))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongSteps")
    void wrongStepsAreNamed(String words, Consumer<Build> body) {
        Build b = kernel();
        body.accept(b);
        b.ret();
        assertThat(Verifier.problems(b.program())).anyMatch(problem -> problem.contains(words));
    }

    @Test
    void valuesMustBeThereWhereTheyAreUsed() {
        Build b = kernel();
        Block one = b.block("one");
        Block two = b.block("two");
        Block end = b.block("end");
        b.branch(b.compare(Comparison.EQ, b.p(0), i32(0)), one, two);
        b.in(one);
        Value made = b.add(b.p(0), i32(1));
        b.jump(end);
        b.in(two);
        b.jump(end);
        b.in(end);
        b.store(made, b.p(1));
        b.ret();
        assertThat(Verifier.problems(b.program()))
                .singleElement()
                .asString()
                .contains("k, block end, store i32 %1, ptr %p: %1 is not there yet");
    }

    @Test
    void blocksMustEndAndStay() {
        Build b = kernel();
        assertThat(Verifier.problems(b.program())).containsExactly("k: block entry has no end");
        b.jump(new Block("elsewhere"));
        assertThat(Verifier.problems(b.program()))
                .anyMatch(problem -> problem.contains("which is not in the function"));
        Build back = kernel();
        back.jump(back.here());
        assertThat(Verifier.problems(back.program())).contains("k: block entry goes back to the first block");
    }

    @Test
    void localsAreInTheFirstBlock() {
        Build b = kernel();
        Block next = b.block("next");
        b.jump(next);
        b.in(next);
        b.alloca(Scalar.I32, "late");
        b.ret();
        assertThat(Verifier.problems(b.program())).anyMatch(problem -> problem.contains("not in the first block"));
    }

    @Test
    void recursionIsFound() {
        Build one = Build.function("one", Scalar.VOID);
        Build two = Build.function("two", Scalar.VOID);
        one.call(two.function());
        one.ret();
        two.call(one.function());
        two.ret();
        Build b = kernel();
        b.call(one.function());
        b.call(two.function());
        b.ret();
        assertThat(Verifier.problems(b.program())).anyMatch(problem -> problem.startsWith("recursion: "));
    }

    @Test
    void globalsAreChecked() {
        Global short_ = new Global("g", Type.Space.CONSTANT, new Type.Array(Scalar.I32, 2), new byte[4], 4);
        Build b = kernel();
        b.load(Scalar.I32, b.global(short_));
        b.load(Scalar.I32, b.global(new Global("s s", Type.Space.SHARED, Scalar.I32, new byte[4], 4)));
        b.ret();
        assertThat(Verifier.problems(b.program()))
                .anyMatch(problem -> problem.contains("has 4 bytes of content, its type [2 x i32] has 8"))
                .anyMatch(problem -> problem.contains("has the name 's s'"))
                .anyMatch(problem -> problem.contains("is shared memory, which has no content"));
        Build other = kernel();
        other.load(Scalar.I32, new Value.AddressOf(short_));
        other.ret();
        assertThat(Verifier.problems(other.program())).anyMatch(problem -> problem.contains("g is not in the program"));
    }

    @Test
    void everythingIsSaidAtOnce() {
        Build b = kernel();
        b.add(b.p(0), REAL);
        b.add(REAL, b.p(0));
        b.ret(i32(1));
        assertThatThrownBy(() -> Verifier.verify(b.program()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("kernel k: the compiler made a wrong program (3 problems)");
    }
}
