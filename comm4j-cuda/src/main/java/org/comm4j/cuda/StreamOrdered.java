// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.GroupedOperations;

/**
 * A communicator whose operations can be put into a stream: they run after the work before them there, and the host
 * does not wait. Layers that compute on a GPU communicate by it without knowing the engine.
 */
public interface StreamOrdered {
    /**
     * Returns the operations of this communicator in the order of a stream. They return when the work is in the stream,
     * which may be recorded to a {@link Graph}; arguments are checked as those of the communicator.
     *
     * @param stream of the communicator's device
     * @throws IllegalArgumentException if it belongs to another device
     */
    GroupedOperations on(Stream stream);

    /**
     * Waits until a stream with such operations is done. Unlike {@link Stream#synchronize} it ends when a rank has
     * died.
     *
     * @throws CommTimeoutException when the communicator's timeout has passed
     */
    void synchronize(Stream stream);
}
