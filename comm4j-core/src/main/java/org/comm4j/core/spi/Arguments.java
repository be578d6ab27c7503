// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import org.jspecify.annotations.Nullable;

/** Checks of arguments that all operations have in common. */
public final class Arguments {
    private Arguments() {}

    /**
     * Returns an argument that must not be null.
     *
     * @param operation the method as users call it, with the rank if there is one: {@code allReduce on rank 1 of 4}
     * @param parameter the name of the method's parameter
     * @throws NullPointerException if it is null; the message names the operation and the parameter
     */
    public static <T> T nonNull(@Nullable T argument, String operation, String parameter) {
        if (argument == null) {
            throw new NullPointerException(operation + ": " + parameter + " is null");
        }
        return argument;
    }
}
