// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.comm4j.cuda.Nvrtc;

/**
 * The kernels in CUDA C++, compiled.
 *
 * @param cubin machine code
 * @param compiler which made it, and how
 */
record CudaCompiler(byte[] cubin, String compiler) {
    private static final String FILE = "kernels.cu";

    /** By {@code nvcc -O3} where it is on the {@code PATH}, else by NVRTC. */
    static CudaCompiler compile(String architecture) {
        Optional<Path> nvcc = Arrays.stream(
                        Objects.requireNonNullElse(System.getenv("PATH"), "").split(":", -1))
                .map(folder -> Path.of(folder, "nvcc"))
                .filter(Files::isExecutable)
                .findFirst();
        return nvcc.isPresent() ? byNvcc(nvcc.get(), architecture) : byNvrtc(architecture);
    }

    static CudaCompiler byNvrtc(String architecture) {
        return new CudaCompiler(Nvrtc.compile(source(), FILE, architecture), "NVRTC -arch=" + architecture);
    }

    private static CudaCompiler byNvcc(Path nvcc, String architecture) {
        try {
            Path folder = Files.createTempDirectory("comm4j-bench");
            Path source = folder.resolve(FILE);
            Path cubin = folder.resolve("kernels.cubin");
            try {
                Files.writeString(source, source());
                Process process = new ProcessBuilder(
                                nvcc.toString(),
                                "-O3",
                                "-arch=" + architecture,
                                "-cubin",
                                "-o",
                                cubin.toString(),
                                source.toString())
                        .redirectErrorStream(true)
                        .start();
                String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (process.waitFor() != 0) {
                    throw new IllegalStateException(nvcc + " does not compile " + FILE + ": " + log.strip());
                }
                return new CudaCompiler(Files.readAllBytes(cubin), nvcc + " -O3 -arch=" + architecture);
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
