// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a block ends. */
public sealed interface Terminator {
    /**
     * Goes on elsewhere.
     *
     * @param unroll of the loop that this jump closes, as of {@link Branch}; javac ends a loop's body with a jump to
     *     its condition
     */
    record Jump(Position at, Block target, int unroll) implements Terminator {
        public Jump(Position at, Block target) {
            this(at, target, 0);
        }
    }

    /**
     * Goes on at one of two places.
     *
     * @param unroll how often the loop that this branch closes is to be unrolled; 0 for as the compiler likes, 1 for
     *     not at all, −1 wholly
     */
    record Branch(Position at, Value condition, Block ifTrue, Block ifFalse, int unroll) implements Terminator {}

    record Switch(Position at, Value value, Map<Integer, Block> cases, Block otherwise) implements Terminator {
        public Switch {
            cases = Collections.unmodifiableMap(new LinkedHashMap<>(cases));
        }
    }

    /**
     * Goes back to the caller.
     *
     * @param value null if the function returns nothing
     */
    record Return(Position at, @Nullable Value value) implements Terminator {}

    /**
     * The kernel ends with an error, and {@code message} where the GPU can say it ({@code __assertfail}).
     *
     * @param said the line that the error names: where the user's code called the library that {@code at} is in
     */
    record Fail(Position at, Position said, String message) implements Terminator {
        public Fail(Position at, String message) {
            this(at, at, message);
        }
    }

    Position at();
}
