// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

/** Tells the Java methods that a kernel calls which thread calls them. */
public interface LoopThreads {
    /** A thread of the block that runs is about to call one. */
    void enter(int thread);
}
