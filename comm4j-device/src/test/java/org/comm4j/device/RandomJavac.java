// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.test.MemoryCompiler;

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
        ClassLoader loader = new MemoryCompiler.Loader(classes(sources), RandomJavac.class.getClassLoader());
        return names.stream().map(name -> RandomPacked.kernel(loader, name)).toList();
    }

    private static Map<String, byte[]> classes(Map<String, String> sources) {
        MemoryCompiler.Result result =
                MemoryCompiler.compile(sources, I32Ptr.class, HostArray.class, LaunchConfig.class, Shmem.class);
        if (!result.succeeded()) {
            throw new IllegalStateException("the generator has made what is no Java: " + result.errors());
        }
        return result.classes();
    }
}
