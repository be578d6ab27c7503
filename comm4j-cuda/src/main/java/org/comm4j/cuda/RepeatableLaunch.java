// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import org.comm4j.core.Buffer;

/**
 * A kernel with its shape and arguments, on a GPU ({@link PreparedLaunch}) or on the CPU. It was checked once and is
 * launched again and again; {@code set} changes an argument. Neither allocates. For one thread at a time.
 */
public interface RepeatableLaunch {
    /**
     * Changes a number; {@code set} of other types does the same.
     *
     * @param index of the argument among those that were given, from 0
     * @throws IndexOutOfBoundsException if there is no such argument
     * @throws IllegalArgumentException if it is of another type; nothing has changed then
     */
    RepeatableLaunch set(int index, int value);

    RepeatableLaunch set(int index, long value);

    RepeatableLaunch set(int index, float value);

    RepeatableLaunch set(int index, double value);

    RepeatableLaunch set(int index, boolean value);

    /**
     * Changes a pointer.
     *
     * @throws IllegalArgumentException if the kernel cannot reach the array, or the argument is no pointer
     * @throws IllegalStateException if it was freed; nothing has changed then
     */
    RepeatableLaunch set(int index, Buffer array);

    /**
     * Runs it with the arguments as they are now, and returns when it is done.
     *
     * @throws IllegalStateException if an array was freed, or the kernel closed
     */
    void launch();
}
