// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.comm4j.core.DataType;
import org.comm4j.kernel.frontend.Compilation.Target;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.External;
import org.comm4j.kernel.ir.Instruction.Access;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.InlinePtx;
import org.jspecify.annotations.Nullable;

/**
 * What kernels say to the GPU: methods with {@link InlinePtx} or {@link DeviceFunction}, pointers, printf,
 * unrolling.
 */
final class Intrinsics {
    /** A parameter in the text of an annotation. */
    static final Pattern OPERAND = Pattern.compile("\\$(\\d+)");

    private static final Pattern ELEMENT = Pattern.compile("[A-Z]+(\\d+).*");

    private final Translator method;
    private final IrBuilder emit;

    Intrinsics(Translator method) {
        this.method = method;
        this.emit = method.emit;
    }

    // Annotations

    /** Null if the method has none. */
    @Nullable
    Operand annotated(Target target, List<Operand> arguments) {
        InlinePtx ptx = target.annotation(InlinePtx.class);
        DeviceFunction function = target.annotation(DeviceFunction.class);
        if (ptx == null && function == null) {
            return null;
        }
        JavaType result;
        try {
            result = method.compilation.types.of(
                    method.compilation.types.load(target.type().returnType(), target.owner()));
        } catch (Types.UnsupportedType unsupported) {
            method.problem(unsupported);
            return Calls.quiet(target.type().returnType());
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException(missing);
        }
        if (ptx != null) {
            return ptx(ptx, target, result, arguments);
        }
        if (function == null) {
            return null;
        }
        return function.words().isEmpty() && !OPERAND.matcher(function.value()).find()
                ? function(function, function.value(), target, result, arguments, Set.of())
                : new OverloadNames(method, this).call(function, target, result, arguments);
    }

    private Operand ptx(InlinePtx ptx, Target target, JavaType result, List<Operand> arguments) {
        String called = target.owner().getSimpleName() + "." + target.name();
        boolean old = method.compilation.options.arch() < ptx.since();
        if (old && ptx.older().isEmpty()) {
            method.problem(
                    called + " needs sm_" + ptx.since() + " or later, and this is compiled for sm_"
                            + method.compilation.options.arch(),
                    "compile the kernel for sm_" + ptx.since() + ", or do it another way on older GPUs");
            return Calls.quiet(target.type().returnType());
        }
        if (ptx.specific() && !method.compilation.options.specific()) {
            int arch = ptx.since();
            method.problem(
                    called + " is of sm_" + arch + "a alone, and this is compiled for sm_"
                            + method.compilation.options.arch() + " and later",
                    "compile the kernel for sm_" + arch + "a: CompileOptions.withSuffix(\"a\") on such a GPU");
            return Calls.quiet(target.type().returnType());
        }
        if (ptx.registers().length > 0) {
            return new RegisterArrays(method).call(ptx, called, target, arguments);
        }
        List<Value> operands = new ArrayList<>();
        List<String> constraints = new ArrayList<>();
        Type type = result.value();
        if (result instanceof JavaType.Record record) {
            record.struct().fields().forEach(field -> constraints.add("=" + register(field)));
        } else if (result != Primitive.VOID) {
            type = result.memory() == Scalar.I16 ? Scalar.I16 : result.value();
            constraints.add("=" + register(type));
        }
        // What stands in the text for each number: in the annotation $1 is the first parameter even if there is no
        // result.
        List<String> places = new ArrayList<>();
        for (int i = 0; i < constraints.size(); i++) {
            places.add("$" + i);
        }
        if (places.isEmpty()) {
            places.add("$0");
        }
        List<JavaType> declared = declared(target, arguments);
        for (int i = 0; i < arguments.size(); i++) {
            Value value = arguments.get(i).value();
            int number = i + 1;
            if (IntStream.of(ptx.constants()).anyMatch(constant -> constant == number)) {
                Long constant = arguments.get(i).constant();
                if (constant == null) {
                    method.problem(
                            called + " needs a constant here",
                            "use a literal, a static final field or a @Constant parameter");
                    return Calls.quiet(target.type().returnType());
                }
                places.add(constant.toString());
            } else if (declared.get(i) instanceof JavaType.Record record) {
                for (int field = 0; field < record.components().size(); field++) {
                    Value part = register(emit.extract(value, field), ptx, number);
                    places.add("$" + constraints.size());
                    operands.add(part);
                    constraints.add(register(part.type()));
                }
            } else {
                Value operand = declared.get(i).memory() == Scalar.I16
                        ? emit.convert(Conversion.TRUNCATE, value, Scalar.I16)
                        : register(value, ptx, number);
                places.add("$" + constraints.size());
                operands.add(operand);
                constraints.add(register(operand.type()));
            }
        }
        String text = OPERAND.matcher(old ? ptx.older() : ptx.value())
                .replaceAll(number -> Matcher.quoteReplacement(places.get(Integer.parseInt(number.group(1)))));
        if (ptx.effects()) {
            constraints.add("~{memory}");
        }
        Value value = emit.ptx(text, String.join(",", constraints), type, operands, ptx.effects(), ptx.convergent());
        if (result instanceof Primitive && result != Primitive.VOID && type == Scalar.I16) {
            return new Operand(Primitive.INT, emit.fromMemory(result, value));
        }
        if (result == Primitive.BYTE) {
            return new Operand(Primitive.INT, emit.fromMemory(result, emit.toMemory(result, value)));
        }
        return result == Primitive.VOID ? Operand.of(result) : new Operand(result.onStack(), value);
    }

