// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import java.util.function.IntSupplier;

/** Runs something with a shutdown hook in place for exactly that long. */
final class Hooks {
    private Hooks() {}

    static int during(Thread hook, IntSupplier body) {
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return body.getAsInt();
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // This process is being ended, and the hook runs.
            }
        }
    }
}
