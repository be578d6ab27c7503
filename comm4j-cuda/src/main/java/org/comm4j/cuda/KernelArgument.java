// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.comm4j.core.Buffer;

/**
 * An argument by its bytes: a struct, or an address within an array. Launches copy the bytes, and look after the arrays
 * as after those that are arguments themselves: that they are open, and that the device reaches them.
 *
 * @param bytes as the kernel's parameter has them in C
 * @param arrays that addresses among the bytes point into
 */
public record KernelArgument(MemorySegment bytes, List<Buffer> arrays) {
    public KernelArgument {
        arrays = List.copyOf(arrays);
    }
}
