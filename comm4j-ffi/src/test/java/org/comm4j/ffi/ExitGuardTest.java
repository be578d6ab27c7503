// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes whose C exit handler never returns. */
class ExitGuardTest {

    /**
     * Ends with an exit handler that sleeps for ever: pause(2), which takes no arguments and comes back for signals
     * only.
     */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws Throwable {
            Linker linker = Linker.nativeLinker();
            int status = (int) linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("on_exit"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS))
                    .invoke(linker.defaultLookup().findOrThrow("pause"), MemorySegment.NULL);
            ExitGuard guard = ExitGuard.open();
            if (args[0].equals("closed")) {
                guard.close();
            }
            if (args[0].equals("thrown")) {
                throw new IllegalStateException("thrown " + status);
            }
            System.exit(7);
        }
    }

    @ParameterizedTest
    @CsvSource({"open, 7", "thrown, 1", "closed, -1"})
    void exitHandlersAreSkippedWhileAGuardIsOpen(String how, int code) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        how)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            boolean ended = process.waitFor(code < 0 ? 3 : 30, TimeUnit.SECONDS);
            assertThat(ended ? process.exitValue() : -1).isEqualTo(code);
        } finally {
            process.destroyForcibly();
        }
    }
}
