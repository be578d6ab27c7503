// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.bind.DeviceConfig.Intent;
import org.comm4j.bind.DeviceHeader.Callable;
import org.comm4j.bind.DeviceHeader.LeftOut;
import org.comm4j.bind.DeviceHeader.Role;
import org.comm4j.bind.DeviceType.Enumerated;
import org.comm4j.bind.DeviceType.Impossible;
import org.comm4j.bind.DeviceType.Leaf;
import org.comm4j.bind.DeviceType.Nothing;
import org.comm4j.bind.DeviceType.Numeric;
import org.comm4j.bind.DeviceType.Reference;
import org.comm4j.bind.DeviceType.Structure;
import org.comm4j.bind.DeviceTypes.Signature;

/**
 * How a function is called from Java. What crosses the border are {@code int}, {@code long}, {@code float}, {@code
 * double} and addresses, nothing on which the conventions of two compilers could differ: smaller numbers are widened,
 * structs are taken apart. Results of more than 64 bits, and of several parts, are written to slots of 64 bits. After
 * inlining nothing is left of this.
 *
 * @param name of the method in Java
 * @param arguments in C++'s order; {@code self} of a method is the first
 * @param results of the function, then of its parameters that are results
 * @param symbol of the wrapper
 */
record DeviceBinding(Callable callable, String name, List<Argument> arguments, List<Result> results, String symbol) {
    enum How {
        /** A value; what the function has as a reference or pointer is one to a copy. */
        VALUE,
        POINTER,
        RETURN
    }

    /** @param value what is passed, or pointed to */
    record Argument(String name, DeviceType declared, DeviceType value, How how) {}

    /** @param value a pointer is a {@link Reference} */
    record Result(String name, DeviceType value) {}

    /** How the wrapper gives results back. */
    enum Return {
        NOTHING,
        /** As itself. */
        SINGLE,
        /** Two of 32 bits in one {@code long}, the first in the low half. */
        PACKED,
        /** In slots at an address, which is the wrapper's first parameter. */
        SLOTS
    }

    /** The parameters that are constants of the call: values of a template. */
    List<Gaps.Value> values() {
        Gaps gaps = callable.gaps();
        return gaps == null ? List.of() : gaps.values();
    }

    /** The wrapper's name, in which {@code $1} is the first constant of the call. */
    String entry() {
        Gaps gaps = callable.gaps();
        return gaps == null ? symbol : symbol + gaps.ending();
    }

    boolean isPointerResult() {
        return results.size() == 1 && results.getFirst().value() instanceof Reference;
    }

    /** Whether a struct is passed or returned, by value or in another one. */
    boolean mentions(DeviceType.Struct struct) {
        return Stream.concat(
                        arguments.stream().map(Argument::value),
                        results.stream().map(Result::value))
                .anyMatch(type -> mentions(type, struct));
    }

    private static boolean mentions(DeviceType type, DeviceType.Struct struct) {
        return switch (type) {
            case Structure structure ->
                structure.of().equals(struct)
                        || structure.of().fields().stream().anyMatch(field -> mentions(field.type(), struct));
            case Reference reference -> mentions(reference.target(), struct);
            case Numeric _, Enumerated _, Nothing(), Impossible _ -> false;
        };
    }

    /** The numbers of the results, in order. */
    List<Leaf> resultLeaves() {
        return results.stream()
                .flatMap(result -> DeviceType.leaves(result.value()).stream())
                .toList();
    }

    Return returning() {
        if (results.isEmpty()) {
            return Return.NOTHING;
        }
        List<Leaf> leaves = resultLeaves();
        if (leaves.size() == 1) {
            return Return.SINGLE;
        }
        boolean small = leaves.size() == 2
                && leaves.stream().allMatch(leaf -> leaf.number().bytes() <= 4);
        return small ? Return.PACKED : Return.SLOTS;
    }

