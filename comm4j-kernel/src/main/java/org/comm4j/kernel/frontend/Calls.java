// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.kernel.capture.ClassBytes;
import org.comm4j.kernel.frontend.Compilation.Compiled;
import org.comm4j.kernel.frontend.Compilation.Target;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/** Calls: of methods that become functions, of closures, of the vocabulary, of constructors. */
final class Calls {
    private static final Set<String> BOXES = Set.of(
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Float",
            "java.lang.Double",
            "java.lang.Boolean",
            "java.lang.Short",
            "java.lang.Byte",
            "java.lang.Character");

    private final Translator method;
    private final Intrinsics vocabulary;
    private final Views views;
    private final Enums enums;
    private final Library library;

    Calls(Translator method) {
        this.method = method;
        this.vocabulary = new Intrinsics(method);
        this.views = new Views(method, vocabulary);
        this.enums = new Enums(method, this);
        this.library = new Library(method, this);
    }

    /** Something of the type, after a problem. */
    static Operand quiet(ClassDesc type) {
        return type.isPrimitive()
                ? Operand.of(Primitive.valueOf(type.displayName().toUpperCase(java.util.Locale.ROOT))
                        .onStack())
                : Operand.unknown();
    }

    void make(ClassDesc type) {
        Class<?> made;
        try {
            made = method.compilation.types.load(type, method.owner);
        } catch (ClassNotFoundException missing) {
            method.problem("the class " + type.displayName() + " is not there", null);
            method.push(Operand.unknown());
            return;
        }
        if (made.isRecord() || Throwable.class.isAssignableFrom(made)) {
            method.push(Operand.of(new JavaType.Uninitialised(made, method.index())));
            return;
        }
        if (made == StringBuilder.class && method.owner.getName().startsWith("java.")) {
            // The JDK composes messages of exceptions so; of them the constant part is enough.
            method.push(Operand.of(new JavaType.Text("")));
            return;
        }
        method.problem(
                "new " + made.getName() + ": objects do not exist on the GPU",
                Types.isPointer(made)
                        ? "pointers are parameters, or made of others with plus"
                        : "use a record, which is a value, or a local array");
        method.push(Operand.unknown());
    }

    void invoke(InvokeInstruction instruction) {
        MethodTypeDesc type = instruction.typeSymbol();
        String name = instruction.name().stringValue();
        List<Operand> arguments = method.pop(type.parameterCount());
        Operand receiver = instruction.opcode() == Opcode.INVOKESTATIC ? null : method.pop();
        ClassDesc owner = instruction.owner().asSymbol();
        Operand result;
        if (name.equals("<init>") && receiver != null) {
            construct(receiver, owner, type, arguments);
            return;
        }
        if (isNullCheck(owner, name, type)) {
            return;
        }
        Class<?> in;
        try {
            in = method.compilation.types.load(owner, method.owner);
        } catch (ClassNotFoundException missing) {
            method.problem("the class " + owner.displayName() + " is not there", null);
            in = null;
        }
        if (in == null) {
            result = quiet(type.returnType());
        } else if (receiver == null) {
            Operand single = method.compilation.options.host()
                    ? null
                    : new JdkMath(method).single(in.getName(), name, type, arguments);
            result = single != null ? single : callStatic(in, name, type, arguments);
        } else {
            result = instruction.opcode() == Opcode.INVOKESPECIAL
                    ? callSpecial(in, name, type, receiver, arguments)
                    : callInstance(in, name, type, receiver, arguments);
        }
        if (!type.returnType().equals(ConstantDescs.CD_void)) {
            method.push(result);
        }
    }

    /** Recognises Kotlin's checks of parameters and values, which are never null in a kernel. */
    private static boolean isNullCheck(ClassDesc owner, String name, MethodTypeDesc type) {
        return owner.descriptorString().equals("Lkotlin/jvm/internal/Intrinsics;")
                && name.startsWith("check")
                && type.returnType().equals(ConstantDescs.CD_void);
    }

    // Static methods

