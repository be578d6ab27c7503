// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.contract.HostsRun;
import org.comm4j.test.Document;
import org.comm4j.test.Hosts;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first program of the README, unchanged, with no variable of comm4j's but {@code COMM4J_ENGINE=mpi}. */
@Tag("nightly")
@Timeout(120)
class FirstProgramTest {
    private static final int PATIENCE = 90;
    private static final Map<String, String> ENGINE = Map.of("COMM4J_ENGINE", "mpi");

    @TempDir
    static Path folder;

    private static String name = "";

    @BeforeAll
    static void compile() throws IOException {
        List<Document.Program> programs = Document.programs(Path.of("../README.md"));
        Document.compile(programs, folder);
        name = programs.getFirst().name();
    }

    private static List<String> words() {
        String path = folder + File.pathSeparator + System.getProperty("java.class.path");
        return List.of("--enable-native-access=ALL-UNNAMED", "-cp", path, name);
    }

    /** Without a launcher, so that it is a world of one rank. */
    @Test
    void alone() throws Exception {
        assertSays(run(List.of()), 1, "1.0");
    }

    /** As users type it. */
    @ParameterizedTest
    @EnumSource(names = "STANDARD", mode = EnumSource.Mode.EXCLUDE)
    void underTheLauncher(MpiLibrary library) throws Exception {
        assertSays(run(List.of(library.launcher().file().toString(), "-n", "2")), 2, "3.0");
    }

    @ParameterizedTest
    @EnumSource(names = "STANDARD", mode = EnumSource.Mode.EXCLUDE)
    void onTwoHosts(MpiLibrary library) {
        try (Hosts hosts = Hosts.open(2)) {
            HostsRun run = HostsRun.start(hosts, folder, library.launcher(), 2, ENGINE, words());
            assertThat(run.end(PATIENCE)).as(run.text()).isZero();
            assertSays(run.text(), 4, "10.0");
        }
    }

    private static String run(List<String> launcher) throws Exception {
        List<String> all = new ArrayList<>(launcher);
        all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        all.addAll(words());
        ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
        builder.environment().keySet().removeIf(each -> each.startsWith("COMM4J_"));
        builder.environment().putAll(ENGINE);
        builder.environment().putAll(HostsRun.AS_ROOT);
        Process process =
                builder.redirectOutput(folder.resolve("output").toFile()).start();
        try {
            assertThat(process.waitFor(PATIENCE, TimeUnit.SECONDS))
                    .as("it ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(folder.resolve("output"), UTF_8);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    private static void assertSays(String text, int ranks, String sum) {
        for (int rank = 0; rank < ranks; rank++) {
            assertThat(text).contains("rank " + rank + " of " + ranks + ": " + sum);
        }
    }
}
