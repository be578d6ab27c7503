// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind.clang;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Comments of source files, put back into what the preprocessor has made of them. The preprocessor's own way of keeping
 * comments, {@code -C}, leaves those between a macro and its arguments in the middle of a line, where one that begins
 * with two slashes hides the rest of the line.
 */
final class Comments {
    /** A line that says from which line of which file the next one is. */
    static final Pattern MARKER = Pattern.compile("# (\\d+) \"((?:[^\"\\\\]|\\\\.)*)\".*");

    /** What a line of a source file has. */
    private enum Content {
        NOTHING,
        COMMENT,
        DIRECTIVE,
        CODE
    }

    private final String[] lines;
    private final Content[] contents;
    /** By line: where the comment begins that ends there. */
    private final int[] beginnings;
    /** By line: the comment behind its code, without its signs; null for none. */
    private final Map<Integer, String> behind = new HashMap<>();

    private Comments(String text) {
        lines = text.split("\n", -1);
        contents = new Content[lines.length];
        beginnings = new int[lines.length];
        Arrays.setAll(beginnings, line -> line);
        Arrays.fill(contents, Content.NOTHING);
        read(text);
    }

    /** Returns the preprocessed text with the comments of the files that pass the test. */
    static String into(String flat, Predicate<String> wanted) throws IOException {
        Map<String, Comments> files = new HashMap<>();
        StringBuilder text = new StringBuilder(flat.length());
        String file = "";
        int line = 0;
        Comments comments = null;
        for (String each : flat.split("(?<=\n)")) {
            Matcher marker = MARKER.matcher(each.strip());
            if (each.startsWith("# ") && marker.matches()) {
                text.append(each);
                line = Integer.parseInt(marker.group(1));
                if (!marker.group(2).equals(file)) {
                    file = marker.group(2);
                    comments = wanted.test(file) ? files.get(file) : null;
                    if (comments == null && wanted.test(file) && Files.isRegularFile(Path.of(file))) {
                        comments = new Comments(Files.readString(Path.of(file), StandardCharsets.ISO_8859_1));
                        files.put(file, comments);
                    }
                }
                continue;
            }
            if (comments == null || each.isBlank()) {
                text.append(each);
            } else {
                String before = comments.before(line);
                if (!before.isEmpty()) {
                    // Clang wants nothing between a comment and its declaration: the line is counted back before both.
                    long first = line - before.lines().count();
                    text.append("# ")
                            .append(first)
                            .append(" \"")
                            .append(file)
                            .append("\"\n")
                            .append(before);
                }
                String trailing = comments.behind.get(line);
                text.append(trailing == null ? each : each.stripTrailing() + " /**< " + trailing + " */\n");
            }
            line++;
        }
        return text.toString();
    }

    /** Returns the comment that ends right before a line, but for blank lines and directives. */
    private String before(int line) {
        int end = line - 1;
        while (end >= 1 && (is(end, Content.NOTHING) || is(end, Content.DIRECTIVE))) {
            end--;
        }
        int begin = end;
        while (begin >= 1 && is(begin, Content.COMMENT)) {
            begin--;
        }
        StringBuilder text = new StringBuilder();
        for (int i = begin + 1; i <= end; i++) {
            text.append(lines[i - 1]).append('\n');
        }
        return text.toString();
    }

    private boolean is(int line, Content content) {
        return line <= contents.length && contents[line - 1] == content;
    }

    private void read(String text) {
        int line = 0;
        for (int i = 0; i < text.length(); ) {
            char c = text.charAt(i);
            if (c == '\n') {
                boolean continued = i > 0 && text.charAt(i - 1) == '\\' && line + 1 < contents.length;
                if (continued && contents[line] == Content.DIRECTIVE) {
                    contents[line + 1] = Content.DIRECTIVE;
                }
                line++;
                i++;
            } else if (text.startsWith("//", i) || text.startsWith("/*", i)) {
                int end = text.charAt(i + 1) == '/' ? text.indexOf('\n', i) : text.indexOf("*/", i + 2) + 2;
                end = end < i + 2 ? text.length() : end;
                line = comment(text.substring(i, end), line);
                i = end;
            } else if (c == '"' || c == '\'') {
                mark(line, Content.CODE);
                i = literal(text, i);
            } else {
                if (c > ' ') {
                    mark(line, c == '#' && contents[line] == Content.NOTHING ? Content.DIRECTIVE : Content.CODE);
                }
                i++;
            }
        }
    }

    /** Notes a comment that begins in a line; returns the line that it ends in. */
    private int comment(String comment, int line) {
        int end = line + (int) comment.chars().filter(c -> c == '\n').count();
        if (contents[line] == Content.CODE && end == line) {
            String words = comment.replaceFirst("^(//+|/\\*+)!?<?", "").replaceFirst("\\*+/$", "");
            behind.put(line + 1, words.replace("*/", "").strip());
        }
        // The rest of a comment that begins behind code is no comment of its own.
        boolean whole = contents[line] != Content.CODE;
        for (int i = line; i <= end; i++) {
            mark(i, whole ? Content.COMMENT : Content.CODE);
            beginnings[i] = i == line ? beginnings[i] : line;
        }
        return end;
    }

    private void mark(int line, Content content) {
        if (contents[line] == Content.COMMENT && content == Content.CODE) {
            // Nor is a comment whose last line goes on with code.
            Arrays.fill(contents, beginnings[line], line + 1, Content.CODE);
        } else if (contents[line] == Content.NOTHING || contents[line] == Content.COMMENT) {
            contents[line] = content;
        }
    }

    /** Returns the place behind a string or character, which does not go beyond its line. */
    private static int literal(String text, int begin) {
        char quote = text.charAt(begin);
        if (quote == '"' && begin > 0 && text.charAt(begin - 1) == 'R') {
            int open = text.indexOf('(', begin);
            int end = open < 0 ? -1 : text.indexOf(")" + text.substring(begin + 1, open) + "\"", open);
            if (end >= 0) {
                return text.indexOf('"', end) + 1;
            }
        }
        int i = begin + 1;
        while (i < text.length() && text.charAt(i) != quote && text.charAt(i) != '\n') {
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return i < text.length() && text.charAt(i) == quote ? i + 1 : Math.min(i, text.length());
    }
}
