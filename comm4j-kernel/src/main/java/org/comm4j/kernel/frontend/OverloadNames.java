// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.comm4j.kernel.frontend.Compilation.Target;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Terminator;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.DeviceFunction;
import org.jspecify.annotations.Nullable;

/**
 * Functions outside of Java of which there are many for one method: their names have what is known of the arguments
 * ({@link DeviceFunction#words}).
 */
final class OverloadNames {
    private final Translator method;
    private final Intrinsics vocabulary;

    OverloadNames(Translator method, Intrinsics vocabulary) {
        this.method = method;
        this.vocabulary = vocabulary;
    }

    /** A call of that one which the arguments name. */
    Operand call(DeviceFunction function, Target target, JavaType result, List<Operand> arguments) {
        Set<Integer> named = new TreeSet<>();
        Intrinsics.OPERAND
                .matcher(function.value())
                .results()
                .forEach(number -> named.add(Integer.parseInt(number.group(1)) - 1));
        List<Integer> open = named.stream()
                .filter(i -> !function.words().isEmpty())
                .filter(i -> arguments.get(i).type() instanceof JavaType.Enumeration
                        && arguments.get(i).constant() == null)
                .toList();
        if (open.size() == 1) {
            return inEachCase(function, target, result, arguments, open.getFirst());
        }
        if (function.words().isEmpty()) {
            for (int i : named) {
                if (arguments.get(i).constant() == null) {
                    method.problem(
                            target.owner().getSimpleName() + "." + target.name() + " needs a constant as argument "
                                    + (i + 1),
                            "use a literal, a static final field or a @Constant parameter");
                    return Calls.quiet(target.type().returnType());
                }
            }
            return vocabulary.function(function, numbered(function, arguments), target, result, arguments, named);
        }
        String name = name(function, arguments);
        if (name == null) {
            method.problem(
                    target.owner().getSimpleName() + "." + target.name() + " has no function for "
                            + named.stream()
                                    .map(i -> constant(arguments.get(i)))
                                    .collect(Collectors.joining(", ")),
                    "there are functions for: " + function.words());
            return Calls.quiet(target.type().returnType());
        }
        named.removeIf(i -> !(arguments.get(i).type() instanceof JavaType.Enumeration));
        return vocabulary.function(function, name, target, result, arguments, named);
    }

    /** The function's name, with the numbers of constants. */
    private static String numbered(DeviceFunction function, List<Operand> arguments) {
        return Intrinsics.OPERAND
                .matcher(function.value())
                .replaceAll(number -> String.valueOf(arguments
                                .get(Integer.parseInt(number.group(1)) - 1)
                                .constant())
                        .replace('-', 'm'));
    }

    /** The function's name, with words for what is known of the arguments; null if there is none for one of them. */
    private static @Nullable String name(DeviceFunction function, List<Operand> arguments) {
        Map<String, String> words = new HashMap<>();
        for (String each : function.words().split(", ")) {
            int blank = each.indexOf(' ');
            words.put(each.substring(0, blank), each.substring(blank + 1));
        }
        StringBuilder name = new StringBuilder();
        Matcher matcher = Intrinsics.OPERAND.matcher(function.value());
        while (matcher.find()) {
            String word = words.get(constant(arguments.get(Integer.parseInt(matcher.group(1)) - 1)));
            if (word == null) {
                return null;
            }
            matcher.appendReplacement(name, Matcher.quoteReplacement(word));
        }
        return matcher.appendTail(name).toString();
    }

    /** The type of a pointer's elements, or an enum's constant. */
    private static String constant(Operand argument) {
        if (argument.type() instanceof JavaType.Pointer pointer) {
            return Intrinsics.element(pointer.of()) == null
                    ? "elements of no type"
                    : Intrinsics.elementType(pointer.of()).name();
        }
        return argument.type() instanceof JavaType.Enumeration constants && argument.constant() != null
                ? ((Enum<?>) constants.of()
                                .getEnumConstants()[argument.constant().intValue()])
                        .name()
                : argument.type().toString();
    }

    /** A switch over an enum that is known only when the kernel runs. */
    private Operand inEachCase(
            DeviceFunction function, Target target, JavaType result, List<Operand> arguments, int which) {
        IrBuilder emit = method.emit;
        Operand chosen = arguments.get(which);
        int constants = ((JavaType.Enumeration) chosen.type()).of().getEnumConstants().length;
        Map<Integer, List<Operand>> known = new TreeMap<>();
        Map<Integer, Block> cases = new TreeMap<>();
        for (int i = 0; i < constants; i++) {
            List<Operand> of = new ArrayList<>(arguments);
            of.set(which, new Operand(chosen.type(), IrBuilder.i32(i)));
            if (name(function, of) != null) {
                known.put(i, of);
                cases.put(i, emit.block("constant"));
            }
        }
        Block none = emit.block("none");
        Block done = emit.block("chosen");
        Value memory =
                result == Primitive.VOID ? null : emit.alloca(result.onStack().value(), "chosen");
        emit.end(new Terminator.Switch(emit.at(), chosen.value(), cases, none));
        known.forEach((ordinal, of) -> {
            emit.begin(Objects.requireNonNull(cases.get(ordinal)));
            Operand made = call(function, target, result, of);
            if (memory != null) {
                emit.store(made.value(), memory);
            }
            emit.jump(done, 0);
        });
        emit.begin(none);
        emit.fail("IllegalArgumentException: " + target.name() + " has no such function");
        emit.begin(done);
        return memory == null
                ? Operand.of(result)
                : new Operand(result.onStack(), emit.load(result.onStack().value(), memory));
    }
}
