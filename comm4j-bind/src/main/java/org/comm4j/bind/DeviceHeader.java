// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.comm4j.bind.clang.CudaSource;
import org.comm4j.bind.clang.CudaSource.Place;
import org.comm4j.bind.clang.Node;

/** What CUDA headers declare, as far as the configuration wants it. */
final class DeviceHeader {
    /** What something is that can be called. */
    enum Role {
        FREE,
        /** Defined in a class of its namespace, and found by its arguments alone. */
        FRIEND,
        STATIC,
        METHOD,
        CONSTRUCTOR,
        CONVERSION
    }

    record Parameter(String name, String type) {}

    /**
     * Something that can be called.
     *
     * @param scope namespaces or the class, {@code a::b::}
     * @param call the name with template arguments, as C++ calls it
     * @param type of the function as written, without qualifiers: {@code float (int, T *)}
     */
    record Callable(
            Role role,
            String scope,
            String call,
            Node node,
            String type,
            boolean constant,
            String symbol,
            Place place) {
        String qualified() {
            // A friend is a function of the namespace around its class.
            int around = role == Role.FRIEND ? scope.lastIndexOf("::", scope.length() - 3) + 2 : scope.length();
            return (around < 2 ? "" : scope.substring(0, around)) + node.name();
        }

        /** The class of a method. */
        String owner() {
            return scope.substring(0, scope.length() - 2);
        }

        List<String> parameterNames() {
            List<String> names = new ArrayList<>();
            for (Node child : node.inner()) {
                if (child.kind().equals("ParmVarDecl")) {
                    names.add(child.name().isEmpty() ? "argument" + names.size() : child.name());
                }
            }
            return names;
        }
    }

    /** A struct, class or union with its name in C++. */
    record Aggregate(String name, Node node, Place place, boolean kept) {
        List<Node> fields() {
            return node.inner().stream()
                    .filter(child -> child.kind().equals("FieldDecl"))
                    .toList();
        }
    }

    record Enumerator(String name, long value) {}

    record Enumeration(
            String name, String underlying, boolean scoped, List<Enumerator> enumerators, Node node, boolean kept) {}

    /** Something that is not in the Java class, and why. */
    record LeftOut(String what, Place place, String reason) {}

    private final DeviceConfig config;
    private final CudaSource.Tree tree;
    private final Set<String> keptFiles = new LinkedHashSet<>();
    private final List<Path> headerFiles;
    final List<Callable> callables = new ArrayList<>();
    final Map<String, Aggregate> aggregates = new LinkedHashMap<>();
    final Map<String, Enumeration> enums = new LinkedHashMap<>();
    final Map<String, Place> constants = new LinkedHashMap<>();
    final List<LeftOut> leftOut = new ArrayList<>();
    /** Namespaces, {@code a::b::}. */
    final Set<String> namespaces = new LinkedHashSet<>();

    private final Set<String> symbols = new LinkedHashSet<>();
    private final Set<String> templatesFound = new LinkedHashSet<>();
    private final List<int[]> bodies = new ArrayList<>();

    /** @param headerFiles where the headers were found */
    DeviceHeader(DeviceConfig config, CudaSource source, String text, List<Path> headerFiles) throws IOException {
        this.config = config;
        this.headerFiles = headerFiles;
        this.tree = source.tree(text + instantiations(config), this::isKept);
        collectBodies(tree.root());
        walk(tree.root(), "");
        refuseErrors();
        for (String instantiation : config.instantiations) {
            String name = instantiation.replaceAll("\\s*<.*", "").replaceAll("^::", "");
            if (!templatesFound.contains(name)) {
                throw new IllegalArgumentException("instantiate " + instantiation + ": there is no template " + name);
            }
        }
    }

    /** C++ that needs the types of template instances, but no bodies. */
    static String instantiations(DeviceConfig config) {
        StringBuilder text = new StringBuilder("\n");
        List<String> all = config.instantiations;
        for (int i = 0; i < all.size(); i++) {
            // One of both is wrong for each: a class is no value, a function has no size.
            text.append("# 1 \"comm4j_instantiate_").append(i).append("\"\n");
            text.append("enum { comm4j_class_")
                    .append(i)
                    .append(" = sizeof(")
                    .append(all.get(i))
                    .append(") };\n");
            text.append("typedef decltype(&")
                    .append(all.get(i))
                    .append(") comm4j_function_")
                    .append(i)
                    .append(";\n");
        }
        return text.toString();
    }

