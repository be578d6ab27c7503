// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.comm4j.core.CommException;
import org.jspecify.annotations.Nullable;

/**
 * A program that is one source file, compiled once for all ranks. (The JDK's own source launcher would compile it in
 * each, which on few cores takes several times as long.) As there, the file may be a compact source file, other files
 * beside it are found, and the first class is the one that runs. What is no source, too, is found beside it: resources.
 */
final class SourceProgram {
    private static final Pattern PACKAGE = Pattern.compile("^\\s*package\\s+([\\w.]+)\\s*;", Pattern.MULTILINE);

    private final Path classes;
    private final Path root;
    private final String mainClass;

    private SourceProgram(Path classes, Path root, String mainClass) {
        this.classes = classes;
        this.root = root;
        this.mainClass = mainClass;
    }

    /**
     * Compiles.
     *
     * @param classes the folder to compile to
     * @param options what javac needs to know besides
     * @param messages receives javac's messages as they are
     * @return null if javac found errors
     */
    static @Nullable SourceProgram compile(Path file, Path classes, List<String> options, PrintWriter messages) {
        ToolProvider javac = ToolProvider.findFirst("javac")
                .orElseThrow(() -> new CommException("this Java runtime cannot compile " + file
                        + ": it has no jdk.compiler module; run comm4j on a JDK"));
        try {
            List<String> arguments = new ArrayList<>(options);
            // Implicitly found files get their classes too; annotation processors are not run, as in the source
            // launcher.
            arguments.addAll(List.of("-d", classes.toString(), "-proc:none", "-implicit:class", "-g"));
            Path root = root(file);
            arguments.addAll(List.of("-sourcepath", root.toString(), file.toString()));
            boolean compiled = javac.run(messages, messages, arguments.toArray(String[]::new)) == 0;
            messages.flush();
            return compiled ? new SourceProgram(classes, root, mainClass(classes, file)) : null;
        } catch (IOException e) {
            throw new CommException("cannot compile " + file + ": " + e, e);
        }
    }

    /** Where the packages of the file's neighbours begin. */
    private static Path root(Path file) throws IOException {
        Path folder = file.toAbsolutePath().resolveSibling("");
        Matcher matcher = PACKAGE.matcher(Files.readString(file));
        if (matcher.find()) {
            Path packages = Path.of(matcher.group(1).replace('.', '/'));
            if (folder.endsWith(packages)) {
                return folder.resolve("../".repeat(packages.getNameCount())).normalize();
            }
        }
        return folder;
    }

    /** The first class of the file, by its place in the source; one that has a main method of its own is preferred. */
    private static String mainClass(Path classes, Path file) throws IOException {
        String simple = file.getFileName().toString().replaceFirst("\\.java$", "");
        try (Stream<Path> found = Files.walk(classes)) {
            List<Path> files =
                    found.filter(f -> f.toString().endsWith(".class")).toList();
            if (files.size() == 1) {
                return name(classes.relativize(files.getFirst()));
            }
            return files.stream()
                    .map(SourceProgram::parse)
                    .filter(c -> c.findAttribute(Attributes.nestHost()).isEmpty())
                    .filter(c -> c.findAttribute(Attributes.sourceFile())
                            .map(s -> s.sourceFile()
                                    .equalsString(file.getFileName().toString()))
                            .orElse(true))
                    .min(Comparator.<ClassModel, Boolean>comparing(c -> !hasMain(c))
                            .thenComparingInt(SourceProgram::firstLine))
                    .map(c -> c.thisClass().asInternalName().replace('/', '.'))
                    .orElse(simple);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static String name(Path classFile) {
        return classFile
                .toString()
                .replaceFirst("\\.class$", "")
                .replace('/', '.')
                .replace('\\', '.');
    }

    private static ClassModel parse(Path file) {
        try {
            return ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean hasMain(ClassModel type) {
        return type.methods().stream()
                .anyMatch(m -> m.methodName().equalsString("main")
                        && (m.methodType().equalsString("([Ljava/lang/String;)V")
                                || m.methodType().equalsString("()V")));
    }

    /** Every class has at least a constructor, whose line is the class's unless it is written out. */
    private static int firstLine(ClassModel type) {
        return type.methods().stream()
                .map(MethodModel::code)
                .flatMap(code -> code.stream())
                .flatMap(code -> code.findAttribute(Attributes.lineNumberTable()).stream())
                .flatMapToInt(table -> table.lineNumbers().stream().mapToInt(l -> l.lineNumber()))
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    /** Where its classes are, and then its resources. */
    String classPath() {
        return classes + File.pathSeparator + root;
    }

    /** The class to run. */
    String mainClass() {
        return mainClass;
    }
}
