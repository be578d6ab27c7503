// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.comm4j.test.MemoryCompiler;
import org.jspecify.annotations.Nullable;

/**
 * Random kernels that were compiled ahead, for Java runtimes without a compiler: {@code dev/gpu-tests} puts a jar of
 * them beside the tests. In it are the classes, their sources, and which seed they are of.
 */
final class Packed {
    private static final int BATCH = 200;
    private static final String INDEX = "generated/cases.properties";

    private Packed() {}

    /**
     * Writes a jar.
     *
     * @param args its path, and how many kernels
     */
    public static void main(String[] args) throws IOException {
        write(Path.of(args[0]), Integer.parseInt(args[1]));
    }

    static void write(Path jar, int count) throws IOException {
        StringBuilder index = new StringBuilder("seed=" + DifferentialTest.SEED + "\ncount=" + count + "\n");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (int from = 0; from < count; from += BATCH) {
                List<Node> nodes = new ArrayList<>();
                for (int i = from; i < Math.min(from + BATCH, count); i++) {
                    nodes.add(DifferentialTest.draw(i));
                }
                Map<String, byte[]> classes = Map.of();
                List<@Nullable Case> cases = Javac.compile(nodes, true);
                for (int i = 0; i < cases.size(); i++) {
                    Case one = cases.get(i);
                    if (one != null) {
                        index.append(from + i).append('=').append(one.id()).append('\n');
                        put(
                                out,
                                "generated/Case" + one.id() + ".java",
                                one.source().getBytes(UTF_8));
                        classes = ((MemoryCompiler.Loader)
                                        one.body().getDeclaringClass().getClassLoader())
                                .classes();
                    }
                }
                for (Map.Entry<String, byte[]> each : classes.entrySet()) {
                    put(out, each.getKey().replace('.', '/') + ".class", each.getValue());
                }
            }
            put(out, INDEX, index.toString().getBytes(UTF_8));
        }
    }

    private static void put(ZipOutputStream out, String name, byte[] content) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        out.write(content);
        out.closeEntry();
    }

    /** Why there are not these here; null if there are. */
    static @Nullable String problem(ClassLoader loader, int count) {
        Properties index = index(loader);
        if (index.isEmpty()) {
            return "this Java runtime has no module jdk.compiler to compile random kernels, and none are packed with the tests";
        }
        if (!index.getProperty("seed").equals(Long.toString(DifferentialTest.SEED))
                || Integer.parseInt(index.getProperty("count")) < count) {
            return "this Java runtime has no module jdk.compiler, and packed are " + index.getProperty("count")
                    + " random kernels of seed " + index.getProperty("seed") + " instead of " + count + " of seed "
                    + DifferentialTest.SEED;
        }
        return null;
    }

    private static Properties index(ClassLoader loader) {
        Properties index = new Properties();
        try (InputStream in = loader.getResourceAsStream(INDEX)) {
            if (in != null) {
                index.load(in);
            }
            return index;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Those from a number on; null for what the JVM refused to load. */
    static List<@Nullable Case> cases(ClassLoader loader, int from, int count) {
        Properties index = index(loader);
        List<@Nullable Case> cases = new ArrayList<>();
        for (int i = from; i < count; i++) {
            String id = index.getProperty(Integer.toString(i));
            cases.add(id == null ? null : Case.load(loader, Integer.parseInt(id), source(loader, id)));
        }
        return cases;
    }

    private static String source(ClassLoader loader, String id) {
        try (InputStream in = loader.getResourceAsStream("generated/Case" + id + ".java")) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
