// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.differential.Node.Kind;
import org.comm4j.kernel.differential.Scope.Variable;

/** Statements: declarations, assignments, branches, loops, lambdas. */
final class Statements {
    private final Draw draw;
    private final Scope scope;
    private final Expressions expressions;
    private int loops;

    Statements(Draw draw, Scope scope, Expressions expressions) {
        this.draw = draw;
        this.scope = scope;
        this.expressions = expressions;
    }

    /** Sets the number of loops that the method has already. */
    void loops(int taken) {
        loops = taken;
    }

    Node declaration(int depth) {
        Kind kind = draw.chance(8) ? Kind.RECORD : draw.chance(6) ? Kind.ENUM : draw.any(Literals.VALUES);
        Node value = expressions.expression(kind, depth);
        String name = draw.name("v");
        scope.variables.add(new Variable(name, kind, true, 0));
        return new Node(Kind.STATEMENT, kind.java + " " + name + " = $0;", value);
    }

    Node array() {
        Kind kind = draw.any(Literals.VALUES);
        String name = draw.name("a");
        int length = 1 << draw.nextInt(1, 4);
        Variable made = new Variable(name, kind, true, length);
        if (draw.chance(30)) {
            Node[] elements = new Node[length];
            StringBuilder text = new StringBuilder(kind.java + "[] " + name + " = {");
            for (int i = 0; i < length; i++) {
                elements[i] = expressions.expression(kind, 1);
                text.append(i > 0 ? ", $" : "$").append(i);
            }
            scope.variables.add(made);
            return new Node(Kind.STATEMENT, text + "};", elements);
        }
        scope.variables.add(made);
        return new Node(Kind.STATEMENT, kind.java + "[] " + name + " = new " + kind.java + "[" + length + "];");
    }

    Node block(int count, int depth, boolean inLoop) {
        int before = scope.variables.size();
        List<Node> lines = new ArrayList<>();
        statements(lines, count, depth, inLoop);
        scope.variables.subList(before, scope.variables.size()).clear();
        return Node.list(lines);
    }

    void statements(List<Node> lines, int count, int depth, boolean inLoop) {
        for (int i = 0; i < count; i++) {
            lines.add(statement(depth, inLoop));
        }
    }

    private Node statement(int depth, boolean inLoop) {
        int kind = draw.nextInt(100);
        if (depth <= 0 || kind < 35) {
            return assignment();
        }
        if (kind < 42) {
            return declaration(2);
        }
        if (kind < 58) {
            Node condition = expressions.expression(Kind.BOOLEAN, 3);
            Node first = block(1 + draw.nextInt(3), depth - 1, inLoop);
            return draw.chance(50)
                    ? new Node(Kind.STATEMENT, "if ($0) {\n$1}", condition, first)
                    : new Node(
                            Kind.STATEMENT,
                            "if ($0) {\n$1} else {\n$2}",
                            condition,
                            first,
                            block(1 + draw.nextInt(3), depth - 1, inLoop));
        }
        if (kind < 75 && loops < 4) {
            return loop(depth);
        }
        if (kind < 82) {
            return choice(depth, inLoop);
        }
        if (kind < 86 && inLoop) {
            return new Node(
                    Kind.STATEMENT,
                    "if ($0) { " + (draw.chance(50) ? "break" : "continue") + "; }",
                    expressions.expression(Kind.BOOLEAN, 2));
        }
        if (kind < 90) {
            return lambda();
        }
        if (kind < 93) {
            // Slots of the JVM's frame that are used again, with other types.
            return new Node(Kind.STATEMENT, "{\n$0}", block(2, depth - 1, inLoop));
        }
        return assignment();
    }

    private Node loop(int depth) {
        loops++;
        String k = draw.name("k");
        String label = draw.name("loop");
        int times = 1 + draw.nextInt(6);
        int before = scope.variables.size();
        scope.variables.add(new Variable(k, draw.chance(20) ? Kind.LONG : Kind.INT, false, 0));
        String type = scope.variables.getLast().kind().java;
        List<Node> lines = new ArrayList<>();
        statements(lines, 1 + draw.nextInt(3), depth - 1, true);
        boolean labelled = draw.chance(25);
        if (labelled) {
            lines.add(new Node(
                    Kind.STATEMENT,
                    "for (int i" + k + " = 0; i" + k + " < 2; i" + k + "++) {\n$0if ($1) { "
                            + (draw.chance(50) ? "break " : "continue ") + label + "; }\n}",
                    block(1, depth - 1, true),
                    expressions.expression(Kind.BOOLEAN, 2)));
        }
        scope.variables.subList(before, scope.variables.size()).clear();
        String start = labelled ? label + ": " : "";
        Node body = Node.list(lines);
        return switch (draw.nextInt(5)) {
            case 0 ->
                new Node(
                        Kind.STATEMENT,
                        "{ " + type + " " + k + " = 0;\n" + start + "while (" + k + "++ < " + times
                                + " && $1) {\n$0} }",
                        body,
                        expressions.expression(Kind.BOOLEAN, 1));
            case 1 ->
                new Node(
                        Kind.STATEMENT,
                        "{ " + type + " " + k + " = 0;\n" + start + "do {\n$0} while (++" + k + " < " + times + "); }",
                        body);
            case 2 ->
                new Node(
                        Kind.STATEMENT,
                        start + "for (" + type + " " + k + " = " + times + ";;) {\nif (" + k
                                + "-- <= 0) { break; }\n$0}",
                        body);
            default ->
                new Node(
                        Kind.STATEMENT,
                        start + "for (" + type + " " + k + " = 0; " + k + " < " + times + "; " + k
                                + (draw.chance(80) ? "++" : " += 2") + ") {\n$0}",
                        body);
        };
    }