    /** A pointer that is said to be into shared memory is an address of 32 bits there. */
    Value register(Value value, InlinePtx ptx, int number) {
        if (value.type() instanceof Type.Pointer && IntStream.of(ptx.shared()).anyMatch(shared -> shared == number)) {
            Value there = emit.convert(Conversion.SPACE, value, new Type.Pointer(Type.Space.SHARED));
            return emit.convert(Conversion.TRUNCATE, emit.convert(Conversion.ADDRESS, there, Scalar.I64), Scalar.I32);
        }
        return value;
    }

    List<JavaType> declared(Target target, List<Operand> arguments) {
        List<JavaType> types = new ArrayList<>();
        int first = arguments.size() - target.type().parameterCount();
        for (int i = 0; i < arguments.size(); i++) {
            JavaType type = arguments.get(i).type();
            if (i >= first && type instanceof Primitive) {
                type = Primitive.valueOf(
                        target.type().parameterType(i - first).displayName().toUpperCase(Locale.ROOT));
            }
            types.add(type);
        }
        return types;
    }

    static String register(Type type) {
        return switch (type) {
            case Scalar scalar ->
                switch (scalar) {
                    case F32 -> "f";
                    case F64 -> "d";
                    case I64 -> "l";
                    case I16 -> "h";
                    default -> "r";
                };
            default -> "l";
        };
    }

