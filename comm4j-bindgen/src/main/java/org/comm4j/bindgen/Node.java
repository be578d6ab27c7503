// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A node of clang's syntax tree. What is not there is an empty text or an empty node. */
record Node(Map<?, ?> fields) {
    static Node of(Object json) {
        return new Node(json instanceof Map<?, ?> map ? map : Map.of());
    }

    String text(String key) {
        return fields.get(key) instanceof String text ? text : "";
    }

    Node node(String key) {
        Object value = fields.get(key);
        return value == null ? new Node(Map.of()) : of(value);
    }

    List<Node> inner() {
        return fields.get("inner") instanceof List<?> list
                ? list.stream().map(Node::of).toList()
                : List.of();
    }

    /** This node and all below it. */
    Stream<Node> all() {
        return Stream.concat(Stream.of(this), inner().stream().flatMap(Node::all));
    }

    String kind() {
        return text("kind");
    }

    String name() {
        return text("name");
    }

    /** The C type of a declaration as it was written. */
    String type() {
        return node("type").text("qualType");
    }
}
