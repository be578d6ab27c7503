// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes in bytes as users write them, and series of them. */
public final class Sizes {
    private static final Pattern SIZE =
            Pattern.compile("(\\d{1,19}(?:\\.\\d{1,19})?)([KMGT]?)(I?B)?", Pattern.CASE_INSENSITIVE);

    private Sizes() {}

    /**
     * Reads "8", "64K", "1.5M", "1G": bytes, with binary suffixes.
     *
     * @throws IllegalArgumentException if it is something else, no whole number of bytes, or more than a long holds
     */
    public static long parse(String text) {
        Matcher size = SIZE.matcher(text.trim());
        if (!size.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a size in bytes like 8, 64K, 32M or 1G");
        }
        int shift = size.group(2).isEmpty()
                ? 0
                : 10 * (1 + "KMGT".indexOf(size.group(2).toUpperCase(Locale.ROOT)));
        try {
            return new BigDecimal(size.group(1))
                    .multiply(BigDecimal.valueOf(1L << shift))
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is no whole number of bytes, or too large", e);
        }
    }

    /**
     * From {@code min} to at most {@code max}.
     *
     * @param factor each size is so many times the one before; not used if {@code step} is above 0
     * @param step each size is so many bytes more than the one before, or 0
     * @throws IllegalArgumentException if the series is empty, or would not grow
     */
    public static List<Long> series(long min, long max, int factor, long step) {
        if (min < 0 || min > max) {
            throw new IllegalArgumentException("sizes from " + min + " to " + max + " bytes: there is none");
        }
        if (step < 0 || step == 0 && min < max && (factor < 2 || min == 0)) {
            throw new IllegalArgumentException("sizes from " + min + " to " + max + " bytes do not grow "
                    + (step < 0 ? "by " + step : "by factor " + factor)
                    + "; give a factor of at least 2 and a smallest size above 0, or a step in bytes");
        }
        List<Long> sizes = new ArrayList<>();
        for (long size = min; size <= max && size >= min; ) {
            sizes.add(size);
            if (min == max) {
                break;
            }
            size = step > 0 ? size + step : Math.multiplyHigh(size, factor) == 0 ? size * factor : -1;
        }
        return List.copyOf(sizes);
    }

    /** Short, exact where it can be: "8 B", "64 KiB", "1.5 MiB". */
    public static String text(double bytes) {
        int unit = 0;
        double value = bytes;
        while (value >= 1024 && unit < 4) {
            value /= 1024;
            unit++;
        }
        String number = value == Math.rint(value)
                ? String.valueOf((long) value)
                : String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
        return number + " " + List.of("B", "KiB", "MiB", "GiB", "TiB").get(unit);
    }
}
