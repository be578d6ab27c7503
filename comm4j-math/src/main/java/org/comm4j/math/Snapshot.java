// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.HostArray;

/** A copy of numbers for the host, which is made in the order of what is computed while the host goes on. */
public interface Snapshot extends AutoCloseable {
    /** Puts a copy of the numbers, as they will be then, behind what was started so far. */
    void take();

    /** Waits until the copy that was taken last is there, but for nothing that was started after it; returns it. */
    HostArray await();

    /** Gives the host memory back. */
    @Override
    void close();
}
