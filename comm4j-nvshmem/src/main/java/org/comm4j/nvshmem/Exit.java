// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.ffi.ExitGuard;

/**
 * What happens when the process ends with an open {@link Nvshmem}: it says so. The library's own end needs all PEs,
 * which may be anywhere, and its exit handlers wait for work of the GPU that may wait for these; so C's exit handlers
 * are skipped.
 */
final class Exit {
    private final ExitGuard guard = ExitGuard.open();
    private final Thread hook;

    Exit(String where) {
        // Not to the log, which may be gone by now.
        this.hook = new Thread(
                () -> System.err.println("comm4j: " + where
                        + " ends without having closed its Nvshmem; the other PEs may be" + " waiting for it"),
                "comm4j nvshmem exit");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** All is well. */
    void cancel() {
        silence();
        guard.close();
    }

    /** It has been said already; but work of the GPU may still be waiting. */
    void silence() {
        try {
            boolean ignored = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending: the hook has run, or will.
        }
    }
}