    /**
     * A call of a function.
     *
     * @param name the function's
     * @param left numbers of arguments that are not passed
     */
    Operand function(
            DeviceFunction function,
            String name,
            Target target,
            JavaType result,
            List<Operand> arguments,
            Set<Integer> left) {
        boolean intrinsic = function.value().startsWith("llvm.");
        boolean bit = function.value().startsWith("llvm.nvvm.vote.")
                || function.value().equals("llvm.assume")
                || function.value().startsWith("llvm.nvvm.isspacep.");
        List<JavaType> declared = declared(target, arguments);
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            if (left.contains(i)) {
                continue;
            }
            Value value = arguments.get(i).value();
            JavaType type = declared.get(i);
            if (type == JavaType.Other.NULL) {
                value = new Value.Zero(Type.Pointer.GENERIC);
            } else if (type == Primitive.BOOLEAN && bit) {
                value = emit.truth(value);
            } else if (!intrinsic || (type instanceof Primitive && type.memory() == Scalar.I16)) {
                value = emit.toMemory(type, value);
            }
            values.add(value);
        }
        if (result instanceof JavaType.Record several && name.startsWith("__nv_")) {
            return several(new JdkMath(method).shortForm(name), several, values);
        }
        if (!function.unit().isEmpty()) {
            method.compilation.units.add(function.unit());
        }
        method.compilation.cooperative |= function.cooperative();
        Type type = result == Primitive.BOOLEAN && bit
                ? Scalar.I1
                : intrinsic && result.memory() != Scalar.I16 ? result.value() : result.memory();
        Value value = emit.external(
                new External(
                        name.startsWith("__nv_") ? new JdkMath(method).shortForm(name) : name,
                        type,
                        values.stream().map(Value::type).toList(),
                        function.convergent(),
                        function.pure()),
                values);
        if (result == Primitive.VOID) {
            return Operand.of(result);
        }
        return new Operand(result.onStack(), type == Scalar.I1 ? emit.bool(value) : emit.fromMemory(result, value));
    }

    /**
     * Calls a function of libdevice with several results, the components of a record. Those of {@code sincos} come
     * through pointers; of others the first is the function's own.
     */
    private Operand several(String symbol, JavaType.Record record, List<Value> arguments) {
        List<Type> types = record.struct().fields();
        int own = symbol.contains("sincos") ? 0 : 1;
        List<Value> passed = new ArrayList<>(arguments);
        List<Value> places = new ArrayList<>();
        for (int i = own; i < types.size(); i++) {
            places.add(emit.alloca(types.get(i), "result" + i));
        }
        passed.addAll(places);
        Value first = emit.external(
                new External(
                        symbol,
                        own == 0 ? Scalar.VOID : types.getFirst(),
                        passed.stream().map(Value::type).toList(),
                        false,
                        false),
                passed);
        List<Value> results = new ArrayList<>();
        if (own > 0) {
            results.add(first);
        }
        for (int i = 0; i < places.size(); i++) {
            results.add(emit.load(types.get(own + i), places.get(i)));
        }
        return new Operand(record, emit.compose(record.struct(), results));
    }

    // Pointers

    /** The element of a pointer's memory by the number of bits in its name; null of {@code Ptr} itself. */
    static @Nullable Primitive element(Class<?> pointer) {
        String name = pointer.getSimpleName();
        Matcher matcher = ELEMENT.matcher(name);
        if (!matcher.matches()) {
            return null;
        }
        boolean floating = name.startsWith("F") || name.startsWith("B");
        return switch (matcher.group(1)) {
            case "8" -> Primitive.BYTE;
            case "16" -> Primitive.SHORT;
            case "32" -> floating ? Primitive.FLOAT : Primitive.INT;
            default -> floating ? Primitive.DOUBLE : Primitive.LONG;
        };
    }

    /** What a pointer that was made of another one of its class says. */
    static DataType elementType(Class<?> pointer) {
        String bits = pointer.getSimpleName().replace("Ptr", "");
        return DataType.valueOf(
                bits.startsWith("I")
                        ? bits.replace("I", "INT")
                        : bits.startsWith("BF")
                                ? bits.replace("BF", "BFLOAT")
                                : bits.replaceFirst("^F(\\d+)", "FLOAT$1").replace("FLOAT8E", "FLOAT8_E"));
    }

    /** Reads, writes, moves and casts of a pointer; null if it is another method of it. */
    @Nullable
    Operand callPointer(
            JavaType.Pointer pointer, String name, MethodTypeDesc type, Operand receiver, List<Operand> arguments) {
        Primitive element = element(pointer.of());
        if (name.startsWith("as") && arguments.isEmpty()) {
            try {
                return new Operand(
                        new JavaType.Pointer(method.compilation.types.load(type.returnType(), pointer.of())),
                        receiver.value());
            } catch (ClassNotFoundException missing) {
                throw new IllegalStateException(missing);
            }
        }
        if (element == null) {
            return null;
        }
        if (name.equals("elementType") && arguments.isEmpty()) {
            return new Operand(
                    new JavaType.Enumeration(DataType.class),
                    IrBuilder.i32(elementType(pointer.of()).ordinal()));
        }
        if (name.equals("elementBytes") && arguments.isEmpty()) {
            return new Operand(
                    Primitive.INT, IrBuilder.i32(elementType(pointer.of()).bytes()));
        }
        Value address = receiver.value();
        if (!arguments.isEmpty()
                && arguments.getFirst().value().type() instanceof Scalar scalar
                && scalar.isInteger()) {
            address = emit.element(
                    address, arguments.getFirst().value(), element.memory().bytes());
        }
        boolean narrow = !pointer.of().getSimpleName().matches("[FI](32|64)Ptr|I(8|16)Ptr");
        return switch (name + "/" + arguments.size()) {
            case "plus/1" -> new Operand(pointer, address);
            case "get/1", "getVolatile/1", "getBits/1" -> {
                if (narrow && !name.equals("getBits")) {
                    yield null;
                }
                Value value = emit.load(
                        element.memory(),
                        address,
                        element.memory().bytes(),
                        name.equals("getVolatile") ? Access.VOLATILE : Access.PLAIN);
                yield new Operand(element.onStack(), emit.fromMemory(element, value));
            }
            case "set/2", "setVolatile/2", "setBits/2" -> {
                if (narrow && !name.equals("setBits")) {
                    yield null;
                }
                emit.store(
                        emit.toMemory(element, arguments.get(1).value()),
                        address,
                        element.memory().bytes(),
                        name.equals("setVolatile") ? Access.VOLATILE : Access.PLAIN);
                yield Operand.of(Primitive.VOID);
            }
            case "get2/1", "get4/1" -> {
                JavaType.Record vector = vector(type, pointer);
                yield narrow || vector == null
                        ? null
                        : new Operand(
                                vector,
                                emit.load(
                                        vector.value(), address, vector.value().bytes(), Access.PLAIN));
            }
            case "set2/2", "set4/2" -> {
                if (narrow || !(arguments.get(1).type() instanceof JavaType.Record vector)) {
                    yield null;
                }
                emit.store(arguments.get(1).value(), address, vector.value().bytes(), Access.PLAIN);
                yield Operand.of(Primitive.VOID);
            }
            default -> null;
        };
    }

    private JavaType.@Nullable Record vector(MethodTypeDesc type, JavaType.Pointer pointer) {
        try {
            return method.compilation.types.of(method.compilation.types.load(type.returnType(), pointer.of()))
                            instanceof JavaType.Record record
                    ? record
                    : null;
        } catch (ClassNotFoundException | Types.UnsupportedType missing) {
            throw new IllegalStateException(missing);
        }
    }

    // Static methods of the package

    /** Null if it is nothing special. */
    @Nullable
    Operand callStatic(String owner, String name, List<Operand> arguments) {
        if (!owner.startsWith(Types.ROOT)) {
            return null;
        }
        return switch (owner.substring(Types.ROOT.length())) {
            case "Shared" -> new SharedMemory(method).call(name, arguments);
            case "Unroll" -> unroll(name, arguments);
            case "Gpu" -> name.equals("printf") ? printf(arguments) : null;
            default ->
                name.equals("of")
                                && arguments.size() == 1
                                && arguments.getFirst().type() instanceof JavaType.Array
                        ? ofArray(owner, arguments.getFirst())
                        : null;
        };
    }

    private @Nullable Operand ofArray(String owner, Operand array) {
        try {
            Class<?> type = Class.forName(owner, false, Intrinsics.class.getClassLoader());
            return Types.isPointer(type)
                    ? new Operand(new JavaType.Pointer(type), emit.extract(array.value(), 0))
                    : null;
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private Operand unroll(String name, List<Operand> arguments) {
        if (name.equals("all")) {
            method.unroll(-1);
        } else {
            Long times = arguments.getFirst().constant();
            if (times == null || times < 1) {
                method.problem("Unroll.times needs a constant of at least 1", null);
            } else {
                method.unroll(times.intValue());
            }
        }
        return Operand.of(Primitive.VOID);
    }

    // printf

    private Operand printf(List<Operand> arguments) {
        if (!(arguments.get(0).type() instanceof JavaType.Text format)
                || !(arguments.get(1).type() instanceof JavaType.Arguments array)) {
            method.problem("the format of printf must be a constant, and its arguments be given one by one", null);
            return Operand.of(Primitive.VOID);
        }
        List<Operand> values = method.arguments(array);
        String text =
                Format.ofC(format.text(), values.stream().map(Operand::type).toList(), method);
        List<Value> fields = new ArrayList<>();
        for (Operand value : values) {
            fields.add(
                    switch (value.type()) {
                        case JavaType.Boxed number
                        when number.of() == Primitive.FLOAT ->
                            emit.convert(Conversion.NUMBER, value.value(), Scalar.F64);
                        case JavaType.Text string -> emit.generic(method.compilation.globals.string(string.text()));
                        case JavaType.Boxed number -> value.value();
                        case JavaType.Enumeration constant -> value.value();
                        default -> {
                            method.problem("printf cannot print " + value.type(), "print numbers and constant strings");
                            yield IrBuilder.i32(0);
                        }
                    });
        }
        Value packed = new Value.Zero(Type.Pointer.GENERIC);
        if (!fields.isEmpty()) {
            Type.Struct struct =
                    new Type.Struct("printf", fields.stream().map(Value::type).toList());
            packed = emit.alloca(struct, "printf");
            emit.store(emit.compose(struct, fields), packed);
        }
        emit.external(
                "vprintf", Scalar.I32, false, List.of(emit.generic(method.compilation.globals.string(text)), packed));
        return Operand.of(Primitive.VOID);
    }
}
