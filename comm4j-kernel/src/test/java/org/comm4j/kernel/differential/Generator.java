// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.comm4j.kernel.differential.Node.Kind;

/** Draws kernels: the same seed, the same kernel. Every one ends, and none divides by zero or leaves an array. */
final class Generator {
    private static final Kind[] NUMBERS = {
        Kind.BYTE, Kind.SHORT, Kind.CHAR, Kind.INT, Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE
    };
    private static final Kind[] SMALL = {Kind.BYTE, Kind.SHORT, Kind.CHAR, Kind.INT, Kind.INT, Kind.INT};
    private static final Kind[] VALUES = {
        Kind.BOOLEAN, Kind.BYTE, Kind.SHORT, Kind.CHAR, Kind.INT, Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE
    };
    private static final String[] INTS = {
        "0",
        "1",
        "(-1)",
        "2",
        "3",
        "5",
        "7",
        "31",
        "32",
        "33",
        "63",
        "64",
        "65",
        "(-31)",
        "100",
        "127",
        "128",
        "255",
        "32767",
        "65536",
        "(-32769)",
        "1000003",
        "0x7fffffff",
        "(-2147483648)",
        "(-2147483647)",
        "0x55555555"
    };
    private static final String[] LONGS = {
        "0L",
        "1L",
        "(-1L)",
        "2L",
        "31L",
        "33L",
        "63L",
        "64L",
        "65L",
        "4294967296L",
        "2147483648L",
        "(-2147483649L)",
        "Long.MAX_VALUE",
        "Long.MIN_VALUE",
        "0x5555555555555555L",
        "9007199254740993L",
        "1000000007L"
    };
    private static final String[] REALS = {
        "0.0",
        "(-0.0)",
        "1.0",
        "(-1.0)",
        "0.5",
        "1.5",
        "2.5",
        "(-2.5)",
        "0.1",
        "3.0",
        "1e10",
        "(-1e10)",
        "16777217.0",
        "2147483647.0",
        "2147483648.0",
        "(-2147483649.0)",
        "9.2233720368547758E18",
        "(-1e19)",
        "1e30",
        "4.9"
    };
    private static final String[] FUNCTIONS_I = {
        "Math.abs($0)",
        "Math.max($0, $1)",
        "Math.min($0, $1)",
        "Math.floorDiv($0, nonZero($1))",
        "Math.floorMod($0, nonZero($1))",
        "Math.ceilDiv($0, nonZero($1))",
        "Integer.bitCount($0)",
        "Integer.numberOfLeadingZeros($0)",
        "Integer.numberOfTrailingZeros($0)",
        "Integer.rotateLeft($0, $1)",
        "Integer.rotateRight($0, $1)",
        "Integer.reverse($0)",
        "Integer.reverseBytes($0)",
        "Integer.highestOneBit($0)",
        "Integer.lowestOneBit($0)",
        "Integer.compare($0, $1)",
        "Integer.compareUnsigned($0, $1)",
        "Integer.signum($0)",
        "Integer.divideUnsigned($0, nonZero($1))",
        "Integer.remainderUnsigned($0, nonZero($1))",
        "Integer.compress($0, $1)",
        "Integer.expand($0, $1)",
        "Integer.max($0, $1)",
        "Integer.sum($0, $1)"
    };
    private static final String[] FUNCTIONS_L = {
        "Math.abs($0)",
        "Math.max($0, $1)",
        "Math.min($0, $1)",
        "Math.floorDiv($0, nonZero($1))",
        "Math.floorMod($0, nonZero($1))",
        "Math.multiplyHigh($0, $1)",
        "Math.unsignedMultiplyHigh($0, $1)",
        "Long.rotateLeft($0, (int) ($1))",
        "Long.rotateRight($0, (int) ($1))",
        "Long.reverse($0)",
        "Long.reverseBytes($0)",
        "Long.highestOneBit($0)",
        "Long.lowestOneBit($0)",
        "Long.divideUnsigned($0, nonZero($1))",
        "Long.remainderUnsigned($0, nonZero($1))",
        "Long.min($0, $1)"
    };
    private static final String[] FUNCTIONS_F = {
        "Math.abs($0)",
        "Math.max($0, $1)",
        "Math.min($0, $1)",
        "(float) Math.sqrt($0)",
        "(float) Math.floor($0)",
        "(float) Math.ceil($0)",
        "(float) Math.rint($0)",
        "Math.fma($0, $1, $0)",
        "Math.signum($0)",
        "Math.nextUp($0)",
        "Math.nextDown($0)",
        "Math.ulp($0)",
        "Float.max($0, $1)",
        "Float.sum($0, $1)"
    };
    private static final String[] FUNCTIONS_D = {
        "Math.abs($0)",
        "Math.max($0, $1)",
        "Math.min($0, $1)",
        "Math.sqrt($0)",
        "Math.floor($0)",
        "Math.ceil($0)",
        "Math.rint($0)",
        "Math.fma($0, $1, $0)",
        "Math.signum($0)",
        "Math.nextUp($0)",
        "Math.nextDown($0)",
        "Math.ulp($0)",
        "Math.toRadians($0)",
        "Double.min($0, $1)",
        "Double.sum($0, $1)"
    };

