// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Checks of arguments that all operations have in common. */
public final class Arguments {
    private static final String ZERO = "Duration.ZERO stands for no limit";

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

    /**
     * Refuses nulls among an operation's arguments.
     *
     * @param namesAndArguments each parameter's name and, behind it, its argument
     * @throws NullPointerException as of {@link #nonNull}
     */
    public static void noNulls(String operation, @Nullable Object... namesAndArguments) {
        for (int i = 1; i < namesAndArguments.length; i += 2) {
            nonNull(namesAndArguments[i], operation, String.valueOf(namesAndArguments[i - 1]));
        }
    }

    /**
     * Returns a limit of waiting in nanoseconds. More than a number can hold, 292 years, is as good as none.
     *
     * @param timeout {@link Duration#ZERO} stands for no limit
     * @param operation as of {@link #nonNull}
     * @throws NullPointerException if it is null
     * @throws IllegalArgumentException if it is negative
     */
    public static long timeoutNanos(@Nullable Duration timeout, String operation) {
        if (timeout == null) {
            throw new NullPointerException(operation + ": timeout is null; " + ZERO);
        }
        if (timeout.isNegative()) {
            throw new IllegalArgumentException(operation + ": timeout " + timeout + " is negative; " + ZERO);
        }
        return TimeUnit.NANOSECONDS.convert(timeout);
    }
}