    /** Whether the method of Java is the wrapper itself. */
    boolean isDirect() {
        boolean plain = results.size() <= 1
                && results.stream().allMatch(result -> isPlain(result.value()))
                && returning() != Return.SLOTS
                && returning() != Return.PACKED;
        return plain
                && arguments.stream()
                        .allMatch(argument -> argument.how() == How.POINTER
                                ? isPlainPointer(argument.value())
                                : argument.how() == How.VALUE && isPlain(argument.value()));
    }

    private static boolean isPlain(DeviceType type) {
        return switch (type) {
            case Numeric number -> DeviceType.DIRECT.contains(number.java());
            case Enumerated enumerated ->
                DeviceNames.isDense(enumerated.of())
                        || DeviceType.DIRECT.contains(
                                DeviceType.underlying(enumerated).java());
            case Reference reference -> isPlainPointer(reference.target());
            case Structure _, Nothing(), Impossible _ -> false;
        };
    }

    /** Whether the pointer's class is one of the compiler's own. */
    static boolean isPlainPointer(DeviceType target) {
        return !(target instanceof Structure structure) || !DeviceNames.isWrapped(structure.of());
    }

    /** Bindings for all that Java can call; what it cannot is added to what is left out. */
    static List<DeviceBinding> plan(
            DeviceConfig config,
            DeviceNames names,
            Map<Callable, Signature> signatures,
            Map<String, DeviceType.Struct> structs,
            List<LeftOut> leftOut) {
        List<DeviceBinding> bindings = new ArrayList<>();
        String unit = config.className.substring(config.className.lastIndexOf('.') + 1);
        signatures.forEach((callable, signature) -> {
            try {
                bindings.add(
                        plan(config, names, callable, signature, structs, "comm4j_" + unit + "_" + callable.symbol()));
            } catch (IllegalArgumentException e) {
                leftOut.add(new LeftOut(
                        callable.qualified() + " " + callable.type(),
                        callable.place(),
                        String.valueOf(e.getMessage())));
            }
        });
        return distinguished(names, bindings);
    }

    private static DeviceBinding plan(
            DeviceConfig config,
            DeviceNames names,
            Callable callable,
            Signature signature,
            Map<String, DeviceType.Struct> structs,
            String symbol) {
        List<Argument> arguments = new ArrayList<>();
        List<Result> results = new ArrayList<>();
        DeviceType result = signature.result();
        if (callable.role() == Role.METHOD
                || callable.role() == Role.CONVERSION
                || callable.role() == Role.CONSTRUCTOR) {
            DeviceType.Struct owner = structs.get(callable.owner());
            if (owner == null) {
                throw new IllegalArgumentException("the layout of " + callable.owner() + " is not known");
            }
            Structure self = new Structure(owner);
            if (callable.role() == Role.CONSTRUCTOR) {
                result = self;
            } else {
                boolean value = callable.constant() && !owner.isOpaque();
                Reference type = new Reference(
                        self, (callable.constant() ? "const " : "") + owner.cpp(), callable.constant(), false, false);
                arguments.add(new Argument("self", type, self, value ? How.VALUE : How.POINTER));
            }
        }
        switch (result) {
            case Nothing() -> {}
            case Reference reference
            when !reference.pointer() && reference.constant() && isCopyable(reference.target()) ->
                results.add(new Result("result", reference.target()));
            case Reference reference
            when reference.temporary() ->
                throw new IllegalArgumentException("its result is a reference to a temporary value");
            default -> {
                check("its result is", result);
                results.add(new Result("result", result));
            }
        }
        refuseDependent(callable, signature);
        List<String> parameterNames = callable.parameterNames();
        for (int i = 0; i < signature.parameters().size(); i++) {
            DeviceType type = signature.parameters().get(i);
            String name = i < parameterNames.size() ? parameterNames.get(i) : "argument" + i;
            Intent intent = config.intent(callable.qualified(), name);
            if (callable.role() == Role.COLLECTIVE && intent == Intent.INOUT && isOutput(type)) {
                intent = Intent.RETURN;
            }
            Argument argument = argument(unique(names.variable(name), arguments, callable), type, intent);
            arguments.add(argument);
            if (argument.how() == How.RETURN) {
                results.add(new Result(argument.name(), argument.value()));
            }
        }
        if (results.size() > 1 && results.stream().anyMatch(each -> each.value() instanceof Reference)) {
            throw new IllegalArgumentException("a pointer among several results");
        }
        return new DeviceBinding(
                callable,
                names.method(
                        callable, signature.result(), signature.parameters().size()),
                arguments,
                results,
                symbol);
    }

