// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.comm4j.test.Natives;

/** Compiles the kernel {@code user.Kernels.run}, and says what of it there is, and what had to be loaded for that. */
public final class RememberedProgram {
    private RememberedProgram() {}

    public static void main(String[] arguments) throws Exception {
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
        List<String> files = Files.readAllLines(Path.of("/proc/self/maps"));
        System.out.println("code " + Arrays.hashCode(cubin) + " of " + code.symbol() + code.parameters());
        System.out.println("compilers loaded: "
                + files.stream().anyMatch(line -> line.contains("libnvvm") || line.contains("libnvJitLink")));
    }
}
