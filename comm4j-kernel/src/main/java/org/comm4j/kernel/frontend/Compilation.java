// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.annotation.Annotation;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.RuntimeVisibleParameterAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.kernel.capture.ClassBytes;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.KernelLibrary;
import org.jspecify.annotations.Nullable;

/**
 * A kernel and all that it calls while it is translated: a callee is translated when the first call of it is, and again
 * for other types.
 */
final class Compilation {
    private static final int MOST_FUNCTIONS = 10_000;
    /** Limit of calls of a method by itself, each for other types or constants. */
    private static final int MOST_OPEN = 64;

    private static final ClassDesc CONSTANT = Constant.class.describeConstable().orElseThrow();

    /** A method by its class file. */
    record Target(Class<?> owner, String name, MethodTypeDesc type, MethodModel code) {
        boolean isAbstract() {
            return is(Modifier.ABSTRACT);
        }

        boolean isStatic() {
            return is(Modifier.STATIC);
        }

        /** Tests one of the flags of {@link Modifier}. */
        boolean is(int flag) {
            return (code.flags().flagsMask() & flag) != 0;
        }

        /** Whether the first argument of a call is the receiver. */
        boolean isInstance() {
            return !isStatic() && !name.equals("<init>");
        }

        <A extends Annotation> @Nullable A annotation(Class<A> type) {
            for (Method method : owner.getDeclaredMethods()) {
                if (method.getName().equals(name)
                        && MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                                .descriptorString()
                                .equals(this.type.descriptorString())) {
                    return method.getAnnotation(type);
                }
            }
            return null;
        }

        /**
         * Whether the parameter of an argument, the first of which is the receiver of an instance method, is marked
         * {@link Constant}.
         */
        boolean isConstant(int argument) {
            int parameter = isInstance() ? argument - 1 : argument;
            return code.findAttribute(Attributes.runtimeVisibleParameterAnnotations())
                    .map(RuntimeVisibleParameterAnnotationsAttribute::parameterAnnotations)
                    .filter(marked -> parameter >= 0 && parameter < marked.size())
                    .map(marked -> marked.get(parameter).stream()
                            .anyMatch(annotation -> annotation.classSymbol().equals(CONSTANT)))
                    .orElse(false);
        }

        String simpleName() {
            String of = owner.getName();
            return of.substring(of.lastIndexOf('.') + 1).replace('$', '.') + "." + name;
        }

        /** Of the method, whatever it is called with. */
        String key() {
            return owner.getName() + "." + name + type.descriptorString();
        }
    }

    /** A function for a method and what is known of its arguments. */
    record Compiled(Function function, JavaType result) {}

    private record Key(
            String method, List<Object> arguments, @Nullable Position calledAt) {}

    /** A function that is being translated. */
    private record Open(Target target, Key key) {}

    final FrontendOptions options;
    final Diagnostics problems = new Diagnostics();
    final Types types = new Types();
    final Names names = new Names();
    final Globals globals = new Globals(names);
    final ClassBytes classes = new ClassBytes();
    final Methods methods = new Methods(classes);
    final Set<String> units = new LinkedHashSet<>();
    /** Whether something was called that needs all blocks at the same time. */
    boolean cooperative;
    /** Whether values of fields went in. */
    boolean readsFields;

    final List<Function> functions = new ArrayList<>();
    /** How floating-point arithmetic is done. */
    final Kernel.Math math;

    private final Map<Key, @Nullable Compiled> done = new HashMap<>();
    private final List<Open> path = new ArrayList<>();

    Compilation(FrontendOptions options, Kernel.Math math) {
        this.options = options;
        this.math = math;
    }

    /** All classes that were looked at. */
    Set<Class<?>> seen() {
        Set<Class<?>> all = new HashSet<>(types.seen);
        all.addAll(classes.seen());
        return all;
    }

    boolean fast() {
        return math == Kernel.Math.FAST;
    }

    String sourceFile(Class<?> type) {
        ClassModel model = classes.model(type);
        return model == null
                ? ""
                : model.findAttribute(Attributes.sourceFile())
                        .map(file -> file.sourceFile().stringValue())
                        .orElse("");
    }

    /** Whether an argument is one at run time; others are known here, and the method is translated for each value. */
    static boolean isPassed(Target target, int argument, Operand operand) {
        return operand.type().isStored()
                && !(operand.isConstant()
                        && (operand.type() instanceof JavaType.Enumeration || target.isConstant(argument)));
    }