    private Operand callStatic(Class<?> owner, String name, MethodTypeDesc type, List<Operand> arguments) {
        String of = owner.getName();
        if (BOXES.contains(of)
                && name.equals("valueOf")
                && type.parameterType(0).isPrimitive()) {
            return box(owner, type, arguments.getFirst());
        }
        if (of.equals("java.util.Objects")) {
            if (name.equals("requireNonNull")) {
                return arguments.getFirst();
            }
            if (name.equals("checkIndex")) {
                return checkIndex(arguments);
            }
        }
        if (owner.isEnum() && name.equals("values") && arguments.isEmpty()) {
            return enums.values(owner);
        }
        if (owner.isEnum() && name.equals("valueOf") && type.parameterList().equals(List.of(ConstantDescs.CD_String))) {
            method.problem(
                    owner.getSimpleName() + ".valueOf is not available on the GPU: an enum is its ordinal there",
                    "use values()[ordinal], or pass the constant as a parameter");
            return quiet(type.returnType());
        }
        if (arguments.stream().anyMatch(Operand::isUnknown)) {
            return quiet(type.returnType());
        }
        Operand inKernel = library.call(of, name, type, arguments);
        if (inKernel != null) {
            return inKernel;
        }
        Operand known = method.compilation.options.host()
                ? new HostCalls(method).jdk(of, name, type, arguments)
                : new JdkMath(method).call(of, name, type, arguments);
        if (known == null) {
            known = vocabulary.callStatic(of, name, arguments);
        }
        if (known != null) {
            return known;
        }
        Target target = method.compilation.methods.resolve(owner, name, type);
        return target == null ? missing(owner, name, type) : call(target, null, arguments);
    }

    private Operand box(Class<?> owner, MethodTypeDesc type, Operand number) {
        if (method.following() instanceof ArrayStoreInstruction && method.isPrinted()) {
            return new Operand(
                    new JavaType.Boxed(Primitive.valueOf(
                            type.parameterType(0).displayName().toUpperCase(java.util.Locale.ROOT))),
                    number.value());
        }
        method.problem(
                "boxing is not available on the GPU: " + type.parameterType(0).displayName() + " to "
                        + owner.getSimpleName(),
                "use primitive types, and interfaces such as IntUnaryOperator for lambdas");
        return Operand.unknown();
    }

    private Operand checkIndex(List<Operand> two) {
        IrBuilder emit = method.emit;
        Value index = two.get(0).value();
        Value length = two.get(1).value();
        Value low =
                emit.compare(Comparison.GE, index, index.type() == Scalar.I64 ? IrBuilder.i64(0) : IrBuilder.i32(0));
        Value high = emit.compare(Comparison.LT, index, length);
        emit.require(emit.binary(BinaryOp.AND, low, high), "IndexOutOfBoundsException");
        return two.get(0);
    }

    Operand missing(Class<?> owner, String name, MethodTypeDesc type) {
        String called = owner.getName().replace('$', '.') + "." + name;
        if (method.compilation.classes.model(owner) == null) {
            method.problem("call of " + called + ": " + ClassBytes.missing(owner), ClassBytes.hint(owner));
        } else {
            method.problem("the code of " + called + " cannot be found", "call methods that are not abstract");
        }
        return quiet(type.returnType());
    }

    // Methods of values

    Operand callInstance(Class<?> owner, String name, MethodTypeDesc type, Operand receiver, List<Operand> arguments) {
        if (arguments.stream().anyMatch(Operand::isUnknown)) {
            return quiet(type.returnType());
        }
        return switch (receiver.type()) {
            case JavaType.Self made -> callInstance(owner, name, type, method.record(receiver, made), arguments);
            case JavaType.Closure closure -> {
                Target target = select(owner, closure.type(), name, type);
                yield target == null && name.equals(closure.method())
                        ? run(closure, type, receiver, arguments)
                        : callOn(target, closure.type(), name, type, receiver, arguments);
            }
            case JavaType.Record record -> {
                Operand known = Views.isOne(record.of()) ? views.call(record, name, type, receiver, arguments) : null;
                yield known != null
                        ? known
                        : callOn(select(owner, record.of(), name, type), record.of(), name, type, receiver, arguments);
            }
            case JavaType.Union union -> new Unions(method).call(this, union, owner, name, type, receiver, arguments);
            case JavaType.Enumeration constant -> enums.call(constant, owner, name, type, receiver, arguments);
            case JavaType.Pointer pointer -> {
                Operand known = vocabulary.callPointer(pointer, name, type, receiver, arguments);
                yield known != null
                        ? known
                        : callOn(
                                select(owner, pointer.of(), name, type), pointer.of(), name, type, receiver, arguments);
            }
            case JavaType.Array array
            when name.equals("clone") && arguments.isEmpty() -> library.copied(array, receiver, type);
            case JavaType.Other other when other == JavaType.Other.UNKNOWN -> quiet(type.returnType());
            case JavaType.Literal literal -> {
                method.problem("classes do not exist on the GPU: " + literal, null);
                yield quiet(type.returnType());
            }
            case JavaType.Text text when owner == StringBuilder.class -> receiver;
            case JavaType.Text text -> {
                method.problem(
                        "String." + name + " is not available on the GPU",
                        "strings are constants of printf and assert");
                yield quiet(type.returnType());
            }
            default -> {
                method.problem(
                        "call of " + owner.getSimpleName() + "." + name + " on " + receiver.type()
                                + ": which method it is cannot be known when the kernel is compiled",
                        "call static methods, methods of records, or lambdas");
                yield quiet(type.returnType());
            }
        };
    }

