// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.comm4j.core.spi.Rehearsal;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.test.Natives;

/**
 * Compiles the kernel {@code user.Kernels.run}, and says what of it there is, and what had to be loaded for that. The
 * system property {@code rehearse} says what comes before: nothing, a rehearsal, which may be all ({@code only}), or
 * one for which it does not wait ({@code begin}).
 */
public final class RememberedProgram {
    private RememberedProgram() {}

    private static boolean isCompilerLoaded() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .anyMatch(
                        line -> line.contains("libnvvm") || line.contains("libnvJitLink") || line.contains("libnvrtc"));
    }

    private static void awaitRehearsal() throws Exception {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("comm4j rehearsal")) {
                thread.join();
            }
        }
        System.out.println("rehearsed, compilers loaded: " + isCompilerLoaded());
    }

    public static void main(String[] arguments) throws Exception {
        String rehearsal = System.getProperty("rehearse", "");
        if (!rehearsal.isEmpty()) {
            Rehearsal.begin("nvshmem");
            if (rehearsal.equals("begin")) {
                return;
            }
            awaitRehearsal();
            if (rehearsal.equals("only")) {
                return;
            }
        }
        Natives.use();
        Class<?> kernels = Class.forName("user.Kernels");
        String wait = System.getProperty("wait");
        while (wait != null && !Files.exists(Path.of(wait))) {
            Thread.sleep(Duration.ofMillis(10));
        }
        KernelCode code = KernelCode.compile(
                Arrays.stream(kernels.getDeclaredMethods())
                        .filter(method -> method.getName().equals("run"))
                        .findFirst()
                        .orElseThrow(),
                CudaArch.parse("sm_90"),
                CompileOptions.DEFAULT,
                (Object) Integer.valueOf(arguments[0]));
        byte[] cubin = code.cubin();
        System.out.println("code " + Arrays.hashCode(cubin) + " of " + code.symbol() + code.parameters());
        System.out.println("compilers loaded: " + isCompilerLoaded());
    }
}
