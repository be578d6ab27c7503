// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.cuda.Device;
import org.junit.jupiter.api.Test;

/** A JVM that ends while a call that was given up is still inside NCCL. */
class AbandonedCallTest {

    /** Ends with an exit handler that never returns, as those of libraries whose threads still run may: pause(2). */
    static final class Program {
        private Program() {}

        @SuppressWarnings("restricted")
        public static void main(String[] args) throws Throwable {
            Linker linker = Linker.nativeLinker();
            int status = (int) linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("on_exit"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS))
                    .invoke(linker.defaultLookup().findOrThrow("pause"), MemorySegment.NULL);
            Simulation.prepare();
            try (Device device = Device.of(0)) {
                Nccl.communicator(device, 2, 0, List.of(UniqueId.create()), CommConfig.DEFAULT, Duration.ofMillis(200));
            } catch (CommTimeoutException e) {
                System.exit(7 + status);
            }
        }
    }

    @Test
    void exitHandlersAreSkipped() throws Exception {
        Simulation.require();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(7);
        } finally {
            process.destroyForcibly();
        }
    }
}
