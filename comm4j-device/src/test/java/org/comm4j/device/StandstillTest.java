// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.Test;

/** Kernels on the CPU that wait long say so, as communicators do. */
class StandstillTest {
    @Kernel
    static void await(I64Ptr signal) {
        Shmem.signalWaitUntil(signal, Comparison.EQ, 7);
    }

    /** One PE, whose signal never comes; and what collectives do while they wait. */
    static final class Hang {
        private Hang() {}

        public static void main(String[] args) {
            try (World world = World.join();
                    HostShmem shmem = HostShmem.init(world);
                    KernelCompiler<CompiledKernel> compiler = ShmemCompiler.of(shmem);
                    CompiledKernel kernel = compiler.compile(StandstillTest::await)) {
                shmem.timeout(Duration.ofMillis(1500));
                kernel.launch(LaunchConfig.grid(1).block(1), shmem.allocate(DataType.INT64, 1));
            } catch (KernelException e) {
                System.out.println("in vain");
            }
            Wire.nap(System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(700), 3);
        }
    }

    @Test
    void aKernelThatWaitsSaysWhatFor() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(1)
                .java(
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dorg.comm4j.core.standstill=500",
                        Hang.class.getName())
                .timeout(Duration.ofSeconds(60))
                .output(output, output)
                .run();
        String text = output.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        assertThat(text).contains("in vain");
        assertThat(text.lines())
                .as(text)
                .anyMatch(line -> line.matches(".*PE 0 of 1 has waited 0 s in signalWaitUntil in a kernel, for .*"))
                .anyMatch(line -> line.matches(".*a kernel has waited 0 s in a collective, for rank 3.*"));
    }
}
