// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.comm4j.bind.DeviceHeader.Enumeration;
import org.comm4j.bind.DeviceHeader.Enumerator;
import org.comm4j.bind.DeviceType.Enumerated;
import org.comm4j.bind.DeviceType.Numeric;
import org.comm4j.bind.clang.Node;
import org.jspecify.annotations.Nullable;

/** Parameters of templates, and the arguments that they are tried with. */
final class Templates {
    /** A size of blocks, warps and tiles. */
    private static final long SIZE = 32;

    /** More types together make too many methods. */
    private static final int MOST_TYPES = 2;

    /**
     * A parameter.
     *
     * @param value its type if it is a value, null if it is a type
     * @param optional whether it has a default
     */
    record Parameter(String name, @Nullable DeviceType value, boolean optional) {
        long tried() {
            return switch (value) {
                case Enumerated enumerated ->
                    enumerated.of().enumerators().getFirst().value();
                case Numeric number when number.java().equals("boolean") -> 1;
                case null, default -> SIZE;
            };
        }
    }

    private Templates() {}

    /**
     * Returns the parameters that a call may give, those that it has to first.
     *
     * @throws IllegalArgumentException if one that has to be given is neither a type nor a number; says why
     */
    static List<Parameter> parameters(Node template, String scope, Map<String, Enumeration> enums) {
        List<Parameter> parameters = new ArrayList<>();
        String refused = "";
        for (Node node : template.inner()) {
            boolean optional = node.fields().containsKey("defaultArg");
            boolean pack = node.text("isParameterPack").equals("true");
            Parameter parameter = switch (node.kind()) {
                case "TemplateTypeParmDecl" -> pack || optional ? null : new Parameter(node.name(), null, false);
                case "NonTypeTemplateParmDecl" -> {
                    DeviceType type = pack || node.name().isEmpty() ? null : type(node, scope, enums);
                    yield type == null ? null : new Parameter(node.name(), type, optional);
                }
                case "TemplateTemplateParmDecl" -> null;
                default -> new Parameter("", null, true);
            };
            if (parameter == null && !optional) {
                throw new IllegalArgumentException("its parameter " + node.name()
                        + (pack ? " is a pack" : " is neither a type nor a whole number nor an enum"));
            }
            if (parameter == null) {
                refused = node.name();
            } else if (!parameter.name().isEmpty() && refused.isEmpty()) {
                parameters.add(parameter);
            } else if (!parameter.name().isEmpty() && !parameter.optional()) {
                throw new IllegalArgumentException(
                        "its parameter " + parameter.name() + " comes behind one with a default that cannot be given");
            }
        }
        if (parameters.stream().filter(each -> each.value() == null).count() > MOST_TYPES) {
            throw new IllegalArgumentException("more than " + MOST_TYPES + " of its parameters are types");
        }
        return parameters;
    }

    /** Returns how many have to be given. */
    static int required(List<Parameter> parameters) {
        int required = 0;
        for (int i = 0; i < parameters.size(); i++) {
            required = parameters.get(i).optional() ? required : i + 1;
        }
        return required;
    }

    private static @Nullable DeviceType type(Node parameter, String scope, Map<String, Enumeration> enums) {
        String desugared = parameter.node("type").text("desugaredQualType");
        String name = (desugared.isEmpty() ? parameter.type() : desugared)
                .replace("const ", "")
                .strip();
        Numeric number = DeviceType.NUMBERS.get(name.equals("size_t") ? "unsigned long" : name);
        if (number != null) {
            return number.java().equals("float") || number.java().equals("double") ? null : number;
        }
        Enumeration enumeration = enumeration(name, scope, enums);
        return enumeration == null ? null : new Enumerated(enumeration);
    }

    /** Returns the enum of a name as it is found from inside of a namespace or class. */
    static @Nullable Enumeration enumeration(String name, String scope, Map<String, Enumeration> enums) {
        for (String around = scope; ; ) {
            Enumeration found = enums.get(around + name);
            if (found != null || around.isEmpty()) {
                return found;
            }
            int end = around.lastIndexOf("::", around.length() - 3);
            around = end < 0 ? "" : around.substring(0, end + 2);
        }
    }

    /** Returns an enum's value in C++, as clang spells it. */
    static String spelled(Enumeration enumeration, long value) {
        int end = enumeration.name().lastIndexOf("::");
        String scope = enumeration.scoped()
                ? enumeration.name() + "::"
                : end < 0 ? "" : enumeration.name().substring(0, end + 2);
        return enumeration.enumerators().stream()
                .filter(each -> each.value() == value)
                .map(Enumerator::name)
                .findFirst()
                .map(each -> scope + each)
                .orElse("(" + enumeration.name() + ") " + value);
    }

    /** Returns the lists of arguments that a template is tried with: all of these types for each of its types. */
    static List<List<String>> tries(List<Parameter> parameters, List<String> types) {
        List<List<String>> all = List.of(List.of());
        for (Parameter parameter : parameters.subList(0, required(parameters))) {
            List<String> choices = switch (parameter.value()) {
                case null -> types;
                case Enumerated enumerated -> List.of(spelled(enumerated.of(), parameter.tried()));
                case DeviceType _ -> List.of(String.valueOf(parameter.tried()));
            };
            all = all.stream()
                    .flatMap(list -> choices.stream()
                            .map(choice -> Stream.concat(list.stream(), Stream.of(choice))
                                    .toList()))
                    .toList();
        }
        return all;
    }

    /**
     * Returns the arguments of a call of an instance that was tried.
     *
     * @param instance the arguments that it was tried with
     * @param given how many of the parameters the call gives
     * @param shown whether a type shows in the function's parameters, by the parameter's name
     */
    static Gaps gaps(
            String template,
            List<Parameter> parameters,
            List<String> instance,
            int given,
            java.util.function.Predicate<String> shown) {
        List<String> arguments = new ArrayList<>();
        List<Gaps.Value> values = new ArrayList<>();
        StringBuilder extra = new StringBuilder();
        for (int i = 0; i < given; i++) {
            Parameter parameter = parameters.get(i);
            DeviceType type = parameter.value();
            if (type == null) {
                arguments.add(instance.get(i));
                if (!shown.test(parameter.name())) {
                    extra.append('_').append(instance.get(i).replaceAll("\\W+", "_"));
                }
            } else {
                String cpp = type instanceof Enumerated enumerated
                        ? "::" + enumerated.of().name()
                        : ((Numeric) type).cpp();
                arguments.add("(" + cpp + ") (V" + values.size() + ")");
                values.add(new Gaps.Value(parameter.name(), type, parameter.tried()));
            }
        }
        return new Gaps(template, arguments, values, extra.toString());
    }
}
