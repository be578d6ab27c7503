// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

/** TODO. */
final class Shutdown {
    private Shutdown() {}

    static void run(Session session) {
        throw new UnsupportedOperationException("not yet" + session);
    }
}