    private record Variable(String name, Kind kind, boolean assignable, int length) {
        boolean isArray() {
            return length > 0;
        }
    }

    private record Helper(String name, Kind result, List<Kind> parameters) {}

    private final SplittableRandom random;
    private final List<Variable> scope = new ArrayList<>();
    private final List<Helper> helpers = new ArrayList<>();
    private int names;
    private int loops;
    /** Whether the pointers of the kernel are there. */
    private boolean inKernel;

    private Generator(long seed) {
        random = new SplittableRandom(seed);
    }

    /** The inside of a class; {@code @@} stands for the number of the case. */
    static Node draw(long seed) {
        return new Generator(seed).type();
    }

    private <T> T any(T[] from) {
        return from[random.nextInt(from.length)];
    }

    private <T> T any(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private String name(String start) {
        return start + names++;
    }

    // The class.

    private Node type() {
        List<Node> functions = new ArrayList<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            functions.add(helper());
        }
        inKernel = true;
        scope.clear();
        scope.add(new Variable("id", Kind.INT, false, 0));
        scope.add(new Variable("pb", Kind.BYTE, true, 0));
        scope.add(new Variable("pz", Kind.BOOLEAN, true, 0));
        scope.add(new Variable("ps", Kind.SHORT, false, 0));
        scope.add(new Variable("pc", Kind.CHAR, true, 0));
        scope.add(new Variable("pf", Kind.FLOAT, true, 0));
        scope.add(new Variable("pd", Kind.DOUBLE, false, 0));
        scope.add(new Variable("pl", Kind.LONG, true, 0));
        List<Node> body = new ArrayList<>();
        for (int i = 3 + random.nextInt(5); i > 0; i--) {
            body.add(declaration(2));
        }
        if (chance(60)) {
            body.add(array());
        }
        loops = 0;
        statements(body, 3 + random.nextInt(8), 3, false);
        return new Node(
                Kind.FIXED,
                "$0\nstatic void body@@(int id, I8Ptr bytes, I16Ptr shorts, I32Ptr ints, I64Ptr longs, F32Ptr floats, F64Ptr doubles,"
                        + " I32Ptr oi, I64Ptr ol, F32Ptr of, F64Ptr od, byte pb, boolean pz, short ps, char pc, float pf, double pd,"
                        + " long pl) {\n$1$2}\n",
                Node.list(functions),
                Node.list(body),
                results());
    }

