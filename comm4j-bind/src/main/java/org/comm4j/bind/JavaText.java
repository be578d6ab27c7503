// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Java source that grows by lines. */
final class JavaText {
    private final StringBuilder text = new StringBuilder();

    /** Adds lines. */
    void line(String line) {
        text.append(line).append('\n');
    }

    /** Returns words as they may stand in Javadoc. */
    static String code(String words) {
        return words.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("@", "&#64;")
                .replace("*/", "*&#47;")
                .replace("{", "&#123;")
                .replace("}", "&#125;")
                .replace("\\", "&#92;");
    }

    /** Returns words as code in Javadoc. */
    static String quoted(String words) {
        return "{@code " + words.replace("*/", "* /") + "}";
    }

    /**
     * Adds Javadoc.
     *
     * @param more lines that stand last
     */
    void documentation(Comment comment, List<String> more) {
        List<String> lines = new ArrayList<>();
        for (String paragraph : comment.paragraphs()) {
            lines.add((lines.isEmpty() ? "" : "\n<p>") + code(paragraph));
        }
        String tail = more.isEmpty() ? "" : (lines.isEmpty() ? "" : "\n\n<p>") + String.join("\n", more);
        if (!lines.isEmpty() || !tail.isEmpty()) {
            line("/**\n"
                    + (String.join("\n", lines) + tail)
                            .lines()
                            .map(each -> (" * " + each).stripTrailing())
                            .collect(Collectors.joining("\n"))
                    + "\n */");
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
