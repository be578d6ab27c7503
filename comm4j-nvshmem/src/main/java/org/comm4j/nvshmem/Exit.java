// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

/**
 * Says so when the process ends with an open {@link Nvshmem}. Nothing else can be done then: the library's own end needs all PEs, which
 * may be anywhere.
 */
final class Exit {
    private final Thread hook;

    Exit(String where) {
        // Not to the log, which may be gone by now.
        this.hook = new Thread(
                () -> System.err.println("comm4j: " + where
                        + " ends without having closed its Nvshmem; the other PEs may be" + " waiting for it"),
                "comm4j nvshmem exit");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    void cancel() {
        try {
            boolean ignored = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending: the hook has run, or will.
        }
    }
}