    /** Everything that is in scope goes to the outputs. */
    private Node results() {
        List<Node> lines = new ArrayList<>();
        int[] used = new int[4];
        String[] out = {"oi", "ol", "of", "od"};
        for (Variable v : scope) {
            if (v.isArray()) {
                String index = name("k");
                String element = v.name + "[" + index + "]";
                int at = slot(v.kind);
                if (used[at] < Case.SLOTS) {
                    String target = "(" + "id * " + Case.SLOTS + " + " + used[at]++ + ")";
                    lines.add(new Node(
                            Kind.STATEMENT,
                            "for (int " + index + " = 0; " + index + " < " + v.name + ".length; " + index + "++) { "
                                    + out[at] + ".set" + target.replaceFirst("\\)$", "") + ", " + out[at] + ".get"
                                    + target
                                    + " * 3 + " + (v.kind == Kind.BOOLEAN ? "(" + element + " ? 1 : 0)" : element)
                                    + "); }"));
                }
                continue;
            }
            List<String> values = v.kind == Kind.RECORD
                    ? List.of(v.name + ".a()", v.name + ".b()", v.name + ".c()", v.name + ".d()")
                    : List.of(v.name);
            List<Kind> kinds =
                    v.kind == Kind.RECORD ? List.of(Kind.INT, Kind.DOUBLE, Kind.BYTE, Kind.BOOLEAN) : List.of(v.kind);
            for (int i = 0; i < values.size(); i++) {
                int at = slot(kinds.get(i));
                if (used[at] < Case.SLOTS && (v.assignable || v.kind == Kind.RECORD)) {
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
        scope.clear();
        Kind result = chance(10) ? Kind.RECORD : any(VALUES);
        List<Kind> parameters = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            Kind kind = chance(10) ? Kind.RECORD : chance(10) ? Kind.ENUM : any(VALUES);
            String name = name("p");
            parameters.add(kind);
            scope.add(new Variable(name, kind, chance(70), 0));
            text.append(text.isEmpty() ? "" : ", ")
                    .append(kind.java)
                    .append(' ')
                    .append(name);
        }
        String name = name("help");
        List<Node> body = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            body.add(declaration(2));
        }
        if (chance(20)) {
            body.add(array());
        }
        // One loop, so that nested calls do not take long.
        loops = 1;
        statements(body, random.nextInt(4), 2, false);
        if (chance(40)) {
            body.add(new Node(
                    Kind.STATEMENT, "if ($0) { return $1; }", expression(Kind.BOOLEAN, 2), expression(result, 2)));
        }
        Node function = new Node(
                Kind.FIXED,
                "static " + result.java + " " + name + "(" + text + ") {\n$0return $1;\n}",
                Node.list(body),
                expression(result, 3));
        helpers.add(new Helper(name, result, parameters));
        return function;
    }

    // Statements.

    private Node declaration(int depth) {
        Kind kind = chance(8) ? Kind.RECORD : chance(6) ? Kind.ENUM : any(VALUES);
        Node value = expression(kind, depth);
        String name = name("v");
        scope.add(new Variable(name, kind, true, 0));
        return new Node(Kind.STATEMENT, kind.java + " " + name + " = $0;", value);
    }

    private Node array() {
        Kind kind = any(VALUES);
        String name = name("a");
        int length = 1 << random.nextInt(1, 4);
        Variable made = new Variable(name, kind, true, length);
        if (chance(30)) {
            Node[] elements = new Node[length];
            StringBuilder text = new StringBuilder(kind.java + "[] " + name + " = {");
            for (int i = 0; i < length; i++) {
                elements[i] = expression(kind, 1);
                text.append(i > 0 ? ", $" : "$").append(i);
            }
            scope.add(made);
            return new Node(Kind.STATEMENT, text + "};", elements);
        }
        scope.add(made);
        return new Node(Kind.STATEMENT, kind.java + "[] " + name + " = new " + kind.java + "[" + length + "];");
    }

    private Node block(int count, int depth, boolean inLoop) {
        int before = scope.size();
        List<Node> lines = new ArrayList<>();
        statements(lines, count, depth, inLoop);
        scope.subList(before, scope.size()).clear();
        return Node.list(lines);
    }

    private void statements(List<Node> lines, int count, int depth, boolean inLoop) {
        for (int i = 0; i < count; i++) {
            lines.add(statement(depth, inLoop));
        }
    }

    private Node statement(int depth, boolean inLoop) {
        int kind = random.nextInt(100);
        if (depth <= 0 || kind < 35) {
            return assignment();
        }
        if (kind < 42) {
            return declaration(2);
        }
        if (kind < 58) {
            Node condition = expression(Kind.BOOLEAN, 3);
            Node first = block(1 + random.nextInt(3), depth - 1, inLoop);
            return chance(50)
                    ? new Node(Kind.STATEMENT, "if ($0) {\n$1}", condition, first)
                    : new Node(
                            Kind.STATEMENT,
                            "if ($0) {\n$1} else {\n$2}",
                            condition,
                            first,
                            block(1 + random.nextInt(3), depth - 1, inLoop));
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
                    "if ($0) { " + (chance(50) ? "break" : "continue") + "; }",
                    expression(Kind.BOOLEAN, 2));
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
        String k = name("k");
        String label = name("loop");
        int times = 1 + random.nextInt(6);
        int before = scope.size();
        scope.add(new Variable(k, chance(20) ? Kind.LONG : Kind.INT, false, 0));
        String type = scope.getLast().kind.java;
        List<Node> lines = new ArrayList<>();
        statements(lines, 1 + random.nextInt(3), depth - 1, true);
        boolean labelled = chance(25);
        if (labelled) {
            lines.add(new Node(
                    Kind.STATEMENT,
                    "for (int i" + k + " = 0; i" + k + " < 2; i" + k + "++) {\n$0if ($1) { "
                            + (chance(50) ? "break " : "continue ") + label + "; }\n}",
                    block(1, depth - 1, true),
                    expression(Kind.BOOLEAN, 2)));
        }
        scope.subList(before, scope.size()).clear();
        String start = labelled ? label + ": " : "";
        Node body = Node.list(lines);
        return switch (random.nextInt(5)) {
            case 0 ->
                new Node(
                        Kind.STATEMENT,
                        "{ " + type + " " + k + " = 0;\n" + start + "while (" + k + "++ < " + times
                                + " && $1) {\n$0} }",
                        body,
                        expression(Kind.BOOLEAN, 1));
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
                                + (chance(80) ? "++" : " += 2") + ") {\n$0}",
                        body);
        };
    }

