// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.ArrayList;
import java.util.List;

/**
 * Layout of generated Java: indentation by braces, and lines of at most 120 columns where a comma or an operator lets
 * them be broken. The text has one statement or declaration a line, and lines inside of it end where the statement
 * goes on.
 */
final class JavaLayout {
    private static final int WIDTH = 120;
    private static final int STEP = 4;

    private JavaLayout() {}

    static String of(String text) {
        List<String> lines = new ArrayList<>();
        int braces = 0;
        int parentheses = 0;
        boolean comment = false;
        for (String raw : text.split("\n", -1)) {
            String line = raw.strip();
            String last = lines.isEmpty() ? "" : lines.getLast();
            if (line.isEmpty()) {
                if (!last.isEmpty() && !last.endsWith("{")) {
                    lines.add("");
                }
                continue;
            }
            if (comment || line.startsWith("/*")) {
                lines.add(" ".repeat(braces * STEP + (line.startsWith("*") ? 1 : 0)) + line);
                comment = !line.endsWith("*/");
                continue;
            }
            if (line.startsWith("}") && last.isEmpty() && !lines.isEmpty()) {
                lines.removeLast();
            }
            int closing = line.startsWith("}") ? 1 : 0;
            int indent = (braces - closing) * STEP + (parentheses > 0 ? 2 * STEP : 0);
            wrap(" ".repeat(indent) + line, indent + 2 * STEP, lines);
            if (!line.startsWith("//")) {
                for (char c : code(line).toCharArray()) {
                    braces += c == '{' ? 1 : c == '}' ? -1 : 0;
                    parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
                }
            }
        }
        while (!lines.isEmpty() && lines.getLast().isEmpty()) {
            lines.removeLast();
        }
        return String.join("\n", lines) + "\n";
    }

    /** Returns the line with what is in quotes, and a comment at its end, replaced by spaces. */
    private static String code(String line) {
        StringBuilder code = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote == 0 && line.startsWith("//", i)) {
                break;
            }
            boolean quoted = quote != 0 || c == '"' || c == '\'';
            code.append(quoted ? ' ' : c);
            if (quote != 0 && c == '\\') {
                code.append(' ');
                i++;
            } else if (quote == 0 && quoted) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            }
        }
        return code.toString();
    }

    /** Adds a line, broken behind the last comma that fits, else before the last operator. */
    private static void wrap(String line, int indent, List<String> lines) {
        String rest = line;
        while (rest.length() > WIDTH) {
            String code = code(rest);
            int at = code.lastIndexOf(", ", WIDTH - 1) + 1;
            for (String operator : List.of(" | ", " + ", " && ", " ? ", " : ", " = ")) {
                if (at <= indent) {
                    at = code.lastIndexOf(operator, WIDTH);
                }
            }
            if (at <= indent) {
                at = code.lastIndexOf('(', WIDTH - 1) + 1;
            }
            if (at <= indent || at >= rest.length() || rest.substring(0, at).isBlank()) {
                break;
            }
            lines.add(rest.substring(0, at).stripTrailing());
            rest = " ".repeat(indent) + rest.substring(at).strip();
        }
        lines.add(rest);
    }
}
