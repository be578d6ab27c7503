// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Compiles Java into memory, for tests that write their own. */
public final class MemoryCompiler {
    private static final int TOLD = 5;

    private MemoryCompiler() {}

    /**
     * What became of sources.
     *
     * @param classes by their names; none if there are errors
     * @param wrong the names of sources with errors
     * @param errors the first of them; empty if there are none
     */
    public record Result(Map<String, byte[]> classes, Set<String> wrong, String errors) {
        /** Whether there are no errors. */
        public boolean succeeded() {
            return errors.isEmpty();
        }
    }

    /**
     * Compiles.
     *
     * @param sources by the names of their classes
     * @param path a class of each folder or jar that they need
     */
    public static Result compile(Map<String, String> sources, Class<?>... path) {
        DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, byte[]> classes = new HashMap<>();
        JavaFileManager files = new ForwardingJavaFileManager<>(compiler.getStandardFileManager(messages, null, null)) {
            @Override
            public JavaFileObject getJavaFileForOutput(
                    Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
                return new Compiled(name, classes);
            }
        };
        String classPath = Stream.of(path)
                .map(type -> Path.of(URI.create(type.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString()))
                        .toString())
                .collect(Collectors.joining(File.pathSeparator));
        List<Source> units = sources.entrySet().stream()
                .map(each -> new Source(each.getKey(), each.getValue()))
                .toList();
        List<String> options = List.of("-g", "-nowarn", "-proc:none", "-classpath", classPath);
        if (compiler.getTask(null, files, messages, options, null, units).call()) {
            return new Result(classes, Set.of(), "");
        }
        Set<String> wrong = new HashSet<>();
        StringBuilder errors = new StringBuilder();
        int told = 0;
        for (Diagnostic<? extends JavaFileObject> each : messages.getDiagnostics()) {
            if (each.getKind() == Diagnostic.Kind.ERROR) {
                if (each.getSource() instanceof Source source) {
                    wrong.add(source.type);
                }
                if (told++ < TOLD) {
                    errors.append(each).append('\n');
                }
            }
        }
        return new Result(Map.of(), wrong, errors.isEmpty() ? "javac failed without an error" : errors.toString());
    }

    private static final class Source extends SimpleJavaFileObject {
        final String type;
        private final String text;

        Source(String type, String text) {
            super(URI.create("string:///" + type.replace('.', '/') + ".java"), Kind.SOURCE);
            this.type = type;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Compiled extends SimpleJavaFileObject {
        private final String type;
        private final Map<String, byte[]> classes;

        Compiled(String type, Map<String, byte[]> classes) {
            super(URI.create("memory:///" + type.replace('.', '/') + ".class"), Kind.CLASS);
            this.type = type;
            this.classes = classes;
        }

        @Override
        public OutputStream openOutputStream() {
            return new ByteArrayOutputStream() {
                @Override
                public void close() {
                    classes.put(type, toByteArray());
                }
            };
        }
    }

    /** Has compiled classes, and their files. */
    public static final class Loader extends ClassLoader {
        private final Map<String, byte[]> classes;

        /** @param parent of the class that asks */
        public Loader(Map<String, byte[]> classes, ClassLoader parent) {
            super(parent);
            this.classes = classes;
        }

        /** By their names. */
        public Map<String, byte[]> classes() {
            return classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }

        @Override
        public @Nullable InputStream getResourceAsStream(String name) {
            byte[] bytes = classes.get(name.replace('/', '.').replaceFirst("\\.class$", ""));
            return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
        }
    }
}
