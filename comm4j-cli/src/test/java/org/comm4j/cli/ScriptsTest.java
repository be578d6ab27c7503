// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code ./mvnw} and {@code ./comm4j} as users meet them. They run in a project folder, a home and a PATH made for each
 * test, with JDKs and Mavens that are shell scripts and say how they were called.
 */
class ScriptsTest {
    /** Everything the scripts may call. No java or mvn of this machine is among them. */
    private static final List<String> TOOLS = List.of(
            "bash",
            "cat",
            "cp",
            "cut",
            "date",
            "dirname",
            "env",
            "find",
            "flock",
            "ln",
            "gzip",
            "kill",
            "mkdir",
            "mktemp",
            "mv",
            "nice",
            "readlink",
            "rm",
            "sha512sum",
            "shasum",
            "sleep",
            "tar",
            "touch");

    @TempDir
    private Path temp;

    private Path project;
    private Path bin;
    private Path jdks;
    private final Map<String, String> env = new HashMap<>();

    @BeforeEach
    void setUp() throws IOException {
        temp = temp.toRealPath();
        project = Files.createDirectories(temp.resolve("a project"));
        bin = Files.createDirectories(temp.resolve("bin"));
        jdks = Files.createDirectories(temp.resolve("jdks"));
        for (String tool : TOOLS) {
            for (String folder : List.of("/bin", "/usr/bin", "/opt/homebrew/bin", "/usr/local/bin")) {
                if (Files.isExecutable(Path.of(folder, tool))) {
                    Files.writeString(bin.resolve(tool), "#!/bin/sh\nexec " + folder + "/" + tool + " \"$@\"\n");
                    assertThat(bin.resolve(tool).toFile().setExecutable(true)).isTrue();
                    break;
                }
            }
        }
        Files.createDirectories(project.resolve("dev"));
        for (String script : List.of("mvnw", "comm4j", "dev/jdk.sh")) {
            Files.copy(repository().resolve(script), project.resolve(script));
        }
        env.put("PATH", bin.toString());
        env.put("HOME", Files.createDirectories(temp.resolve("home")).toString());
        env.put("COMM4J_JDK_PATH", jdks.toString());
    }

