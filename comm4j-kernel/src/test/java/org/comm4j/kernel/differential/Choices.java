// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.differential.Node.Kind;
import org.comm4j.kernel.differential.Scope.Call;
import org.comm4j.kernel.differential.Scope.Variable;

/** Generator of methods that tell the types of a sealed interface apart by patterns. */
final class Choices {
    private final Draw draw;
    private final Scope scope;
    private final Expressions expressions;

    Choices(Draw draw, Scope scope, Expressions expressions) {
        this.draw = draw;
        this.scope = scope;
        this.expressions = expressions;
    }

    /**
     * Draws the methods.
     *
     * @param members gets the methods
     * @param calls gets the ways to call them
     */
    void draw(String sealed, List<Hierarchy.Type> types, List<Node> members, List<Call> calls) {
        for (int i = 1 + draw.nextInt(2); i > 0; i--) {
            String name = draw.name("pick");
            Kind result = draw.any(new Kind[] {Kind.INT, Kind.LONG, Kind.DOUBLE});
            List<Node> cases = new ArrayList<>();
            types.forEach(type -> cases(type, result, cases));
            members.add(new Node(
                    Kind.FIXED,
                    "static " + result.java + " " + name + "(" + sealed
                            + " on, int x) {\nreturn switch (on) {\n$0};\n}",
                    Node.list(cases)));
            called(name, result, types, calls);
        }
        String name = draw.name("test");
        List<Node> tests = new ArrayList<>();
        types.forEach(type -> tests.add(test(type)));
        members.add(
                new Node(Kind.FIXED, "static int " + name + "(Object on, int x) {\n$0return -x;\n}", Node.list(tests)));
        called(name, Kind.INT, types, calls);
    }

    private static void called(String name, Kind result, List<Hierarchy.Type> types, List<Call> calls) {
        for (Hierarchy.Type type : types) {
            List<Kind> kinds = new ArrayList<>(type.needs());
            kinds.add(Kind.INT);
            calls.add(new Call(name + "(" + type.made() + ", $" + type.needs().size() + ")", result, kinds));
        }
    }

    private void inside(List<Variable> variables) {
        scope.variables.clear();
        scope.variables.addAll(variables);
        scope.add("x", Kind.INT, false);
    }

    /** Draws a pattern of a record; what it binds is in scope. */
    private String taken(Hierarchy.Type type) {
        List<Variable> bound = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        for (Variable component : type.components()) {
            Variable part = new Variable(draw.name("p"), component.kind(), false, 0);
            bound.add(part);
            parts.add((draw.chance(50) ? "var " : component.kind().java + " ") + part.name());
        }
        inside(bound);
        return type.name() + "(" + String.join(", ", parts) + ")";
    }

    private Node arm(String pattern, Kind result) {
        return new Node(Kind.FIXED, "case " + pattern + " -> ($0);", expressions.expression(result, 2));
    }

    private void cases(Hierarchy.Type type, Kind result, List<Node> cases) {
        boolean isRecord = type.constants().isEmpty();
        if (!isRecord && draw.chance(60)) {
            inside(List.of());
            cases.add(arm(type.name() + "." + type.constants().getFirst(), result));
        }
        if (draw.chance(60)) {
            String pattern;
            if (isRecord) {
                pattern = taken(type);
            } else {
                String bound = draw.name("e");
                inside(List.of(new Variable(bound + ".field", Kind.INT, false, 0)));
                pattern = type.name() + " " + bound;
            }
            cases.add(new Node(
                    Kind.FIXED,
                    "case " + pattern + " when (x > 3) == $0 -> ($1);",
                    expressions.expression(Kind.BOOLEAN, 2),
                    expressions.expression(result, 2)));
        }
        if (isRecord && draw.chance(50)) {
            cases.add(arm(taken(type), result));
        } else {
            inside(List.of());
            cases.add(arm(type.name() + " " + draw.name("t"), result));
        }
    }

    private Node test(Hierarchy.Type type) {
        boolean isRecord = type.constants().isEmpty();
        String pattern = isRecord && draw.chance(60) ? taken(type) : type.name() + " " + draw.name("t");
        if (!pattern.contains("(")) {
            inside(List.of());
        }
        return new Node(
                Kind.FIXED,
                "if (on instanceof " + pattern + " && $0) { return $1; }",
                expressions.expression(Kind.BOOLEAN, 1),
                expressions.expression(Kind.INT, 2));
    }
}
