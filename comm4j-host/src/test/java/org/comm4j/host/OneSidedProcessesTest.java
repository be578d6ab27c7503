// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PEs that are processes. A job starts once for each number of PEs and goes through all cases. */
@Timeout(120)
class OneSidedProcessesTest extends OneSidedContract {
    private static final int LARGEST = 8;

    private final Map<Integer, String> jobs = new HashMap<>();

    @Override
    List<Integer> sizes() {
        return Sizes.of(2, LARGEST);
    }

    private String job(int pes) {
        return jobs.computeIfAbsent(pes, size -> {
            ByteArrayOutputStream output = new ByteArrayOutputStream();
            // So many JVMs would spend most of the time compiling; two have the compiler that reorders the most, by
            // night.
            String compiler = size > 2 || !Nightly.isOn() ? "-XX:TieredStopAtLevel=1" : "-XX:+TieredCompilation";
            int code = Launcher.ranks(size)
                    .java(SEED_OPTION, compiler, Program.class.getName())
                    .timeout(Duration.ofMinutes(5))
                    .output(output, output)
                    .run();
            return output.toString(StandardCharsets.UTF_8) + "exit code " + code + "\n";
        });
    }

    @Override
    void run(int pes, OneSidedCase oneSidedCase) {
        String output = job(pes);
        for (int pe = 0; pe < pes; pe++) {
            if (!output.contains("[" + pe + "] passed " + oneSidedCase + "\n")) {
                throw new AssertionError(output);
            }
        }
    }

    @Test
    void theJobEndsInOrder() {
        for (int pes : sizes()) {
            assertThat(job(pes)).endsWith("exit code 0\n");
        }
    }

    /** A figure of a machine that is not too busy with other things. */
    @Test
    @Tag("nightly")
    void morePesThanProcessorsMakeProgress() {
        String figure = job(LARGEST)
                .lines()
                .filter(line -> line.contains("barrier "))
                .findFirst()
                .orElseThrow();
        System.out.println(
                figure + " (" + LARGEST + " PEs on " + Runtime.getRuntime().availableProcessors() + " processors)");
        // A barrier that waits for a time slice or a nap to end takes milliseconds for each PE.
        assertThat(Double.parseDouble(figure.replaceAll(".*barrier ([0-9.]+) us.*", "$1")))
                .isLessThan(20_000);
    }

    /** What each PE runs. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws Exception {
            try (World world = World.join();
                    HostShmem shmem = HostShmem.init(world)) {
                shmem.timeout(Duration.ofSeconds(60));
                for (OneSidedCase each : OneSidedCase.values()) {
                    try {
                        each.run(shmem);
                    } catch (Throwable e) {
                        throw new AssertionError(each.toString(), e);
                    }
                    System.out.println("passed " + each);
                }
                int rounds = 1000;
                double least = Double.MAX_VALUE;
                for (int repeat = 0; repeat < 3; repeat++) {
                    shmem.barrierAll();
                    long start = System.nanoTime();
                    for (int i = 0; i < rounds; i++) {
                        shmem.barrierAll();
                    }
                    least = Math.min(least, (System.nanoTime() - start) / 1e3 / rounds);
                }
                if (world.rank() == 0) {
                    System.out.printf("barrier %.2f us%n", least);
                }
                shmem.barrierAll();
            }
        }
    }
}
