// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.comm4j.kernel.ir.Build.i32;
import static org.comm4j.kernel.ir.Build.parameter;

import java.util.List;
import java.util.function.BiFunction;
import org.comm4j.kernel.Golden;
import org.comm4j.kernel.ir.Build;
import org.comm4j.kernel.ir.External;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Samples;
import org.comm4j.kernel.ir.Type.Pointer;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.junit.jupiter.api.Test;

class NvvmEmitterTest {
    @Test
    void samplesAreAsTheyWere() {
        Golden.check("saxpy.ll", NvvmEmitter.emit(Samples.saxpy().program(true, true, true)));
        Golden.check("structs.ll", NvvmEmitter.emit(Samples.structs().program()));
        Golden.check("memory.ll", NvvmEmitter.emit(Samples.memory().program(false, false, true)));
        Golden.check("ptx.ll", NvvmEmitter.emit(Samples.ptx().program()));
        Golden.check("choices.ll", NvvmEmitter.emit(Samples.choices().program()));
        for (Scalar type : new Scalar[] {Scalar.I32, Scalar.I64, Scalar.F32, Scalar.F64}) {
            Golden.check(
                    "arithmetic_" + type + ".ll",
                    NvvmEmitter.emit(Samples.arithmetic(type).program()));
        }
        Golden.check(
                "checked_i32.ll",
                NvvmEmitter.emit(Samples.arithmetic(Scalar.I32).program(false, true, false)));
    }

    /** The lines of a kernel that does one thing with its parameters, without declarations and the like. */
    private static String body(boolean checked, Scalar type, BiFunction<Build, Value[], Value> step) {
        Build b =
                Build.kernel("k", parameter(0, type, "a"), parameter(1, type, "b"), parameter(2, Pointer.GENERIC, "p"));
        Value made = step.apply(b, new Value[] {b.p(0), b.p(1)});
        b.store(made, b.p(2));
        b.ret();
        String text = NvvmEmitter.emit(b.program(false, checked, false));
        return text.substring(text.indexOf("b.entry:\n") + 9, text.indexOf("  ret void"))
                .replaceAll("(?m)^  ", "");
    }

    @Test
    void distancesOfShiftsAreMasked() {
        assertThat(body(false, Scalar.I32, (b, v) -> b.binary(BinaryOp.SHL, v[0], v[1])))
                .startsWith("%t0 = and i32 %p.b, 31\n%v0 = shl i32 %p.a, %t0\n");
        assertThat(body(false, Scalar.I64, (b, v) -> b.binary(BinaryOp.USHR, v[0], i32(65))))
                .startsWith("%v0 = lshr i64 %p.a, 1\n");
        assertThat(body(
                        false,
                        Scalar.I64,
                        (b, v) -> b.binary(BinaryOp.SHR, v[0], b.convert(Conversion.TRUNCATE, v[1], Scalar.I32))))
                .contains("%t0 = and i32 %v0, 63\n%t1 = zext i32 %t0 to i64\n%v1 = ashr i64 %p.a, %t1\n");
    }

    @Test
    void divisionsAreGuarded() {
        assertThat(body(false, Scalar.I32, (b, v) -> b.binary(BinaryOp.DIV, v[0], v[1])))
                .startsWith("""
                        %t0 = add i32 %p.b, 1
                        %t1 = icmp ult i32 %t0, 2
                        %t2 = select i1 %t1, i32 1, i32 %p.b
                        %t3 = sdiv i32 %p.a, %t2
                        %t4 = mul i32 %p.a, %p.b
                        %v0 = select i1 %t1, i32 %t4, i32 %t3
                        """);
        assertThat(body(false, Scalar.I64, (b, v) -> b.binary(BinaryOp.REM, v[0], v[1])))
                .startsWith("""
                        %t0 = add i64 %p.b, 1
                        %t1 = icmp ult i64 %t0, 2
                        %t2 = select i1 %t1, i64 1, i64 %p.b
                        %v0 = srem i64 %p.a, %t2
                        """);
        assertThat(body(true, Scalar.I32, (b, v) -> b.binary(BinaryOp.REM, v[0], v[1])))
                .startsWith("%t0 = icmp eq i32 %p.b, 0\nbr i1 %t0, label %zero1, label %divide1\nzero1:\n"
                        + "call void @__assertfail(")
                .contains("unreachable\ndivide1:\n");
        // What is known to be harmless costs nothing.
        assertThat(body(true, Scalar.I32, (b, v) -> b.binary(BinaryOp.DIV, v[0], i32(7))))
                .startsWith("%v0 = sdiv i32 %p.a, 7\n");
        assertThat(body(false, Scalar.I32, (b, v) -> b.binary(BinaryOp.DIV, v[0], i32(-1))))
                .contains("select i1");
    }

