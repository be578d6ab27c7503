// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.comm4j.bind.clang.Node;

/**
 * The comment in front of a declaration: lines of it, and those of {@code @param} and {@code @return} by parameter
 * and "".
 */
record Comment(List<String> paragraphs, Map<String, String> parameters) {
    static Comment of(Node declaration) {
        List<String> paragraphs = new ArrayList<>();
        Map<String, String> parameters = new LinkedHashMap<>();
        declaration.inner().stream()
                .filter(child -> child.kind().equals("FullComment"))
                .flatMap(full -> full.inner().stream())
                .forEach(part -> {
                    String text = words(part);
                    switch (part.kind()) {
                        case "ParagraphComment" -> {
                            // Banners of sections are no documentation.
                            if (!text.isEmpty() && text.chars().anyMatch(Character::isLetter)) {
                                paragraphs.add(text);
                            }
                        }
                        case "ParamCommandComment" -> parameters.put(part.text("param"), text);
                        case "BlockCommandComment" -> {
                            if (part.name().startsWith("return") || part.name().equals("result")) {
                                parameters.put("", text);
                            } else if (!text.isEmpty()) {
                                paragraphs.add(text);
                            }
                        }
                        default -> {}
                    }
                });
        return new Comment(paragraphs, parameters);
    }

    private static String words(Node part) {
        return part.all()
                .map(node -> switch (node.kind()) {
                    case "TextComment" -> node.text("text");
                    case "InlineCommandComment" ->
                        node.fields().get("args") instanceof List<?> arguments
                                ? arguments.stream().map(String::valueOf).collect(Collectors.joining(" "))
                                : "";
                    default -> "";
                })
                .collect(Collectors.joining())
                .replaceAll("\\s+", " ")
                .strip();
    }
}
