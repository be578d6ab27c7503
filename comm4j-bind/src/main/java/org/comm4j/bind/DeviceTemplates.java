// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.bind.DeviceHeader.Aggregate;
import org.comm4j.bind.DeviceHeader.Enumeration;
import org.comm4j.bind.DeviceHeader.LeftOut;
import org.comm4j.bind.DeviceHeader.Role;
import org.comm4j.bind.Templates.Parameter;
import org.comm4j.bind.clang.CudaSource.Place;
import org.comm4j.bind.clang.Node;
import org.jspecify.annotations.Nullable;

/**
 * Templates of a header. Those that the configuration instantiates become what they are with these arguments; those of
 * all others that can be tried with numbers become functions of which a kernel's call gives the arguments.
 */
final class DeviceTemplates {
    /** The name of clang's file for what is tried, whose errors only say that a template does not fit. */
    static final String TRIED = "comm4j_tried";

    private static final String INSTANTIATED = "comm4j_instantiate_";

    private final DeviceConfig config;
    private final DeviceHeader header;
    /** Whether the source has instances that are tried. */
    private final boolean trying;

    private final Set<String> found = new LinkedHashSet<>();
    private final Set<String> tries = new LinkedHashSet<>();

    DeviceTemplates(DeviceConfig config, DeviceHeader header, boolean trying) {
        this.config = config;
        this.header = header;
        this.trying = trying;
    }

    /** Returns the instances to be tried, found in a source without them. */
    Set<String> tries() {
        return tries;
    }

    /** Returns C++ that needs the types of template instances, but no bodies. */
    static String instantiations(List<String> wanted, Set<String> tried) {
        StringBuilder text = new StringBuilder("\n");
        List<String> all = new ArrayList<>(wanted);
        all.addAll(tried);
        for (int i = 0; i < all.size(); i++) {
            // One of both is wrong for each: a class is no value, a function has no size.
            text.append("# 1 \"").append(i < wanted.size() ? INSTANTIATED + i : TRIED);
            text.append("\"\nenum { comm4j_class_").append(i).append(" = sizeof(");
            text.append(all.get(i)).append(") };\ntypedef decltype(&").append(all.get(i));
            text.append(") comm4j_function_").append(i).append(";\n");
        }
        return text.toString();
    }

    /** Throws what is wrong with an instance that the configuration wants. */
    void refuseErrors() {
        for (int i = 0; i < config.instantiations.size(); i++) {
            String instantiation = config.instantiations.get(i);
            List<String> own = header.errorsIn(INSTANTIATED + i);
            if (own.size() > 1) {
                throw new IllegalArgumentException("instantiate " + instantiation + ": " + String.join("; ", own));
            }
            String name = instantiation.replaceAll("\\s*<.*", "").replaceAll("^::", "");
            if (!found.contains(name)) {
                throw new IllegalArgumentException("instantiate " + instantiation + ": there is no template " + name);
            }
        }
    }

    void function(Node template, String scope, boolean isPublic) {
        String qualified = scope + template.name();
        found.add(qualified);
        if (config.isInstantiated(qualified)) {
            for (Node node : template.inner()) {
                List<String> arguments = arguments(template, node, scope);
                if (node.kind().equals("FunctionDecl") && !arguments.isEmpty()) {
                    header.callable(
                            Role.FREE,
                            scope,
                            node.name() + "<" + String.join(", ", arguments) + ">",
                            node,
                            isPublic,
                            null);
                }
            }
            return;
        }
        if (!header.isWantedHere(template, qualified)) {
            return;
        }
        boolean member = !scope.isEmpty() && !header.namespaces.contains(scope);
        if (member) {
            leaveOutMember(template, qualified);
            return;
        }
        List<Parameter> parameters = parameters(template, scope);
        if (parameters == null) {
            return;
        }
        boolean any = false;
        String shown = pattern(template);
        for (Node node : template.inner()) {
            List<String> instance = arguments(template, node, scope);
            if (node.kind().equals("FunctionDecl") && isTried(instance, parameters)) {
                any = true;
                for (int given = Templates.required(parameters); given <= parameters.size(); given++) {
                    Gaps gaps = Templates.gaps(
                            "::" + qualified,
                            parameters,
                            instance,
                            given,
                            name -> shown.matches(".*\\b" + name + "\\b.*"));
                    header.callable(Role.FREE, scope, gaps.cpp(), node, isPublic, gaps);
                }
            }
        }
        if (trying && !any) {
            leaveOut(template, qualified, "a template that none of " + config.types + " fits");
        }
    }

    void ofClass(Node template, String scope) {
        String qualified = scope + template.name();
        found.add(qualified);
        boolean wanted = config.isInstantiated(qualified);
        if (!wanted && !header.isWantedHere(template, qualified)) {
            return;
        }
        List<Parameter> parameters = null;
        if (!wanted) {
            if (!isCollective(template)) {
                leaveOut(template, qualified, "a template of a class");
                return;
            }
            parameters = parameters(template, scope);
            if (parameters == null) {
                return;
            }
        }
        for (Node node : template.inner()) {
            if (node.kind().equals("ClassTemplateSpecializationDecl")) {
                List<String> arguments = arguments(template, node, scope);
                String name = node.name() + (arguments.isEmpty() ? "" : "<" + String.join(", ", arguments) + ">");
                if (parameters == null) {
                    header.aggregate(node, scope, name);
                } else if (isTried(arguments, parameters)) {
                    collective(node, scope + name, "::" + qualified, parameters, arguments);
                }
            }
        }
    }

