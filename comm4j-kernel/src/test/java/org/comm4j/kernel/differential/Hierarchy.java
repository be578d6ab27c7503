// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.kernel.differential.Node.Kind;
import org.comm4j.kernel.differential.Scope.Call;
import org.comm4j.kernel.differential.Scope.Variable;

/**
 * Generator of interfaces, and of records and an enum that implement them. Methods are abstract, default, overridden,
 * private or static. They are inherited in several ways, and so are fields. A method calls only methods with a lower
 * number, and {@code super}'s with the same, so that each call ends.
 */
final class Hierarchy {
    private static final Kind[] RESULTS = {Kind.INT, Kind.INT, Kind.LONG, Kind.DOUBLE, Kind.SHORT};

    /** A method that types may have: {@code result name(parameter x)}. */
    private record Method(int number, String name, Kind result, Kind parameter) {
        String head(String modifiers) {
            return modifiers + result.java + " " + name + "(" + parameter.java + " x)";
        }

        Call call(String receiver, Kind... before) {
            List<Kind> kinds = new ArrayList<>(List.of(before));
            kinds.add(parameter);
            return new Call(receiver + name + "($" + before.length + ")", result, kinds);
        }
    }

    /** An interface; {@code own} are the methods that it declares, with true for those that have code. */
    private record Interface(String name, List<Interface> above, Map<Method, Boolean> own, boolean hides) {
        void all(Set<Interface> into) {
            into.add(this);
            above.forEach(each -> each.all(into));
        }

