// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.nio.file.Files;
import java.nio.file.Path;
import org.comm4j.core.spi.Rehearsal;

/** Rehearses for the engine that it is given, and says which of NVIDIA's libraries are loaded then. */
final class RehearsalProgram {
    private RehearsalProgram() {}

    public static void main(String[] arguments) throws Exception {
        Rehearsal.begin(arguments[0]);
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("comm4j rehearsal")) {
                thread.join();
            }
        }
        System.out.println("loaded: "
                + Files.readAllLines(Path.of("/proc/self/maps")).stream()
                        .filter(line -> line.matches(".*/lib(nv|nccl|cuda).*"))
                        .toList());
    }
}
