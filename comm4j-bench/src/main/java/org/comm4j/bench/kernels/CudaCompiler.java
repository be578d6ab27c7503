// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.comm4j.cuda.Nvrtc;

/**
 * Kernels in CUDA C++, compiled.
 *
 * @param cubin machine code
 * @param compiler which made it, and how
 */
public record CudaCompiler(byte[] cubin, String compiler) {
    private static final String FILE = "kernels.cu";

    /** By {@code nvcc -O3} where it is on the {@code PATH}, else by NVRTC. */
    static CudaCompiler compile(String architecture) {
        Optional<Path> nvcc = nvcc();
        return nvcc.isPresent()
                ? byNvcc(nvcc.get(), FILE, source(), architecture, List.of("-O3"))
                : byNvrtc(architecture);
    }

    /** The {@code nvcc} of the {@code PATH}. */
    public static Optional<Path> nvcc() {
        return Arrays.stream(
                        Objects.requireNonNullElse(System.getenv("PATH"), "").split(":", -1))
                .map(folder -> Path.of(folder, "nvcc"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static CudaCompiler byNvrtc(String architecture) {
        return new CudaCompiler(Nvrtc.compile(source(), FILE, architecture), "NVRTC -arch=" + architecture);
    }

    /**
     * By an {@code nvcc}.
     *
     * @param file the name that messages have
     * @param options such as {@code -O3}
     * @throws IllegalStateException if it does not compile; the message has what the compiler says
     */
    public static CudaCompiler byNvcc(Path nvcc, String file, String text, String architecture, List<String> options) {
        try {
            Path folder = Files.createTempDirectory("comm4j-bench");
            Path source = folder.resolve(file);
            Path cubin = folder.resolve("kernels.cubin");
            try {
                Files.writeString(source, text);
                List<String> command = new ArrayList<>(List.of(nvcc.toString()));
                command.addAll(options);
                command.addAll(List.of("-arch=" + architecture, "-cubin", "-o", cubin.toString(), source.toString()));
                Process process =
                        new ProcessBuilder(command).redirectErrorStream(true).start();
                String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (process.waitFor() != 0) {
                    throw new IllegalStateException(nvcc + " does not compile " + file + ": " + log.strip());
                }
                return new CudaCompiler(
                        Files.readAllBytes(cubin), nvcc + " " + String.join(" ", options) + " -arch=" + architecture);
            } finally {
                Files.deleteIfExists(cubin);
                Files.deleteIfExists(source);
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + nvcc + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + nvcc + " ran", e);
        }
    }

    static String source() {
        try (InputStream in = CudaCompiler.class.getResourceAsStream(FILE)) {
            return new String(Objects.requireNonNull(in, FILE).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
