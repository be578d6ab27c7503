// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.launch;

import org.jspecify.annotations.Nullable;

/**
 * What a launch gives a value for.
 *
 * @param name in Java
 * @param type in Java
 * @param restricted whether it is marked {@link org.comm4j.kernel.lang.Restrict}
 * @param bound its value if launches do not give it: a lambda has captured it, or it is a constant
 */
public record Parameter(
        String name,
        Class<?> type,
        boolean restricted,
        @Nullable Object bound) {
    @Override
    public String toString() {
        return type.getSimpleName() + " " + name;
    }
}
