// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.test.MemoryCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process whose kernels are in the cache reads no bytecode, and notices when a class has changed. */
class CodeCacheProcessTest {
    private static final String KERNELS = """
        package user;

        import org.comm4j.kernel.lang.*;

        public final class Kernels {
            @Kernel
            public static void run(@Constant int factor, I32Ptr out) {
                out.set(0, Helper.times(factor));
            }
        }
        """;
    private static final String HELPER = """
        package user;

        final class Helper {
            static int times(int x) {
                return TIMES * x;
            }
        }
        """;

    @TempDir
    Path folder;

    /** What a process said. */
    private record Said(String result, boolean hasRead) {}

    /** Launches the kernel {@code user.Kernels.run}, once there is a file that the property {@code wait} names. */
    public static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            String wait = System.getProperty("wait", "");
            while (!wait.isEmpty() && !Files.exists(Path.of(wait))) {
                Thread.sleep(Duration.ofMillis(10));
            }
            Method run = Arrays.stream(Class.forName("user.Kernels").getMethods())
                    .filter(method -> method.getName().equals("run"))
                    .findFirst()
                    .orElseThrow();
            HostArray out = HostArray.allocate(DataType.INT32, 1);
            try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(CpuOptions.fast())) {
                compiler.compile(run, 7).launch(LaunchConfig.grid(1), out);
            }
            System.out.println("result " + out.getInt(0));
        }
    }

    private void write(int times) throws IOException {
        MemoryCompiler.Result result = MemoryCompiler.compile(
                Map.of("user.Kernels", KERNELS, "user.Helper", HELPER.replace("TIMES", "" + times)), I32Ptr.class);
        assertThat(result.errors()).isEmpty();
        for (Map.Entry<String, byte[]> each : result.classes().entrySet()) {
            Path file = folder.resolve("classes/" + each.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, each.getValue());
        }
    }

    private Process start(String... options) throws IOException {
        // The system tells the beginning of a process in hundredths of seconds, and it has to be later.
        try {
            Thread.sleep(Duration.ofMillis(50));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        List<String> command = Stream.of(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/java")
                                        .toString(),
                                "-Xlog:class+load",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "-Dorg.comm4j.kernel.cache=" + folder.resolve("cache")),
                        List.of(options),
                        List.of(
                                "-cp",
                                folder.resolve("classes") + File.pathSeparator + System.getProperty("java.class.path"),
                                Program.class.getName()))
                .flatMap(List::stream)
                .toList();
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static Said end(Process process) throws Exception {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String own = text.lines().filter(line -> !line.contains("[class,load]")).collect(Collectors.joining("\n"));
        assertThat(process.waitFor()).as(own).isZero();
        return new Said(own, text.contains("org.comm4j.kernel.frontend.Translator "));
    }

    private Said run() throws Exception {
        return end(start());
    }

    @Test
    void theSecondProcessReadsNothing() throws Exception {
        assumeTrue(ModuleLayer.boot().findModule("jdk.compiler").isPresent(), "this Java runtime has no compiler");
        write(2);
        assertThat(run()).isEqualTo(new Said("result 14", true));
        assertThat(run()).isEqualTo(new Said("result 14", false));
        write(3);
        assertThat(run()).as("a method that it calls is another one").isEqualTo(new Said("result 21", true));
        assertThat(run()).isEqualTo(new Said("result 21", false));
    }

    @Test
    void processesShareACache() throws Exception {
        assumeTrue(ModuleLayer.boot().findModule("jdk.compiler").isPresent(), "this Java runtime has no compiler");
        write(2);
        Process one = start();
        Process two = start();
        assertThat(end(one).result()).isEqualTo("result 14");
        assertThat(end(two).result()).isEqualTo("result 14");
        assertThat(run()).isEqualTo(new Said("result 14", false));
    }

    /** Of a class that was exchanged while the process ran nobody knows which one was read. */
    @Test
    void whatIsYoungerThanTheProcessIsNotKept() throws Exception {
        assumeTrue(ModuleLayer.boot().findModule("jdk.compiler").isPresent(), "this Java runtime has no compiler");
        write(2);
        Process process = start("-Dwait=" + folder.resolve("go"));
        Thread.sleep(Duration.ofMillis(50));
        write(3);
        Files.createFile(folder.resolve("go"));
        assertThat(end(process).result()).isEqualTo("result 21");
        assertThat(run().hasRead()).isTrue();
        assertThat(run().hasRead()).isFalse();
    }
}