    @Test
    void defectsOfNvidiasCompilersAreAvoided() {
        assertThat(body(false, Scalar.F32, (b, v) -> b.compare(Comparison.NE, v[0], v[0])))
                .startsWith("%v0 = fcmp uno float %p.a, 0x0000000000000000\n");
        assertThat(body(false, Scalar.F64, (b, v) -> b.compare(Comparison.EQ, v[1], v[1])))
                .startsWith("%v0 = fcmp ord double %p.b, 0x0000000000000000\n");
        assertThat(body(
                        false,
                        Scalar.I32,
                        (b, v) -> b.convert(
                                Conversion.SIGN_EXTEND, b.convert(Conversion.TRUNCATE, v[0], Scalar.I16), Scalar.I32)))
                .contains("%t0 = shl i32 %p.a, 16\n%v1 = ashr i32 %t0, 16\n");
    }

    @Test
    void conversionsSaturateAndNanIsZero() {
        assertThat(body(false, Scalar.F32, (b, v) -> b.convert(Conversion.NUMBER, v[0], Scalar.I32)))
                .startsWith("""
                        %t0 = call i32 @llvm.nvvm.f2i.rz(float %p.a)
                        %t1 = fcmp uno float %p.a, 0x0000000000000000
                        %v0 = select i1 %t1, i32 0, i32 %t0
                        """);
        assertThat(body(false, Scalar.F64, (b, v) -> b.convert(Conversion.NUMBER, v[0], Scalar.I64)))
                .contains("@llvm.nvvm.d2ll.rz(double %p.a)");
        assertThat(body(false, Scalar.F64, (b, v) -> b.convert(Conversion.NUMBER, v[0], Scalar.I8)))
                .contains("@llvm.nvvm.d2i.rz(double %p.a)", "%v0 = trunc i32 %t2 to i8");
    }

    @Test
    void comparisonsSayWhatNanIs() {
        assertThat(body(false, Scalar.F32, (b, v) -> b.compare(Comparison.NE, v[0], v[1])))
                .startsWith("%v0 = fcmp une float %p.a, %p.b\n");
        assertThat(body(false, Scalar.F32, (b, v) -> b.compare(Comparison.GE, v[0], v[1])))
                .startsWith("%v0 = fcmp oge float %p.a, %p.b\n");
        assertThat(body(false, Scalar.F32, (b, v) -> b.compare(Comparison.UGE, v[0], v[1])))
                .startsWith("%v0 = fcmp uge float %p.a, %p.b\n");
        assertThat(body(false, Scalar.F64, (b, v) -> b.order(v[0], v[1], -1)))
                .contains("fcmp ogt double", "fcmp ult double");
        assertThat(body(false, Scalar.F64, (b, v) -> b.order(v[0], v[1], 1)))
                .contains("fcmp ugt double", "fcmp olt double");
        assertThat(body(false, Scalar.I64, (b, v) -> b.order(v[0], v[1], 0))).contains("icmp sgt i64", "icmp slt i64");
    }

    /** The hint stands at the jump back, wherever the frontend has seen it. */
    @Test
    void loopsAreUnrolledAsAsked() {
        for (int unroll : new int[] {-1, 1, 4}) {
            Build b = Build.kernel("k", parameter(0, Scalar.I32, "n"), parameter(1, Pointer.GENERIC, "p"));
            b.loop(b.p(0), unroll, i -> b.store(i, b.p(1)));
            b.ret();
            String text = NvvmEmitter.emit(b.program());
            assertThat(text).containsPattern("br label %b.head\\d+, !llvm.loop !\\d+\n");
            assertThat(text)
                    .contains(
                            unroll == -1
                                    ? "!{!\"llvm.loop.unroll.full\"}"
                                    : unroll == 1
                                            ? "!{!\"llvm.loop.unroll.disable\"}"
                                            : "!{!\"llvm.loop.unroll.count\", i32 4}");
        }
    }

    /**
     * What threads do together is not copied; what the kernel asks for counts more, and NVVM's own functions do not.
     */
    @Test
    void loopsAroundWhatThreadsDoTogetherAreNotUnrolledAtRunTime() {
        assertThat(loopAround("together", true, 0)).contains("!{!\"llvm.loop.unroll.runtime.disable\"}");
        assertThat(loopAround("together", true, 4))
                .contains("!{!\"llvm.loop.unroll.count\", i32 4}")
                .doesNotContain("runtime.disable");
        assertThat(loopAround("alone", false, 0)).doesNotContain("llvm.loop");
        assertThat(loopAround("llvm.nvvm.barrier0", true, 0)).doesNotContain("llvm.loop");
    }

    private static String loopAround(String symbol, boolean convergent, int unroll) {
        Build b = Build.kernel("k", parameter(0, Scalar.I32, "n"), parameter(1, Pointer.GENERIC, "p"));
        External external = new External(symbol, Scalar.VOID, List.of(), convergent, false);
        b.loop(b.p(0), unroll, i -> b.external(external));
        b.ret();
        return NvvmEmitter.emit(b.program());
    }

    @Test
    void launchBoundsAreAnnotations() {
        Build b = Build.kernel("k", new Function.Launch(128, 3, 2, 1, 1));
        b.ret();
        assertThat(NvvmEmitter.emit(b.program()))
                .contains(
                        "!{void ()* @k, !\"kernel\", i32 1}",
                        "!{void ()* @k, !\"maxntidx\", i32 128}",
                        "!{void ()* @k, !\"minctasm\", i32 3}",
                        "!{void ()* @k, !\"cluster_dim_x\", i32 2}");
    }
}
