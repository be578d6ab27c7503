// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.Attributes;
import java.lang.classfile.CodeElement;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.capture.ClassBytes;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.frontend.Compilation.Target;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.SharedArrays;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.ir.Writes;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.KernelMath;
import org.comm4j.kernel.lang.Restrict;
import org.jspecify.annotations.Nullable;

/** From a kernel's method to a program. */
public final class Frontend {
    /**
     * A kernel that has been read.
     *
     * @param parameters what a launch passes, in order
     * @param cooperative whether all blocks have to run at the same time
     * @param classes all that was looked at
     * @param readsFields whether values of fields went in, which may be others in another process, although the classes
     *     are the same
     */
    public record Result(
            Program program,
            Method method,
            List<KernelParameter> parameters,
            boolean cooperative,
            Set<Class<?>> classes,
            boolean readsFields) {
        public Result {
            parameters = List.copyOf(parameters);
            classes = Set.copyOf(classes);
        }

        /** Those of the parameters through which the kernel may write, by their place in the list. */
        public Set<Integer> written() {
            Set<Integer> inProgram = Writes.of(program);
            Set<Integer> written = new HashSet<>();
            int next = 0;
            for (int i = 0; i < parameters.size(); i++) {
                for (int k = 0; k < parameters.get(i).count(); k++, next++) {
                    if (inProgram.contains(next)) {
                        written.add(i);
                    }
                }
            }
            return written;
        }
    }

    /**
     * What a launch passes.
     *
     * @param index of the method's parameter
     * @param restricted whether it is marked {@link Restrict}; a record's components are then the program's parameters
     * @param bound the value, if the launch has no say in it because a lambda has captured it
     */
    public record KernelParameter(
            int index,
            String name,
            Class<?> type,
            boolean restricted,
            @Nullable Object bound) {
        /** How many parameters of the program it is. */
        int count() {
            return restricted && type.isRecord() ? type.getRecordComponents().length : 1;
        }
    }

    private final KernelSource source;
    private final Method method;
    private final FrontendOptions options;
    private final String kernelName;

