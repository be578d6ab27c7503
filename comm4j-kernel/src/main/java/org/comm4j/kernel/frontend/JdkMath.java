// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.Kernel;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's mathematics. What a GPU has an instruction or a function of libdevice for is that, with Java's answers
 * where they differ; the rest (floorMod, rotateLeft, compareUnsigned, Math.round, addExact …) is compiled from the
 * JDK's own bytecode.
 */
final class JdkMath {
    private static final Set<String> COMPILED = Set.of(
            "java.lang.Math",
            "java.lang.StrictMath",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Short",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Boolean",
            "java.lang.Float",
            "java.lang.Double");

    /** Functions of double that libdevice has by the same meaning; with an {@code f} at the end they are of float. */
    private static final Map<String, String> UNARY = Map.ofEntries(
            Map.entry("sqrt", "sqrt"),
            Map.entry("cbrt", "cbrt"),
            Map.entry("sin", "sin"),
            Map.entry("cos", "cos"),
            Map.entry("tan", "tan"),
            Map.entry("asin", "asin"),
            Map.entry("acos", "acos"),
            Map.entry("atan", "atan"),
            Map.entry("sinh", "sinh"),
            Map.entry("cosh", "cosh"),
            Map.entry("tanh", "tanh"),
            Map.entry("exp", "exp"),
            Map.entry("expm1", "expm1"),
            Map.entry("log", "log"),
            Map.entry("log10", "log10"),
            Map.entry("log1p", "log1p"),
            Map.entry("floor", "floor"),
            Map.entry("ceil", "ceil"),
            Map.entry("rint", "rint"));

    private static final Map<String, String> BINARY =
            Map.of("atan2", "atan2", "hypot", "hypot", "IEEEremainder", "remainder", "pow", "pow");

    /** Those whose float twin gives the same float as the double one rounded. */
    private static final Set<String> EXACT_SINGLE =
            Set.of("__nv_sqrt", "__nv_floor", "__nv_ceil", "__nv_rint", "__nv_fabs");

    /** For fast kernels: the approximate instructions. */
    private static final Set<String> FAST_SINGLE =
            Set.of("sin", "cos", "tan", "sincos", "exp", "exp10", "log", "log2", "log10", "pow");

    private static final Pattern SINGLE = Pattern.compile("__nv_([a-z0-9]+)f");

    /** The first architecture whose maximum of floats can be NaN. */
    private static final int MAX_OF_NAN = 80;

    private final Translator method;
    private final IrBuilder emit;

    JdkMath(Translator method) {
        this.method = method;
        this.emit = method.emit;
    }

    /** Whether methods of the class are compiled from their bytecode. */
    static boolean isCompiled(String owner) {
        return COMPILED.contains(owner) || owner.startsWith("java.util.function.");
    }

    /** Null if it is nothing special. */
    @Nullable
    Operand call(String owner, String name, MethodTypeDesc type, List<Operand> arguments) {
        if (!COMPILED.contains(owner)) {
            return null;
        }
        List<Value> values = arguments.stream().map(Operand::value).toList();
        Primitive result = type.returnType().isPrimitive()
                ? Primitive.valueOf(type.returnType().displayName().toUpperCase(java.util.Locale.ROOT))
                : Primitive.VOID;
        Value value = switch (owner) {
            case "java.lang.Math", "java.lang.StrictMath" -> math(name, result, values);
            case "java.lang.Integer", "java.lang.Long" -> bits(name, values);
            case "java.lang.Float", "java.lang.Double" -> floating(name, values);
            default -> null;
        };
        return value == null ? null : new Operand(result.onStack(), value);
    }

