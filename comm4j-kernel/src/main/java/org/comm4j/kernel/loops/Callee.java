// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.invoke.MethodHandle;

/**
 * A Java method that a kernel calls.
 *
 * @param handle takes the arguments, a pointer as its memory and place; booleans, bytes, shorts and chars as ints
 * @param changesMemory whether it does more than compute its result
 * @param access what it does to the memory of its first argument, as {@link BlockRaces#access} has it; 0 for nothing
 * @param fence whether it is a fence
 * @param asks whether it asks which thread calls it
 * @param keeps whether {@code handle} gives an object: a call that is made later, or what the thread keeps of the call
 * @param later whether it is made later, for it may wait
 */
record Callee(
        int number,
        MethodHandle handle,
        boolean changesMemory,
        int access,
        boolean fence,
        boolean asks,
        boolean keeps,
        boolean later) {}