    private Frontend(KernelSource source, FrontendOptions options) {
        this.source = source;
        this.method = source.method();
        this.options = options;
        this.kernelName = simple(method.getDeclaringClass()) + "."
                + method.getName() + "("
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", "))
                + ")";
    }

    private static String simple(Class<?> type) {
        return type.getName().substring(type.getName().lastIndexOf('.') + 1).replace('$', '.');
    }

    /**
     * Reads the kernel and all that it calls.
     *
     * @throws KernelCompileException with everything in them that a GPU cannot do
     */
    public static Result compile(KernelSource source, FrontendOptions options) {
        return new Frontend(source, options).compile();
    }

    /**
     * The numbers of the method's parameters through which the kernel may write: all, if it cannot be compiled, so that
     * nobody can say.
     */
    public static Set<Integer> written(KernelSource source) {
        try {
            Result result = compile(source, FrontendOptions.DEFAULT);
            return result.written().stream()
                    .map(each -> result.parameters().get(each).index())
                    .collect(Collectors.toSet());
        } catch (KernelCompileException unknown) {
            return IntStream.range(0, source.method().getParameterCount())
                    .boxed()
                    .collect(Collectors.toSet());
        }
    }

    private Result compile() {
        MethodTypeDesc type =
                MethodTypeDesc.ofDescriptor(MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                        .descriptorString());
        Compilation compilation = new Compilation(options, math(null, method.getDeclaringClass()));
        Target target = compilation.methods.resolve(method.getDeclaringClass(), method.getName(), type);
        Kernel kernel = method.getAnnotation(Kernel.class);
        if (kernel == null && source.lambda() && target != null) {
            kernel = calledKernel(compilation, target);
        }
        for (Class<?> in = method.getDeclaringClass(); in != null; in = around(in)) {
            compilation.types.seen.add(in);
        }
        Kernel.Math math = math(kernel, method.getDeclaringClass());
        if (math != compilation.math) {
            compilation = new Compilation(options, math);
        }
        if (kernel == null && !source.lambda() && !options.host()) {
            compilation.problems.add("it is not marked @Kernel", "write @Kernel in front of it");
        }
        if (!Modifier.isStatic(method.getModifiers())) {
            compilation.problems.add("it is not static", "make the method static");
        }
        if (method.getReturnType() != void.class) {
            compilation.problems.add(
                    "it returns " + method.getReturnType().getSimpleName()
                            + "; a kernel runs many times and returns nothing",
                    "write the result through a pointer");
        }
        Result result = null;
        if (target == null) {
            compilation.problems.add(
                    ClassBytes.missing(method.getDeclaringClass()), ClassBytes.hint(method.getDeclaringClass()));
        } else if (Modifier.isStatic(method.getModifiers())) {
            CodeAttribute code = target.code().findAttribute(Attributes.code()).orElse(null);
            if (code == null) {
                compilation.problems.add("it is native", "write its body in Java");
            } else {
                Map<Unions.Meeting, JavaType.Union> meetings = new HashMap<>();
                int before = compilation.problems.count();
                while (result == null) {
                    try {
                        result = translate(compilation, target, code, kernel, meetings);
                    } catch (Unions.Restart again) {
                        compilation.problems.keep(before);
                    }
                }
            }
        }
        if (result != null) {
            checkShared(SharedArrays.of(result.program()), compilation.problems);
        }
        if (result == null || !compilation.problems.isEmpty()) {
            throw new KernelCompileException(kernelName, compilation.problems.all());
        }
        return result;
    }

    private void checkShared(SharedArrays arrays, Diagnostics problems) {
        int most = SharedArrays.most(options.arch());
        if (arrays.bytes() > most) {
            String machine = options.arch() == Integer.MAX_VALUE ? "a GPU" : "sm_" + options.arch();
            problems.add(
                    "its shared arrays take " + arrays + ", and " + machine + " has " + most + " for a block at most",
                    "make them smaller, or use global memory");
        }
    }

    /** Returns the class around one; null of a hidden class, too, which has none that knows it. */
    private static @Nullable Class<?> around(Class<?> type) {
        return type.isHidden() ? null : type.getEnclosingClass();
    }

    /** Chooses the arithmetic: the kernel's, else its class's or that of a class around it, else the compiler's. */
    private Kernel.Math math(@Nullable Kernel kernel, Class<?> owner) {
        if (kernel != null && kernel.math() != Kernel.Math.DEFAULT) {
            return kernel.math();
        }
        for (Class<?> type = owner; type != null; type = around(type)) {
            KernelMath chosen = type.getAnnotation(KernelMath.class);
            if (chosen != null && chosen.value() != Kernel.Math.DEFAULT) {
                return chosen.value();
            }
        }
        return options.math();
    }

    /** A lambda that calls a kernel has that kernel's options. */
    private static @Nullable Kernel calledKernel(Compilation compilation, Target lambda) {
        CodeAttribute code = lambda.code().findAttribute(Attributes.code()).orElse(null);
        if (code == null) {
            return null;
        }
        for (CodeElement element : code.elementList()) {
            if (element instanceof InvokeInstruction call) {
                try {
                    Class<?> owner = compilation.types.load(call.owner().asSymbol(), lambda.owner());
                    Target target = owner.isArray()
                            ? null
                            : compilation.methods.resolve(owner, call.name().stringValue(), call.typeSymbol());
                    Kernel kernel = target == null ? null : target.annotation(Kernel.class);
                    if (kernel != null) {
                        return kernel;
                    }
                } catch (ClassNotFoundException missing) {
                    return null;
                }
            }
        }
        return null;
    }

    private Result translate(
            Compilation compilation,
            Target target,
            CodeAttribute code,
            @Nullable Kernel kernel,
            Map<Unions.Meeting, JavaType.Union> meetings) {
        Translator translator = new Translator(compilation, target.owner(), target.code(), code, null, meetings);
        StackTraceElement start = translator.place();
        List<Operand> arguments = new ArrayList<>();
        List<Value.Parameter> parameters = new ArrayList<>();
        List<KernelParameter> launched = new ArrayList<>();
        int constants = 0;
        int slot = 0;
        Parameter[] declared = method.getParameters();
        boolean known = true;
        Constants fixed = new Constants(translator);
        for (int i = 0; i < declared.length; i++) {
            Class<?> of = declared[i].getType();
            String name = Compilation.parameterName(translator, slot, i);
            slot += of == long.class || of == double.class ? 2 : 1;
            if (of.isInterface()
                    && i >= source.captured().size()
                    && constants < source.constants().size()) {
                try {
                    arguments.add(fixed.closure(of, source.constants().get(constants++)));
                } catch (Types.UnsupportedType wrong) {
                    compilation.problems.add(start, "parameter " + name + ": " + wrong.reason(), wrong.hint());
                    known = false;
                }
                continue;
            }
            JavaType type;
            try {
                type = compilation.types.of(of);
                if (type instanceof JavaType.Array) {
                    throw new Types.UnsupportedType(
                            "an array is not a parameter of a kernel: " + of.getSimpleName(),
                            "use a typed pointer such as F32Ptr, or F32View");
                }
            } catch (Types.UnsupportedType unsupported) {
                compilation.problems.add(start, "parameter " + name + ": " + unsupported.reason(), unsupported.hint());
                known = false;
                continue;
            }
            if (declared[i].isAnnotationPresent(Restrict.class) && !mayBeRestricted(type)) {
                compilation.problems.add(
                        start,
                        "parameter " + name + ": @Restrict is for pointers and views, not for " + of.getSimpleName(),
                        "leave it out");
                known = false;
                continue;
            }
            boolean isCaptured = i < source.captured().size();
            boolean isConstant = declared[i].isAnnotationPresent(Constant.class);
            if (isConstant && !isCaptured && constants == source.constants().size()) {
                compilation.problems.add(
                        start,
                        "parameter " + name + " is a @Constant, but no value is given for it",
                        "give the values of constants when compiling: compile(method, values...)");
                known = false;
                continue;
            }
            Object value = isCaptured
                    ? source.captured().get(i)
                    : isConstant ? source.constants().get(constants++) : null;
            if (value != null && Constants.isBakedIn(type)) {
                try {
                    arguments.add(fixed.value(type, of, value));
                } catch (Types.UnsupportedType wrong) {
                    compilation.problems.add(start, "parameter " + name + ": " + wrong.reason(), wrong.hint());
                    known = false;
                }
                continue;
            }
            if (!type.isStored()) {
                compilation.problems.add(
                        start,
                        "parameter " + name + ": a record without components is nothing that a launch passes",
                        "mark it @Constant, or make it in the kernel");
                known = false;
                continue;
            }
            boolean restricted = declared[i].isAnnotationPresent(Restrict.class);
            launched.add(new KernelParameter(i, name, of, restricted, value));
            if (restricted && type instanceof JavaType.Record record) {
                List<Value> fields = new ArrayList<>();
                for (int k = 0; k < record.components().size(); k++) {
                    Type field = record.struct().fields().get(k);
                    fields.add(new Value.Parameter(
                            parameters.size(),
                            field,
                            name + "." + of.getRecordComponents()[k].getName(),
                            field instanceof Type.Pointer));
                    parameters.add((Value.Parameter) fields.getLast());
                }
                arguments.add(new Operand(type, translator.emit.composeFirst(record.struct(), fields)));
                continue;
            }
            Value.Parameter parameter = new Value.Parameter(parameters.size(), type.memory(), name, restricted);
            parameters.add(parameter);
            Value onStack = parameter.type().equals(type.value())
                    ? parameter
                    : translator.emit.convertFirst(
                            type == Primitive.BOOLEAN || type == Primitive.CHAR
                                    ? org.comm4j.kernel.ir.Instruction.Conversion.ZERO_EXTEND
                                    : org.comm4j.kernel.ir.Instruction.Conversion.SIGN_EXTEND,
                            parameter,
                            Scalar.I32);
            arguments.add(new Operand(type.onStack(), onStack));
        }
        if (constants < source.constants().size()) {
            compilation.problems.add(
                    "it has " + constants + " parameters that are marked @Constant, but "
                            + source.constants().size() + " values are given",
                    null);
        }
        if (!known) {
            // The method's own problems are told, too; what the parameters are is guessed.
            arguments.clear();
            for (Parameter parameter : declared) {
                arguments.add(
                        parameter.getType().isPrimitive()
                                ? Operand.of(Primitive.valueOf(
                                        parameter.getType().getName().toUpperCase(java.util.Locale.ROOT)))
                                : unknownOr(compilation, parameter.getType()));
            }
        }
        compilation.enter(target);
        var at = translator.emit.at();
        Translator.Translated translated = translator.translate(arguments, null);
        if (!compilation.problems.isEmpty()) {
            return new Result(
                    new Program(
                            new Function("none", Scalar.VOID, List.of(), at, launch(kernel)),
                            List.of(),
                            List.of(),
                            compilation.math,
                            false,
                            false,
                            List.of()),
                    method,
                    List.of(),
                    false,
                    Set.of(),
                    false);
        }
        Function function =
                compilation.function(compilation.name(target.simpleName()), translated, parameters, at, launch(kernel));
        return new Result(
                new Program(
                        function,
                        compilation.functions,
                        compilation.globals.all(),
                        compilation.math,
                        options.checked(),
                        options.lines(),
                        new ArrayList<>(compilation.units)),
                method,
                launched,
                compilation.cooperative,
                compilation.seen(),
                compilation.readsFields);
    }

    /** Pointers, and records that have some among their components. */
    private static boolean mayBeRestricted(JavaType type) {
        return type instanceof JavaType.Pointer
                || type instanceof JavaType.Record record
                        && record.components().stream().anyMatch(JavaType.Pointer.class::isInstance);
    }

    private static Operand unknownOr(Compilation compilation, Class<?> type) {
        try {
            JavaType known = compilation.types.of(type);
            return known instanceof JavaType.Array ? Operand.unknown() : Operand.of(known);
        } catch (Types.UnsupportedType unsupported) {
            return Operand.unknown();
        }
    }

    private static Function.Launch launch(@Nullable Kernel kernel) {
        if (kernel == null) {
            return new Function.Launch(0, 0, 0, 0, 0);
        }
        int[] cluster = kernel.cluster();
        return new Function.Launch(
                kernel.maxThreads(),
                kernel.minBlocks(),
                cluster.length > 0 ? cluster[0] : 0,
                cluster.length > 1 ? cluster[1] : cluster.length > 0 ? 1 : 0,
                cluster.length > 2 ? cluster[2] : cluster.length > 0 ? 1 : 0);
    }
}
