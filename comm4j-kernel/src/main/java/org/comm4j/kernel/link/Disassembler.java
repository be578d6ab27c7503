// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Machine code as text, by the programs that a CUDA toolkit has for it. */
public final class Disassembler {
    private Disassembler() {}

    private static @Nullable Path find(String program) {
        List<String> folders = new ArrayList<>();
        for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
            String home = System.getenv(variable);
            if (home != null) {
                folders.add(home + "/bin");
            }
        }
        folders.addAll(List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)));
        folders.add("/usr/local/cuda/bin");
        return folders.stream()
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /**
     * The instructions of a cubin.
     *
     * @param kernel for messages
     * @throws org.comm4j.kernel.KernelCompileException if there is no such program, or it fails
     */
    public static String text(String kernel, byte[] cubin) {
        Path nvdisasm = find("nvdisasm");
        Path program = nvdisasm == null ? find("cuobjdump") : nvdisasm;
        if (program == null) {
            throw CompilerLog.of(
                    kernel,
                    "disassembling",
                    "there is neither nvdisasm nor cuobjdump on the PATH or in CUDA_HOME; a CUDA toolkit has them",
                    null);
        }
        try {
            Path file = Files.createTempFile("comm4j", ".cubin");
            try {
                Files.write(file, cubin);
                List<String> command = nvdisasm == null
                        ? List.of(program.toString(), "-sass", file.toString())
                        : List.of(program.toString(), "-c", "-g", file.toString());
                Process process =
                        new ProcessBuilder(command).redirectErrorStream(true).start();
                String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (process.waitFor() != 0) {
                    throw CompilerLog.of(kernel, String.join(" ", command), text, null);
                }
                return text;
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw CompilerLog.of(kernel, "disassembling with " + program, "", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CompilerLog.of(kernel, "disassembling with " + program, "", e);
        }
    }
}
