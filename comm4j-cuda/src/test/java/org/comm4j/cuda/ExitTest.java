// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.comm4j.test.SimulatedLibrary;
import org.junit.jupiter.api.Test;

/** Processes that end when a library's exit handler waits for the threads of the driver. */
class ExitTest {
    static final class Program {
        private Program() {}

        /** The driver's thread belongs to the JVM from its callback on, and cannot leave it once it has ended. */
        public static void main(String[] args) throws InterruptedException {
            Stream stream = Device.of(0).newStream();
            CountDownLatch called = new CountDownLatch(1);
            stream.onReached(called::countDown);
            called.await();
            System.exit(7);
        }
    }

    @Test
    void aCallbackDoesNotKeepAProcessFromEnding() throws Exception {
        Path library =
                SimulatedLibrary.compile(Path.of("../comm4j-nccl/src/test/c/simulation.c"), "-DRELEASES_CONTEXT");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dorg.comm4j.cuda.library=" + library,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(7);
        } finally {
            process.destroyForcibly();
        }
    }
}
