// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/**
 * A sequence of operations that was described once and is repeated: on a GPU a graph, which the host starts by one
 * call; on a processor the operations themselves.
 */
public interface Recording extends AutoCloseable {
    /** Runs the operations in the order of what is computed. */
    void run();

    /** Gives back what it holds, when it has run. */
    @Override
    void close();
}
