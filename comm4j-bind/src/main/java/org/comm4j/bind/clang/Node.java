// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind.clang;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A node of clang's syntax tree. What is not there is an empty text or an empty node. */
public record Node(Map<?, ?> fields) {
    public static Node of(Object json) {
        return new Node(json instanceof Map<?, ?> map ? map : Map.of());
    }

    public String text(String key) {
        return fields.get(key) instanceof String text ? text : "";
    }

    public Node node(String key) {
        Object value = fields.get(key);
        return value == null ? new Node(Map.of()) : of(value);
    }

    public List<Node> inner() {
        return fields.get("inner") instanceof List<?> list
                ? list.stream().map(Node::of).toList()
                : List.of();
    }

    /** This node and all below it. */
    public Stream<Node> all() {
        return Stream.concat(Stream.of(this), inner().stream().flatMap(Node::all));
    }

    public String kind() {
        return text("kind");
    }

    public String name() {
        return text("name");
    }

    /** The C type of a declaration as it was written. */
    public String type() {
        return node("type").text("qualType");
    }
}
