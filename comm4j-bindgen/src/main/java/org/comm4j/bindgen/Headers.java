// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.comm4j.bind.clang.Clang;
import org.comm4j.bind.clang.Node;
import org.comm4j.bindgen.SymbolTable.Constant;
import org.comm4j.bindgen.SymbolTable.Declaration;
import org.comm4j.bindgen.SymbolTable.Enumeration;
import org.comm4j.bindgen.SymbolTable.Function;
import org.comm4j.bindgen.SymbolTable.Handle;
import org.comm4j.bindgen.SymbolTable.Layout;
import org.comm4j.bindgen.SymbolTable.Struct;

/** The declarations of one version of a library's headers, and the choice of those that functions need. */
final class Headers {
    private static final Pattern ARRAY = Pattern.compile("(.*?) ?((\\[\\d+])+)");
    private static final String PROBE = "value_of_";
    private static final Pattern UNNAMED = Pattern.compile(".*\\((unnamed|anonymous).*");

    private final Map<String, Node> functions = new LinkedHashMap<>();
    private final Set<String> defined = new LinkedHashSet<>();
    private final Map<String, String> typedefs = new LinkedHashMap<>();
    private final Map<String, String> tagOfTypedef = new LinkedHashMap<>();
    private final Map<String, String> typedefOfTag = new LinkedHashMap<>();
    private final Map<String, Node> records = new LinkedHashMap<>();
    private final Map<String, Node> enums = new LinkedHashMap<>();
    private final Map<String, String> macros;
    private final List<Constant> constants = new ArrayList<>();

    /**
     * @param constantNames of the macros whose values are wanted
     */
    Headers(Clang clang, String text, Pattern constantNames) {
        macros = clang.macros(text);
        // The compiler computes them: each as the one constant of an enum, so that an error in one spoils no other.
        String probes = macros.keySet().stream()
                .filter(name -> constantNames.matcher(name).matches())
                .sorted()
                .map(name -> "enum { " + PROBE + name + " = (long long) (" + name + ") };\n")
                .collect(Collectors.joining());
        declare(clang.tree(text + "\n" + probes));
    }

    private void declare(Node parent) {
        for (Node node : parent.inner()) {
            switch (node.kind()) {
                case "LinkageSpecDecl" -> declare(node);
                case "FunctionDecl" -> {
                    // Overloads of C++ have other names in the library.
                    if (node.text("mangledName").equals(node.name())) {
                        functions.putIfAbsent(node.name(), node);
                        if (node.inner().stream().anyMatch(child -> child.kind().equals("CompoundStmt"))) {
                            defined.add(node.name());
                        }
                    }
                }
                case "RecordDecl", "CXXRecordDecl" -> {
                    if (node.text("completeDefinition").equals("true")) {
                        records.put(node.text("id"), node);
                        records.put(node.name(), node);
                    }
                }
                case "EnumDecl" -> {
                    addProbed(node);
                    enums.put(node.text("id"), node);
                    enums.put(node.name(), node);
                }
                case "TypedefDecl" -> {
                    typedefs.put(node.name(), node.type());
                    if (!node.type().endsWith("*") && !node.type().endsWith(")")) {
                        node.all()
                                .map(type -> type.node("ownedTagDecl"))
                                .filter(tag -> !tag.text("id").isEmpty())
                                .findFirst()
                                .ifPresent(tag ->
                                        addTypedef(node.name(), tag.name().isEmpty() ? tag.text("id") : tag.name()));
                    }
                }
                default -> {}
            }
        }
    }

    private void addProbed(Node node) {
        node.all()
                .filter(each ->
                        each.kind().equals("EnumConstantDecl") && each.name().startsWith(PROBE))
                .forEach(each -> value(each)
                        .ifPresent(value ->
                                constants.add(new Constant(each.name().substring(PROBE.length()), value, ""))));
    }

    /** What is written after the equals sign of an enumerator, if anything. */
    private static Optional<Long> value(Node enumerator) {
        return enumerator
                .all()
                .map(node -> node.text("value"))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .map(Long::valueOf);
    }

