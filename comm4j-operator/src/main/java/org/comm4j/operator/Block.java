// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Arrays;

/**
 * Operators of all ranks together as the blocks of a matrix (PyLops {@code Block}): rows one above the other, in each
 * of which the operators are side by side. Model and data are stacks.
 */
public final class Block {
    private Block() {}

    /**
     * Returns the operator. Does not communicate.
     *
     * @param rows of blocks: in a row they have the same range, in a column the same domain
     */
    public static LinearOperator of(LinearOperator[]... rows) {
        nonNull(rows, "Block.of", "rows");
        return VStack.of(Arrays.stream(rows).map(HStack::of).toArray(LinearOperator[]::new));
    }
}
