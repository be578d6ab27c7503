// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What environment variables and system properties say. */
public final class Setting {
    /** Whoever writes anything else wants it. */
    private static final Set<String> OFF = Set.of("", "0", "false", "no", "off");

    private Setting() {}

    /**
     * Whether something is on.
     *
     * @param value what the user wrote: nothing, {@code 0}, {@code false}, {@code no} and {@code off} are off, in
     *     capitals, too; null if it is not set
     * @param usual the answer if it is not set
     */
    public static boolean isOn(@Nullable String value, boolean usual) {
        return value == null ? usual : !OFF.contains(value.toLowerCase(Locale.ROOT));
    }
}
