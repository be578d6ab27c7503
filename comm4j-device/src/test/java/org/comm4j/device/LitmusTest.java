// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Litmus} on the CPU, as long as {@code -Dcomm4j.device.litmus.millis} says for each of its tests. */
@Timeout(600)
class LitmusTest {
    static final String MILLIS = "comm4j.device.litmus.millis";

    static long millis(long usual) {
        return Long.getLong(MILLIS, usual);
    }

    /** How often, as PE 0 says. */
    static void printFirst(String said) {
        said.lines().filter(line -> line.startsWith("[0] litmus")).forEach(System.out::println);
    }

    static List<Integer> numbers() {
        return Nightly.isOn() ? List.of(2, 3) : List.of(2);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void threads(int pes) {
        World.threads(pes, world -> {
            try (HostShmem shmem = HostShmem.init(world);
                    TestPe pe = TestPe.of(shmem, CpuOptions.fast())) {
                shmem.timeout(Duration.ofSeconds(60));
                String said = Litmus.run(pe, millis(Nightly.times(20, 1000)));
                pe.endCase();
                if (world.rank() == 0) {
                    System.out.print(said);
                }
            }
        });
    }

    /** By night: for a change threads, whose memory is the same. */
    @Test
    @Tag("nightly")
    void processes() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .java(
                        Nightly.isOn() ? "-XX:+TieredCompilation" : "-XX:TieredStopAtLevel=1",
                        "-D" + MILLIS + "=" + millis(Nightly.times(20, 1000)),
                        LitmusProgram.class.getName(),
                        DeviceProgram.CPU)
                .timeout(Duration.ofMinutes(8))
                .output(output, output)
                .run();
        String said = output.toString(StandardCharsets.UTF_8);
        printFirst(said);
        assertThat(code).as(said).isZero();
        assertThat(said).contains("[0] litmus on PE 0 of 2: put, fence, put of a flag");
    }
}