    private Node choice(int depth, boolean inLoop) {
        if (chance(25)) {
            return new Node(
                    Kind.STATEMENT,
                    "switch ($0) {\ncase RED -> {\n$1}\ncase BLUE -> {\n$2}\ndefault -> {}\n}",
                    expression(Kind.ENUM, 2),
                    block(1, depth - 1, false),
                    block(1, depth - 1, false));
        }
        boolean wide = chance(40);
        String[] labels = wide ? new String[] {"-2147483648", "0", "1000000"} : new String[] {"0", "1", "2"};
        boolean old = chance(50);
        Node[] parts = new Node[5];
        Kind kind = any(SMALL);
        parts[0] = wide || kind == Kind.INT ? expression(Kind.INT, 2) : expression(kind, 2);
        if (!wide && chance(70)) {
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
            if (old && chance(60)) {
                text.append("break;\n");
            }
        }
        text.append(old ? "default: {\n$4}\n}" : "default -> {\n$4}\n}");
        return new Node(Kind.STATEMENT, text.toString(), parts);
    }

    private Node lambda() {
        List<Variable> outside = new ArrayList<>(scope);
        Variable target = assignable(Kind.INT);
        if (target == null) {
            return assignment();
        }
        String f = name("f");
        String q = name("q");
        scope.removeIf(v -> v.assignable);
        List<Variable> captured = new ArrayList<>(scope);
        // A loop's counter changes.
        scope.removeIf(v -> v.name.startsWith("k"));
        scope.add(new Variable(q, Kind.INT, false, 0));
        Node body = expression(Kind.INT, 3);
        scope.clear();
        scope.addAll(outside);
        if (captured.isEmpty() && chance(50)) {
            return assignment();
        }
        return new Node(
                Kind.STATEMENT,
                "{ IntUnaryOperator " + f + " = " + q + " -> $0; " + target.name + " = " + f + ".applyAsInt($1); }",
                body,
                expression(Kind.INT, 2));
    }

