// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.ArrayList;
import java.util.List;

/** Text of C++ types, taken apart. */
final class CppType {
    private CppType() {}

    /** Result and parameters of {@code float (int, T *)}; a pointer to a function keeps its parentheses. */
    static List<String> parts(String function) {
        int open = openOfParameters(function);
        List<String> parts = new ArrayList<>(List.of(function.substring(0, open).strip()));
        String inner = function.substring(open + 1, function.lastIndexOf(')'));
        int depth = 0;
        int start = 0;
        for (int i = 0; i <= inner.length(); i++) {
            char c = i < inner.length() ? inner.charAt(i) : ',';
            depth += "(<[".indexOf(c) >= 0 ? 1 : ")>]".indexOf(c) >= 0 ? -1 : 0;
            if (c == ',' && (depth == 0 || i == inner.length())) {
                String part = inner.substring(start, i).strip();
                if (!part.isEmpty() && !part.equals("void")) {
                    parts.add(part);
                }
                start = i + 1;
            }
        }
        return parts;
    }

    private static int openOfParameters(String function) {
        int depth = 0;
        for (int i = function.lastIndexOf(')'); i >= 0; i--) {
            depth += function.charAt(i) == ')' ? 1 : function.charAt(i) == '(' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException("no function type: " + function);
    }

    /** The type below pointers, references, arrays and qualifiers. */
    static String base(String type) {
        return type.replaceAll("\\b(const|volatile|__restrict)\\b", "")
                .replaceAll("[*&]", "")
                .replaceAll("(\\[\\d+])+$", "")
                .strip();
    }
}
