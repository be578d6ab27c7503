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
import org.comm4j.bind.clang.CudaSource;
import org.comm4j.bind.clang.CudaSource.Place;
import org.comm4j.bind.clang.Node;
import org.jspecify.annotations.Nullable;

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
        CONVERSION,
        /** A method of an object that the wrapper makes, in shared memory of its own. */
        COLLECTIVE
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
            Place place,
            @Nullable Gaps gaps) {
        String qualified() {
            if (role == Role.COLLECTIVE && gaps != null) {
                return gaps.template().substring(2) + "::" + node.name();
            }
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
    private final DeviceTemplates templates;
    private final List<int[]> bodies = new ArrayList<>();

    private DeviceHeader(DeviceConfig config, CudaSource source, String text, List<Path> headerFiles, Set<String> tried)
            throws IOException {
        this.config = config;
        this.headerFiles = headerFiles;
        this.templates = new DeviceTemplates(config, this, !tried.isEmpty());
        this.tree = source.tree(text + DeviceTemplates.instantiations(config.instantiations, tried), this::isKept);
        collectBodies(tree.root());
        walk(tree.root(), "");
        refuseErrors();
        templates.refuseErrors();
    }

    /** @param headerFiles where the headers were found */
    static DeviceHeader read(DeviceConfig config, CudaSource source, String text, List<Path> headerFiles)
            throws IOException {
        DeviceHeader header = new DeviceHeader(config, source, text, headerFiles, Set.of());
        Set<String> tries = header.templates.tries();
        return tries.isEmpty() ? header : new DeviceHeader(config, source, text, headerFiles, tries);
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
    }

    /** What clang does not understand in other files; their declarations may be lost. */
    List<String> errorsElsewhere() {
        return tree.problems().stream()
                .filter(problem -> !isKept(problem.place().file())
                        && !problem.place().file().equals(DeviceTemplates.TRIED))
                .map(CudaSource.Problem::toString)
                .distinct()
                .toList();
    }

    /** The messages about a file. */
    List<String> errorsIn(String file) {
        return tree.problems().stream()
                .filter(problem -> problem.place().file().equals(file))
                .map(CudaSource.Problem::message)
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

    /** A constructor's initializers are part of its body. */
    private void collectBodies(Node node) {
        for (Node child : node.inner()) {
            boolean constructor = child.kind().equals("CXXConstructorDecl")
                    && child.inner().stream().anyMatch(part -> part.kind().equals("CompoundStmt"));
            if (constructor || child.kind().equals("CompoundStmt")) {
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

    /** Whether a declaration is in one of the files, and its name is wanted. */
    boolean isWantedHere(Node node, String qualified) {
        return isKept(place(node).file()) && config.isWanted(qualified);
    }

    /** The files whose declarations are wanted. */
    Set<String> keptFiles() {
        return keptFiles;
    }

    private static int offset(Node location) {
        String offset = location.text("offset");
        return offset.isEmpty() ? -1 : Integer.parseInt(offset);
    }

    Place place(Node node) {
        int at = offset(node.node("loc"));
        return at < 0 ? new Place("<built in>", 0) : new Place(fileAt(at), 0);
    }

    private String fileAt(int at) {
        return tree.markers().floorEntry(at) == null ? "<command line>" : fileOf(at);
    }

    Place line(Node node) {
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
                case "FunctionDecl" -> callable(Role.FREE, scope, node.name(), node, true, null);
                case "CXXMethodDecl" -> {
                    boolean isStatic = node.text("storageClass").equals("static");
                    callable(isStatic ? Role.STATIC : Role.METHOD, scope, node.name(), node, isPublic, null);
                }
                case "CXXConstructorDecl" -> callable(Role.CONSTRUCTOR, scope, node.name(), node, isPublic, null);
                case "CXXConversionDecl" -> callable(Role.CONVERSION, scope, node.name(), node, isPublic, null);
                case "FriendDecl" ->
                    node.inner().stream()
                            .filter(each -> each.kind().equals("FunctionDecl"))
                            .forEach(each -> callable(Role.FRIEND, scope, each.name(), each, true, null));
                case "FunctionTemplateDecl" -> templates.function(node, scope, isPublic);
                case "ClassTemplateDecl" -> templates.ofClass(node, scope);
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

    /** @param gaps the arguments of a template that the call gives; null if there are none */
    void callable(Role role, String scope, String call, Node node, boolean isPublic, @Nullable Gaps gaps) {
        // The definition of a method outside of its class says nothing new.
        boolean outside = role != Role.FREE && !aggregates.containsKey(scope.replaceAll("::$", ""));
        if (outside
                || node.text("isImplicit").equals("true")
                || !isKept(place(node).file())) {
            return;
        }
        String qualified = (role == Role.COLLECTIVE && gaps != null ? gaps.template() + "::" : scope) + node.name();
        boolean wanted =
                role == Role.COLLECTIVE ? !DeviceConfig.matches(config.exclude, qualified) : config.isWanted(qualified);
        if (!wanted) {
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
        if (gaps != null) {
            symbol += "_given" + gaps.arguments().size();
        }
        if (!symbols.add(symbol)) {
            return;
        }
        String type = written.substring(0, close + 1);
        boolean constant = written.substring(close + 1).contains("const");
        callables.add(new Callable(role, scope, call, node, type, constant, symbol, line(node), gaps));
        // Java has no default arguments: a method without them for each.
        List<String> parts = CppType.parts(type);
        for (int n = parts.size() - 1 - defaults(node); n < parts.size() - 1; n++) {
            String shorter = parts.getFirst() + " (" + String.join(", ", parts.subList(1, n + 1)) + ")";
            callables.add(
                    new Callable(role, scope, call, node, shorter, constant, symbol + "_first" + n, line(node), gaps));
        }
    }

    /** Returns the number of parameters that have default arguments. */
    private static int defaults(Node function) {
        return (int) function.inner().stream()
                .filter(child -> child.kind().equals("ParmVarDecl")
                        && !child.text("init").isEmpty())
                .count();
    }

    void aggregate(Node node, String scope, String name) {
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