    private @Nullable Value math(String name, Primitive type, List<Value> values) {
        Value first = values.isEmpty() ? IrBuilder.i32(0) : values.getFirst();
        boolean single = type == Primitive.FLOAT;
        switch (name) {
            case "abs" -> {
                if (type.value().isFloat()) {
                    return libdevice(single ? "__nv_fabsf" : "__nv_fabs", values);
                }
                // A maximum: a comparison with 0 would become PTX's abs, whose result ptxas (13.0 to 13.5) takes for 0
                // or more, though
                // that of MIN_VALUE is MIN_VALUE.
                Value negative = emit.negate(first);
                return emit.select(emit.compare(Comparison.GT, first, negative), first, negative);
            }
            case "max", "min" -> {
                boolean max = name.equals("max");
                Value second = values.get(1);
                if (!type.value().isFloat()) {
                    return emit.select(emit.compare(max ? Comparison.GE : Comparison.LE, first, second), first, second);
                }
                // The GPU's answer is the number if the other is NaN; Java's is NaN. Both take +0 for larger than -0.
                if (method.compilation.fast()) {
                    return libdevice("__nv_f" + name + (single ? "f" : ""), values);
                }
                if (single
                        && method.compilation.math == Kernel.Math.CUDA
                        && method.compilation.options.arch() >= MAX_OF_NAN) {
                    return emit.ptx(name + ".NaN.f32 $0, $1, $2;", "=f,f,f", Scalar.F32, values, false, false);
                }
                Value ordered = emit.binary(
                        BinaryOp.AND,
                        emit.compare(Comparison.EQ, first, first),
                        emit.compare(Comparison.EQ, second, second));
                Value number = libdevice("__nv_f" + name + (single ? "f" : ""), values);
                return emit.select(ordered, number, emit.binary(BinaryOp.ADD, first, second));
            }
            case "fma" -> {
                return libdevice(single ? "__nv_fmaf" : "__nv_fma", values);
            }
            case "multiplyHigh" -> {
                return libdevice("__nv_mul64hi", values);
            }
            case "unsignedMultiplyHigh" -> {
                return libdevice("__nv_umul64hi", values);
            }
            case "pow" -> {
                return pow(values);
            }
            default -> {}
        }
        String known = values.size() == 1 ? UNARY.get(name) : values.size() == 2 ? BINARY.get(name) : null;
        return known == null || type != Primitive.DOUBLE ? null : libdevice("__nv_" + known, values);
    }

    /** In Java a power of NaN is NaN, and 1 or -1 to the power of infinity, too; in C these are 1. */
    private Value pow(List<Value> values) {
        Scalar type = (Scalar) values.getFirst().type();
        String suffix = type == Scalar.F32 ? "f" : "";
        Value power = libdevice(shortForm("__nv_pow" + suffix), values);
        if (method.compilation.fast()) {
            return power;
        }
        String magnitude = "__nv_fabs" + suffix;
        Value one = new Value.Real(type, 1);
        Value exponent = values.get(1);
        Value infinite = emit.compare(
                Comparison.EQ, libdevice(magnitude, List.of(exponent)), new Value.Real(type, Double.POSITIVE_INFINITY));
        Value unit = emit.compare(Comparison.EQ, libdevice(magnitude, List.of(values.getFirst())), one);
        Value undefined = emit.binary(
                BinaryOp.OR,
                emit.compare(Comparison.NE, exponent, exponent),
                emit.binary(BinaryOp.AND, unit, infinite));
        return emit.select(undefined, new Value.Real(type, Double.NaN), power);
    }

    private @Nullable Value bits(String name, List<Value> values) {
        if (values.isEmpty()) {
            return null;
        }
        Value first = values.getFirst();
        boolean wide = first.type() == Scalar.I64;
        String width = wide ? ".i64" : ".i32";
        return switch (name) {
            case "bitCount" -> count("llvm.ctpop" + width, List.of(first));
            case "numberOfLeadingZeros" -> count("llvm.ctlz" + width, List.of(first, IrBuilder.i1(false)));
            case "numberOfTrailingZeros" -> count("llvm.cttz" + width, List.of(first, IrBuilder.i1(false)));
            case "reverse" -> emit.external(wide ? "__nv_brevll" : "__nv_brev", first.type(), true, values);
            case "reverseBytes" -> emit.external("llvm.bswap" + width, first.type(), true, values);
            case "max", "min" -> math(name, wide ? Primitive.LONG : Primitive.INT, values);
            default -> null;
        };
    }

