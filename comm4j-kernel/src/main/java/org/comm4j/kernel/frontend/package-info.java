// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * From the bytecode of a method and of all that it calls to a {@link org.comm4j.kernel.ir.Program}.
 *
 * <p>{@link org.comm4j.kernel.frontend.Frontend} begins with the kernel; {@link org.comm4j.kernel.frontend.Translator}
 * turns one method into one function, block after block, simulating the operand stack. What exists on a GPU as nothing
 * but its type (a lambda's code, a string, an exception on its way) is part of the {@link
 * org.comm4j.kernel.frontend.JavaType} of an operand, so that a call of it is resolved here, and a function is made
 * anew for other ones. Locals that are set once are values; others, and what is on the stack between blocks, are
 * memory.
 */
package org.comm4j.kernel.frontend;
