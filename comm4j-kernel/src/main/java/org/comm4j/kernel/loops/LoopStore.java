// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import org.jspecify.annotations.Nullable;

/** Where loops of one kernel are kept for other processes. */
public interface LoopStore {
    /** Returns what was kept under a name; null if there is nothing. */
    byte @Nullable [] get(String name);

    void put(String name, byte[] content);

    /** Waits until no other process makes what is to be kept under a name. */
    Turn turn(String name);

    /** A turn to make something. */
    interface Turn extends AutoCloseable {
        /** Lets others have theirs. */
        @Override
        void close();
    }

    /** A store that keeps nothing. */
    LoopStore NONE = new LoopStore() {
        @Override
        public byte @Nullable [] get(String name) {
            return null;
        }

        @Override
        public void put(String name, byte[] content) {}

        @Override
        public Turn turn(String name) {
            return () -> {};
        }
    };
}
