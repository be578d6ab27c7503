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
import org.comm4j.bind.DeviceType.Nothing;
import org.comm4j.bind.DeviceType.Numeric;
import org.comm4j.bind.DeviceType.Reference;
import org.comm4j.bind.DeviceType.Struct;
import org.comm4j.bind.DeviceType.Structure;
import org.comm4j.bind.clang.Node;

/**
 * What the compiler says about types: the signatures of functions and the layouts of structs.
 */
final class DeviceTypes {
    private static final Pattern ARRAY = Pattern.compile("(.*?) ?((?:\\[\\d+])+)");

    /** Structs that Java has as their bits. */
    private static final Map<String, Numeric> BITS = Map.of(
            "__half", DeviceType.number("unsigned short"),
            "__half2", DeviceType.number("unsigned int"),
            "__nv_bfloat16", DeviceType.number("unsigned short"),
            "__nv_bfloat162", DeviceType.number("unsigned int"));

    /** The canonical type of a callable: result and parameters. */
    record Signature(DeviceType result, List<DeviceType> parameters) {}

    private final DeviceConfig config;
    private final DeviceHeader header;
    private final Probe probe;
    private final Map<String, Struct> structs = new LinkedHashMap<>();

    DeviceTypes(DeviceConfig config, DeviceHeader header, Probe probe) {
        this.config = config;
        this.probe = probe;
        this.header = header;
    }

    Map<String, Struct> structs() {
        return structs;
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
                probes.append(Probe.inNamespace(
                        namespace, "struct c" + i + " : ::" + callable.owner() + " { " + show + " };"));
                probes.append(Probe.inNamespace(namespace, show.replace(" f" + i, " g" + i)));
                probes.append(Probe.inNamespace("", show.replace(" f" + i, " h" + i)));
            } else {
                probes.append(Probe.inNamespace(callable.scope(), show));
            }
        }
        Probe.Answers answers = probe.ask(probes.toString());
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
                List<String> parts = CppType.parts(type);
                found.put(callables.get(i), parts);
                parts.forEach(part -> mentioned.add(CppType.base(part)));
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
            probes.append(Probe.value("s" + i, "sizeof(" + cpp + ")"));
            probes.append(Probe.value("a" + i, "alignof(" + cpp + ")"));
            probes.append(Probe.value("t" + i, "__is_trivially_copyable(" + cpp + ")"));
            probes.append(Probe.value("v" + i, "__is_polymorphic(" + cpp + ")"));
            List<Node> fields = asked.get(i).fields();
            for (int j = 0; j < fields.size(); j++) {
                String field = fields.get(j).name();
                if (!field.isEmpty() && !isBitField(fields.get(j))) {
                    probes.append(Probe.value("o" + i + "_" + j, "__builtin_offsetof(" + cpp + ", " + field + ")"));
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
        Probe.Answers answers = probe.ask(probes.toString());
        Set<String> nested = new LinkedHashSet<>();
        answers.types().values().forEach(type -> {
            if (!type.contains("*") && !type.contains("&")) {
                nested.add(CppType.base(type));
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
                                        : CppType.base(each.getValue()))
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

    private Struct struct(Aggregate aggregate, int i, Probe.Answers answers) {
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
        if (opaque.isEmpty() && DeviceType.leaves(struct).size() > DeviceType.MOST_LEAVES) {
            return new Struct(
                    aggregate,
                    bytes,
                    alignment,
                    copyable,
                    List.of(),
                    "more than " + DeviceType.MOST_LEAVES + " numbers");
        }
        return opaque.isEmpty() ? struct : new Struct(aggregate, bytes, alignment, copyable, List.of(), opaque);
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
        String base = CppType.base(type);
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
                    && !CppType.base(target).matches("__int128|unsigned __int128|long double|nullptr_t|std::nullptr_t");
            return incomplete && pointer ? new Reference(new Nothing(), target.strip(), true, true, false) : impossible;
        }
        boolean constant = target.strip().matches("const .*|.*[* ]const");
        return new Reference(type, target.strip(), constant, pointer, temporary);
    }
}
