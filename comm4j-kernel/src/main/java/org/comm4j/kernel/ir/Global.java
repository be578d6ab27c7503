// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import org.jspecify.annotations.Nullable;

/**
 * Memory that exists as long as the module, or, in {@link Type.Space#SHARED}, as long as the block.
 *
 * @param content its bytes in the order of memory; null for zero, and in shared memory for nothing certain
 * @param alignment in bytes
 */
public record Global(String name, Type.Space space, Type type, byte @Nullable [] content, long alignment) {}
