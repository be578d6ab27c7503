// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.comm4j.kernel.differential.Node.Kind;
import org.comm4j.kernel.differential.Scope.Call;
import org.comm4j.kernel.differential.Scope.Variable;

/** Draws kernels: the same seed, the same kernel. Every one ends, and none divides by zero or leaves an array. */
final class Generator {
    private final Draw draw;
    private final Scope scope = new Scope();
    private final Expressions expressions;
    private final Statements statements;

    private Generator(long seed) {
        draw = new Draw(seed);
        expressions = new Expressions(draw, scope);
        statements = new Statements(draw, scope, expressions);
    }

    /** The inside of a class; {@code @@} stands for the number of the case. */
    static Node draw(long seed) {
        return new Generator(seed).type();
    }

    private Node type() {
        List<Node> functions = new ArrayList<>();
        if (draw.chance(70)) {
            functions.add(new Hierarchy(draw, scope, expressions).draw());
        }
        int count = draw.nextInt(4);
        for (int i = 0; i < count; i++) {
            functions.add(helper());
        }
        scope.inKernel = true;
        scope.variables.clear();
        scope.add("id", Kind.INT, false);
        scope.add("pb", Kind.BYTE, true);
        scope.add("pz", Kind.BOOLEAN, true);
        scope.add("ps", Kind.SHORT, false);
        scope.add("pc", Kind.CHAR, true);
        scope.add("pf", Kind.FLOAT, true);
        scope.add("pd", Kind.DOUBLE, false);
        scope.add("pl", Kind.LONG, true);
        List<Node> body = new ArrayList<>();
        for (int i = 3 + draw.nextInt(5); i > 0; i--) {
            body.add(statements.declaration(2));
        }
        if (draw.chance(60)) {
            body.add(statements.array());
        }
        statements.loops(0);
        statements.statements(body, 3 + draw.nextInt(8), 3, false);
        return new Node(
                Kind.FIXED,
                "$0\nstatic void body@@(int id, " + Javac.PARAMETERS + ") {\n$1$2}\n",
                Node.list(functions),
                Node.list(body),
                results());
    }

    /** Everything that is in scope goes to the outputs. */
    private Node results() {
        List<Node> lines = new ArrayList<>();
        int[] used = new int[4];
        String[] out = {"oi", "ol", "of", "od"};
        for (Variable v : scope.variables) {
            if (v.isArray()) {
                String index = draw.name("k");
                String element = v.name() + "[" + index + "]";
                int at = slot(v.kind());
                if (used[at] < Case.SLOTS) {
                    String target = "(" + "id * " + Case.SLOTS + " + " + used[at]++ + ")";
                    lines.add(new Node(
                            Kind.STATEMENT,
                            "for (int " + index + " = 0; " + index + " < " + v.name() + ".length; " + index + "++) { "
                                    + out[at] + ".set" + target.replaceFirst("\\)$", "") + ", " + out[at] + ".get"
                                    + target
                                    + " * 3 + " + (v.kind() == Kind.BOOLEAN ? "(" + element + " ? 1 : 0)" : element)
                                    + "); }"));
                }
                continue;
            }
            List<String> values = v.kind() == Kind.RECORD
                    ? List.of(v.name() + ".a()", v.name() + ".b()", v.name() + ".c()", v.name() + ".d()")
                    : List.of(v.name());
            List<Kind> kinds = v.kind() == Kind.RECORD
                    ? List.of(Kind.INT, Kind.DOUBLE, Kind.BYTE, Kind.BOOLEAN)
                    : List.of(v.kind());
            for (int i = 0; i < values.size(); i++) {
                int at = slot(kinds.get(i));
                if (used[at] < Case.SLOTS && (v.assignable() || v.kind() == Kind.RECORD)) {
                    String value = kinds.get(i) == Kind.BOOLEAN
                            ? values.get(i) + " ? 1 : 0"
                            : kinds.get(i) == Kind.ENUM ? values.get(i) + ".ordinal()" : values.get(i);
                    lines.add(new Node(
                            Kind.STATEMENT,
                            out[at] + ".set(id * " + Case.SLOTS + " + " + used[at]++ + ", " + value + ");"));
                }
            }
        }
        return Node.list(lines);
    }

    private static int slot(Kind kind) {
        return kind == Kind.LONG ? 1 : kind == Kind.FLOAT ? 2 : kind == Kind.DOUBLE ? 3 : 0;
    }

    private Node helper() {
        scope.variables.clear();
        Kind result = draw.chance(10) ? Kind.RECORD : draw.any(Literals.VALUES);
        List<Kind> parameters = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = draw.nextInt(4); i > 0; i--) {
            Kind kind = draw.chance(10) ? Kind.RECORD : draw.chance(10) ? Kind.ENUM : draw.any(Literals.VALUES);
            String name = draw.name("p");
            parameters.add(kind);
            scope.add(name, kind, draw.chance(70));
            text.append(text.isEmpty() ? "" : ", ")
                    .append(kind.java)
                    .append(' ')
                    .append(name);
        }
        String name = draw.name("help");
        List<Node> body = new ArrayList<>();
        for (int i = draw.nextInt(3); i > 0; i--) {
            body.add(statements.declaration(2));
        }
        if (draw.chance(20)) {
            body.add(statements.array());
        }
        // One loop, so that nested calls do not take long.
        statements.loops(1);
        statements.statements(body, draw.nextInt(4), 2, false);
        if (draw.chance(40)) {
            body.add(new Node(
                    Kind.STATEMENT,
                    "if ($0) { return $1; }",
                    expressions.expression(Kind.BOOLEAN, 2),
                    expressions.expression(result, 2)));
        }
        Node function = new Node(
                Kind.FIXED,
                "static " + result.java + " " + name + "(" + text + ") {\n$0return $1;\n}",
                Node.list(body),
                expressions.expression(result, 3));
        String arguments =
                IntStream.range(0, parameters.size()).mapToObj(i -> "$" + i).collect(Collectors.joining(", "));
        scope.calls.add(new Call(name + "(" + arguments + ")", result, parameters));
        return function;
    }
}
