// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.util.function.BooleanSupplier;

/**
 * Reports handles that were lost without having been closed; with {@code -Dorg.comm4j.leaks=true} only, because it
 * remembers where each one was made. It frees nothing: a call of the driver could block the garbage collector's helper.
 */
final class Leaks {
    private static final boolean WATCHING = Boolean.getBoolean("org.comm4j.leaks");
    private static final System.Logger LOG = System.getLogger("org.comm4j.cuda");

    private static final class Watch {
        static final Cleaner CLEANER = Cleaner.create();
    }

    private Leaks() {}

    static void watch(Object handle, Resource resource) {
        watch(handle, resource, resource::isOpen);
    }

    /**
     * @param what for the report; neither this nor {@code isOpen} may know the handle
     * @param isOpen whether it is still to be closed
     */
    static void watch(Object handle, Object what, BooleanSupplier isOpen) {
        if (WATCHING) {
            Throwable made = new Throwable("it was made here");
            Watch.CLEANER.register(handle, () -> {
                if (isOpen.getAsBoolean()) {
                    LOG.log(Level.WARNING, "leak: " + what + " was lost without close()", made);
                }
            });
        }
    }
}