        boolean extend(Interface other) {
            return above.stream().anyMatch(each -> each.equals(other) || each.extend(other));
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

    /** A record, or the enum: an expression that makes one, and what that needs. */
    record Type(String name, String made, List<Kind> needs, List<Variable> components, List<String> constants) {}

    private final Draw draw;
    private final Scope scope;
    private final Expressions expressions;
    private final List<Node> members = new ArrayList<>();
    private final List<Method> methods = new ArrayList<>();
    private final List<Interface> interfaces = new ArrayList<>();
    private final List<Type> types = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();
    private final Method hidden;
    private final Method shared;
    private final String sealed;

    Hierarchy(Draw draw, Scope scope, Expressions expressions) {
        this.draw = draw;
        this.scope = scope;
        this.expressions = expressions;
        for (int i = 0; i < 3; i++) {
            methods.add(new Method(i, draw.name("m"), draw.any(RESULTS), draw.any(RESULTS)));
        }
        hidden = new Method(-1, draw.name("hidden"), draw.any(RESULTS), draw.any(RESULTS));
        shared = new Method(-1, draw.name("shared"), draw.any(RESULTS), draw.any(RESULTS));
        sealed = draw.name("Sealed");
    }

    /** Draws all of it; what can be called of it is in scope from then on. */
    Node draw() {
        int count = 2 + draw.nextInt(4);
        for (int i = 0; i < count; i++) {
            interfaces.add(drawInterface());
        }
        for (int i = 1 + draw.nextInt(3); i > 0; i--) {
            types.add(drawRecord());
        }
        types.add(drawEnum());
        List<String> names = types.stream().map(Type::name).toList();
        members.add(
                new Node(Kind.FIXED, "sealed interface " + sealed + " permits " + String.join(", ", names) + " {}"));
        generic();
        new Choices(draw, scope, expressions).draw(sealed, types, members, calls);
        scope.variables.clear();
        scope.calls.addAll(calls);
        return Node.list(members);
    }

    // What is inherited.

    /** Returns the interfaces that declare a method, without those whose declaration another one overrides. */
    private static List<Interface> inherited(List<Interface> above, Method method) {
        Set<Interface> all = new LinkedHashSet<>();
        above.forEach(each -> each.all(all));
        all.removeIf(each -> !each.own.containsKey(method));
        return all.stream()
                .filter(each -> all.stream().noneMatch(other -> other.extend(each)))
                .toList();
    }

    private static boolean isDefault(List<Interface> inherited, Method method) {
        return inherited.size() == 1 && inherited.getFirst().own.get(method);
    }

    private List<Interface> someInterfaces(int most) {
        List<Interface> some = new ArrayList<>();
        for (int i = draw.nextInt(most + 1); i > 0 && !interfaces.isEmpty(); i--) {
            Interface one = draw.any(interfaces);
            if (!some.contains(one)) {
                some.add(one);
            }
        }
        return some;
    }

    private static String named(String word, List<String> names) {
        return names.isEmpty() ? "" : " " + word + " " + String.join(", ", names);
    }

    // Bodies.

    /** Returns the methods that a body may call without a receiver. */
    private List<Call> callable(List<Interface> above, Map<Method, Boolean> own, Method in, boolean hides) {
        List<Call> all = new ArrayList<>();
        for (Method each : methods) {
            boolean there = own.containsKey(each) || !inherited(above, each).isEmpty();
            if (there && each.number < in.number) {
                all.add(each.call(""));
            }
        }
        for (Interface each : above) {
            List<Interface> its = inherited(List.of(each), in);
            if (isDefault(its, in)
                    && inherited(above, in).contains(its.getFirst())
                    && above.stream().noneMatch(other -> other.extend(each))) {
                all.add(in.call(each.name + ".super."));
            }
        }
        if (hides && in.number >= 0) {
            all.add(hidden.call(""));
            all.add(shared.call(""));
        }
        return all;
    }

    /**
     * Draws a method with its body.
     *
     * @param inside variables in scope beside the parameter
     */
    private Node body(Method method, String head, List<Variable> inside, List<Call> callable) {
        scope.variables.clear();
        scope.variables.addAll(inside);
        scope.add("x", method.parameter, false);
        scope.calls.clear();
        scope.calls.addAll(callable);
        Node first = expressions.expression(method.result, 2);
        Node second = callable.isEmpty() || draw.chance(30)
                ? expressions.expression(method.result, 1)
                : expressions.call(draw.any(callable), 1);
        scope.calls.clear();
        return new Node(Kind.FIXED, head + " { return (" + method.result.java + ") ($0 + $1); }", first, second);
    }

    private Interface drawInterface() {
        List<Interface> above = someInterfaces(3);
        Map<Method, Boolean> own = new LinkedHashMap<>();
        for (Method each : methods) {
            List<Interface> inherited = inherited(above, each);
            boolean conflict = inherited.size() > 1 && inherited.stream().anyMatch(from -> from.own.get(each));
            if (conflict || draw.chance(50)) {
                own.put(each, draw.chance(70));
            }
        }
        boolean hides = draw.chance(50);
        Interface made = new Interface(draw.name("Face"), above, own, hides);
        List<Node> lines = new ArrayList<>();
        own.forEach((method, hasCode) -> lines.add(
                hasCode
                        ? body(method, method.head("default "), List.of(), callable(above, own, method, hides))
                        : new Node(Kind.FIXED, method.head("") + ";")));
        if (hides) {
            lines.add(body(hidden, hidden.head("private "), List.of(), List.of()));
            lines.add(body(shared, shared.head("static "), List.of(), List.of()));
            calls.add(shared.call(made.name + "."));
        }
        String field = "F" + (interfaces.size() & 1) + made.name;
        lines.add(new Node(Kind.FIXED, "int " + field + " = Integer.parseInt(\"" + draw.nextInt(100) + "\");"));
        lines.add(new Node(Kind.FIXED, "int[] T" + field + " = {" + draw.nextInt(9) + ", -7, 0x7fffffff, 3};"));
        members.add(new Node(
                Kind.FIXED,
                "interface " + made.name
                        + named("extends", above.stream().map(Interface::name).toList()) + " {\n$0}",
                Node.list(lines)));
        for (Method each : methods) {
            if (own.containsKey(each) || !inherited(above, each).isEmpty()) {
                members.add(new Node(
                        Kind.FIXED,
                        "static " + each.result.java + " by" + made.name + each.name + "(" + made.name + " on, "
                                + each.parameter.java + " x) { return on." + each.name + "(x); }"));
            }
        }
        return made;
    }

    /** Returns the methods that a class has to override, and some of the others. */
    private Map<Method, Boolean> overridden(List<Interface> above) {
        Map<Method, Boolean> own = new LinkedHashMap<>();
        for (Method each : methods) {
            List<Interface> inherited = inherited(above, each);
            if (!inherited.isEmpty() && !isDefault(inherited, each) || draw.chance(35)) {
                own.put(each, true);
            }
        }
        return own;
    }

    /** Adds what kernels may call of a type: its methods directly and by its interfaces, and its fields. */
    private void callsOf(Type type, List<Interface> above, Map<Method, Boolean> own, boolean hides) {
        Kind[] needs = type.needs.toArray(new Kind[0]);
        for (Method each : methods) {
            if (own.containsKey(each) || !inherited(above, each).isEmpty()) {
                calls.add(each.call(type.made + ".", needs));
            }
        }
        Set<Interface> all = new LinkedHashSet<>();
        above.forEach(each -> each.all(all));
        for (Interface face : all) {
            for (Method each : methods) {
                if (face.own.containsKey(each) || !inherited(face.above, each).isEmpty()) {
                    List<Kind> kinds = new ArrayList<>(type.needs);
                    kinds.add(each.parameter);
                    calls.add(new Call(
                            "by" + face.name + each.name + "(" + type.made + ", $" + needs.length + ")",
                            each.result,
                            kinds));
                }
            }
            String field = "F" + (interfaces.indexOf(face) & 1) + face.name;
            calls.add(new Call(type.name + "." + field, Kind.INT, List.of()));
            calls.add(new Call(type.name + ".T" + field + "[$0 & 3]", Kind.INT, List.of(Kind.INT)));
        }
        if (hides) {
            calls.add(hidden.call(type.made + ".", needs));
        }
    }

    private Type drawRecord() {
        String name = draw.name("Rec");
        List<Interface> above = someInterfaces(3);
        List<Variable> components = new ArrayList<>();
        List<Kind> needs = new ArrayList<>();
        List<String> declared = new ArrayList<>();
        StringBuilder made = new StringBuilder("new " + name + "(");
        for (int i = 1 + draw.nextInt(3); i > 0; i--) {
            Variable component = new Variable(draw.name("c"), draw.any(Literals.VALUES), false, 0);
            made.append(needs.isEmpty() ? "$" : ", $").append(needs.size());
            components.add(component);
            needs.add(component.kind());
            declared.add(component.kind().java + " " + component.name());
        }
        Map<Method, Boolean> own = overridden(above);
        boolean hides = draw.chance(50);
        List<Node> lines = new ArrayList<>();
        for (Method each : own.keySet()) {
            lines.add(body(each, each.head("public "), components, callable(above, own, each, hides)));
        }
        if (hides) {
            lines.add(body(hidden, hidden.head("public "), components, List.of()));
            lines.add(body(shared, shared.head("static "), List.of(), List.of()));
        }
        if (draw.chance(30) && components.getFirst().kind() == Kind.INT) {
            String first = components.getFirst().name();
            lines.add(new Node(Kind.FIXED, "public int " + first + "() { return " + first + " ^ 5; }"));
        }
        List<String> names = new ArrayList<>(above.stream().map(Interface::name).toList());
        names.add(draw.nextInt(names.size() + 1), sealed);
        // A type parameter is nothing at run time.
        String parameter = draw.chance(30) ? "<T extends Comparable<T>>" : "";
        members.add(new Node(
                Kind.FIXED,
                "record " + name + parameter + "(" + String.join(", ", declared) + ")" + named("implements", names)
                        + " {\n$0}",
                Node.list(lines)));
        String expression = made.toString().replace("(", parameter.isEmpty() ? "(" : "<>(") + ")";
        Type type = new Type(name, expression, needs, components, List.of());
        callsOf(type, above, own, hides);
        return type;
    }

    private Type drawEnum() {
        String name = draw.name("Enum");
        List<Interface> above = someInterfaces(2);
        Map<Method, Boolean> own = overridden(above);
        List<String> constants = new ArrayList<>();
        int count = draw.chance(50) ? 2 : 4;
        Variable field = new Variable("field", Kind.INT, false, 0);
        List<Node> declared = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String constant = draw.name("C");
            constants.add(constant);
            String start = constant + "(" + draw.nextInt(1000) + ")";
            String end = i + 1 < count ? "," : ";";
            if (draw.chance(40)) {
                declared.add(new Node(Kind.FIXED, start + end));
                continue;
            }
            List<Node> lines = new ArrayList<>();
            for (Method each : methods) {
                boolean there = own.containsKey(each) || !inherited(above, each).isEmpty();
                if (there && draw.chance(50)) {
                    List<Call> callable = new ArrayList<>();
                    methods.stream()
                            .filter(other -> other.number < each.number
                                    && (own.containsKey(other)
                                            || !inherited(above, other).isEmpty()))
                            .forEach(other -> callable.add(other.call("")));
                    if (own.containsKey(each) || isDefault(inherited(above, each), each)) {
                        callable.add(each.call("super."));
                    }
                    lines.add(body(each, each.head("public "), List.of(field), callable));
                }
            }
            if (draw.chance(50)) {
                lines.add(body(hidden, hidden.head("public "), List.of(field), List.of()));
                lines.add(new Node(Kind.FIXED, "final int field = Integer.parseInt(\"77\");"));
            }
            declared.add(new Node(Kind.FIXED, start + " {\n$0}" + end, Node.list(lines)));
        }
        List<Node> lines = new ArrayList<>();
        lines.add(new Node(
                Kind.FIXED,
                "private final int inner; final int field; " + name
                        + "(int field) { this.field = field; inner = -field; }"));
        Variable inner = new Variable("inner", Kind.INT, false, 0);
        for (Method each : own.keySet()) {
            lines.add(body(each, each.head("public "), List.of(field, inner), callable(above, own, each, true)));
        }
        lines.add(body(hidden, hidden.head("private "), List.of(field), List.of()));
        lines.add(body(shared, shared.head("static "), List.of(), List.of()));
        List<String> names = new ArrayList<>(above.stream().map(Interface::name).toList());
        names.add(sealed);
        members.add(new Node(
                Kind.FIXED,
                "enum " + name + named("implements", names) + " {\n$0$1}",
                Node.list(declared),
                Node.list(lines)));
        Type some =
                new Type(name, name + ".values()[$0 & " + (count - 1) + "]", List.of(Kind.INT), List.of(), constants);
        callsOf(some, above, own, true);
        callsOf(new Type(name, name + "." + draw.any(constants), List.of(), List.of(), constants), above, own, true);
        calls.add(new Call(some.made + ".field", Kind.INT, List.of(Kind.INT)));
        return some;
    }