    /** Whether a parameter of CUB's classes is a result: a reference to a number or a struct. */
    private static boolean isOutput(DeviceType type) {
        return type instanceof Reference reference
                && !reference.pointer()
                && !reference.constant()
                && !reference.temporary()
                && isCopyable(reference.target());
    }

    /** Types in which a value of a template is have other fields in each instance. */
    private static void refuseDependent(Callable callable, Signature signature) {
        Gaps gaps = callable.gaps();
        if (gaps == null || gaps.values().isEmpty()) {
            return;
        }
        String types = callable.type()
                + Stream.concat(Stream.of(signature.result()), signature.parameters().stream())
                        .map(type -> switch (type) {
                            case Structure structure -> structure.of().cpp();
                            case Reference reference -> reference.cpp();
                            default -> "";
                        })
                        .collect(Collectors.joining(" "));
        for (Gaps.Value value : gaps.values()) {
            if (value.tried() > 1 && types.matches("(?s).*\\b" + value.tried() + "\\b.*")) {
                throw new IllegalArgumentException("its types depend on " + value.name() + "; 'instantiate "
                        + gaps.template().substring(2) + "<...>' says with which arguments it is wanted");
            }
        }
    }

    private static String unique(String name, List<Argument> others, Callable callable) {
        Gaps gaps = callable.gaps();
        String unique = name;
        while (taken(unique, others) || gaps != null && isValue(unique, gaps)) {
            unique += "_";
        }
        return unique;
    }

    private static boolean isValue(String name, Gaps gaps) {
        return gaps.values().stream().anyMatch(value -> value.name().equals(name));
    }

    private static boolean taken(String name, List<Argument> others) {
        return others.stream().anyMatch(other -> other.name().equals(name));
    }

    private static Argument argument(String name, DeviceType type, Intent intent) {
        check("parameter " + name + " is", type);
        if (!(type instanceof Reference reference)) {
            return new Argument(name, type, type, How.VALUE);
        }
        DeviceType target = reference.target();
        if (intent != Intent.INOUT) {
            if (!isCopyable(target)) {
                throw new IllegalArgumentException("parameter " + name + " cannot be a value: " + why(target));
            }
            return new Argument(name, type, target, intent == Intent.IN ? How.VALUE : How.RETURN);
        }
        boolean value = !reference.pointer() && (reference.constant() || reference.temporary()) && isCopyable(target);
        return new Argument(name, type, target, value ? How.VALUE : How.POINTER);
    }

    private static boolean isCopyable(DeviceType type) {
        return switch (type) {
            case Numeric _, Enumerated _ -> true;
            case Structure structure -> !structure.of().isOpaque();
            case Nothing(), Reference _, Impossible _ -> false;
        };
    }

    private static String why(DeviceType type) {
        return type instanceof Structure structure
                ? structure.of().cpp() + " is only pointed to ("
                        + structure.of().opaque() + ")"
                : "it points to no number and no struct";
    }

    private static void check(String what, DeviceType type) {
        switch (type) {
            case Impossible impossible -> throw new IllegalArgumentException(what + " " + impossible.reason());
            case Structure structure
            when structure.of().isOpaque() ->
                throw new IllegalArgumentException(
                        what + " a " + structure.of().cpp() + " by value, which is only pointed to ("
                                + structure.of().opaque() + ")");
            case Reference reference
            when reference.target() instanceof Impossible impossible ->
                throw new IllegalArgumentException(what + " " + impossible.reason());
            case Nothing(), Numeric _, Enumerated _, Structure _, Reference _ -> {}
        }
    }

