// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.launch;

import org.comm4j.kernel.ir.Type;
import org.jspecify.annotations.Nullable;

/**
 * What a launch gives a value for.
 *
 * @param name in Java
 * @param type in Java
 * @param memory what the GPU reads
 * @param bound its value if launches do not give it, because a lambda has captured it
 */
public record Parameter(
        String name, Class<?> type, Type memory, @Nullable Object bound) {
    @Override
    public String toString() {
        return type.getSimpleName() + " " + name;
    }
}