    /** Draws an interface with a type parameter, for which javac adds bridge methods to the record. */
    private void generic() {
        String face = draw.name("Generic");
        String name = draw.name("Bridged");
        Method make = new Method(-1, "made", Kind.LONG, Kind.INT);
        List<Variable> inside = List.of(new Variable("v", Kind.INT, false, 0), new Variable("w", Kind.LONG, false, 0));
        members.add(new Node(
                Kind.FIXED,
                "interface " + face + "<T> { T op(T x); default T twice(T x) { return op(op(x)); }"
                        + " default <U extends " + face + "<U>> U by(U u, U v) { return u.op(v); } }"));
        members.add(new Node(
                Kind.FIXED,
                "record " + name + "(int v, long w) implements " + face + "<" + name + "> {\n$0\npublic " + name
                        + " op(" + name + " x) { return new " + name + "(v + x.v, " + make.name + "(x.v) - x.w); }\n}",
                body(make, make.head(""), inside, List.of())));
        String made = "new " + name + "($0, $1)";
        String other = "new " + name + "($2, 3L)";
        List<Kind> needs = List.of(Kind.INT, Kind.LONG, Kind.INT);
        calls.add(new Call(made + ".twice(" + other + ").w()", Kind.LONG, needs));
        calls.add(new Call(made + ".by(" + other + ", " + other + ").v()", Kind.INT, needs));
        calls.add(new Call("((" + face + "<" + name + ">) " + made + ").op(" + other + ").w()", Kind.LONG, needs));
    }
}