    private Node choice(int depth, boolean inLoop) {
        if (draw.chance(25)) {
            return new Node(
                    Kind.STATEMENT,
                    "switch ($0) {\ncase RED -> {\n$1}\ncase BLUE -> {\n$2}\ndefault -> {}\n}",
                    expressions.expression(Kind.ENUM, 2),
                    block(1, depth - 1, false),
                    block(1, depth - 1, false));
        }
        boolean wide = draw.chance(40);
        String[] labels = wide ? new String[] {"-2147483648", "0", "1000000"} : new String[] {"0", "1", "2"};
        boolean old = draw.chance(50);
        Node[] parts = new Node[5];
        Kind kind = draw.any(Literals.SMALL);
        parts[0] = wide || kind == Kind.INT ? expressions.expression(Kind.INT, 2) : expressions.expression(kind, 2);
        if (!wide && draw.chance(70)) {
            parts[0] = new Node(Kind.INT, "($0 & 3)", parts[0]);
        } else if (wide) {
            kind = Kind.INT;
        }
        if (wide && kind != Kind.INT) {
            labels[0] = "3";
        }
        for (int i = 1; i < 5; i++) {
            parts[i] = block(1, depth - 1, inLoop && !old);
        }
        StringBuilder text = new StringBuilder("switch ($0) {\n");
        for (int i = 0; i < 3; i++) {
            text.append("case ")
                    .append(labels[i])
                    .append(old ? ": {\n$" : " -> {\n$")
                    .append(i + 1)
                    .append("}\n");
            if (old && draw.chance(60)) {
                text.append("break;\n");
            }
        }
        text.append(old ? "default: {\n$4}\n}" : "default -> {\n$4}\n}");
        return new Node(Kind.STATEMENT, text.toString(), parts);
    }

    private Node lambda() {
        List<Variable> outside = new ArrayList<>(scope.variables);
        Variable target = expressions.assignable(Kind.INT);
        if (target == null) {
            return assignment();
        }
        String f = draw.name("f");
        String q = draw.name("q");
        scope.variables.removeIf(v -> v.assignable());
        List<Variable> captured = new ArrayList<>(scope.variables);
        // A loop's counter changes.
        scope.variables.removeIf(v -> v.name().startsWith("k"));
        scope.variables.add(new Variable(q, Kind.INT, false, 0));
        Node body = expressions.expression(Kind.INT, 3);
        scope.variables.clear();
        scope.variables.addAll(outside);
        if (captured.isEmpty() && draw.chance(50)) {
            return assignment();
        }
        return new Node(
                Kind.STATEMENT,
                "{ IntUnaryOperator " + f + " = " + q + " -> $0; " + target.name() + " = " + f + ".applyAsInt($1); }",
                body,
                expressions.expression(Kind.INT, 2));
    }

    private Node assignment() {
        List<Variable> targets =
                scope.variables.stream().filter(Variable::assignable).toList();
        if (targets.isEmpty()) {
            return declaration(2);
        }
        Variable v = draw.any(targets);
        int depth = 2 + draw.nextInt(3);
        if (v.isArray()) {
            Node index = expressions.index(v);
            String element = v.name() + "[$0]";
            if (v.kind().isNumber() && draw.chance(40)) {
                return expressions.compound(v.kind(), element, List.of(index), depth, ";");
            }
            return new Node(Kind.STATEMENT, element + " = $1;", index, expressions.expression(v.kind(), depth));
        }
        if (v.kind().isNumber() && draw.chance(30)) {
            return expressions.compound(v.kind(), v.name(), List.of(), depth, ";");
        }
        return new Node(Kind.STATEMENT, v.name() + " = $0;", expressions.expression(v.kind(), depth));
    }
}
