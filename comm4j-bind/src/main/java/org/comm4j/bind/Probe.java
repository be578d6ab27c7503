// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.bind.clang.CudaSource;
import org.comm4j.bind.clang.Node;

/**
 * Questions to the compiler: pieces of C++ behind a header, all in namespaces {@code comm4j_probe}, each of which may
 * fail on its own.
 */
final class Probe {
    private static final Pattern SHOW = Pattern.compile("comm4j_show<(.*)>", Pattern.DOTALL);

    private static final String PRELUDE = """

        template <class T> struct comm4j_show;
        template <class T> constexpr int comm4j_kind(T) {
            return __is_same(T, bool) ? 1
                    : __is_floating_point(T) ? (sizeof(T) == 4 ? 2 : sizeof(T) == 8 ? 3 : 0)
                    : __is_integral(T) || __is_enum(T) ? (sizeof(T) <= 4 ? 4 : 5) : 0;
        }
        template <class T> constexpr long long comm4j_value(T v) {
            if constexpr (__is_floating_point(T)) {
                return __builtin_bit_cast(long long, (double) v);
            } else {
                return (long long) v;
            }
        }
        """;

    /**
     * What the compiler said, by the names in the probes.
     *
     * @param types types without aliases
     * @param values values of constants
     */
    record Answers(Map<String, String> types, Map<String, Long> values) {}

    private final CudaSource source;
    private final String text;

    /**
     * Makes a probe of a source.
     *
     * @param text the source that stands before the pieces
     */
    Probe(CudaSource source, String text) {
        this.source = source;
        this.text = text + PRELUDE;
    }

    /** Returns what the compiler says of {@code pieces}; what does not compile has no answer. */
    Answers ask(String pieces) throws IOException {
        Map<String, String> types = new LinkedHashMap<>();
        Map<String, Long> values = new LinkedHashMap<>();
        for (Node probe : source.named("comm4j_probe", text + pieces)) {
            probe.all().forEach(node -> {
                if (node.kind().equals("TypedefDecl")) {
                    String shown = node.node("type").text("desugaredQualType");
                    Matcher show = SHOW.matcher(shown.isEmpty() ? node.type() : shown);
                    if (show.matches() && !node.text("isInvalid").equals("true")) {
                        types.put(node.name(), show.group(1).strip());
                    }
                } else if (node.kind().equals("EnumConstantDecl")) {
                    node.all()
                            .map(each -> each.text("value"))
                            .filter(value -> value.matches("-?\\d+"))
                            .findFirst()
                            .ifPresent(value -> values.put(
                                    node.name(),
                                    value.startsWith("-") ? Long.parseLong(value) : Long.parseUnsignedLong(value)));
                }
            });
        }
        return new Answers(types, values);
    }

    /** Returns a piece within the probes' namespace of {@code scope}, which ends with {@code ::} or is empty. */
    static String inNamespace(String scope, String body) {
        String[] names = scope.isEmpty() ? new String[0] : scope.split("::");
        StringBuilder text = new StringBuilder();
        for (String name : names) {
            text.append("namespace ").append(name).append(" { ");
        }
        return text.append("namespace comm4j_probe { ")
                .append(body)
                .append(" }")
                .append(" }".repeat(names.length))
                .append('\n')
                .toString();
    }

    /** Returns the piece that asks for the value of an expression, under a name. */
    static String value(String name, String expression) {
        return "namespace comm4j_probe { enum : long long { " + name + " = (long long) (" + expression + ") }; }\n";
    }
}