    /** Selects the method that runs if a method of {@code owner} is called on a receiver of a class. */
    @Nullable
    Target select(Class<?> owner, Class<?> receiver, String name, MethodTypeDesc type) {
        Target resolved = method.compilation.methods.resolve(owner, name, type);
        return resolved == null ? null : method.compilation.methods.select(receiver, resolved);
    }

    private Operand callOn(
            @Nullable Target target,
            Class<?> of,
            String name,
            MethodTypeDesc type,
            Operand receiver,
            List<Operand> arguments) {
        return target == null ? missing(of, name, type) : call(target, receiver, arguments);
    }

    /** Calls {@code super.method()} or {@code Interface.super.method()}, whatever the receiver overrides. */
    private Operand callSpecial(
            Class<?> owner, String name, MethodTypeDesc type, Operand receiver, List<Operand> arguments) {
        if (receiver.isUnknown() || arguments.stream().anyMatch(Operand::isUnknown)) {
            return quiet(type.returnType());
        }
        Operand self = receiver.type() instanceof JavaType.Self made ? method.record(receiver, made) : receiver;
        Target target = method.compilation.methods.special(method.owner, owner, name, type);
        return callOn(target, owner, name, type, self, arguments);
    }

    // Closures

    private Operand run(JavaType.Closure closure, MethodTypeDesc type, Operand receiver, List<Operand> arguments) {
        DirectMethodHandleDesc code = closure.code();
        List<Operand> all = new ArrayList<>(Lambdas.captured(method.emit, receiver));
        all.addAll(arguments);
        MethodTypeDesc target = code.invocationType();
        // The interface may pass less than the method takes: int for long.
        for (int i = 0; i < all.size(); i++) {
            ClassDesc wanted = target.parameterType(i);
            Operand given = all.get(i);
            if (wanted.isPrimitive() && given.type() instanceof Primitive) {
                Primitive to = Primitive.valueOf(wanted.displayName().toUpperCase(java.util.Locale.ROOT));
                if (given.value().type() != to.value()) {
                    all.set(i, new Operand(to.onStack(), new Arithmetic(method).convert(given.value(), to)));
                }
            } else if (wanted.isPrimitive() != given.type() instanceof Primitive && !given.isUnknown()) {
                method.problem(
                        "boxing is not available on the GPU: " + given.type() + " to " + wanted.displayName(),
                        "use interfaces such as IntUnaryOperator for lambdas");
                return quiet(type.returnType());
            }
        }
        Operand result;
        try {
            Class<?> owner = method.compilation.types.load(code.owner(), closure.in());
            MethodTypeDesc descriptor = MethodTypeDesc.ofDescriptor(code.lookupDescriptor());
            result = switch (code.kind()) {
                case STATIC, INTERFACE_STATIC -> callStatic(owner, code.methodName(), descriptor, all);
                case CONSTRUCTOR -> {
                    if (!owner.isRecord()) {
                        method.problem(
                                "new " + owner.getName() + ": objects do not exist on the GPU",
                                "use a record, which is a value, or a local array");
                        yield Operand.unknown();
                    }
                    yield construct(owner, descriptor, all);
                }
                case SPECIAL, INTERFACE_SPECIAL ->
                    callSpecial(owner, code.methodName(), descriptor, all.getFirst(), all.subList(1, all.size()));
                default ->
                    callInstance(owner, code.methodName(), descriptor, all.getFirst(), all.subList(1, all.size()));
            };
        } catch (ClassNotFoundException missing) {
            method.problem("the class " + code.owner().displayName() + " is not there", null);
            return quiet(type.returnType());
        }
        ClassDesc wanted = type.returnType();
        if (wanted.isPrimitive()) {
            Primitive to = Primitive.valueOf(wanted.displayName().toUpperCase(java.util.Locale.ROOT));
            if (to != Primitive.VOID
                    && result.type() instanceof Primitive
                    && result.value().type() != to.value()) {
                return new Operand(to.onStack(), new Arithmetic(method).convert(result.value(), to));
            }
        } else if (result.type() instanceof Primitive) {
            method.problem(
                    "boxing is not available on the GPU: " + result.type() + " to " + wanted.displayName(),
                    "use interfaces such as IntUnaryOperator for lambdas");
            return Operand.unknown();
        }
        return result;
    }

    // Constructors