    private void refuseErrors() {
        List<CudaSource.Problem> problems = tree.problems();
        List<String> wrong = problems.stream()
                .filter(problem -> isKept(problem.place().file()) && !inBody(problem.place()))
                .map(CudaSource.Problem::toString)
                .distinct()
                .toList();
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(
                    wrong.size() + (wrong.size() == 1 ? " error" : " errors") + " in the header:\n"
                            + wrong.stream().limit(20).collect(Collectors.joining("\n"))
                            + (wrong.size() > 20 ? "\n... and " + (wrong.size() - 20) + " more" : ""));
        }
        for (int i = 0; i < config.instantiations.size(); i++) {
            String file = "comm4j_instantiate_" + i;
            List<CudaSource.Problem> own = problems.stream()
                    .filter(problem -> problem.place().file().equals(file))
                    .toList();
            if (own.size() > 1) {
                throw new IllegalArgumentException("instantiate " + config.instantiations.get(i) + ": "
                        + own.stream().map(CudaSource.Problem::message).collect(Collectors.joining("; ")));
            }
        }
    }

    /** What clang does not understand in other files; their declarations may be lost. */
    List<String> errorsElsewhere() {
        return tree.problems().stream()
                .filter(problem -> !isKept(problem.place().file()))
                .map(CudaSource.Problem::toString)
                .distinct()
                .toList();
    }

    private boolean inBody(Place place) {
        return bodies.stream().anyMatch(body -> {
            Place from = tree.place(body[0]);
            return from.file().equals(place.file())
                    && from.line() <= place.line()
                    && place.line() <= tree.place(body[1]).line();
        });
    }

    private void collectBodies(Node node) {
        for (Node child : node.inner()) {
            if (child.kind().equals("CompoundStmt")) {
                int from = offset(child.node("range").node("begin"));
                if (from >= 0 && isKept(tree.markers().floorEntry(from) == null ? "" : fileOf(from))) {
                    bodies.add(new int[] {from, offset(child.node("range").node("end"))});
                }
            } else if (!child.kind().equals("ParmVarDecl")) {
                collectBodies(child);
            }
        }
    }

    private String fileOf(int offset) {
        return tree.markers().floorEntry(offset).getValue().file();
    }

    boolean isKept(String file) {
        Path path = Path.of(file);
        boolean kept = headerFiles.stream().anyMatch(header -> header.equals(path))
                || config.files.stream()
                        .anyMatch(pattern ->
                                pattern.matcher(path.getFileName().toString()).matches());
        if (kept) {
            keptFiles.add(file);
        }
        return kept;
    }

    /** The files whose declarations are wanted. */
    Set<String> keptFiles() {
        return keptFiles;
    }

    private static int offset(Node location) {
        String offset = location.text("offset");
        return offset.isEmpty() ? -1 : Integer.parseInt(offset);
    }

    private Place place(Node node) {
        int at = offset(node.node("loc"));
        return at < 0 ? new Place("<built in>", 0) : new Place(fileAt(at), 0);
    }

    private String fileAt(int at) {
        return tree.markers().floorEntry(at) == null ? "<command line>" : fileOf(at);
    }

    private Place line(Node node) {
        return tree.place(offset(node.node("loc")));
    }

    private void walk(Node parent, String scope) {
        boolean isPublic = !parent.text("tagUsed").equals("class");
        Node previous = new Node(Map.of());
        for (Node node : parent.inner()) {
            switch (node.kind()) {
                case "LinkageSpecDecl" -> walk(node, scope);
                case "NamespaceDecl" -> {
                    // What is in an inline namespace is found in the one around it.
                    boolean named =
                            !node.name().isEmpty() && !node.text("isInline").equals("true");
                    String inner = named ? scope + node.name() + "::" : scope;
                    namespaces.add(inner);
                    walk(node, inner);
                }
                case "AccessSpecDecl" -> isPublic = node.text("access").equals("public");
                case "FunctionDecl" -> callable(Role.FREE, scope, node.name(), node, true);
                case "CXXMethodDecl" -> {
                    boolean isStatic = node.text("storageClass").equals("static");
                    callable(isStatic ? Role.STATIC : Role.METHOD, scope, node.name(), node, isPublic);
                }
                case "CXXConstructorDecl" -> callable(Role.CONSTRUCTOR, scope, node.name(), node, isPublic);
                case "CXXConversionDecl" -> callable(Role.CONVERSION, scope, node.name(), node, isPublic);
                case "FriendDecl" ->
                    node.inner().stream()
                            .filter(each -> each.kind().equals("FunctionDecl"))
                            .forEach(each -> callable(Role.FRIEND, scope, each.name(), each, true));
                case "FunctionTemplateDecl" -> functionTemplate(node, scope, isPublic);
                case "ClassTemplateDecl" -> classTemplate(node, scope);
                case "CXXRecordDecl" -> aggregate(node, scope, node.name());
                case "EnumDecl" -> enumeration(node, scope);
                case "TypedefDecl" -> typedef(node, previous, scope);
                case "VarDecl" -> constant(node, scope);
                default -> {}
            }
            if (!node.kind().isEmpty()) {
                previous = node;
            }
        }
    }

    private void callable(Role role, String scope, String call, Node node, boolean isPublic) {
        // The definition of a method outside of its class says nothing new.
        boolean outside = role != Role.FREE && !aggregates.containsKey(scope.replaceAll("::$", ""));
        if (outside
                || node.text("isImplicit").equals("true")
                || !isKept(place(node).file())) {
            return;
        }
        String qualified = scope + node.name();
        if (!config.isWanted(qualified)) {
            return;
        }
        boolean device = node.inner().stream()
                .anyMatch(child -> child.kind().equals("CUDADeviceAttr")
                        && !child.text("implicit").equals("true"));
        String reason = null;
        if (node.inner().stream().anyMatch(child -> child.kind().equals("CUDAGlobalAttr"))) {
            reason = "a kernel";
        } else if (node.text("explicitlyDefaulted").equals("default")) {
            reason = "defaulted; Java's records do the same";
        } else if (!device) {
            reason = "a host function";
        } else if (!isPublic) {
            reason = "not public";
        } else if (node.text("explicitlyDeleted").equals("true")) {
            reason = "deleted";
        } else if (node.text("isInvalid").equals("true")) {
            reason = "clang does not understand it";
        } else if (node.text("variadic").equals("true")) {
            reason = "a variable number of arguments";
        }
        if (reason != null) {
            leftOut.add(new LeftOut(qualified + " " + node.type(), line(node), reason));
            return;
        }
        String written = node.type();
        int close = written.lastIndexOf(')');
        String symbol = node.text("mangledName").isEmpty()
                ? node.name() + "_" + Integer.toHexString((scope + written).hashCode())
                : node.text("mangledName");
        if (!symbols.add(symbol)) {
            return;
        }
        String type = written.substring(0, close + 1);
        boolean constant = written.substring(close + 1).contains("const");
        callables.add(new Callable(role, scope, call, node, type, constant, symbol, line(node)));
        // Java has no default arguments: a method without them for each.
        List<String> parts = DeviceTypes.parts(type);
        for (int n = parts.size() - 1 - defaults(node); n < parts.size() - 1; n++) {
            String shorter = parts.getFirst() + " (" + String.join(", ", parts.subList(1, n + 1)) + ")";
            callables.add(new Callable(role, scope, call, node, shorter, constant, symbol + "_first" + n, line(node)));
        }
    }

    /** Returns the number of parameters that have default arguments. */
    private static int defaults(Node function) {
        return (int) function.inner().stream()
                .filter(child -> child.kind().equals("ParmVarDecl")
                        && !child.text("init").isEmpty())
                .count();
    }

    private void functionTemplate(Node template, String scope, boolean isPublic) {
        String qualified = scope + template.name();
        templatesFound.add(qualified);
        if (!config.isInstantiated(qualified)) {
            if (isKept(place(template).file()) && config.isWanted(qualified)) {
                leftOut.add(new LeftOut(
                        qualified,
                        line(template),
                        "a template; 'instantiate " + qualified + "<...>' makes functions of it"));
            }
            return;
        }
        for (Node node : template.inner()) {
            String arguments = arguments(node);
            if (node.kind().equals("FunctionDecl") && !arguments.isEmpty()) {
                callable(Role.FREE, scope, node.name() + arguments, node, isPublic);
            }
        }
    }

    private void classTemplate(Node template, String scope) {
        String qualified = scope + template.name();
        templatesFound.add(qualified);
        if (!config.isInstantiated(qualified)) {
            if (isKept(place(template).file()) && config.isWanted(qualified)) {
                leftOut.add(new LeftOut(
                        qualified,
                        line(template),
                        "a template; 'instantiate " + qualified + "<...>' makes a struct of it"));
            }
            return;
        }
        for (Node node : template.inner()) {
            if (node.kind().equals("ClassTemplateSpecializationDecl")) {
                aggregate(node, scope, node.name() + arguments(node));
            }
        }
    }

    private static String arguments(Node node) {
        String list = argumentList(node).collect(Collectors.joining(", "));
        return list.isEmpty() ? "" : "<" + list + ">";
    }

    private static Stream<String> argumentList(Node node) {
        return node.inner().stream()
                .filter(child -> child.kind().equals("TemplateArgument"))
                .flatMap(child -> {
                    String one = child.text("value").isEmpty() ? child.type() : child.text("value");
                    // One without a value or type is a pack of them.
                    return one.isEmpty() ? argumentList(child) : Stream.of(one);
                });
    }

    private void aggregate(Node node, String scope, String name) {
        if (!node.text("completeDefinition").equals("true")
                || node.text("isImplicit").equals("true")) {
            return;
        }
        if (name.isEmpty()) {
            return;
        }
        String qualified = scope + name;
        aggregates.put(
                qualified,
                new Aggregate(
                        qualified, node, reported(node), isKept(place(node).file())));
        walk(node, qualified + "::");
    }

    private Place reported(Node node) {
        // Lines cost a walk through the text: only for what can be reported.
        return isKept(place(node).file()) ? line(node) : place(node);
    }

    private void typedef(Node node, Node previous, String scope) {
        // typedef struct { ... } name;
        if (previous.name().isEmpty()
                && node.all()
                        .anyMatch(each -> each.node("ownedTagDecl").text("id").equals(previous.text("id"))
                                && !previous.text("id").isEmpty())) {
            if (previous.kind().equals("CXXRecordDecl")) {
                aggregate(previous, scope, node.name());
            } else if (previous.kind().equals("EnumDecl")) {
                enumeration(previous, scope, node.name());
            }
        }
    }

    private void enumeration(Node node, String scope) {
        if (!node.name().isEmpty()) {
            enumeration(node, scope, node.name());
        } else if (isKept(place(node).file())) {
            // Its enumerators are constants.
            for (Node child : node.inner()) {
                if (child.kind().equals("EnumConstantDecl") && config.isWanted(scope + child.name())) {
                    constants.putIfAbsent(scope + child.name(), line(child));
                }
            }
        }
    }

    private void enumeration(Node node, String scope, String name) {
        List<Enumerator> enumerators = new ArrayList<>();
        long next = 0;
        for (Node child : node.inner()) {
            if (child.kind().equals("EnumConstantDecl")) {
                next = child.all()
                        .map(each -> each.text("value"))
                        .filter(text -> text.matches("-?\\d+"))
                        .findFirst()
                        .map(text -> text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text))
                        .orElse(next);
                enumerators.add(new Enumerator(child.name(), next++));
                constants.remove(scope + child.name());
            }
        }
        String underlying = node.node("fixedUnderlyingType").text("desugaredQualType");
        if (underlying.isEmpty()) {
            underlying = node.node("fixedUnderlyingType").text("qualType");
        }
        if (!enumerators.isEmpty()) {
            enums.put(
                    scope + name,
                    new Enumeration(
                            scope + name,
                            underlying.isEmpty() ? "unsigned int" : underlying,
                            !node.text("scopedEnumTag").isEmpty(),
                            enumerators,
                            node,
                            isKept(place(node).file())));
        }
    }

    private void constant(Node node, String scope) {
        String type = node.type();
        boolean onDevice = node.inner().stream()
                .anyMatch(child ->
                        child.kind().equals("CUDADeviceAttr") || child.kind().equals("CUDAConstantAttr"));
        if (onDevice && isKept(place(node).file()) && config.isWanted(scope + node.name())) {
            String reason = "a variable; a function that returns its value or its address can be called";
            leftOut.add(new LeftOut(scope + node.name(), line(node), reason));
        }
        if (isKept(place(node).file())
                && (node.text("constexpr").equals("true") || type.startsWith("const "))
                && !node.text("init").isEmpty()
                && type.matches("const [\\w: ]+")
                && config.isWanted(scope + node.name())) {
            constants.put(scope + node.name(), line(node));
        }
    }

    static List<Integer> range(int n) {
        return IntStream.range(0, n).boxed().toList();
    }
}
