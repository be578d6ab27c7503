// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.I32Ptr;
import org.jspecify.annotations.Nullable;

/** Compiles {@link RandomKernel}s into memory; or into a jar, for {@link RandomPacked}. */
final class RandomJavac {
    private static int made;

    private RandomJavac() {}

    /**
     * Writes a jar.
     *
     * @param args its path, and how many kernels
     */
    public static void main(String[] args) throws IOException {
        pack(Path.of(args[0]), Integer.parseInt(args[1]));
    }

    static void pack(Path jar, int count) throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (int i = 0; i < count; i++) {
            sources.put(RandomPacked.CLASS + i, RandomKernels.draw(i).source("Communicating" + i));
        }
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, byte[]> each : classes(sources).entrySet()) {
                out.putNextEntry(new ZipEntry(each.getKey().replace('.', '/') + ".class"));
                out.write(each.getValue());
                out.closeEntry();
            }
            out.putNextEntry(new ZipEntry(RandomPacked.SEED));
            out.write((RandomKernels.SEED + " " + count).getBytes(StandardCharsets.UTF_8));
            out.closeEntry();
        }
    }

    static synchronized List<Method> compile(List<RandomKernel> kernels) {
        Map<String, String> sources = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (RandomKernel kernel : kernels) {
            String name = "Drawn" + made++;
            names.add("generated." + name);
            sources.put("generated." + name, kernel.source(name));
        }
        Loader loader = new Loader(classes(sources));
        return names.stream().map(name -> RandomPacked.kernel(loader, name)).toList();
    }

    private static Map<String, byte[]> classes(Map<String, String> sources) {
        DiagnosticCollector<JavaFileObject> errors = new DiagnosticCollector<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, byte[]> classes = new HashMap<>();
        JavaFileManager files = new ForwardingJavaFileManager<>(compiler.getStandardFileManager(errors, null, null)) {
            @Override
            public JavaFileObject getJavaFileForOutput(
                    Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
                return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + ".class"), kind) {
                    @Override
                    public OutputStream openOutputStream() {
                        return new ByteArrayOutputStream() {
                            @Override
                            public void close() {
                                classes.put(name, toByteArray());
                            }
                        };
                    }
                };
            }
        };
        String path = Stream.of(I32Ptr.class, HostArray.class, LaunchConfig.class, Shmem.class)
                .map(type -> Path.of(URI.create(type.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString()))
                        .toString())
                .collect(Collectors.joining(File.pathSeparator));
        List<Source> units = sources.entrySet().stream()
                .map(each -> new Source(each.getKey(), each.getValue()))
                .toList();
        boolean fine = compiler.getTask(
                        null, files, errors, List.of("-g", "-nowarn", "-proc:none", "-classpath", path), null, units)
                .call();
        if (!fine) {
            throw new IllegalStateException("the generator has made what is no Java: "
                    + errors.getDiagnostics().stream()
                            .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                            .map(each -> each + "\n")
                            .limit(5)
                            .collect(Collectors.joining()));
        }
        return classes;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Has the classes, and their files. */
    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> classes;

        Loader(Map<String, byte[]> classes) {
            super(RandomJavac.class.getClassLoader());
            this.classes = classes;
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
