// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.differential.Node.Kind;
import org.comm4j.kernel.differential.Scope.Call;
import org.comm4j.kernel.differential.Scope.Variable;

/** Expressions of a kind: always in parentheses, where that matters. */
final class Expressions {
    private final Draw draw;
    private final Scope scope;
    private final Literals literals;

    Expressions(Draw draw, Scope scope) {
        this.draw = draw;
        this.scope = scope;
        this.literals = new Literals(draw);
    }

    /** Draws {@code x op= y}, with Java's hidden conversion. */
    Node compound(Kind kind, String target, List<Node> parts, int depth, String end) {
        List<Node> all = new ArrayList<>(parts);
        String operand = "$" + all.size();
        Kind other = kind.isWhole() && draw.chance(70) ? draw.any(Literals.SMALL) : draw.any(Literals.NUMBERS);
        boolean whole = kind.isWhole() && other.isWhole();
        Kind result = end.isEmpty() ? kind : Kind.STATEMENT;
        if (draw.chance(25)) {
            return new Node(result, target + (draw.chance(50) ? "++" : "--") + end, all);
        }
        String op = whole
                ? draw.any(new String[] {"+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", "/=", "%="})
                : draw.any(new String[] {"+=", "-=", "*=", "/=", "%="});
        all.add(expression(other, depth - 1));
        boolean divides = op.equals("/=") || op.equals("%=");
        String value = divides && whole ? "nonZero(" + operand + ")" : operand;
        return new Node(result, target + " " + op + " " + value + end, all);
    }

    Node index(Variable array) {
        return new Node(Kind.INT, "($0 & " + (array.length() - 1) + ")", expression(Kind.INT, 1));
    }

    Variable assignable(Kind kind) {
        List<Variable> all = scope.variables.stream()
                .filter(v -> v.kind() == kind && v.assignable() && !v.isArray())
                .toList();
        return all.isEmpty() ? null : draw.any(all);
    }

    private Node leaf(Kind kind) {
        List<Variable> same =
                scope.variables.stream().filter(v -> v.kind() == kind).toList();
        if (!same.isEmpty() && draw.chance(65)) {
            Variable v = draw.any(same);
            return v.isArray()
                    ? new Node(kind, v.name() + "[$0]", new Node(Kind.INT, draw.chance(50) ? "0" : "1"))
                    : new Node(kind, v.name());
        }
        if (scope.inKernel && kind != Kind.RECORD && kind != Kind.ENUM && draw.chance(60) && scope.hasIndex()) {
            String at = "(id * 4 + " + draw.nextInt(4) + ")";
            return new Node(
                    kind,
                    switch (kind) {
                        case BYTE -> "bytes.get" + at;
                        case SHORT -> "shorts.get" + at;
                        case INT -> "ints.get" + at;
                        case LONG -> "longs.get" + at;
                        case FLOAT -> "floats.get" + at;
                        case DOUBLE -> "doubles.get" + at;
                        case CHAR -> "(char) shorts.get" + at;
                        default -> "(bytes.get" + at + " > 0)";
                    });
        }
        if (kind == Kind.RECORD) {
            return new Node(
                    kind,
                    "new Pair($0, $1, $2, $3)",
                    leaf(Kind.INT),
                    leaf(Kind.DOUBLE),
                    leaf(Kind.BYTE),
                    leaf(Kind.BOOLEAN));
        }
        return literals.literal(kind);
    }