    private Value count(String symbol, List<Value> values) {
        Value result = emit.external(symbol, values.getFirst().type(), true, values);
        return result.type() == Scalar.I64 ? emit.convert(Conversion.TRUNCATE, result, Scalar.I32) : result;
    }

    private @Nullable Value floating(String name, List<Value> values) {
        return switch (name) {
            case "floatToRawIntBits" -> emit.convert(Conversion.BITS, values.getFirst(), Scalar.I32);
            case "doubleToRawLongBits" -> emit.convert(Conversion.BITS, values.getFirst(), Scalar.I64);
            case "intBitsToFloat" -> emit.convert(Conversion.BITS, values.getFirst(), Scalar.F32);
            case "longBitsToDouble" -> emit.convert(Conversion.BITS, values.getFirst(), Scalar.F64);
            case "isNaN" ->
                values.size() == 1
                        ? emit.bool(emit.compare(Comparison.NE, values.getFirst(), values.getFirst()))
                        : null;
            case "float16ToFloat" ->
                emit.fromMemory(
                        Primitive.FLOAT,
                        emit.ptx(
                                "cvt.f32.f16 $0, $1;",
                                "=f,h",
                                Scalar.F32,
                                List.of(emit.convert(Conversion.TRUNCATE, values.getFirst(), Scalar.I16)),
                                false,
                                false));
            case "floatToFloat16" ->
                emit.fromMemory(
                        Primitive.SHORT, emit.ptx("cvt.rn.f16.f32 $0, $1;", "=h,f", Scalar.I16, values, false, false));
            default -> null;
        };
    }

    /** Returns the function of libdevice that stands for another one in fast kernels. */
    String shortForm(String symbol) {
        Matcher single = SINGLE.matcher(symbol);
        return method.compilation.fast() && single.matches() && FAST_SINGLE.contains(single.group(1))
                ? "__nv_fast_" + single.group(1) + "f"
                : symbol;
    }

    private Value libdevice(String symbol, List<Value> values) {
        Type type = values.getFirst().type();
        return emit.external(symbol, type, true, values);
    }

    /**
     * {@code (float) Math.sqrt(x)} of a float is the float function where that is the same to the bit, and in kernels
     * that are not exact wherever there is one. The conversion is done then. Null if it is nothing of the kind.
     */
    @Nullable
    Operand single(String owner, String name, MethodTypeDesc type, List<Operand> arguments) {
        boolean math = owner.equals("java.lang.Math") || owner.equals("java.lang.StrictMath");
        String known = arguments.size() == 1 ? UNARY.get(name) : arguments.size() == 2 ? BINARY.get(name) : null;
        if (!math
                || known == null
                || !type.returnType().equals(ConstantDescs.CD_double)
                || !(method.following() instanceof ConvertInstruction next)
                || next.opcode() != Opcode.D2F
                || method.compilation.math == Kernel.Math.EXACT && !EXACT_SINGLE.contains("__nv_" + known)) {
            return null;
        }
        List<Value> singles = new ArrayList<>();
        for (Operand argument : arguments) {
            Value value = argument.value();
            if (value instanceof Instruction.Convert widened
                    && widened.kind() == Conversion.NUMBER
                    && widened.value().type() == Scalar.F32) {
                singles.add(widened.value());
            } else if (value instanceof Value.Real number && (float) number.value() == number.value()) {
                singles.add(new Value.Real(Scalar.F32, number.value()));
            } else {
                return null;
            }
        }
        Value value = known.equals("pow")
                ? pow(singles)
                : emit.external(shortForm("__nv_" + known + "f"), Scalar.F32, true, singles);
        method.skip();
        return new Operand(Primitive.FLOAT, value);
    }
}
