// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.test.MemoryCompiler;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process whose kernels are in the cache neither translates them nor loads NVIDIA's compilers, and notices when
 * anything has changed.
 */
class TranslationCacheTest {
    private static final String KERNELS = """
        package user;

        import org.comm4j.kernel.*;
        import org.comm4j.kernel.lang.*;

        public final class Kernels {
            static final int COMPUTED = Integer.parseInt("3");

            @Kernel
            static void run(@Constant int factor, I32Ptr out, F32View in) {
                out.set(0, Helper.twice(factor) + BODY + (int) in.get(0));
            }
        }
        """;
    private static final String HELPER = """
        package user;

        public final class Helper {
            public static int twice(int x) {
                return TIMES * x;
            }
        }
        """;

    @TempDir
    static Path made;

    private static Path packed;
    private static Path firstUser;
    private static Path firstHelper;

    @TempDir
    Path folder;

    private Path compiler;
    private Path user;
    private Path helper;
    /** Of the jars; now, if it is null. */
    private @Nullable FileTime date;

    private final List<String> options = new ArrayList<>();

    /** What a process said. */
    private record Said(String code, boolean translated, boolean compilers) {}

    @BeforeAll
    static void packCompiler() throws Exception {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        // Classes that lie in folders change one by one, so that nobody knows what they are.
        Path classes = Path.of("target/classes");
        assumeTrue(Files.isDirectory(classes), "this compiler's classes are not in " + classes.toAbsolutePath());
        Map<String, byte[]> all = new LinkedHashMap<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.put(classes.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        all.remove("module-info.class");
        packed = jar(made.resolve("compiler.jar"), all);
        packOnce();
    }

    private static Path jar(Path file, Map<String, byte[]> entries) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out)) {
            jar.setLevel(Deflater.NO_COMPRESSION);
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                jar.putNextEntry(new ZipEntry(entry.getKey()));
                jar.write(entry.getValue());
                jar.closeEntry();
            }
        }
        return file;
    }

    /** Two jars, one for each class, and older than processes that are begun then. */
    private void pack(String body, int times) throws Exception {
        MemoryCompiler.Result result = MemoryCompiler.compile(
                Map.of(
                        "user.Kernels",
                        KERNELS.replace("BODY", body),
                        "user.Helper",
                        HELPER.replace("TIMES", "" + times)),
                I32Ptr.class);
        assertThat(result.errors()).isEmpty();
        user = jar(
                folder.resolve("user.jar"),
                Map.of("user/Kernels.class", result.classes().get("user.Kernels")));
        helper = jar(
                folder.resolve("helper.jar"),
                Map.of("user/Helper.class", result.classes().get("user.Helper")));
        if (date != null) {
            Files.setLastModifiedTime(user, date);
            Files.setLastModifiedTime(helper, date);
        }
        Thread.sleep(Duration.ofMillis(50));
    }

    /** As the last step before all tests: processes that begin later know that these jars are older. */
    private static void packOnce() throws Exception {
        TranslationCacheTest first = new TranslationCacheTest();
        first.folder = made;
        first.pack("1", 2);
        firstUser = first.user;
        firstHelper = first.helper;
    }

    @BeforeEach
    void useFirst() {
        compiler = packed;
        user = firstUser;
        helper = firstHelper;
    }

    private Process start(Path... first) throws IOException {
        List<String> path =
                new ArrayList<>(Arrays.stream(first).map(Path::toString).toList());
        path.addAll(List.of(compiler.toString(), user.toString(), helper.toString()));
        String own = Path.of("target/classes").toAbsolutePath().toString();
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(each -> !Path.of(each).toAbsolutePath().toString().equals(own))
                .forEach(path::add);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xlog:class+load",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dorg.comm4j.kernel.cache=" + folder.resolve("cache")));
        command.addAll(options);
        command.addAll(List.of("-cp", String.join(File.pathSeparator, path), RememberedProgram.class.getName(), "7"));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String said(Process process) throws Exception {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(own(text)).isZero();
        return text;
    }

    /** What is not the JVM's. */
    private static String own(String text) {
        return text.lines().filter(line -> !line.contains("[class,load]")).collect(Collectors.joining("\n"));
    }

    private static Said end(Process process) throws Exception {
        String text = said(process);
        String code = text.lines()
                .filter(line -> line.startsWith("code "))
                .findFirst()
                .orElseThrow();
        return new Said(
                code, text.contains("org.comm4j.kernel.nvvm.NvvmEmitter "), text.contains("compilers loaded: true"));
    }

    private Said run(Path... first) throws Exception {
        return end(start(first));
    }

    @Test
    void theSecondProcessLoadsNothing() throws Exception {
        Said first = run();
        assertThat(first.translated()).isTrue();
        assertThat(first.compilers()).isTrue();
        Said second = run();
        assertThat(second.code()).isEqualTo(first.code());
        assertThat(second.translated()).isFalse();
        assertThat(second.compilers()).isFalse();
        compiler = Files.copy(compiler, folder.resolve("same.jar"));
        helper = Files.copy(helper, folder.resolve("other.jar"));
        Thread.sleep(Duration.ofMillis(50));
        assertThat(run()).as("equal jars in another place").isEqualTo(second);
    }

    @Test
    @Tag("nightly")
    void aChangedClassIsTranslatedAgain() throws Exception {
        pack("1", 2);
        Said first = run();
        pack("2", 2);
        Said second = run();
        assertThat(second.translated()).isTrue();
        assertThat(second.code()).isNotEqualTo(first.code());
        assertThat(run()).isEqualTo(new Said(second.code(), false, false));
    }

    /** Where packages are unpacked all have the same date, and another constant needs no more room. */
    @Test
    @Tag("nightly")
    void soIsOneOfTheSameSizeAndDate() throws Exception {
        date = FileTime.from(Instant.ofEpochSecond(1));
        pack("1", 2);
        long size = Files.size(user);
        Said first = run();
        pack("5", 2);
        assertThat(Files.size(user)).isEqualTo(size);
        Said second = run();
        assertThat(second.translated()).isTrue();
        assertThat(second.code()).isNotEqualTo(first.code());
        // Neither place nor date counts where the content is the same.
        date = FileTime.from(Instant.ofEpochSecond(2));
        pack("5", 2);
        assertThat(run()).isEqualTo(new Said(second.code(), false, false));
    }

    @Test
    @Tag("nightly")
    void soIsAChangedClassThatItCalls() throws Exception {
        Said first = run();
        pack("1", 5);
        Said second = run();
        assertThat(second.translated()).isTrue();
        assertThat(second.code()).isNotEqualTo(first.code());
    }

    /** The jars stay as they are. */
    @Test
    @Tag("nightly")
    void soIsAClassThatIsNowFoundElsewhere() throws Exception {
        pack("1", 5);
        Path other = Files.copy(helper, folder.resolve("other.jar"));
        pack("1", 2);
        Said first = run();
        Said second = run(other);
        assertThat(second.translated()).isTrue();
        assertThat(second.code()).isNotEqualTo(first.code());
        assertThat(run()).isEqualTo(new Said(first.code(), true, false));
    }

    /** A process that has begun before a jar was replaced has the classes of the one before. */
    @Test
    @Tag("nightly")
    void whatIsYoungerThanTheProcessIsNotRemembered() throws Exception {
        pack("1", 2);
        options.add("-Dwait=" + folder.resolve("go"));
        Process process = start();
        Thread.sleep(Duration.ofMillis(50));
        Path replaced = Files.copy(user, folder.resolve("replaced.jar"));
        Files.setLastModifiedTime(replaced, Files.getLastModifiedTime(user));
        Files.move(replaced, user, StandardCopyOption.REPLACE_EXISTING);
        Thread.sleep(Duration.ofMillis(50));
        Files.createFile(folder.resolve("go"));
        assertThat(end(process).translated()).isTrue();
        assertThat(run().translated()).isTrue();
        assertThat(run().translated()).isFalse();
    }

    /** It is final, but who says that it is the same in the next process? */
    @Test
    @Tag("nightly")
    void whatReadsFieldsIsNotRemembered() throws Exception {
        pack("COMPUTED", 2);
        assertThat(run().translated()).isTrue();
        Said second = run();
        assertThat(second.translated()).isTrue();
        assertThat(second.compilers()).isFalse();
    }

    @Test
    void anotherLinkerLinksAgain() throws Exception {
        Path library;
        try (Stream<Path> all = Files.walk(Natives.folder("nvidia-nvjitlink"))) {
            library = all.filter(file -> file.getFileName().toString().startsWith("libnvJitLink.so"))
                    .findFirst()
                    .orElseThrow();
        }
        Path copy = Files.copy(library, folder.resolve(library.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        options.add("-Dorg.comm4j.nvjitlink.library=" + copy);
        assertThat(run().compilers()).isTrue();
        Files.setLastModifiedTime(copy, FileTime.from(Instant.now().minusSeconds(100)));
        assertThat(run().compilers()).isTrue();
        assertThat(run().compilers()).isFalse();
    }

    /** What lies in the cache, with its date. */
    private Map<Path, String> cached() throws IOException {
        Map<Path, String> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder.resolve("cache"))) {
            for (Path file : files.toList()) {
                byte[] content = Files.isDirectory(file) ? new byte[0] : Files.readAllBytes(file);
                all.put(file, Files.getLastModifiedTime(file) + " " + Arrays.hashCode(content));
            }
        }
        return all;
    }

    /** Without a cache and with one; by night also with one that is damaged, and that others can write to. */
    @Test
    void aRehearsalLeavesNoTrace() throws Exception {
        options.add("-Drehearse=only");
        assertThat(own(said(start()))).isEqualTo("rehearsed, compilers loaded: false");
        assertThat(folder.resolve("cache")).doesNotExist();
        options.clear();
        Said first = run();
        options.add("-Drehearse=only");
        Map<Path, String> before = cached();
        assertThat(own(said(start()))).isEqualTo("rehearsed, compilers loaded: false");
        assertThat(cached()).isEqualTo(before);
        assertThat(first.compilers()).isTrue();
        if (!Nightly.isOn()) {
            return;
        }
        for (Path file : before.keySet()) {
            if (Files.isRegularFile(file)) {
                Files.write(file, new byte[] {1, 2, 3});
            }
        }
        before = cached();
        assertThat(own(said(start()))).isEqualTo("rehearsed, compilers loaded: false");
        assertThat(cached()).isEqualTo(before);
        Files.setPosixFilePermissions(folder.resolve("cache"), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(own(said(start()))).isEqualTo("rehearsed, compilers loaded: false");
    }

    @Test
    void aProcessThatEndsDoesNotWaitForARehearsal() throws Exception {
        options.add("-Drehearse=begin");
        assertThat(own(said(start()))).isEmpty();
    }

    @Test
    void afterARehearsalAKernelLoadsHardlyAnyClass() throws Exception {
        Said first = run();
        options.add("-Drehearse=first");
        String text = said(start());
        assertThat(text).contains(first.code(), "\ncompilers loaded: false");
        List<String> loaded = text.substring(text.indexOf("rehearsed,"), text.indexOf("\ncode "))
                .lines()
                .filter(line -> line.contains("org.comm4j.kernel.") && !line.contains("RememberedProgram"))
                .filter(line -> !line.contains("Lambda"))
                .toList();
        // Its own, and those of its parameters.
        assertThat(loaded).as(String.join("\n", loaded)).hasSizeLessThan(6);
    }

    @Test
    @Tag("nightly")
    void processesShareACache() throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            processes.add(start());
        }
        List<String> codes = new ArrayList<>();
        for (Process process : processes) {
            codes.add(end(process).code());
        }
        assertThat(codes.stream().distinct()).hasSize(1);
        assertThat(run()).isEqualTo(new Said(codes.getFirst(), false, false));
    }
}
