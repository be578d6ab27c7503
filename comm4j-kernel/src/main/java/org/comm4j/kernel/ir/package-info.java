// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * What a kernel is between Java and the GPU: functions of basic blocks over typed values. Its arithmetic is Java's:
 * shifts use the low bits of the distance, integers wrap, conversions to integers saturate. A division by zero is 0, or
 * an error if the program is checked. What a GPU needs to get there is the emitter's business. Local variables are
 * memory ({@link org.comm4j.kernel.ir.Instruction.Alloca}): whoever optimises comes later.
 */
package org.comm4j.kernel.ir;