    private Node assignment() {
        List<Variable> targets = scope.stream().filter(Variable::assignable).toList();
        if (targets.isEmpty()) {
            return declaration(2);
        }
        Variable v = any(targets);
        int depth = 2 + random.nextInt(3);
        if (v.isArray()) {
            Node index = index(v);
            String element = v.name + "[$0]";
            if (v.kind.isNumber() && chance(40)) {
                return compound(v.kind, element, List.of(index), depth, ";");
            }
            return new Node(Kind.STATEMENT, element + " = $1;", index, expression(v.kind, depth));
        }
        if (v.kind.isNumber() && chance(30)) {
            return compound(v.kind, v.name, List.of(), depth, ";");
        }
        return new Node(Kind.STATEMENT, v.name + " = $0;", expression(v.kind, depth));
    }

    /** {@code x op= y}, with Java's hidden conversion. */
    private Node compound(Kind kind, String target, List<Node> parts, int depth, String end) {
        List<Node> all = new ArrayList<>(parts);
        String operand = "$" + all.size();
        Kind other = kind.isWhole() && chance(70) ? any(SMALL) : any(NUMBERS);
        boolean whole = kind.isWhole() && other.isWhole();
        Kind result = end.isEmpty() ? kind : Kind.STATEMENT;
        if (chance(25)) {
            return new Node(result, target + (chance(50) ? "++" : "--") + end, all);
        }
        String op = whole
                ? any(new String[] {"+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", "/=", "%="})
                : any(new String[] {"+=", "-=", "*=", "/=", "%="});
        all.add(expression(other, depth - 1));
        boolean divides = op.equals("/=") || op.equals("%=");
        String value = divides && whole ? "nonZero(" + operand + ")" : operand;
        return new Node(result, target + " " + op + " " + value + end, all);
    }

    // Expressions: always in parentheses, where that matters.

    private Node index(Variable array) {
        return new Node(Kind.INT, "($0 & " + (array.length - 1) + ")", expression(Kind.INT, 1));
    }

    private Variable assignable(Kind kind) {
        List<Variable> all = scope.stream()
                .filter(v -> v.kind == kind && v.assignable && !v.isArray())
                .toList();
        return all.isEmpty() ? null : any(all);
    }

    private Node literal(Kind kind) {
        return new Node(
                kind,
                switch (kind) {
                    case BOOLEAN -> chance(50) ? "true" : "false";
                    case BYTE -> "(byte) " + any(INTS);
                    case SHORT -> "(short) " + any(INTS);
                    case CHAR -> "(char) " + any(INTS);
                    case INT -> any(INTS);
                    case LONG -> any(LONGS);
                    case FLOAT ->
                        switch (random.nextInt(12)) {
                            case 0 -> "Float.NaN";
                            case 1 -> "Float.NEGATIVE_INFINITY";
                            case 2 -> "Float.POSITIVE_INFINITY";
                            case 3 -> "Float.MIN_VALUE";
                            case 4 -> "Float.MAX_VALUE";
                            default -> "(float) " + any(REALS);
                        };
                    case DOUBLE ->
                        switch (random.nextInt(12)) {
                            case 0 -> "Double.NaN";
                            case 1 -> "Double.NEGATIVE_INFINITY";
                            case 2 -> "Double.POSITIVE_INFINITY";
                            case 3 -> "Double.MIN_VALUE";
                            case 4 -> "Double.MAX_VALUE";
                            default -> any(REALS);
                        };
                    case ENUM -> "Color." + any(new String[] {"RED", "GREEN", "BLUE"});
                    default -> throw new IllegalArgumentException(kind.name());
                });
    }

