// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The native engine over Sandia OpenSHMEM, where it is installed and can be started by Open MPI's launcher; {@code
 * docs/openshmem.md} says how.
 */
@Timeout(120)
class SandiaTest extends ProcessesContract {
    /** The folder of an installation. */
    private static final String HOME = "SOS_HOME";

    private static final String FILE = "libsma.so";

    private static String library = "";

    @BeforeAll
    static void needsTheLibrary() {
        Oshrun.require();
        Path found = find(System.getenv(HOME));
        assumeTrue(
                found != null,
                "no lib/" + FILE + " of Sandia OpenSHMEM in $" + HOME
                        + ", or in /usr/local and /usr if that is not set");
        library = Objects.requireNonNull(found).toString();
    }

    private static @Nullable Path find(@Nullable String home) {
        return (home == null ? Stream.of("/usr/local", "/usr") : Stream.of(home))
                .map(folder -> Path.of(folder, "lib", FILE))
                .filter(Files::exists)
                .findFirst()
                .orElse(null);
    }

    @Override
    List<Integer> sizes() {
        // A thread of libfabric keeps a processor busy for each PE: with more of them than processors hardly anything
        // moves.
        int processors = Runtime.getRuntime().availableProcessors();
        return Stream.of(1, 2, 3, 4, 8).filter(pes -> pes <= processors).toList();
    }

    @Override
    Map.Entry<Integer, String> start(int pes, String... words) {
        return Oshrun.run(
                pes,
                Stream.concat(Stream.of("-Dorg.comm4j.shmem.library=" + library), Stream.of(words))
                        .toArray(String[]::new));
    }

    @Test
    void itIsSandias() {
        Map.Entry<Integer, String> end = start(2, FaultProgram.class.getName(), "init");
        assertThat(end.getKey()).as(end.getValue()).isZero();
        assertThat(end.getValue().lines().filter(line -> line.contains("made OpenShmem[PE") && line.contains(library)))
                .as(end.getValue())
                .hasSize(2);
    }
}
