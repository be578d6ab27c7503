// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.invoke.MethodHandle;
import org.comm4j.kernel.loops.JavaMethods.Does;

/**
 * A Java method that a kernel calls.
 *
 * @param symbol its class, name and descriptor
 * @param component the number of that of its result which is wanted; −1 for the whole result
 * @param handle takes the arguments, a pointer as its memory and place; booleans, bytes, shorts and chars as ints
 * @param changesMemory whether it does more than compute its result
 * @param access what it does to the memory of its first argument, as {@link BlockRaces#access} has it; 0 for nothing
 * @param fence whether it is a fence
 * @param keeps whether {@code handle} gives an object: a call that is made later, or what the thread keeps of the call
 * @param does what it may do besides computing its result
 */
record Callee(
        int number,
        String symbol,
        int component,
        MethodHandle handle,
        boolean changesMemory,
        int access,
        boolean fence,
        boolean keeps,
        Does does) {
    /** Returns whether it asks which thread calls it. */
    boolean asks() {
        return does == Does.ASK || does == Does.PAUSE;
    }

    /** Returns whether other threads go first before it is called. */
    boolean pauses() {
        return does == Does.PAUSE;
    }

    /** Returns whether it is called later, for it may wait. */
    boolean later() {
        return does == Does.WAIT;
    }
}
