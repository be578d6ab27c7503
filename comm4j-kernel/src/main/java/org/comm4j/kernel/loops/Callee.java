// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.invoke.MethodHandle;

/**
 * A Java method that a kernel calls.
 *
 * @param handle takes the arguments, a pointer as its memory and place; booleans, bytes, shorts and chars as ints
 * @param changesMemory whether it does more than compute its result
 */
record Callee(int number, MethodHandle handle, boolean changesMemory) {}
