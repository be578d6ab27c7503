// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.kernel.frontend.JavaType.Primitive;

/** Formats of {@code printf}: Java's do not tell int from long, C's do. */
final class Format {
    private static final Pattern CONVERSION = Pattern.compile("%([-+ #0]*)(\\d*)(\\.\\d+)?(hh|h|ll|l)?([a-zA-Z%])");

    private Format() {}

    /** The format as the GPU reads it; reports what does not fit. */
    static String ofC(String format, List<JavaType> arguments, Translator method) {
        StringBuilder text = new StringBuilder();
        Matcher matcher = CONVERSION.matcher(format);
        int used = 0;
        while (matcher.find()) {
            char conversion = matcher.group(5).charAt(0);
            if (conversion == '%') {
                matcher.appendReplacement(text, "%%");
                continue;
            }
            if (conversion == 'n') {
                matcher.appendReplacement(text, "\n");
                continue;
            }
            if (used == arguments.size()) {
                method.problem("printf has fewer arguments than its format \"" + format + "\" needs", null);
                return format;
            }
            JavaType type = arguments.get(used++);
            String converted = converted(conversion, type);
            if (converted == null) {
                method.problem(
                        "%" + conversion + " of printf does not fit to " + type,
                        "%d and %x are of integers, %f, %g and %e of floating-point numbers, %c of char, %s of constant strings");
                return format;
            }
            String group = matcher.group(3);
            matcher.appendReplacement(
                    text,
                    Matcher.quoteReplacement(
                            "%" + matcher.group(1) + matcher.group(2) + (group == null ? "" : group) + converted));
        }
        matcher.appendTail(text);
        if (used < arguments.size()) {
            method.problem("printf has more arguments than its format \"" + format + "\" needs", null);
        }
        return text.toString();
    }

    private static @org.jspecify.annotations.Nullable String converted(char conversion, JavaType type) {
        Primitive number = type instanceof JavaType.Boxed boxed ? boxed.of() : null;
        return switch (conversion) {
            case 'd', 'i', 'u', 'x', 'X', 'o' -> {
                boolean whole = type instanceof JavaType.Enumeration
                        || (number != null && number != Primitive.FLOAT && number != Primitive.DOUBLE);
                yield whole ? (number == Primitive.LONG ? "ll" : "") + conversion : null;
            }
            case 'f', 'e', 'E', 'g', 'G', 'a' ->
                number == Primitive.FLOAT || number == Primitive.DOUBLE ? String.valueOf(conversion) : null;
            case 'c' -> number == Primitive.CHAR || number == Primitive.BYTE || number == Primitive.INT ? "c" : null;
            case 'b' -> number == Primitive.BOOLEAN ? "d" : null;
            case 's' -> type instanceof JavaType.Text ? "s" : null;
            case 'p' -> number == Primitive.LONG ? "p" : null;
            default -> null;
        };
    }
}
