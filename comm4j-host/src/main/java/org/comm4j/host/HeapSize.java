// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.core.SymmetricMemoryException;

/** How much memory the symmetric heap may take, and what is said when it is too little. */
public final class HeapSize {
    /** The environment variable. */
    public static final String VARIABLE = "COMM4J_HEAP_SIZE";

    /** Smaller allocations are not worth a look at the machine's free memory. */
    static final long CHECKED = 1 << 20;

    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)([KMGT]?)B?", Pattern.CASE_INSENSITIVE);

    private HeapSize() {}

    /** What {@value #VARIABLE} says, in bytes; 0 if it says nothing. */
    public static long fromEnvironment() {
        return fromEnvironment(System.getenv(), VARIABLE);
    }

    /**
     * What the first of these variables says that is set, in bytes; 0 if none is.
     *
     * @throws IllegalArgumentException if it is no size
     */
    public static long fromEnvironment(Map<String, String> environment, String... variables) {
        for (String variable : variables) {
            String text = environment.get(variable);
            if (text != null && !text.isBlank()) {
                return parse(variable, text);
            }
        }
        return 0;
    }

    /** "512M", "1.5G", "1048576": bytes, with binary suffixes, rounded up, as {@code SHMEM_SYMMETRIC_SIZE} has them. */
    static long parse(String variable, String text) {
        Matcher size = SIZE.matcher(text.trim());
        if (!size.matches()) {
            throw new IllegalArgumentException(
                    variable + " is '" + text + "', which is not a size like 1073741824, 512M or 1.5G");
        }
        double bytes = Double.parseDouble(size.group(1));
        int power = "KMGT".indexOf(size.group(2).toUpperCase(Locale.ROOT)) + 1;
        if (size.group(2).isEmpty()) {
            power = 0;
        }
        bytes = Math.ceil(bytes * Math.pow(1024, power));
        if (bytes < 1 || bytes > Long.MAX_VALUE / 2.0) {
            throw new IllegalArgumentException(variable + " is '" + text + "', which is out of range");
        }
        return (long) bytes;
    }

    /** Memory of this kind has no limit of its own: without this check the system would kill some process instead. */
    static void checkAvailable(String what, long bytes, int ranks, long available) {
        if (bytes > available / ranks) {
            throw new SymmetricMemoryException(
                    what + ": needs " + text(bytes) + (ranks > 1 ? " on each of " + ranks + " ranks" : "")
                            + ", but this machine has only " + text(available) + " of memory available");
        }
    }

    static SymmetricMemoryException exhausted(String what, long bytes, long largest, long limit) {
        return new SymmetricMemoryException(
                what + ": needs " + text(bytes) + ", but the largest free range of the heap of " + text(limit) + " is "
                        + text(largest) + "; free arrays, or set " + VARIABLE + " higher");
    }

    static SymmetricMemoryException refused(String what, long bytes) {
        return new SymmetricMemoryException(what + ": the system did not give " + text(bytes)
                + " of shared memory; the machine's memory, or this container's limit, is used up");
    }

    static String text(long bytes) {
        if (bytes < 1 << 20) {
            return bytes + " bytes";
        }
        return bytes < 1L << 30
                ? String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20))
                : String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
    }
}