    /** A struct goes by the name of a typedef; of several by the shortest, as the others have a version in it. */
    private void addTypedef(String name, String tag) {
        tagOfTypedef.put(name, tag);
        typedefOfTag.merge(tag, name, (a, b) -> b.length() < a.length() ? b : a);
    }

    Map<String, String> macros() {
        return macros;
    }

    Set<String> functionNames() {
        return functions.keySet();
    }

    /** Whether the header holds the function itself, so that the library need not. */
    boolean isDefined(String function) {
        return defined.contains(function);
    }

    /** The name that a program's call becomes: headers redirect old names to new symbols by macros. */
    String symbol(String name) {
        String target = macros.get(name);
        if (target == null) {
            return name;
        }
        Matcher wrapped = Pattern.compile("\\w+\\((\\w+)\\)").matcher(target);
        return wrapped.matches() ? wrapped.group(1) : target;
    }

    /** A function by its symbol, as name. */
    Function function(String name, String symbol, String since, boolean documented) {
        Node node = functions.get(symbol);
        if (node == null) {
            throw new IllegalArgumentException("the headers declare no function " + symbol);
        }
        List<Declaration> parameters = new ArrayList<>();
        for (Node child : node.inner()) {
            if (child.kind().equals("ParmVarDecl")) {
                String given = child.name().isEmpty() ? "argument" + parameters.size() : child.name();
                parameters.add(new Declaration(canonical(tidy(child.type())), given));
            }
        }
        String type = node.type();
        return new Function(
                name,
                List.of(symbol),
                since,
                tidy(type.substring(0, type.indexOf('(')).strip()),
                parameters,
                documented ? documentation(node) : "");
    }

    /** The comment before a function, unless it is the banner of a section. */
    private static String documentation(Node node) {
        List<String> lines = node.inner().stream()
                .filter(child -> child.kind().equals("FullComment"))
                .flatMap(Node::all)
                .filter(child -> child.kind().equals("TextComment"))
                .map(child -> child.text("text").strip())
                .filter(line -> !line.isEmpty())
                .toList();
        if (!lines.isEmpty() && lines.getFirst().startsWith("////")) {
            return "";
        }
        return lines.stream().filter(line -> !line.equals(node.name())).collect(Collectors.joining("\n"));
    }

    /** One way to write each type: no blank before the asterisk's neighbours, arrays as {@code int[3]}, no "struct". */
    static String tidy(String type) {
        String tidy = type.replaceAll("\\b(struct|union|enum|volatile) ", "")
                .replace("_Bool", "bool")
                .replace("*const *", "* const*")
                .replaceAll("\\* ?const$", "*")
                .replaceAll("\\s+", " ")
                .strip();
        Matcher array = ARRAY.matcher(tidy);
        return array.matches() ? array.group(1) + array.group(2) : tidy;
    }

    /** The type below pointers, arrays and qualifiers. */
    static String base(String type) {
        return type.replaceAll("\\[\\d+]", "")
                .replaceAll("\\bconst\\b", "")
                .replaceAll("[*]", "")
                .strip();
    }

    /** The type by the name of its typedef. */
    private String canonical(String type) {
        String base = base(type);
        String typedef = typedefOfTag.get(base);
        return typedef == null || type.contains("(") ? type : type.replaceFirst("\\b" + base + "\\b", typedef);
    }

    private boolean isEnum(String name) {
        return enums.containsKey(tag(name));
    }

    private boolean isRecord(String name) {
        return records.containsKey(tag(name));
    }

    /** Follows typedefs of typedefs to the struct, union or enum, or to anything else. */
    private String tag(String name) {
        String at = name;
        for (int i = 0; i < 10; i++) {
            String tag = tagOfTypedef.get(at);
            if (tag != null && (records.containsKey(tag) || enums.containsKey(tag))) {
                return tag;
            }
            String target = typedefs.get(at);
            if (target == null || tidy(target).equals(at)) {
                return at;
            }
            at = tidy(target);
        }
        return at;
    }