    private Node leaf(Kind kind) {
        List<Variable> same = scope.stream().filter(v -> v.kind == kind).toList();
        if (!same.isEmpty() && chance(65)) {
            Variable v = any(same);
            return v.isArray()
                    ? new Node(kind, v.name + "[$0]", new Node(Kind.INT, chance(50) ? "0" : "1"))
                    : new Node(kind, v.name);
        }
        if (inKernel && kind != Kind.RECORD && kind != Kind.ENUM && chance(60) && id()) {
            String at = "(id * 4 + " + random.nextInt(4) + ")";
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
        return literal(kind);
    }

    /** Whether the index is there: not in a lambda, which would have to capture pointers. */
    private boolean id() {
        return scope.stream().anyMatch(v -> v.name.equals("pb"));
    }

    private Node expression(Kind kind, int depth) {
        if (depth <= 0 || chance(8)) {
            return leaf(kind);
        }
        int choice = random.nextInt(100);
        if (choice < 8) {
            return new Node(
                    kind,
                    "($0 ? $1 : $2)",
                    expression(Kind.BOOLEAN, depth - 1),
                    same(kind, depth - 1),
                    same(kind, depth - 1));
        }
        if (choice < 16) {
            List<Helper> fitting =
                    helpers.stream().filter(h -> h.result == kind).toList();
            if (!fitting.isEmpty()) {
                Helper h = any(fitting);
                StringBuilder text = new StringBuilder(h.name + "(");
                Node[] parts = new Node[h.parameters.size()];
                for (int i = 0; i < parts.length; i++) {
                    parts[i] = expression(h.parameters.get(i), depth - 1);
                    text.append(i > 0 ? ", $" : "$").append(i);
                }
                return new Node(kind, text + ")", parts);
            }
        }
        if (choice < 24) {
            List<Variable> arrays =
                    scope.stream().filter(v -> v.isArray() && v.kind == kind).toList();
            if (!arrays.isEmpty()) {
                Variable v = any(arrays);
                if (kind.isNumber() && chance(30)) {
                    Node made = compound(kind, v.name + "[$0]", List.of(index(v)), depth - 1, "");
                    return new Node(kind, "($0)", made);
                }
                return chance(25)
                        ? new Node(kind, "(" + v.name + "[$0] = $1)", index(v), expression(kind, depth - 1))
                        : new Node(kind, v.name + "[$0]", index(v));
            }
        }
        if (choice < 31) {
            Variable v = assignable(kind);
            if (v != null && kind.isNumber() && chance(60)) {
                return chance(30)
                        ? new Node(kind, "(" + (chance(50) ? "++" : "--") + v.name + ")")
                        : new Node(kind, "($0)", compound(kind, v.name, List.of(), depth - 1, ""));
            }
            if (v != null) {
                return new Node(kind, "(" + v.name + " = $0)", expression(kind, depth - 1));
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
            List<Variable> pairs =
                    scope.stream().filter(v -> v.kind == Kind.RECORD).toList();
            if (!pairs.isEmpty()) {
                String name = any(pairs).name;
                switch (kind) {
                    case INT -> {
                        return new Node(kind, name + (chance(50) ? ".a()" : ".sum()"));
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
        return switch (kind) {
            case BOOLEAN -> truth(depth - 1);
            case BYTE, SHORT, CHAR -> new Node(kind, "(" + kind.java + ") ($0)", expression(any(NUMBERS), depth - 1));
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

    /** Of this type to the letter: the arms of a conditional decide its type, where a constant may be narrower. */
    private Node same(Kind kind, int depth) {
        Node made = expression(kind, depth);
        return kind.isNumber() ? new Node(kind, "(" + kind.java + ") ($0)", made) : made;
    }

    private Node truth(int depth) {
        switch (random.nextInt(10)) {
            case 0 -> {
                return new Node(Kind.BOOLEAN, "(!$0)", expression(Kind.BOOLEAN, depth));
            }
            case 1, 2 -> {
                return new Node(
                        Kind.BOOLEAN,
                        "($0 " + any(new String[] {"&&", "||", "&", "|", "^", "==", "!="}) + " $1)",
                        expression(Kind.BOOLEAN, depth),
                        expression(Kind.BOOLEAN, depth));
            }
            case 3 -> {
                return new Node(
                        Kind.BOOLEAN,
                        any(new String[] {"Float.isNaN($0)", "Float.isInfinite($0)", "Float.isFinite($0)"}),
                        expression(Kind.FLOAT, depth));
            }
            case 4 -> {
                return new Node(
                        Kind.BOOLEAN,
                        any(new String[] {"Double.isNaN($0)", "Double.isInfinite($0)", "Double.isFinite($0)"}),
                        expression(Kind.DOUBLE, depth));
            }
            case 5 -> {
                if (chance(30)) {
                    return new Node(
                            Kind.BOOLEAN, "($0 == $1)", expression(Kind.ENUM, depth), expression(Kind.ENUM, depth));
                }
            }
            default -> {}
        }
        Kind left = any(NUMBERS);
        Kind right = chance(70) ? left : any(NUMBERS);
        return new Node(
                Kind.BOOLEAN,
                "($0 " + any(new String[] {"<", "<=", ">", ">=", "==", "!="}) + " $1)",
                expression(left, depth),
                chance(25) ? literal(right) : expression(right, depth));
    }

    private Node whole(Kind kind, int depth) {
        boolean wide = kind == Kind.LONG;
        int choice = random.nextInt(20);
        if (choice < 6) {
            Kind left = wide ? Kind.LONG : any(SMALL);
            Kind right = wide && chance(70) ? Kind.LONG : any(SMALL);
            return new Node(
                    kind,
                    "($0 " + any(new String[] {"+", "-", "*", "&", "|", "^"}) + " $1)",
                    expression(left, depth),
                    expression(right, depth));
        }
        if (choice < 9) {
            Kind distance = chance(30) ? Kind.LONG : any(SMALL);
            return new Node(
                    kind,
                    "($0 " + any(new String[] {"<<", ">>", ">>>"}) + " $1)",
                    expression(wide ? Kind.LONG : any(SMALL), depth),
                    chance(40) ? literal(distance) : expression(distance, depth));
        }
        if (choice < 11) {
            String op = chance(50) ? "/" : "%";
            Node left = expression(kind, depth);
            if (chance(30)) {
                return new Node(
                        kind,
                        "($0 " + op + " " + any(new String[] {"-1", "3", "-7", "8", "-16", "1", "-2147483648", "10"})
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
            return new Node(kind, "(" + any(new String[] {"-", "~", "+"}) + "$0)", expression(kind, depth));
        }
        if (choice < 15) {
            return new Node(kind, "(" + kind.java + ") ($0)", expression(any(NUMBERS), depth));
        }
        if (choice < 16) {
            return wide
                    ? chance(50)
                            ? new Node(kind, "Double.doubleToLongBits($0)", expression(Kind.DOUBLE, depth))
                            : new Node(kind, "Math.round($0)", expression(Kind.DOUBLE, depth))
                    : switch (random.nextInt(7)) {
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
        if (!wide && chance(20)) {
            return new Node(kind, "TABLE[$0 & 7]", expression(Kind.INT, depth));
        }
        if (!wide && chance(10)) {
            return new Node(kind, "($0).ordinal()", expression(Kind.ENUM, depth));
        }
        return new Node(kind, any(wide ? FUNCTIONS_L : FUNCTIONS_I), expression(kind, depth), expression(kind, depth));
    }

    private Node real(Kind kind, int depth) {
        int choice = random.nextInt(20);
        if (choice < 9) {
            Kind other = kind == Kind.DOUBLE
                    ? any(NUMBERS)
                    : any(new Kind[] {Kind.FLOAT, Kind.FLOAT, Kind.INT, Kind.LONG, Kind.BYTE});
            return new Node(
                    kind,
                    "($0 " + any(new String[] {"+", "-", "*", "/", "%"}) + " $1)",
                    expression(kind, depth),
                    expression(chance(60) ? kind : other, depth));
        }
        if (choice < 10) {
            return new Node(kind, "(-$0)", expression(kind, depth));
        }
        if (choice < 14) {
            return new Node(kind, "(" + kind.java + ") ($0)", expression(any(NUMBERS), depth));
        }
        if (choice < 15) {
            return kind == Kind.FLOAT
                    ? new Node(kind, "Float.intBitsToFloat($0)", expression(Kind.INT, depth))
                    : new Node(kind, "Double.longBitsToDouble($0)", expression(Kind.LONG, depth));
        }
        return new Node(
                kind,
                any(kind == Kind.FLOAT ? FUNCTIONS_F : FUNCTIONS_D),
                expression(kind, depth),
                expression(kind, depth));
    }
}