    private void construct(Operand receiver, ClassDesc owner, MethodTypeDesc type, List<Operand> arguments) {
        switch (receiver.type()) {
            case JavaType.Self self -> {
                if (!owner.descriptorString().equals("Ljava/lang/Record;")) {
                    Operand whole = construct(self.record().of(), type, arguments);
                    if (!whole.isUnknown()) {
                        method.emit.store(whole.value(), receiver.value());
                    }
                }
            }
            case JavaType.Uninitialised made
            when made.of().isRecord() -> method.replace(made, construct(made.of(), type, arguments));
            case JavaType.Uninitialised made -> {
                String message = arguments.stream()
                        .map(Operand::type)
                        .filter(JavaType.Text.class::isInstance)
                        .map(text -> ((JavaType.Text) text).text())
                        .findFirst()
                        .orElse("");
                method.replace(made, Operand.of(new JavaType.Failure(made.of(), message)));
            }
            default -> {}
        }
    }

    private Operand construct(Class<?> owner, MethodTypeDesc type, List<Operand> arguments) {
        if (arguments.stream().anyMatch(Operand::isUnknown)) {
            return Operand.unknown();
        }
        JavaType.Record record;
        try {
            record = (JavaType.Record) method.compilation.types.of(owner);
        } catch (Types.UnsupportedType unsupported) {
            method.problem(unsupported);
            return Operand.unknown();
        }
        Target target = method.compilation.methods.declared(owner, "<init>", type);
        if (target == null) {
            return missing(owner, "<init>", type);
        }
        if (BytecodePatterns.onlySetsFields(target.code(), owner, type)) {
            List<Value> fields = new ArrayList<>();
            for (int i = 0; i < arguments.size(); i++) {
                JavaType component = record.components().get(i);
                Operand argument = arguments.get(i);
                if (!component.value().equals(argument.type().value())) {
                    method.problem(argument.type() + " cannot be a component of " + record, null);
                    return Operand.unknown();
                }
                fields.add(method.emit.toMemory(component, argument.value()));
            }
            return fields.isEmpty()
                    ? Operand.of(record)
                    : new Operand(record, method.emit.compose(record.struct(), fields));
        }
        if (!record.isStored()) {
            method.problem(
                    "the constructor of " + record + " does something, but the record has no components",
                    "do it in a static method");
            return Operand.of(record);
        }
        return call(target, record, null, arguments);
    }

    // Functions

    Operand call(Target target, @Nullable Operand receiver, List<Operand> arguments) {
        List<Operand> all = new ArrayList<>();
        if (receiver != null) {
            all.add(receiver);
        }
        all.addAll(arguments);
        Target exchanged = method.compilation.options.host() ? HostCalls.exchanged(method, target) : null;
        if (exchanged != null) {
            return call(exchanged, null, null, all);
        }
        Operand known = method.compilation.options.host()
                ? new HostCalls(method).vocabulary(target, all)
                : vocabulary.annotated(target, all);
        if (known != null) {
            return known;
        }
        if (target.owner() == Enum.class && receiver != null) {
            return enums.inherited(target, receiver, arguments);
        }
        String of = target.owner().getName();
        if (of.startsWith("java.") && !JdkMath.isCompiled(of)) {
            method.problem(of + "." + target.name() + " is not available on the GPU", Hints.forCallOf(of));
            return quiet(target.type().returnType());
        }
        if (receiver != null
                && receiver.type() instanceof JavaType.Record record
                && BytecodePatterns.isAccessor(target.code(), target.name())) {
            for (int i = 0; i < record.components().size(); i++) {
                if (record.of().getRecordComponents()[i].getName().equals(target.name())) {
                    JavaType type = record.components().get(i);
                    return new Operand(
                            type.onStack(), method.emit.fromMemory(type, method.emit.extract(receiver.value(), i)));
                }
            }
        }
        return call(target, null, receiver, arguments);
    }

    private Operand call(
            Target target, JavaType.@Nullable Record constructed, @Nullable Operand receiver, List<Operand> arguments) {
        List<Operand> all = new ArrayList<>();
        if (receiver != null) {
            all.add(receiver);
        }
        for (Operand argument : arguments) {
            all.add(argument.type() instanceof JavaType.Self made ? method.record(argument, made) : argument);
        }
        Compiled compiled = method.compilation.function(method, target, constructed, all);
        if (compiled == null) {
            return quiet(target.type().returnType());
        }
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (Compilation.isPassed(target, i, all.get(i))) {
                values.add(all.get(i).value());
            }
        }
        Value value = method.emit.call(compiled.function(), values);
        JavaType type = compiled.result();
        if (type instanceof JavaType.Array array) {
            // What a method returns is not its own; it may be ours.
            Set<Integer> sites = new java.util.HashSet<>();
            all.forEach(argument -> argument.type().addSites(sites));
            type = new JavaType.Array(array.element(), array.constant(), sites);
        }
        if (type == JavaType.Other.UNKNOWN) {
            return quiet(target.type().returnType());
        }
        return type.isStored() ? new Operand(type.onStack(), value) : Operand.of(type);
    }
}