    /**
     * Overloads that are the same to Java get the C++ types into their names; those alone that have only types of
     * Java's own keep the plain one.
     */
    private static List<DeviceBinding> distinguished(DeviceNames names, List<DeviceBinding> bindings) {
        Map<String, List<DeviceBinding>> same = bindings.stream()
                .collect(
                        Collectors.groupingBy(binding -> key(names, binding), LinkedHashMap::new, Collectors.toList()));
        List<DeviceBinding> all = new ArrayList<>();
        for (DeviceBinding binding : bindings) {
            List<DeviceBinding> group = same.getOrDefault(key(names, binding), List.of());
            List<DeviceBinding> plain =
                    group.stream().filter(DeviceBinding::isSigned).toList();
            boolean keeps =
                    group.size() == 1 || plain.size() == 1 && plain.getFirst().equals(binding);
            String end = keeps
                    ? ""
                    : isDifferent(group, each -> each.values().size())
                            ? binding.furtherValues(group)
                            : isDifferent(group, each -> each.results().size())
                                    ? binding.furtherResults(group)
                                    : binding.suffix(names);
            all.add(end.isEmpty() ? binding : binding.named(binding.name() + end));
        }
        // Whatever still is the same gets a number.
        Map<String, Integer> count = new LinkedHashMap<>();
        all.replaceAll(binding -> {
            int n = count.merge(key(names, binding), 1, Integer::sum);
            return n == 1 ? binding : binding.named(binding.name() + "_" + n);
        });
        return all;
    }

    private DeviceBinding named(String other) {
        return new DeviceBinding(callable, other, arguments, results, symbol);
    }

    private boolean isSigned() {
        return arguments.stream()
                .allMatch(argument -> !(argument.value() instanceof Numeric number) || !number.isUnsigned());
    }

    private static boolean isDifferent(List<DeviceBinding> group, Function<DeviceBinding, Integer> number) {
        return group.stream().map(number).distinct().count() == group.size();
    }

    /** Returns the names of the template's values that the overload with the fewest has not. */
    private String furtherValues(List<DeviceBinding> overloads) {
        int fewest =
                overloads.stream().mapToInt(each -> each.values().size()).min().orElse(0);
        return values().stream().skip(fewest).map(value -> "_" + value.name()).collect(Collectors.joining());
    }

    /** Returns the names of the results that the overload with the fewest has not. */
    private String furtherResults(List<DeviceBinding> overloads) {
        int fewest =
                overloads.stream().mapToInt(each -> each.results().size()).min().orElse(0);
        return results.stream().skip(fewest).map(result -> "_" + result.name()).collect(Collectors.joining());
    }

    private String suffix(DeviceNames names) {
        return arguments.stream()
                .filter(argument -> argument.how() != How.RETURN)
                .map(argument ->
                        "_" + names.word(argument.how() == How.POINTER ? argument.declared() : argument.value()))
                .collect(Collectors.joining());
    }

    private static String key(DeviceNames names, DeviceBinding binding) {
        return binding.name()
                + Stream.concat(
                                binding.values().stream().map(value -> valueType(names, value.type())),
                                binding.arguments().stream()
                                        .filter(argument -> argument.how() != How.RETURN)
                                        .map(argument -> javaType(names, argument)))
                        .collect(Collectors.joining(",", "(", ")"));
    }

    static String javaType(DeviceNames names, Argument argument) {
        return argument.how() == How.POINTER ? names.pointerTo(argument.value()) : valueType(names, argument.value());
    }

    /** The Java type of a value; a reference is a pointer. */
    static String valueType(DeviceNames names, DeviceType type) {
        return switch (type) {
            case Numeric number -> number.java();
            case Enumerated enumerated ->
                DeviceNames.isDense(enumerated.of())
                        ? names.enumeration(enumerated.of())
                        : DeviceType.underlying(enumerated).java();
            case Structure structure -> names.record(structure.of());
            case Reference reference -> names.pointerTo(reference.target());
            case Nothing() -> "void";
            case Impossible impossible -> throw new IllegalArgumentException(impossible.reason());
        };
    }
}
