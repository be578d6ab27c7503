// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.cuda.Cuda;
import org.comm4j.nccl.Nccl;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.test.Document;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples, by the commands that their READMEs show: in processes as a user starts them by night, otherwise with
 * fewer of them.
 */
class ExamplesTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern COMMAND = Pattern.compile("^\\./comm4j (.*)$", Pattern.MULTILINE);

    /** Those whose kernels communicate. */
    static final Pattern DEVICE = Pattern.compile(".*examples/(device-|nccl-device|jacobi-nvshmem).*");

    @TempDir
    private static Path folder;

    /** The command lines of all READMEs, but for those that make bindings, which have tests of their own. */
    private static List<String> commands() throws IOException {
        List<String> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT.resolve("examples"), 2)) {
            for (Path readme : files.filter(file -> file.endsWith("README.md"))
                    .filter(file -> !file.getParent().endsWith("examples"))
                    .sorted()
                    .toList()) {
                List<String> here = COMMAND.matcher(Files.readString(readme))
                        .results()
                        .map(each -> each.group(1))
                        .filter(words -> !words.startsWith("bind "))
                        .toList();
                assertThat(here).as("commands of " + readme).isNotEmpty();
                all.addAll(here);
            }
        }
        return all;
    }

    private static Outcome process(String words) throws IOException, InterruptedException {
        return Running.start(
                        Running.comm4j(List.of(), List.of(words.split(" "))).directory(ROOT.toFile()), folder)
                .end(Duration.ofMinutes(2));
    }

    private static void ran(Outcome outcome) {
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out()).isNotEmpty();
    }

    /** One that has generated declarations beside its source; FrontPageTest has one of several ranks. */
    @TestFactory
    Stream<DynamicTest> runAsTheirReadmeSays() throws IOException {
        Pattern always = Pattern.compile(".*KernelCurand\\.java");
        return commands().stream()
                .filter(words -> Nightly.isOn() || always.matcher(words).matches())
                .map(words -> DynamicTest.dynamicTest(words, () -> {
                    requireGpus(words);
                    ran(process(words));
                }));
    }

    /** Skips the test where the example needs GPUs, or an MPI library, that are not there. */
    private static void requireGpus(String words) {
        if (words.contains("--engine mpi")) {
            assumeTrue(!Mpiexec.all(System.getenv()).isEmpty(), "there is no launcher of an MPI library");
        }
        // Those whose kernels communicate run on the CPU, too.
        boolean anywhere = DEVICE.matcher(words).matches();
        boolean nccl = words.contains("nccl") && !anywhere;
        boolean nvshmem = words.contains("nvshmem") && !anywhere;
        if (nccl) {
            assumeTrue(Nccl.problem() == null, Nccl.problem());
        }
        if (nvshmem) {
            assumeTrue(Nvshmem.problem() == null, Nvshmem.problem());
        }
        if (nccl || nvshmem) {
            Matcher ranks = Pattern.compile("-n (\\d+)").matcher(words);
            int wanted = ranks.find() ? Integer.parseInt(ranks.group(1)) : 2;
            assumeTrue(Cuda.deviceCount() >= wanted, "the example needs " + wanted + " GPUs");
        }
    }

    @TestFactory
    Stream<DynamicTest> ofSeveralRanksRunOnTwo() throws IOException {
        return onTwoRanks(words -> !DEVICE.matcher(words).matches(), "ArrayFirst|NcclRing|ShmemHello");
    }

    /**
     * Examples of several ranks, of which there are two here; the launcher is this process. Each is a job, and what it
     * calls has tests of its own.
     *
     * @param always those that run for a change, too, without much to compute
     */
    static Stream<DynamicTest> onTwoRanks(Predicate<String> which, String always) throws IOException {
        Pattern file = Pattern.compile(".*/(" + always + ")\\.java");
        return commands().stream()
                .filter(which.and(words -> !words.contains("-n 1 ")))
                .filter(words -> Nightly.isOn() || file.matcher(words).matches())
                .map(words -> DynamicTest.dynamicTest(words, () -> {
                    requireGpus(words);
                    ran(Running.here(Stream.of(words.split(" "))
                            .map(word -> word.equals("4") ? "2" : word)
                            .map(word -> word.startsWith("examples/")
                                    ? ROOT.resolve(word).toString()
                                    : word)
                            .toList()));
                }));
    }

    /** In this process, compiled at once. */
    @TestFactory
    Stream<DynamicTest> ofOneRankRun() throws IOException {
        List<Document.Program> programs = new ArrayList<>();
        for (String words : commands()) {
            if (words.startsWith("run -n 1 examples/") && !words.contains("KernelCurand")) {
                Path source = ROOT.resolve(words.substring("run -n 1 ".length()));
                String name = source.getFileName().toString().replace(".java", "");
                programs.add(new Document.Program(name, Files.readString(source), ""));
            }
        }
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Document.compile(programs, classes);
        return programs.stream()
                .map(each -> DynamicTest.dynamicTest(each.name(), () -> {
                    try (URLClassLoader loader = new URLClassLoader(
                            new URL[] {classes.toUri().toURL()}, ExamplesTest.class.getClassLoader())) {
                        assertThat(each.run(loader)).isNotEmpty();
                    }
                }));
    }

    /** The one that also runs on processors is not among them. */
    @TestFactory
    Stream<DynamicTest> ofNcclSayWhatIsMissing() throws IOException {
        assumeTrue(Cuda.problem() != null, "there is a GPU");
        return commands().stream()
                .filter(words -> words.matches(".*examples/(nccl-(?!device)|jacobi-nccl).*"))
                .map(words -> DynamicTest.dynamicTest(words, () -> {
                    Outcome outcome = Running.here(List.of(words.split(" ")));
                    assertThat(outcome.err())
                            .startsWith("comm4j: engine nccl: no ")
                            .hasLineCount(1);
                    assertThat(outcome.code()).isEqualTo(1);
                }));
    }

    @Test
    void ofOpenShmemRunUnderOshrun() throws Exception {
        underOshrun(ROOT.resolve("examples/shmem-ring/ShmemRing.java"));
    }

    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> allOfOpenShmemRunUnderOshrun() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("examples"), 2)) {
            return files
                    .filter(file -> file.toString().matches(".*/shmem-\\w+/\\w+\\.java"))
                    .sorted()
                    .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> underOshrun(file)))
                    .toList()
                    .stream();
        }
    }

    /** The same source as elsewhere, over a real OpenSHMEM library. */
    private static void underOshrun(Path file) throws Exception {
        Outcome outcome = Running.oshrun(folder, 2, file.toString());
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("native: ");
    }
}