    Node expression(Kind kind, int depth) {
        if (depth <= 0 || draw.chance(8)) {
            return leaf(kind);
        }
        int choice = draw.nextInt(100);
        if (choice < 8) {
            return new Node(
                    kind,
                    "($0 ? $1 : $2)",
                    expression(Kind.BOOLEAN, depth - 1),
                    same(kind, depth - 1),
                    same(kind, depth - 1));
        }
        if (choice < 18) {
            List<Call> fitting =
                    scope.calls.stream().filter(call -> call.result() == kind).toList();
            if (!fitting.isEmpty()) {
                return call(draw.any(fitting), depth);
            }
        }
        if (choice < 24) {
            List<Variable> arrays = scope.variables.stream()
                    .filter(v -> v.isArray() && v.kind() == kind)
                    .toList();
            if (!arrays.isEmpty()) {
                Variable v = draw.any(arrays);
                if (kind.isNumber() && draw.chance(30)) {
                    Node made = compound(kind, v.name() + "[$0]", List.of(index(v)), depth - 1, "");
                    return new Node(kind, "($0)", made);
                }
                return draw.chance(25)
                        ? new Node(kind, "(" + v.name() + "[$0] = $1)", index(v), expression(kind, depth - 1))
                        : new Node(kind, v.name() + "[$0]", index(v));
            }
        }
        if (choice < 31) {
            Variable v = assignable(kind);
            if (v != null && kind.isNumber() && draw.chance(60)) {
                return draw.chance(30)
                        ? new Node(kind, "(" + (draw.chance(50) ? "++" : "--") + v.name() + ")")
                        : new Node(kind, "($0)", compound(kind, v.name(), List.of(), depth - 1, ""));
            }
            if (v != null) {
                return new Node(kind, "(" + v.name() + " = $0)", expression(kind, depth - 1));
            }
        }
        if (choice < 34 && kind != Kind.RECORD) {
            return new Node(
                    kind,
                    "(switch ($0 & 3) { case 0 -> $1; case 1, 2 -> $2; default -> $3; })",
                    expression(Kind.INT, depth - 1),
                    same(kind, depth - 1),
                    same(kind, depth - 1),
                    same(kind, depth - 1));
        }
        if (choice < 37) {
            List<Variable> pairs = scope.variables.stream()
                    .filter(v -> v.kind() == Kind.RECORD)
                    .toList();
            if (!pairs.isEmpty()) {
                String name = draw.any(pairs).name();
                switch (kind) {
                    case INT -> {
                        return new Node(kind, name + (draw.chance(50) ? ".a()" : ".sum()"));
                    }
                    case DOUBLE -> {
                        return new Node(kind, name + ".b()");
                    }
                    case BYTE -> {
                        return new Node(kind, name + ".c()");
                    }
                    case BOOLEAN -> {
                        return new Node(kind, name + ".d()");
                    }
                    default -> {}
                }
            }
        }
        if (choice < 39 && kind == Kind.INT) {
            return function(depth);
        }
        return switch (kind) {
            case BOOLEAN -> truth(depth - 1);
            case BYTE, SHORT, CHAR ->
                new Node(kind, "(" + kind.java + ") ($0)", expression(draw.any(Literals.NUMBERS), depth - 1));
            case INT, LONG -> whole(kind, depth - 1);
            case FLOAT, DOUBLE -> real(kind, depth - 1);
            case RECORD ->
                new Node(
                        kind,
                        "new Pair($0, $1, $2, $3)",
                        expression(Kind.INT, depth - 1),
                        expression(Kind.DOUBLE, depth - 1),
                        expression(Kind.BYTE, depth - 1),
                        expression(Kind.BOOLEAN, depth - 1));
            default -> leaf(kind);
        };
    }

    Node call(Call call, int depth) {
        return new Node(
                call.result(),
                "(" + call.text() + ")",
                call.needs().stream().map(kind -> same(kind, depth - 1)).toList());
    }

    /** Draws a call with a lambda, which captures only values that do not change. */
    private Node function(int depth) {
        List<Variable> outside = new ArrayList<>(scope.variables);
        String q = draw.name("q");
        scope.variables.removeIf(v -> v.assignable() || v.name().startsWith("k"));
        scope.add(q, Kind.INT, false);
        Node body = expression(Kind.INT, depth - 1);
        scope.variables.clear();
        scope.variables.addAll(outside);
        String how = draw.any(new String[] {"appliedTo(", "appliedTwice("});
        return new Node(Kind.INT, how + q + " -> $0, $1)", body, expression(Kind.INT, depth - 1));
    }

    /**
     * Draws an expression of exactly this type. The arms of a conditional decide its type; a constant may be
     * narrower.
     */
    private Node same(Kind kind, int depth) {
        Node made = expression(kind, depth);
        return kind.isNumber() ? new Node(kind, "(" + kind.java + ") ($0)", made) : made;
    }

    private Node truth(int depth) {
        switch (draw.nextInt(10)) {
            case 0 -> {
                return new Node(Kind.BOOLEAN, "(!$0)", expression(Kind.BOOLEAN, depth));
            }
            case 1, 2 -> {
                return new Node(
                        Kind.BOOLEAN,
                        "($0 " + draw.any(new String[] {"&&", "||", "&", "|", "^", "==", "!="}) + " $1)",
                        expression(Kind.BOOLEAN, depth),
                        expression(Kind.BOOLEAN, depth));
            }
            case 3 -> {
                return new Node(
                        Kind.BOOLEAN,
                        draw.any(new String[] {"Float.isNaN($0)", "Float.isInfinite($0)", "Float.isFinite($0)"}),
                        expression(Kind.FLOAT, depth));
            }
            case 4 -> {
                return new Node(
                        Kind.BOOLEAN,
                        draw.any(new String[] {"Double.isNaN($0)", "Double.isInfinite($0)", "Double.isFinite($0)"}),
                        expression(Kind.DOUBLE, depth));
            }
            case 5 -> {
                if (draw.chance(30)) {
                    return new Node(
                            Kind.BOOLEAN, "($0 == $1)", expression(Kind.ENUM, depth), expression(Kind.ENUM, depth));
                }
            }
            default -> {}
        }
        Kind left = draw.any(Literals.NUMBERS);
        Kind right = draw.chance(70) ? left : draw.any(Literals.NUMBERS);
        return new Node(
                Kind.BOOLEAN,
                "($0 " + draw.any(new String[] {"<", "<=", ">", ">=", "==", "!="}) + " $1)",
                expression(left, depth),
                draw.chance(25) ? literals.literal(right) : expression(right, depth));
    }

