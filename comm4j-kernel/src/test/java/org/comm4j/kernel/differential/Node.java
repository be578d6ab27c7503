// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.util.ArrayList;
import java.util.List;

/**
 * A piece of Java source that can be made smaller.
 *
 * @param kind what it is, and for an expression its type
 * @param text with {@code $0} … {@code $9} for the parts; not used by a list, whose parts are lines
 */
record Node(Kind kind, String text, List<Node> parts) {
    /** What may stand in the same place. */
    enum Kind {
        BOOLEAN("boolean", "false"),
        BYTE("byte", "(byte) 1"),
        SHORT("short", "(short) 1"),
        CHAR("char", "'a'"),
        INT("int", "1"),
        LONG("long", "1L"),
        FLOAT("float", "1f"),
        DOUBLE("double", "1.0"),
        RECORD("Pair", "new Pair(1, 1.0, (byte) 1, true)"),
        ENUM("Color", "Color.RED"),
        STATEMENT("", ""),
        LIST("", ""),
        FIXED("", "");

        final String java;
        final String simplest;

        Kind(String java, String simplest) {
            this.java = java;
            this.simplest = simplest;
        }

        boolean isExpression() {
            return !java.isEmpty();
        }

        boolean isWhole() {
            return this == BYTE || this == SHORT || this == CHAR || this == INT || this == LONG;
        }

        boolean isNumber() {
            return isWhole() || this == FLOAT || this == DOUBLE;
        }
    }

    Node(Kind kind, String text, Node... parts) {
        this(kind, text, List.of(parts));
    }

    static Node list(List<Node> lines) {
        return new Node(Kind.LIST, "", List.copyOf(lines));
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        write(out);
        return out.toString();
    }

    private void write(StringBuilder out) {
        if (kind == Kind.LIST) {
            for (Node line : parts) {
                line.write(out);
                out.append('\n');
            }
            return;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '$') {
                parts.get(text.charAt(++i) - '0').write(out);
            } else {
                out.append(c);
            }
        }
    }

    int size() {
        return 1 + parts.stream().mapToInt(Node::size).sum();
    }

    /** The same with something removed or simplified, in one place; what removes most comes first. */
    List<Node> smaller() {
        List<Node> all = new ArrayList<>();
        here(all);
        for (int i = 0; i < parts.size(); i++) {
            for (Node part : parts.get(i).smaller()) {
                List<Node> changed = new ArrayList<>(parts);
                changed.set(i, part);
                all.add(new Node(kind, text, changed));
            }
        }
        all.sort((a, b) -> a.size() - b.size());
        return all;
    }

    private void here(List<Node> all) {
        if (kind == Kind.LIST) {
            for (int length = parts.size(); length > 0; length /= 2) {
                for (int i = 0; i + length <= parts.size(); i += length) {
                    List<Node> fewer = new ArrayList<>(parts);
                    fewer.subList(i, i + length).clear();
                    all.add(list(fewer));
                }
            }
        } else if (kind.isExpression()) {
            if (!parts.isEmpty() || !text.equals(kind.simplest)) {
                all.add(new Node(kind, kind.simplest));
            }
            children(this, all);
        } else if (kind == Kind.STATEMENT) {
            parts.stream().filter(part -> part.kind == Kind.LIST).forEach(all::add);
        }
    }

    private void children(Node of, List<Node> all) {
        for (Node part : of.parts) {
            if (part.kind == kind) {
                all.add(part);
            } else {
                children(part, all);
            }
        }
    }
}
