// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The programs of a document. A block {@code java} is a class with a {@code main}, or a {@code main} alone, below the
 * name of its file ({@code Name.java} in backticks). The block {@code imports} is what all after it begin with; a block
 * {@code output} is what the program before it prints. Other blocks, such as {@code java excerpt}, are no programs.
 */
public final class Document {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(java|imports|output)\\n(.*?)^```$");
    private static final Pattern NAME = Pattern.compile("(?m)^(?:final )?class (\\w+)");
    private static final Pattern FILE = Pattern.compile("`(\\w+)\\.java`");

    /**
     * How kernels run on the CPU where a program does not say it. In tests they are checked, but a program of a
     * document is none.
     */
    private static final String KERNELS = "org.comm4j.kernel.cpu";

    /**
     * A program.
     *
     * @param name of its class
     * @param source with the imports
     * @param output what it prints; empty if the document does not say
     */
    public record Program(String name, String source, String output) {
        /**
         * Runs the compiled program in this process.
         *
         * @return what it prints
         * @throws AssertionError if it fails, by the cause
         */
        @SuppressWarnings("SystemOut") // where programs print
        public String run(ClassLoader loader) throws ReflectiveOperationException {
            PrintStream before = System.out;
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            System.setOut(new PrintStream(printed, true, UTF_8));
            System.setProperty(KERNELS, "fast");
            try {
                Class<?> type = loader.loadClass(name);
                Constructor<?> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                Method main = Stream.of(type.getDeclaredMethods())
                        .filter(each -> each.getName().equals("main"))
                        .findFirst()
                        .orElseThrow(() -> new NoSuchMethodException(name + " has no main"));
                main.setAccessible(true);
                Object[] arguments = main.getParameterCount() == 0 ? new Object[0] : new Object[] {new String[0]};
                main.invoke(constructor.newInstance(), arguments);
            } catch (InvocationTargetException e) {
                throw new AssertionError(name + " failed", e.getCause());
            } finally {
                System.setOut(before);
                System.clearProperty(KERNELS);
            }
            return printed.toString(UTF_8);
        }
    }

    private Document() {}

    /** All programs of a document, in its order. */
    public static List<Program> programs(Path document) throws IOException {
        List<Program> programs = new ArrayList<>();
        String imports = "";
        String whole = Files.readString(document);
        Matcher block = BLOCK.matcher(whole);
        while (block.find()) {
            String text = block.group(2);
            switch (block.group(1)) {
                case "imports" -> imports = text;
                case "java" -> {
                    String name = name(whole.substring(0, block.start()), text);
                    if (name.isEmpty()) {
                        throw new IllegalStateException(document + " has a block without a class or a file: " + text);
                    }
                    programs.add(new Program(name, imports.isEmpty() ? text : imports + "\n" + text, ""));
                }
                default -> {
                    Program before = programs.removeLast();
                    if (!before.output.isEmpty()) {
                        throw new IllegalStateException(document + " has two outputs of " + before.name);
                    }
                    programs.add(new Program(before.name, before.source, text));
                }
            }
        }
        return programs;
    }

    /** The name of a program's class: its own, else that of the file that was named last; empty if there is neither. */
    private static String name(String before, String program) {
        Matcher own = NAME.matcher(program);
        if (own.find()) {
            return own.group(1);
        }
        return FILE.matcher(before)
                .results()
                .map(each -> each.group(1))
                .reduce((_, last) -> last)
                .orElse("");
    }

    /** Compiles programs with the class path of this process. */
    public static void compile(List<Program> programs, Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Program program : programs) {
            files.add(Files.writeString(folder.resolve(program.name + ".java"), program.source));
        }
        Javac.compile(files, folder);
    }

    /** Apart, so that a Java runtime without a compiler can still read documents. */
    private static final class Javac {
        static void compile(List<Path> files, Path folder) throws IOException {
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            StringWriter messages = new StringWriter();
            try (var manager = compiler.getStandardFileManager(null, null, UTF_8)) {
                List<String> options =
                        List.of("-g", "-cp", System.getProperty("java.class.path"), "-d", folder.toString());
                if (!compiler.getTask(
                                messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                        .call()) {
                    throw new IllegalStateException(messages.toString());
                }
            }
        }
    }
}
