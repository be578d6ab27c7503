// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.bind.DeviceHeader.Aggregate;
import org.comm4j.bind.DeviceHeader.Callable;
import org.comm4j.bind.DeviceType.Enumerated;
import org.comm4j.bind.DeviceType.Field;
import org.comm4j.bind.DeviceType.Impossible;
import org.comm4j.bind.DeviceType.Leaf;
import org.comm4j.bind.DeviceType.Nothing;
import org.comm4j.bind.DeviceType.Numeric;
import org.comm4j.bind.DeviceType.Reference;
import org.comm4j.bind.DeviceType.Struct;
import org.comm4j.bind.DeviceType.Structure;
import org.comm4j.bind.clang.CudaSource;
import org.comm4j.bind.clang.Node;

/**
 * What the compiler says about types: it is asked by pieces of C++ behind the header, all in namespaces {@code
 * comm4j_probe}, each of which may fail on its own.
 */
final class DeviceTypes {
    /** A struct of more numbers than this is only pointed to. */
    private static final int MOST_LEAVES = 32;

    private static final Pattern SHOW = Pattern.compile("comm4j_show<(.*)>", Pattern.DOTALL);
    private static final Pattern ARRAY = Pattern.compile("(.*?) ?((?:\\[\\d+])+)");

    /** Structs that Java has as their bits. */
    private static final Map<String, Numeric> BITS = Map.of(
            "__half", DeviceType.number("unsigned short"),
            "__half2", DeviceType.number("unsigned int"),
            "__nv_bfloat16", DeviceType.number("unsigned short"),
            "__nv_bfloat162", DeviceType.number("unsigned int"));

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

    /** The canonical type of a callable: result and parameters. */
    record Signature(DeviceType result, List<DeviceType> parameters) {}

    /** A constant of Java. */
    record Constant(String type, String value) {}

    private final DeviceConfig config;
    private final CudaSource source;
    private final String text;
    private final DeviceHeader header;
    private final Map<String, Struct> structs = new LinkedHashMap<>();

    DeviceTypes(DeviceConfig config, CudaSource source, String text, DeviceHeader header) {
        this.config = config;
        this.source = source;
        this.text = text + PRELUDE;
        this.header = header;
    }

    Map<String, Struct> structs() {
        return structs;
    }

    private record Answers(Map<String, String> types, Map<String, Long> values) {}

