// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What became of {@link StandardOutput}. */
class StandardOutputTest {
    private static String lost(OutputStream to) {
        StandardOutput standard = new StandardOutput(to);
        try (PrintStream print = new PrintStream(standard, true, StandardCharsets.UTF_8)) {
            print.println("a line");
            print.print('c');
        }
        return standard.lost();
    }

    private static OutputStream failing(String message) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(message);
            }
        };
    }

    @Test
    void whatIsWrittenArrives() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertThat(lost(bytes)).isNull();
        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("a line" + System.lineSeparator() + "c");
    }

    @Test
    void aFullDiskIsTold() {
        assertThat(lost(failing("No space left on device"))).isEqualTo("No space left on device");
    }

    @Test
    void aReaderThatHasEnoughIsNoError() {
        assertThat(lost(failing("Broken pipe"))).isNull();
    }

    static boolean fullDevice() {
        return new File("/dev/full").exists();
    }

    @Test
    @EnabledIf(value = "fullDevice", disabledReason = "there is no /dev/full here")
    void theCommandFails() throws Exception {
        File err = File.createTempFile("comm4j", "err");
        err.deleteOnExit();
        ProcessBuilder builder = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--version")
                .redirectOutput(new File("/dev/full"))
                .redirectError(err);
        // What java says of options there is not the command's.
        builder.environment().remove("JDK_JAVA_OPTIONS");
        Process process = builder.start();
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(err).content().startsWith("comm4j: not all output could be written: ");
    }
}
