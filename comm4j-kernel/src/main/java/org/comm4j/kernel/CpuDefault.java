// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.util.Locale;

/** The options of kernels on the CPU that a process has where its program names none. */
final class CpuDefault {
    static final String PROPERTY = "org.comm4j.kernel.cpu";
    static final String VARIABLE = "COMM4J_KERNEL_CPU";

    /** Any; it is the same each time, so that a failure can be seen again. */
    private static final long SEED = 1;

    private CpuDefault() {}

    static CpuOptions options() {
        String property = System.getProperty(PROPERTY, "");
        return property.isEmpty()
                ? options(VARIABLE, System.getenv().getOrDefault(VARIABLE, ""))
                : options("-D" + PROPERTY, property);
    }

    private static CpuOptions options(String by, String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "" -> Tests.RUN ? CpuOptions.checked(SEED) : CpuOptions.fast();
            case "fast" -> CpuOptions.fast();
            case "checked" -> CpuOptions.checked(SEED);
            case "debug" -> CpuOptions.debug();
            default -> throw new IllegalArgumentException(by + "=" + value + ": it is fast, checked or debug");
        };
    }

    /** Found out once, when it is asked for first. */
    private static final class Tests {
        static final boolean RUN = run();

        /**
         * A test framework that only lies on the class path runs nothing; one that runs tests has a thread that waits
         * for them.
         */
        private static boolean run() {
            for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
                for (StackTraceElement frame : stack) {
                    if (frame.getClassName().startsWith("org.junit.")
                            || frame.getClassName().startsWith("org.testng.")) {
                        return true;
                    }
                }
            }
            return false;
        }
    }
}
