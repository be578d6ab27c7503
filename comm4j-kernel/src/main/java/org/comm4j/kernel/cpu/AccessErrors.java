// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells what a kernel has thrown. Of an access outside of memory the JDK tells segments and offsets, which a kernel has
 * not: it has arrays and elements.
 */
final class AccessErrors {
    private static final Pattern OF_SEGMENT = Pattern.compile(
            "Out of bound access on segment .*byteSize: (\\d+) *}; new offset = (-?\\d+); new length = (-?\\d+)");

    private static final int LARGEST_ELEMENT = 16;

    private AccessErrors() {}

    static String tell(Throwable thrown) {
        String message = thrown.getMessage();
        Matcher access = OF_SEGMENT.matcher(message == null ? "" : message);
        if (!(thrown instanceof IndexOutOfBoundsException) || !access.matches()) {
            return thrown.toString();
        }
        long size = Long.parseLong(access.group(1));
        long first = Long.parseLong(access.group(2));
        long bytes = Long.parseLong(access.group(3));
        boolean isElement = bytes > 0 && bytes <= LARGEST_ELEMENT && first % bytes == 0;
        String what = isElement
                ? "element " + first / bytes + " of " + bytes + " bytes is"
                : bytes + " bytes from byte " + first + " on are";
        return IndexOutOfBoundsException.class.getName() + ": " + what + " outside of an array of " + size + " bytes";
    }
}
