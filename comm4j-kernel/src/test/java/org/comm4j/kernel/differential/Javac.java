// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.I32Ptr;

/** Compiles cases into memory. */
final class Javac {
    private static final String PARAMETERS = "I8Ptr bytes, I16Ptr shorts, I32Ptr ints, I64Ptr longs, F32Ptr floats,"
            + " F64Ptr doubles, I32Ptr oi, I64Ptr ol, F32Ptr of, F64Ptr od, byte pb, boolean pz, short ps, char pc,"
            + " float pf, double pd, long pl";
    private static final String ARGUMENTS = Arrays.stream(PARAMETERS.split(","))
            .map(p -> p.strip().split(" ")[1])
            .collect(Collectors.joining(", "));

    private static int cases;

    private Javac() {}

    private static String source(int id, Node node) {
        return """
                package generated;

                import java.util.function.IntUnaryOperator;
                import org.comm4j.kernel.*;

                public final class Case@@ {
                    enum Color { RED, GREEN, BLUE }

                    record Pair(int a, double b, byte c, boolean d) {
                        int sum() {
                            return a + (d ? c : -c);
                        }
                    }

                    static final int[] TABLE = {3, -1, 0, 2147483647, -2147483648, 17, 65, 8};

                    static int nonZero(int x) {
                        return x == 0 ? 1 : x;
                    }

                    static long nonZero(long x) {
                        return x == 0 ? 1 : x;
                    }

                $body
                    @Kernel
                    public static void kernel@@($parameters, int n) {
                        int id = GlobalIdx.x();
                        if (id < n) {
                            body@@(id, $arguments);
                        }
                    }
                }
                """.replace("$parameters", PARAMETERS)
                .replace("$arguments", ARGUMENTS)
                .replace("$body", node.toString())
                .replace("@@", Integer.toString(id));
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///generated/" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /**
     * Null in the result is what the JVM refuses to load, and what has an error.
     *
     * @param mustCompile whether there should be no errors
     */
    static List<Case> compile(List<Node> nodes, boolean mustCompile) {
        Map<Integer, Source> sources = new LinkedHashMap<>();
        for (Node node : nodes) {
            int id = cases++;
            sources.put(id, new Source("Case" + id, source(id, node)));
        }
        Map<String, byte[]> classes = new HashMap<>();
        List<Integer> ids = new ArrayList<>(sources.keySet());
        Set<String> wrong = new HashSet<>();
        while (true) {
            List<Source> units = sources.values().stream()
                    .filter(source -> !wrong.contains(source.getName()))
                    .toList();
            if (units.isEmpty()) {
                break;
            }
            classes.clear();
            DiagnosticCollector<JavaFileObject> errors = new DiagnosticCollector<>();
            if (run(units, classes, errors)) {
                break;
            }
            if (mustCompile) {
                throw new IllegalStateException("the generator has made what is no Java: "
                        + errors.getDiagnostics().stream()
                                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                                .map(each -> each + "\n")
                                .limit(5)
                                .collect(Collectors.joining()));
            }
            int before = wrong.size();
            errors.getDiagnostics().stream()
                    .filter(each -> each.getKind() == Diagnostic.Kind.ERROR && each.getSource() != null)
                    .forEach(each -> wrong.add(each.getSource().getName()));
            if (wrong.size() == before) {
                throw new IllegalStateException(errors.getDiagnostics().toString());
            }
        }
        Loader loader = new Loader(classes);
        List<Case> made = new ArrayList<>();
        for (int id : ids) {
            Source source = sources.get(id);
            made.add(wrong.contains(source.getName()) ? null : Case.load(loader, id, source.text));
        }
        return made;
    }

    private static boolean run(
            List<Source> units, Map<String, byte[]> classes, DiagnosticCollector<JavaFileObject> errors) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
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
        String path = Stream.of(I32Ptr.class, HostArray.class, LaunchConfig.class)
                .map(type -> Path.of(URI.create(type.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString()))
                        .toString())
                .collect(Collectors.joining(java.io.File.pathSeparator));
        return compiler.getTask(
                        null, files, errors, List.of("-g", "-nowarn", "-proc:none", "-classpath", path), null, units)
                .call();
    }

    /** Has the classes, and their files. */
    static final class Loader extends ClassLoader {
        private final Map<String, byte[]> classes;

        Map<String, byte[]> classes() {
            return classes;
        }

        Loader(Map<String, byte[]> classes) {
            super(Javac.class.getClassLoader());
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
        public InputStream getResourceAsStream(String name) {
            byte[] bytes = classes.get(name.replace('/', '.').replaceFirst("\\.class$", ""));
            return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
        }
    }
}