    private Node whole(Kind kind, int depth) {
        boolean wide = kind == Kind.LONG;
        int choice = draw.nextInt(20);
        if (choice < 6) {
            Kind left = wide ? Kind.LONG : draw.any(Literals.SMALL);
            Kind right = wide && draw.chance(70) ? Kind.LONG : draw.any(Literals.SMALL);
            return new Node(
                    kind,
                    "($0 " + draw.any(new String[] {"+", "-", "*", "&", "|", "^"}) + " $1)",
                    expression(left, depth),
                    expression(right, depth));
        }
        if (choice < 9) {
            Kind distance = draw.chance(30) ? Kind.LONG : draw.any(Literals.SMALL);
            return new Node(
                    kind,
                    "($0 " + draw.any(new String[] {"<<", ">>", ">>>"}) + " $1)",
                    expression(wide ? Kind.LONG : draw.any(Literals.SMALL), depth),
                    draw.chance(40) ? literals.literal(distance) : expression(distance, depth));
        }
        if (choice < 11) {
            String op = draw.chance(50) ? "/" : "%";
            Node left = expression(kind, depth);
            if (draw.chance(30)) {
                return new Node(
                        kind,
                        "($0 " + op + " "
                                + draw.any(new String[] {"-1", "3", "-7", "8", "-16", "1", "-2147483648", "10"})
                                + (wide ? "L)" : ")"),
                        left);
            }
            return new Node(
                    kind,
                    "($0 " + op + " nonZero($1))",
                    left,
                    expression(kind == Kind.LONG ? Kind.LONG : Kind.INT, depth));
        }
        if (choice < 12) {
            return new Node(kind, "(" + draw.any(new String[] {"-", "~", "+"}) + "$0)", expression(kind, depth));
        }
        if (choice < 15) {
            return new Node(kind, "(" + kind.java + ") ($0)", expression(draw.any(Literals.NUMBERS), depth));
        }
        if (choice < 16) {
            return wide
                    ? draw.chance(50)
                            ? new Node(kind, "Double.doubleToLongBits($0)", expression(Kind.DOUBLE, depth))
                            : new Node(kind, "Math.round($0)", expression(Kind.DOUBLE, depth))
                    : switch (draw.nextInt(7)) {
                        case 0 -> new Node(kind, "Float.floatToIntBits($0)", expression(Kind.FLOAT, depth));
                        case 1 -> new Node(kind, "Math.round($0)", expression(Kind.FLOAT, depth));
                        case 2 ->
                            new Node(
                                    kind,
                                    "Double.compare($0, $1)",
                                    expression(Kind.DOUBLE, depth),
                                    expression(Kind.DOUBLE, depth));
                        case 3 ->
                            new Node(
                                    kind,
                                    "Float.compare($0, $1)",
                                    expression(Kind.FLOAT, depth),
                                    expression(Kind.FLOAT, depth));
                        case 4 ->
                            new Node(
                                    kind,
                                    "Long.compare($0, $1)",
                                    expression(Kind.LONG, depth),
                                    expression(Kind.LONG, depth));
                        case 5 -> new Node(kind, "Math.getExponent($0)", expression(Kind.DOUBLE, depth));
                        default -> new Node(kind, "Long.bitCount($0)", expression(Kind.LONG, depth));
                    };
        }
        if (!wide && draw.chance(20)) {
            return new Node(kind, "TABLE[$0 & 7]", expression(Kind.INT, depth));
        }
        if (!wide && draw.chance(10)) {
            return new Node(kind, "($0).ordinal()", expression(Kind.ENUM, depth));
        }
        return new Node(
                kind,
                draw.any(wide ? Literals.FUNCTIONS_L : Literals.FUNCTIONS_I),
                expression(kind, depth),
                expression(kind, depth));
    }

    private Node real(Kind kind, int depth) {
        int choice = draw.nextInt(20);
        if (choice < 9) {
            Kind other = kind == Kind.DOUBLE
                    ? draw.any(Literals.NUMBERS)
                    : draw.any(new Kind[] {Kind.FLOAT, Kind.FLOAT, Kind.INT, Kind.LONG, Kind.BYTE});
            return new Node(
                    kind,
                    "($0 " + draw.any(new String[] {"+", "-", "*", "/", "%"}) + " $1)",
                    expression(kind, depth),
                    expression(draw.chance(60) ? kind : other, depth));
        }
        if (choice < 10) {
            return new Node(kind, "(-$0)", expression(kind, depth));
        }
        if (choice < 14) {
            return new Node(kind, "(" + kind.java + ") ($0)", expression(draw.any(Literals.NUMBERS), depth));
        }
        if (choice < 15) {
            return kind == Kind.FLOAT
                    ? new Node(kind, "Float.intBitsToFloat($0)", expression(Kind.INT, depth))
                    : new Node(kind, "Double.longBitsToDouble($0)", expression(Kind.LONG, depth));
        }
        return new Node(
                kind,
                draw.any(kind == Kind.FLOAT ? Literals.FUNCTIONS_F : Literals.FUNCTIONS_D),
                expression(kind, depth),
                expression(kind, depth));
    }
}
