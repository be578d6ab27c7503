// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as far as results need it. Objects are maps in their order, arrays are lists, numbers are {@link Number} ({@link
 * Long} or {@link Double} when read), and what is no number to JSON (NaN, infinity) is written as null.
 */
public final class Json {
    private static final int DEEPEST = 100;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    // ---- writing ----

    /** Objects and arrays that hold others take several lines. */
    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, "", out);
        return out.append('\n').toString();
    }

    private static void write(@Nullable Object value, String indent, StringBuilder out) {
        switch (value) {
            case null -> out.append("null");
            case Map<?, ?> map -> {
                List<Object> members = new ArrayList<>();
                map.forEach((name, each) -> members.add(new Member(name.toString(), each)));
                writeAll('{', members, '}', indent, out);
            }
            case List<?> list -> writeAll('[', list, ']', indent, out);
            case Member(String name, Object each) -> {
                quote(name, out);
                out.append(": ");
                write(each, indent, out);
            }
            case Double d when !Double.isFinite(d) -> out.append("null");
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth);
            default -> quote(value.toString(), out);
        }
    }

    private record Member(String name, @Nullable Object value) {}

    private static void writeAll(char open, List<?> values, char close, String indent, StringBuilder out) {
        boolean flat = values.stream()
                .map(each -> each instanceof Member(String name, Object value) ? value : each)
                .noneMatch(each -> each instanceof Map || each instanceof List);
        // A row with its timings is best read on one line.
        boolean row = !flat && indent.length() >= 4;
        String inner = indent + "  ";
        String separator = flat || row ? ", " : ",\n" + inner;
        out.append(open).append(flat || row ? "" : "\n" + inner);
        for (int i = 0; i < values.size(); i++) {
            out.append(i == 0 ? "" : separator);
            write(values.get(i), inner, out);
        }
        out.append(flat || row ? "" : "\n" + indent).append(close);
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    // ---- reading ----

    /**
     * Reads one value.
     *
     * @throws IllegalArgumentException if {@code text} is not JSON; the message says where
     */
    static @Nullable Object read(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        if (json.peek() != 0) {
            throw json.unexpected();
        }
        return value;
    }

    private @Nullable Object value(int depth) {
        if (depth > DEEPEST) {
            throw unexpected();
        }
        return switch (peek()) {
            case '{' -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                at++;
                while (more('}', map.isEmpty())) {
                    String name = string();
                    expect(':');
                    map.put(name, value(depth + 1));
                }
                yield map;
            }
            case '[' -> {
                List<@Nullable Object> list = new ArrayList<>();
                at++;
                while (more(']', list.isEmpty())) {
                    list.add(value(depth + 1));
                }
                yield list;
            }
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    /** The next character that is no space, or 0 at the end. */
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean more(char close, boolean first) {
        if (peek() == close) {
            at++;
            return false;
        }
        if (!first) {
            expect(',');
        }
        return true;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw unexpected();
        }
        at++;
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw unexpected();
        }
        at += word.length();
        return value;
    }

    private Number number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        try {
            if (number.matches("-?\\d+")) {
                return Long.valueOf(number);
            }
            return Double.valueOf(number);
        } catch (NumberFormatException e) {
            at = start;
            throw unexpected();
        }
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at++);
            out.append(c == '\\' ? escaped() : c);
        }
        expect('"');
        return out.toString();
    }

    private char escaped() {
        int kind = at < text.length() ? "\"\\/bfnrtu".indexOf(text.charAt(at)) : -1;
        if (kind < 0) {
            throw unexpected();
        }
        at++;
        if (kind < 8) {
            return "\"\\/\b\f\n\r\t".charAt(kind);
        }
        try {
            char c = (char) Integer.parseInt(text, at, Math.min(at + 4, text.length()), 16);
            at += 4;
            return c;
        } catch (NumberFormatException e) {
            throw unexpected();
        }
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException(
                "not JSON: " + (at < text.length() ? "unexpected '" + text.charAt(at) + "'" : "the text ends too early")
                        + " at character " + (at + 1));
    }
}
