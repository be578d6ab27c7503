// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** C's {@code printf} in Java's. */
public final class Printf {
    private static final Pattern CONVERSION = Pattern.compile("%([-+ #0]*)(\\d*)(\\.\\d+)?(hh|h|ll|l|z)?([a-zA-Z%])");

    private Printf() {}

    /**
     * The text that C makes of it.
     *
     * @throws IllegalArgumentException if the arguments are not those that the conversions want
     */
    public static String format(String format, Object... arguments) {
        StringBuilder text = new StringBuilder();
        Matcher matcher = CONVERSION.matcher(format);
        int at = 0;
        int next = 0;
        while (matcher.find()) {
            text.append(format, at, matcher.start());
            at = matcher.end();
            if (matcher.group(5).equals("%")) {
                text.append('%');
                continue;
            }
            if (next == arguments.length) {
                throw new IllegalArgumentException(
                        "printf(\"" + format + "\"): " + matcher.group() + " has no argument, there are " + next);
            }
            text.append(convert(format, matcher, arguments[next++]));
        }
        if (next < arguments.length) {
            throw new IllegalArgumentException(
                    "printf(\"" + format + "\") wants " + next + " arguments, not " + arguments.length);
        }
        return text.append(format, at, format.length()).toString();
    }

    private static String convert(String format, Matcher matcher, Object argument) {
        char conversion = matcher.group(5).charAt(0);
        String flags = matcher.group(1);
        String width = matcher.group(2);
        String precision = matcher.group(3) == null ? "" : matcher.group(3);
        boolean isInteger = argument instanceof Integer
                || argument instanceof Long
                || argument instanceof Short
                || argument instanceof Byte
                || argument instanceof Boolean
                || argument instanceof Character;
        String java = switch (conversion) {
            case 'd', 'i' -> "d";
            case 'u' -> "u";
            case 'x', 'X', 'o' -> String.valueOf(conversion);
            case 'c' -> "c";
            case 's' -> "s";
            case 'p' -> "p";
            case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A' -> String.valueOf(conversion == 'F' ? 'f' : conversion);
            default -> throw wrong(format, matcher, argument);
        };
        boolean wantsInteger = "duxXoc".contains(java);
        boolean wantsFloat = "feEgGaA".contains(java);
        if (wantsInteger && !isInteger
                || wantsFloat && !(argument instanceof Float || argument instanceof Double)
                || java.equals("s") && !(argument instanceof String)) {
            throw wrong(format, matcher, argument);
        }
        Object value = argument;
        if (wantsInteger) {
            long number = argument instanceof Number n
                    ? n.longValue()
                    : argument instanceof Character c ? c : (Boolean) argument ? 1 : 0;
            boolean isLong = argument instanceof Long;
            value = switch (java) {
                case "c" -> (char) number;
                case "u" -> isLong ? Long.toUnsignedString(number) : Long.toString(number & 0xffff_ffffL);
                case "d" -> number;
                default -> isLong ? (Object) number : (Object) (int) number;
            };
            java = java.equals("u") ? "s" : java;
        } else if (java.equals("p")) {
            value = argument instanceof org.comm4j.kernel.lang.Ptr pointer
                    ? "0x" + Long.toHexString(pointer.address())
                    : argument;
            java = "s";
        } else if ("gG".contains(java)) {
            value = general(((Number) argument).doubleValue(), precision, java.equals("G"));
            java = "s";
            precision = "";
        }
        return String.format(Locale.ROOT, "%" + flags + width + precision + java, value);
    }

    /** C's {@code %g}: the shorter of two notations, without zeros at the end. */
    private static String general(double value, String precision, boolean upper) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
        }
        int digits = precision.isEmpty() ? 6 : Math.max(1, Integer.parseInt(precision.substring(1)));
        String scientific = String.format(Locale.ROOT, "%." + (digits - 1) + "e", value);
        int exponent = Integer.parseInt(scientific.substring(scientific.indexOf('e') + 1));
        String text;
        if (value == 0 || exponent >= -4 && exponent < digits) {
            text = trim(String.format(
                    Locale.ROOT, "%." + Math.max(0, digits - 1 - (value == 0 ? 0 : exponent)) + "f", value));
        } else {
            int e = scientific.indexOf('e');
            text = trim(scientific.substring(0, e)) + scientific.substring(e);
        }
        return upper ? text.toUpperCase(Locale.ROOT) : text;
    }

    private static String trim(String number) {
        return number.contains(".") ? number.replaceAll("0+$", "").replaceAll("\\.$", "") : number;
    }

    private static IllegalArgumentException wrong(String format, Matcher matcher, Object argument) {
        return new IllegalArgumentException("printf(\"" + format + "\"): " + matcher.group() + " is not for "
                + argument.getClass().getSimpleName() + " " + argument);
    }
}