    private static Path repository() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
            assertThat(folder).as("a folder above with mvnw").isNotNull();
        }
        return folder;
    }

    @Nested
    class FindingTheJdk {
        @Test
        void theNewestSuitableOneIsTaken() throws Exception {
            jdk("old", "17.0.1");
            jdk("twenty-five", "25");
            Path newest = jdk("twenty-five-again", "25.0.10");
            jdk("twenty-five-third", "25.0.9");
            assertThat(foundJdk()).isEqualTo(newest);
        }

        @Test
        void aSuitableJavaHomeComesFirst() throws Exception {
            jdk("newer", "26.0.1");
            Path mine = jdk("mine", "25.0.1");
            env.put("JAVA_HOME", mine.toString());
            assertThat(foundJdk()).isEqualTo(mine);
        }

        @Test
        void aJavaHomeThatIsTooOldIsPassedOver() throws Exception {
            Path suitable = jdk("suitable", "25.0.1");
            env.put("JAVA_HOME", jdk("mine", "21.0.2").toString());
            assertThat(foundJdk()).isEqualTo(suitable);
        }

        @Test
        void theJavaOnThePathComesBeforeTheUsualFolders() throws Exception {
            jdk("newer", "26.0.1");
            Path onPath = jdk("on-path", "25.0.1");
            Files.createSymbolicLink(bin.resolve("java"), onPath.resolve("bin/java"));
            assertThat(foundJdk()).isEqualTo(onPath);
        }

        @Test
        void aRuntimeWithoutACompilerIsNoJdk() throws Exception {
            Files.delete(jdk("runtime", "26").resolve("bin/javac"));
            Path suitable = jdk("suitable", "25.0.1");
            assertThat(foundJdk()).isEqualTo(suitable);
        }

        @Test
        void theHomeOfAMacJdkIsFound() throws Exception {
            Path home = jdk("mac.jdk/Contents/Home", "25.0.1");
            assertThat(foundJdk()).isEqualTo(home);
        }

        @Test
        void noneIsOneLineThatSaysWhereItWasLookedFor() throws Exception {
            jdk("old", "24.0.2");
            env.put("JAVA_HOME", "/no/such/jdk");
            for (String script : List.of("mvnw", "comm4j")) {
                Result result = run(script, "--version");
                assertThat(result.exit()).isEqualTo(1);
                assertThat(result.lines())
                        .singleElement()
                        .asString()
                        .contains("no JDK 25 or newer", "/no/such/jdk", "PATH", jdks.toString());
            }
        }

        private Path foundJdk() throws Exception {
            Result result = run("-c", ". dev/jdk.sh; find_jdk; echo \"$JAVA_HOME\"");
            assertThat(result.exit()).as(result.output()).isZero();
            return Path.of(result.output().strip());
        }
    }

    @Nested
    class TheLocale {
        @ParameterizedTest
        @ValueSource(strings = {"", "LC_ALL=C", "LANG=POSIX", "LC_CTYPE=C LANG=de_DE.UTF-8"})
        void itIsThatOfUtf8WhereJavaWouldHaveAsciiOnly(String variables) throws Exception {
            set(variables);
            assertThat(localeOfJava()).isEqualTo("C.UTF-8");
        }

        @ParameterizedTest
        @ValueSource(strings = {"LANG=de_DE.UTF-8", "LC_CTYPE=C.UTF-8 LANG=C", "LC_ALL=en_US.UTF-8 LANG=C"})
        void anotherOneIsLeftAlone(String variables) throws Exception {
            set(variables);
            assertThat(localeOfJava()).isEqualTo(env.getOrDefault("LC_ALL", ""));
        }

        private void set(String variables) {
            Stream.of(variables.split(" "))
                    .filter(each -> !each.isEmpty())
                    .map(each -> each.split("="))
                    .forEach(each -> env.put(each[0], each[1]));
        }

        private String localeOfJava() throws Exception {
            return run("-c", ". dev/jdk.sh; env").lines().stream()
                    .filter(line -> line.startsWith("LC_ALL="))
                    .map(line -> line.substring("LC_ALL=".length()))
                    .findFirst()
                    .orElse("");
        }
    }

    @Nested
    class FetchingMaven {
        @BeforeEach
        void aJdk() throws IOException {
            jdk("jdk", "25.0.1");
        }

        @Test
        void withoutAnyMavenOneLineNamesThePackage() throws Exception {
            Result result = run("mvnw", "verify");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.lines()).singleElement().asString().contains("package is called maven");
        }

        @Test
        void aMavenThatIsTooOldIsRefused() throws Exception {
            machineMaven("3.6.3", "exit 9");
            Result result = run("mvnw", "verify");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.lines()).singleElement().asString().contains("3.6.3", "too old");
        }

        @Test
        void itIsFetchedOnceThenRunOnTheJdk() throws Exception {
            pinArchive();
            machineMaven(
                    "3.8.7",
                    "echo fetch >>\"$HOME/calls\"; cp \"$HOME/archive\" \"$out/apache-maven-3.9.11-bin.tar.gz\"");
            Result first = run("mvnw", "-B", "verify");
            assertThat(first.exit()).as(first.output()).isZero();
            assertThat(first.output()).contains("pinned maven on " + jdks.resolve("jdk"), "<-B>", "<verify>");
            Files.delete(bin.resolve("mvn"));
            assertThat(run("mvnw", "verify").output()).startsWith("pinned maven on");
            assertThat(calls()).isEqualTo(1);
            assertThat(cached()).containsExactly("apache-maven-3.9.11");
        }

        @Test
        void twoFirstRunsAtOnceBothSucceed() throws Exception {
            pinArchive();
            machineMaven("3.8.7", "sleep 0.3; cp \"$HOME/archive\" \"$out/apache-maven-3.9.11-bin.tar.gz\"");
            Process one = start("mvnw", "one");
            Process two = start("mvnw", "two");
            assertThat(finish(one).output()).contains("<one>");
            assertThat(finish(two).output()).contains("<two>");
            assertThat(cached()).containsExactly("apache-maven-3.9.11");
        }

        @Test
        void anotherArchiveThanThePinnedOneIsRefused() throws Exception {
            machineMaven("3.8.7", "echo tampered >\"$out/apache-maven-3.9.11-bin.tar.gz\"");
            Result result = run("mvnw", "verify");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.output()).contains("not the expected one");
            assertThat(cached()).isEmpty();
        }

        @Test
        void whatMavenSaysAboutAFailedFetchIsShown() throws Exception {
            machineMaven("3.8.7", "echo no route to anywhere; exit 1");
            Result result = run("mvnw", "verify");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.output())
                    .contains("no route to anywhere", "org.apache.maven:apache-maven:3.9.11:tar.gz:bin");
            assertThat(cached()).isEmpty();
        }

        @Test
        void theCallersSettingsHoldForFetchingToo() throws Exception {
            pinArchive();
            Files.writeString(project.resolve("mine.xml"), "<settings/>");
            machineMaven(
                    "3.8.7",
                    "echo \"$*\" >\"$HOME/options\"; cp \"$HOME/archive\" \"$out/apache-maven-3.9.11-bin.tar.gz\"");
            assertThat(run("mvnw", "-s", "mine.xml", "-Dmaven.repo.local=/r", "verify")
                            .exit())
                    .isZero();
            assertThat(temp.resolve("home/options"))
                    .content()
                    .contains("-s " + project.resolve("mine.xml"), "-Dmaven.repo.local=/r")
                    .doesNotContain("verify");
        }

        /** A stand-in for the Maven archive, and a copy of the script that expects it. */
        private void pinArchive() throws Exception {
            Path folder = Files.createDirectories(temp.resolve("made/apache-maven-3.9.11/bin"));
            script(folder.resolve("mvn"), "echo \"pinned maven on $JAVA_HOME\"; printf '<%s>' \"$@\"; echo");
            Path archive = temp.resolve("home/archive");
            Process tar = new ProcessBuilder(
                            "tar",
                            "-czf",
                            archive.toString(),
                            "-C",
                            temp.resolve("made").toString(),
                            ".")
                    .start();
            assertThat(tar.waitFor()).isZero();
            Path mvnw = project.resolve("mvnw");
            Files.writeString(
                    mvnw, Files.readString(mvnw).replaceFirst("sha512=[0-9a-f]{128}", "sha512=" + sha512(archive)));
        }

        private void machineMaven(String version, String fetch) throws IOException {
            script(bin.resolve("mvn"), """
                    if [[ $1 == --version ]]; then echo "Apache Maven %s (x)"; exit; fi
                    for word; do [[ $word == -DoutputDirectory=* ]] && out=${word#*=}; done
                    %s
                    """.formatted(version, fetch));
        }

        private List<String> cached() throws IOException {
            try (Stream<Path> files = Files.list(temp.resolve("home/.cache/comm4j/maven"))) {
                return files.map(f -> f.getFileName().toString()).toList();
            }
        }
    }

    @Nested
    class TheCommand {
        private Path source;

        @BeforeEach
        void aProject() throws IOException {
            jdk("jdk", "25.0.1");
            source = project.resolve("comm4j-core/src/main/java/A.java");
            Files.createDirectories(source.getParent());
            Files.createDirectories(project.resolve("comm4j-cli/src/main/java"));
            Files.createDirectories(project.resolve(".mvn"));
            Files.writeString(source, "class A {}");
            for (String pom : List.of("pom.xml", "comm4j-core/pom.xml", "comm4j-cli/pom.xml")) {
                Files.writeString(project.resolve(pom), "<project/>");
            }
            script(project.resolve("mvnw"), """
                    echo build >>"$HOME/calls"
                    sleep 0.2
                    if [[ -e "$HOME/broken" ]]; then echo A.java is wrong; exit 1; fi
                    mkdir -p comm4j-cli/target/quick/lib
                    echo x >comm4j-cli/target/quick/lib/core.jar
                    """);
        }

        @Test
        void itBuildsOnceAndThenStartsAtOnce() throws Exception {
            Result first = run("comm4j", "jacobi", "-n", "2 x");
            assertThat(first.exit()).as(first.output()).isZero();
            assertThat(first.lines().get(0)).startsWith("comm4j: building");
            assertThat(first.output()).contains("<jacobi><-n><2 x>", "<-Dcomm4j.home=" + project + ">");
            assertThat(run("comm4j", "jacobi").output()).doesNotContain("building");
            assertThat(calls()).isEqualTo(1);
        }

        @Test
        void itRebuildsWhenASourceIsChangedAddedRenamedOrDeleted() throws Exception {
            run("comm4j");
            Files.writeString(source, "class A { }");
            run("comm4j");
            assertThat(calls()).as("changed").isEqualTo(2);
            Path added = Files.writeString(source.resolveSibling("B.java"), "class B {}");
            run("comm4j");
            assertThat(calls()).as("added").isEqualTo(3);
            Path renamed = Files.move(added, source.resolveSibling("C.java"));
            run("comm4j");
            assertThat(calls()).as("renamed").isEqualTo(4);
            Files.delete(renamed);
            run("comm4j");
            assertThat(calls()).as("deleted").isEqualTo(5);
            Files.writeString(project.resolve("comm4j-core/pom.xml"), "<project></project>");
            run("comm4j");
            assertThat(calls()).as("pom").isEqualTo(6);
            run("comm4j");
            assertThat(calls()).as("nothing").isEqualTo(6);
        }

        @Test
        void aBrokenBuildIsShownAndTriedAgain() throws Exception {
            Path broken = Files.writeString(temp.resolve("home/broken"), "");
            Result result = run("comm4j");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.output()).contains("A.java is wrong", "the build failed");
            Files.delete(broken);
            assertThat(run("comm4j").exit()).isZero();
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void twoFirstCallsAtOnceBuildOnce(boolean flock) throws Exception {
            if (!flock) {
                Files.deleteIfExists(bin.resolve("flock"));
            }
            Process one = start("comm4j", "one");
            Process two = start("comm4j", "two");
            assertThat(finish(one).output()).contains("<one>");
            assertThat(finish(two).output()).contains("<two>");
            assertThat(calls()).isEqualTo(1);
        }

        /** A program that runs while its successor is built keeps its own jars. */
        @Test
        void anEarlierBuildsJarsStayForThoseWhoRunThem() throws Exception {
            String first = modulePath(run("comm4j"));
            Files.writeString(source, "class A { }");
            assertThat(modulePath(run("comm4j"))).isNotEqualTo(first);
            assertThat(Path.of(first, "core.jar")).exists();
        }

        @Test
        void itRunsFromAnotherFolderAndThroughASymbolicLink() throws Exception {
            Path link = Files.createSymbolicLink(temp.resolve("home/c4j"), Path.of("../a project/comm4j"));
            ProcessBuilder builder = builder(link.toString(), "doctor").directory(temp.toFile());
            assertThat(finish(builder.start()).output()).contains("<-Dcomm4j.home=" + project + ">", "<doctor>");
        }

        /** So that signals to the command reach Java. */
        @Test
        void itBecomesTheJavaProcess() throws Exception {
            run("comm4j");
            Process process = start("comm4j");
            assertThat(finish(process).output()).contains("java is process " + process.pid());
        }

        /** Its job is over before, and nobody who reads its output waits for more. */
        @Test
        @Timeout(60)
        void whenTheFirstRunHasEndedTheArchiveOfClassesIsWritten() throws Exception {
            assumeTrue(Files.exists(bin.resolve("flock")), "no flock");
            Path bin = jdks.resolve("jdk/bin");
            script(bin.resolve("javac"), "exit");
            script(bin.resolve("jar"), "exit");
            script(bin.resolve("java"), """
                    for word; do
                        if [[ $word == --jvm=-XX:AOTCacheOutput=* ]]; then
                            for ((i = 0; i < 1000; i++)); do [[ ! -e "$HOME/read" ]] || break; sleep 0.01; done
                            echo classes >"${word#*=*=}"
                            exit
                        fi
                    done
                    printf '<%s>' "$1" "$2"
                    """);
            Result first = run("comm4j", "run", "A.java");
            assertThat(first.exit()).as(first.output()).isZero();
            Path archive = Path.of(modulePath(first), "classes.aot");
            assertThat(archive).doesNotExist();
            Files.createFile(temp.resolve("home/read"));
            Path training = project.resolve("target/comm4j/training");
            while (!Files.exists(archive) || Files.exists(training)) {
                Thread.sleep(10);
            }
            assertThat(archive).hasContent("classes");
        }

        @Test
        void jvmOptionsComeFromTheEnvironment() throws Exception {
            env.put("COMM4J_JAVA_OPTS", "-Xmx1g -Da=b");
            assertThat(run("comm4j", "run").output()).contains("<-Xmx1g><-Da=b>");
        }

        @Test
        void installPutsTheModulesOfTheBomIntoTheLocalRepository() throws Exception {
            Files.createDirectories(project.resolve("comm4j-bom"));
            Files.writeString(project.resolve("comm4j-bom/pom.xml"), """
                    <artifactId>comm4j-bom</artifactId>
                      <artifactId>comm4j-core</artifactId>
                      <artifactId>comm4j-host</artifactId>
                    """);
            script(project.resolve("mvnw"), "printf '<%s>' \"$@\"; echo");
            Result result = run("comm4j", "install", "-Dmaven.repo.local=/a b");
            assertThat(result.exit()).as(result.output()).isZero();
            assertThat(result.output())
                    .contains(
                            "<-Pquick><install><-pl><.,comm4j-bom,comm4j-core,comm4j-host><-am><-Dmaven.repo.local=/a b>")
                    .contains("installed comm4j-bom,comm4j-core,comm4j-host");
            script(project.resolve("mvnw"), "exit 3");
            assertThat(run("comm4j", "install").exit()).isEqualTo(3);
        }

        private static String modulePath(Result result) {
            String output = result.output();
            int at = output.indexOf("<--module-path><") + "<--module-path><".length();
            return output.substring(at, output.indexOf('>', at));
        }
    }

    /** A JDK as far as its release file and its tools' names go; its java says how it was called. */
    private Path jdk(String name, String version) throws IOException {
        Path home = jdks.resolve(name);
        Files.createDirectories(home.resolve("bin"));
        script(home.resolve("bin/java"), "echo \"java is process $$\"; printf '<%s>' \"$@\"; echo");
        script(home.resolve("bin/javac"), "exit 1");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Test\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private static void script(Path file, String body) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static String sha512(Path file) throws IOException, NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(Files.readAllBytes(file)));
    }

    /** How often the stand-ins for Maven were called. */
    private long calls() throws IOException {
        try (Stream<String> lines = Files.lines(temp.resolve("home/calls"))) {
            return lines.count();
        }
    }

    private ProcessBuilder builder(String... command) {
        List<String> words = new ArrayList<>(List.of(bin.resolve("bash").toString()));
        words.addAll(Arrays.asList(command));
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(project.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(env);
        return builder;
    }

    private Process start(String... command) throws IOException {
        return builder(command).start();
    }

    private Result run(String... command) throws IOException, InterruptedException {
        return finish(start(command));
    }

    private static Result finish(Process process) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(30, SECONDS)).isTrue();
        return new Result(process.exitValue(), output);
    }

    private record Result(int exit, String output) {
        List<String> lines() {
            return output.lines().toList();
        }
    }
}
