// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.comm4j.bind.clang.Clang;
import org.comm4j.test.Natives;

/** Headers that the tests make Java classes of, each once. */
final class DeviceCases {
    static final Path HEADERS = Path.of("src/test/resources/device");
    private static final Map<String, Binder.Output> MADE = new ConcurrentHashMap<>();

    private DeviceCases() {}

    static void require() {
        assumeTrue(Clang.isPresent(), "no clang on the PATH");
        for (String wheel :
                List.of("nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cccl", "nvidia-cuda-nvrtc")) {
            assumeTrue(Natives.find(wheel).isPresent(), Natives.missing(wheel));
        }
        Natives.use();
    }

    static List<Path> includes() {
        List<Path> includes = new ArrayList<>(List.of(HEADERS));
        includes.addAll(cuda());
        return includes;
    }

    /** CUDA's headers in the wheels, one folder for each. */
    static List<Path> cuda() {
        List<Path> folders = new ArrayList<>();
        for (String wheel : List.of("nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cccl", "nvidia-curand")) {
            Natives.find(wheel)
                    .map(folder -> folder.resolve("nvidia/cu13/include"))
                    .ifPresent(folders::add);
        }
        folders.addAll(folders.stream()
                .map(folder -> folder.resolve("cccl"))
                .filter(Files::isDirectory)
                .toList());
        return folders;
    }

    static DeviceConfig config(String className, String... settings) {
        DeviceConfig config = new DeviceConfig();
        config.set("class", className);
        for (String setting : settings) {
            String[] words = setting.split(" ", 2);
            config.set(words[0], words[1]);
        }
        return config;
    }

    /** The result for settings; features.cuh has its own in a file. */
    static Binder.Output make(String className, String... settings) {
        return MADE.computeIfAbsent(className + String.join("|", settings), key -> {
            try {
                DeviceConfig config = config(className, settings);
                if (className.endsWith("Features")) {
                    config.read(HEADERS.resolve("features.conf"));
                }
                return Binder.generate(config, includes());
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    static Binder.Output features() {
        return make("org.example.Features", "header features.cuh");
    }

    /** The generated class, compiled with all warnings as errors. */
    static Class<?> compile(String className, Binder.Output output, Path folder) throws Exception {
        Class<?> made = compile(className, output.java(), folder);
        Files.writeString(folder.resolve(className.replace('.', '/') + ".cu"), output.shim());
        return made;
    }

    static Class<?> compile(String className, String text, Path folder) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        URI name = URI.create("string:///" + className.replace('.', '/') + ".java");
        JavaFileObject source = new SimpleJavaFileObject(name, JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
        List<String> options = List.of(
                "-g",
                "-d",
                folder.toString(),
                "-cp",
                System.getProperty("java.class.path") + java.io.File.pathSeparator + folder,
                "-Xlint:all,-path,-classfile",
                "-Xdoclint:all,-missing",
                "-proc:none",
                "-Werror");
        if (!compiler.getTask(messages, null, null, options, null, List.of(source))
                .call()) {
            throw new AssertionError(messages + text);
        }
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, DeviceCases.class.getClassLoader())
                .loadClass(className);
    }
}