    /** What a typedef stands for in the end. */
    private String desugared(String name) {
        String at = name;
        while (typedefs.containsKey(at) && !tidy(typedefs.get(at)).equals(at)) {
            at = tidy(typedefs.get(at));
        }
        return at;
    }

    /** Puts every type that the functions, and the types so found, mention into the table. */
    void addTypes(SymbolTable table, List<String> alsoTypes, String version) {
        addTypes(table, alsoTypes, version, Set.of());
    }

    /** As above, without some types that are only pointed to. */
    void addTypes(SymbolTable table, List<String> alsoTypes, String version, Set<String> opaque) {
        Deque<String> open = new ArrayDeque<>();
        for (Function function : table.functions()) {
            open.add(function.result());
            function.parameters().forEach(parameter -> open.add(parameter.type()));
        }
        open.addAll(alsoTypes);
        Map<String, List<Declaration>> structs = new TreeMap<>();
        Set<String> unions = new LinkedHashSet<>();
        Set<String> seen = new LinkedHashSet<>(opaque);
        Set<String> enumerations = new LinkedHashSet<>();
        while (!open.isEmpty()) {
            String type = open.remove();
            String name = type.contains("(") ? type : base(type);
            if (!seen.add(name)) {
                continue;
            }
            if (isRecord(name)) {
                structs.put(name, fields(records.get(tag(name)), open));
                if (records.get(tag(name)).text("tagUsed").equals("union")) {
                    unions.add(name);
                }
            } else if (isEnum(name)) {
                enumerations.add(name);
            } else if (typedefs.containsKey(name)) {
                String target = desugared(name);
                // Of functions it ends with a parenthesis; a struct without a name has some within.
                if (target.endsWith("*")) {
                    table.handles().add(new Handle(name));
                } else if (target.contains("(")) {
                    table.callbacks().put(name, target);
                } else if (!target.equals(name) && Builtin.isPrimitive(target) && !Builtin.isPrimitive(name)) {
                    table.aliases().put(name, target);
                }
            }
        }
        structs.forEach((name, fields) ->
                table.structs().add(new Struct(name, List.of(new Layout(version, unions.contains(name), fields)))));
        enumerations.forEach(name -> table.enums().add(enumeration(name)));
    }

    private List<Declaration> fields(Node record, Deque<String> mentioned) {
        List<Declaration> fields = new ArrayList<>();
        Node unnamed = new Node(Map.of());
        for (Node child : record.inner()) {
            if (child.kind().endsWith("RecordDecl") && child.name().isEmpty()) {
                unnamed = child;
            } else if (child.kind().endsWith("FieldDecl")) {
                if (child.fields().containsKey("isBitfield")) {
                    throw new IllegalArgumentException(record.name() + "." + child.name() + " is a bit field");
                }
                String type = canonical(tidy(child.type()));
                if (UNNAMED.matcher(child.type()).matches()) {
                    // A struct without a name is written out: "struct { int a; int b; }".
                    List<Declaration> parts = fields(unnamed, mentioned);
                    String array = type.replaceAll("^[^\\[]*", "");
                    type = unnamed.text("tagUsed")
                            + parts.stream()
                                    .map(part -> part.type() + " " + part.name() + ";")
                                    .collect(Collectors.joining(" ", " { ", " }"))
                            + array;
                } else {
                    mentioned.add(type);
                }
                fields.add(new Declaration(type, child.name().isEmpty() ? "-" : child.name()));
            }
        }
        return fields;
    }

    Enumeration enumeration(String name) {
        List<Constant> enumerators = new ArrayList<>();
        long next = 0;
        for (Node child : enums.get(tag(name)).inner()) {
            if (child.kind().equals("EnumConstantDecl")) {
                next = value(child).orElse(next);
                enumerators.add(new Constant(child.name(), next++, ""));
            }
        }
        return new Enumeration(name, enumerators);
    }

    /** The wanted macros whose values are whole numbers. */
    List<Constant> constants() {
        return constants;
    }
}
