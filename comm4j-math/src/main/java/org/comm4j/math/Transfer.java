// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.function.Consumer;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.Operations;

/**
 * Operations of a communicator that travel beside what is computed, again and again with the same buffers: in a second
 * stream of a GPU, or by a thread of the communicator. Several may be under way. For the thread that computes.
 */
public interface Transfer extends AutoCloseable {
    /**
     * Starts the operations, which see what was computed before this call. What is computed until {@link #end} must not
     * write what they read, nor touch what they write.
     */
    void begin();

    /** Makes what is computed after this call see what the operations brought. On a GPU the host does not wait. */
    void end();

    /** Gives back what this holds; nothing is under way then. */
    @Override
    void close();

    /** Returns operations that run to their end in {@link #begin}, in the order of what is computed. */
    static Transfer inOrder(GroupedOperations operations, Consumer<Operations> body) {
        noNulls("Transfer.inOrder", "operations", operations, "body", body);
        return inOrder(() -> operations.group(body));
    }

    /** Returns what {@link #begin} does to its end, in the order of what is computed. */
    static Transfer inOrder(Runnable body) {
        nonNull(body, "Transfer.inOrder", "body");
        return new Transfer() {
            @Override
            public void begin() {
                body.run();
            }

            @Override
            public void end() {
                // They came before what is computed next.
            }

            @Override
            public void close() {
                // Holds nothing.
            }
        };
    }
}
