// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.Objects;
import org.comm4j.kernel.lang.KernelLibrary;

/**
 * Which classes are this module's own: what kernels call, and what runs them; and those that say that they are like
 * these.
 */
final class Vocabulary {
    /** The package of what kernels are written in. */
    static final String LANGUAGE = "org.comm4j.kernel.lang";

    private static final String PACKAGE = "org.comm4j.kernel";

    private static final ClassValue<Boolean> OWN = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            String name = type.getPackageName();
            // Tests may be in the same packages; they come from somewhere else.
            if (type.isAnnotationPresent(KernelLibrary.class)) {
                return true;
            }
            return (name.equals(LANGUAGE) || name.equals(PACKAGE) || name.equals(PACKAGE + ".cpu"))
                    && Objects.equals(
                            type.getProtectionDomain().getCodeSource(),
                            KernelThread.class.getProtectionDomain().getCodeSource());
        }
    };

    private Vocabulary() {}

    static boolean has(Class<?> type) {
        return OWN.get(type);
    }
}
