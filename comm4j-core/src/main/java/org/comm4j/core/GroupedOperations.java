// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import java.util.function.Consumer;

/** Operations, one by one or several as one. */
public interface GroupedOperations extends Operations {
    /**
     * Runs several operations as one ({@code ncclGroupStart}/{@code ncclGroupEnd}): sends and receives of a group make
     * progress together, so ranks can exchange without deadlock.
     *
     * @param body collects the operations, which start when it returned normally; none of them does when it throws
     * @throws IllegalArgumentException if one operation writes memory that another one uses: they may run at the same
     *     time
     */
    void group(Consumer<Operations> body);
}