    private Answers ask(String probes) throws IOException {
        Map<String, String> types = new LinkedHashMap<>();
        Map<String, Long> values = new LinkedHashMap<>();
        for (Node probe : source.named("comm4j_probe", text + probes)) {
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

    /** The signatures of all callables of which the compiler could say them. */
    Map<Callable, Signature> signatures(List<Callable> callables) throws IOException {
        StringBuilder probes = new StringBuilder();
        for (int i = 0; i < callables.size(); i++) {
            Callable callable = callables.get(i);
            String show = "typedef ::comm4j_show<" + callable.type() + "> f" + i + ";";
            boolean member = callable.role() != DeviceHeader.Role.FREE;
            if (member) {
                // Inside of the class and its namespaces their names mean something; not all classes can be inherited
                // from.
                String namespace = namespace(callable.scope());
                probes.append(
                        inNamespace(namespace, "struct c" + i + " : ::" + callable.owner() + " { " + show + " };"));
                probes.append(inNamespace(namespace, show.replace(" f" + i, " g" + i)));
                probes.append(inNamespace("", show.replace(" f" + i, " h" + i)));
            } else {
                probes.append(inNamespace(callable.scope(), show));
            }
        }
        Answers answers = ask(probes.toString());
        Map<Callable, List<String>> found = new LinkedHashMap<>();
        Set<String> mentioned = new LinkedHashSet<>();
        for (int i = 0; i < callables.size(); i++) {
            int index = i;
            String type = Stream.of("f", "g", "h")
                    .map(letter -> answers.types().getOrDefault(letter + index, ""))
                    .filter(each -> !each.isEmpty())
                    .findFirst()
                    .orElse("");
            if (type.isEmpty()) {
                header.leftOut.add(new DeviceHeader.LeftOut(
                        callables.get(i).qualified() + " " + callables.get(i).type(),
                        callables.get(i).place(),
                        "its types have no names outside of its class"));
            } else {
                List<String> parts = parts(type);
                found.put(callables.get(i), parts);
                parts.forEach(part -> mentioned.add(base(part)));
                if (!callables.get(i).scope().isEmpty()) {
                    mentioned.add(callables.get(i).owner());
                }
            }
        }
        header.aggregates.values().stream()
                .filter(aggregate -> aggregate.kept() && config.isWanted(aggregate.name()))
                .forEach(aggregate -> mentioned.add(aggregate.name()));
        layOut(mentioned);
        Map<Callable, Signature> signatures = new LinkedHashMap<>();
        found.forEach((callable, parts) -> signatures.put(
                callable,
                new Signature(
                        type(parts.getFirst()),
                        parts.subList(1, parts.size()).stream().map(this::type).toList())));
        return signatures;
    }

    /** The namespaces around a class, or the namespace itself. */
    private String namespace(String scope) {
        String namespace = scope;
        while (!namespace.isEmpty() && !header.namespaces.contains(namespace)) {
            int end = namespace.lastIndexOf("::", namespace.length() - 3);
            namespace = end < 0 ? "" : namespace.substring(0, end + 2);
        }
        return namespace;
    }

    private static String inNamespace(String scope, String body) {
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

    /** Result and parameters of {@code float (int, T *)}; a pointer to a function keeps its parentheses. */
    static List<String> parts(String function) {
        int open = openOfParameters(function);
        List<String> parts = new ArrayList<>(List.of(function.substring(0, open).strip()));
        String inner = function.substring(open + 1, function.lastIndexOf(')'));
        int depth = 0;
        int start = 0;
        for (int i = 0; i <= inner.length(); i++) {
            char c = i < inner.length() ? inner.charAt(i) : ',';
            depth += "(<[".indexOf(c) >= 0 ? 1 : ")>]".indexOf(c) >= 0 ? -1 : 0;
            if (c == ',' && (depth == 0 || i == inner.length())) {
                String part = inner.substring(start, i).strip();
                if (!part.isEmpty() && !part.equals("void")) {
                    parts.add(part);
                }
                start = i + 1;
            }
        }
        return parts;
    }

    private static int openOfParameters(String function) {
        int depth = 0;
        for (int i = function.lastIndexOf(')'); i >= 0; i--) {
            depth += function.charAt(i) == ')' ? 1 : function.charAt(i) == '(' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException("no function type: " + function);
    }

    /** The type below pointers, references, arrays and qualifiers. */
    static String base(String type) {
        return type.replaceAll("\\b(const|volatile|__restrict)\\b", "")
                .replaceAll("[*&]", "")
                .replaceAll("(\\[\\d+])+$", "")
                .strip();
    }

    /** Asks for the layout of structs and of those in them. */
    private void layOut(Set<String> names) throws IOException {
        Set<String> open = new LinkedHashSet<>(names);
        open.removeIf(name -> structs.containsKey(name) || !header.aggregates.containsKey(name));
        if (open.isEmpty()) {
            return;
        }
        List<Aggregate> asked = open.stream().map(header.aggregates::get).toList();
        StringBuilder probes = new StringBuilder();
        for (int i = 0; i < asked.size(); i++) {
            String cpp = "::" + asked.get(i).name();
            probes.append(value("s" + i, "sizeof(" + cpp + ")"));
            probes.append(value("a" + i, "alignof(" + cpp + ")"));
            probes.append(value("t" + i, "__is_trivially_copyable(" + cpp + ")"));
            probes.append(value("v" + i, "__is_polymorphic(" + cpp + ")"));
            List<Node> fields = asked.get(i).fields();
            for (int j = 0; j < fields.size(); j++) {
                String field = fields.get(j).name();
                if (!field.isEmpty() && !isBitField(fields.get(j))) {
                    probes.append(value("o" + i + "_" + j, "__builtin_offsetof(" + cpp + ", " + field + ")"));
                    probes.append("namespace comm4j_probe { typedef ::comm4j_show<decltype(")
                            .append(cpp)
                            .append("::")
                            .append(field)
                            .append(")> d")
                            .append(i)
                            .append('_')
                            .append(j)
                            .append("; }\n");
                }
            }
        }
        Answers answers = ask(probes.toString());
        Set<String> nested = new LinkedHashSet<>();
        answers.types().values().forEach(type -> {
            if (!type.contains("*") && !type.contains("&")) {
                nested.add(base(type));
            }
        });
        // Empty places hold those that are being asked for: C++ has no cycles of values.
        nested.removeAll(open);
        layOut(nested);
        List<Integer> rest = new ArrayList<>(DeviceHeader.range(asked.size()));
        while (!rest.isEmpty()) {
            int before = rest.size();
            rest.removeIf(i -> {
                boolean ready = answers.types().entrySet().stream()
                        .filter(each -> each.getKey().startsWith("d" + i + "_"))
                        .map(each ->
                                each.getValue().contains("*") || each.getValue().contains("&")
                                        ? ""
                                        : base(each.getValue()))
                        .allMatch(name -> !header.aggregates.containsKey(name) || structs.containsKey(name));
                if (ready) {
                    structs.put(asked.get(i).name(), struct(asked.get(i), i, answers));
                }
                return ready;
            });
            if (before == rest.size()) {
                throw new IllegalStateException("structs that hold each other: "
                        + rest.stream().map(asked::get).map(Aggregate::name).toList());
            }
        }
    }

    private static boolean isBitField(Node field) {
        return field.text("isBitfield").equals("true");
    }

    private static String value(String name, String expression) {
        return "namespace comm4j_probe { enum : long long { " + name + " = (long long) (" + expression + ") }; }\n";
    }

    private Struct struct(Aggregate aggregate, int i, Answers answers) {
        long bytes = answers.values().getOrDefault("s" + i, 0L);
        long alignment = answers.values().getOrDefault("a" + i, 0L);
        boolean copyable = answers.values().getOrDefault("t" + i, 0L) == 1;
        String opaque = "";
        if (bytes == 0) {
            opaque = "its size is not known";
        } else if (DeviceConfig.matches(config.opaque, aggregate.name())) {
            opaque = "the configuration says so";
        } else if (aggregate.node().text("tagUsed").equals("union")) {
            opaque = "a union";
        } else if (answers.values().getOrDefault("v" + i, 0L) == 1) {
            opaque = "virtual functions";
        } else if (aggregate.node().fields().containsKey("bases")) {
            opaque = "base classes";
        } else if (!copyable) {
            opaque = "not trivially copyable";
        }
        List<Field> fields = new ArrayList<>();
        List<Node> nodes = aggregate.fields();
        for (int j = 0; j < nodes.size() && opaque.isEmpty(); j++) {
            Node node = nodes.get(j);
            String written = answers.types().getOrDefault("d" + i + "_" + j, "");
            Long offset = answers.values().get("o" + i + "_" + j);
            if (isBitField(node)) {
                opaque = "bit fields";
            } else if (written.isEmpty() || offset == null) {
                opaque = "a field without a name or type of its own";
            } else {
                List<Integer> dimensions = new ArrayList<>();
                Matcher array = ARRAY.matcher(written);
                String element = written;
                if (array.matches()) {
                    element = array.group(1);
                    Pattern.compile("\\d+")
                            .matcher(array.group(2))
                            .results()
                            .forEach(n -> dimensions.add(Integer.parseInt(n.group())));
                }
                DeviceType type = type(element);
                if (type instanceof Impossible impossible) {
                    opaque = node.name() + ": " + impossible.reason();
                } else if (type instanceof Structure nested && nested.of().isOpaque()) {
                    opaque = node.name() + ": " + nested.of().opaque();
                }
                fields.add(new Field(
                        node.name(),
                        type,
                        dimensions,
                        offset,
                        String.join(" ", Comment.of(node).paragraphs())));
            }
        }
        if (opaque.isEmpty() && fields.isEmpty()) {
            opaque = "no fields";
        }
        Numeric bits = BITS.get(aggregate.name());
        if (bits != null) {
            return new Struct(
                    aggregate, bytes, alignment, true, List.of(new Field("bits", bits, List.of(), 0, "")), "");
        }
        Struct struct = new Struct(aggregate, bytes, alignment, copyable, fields, opaque);
        if (opaque.isEmpty() && leaves(struct).size() > MOST_LEAVES) {
            return new Struct(
                    aggregate, bytes, alignment, copyable, List.of(), "more than " + MOST_LEAVES + " numbers");
        }
        return opaque.isEmpty() ? struct : new Struct(aggregate, bytes, alignment, copyable, List.of(), opaque);
    }

    /** The numbers of a struct, in the order of its fields. */
    static List<Leaf> leaves(Struct struct) {
        List<Leaf> leaves = new ArrayList<>();
        for (Field field : struct.fields()) {
            for (int i = 0; i < field.count() && leaves.size() <= MOST_LEAVES; i++) {
                leaves(field.type(), field.offset() + i * size(field.type()), leaves);
            }
        }
        return leaves;
    }

    static void leaves(DeviceType type, long offset, List<Leaf> leaves) {
        switch (type) {
            case Numeric number -> leaves.add(new Leaf(offset, number));
            case Enumerated enumerated -> leaves.add(new Leaf(offset, underlying(enumerated)));
            case Reference _ -> leaves.add(new Leaf(offset, DeviceType.number("unsigned long long")));
            case Structure structure ->
                leaves(structure.of()).forEach(leaf -> leaves.add(new Leaf(offset + leaf.offset(), leaf.number())));
            case Nothing(), Impossible _ -> throw new IllegalArgumentException("no number: " + type);
        }
    }

    static long size(DeviceType type) {
        return switch (type) {
            case Numeric number -> number.bytes();
            case Enumerated enumerated -> underlying(enumerated).bytes();
            case Reference _ -> 8;
            case Structure structure -> structure.of().bytes();
            case Nothing(), Impossible _ -> throw new IllegalArgumentException("no size: " + type);
        };
    }

    static Numeric underlying(Enumerated enumerated) {
        return DeviceType.number(
                DeviceType.NUMBERS.containsKey(enumerated.of().underlying())
                        ? enumerated.of().underlying()
                        : "unsigned int");
    }

    /** A canonical C++ type. */
    DeviceType type(String written) {
        String type = written.replaceAll("\\b(volatile|__restrict)\\b", "")
                .replaceAll("\\s+", " ")
                .strip();
        if (type.contains("(")) {
            String what = type.contains("::*") ? "member" : type.matches(".*\\)\\[.*") ? "array" : "function";
            return new Impossible("a pointer to a" + (what.equals("array") ? "n " : " ") + what);
        }
        if (type.endsWith("&&")) {
            return reference(type.substring(0, type.length() - 2), false, true);
        }
        if (type.endsWith("&")) {
            return reference(type.substring(0, type.length() - 1), false, false);
        }
        type = type.replaceAll("\\*\\s*const$", "*").strip();
        if (type.endsWith("*")) {
            return reference(type.substring(0, type.length() - 1), true, false);
        }
        if (type.endsWith("]")) {
            return new Impossible("an array");
        }
        String base = base(type);
        if (base.equals("void")) {
            return new Nothing();
        }
        Numeric number = DeviceType.NUMBERS.get(base);
        if (number != null) {
            return number;
        }
        if (header.enums.containsKey(base)) {
            return new Enumerated(header.enums.get(base));
        }
        Struct struct = structs.get(base);
        if (struct != null) {
            return new Structure(struct);
        }
        return new Impossible(
                header.aggregates.containsKey(base) ? "the layout of " + base + " is not known" : "the type " + base);
    }

    private DeviceType reference(String target, boolean pointer, boolean temporary) {
        DeviceType type = type(target);
        if (type instanceof Impossible impossible) {
            // Only its address is needed.
            boolean incomplete = impossible.reason().startsWith("the type ")
                    && !base(target).matches("__int128|unsigned __int128|long double|nullptr_t|std::nullptr_t");
            return incomplete && pointer ? new Reference(new Nothing(), target.strip(), true, true, false) : impossible;
        }
        boolean constant = target.strip().matches("const .*|.*[* ]const");
        return new Reference(type, target.strip(), constant, pointer, temporary);
    }

    /** Constants by their names in C++, of those that are numbers, truth values or texts. */
    Map<String, Constant> constants(Map<String, String> macros) throws IOException {
        Map<String, String> expressions = new LinkedHashMap<>();
        header.constants.keySet().forEach(name -> expressions.put(name, "::" + name));
        Map<String, Constant> constants = new LinkedHashMap<>();
        macros.forEach((name, value) -> {
            if (value.matches("\"[^\"\\\\]*\"")) {
                constants.put(name, new Constant("String", value));
            } else if (config.isWanted(name) && isExpression(value)) {
                expressions.put(name, name);
            }
        });
        List<String> names = List.copyOf(expressions.keySet());
        StringBuilder probes = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            probes.append(value("k" + i, "comm4j_kind(" + expressions.get(names.get(i)) + ")"));
            probes.append(value("v" + i, "comm4j_value(" + expressions.get(names.get(i)) + ")"));
        }
        Answers answers = ask(probes.toString());
        for (int i = 0; i < names.size(); i++) {
            CudaSource.Place place = header.constants.get(names.get(i));
            long kind = answers.values().getOrDefault("k" + i, 0L);
            Long value = answers.values().get("v" + i);
            if (kind != 0 && value != null) {
                constants.put(names.get(i), constant((int) kind, value));
            } else if (place != null) {
                header.leftOut.add(
                        new DeviceHeader.LeftOut(names.get(i), place, "no number that the compiler can compute"));
            }
        }
        return constants;
    }

    private static boolean isExpression(String text) {
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
            if (depth < 0) {
                return false;
            }
        }
        return depth == 0
                && !text.matches(".*[;{}#\\\\\"].*")
                && !text.matches(
                        ".*\\b(static|inline|__inline__|extern|typedef|template|asm|struct|const|__attribute__)\\b.*")
                && text.matches(".*\\w.*");
    }

    private static Constant constant(int kind, long value) {
        return switch (kind) {
            case 1 -> new Constant("boolean", String.valueOf(value != 0));
            case 2 -> new Constant("float", real((float) Double.longBitsToDouble(value), "f", "Float"));
            case 3 -> new Constant("double", real(Double.longBitsToDouble(value), "", "Double"));
            case 4 -> new Constant("int", String.valueOf((int) value));
            default -> new Constant("long", value + "L");
        };
    }

    private static String real(double value, String suffix, String box) {
        if (Double.isNaN(value)) {
            return box + ".NaN";
        }
        if (Double.isInfinite(value)) {
            return box + (value > 0 ? ".POSITIVE_INFINITY" : ".NEGATIVE_INFINITY");
        }
        return (suffix.isEmpty() ? String.valueOf(value) : String.valueOf((float) value)) + suffix;
    }
}