    /** The function of a method that is called with such arguments; null if it has been reported that there is none. */
    @Nullable
    Compiled function(
            Translator caller, Target target, JavaType.@Nullable Record constructed, List<Operand> arguments) {
        List<Object> known = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            Operand argument = arguments.get(i);
            known.add(own(argument.type()));
            if (!argument.type().isStored()) {
                continue;
            }
            if (!isPassed(target, i, argument)) {
                known.add(argument.value());
            } else if (target.isConstant(i)) {
                caller.problem(
                        "argument " + (i + (target.isInstance() ? 0 : 1)) + " of " + target.simpleName()
                                + " is a @Constant, but what is given is not known when the kernel is compiled",
                        "give a literal, a static final field or a @Constant parameter, or leave @Constant out there");
                return null;
            }
        }
        Position calledAt = namesCaller(target) ? caller.calling() : null;
        Key key = new Key(target.key(), known, calledAt);
        if (done.containsKey(key)) {
            return done.get(key);
        }
        if (isRecursive(target, key)) {
            caller.problem(
                    "recursion is not available on the GPU: " + circle(target),
                    "write it as a loop, with a local array as a stack if need be");
            return null;
        }
        if (done.size() > MOST_FUNCTIONS) {
            caller.problem("the kernel calls more than " + MOST_FUNCTIONS + " functions", null);
            return null;
        }
        CodeAttribute code = target.code().findAttribute(Attributes.code()).orElse(null);
        if (code == null) {
            caller.problem(
                    target.simpleName() + " has no code: it is native or abstract",
                    "say what it is on the GPU with @InlinePtx or @DeviceFunction");
            return null;
        }
        problems.enter(caller.place());
        path.add(new Open(target, key));
        Map<Unions.Meeting, JavaType.Union> meetings = new HashMap<>();
        int problemsBefore = problems.count();
        while (true) {
            try {
                Compiled compiled = translate(target, code, calledAt, constructed, arguments, meetings);
                path.removeLast();
                problems.leave();
                done.put(key, compiled);
                return compiled;
            } catch (Unions.Restart again) {
                problems.keep(problemsBefore);
            }
        }
    }

    private Compiled translate(
            Target target,
            CodeAttribute code,
            @Nullable Position calledAt,
            JavaType.@Nullable Record constructed,
            List<Operand> arguments,
            Map<Unions.Meeting, JavaType.Union> meetings) {
        Translator translator = new Translator(this, target.owner(), target.code(), code, calledAt, meetings);
        List<Operand> own = new ArrayList<>();
        List<Value.Parameter> parameters = new ArrayList<>();
        int slot = constructed == null ? 0 : 1;
        for (int i = 0; i < arguments.size(); i++) {
            Operand argument = arguments.get(i);
            JavaType type = own(argument.type());
            if (isPassed(target, i, argument)) {
                Value.Parameter parameter =
                        new Value.Parameter(parameters.size(), type.value(), parameterName(translator, slot, slot));
                parameters.add(parameter);
                own.add(new Operand(type, parameter));
            } else {
                own.add(new Operand(type, argument.value()));
            }
            slot += argument.isWide() ? 2 : 1;
        }
        Position at = translator.emit.at();
        Translator.Translated translated = translator.translate(own, constructed);
        Function function = function(name(target.simpleName()), translated, parameters, at, null);
        functions.add(function);
        return new Compiled(function, translated.result());
    }

    /**
     * Whether errors in it are the caller's: a library's method is then a function for each line that calls it. On the
     * CPU, where all accesses are checked, the vocabulary's are always.
     */
    private boolean namesCaller(Target target) {
        return (options.assertions() || options.checked() || isHostVocabulary(target.owner()))
                && target.owner().isAnnotationPresent(KernelLibrary.class);
    }

    /** Whether it is the vocabulary's, for a processor: accesses in it then have the line that calls it. */
    boolean isHostVocabulary(Class<?> owner) {
        return options.host() && owner.getPackageName().equals(Types.PACKAGE);
    }

    static String parameterName(Translator translator, int slot, int number) {
        String name = translator.flow.parameter(slot);
        return name == null ? "p" + number : name;
    }

    void enter(Target kernel) {
        path.add(new Open(kernel, new Key(kernel.key(), List.of(), null)));
    }

    /**
     * Tests for recursion. A call of the same method for other types or constants is another function, up to a limit.
     */
    private boolean isRecursive(Target target, Key key) {
        return path.stream().anyMatch(open -> open.key().equals(key))
                || path.stream()
                                .filter(open -> open.target().key().equals(target.key()))
                                .count()
                        >= MOST_OPEN;
    }

    /** Names the calls that lead from a method to itself. */
    private String circle(Target target) {
        List<String> names = path.stream().map(open -> open.target().key()).toList();
        List<String> circle = new ArrayList<>();
        path.subList(Math.max(0, names.lastIndexOf(target.key())), path.size())
                .forEach(open -> circle.add(open.target().simpleName()));
        circle.add(target.simpleName());
        return String.join(" calls ", circle);
    }

    Function function(
            String name,
            Translator.Translated translated,
            List<Value.Parameter> parameters,
            Position at,
            Function.@Nullable Launch launch) {
        Function function = new Function(name, translated.result().value(), parameters, at, launch);
        for (Block block : translated.blocks()) {
            function.add(block);
        }
        return function;
    }

    String name(String method) {
        return names.unique(method.replace("<init>", "new"));
    }

    /** As the callee sees it: arrays are not its own. */
    private static JavaType own(JavaType type) {
        return switch (type) {
            case JavaType.Array array -> new JavaType.Array(array.element(), array.constant(), Set.of());
            case JavaType.Closure closure ->
                new JavaType.Closure(
                        closure.type(),
                        closure.method(),
                        closure.code(),
                        closure.in(),
                        closure.captured().stream().map(Compilation::own).toList());
            default -> type;
        };
    }
}
