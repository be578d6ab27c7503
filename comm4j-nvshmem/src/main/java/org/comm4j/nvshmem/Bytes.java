// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.Locale;

/** Sizes as NVSHMEM's variables have them: {@code 512M}, {@code 1.5G}. */
final class Bytes {
    private static final String UNITS = "kmgt";

    private Bytes() {}

    /** @param name of the variable, for the message */
    static long parse(String name, String text) {
        String digits = text.strip().toLowerCase(Locale.ROOT);
        int unit = digits.isEmpty() ? -1 : UNITS.indexOf(digits.charAt(digits.length() - 1));
        if (unit >= 0) {
            digits = digits.substring(0, digits.length() - 1);
        }
        try {
            return (long) (Double.parseDouble(digits) * (1L << 10 * (unit + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is '" + text + "', which is no number of bytes", e);
        }
    }
}
