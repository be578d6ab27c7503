// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import org.jspecify.annotations.Nullable;

/** Where loops of one kernel are kept for other processes. */
public interface LoopStore {
    /** Returns what was kept under a name; null if there is nothing. */
    byte @Nullable [] get(String name);

    void put(String name, byte[] content);

    /** A store that keeps nothing. */
    LoopStore NONE = new LoopStore() {
        @Override
        public byte @Nullable [] get(String name) {
            return null;
        }

        @Override
        public void put(String name, byte[] content) {}
    };
}
