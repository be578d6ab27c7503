// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.comm4j.core.World;

/** One PE of {@link ProcessesContract}: goes through all cases and writes down which it has passed. */
final class CasesProgram {
    static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

    private CasesProgram() {}

    /** Whether this JVM has only the first compiler. */
    static boolean isFirstCompilerOnly() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().contains(FIRST_COMPILER);
    }

    public static void main(String[] args) throws Exception {
        try (World world = World.join();
                OpenShmem shmem = OpenShmem.init(world)) {
            shmem.timeout(Duration.ofSeconds(60));
            if (shmem.myPe() == 0) {
                System.out.println(shmem);
            }
            Path file = Path.of(args[0]).resolve("pe." + shmem.myPe());
            for (ShmemContract.Each each : ShmemContract.ALL) {
                try {
                    each.body().run(shmem);
                } catch (Throwable e) {
                    throw new AssertionError(each + " on PE " + shmem.myPe(), e);
                }
                Files.writeString(file, each + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
            shmem.barrierAll();
        }
    }
}
