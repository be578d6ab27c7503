// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind.clang;

import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads clang's syntax trees: hundreds of megabytes of JSON of which little matters. Objects are maps, arrays are
 * lists, everything else is a string. A node whose {@code kind} is not wanted is passed over and stands as an empty
 * map.
 */
public final class Json {
    private static final int END = -1;

    private final Reader reader;
    private final Set<String> kinds;
    private final char[] buffer = new char[1 << 16];
    private int length;
    private int next;

    public Json(Reader reader, Set<String> wantedKinds) {
        this.reader = reader;
        this.kinds = wantedKinds;
    }

    /** The next value, or null at the end of the text. */
    public @Nullable Object read() throws IOException {
        skipSpace();
        return peek() == END ? null : value();
    }

    private int peek() throws IOException {
        if (next == length) {
            length = reader.read(buffer, 0, buffer.length);
            next = 0;
            if (length <= 0) {
                length = 0;
                return END;
            }
        }
        return buffer[next];
    }

    private char take() throws IOException {
        if (peek() == END) {
            throw new EOFException("the JSON text ends in the middle of a value");
        }
        return buffer[next++];
    }

    private void skipSpace() throws IOException {
        while (peek() != END && peek() <= ' ') {
            next++;
        }
    }

    private void expect(char c) throws IOException {
        char found = take();
        if (found != c) {
            throw new IOException("not JSON: '" + found + "' where '" + c + "' belongs");
        }
    }

    private Object value() throws IOException {
        skipSpace();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case END -> throw new EOFException("the JSON text ends where a value belongs");
            default -> bare();
        };
    }

    private Map<String, Object> object() throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        expect('{');
        skipSpace();
        while (peek() != '}') {
            String key = string();
            skipSpace();
            expect(':');
            Object value = value();
            map.put(key, value);
            if (key.equals("kind") && !kinds.contains(value)) {
                skipRestOfObject();
                return Map.of();
            }
            skipSpace();
            if (peek() == ',') {
                next++;
                skipSpace();
            }
        }
        next++;
        return map;
    }

    private void skipRestOfObject() throws IOException {
        for (int depth = 1; depth > 0; ) {
            switch (take()) {
                case '{' -> depth++;
                case '}' -> depth--;
                case '"' -> skipRestOfString();
                default -> {}
            }
        }
    }

    private void skipRestOfString() throws IOException {
        for (char c = take(); c != '"'; c = take()) {
            if (c == '\\') {
                take();
            }
        }
    }

    private List<Object> array() throws IOException {
        List<Object> list = new ArrayList<>();
        expect('[');
        skipSpace();
        while (peek() != ']') {
            list.add(value());
            skipSpace();
            if (peek() == ',') {
                next++;
                skipSpace();
            }
        }
        next++;
        return list;
    }

    private String string() throws IOException {
        StringBuilder text = new StringBuilder();
        expect('"');
        for (char c = take(); c != '"'; c = take()) {
            text.append(c == '\\' ? escape() : c);
        }
        return text.toString();
    }

    private char escape() throws IOException {
        char c = take();
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> (char) Integer.parseInt("" + take() + take() + take() + take(), 16);
            default -> c;
        };
    }

    private String bare() throws IOException {
        StringBuilder text = new StringBuilder();
        while (peek() != END && ",]} \n\r\t".indexOf(peek()) < 0) {
            text.append(take());
        }
        if (text.isEmpty()) {
            throw new IOException("not JSON: '" + (char) peek() + "' where a value belongs");
        }
        return text.toString();
    }
}
