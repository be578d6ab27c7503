// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs of {@code docs/kernels.md} and of the README. A block {@code java} is a class with a {@code main}; the block {@code imports} is what all of them
 * begin with; a block {@code output} is what the program before it prints.
 */
@Timeout(300)
class DocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/kernels.md");
    private static final Path README = Path.of("../README.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(java|imports|output)\\n(.*?)^```$");
    private static final Pattern NAME = Pattern.compile("(?m)^class (\\w+)");

    private record Program(String name, String source, String output) {}

    @TempDir
    Path folder;

    private static List<Program> programs() throws IOException {
        List<Program> programs = new ArrayList<>();
        String imports = "";
        Matcher block = BLOCK.matcher(Files.readString(DOCUMENT));
        while (block.find()) {
            String text = block.group(2);
            switch (block.group(1)) {
                case "imports" -> imports = text;
                case "java" -> {
                    Matcher name = NAME.matcher(text);
                    assertThat(name.find()).as("a class in %s", text).isTrue();
                    programs.add(new Program(name.group(1), imports + "\n" + text, ""));
                }
                default -> {
                    Program before = programs.removeLast();
                    assertThat(before.output())
                            .as("outputs of %s", before.name())
                            .isEmpty();
                    programs.add(new Program(before.name(), before.source(), text));
                }
            }
        }
        return programs;
    }

    private void compile(List<Program> programs) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Program program : programs) {
            files.add(Files.writeString(folder.resolve(program.name() + ".java"), program.source()));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (var manager = compiler.getStandardFileManager(null, null, UTF_8)) {
            boolean fine = compiler.getTask(
                            messages,
                            manager,
                            null,
                            List.of("-g", "-cp", System.getProperty("java.class.path"), "-d", folder.toString()),
                            null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertThat(fine).as(messages.toString()).isTrue();
        }
    }

    @SuppressWarnings("SystemOut") // where programs print
    private static String run(ClassLoader loader, Program program) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, UTF_8));
        try {
            Class<?> type = loader.loadClass(program.name());
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            Method main = type.getDeclaredMethod("main");
            main.setAccessible(true);
            main.invoke(constructor.newInstance());
        } catch (InvocationTargetException e) {
            throw new AssertionError(program.name() + " failed", e.getCause());
        } finally {
            System.setOut(before);
        }
        return printed.toString(UTF_8);
    }

    @Test
    void programsPrintWhatTheTextSays() throws Exception {
        assumeTrue(System.getProperty("org.comm4j.cuda.library", "").isEmpty(), "a stub runs no kernels");
        List<Program> programs = programs();
        assertThat(programs).hasSizeGreaterThan(10);
        compile(programs);
        List<Program> ran = new ArrayList<>();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            loader.setDefaultAssertionStatus(true);
            for (Program program : programs) {
                ran.add(new Program(program.name(), program.source(), run(loader, program)));
            }
        }
        assertThat(ran).isEqualTo(programs);
    }

    /** The README's kernel is the first of the document. */
    @Test
    void theReadmeHasTheFirstKernel() throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(DOCUMENT));
        String first = Stream.iterate(block, Matcher::find, each -> each)
                .filter(each -> each.group(1).equals("java"))
                .map(each -> each.group(2))
                .findFirst()
                .orElseThrow();
        assertThat(Files.readString(README)).contains(first);
    }
}