    /**
     * Methods of a class that does something together with other threads through a {@code TempStorage}, as all of
     * CUB's do.
     */
    private void collective(
            Node node, String name, String template, List<Parameter> parameters, List<String> instance) {
        Place place = header.place(node);
        header.aggregates.putIfAbsent(name, new Aggregate(name, node, place, false));
        boolean isPublic = !node.text("tagUsed").equals("class");
        for (Node child : node.inner()) {
            if (child.kind().equals("AccessSpecDecl")) {
                isPublic = child.text("access").equals("public");
            } else if (isPublic
                    && child.kind().equals("CXXMethodDecl")
                    && !child.name().startsWith("operator")) {
                String shown = String.join(
                        ", ",
                        CppType.parts(child.type().replaceFirst("\\)[^)]*$", ")")).stream()
                                .skip(1)
                                .toList());
                for (int given = Templates.required(parameters); given <= parameters.size(); given++) {
                    Gaps gaps = Templates.gaps(template, parameters, instance, given, parameter -> {
                        String type = instance.get(indexOf(parameters, parameter));
                        return shown.matches(".*\\b" + type + "\\b.*");
                    });
                    header.callable(Role.COLLECTIVE, name + "::", child.name(), child, true, gaps);
                }
            } else if (isPublic && child.kind().equals("FunctionTemplateDecl")) {
                leaveOutMember(child, template.substring(2) + "::" + child.name());
            }
        }
    }

    private static int indexOf(List<Parameter> parameters, String name) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no parameter " + name);
    }

    /** Whether objects of a class are made of a reference to its own {@code TempStorage}. */
    private static boolean isCollective(Node template) {
        return template.inner().stream()
                .filter(node -> node.kind().equals("CXXRecordDecl"))
                .flatMap(node -> node.inner().stream())
                .anyMatch(node -> node.kind().equals("CXXConstructorDecl")
                        && node.type().matches("void \\(.*\\bTempStorage &\\).*"));
    }

    /** Returns the parameters that a call gives; null if it cannot, or if the instances were not tried yet. */
    private @Nullable List<Parameter> parameters(Node template, String scope) {
        String qualified = scope + template.name();
        try {
            List<Parameter> parameters = Templates.parameters(template, scope, header.enums);
            if (!trying) {
                Templates.tries(parameters, config.types)
                        .forEach(list -> tries.add("::" + qualified + "<" + String.join(", ", list) + ">"));
                return null;
            }
            return parameters;
        } catch (IllegalArgumentException e) {
            leaveOut(template, qualified, "a template, and " + e.getMessage());
            return null;
        }
    }

    /** Whether an instance is one of those that were tried, and none that the header itself has. */
    private boolean isTried(List<String> instance, List<Parameter> parameters) {
        int required = Templates.required(parameters);
        return instance.size() >= required
                && Templates.tries(parameters, config.types).contains(instance.subList(0, required));
    }

    /** Returns the parameters of the function that a template declares. */
    private static String pattern(Node template) {
        return template.inner().stream()
                .filter(node -> node.kind().equals("FunctionDecl"))
                .findFirst()
                .map(node -> CppType.parts(node.type().substring(0, node.type().lastIndexOf(')') + 1)).stream()
                        .skip(1)
                        .collect(Collectors.joining(", ")))
                .orElse("");
    }

    private void leaveOutMember(Node template, String qualified) {
        LeftOut entry = new LeftOut(
                qualified, header.line(template), "a template in a class; a function that calls it can be bound");
        // Each instance of the class has it.
        if (!header.leftOut.contains(entry)) {
            header.leftOut.add(entry);
        }
    }

    private void leaveOut(Node template, String qualified, String reason) {
        header.leftOut.add(new LeftOut(
                qualified,
                header.line(template),
                reason + "; 'instantiate " + qualified + "<...>' says with which arguments it is wanted"));
    }

    /** Returns the arguments of an instance, enums by their names. */
    private List<String> arguments(Node template, Node instance, String scope) {
        List<String> arguments = new ArrayList<>(argumentList(instance).toList());
        Iterator<Node> parameters = template.inner().stream()
                .filter(node -> node.kind().endsWith("ParmDecl"))
                .iterator();
        for (int i = 0; i < arguments.size() && parameters.hasNext(); i++) {
            Node parameter = parameters.next();
            if (parameter.text("isParameterPack").equals("true")) {
                break;
            }
            if (parameter.kind().equals("NonTypeTemplateParmDecl")
                    && arguments.get(i).matches("-?\\d+")) {
                String desugared = parameter.node("type").text("desugaredQualType");
                Enumeration enumeration =
                        Templates.enumeration(desugared.isEmpty() ? parameter.type() : desugared, scope, header.enums);
                if (enumeration != null) {
                    arguments.set(i, Templates.spelled(enumeration, Long.parseLong(arguments.get(i))));
                } else if (parameter.type().equals("bool")) {
                    // Clang 19 says -1 for true.
                    arguments.set(i, arguments.get(i).equals("0") ? "0" : "1");
                }
            }
        }
        return arguments;
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
}
