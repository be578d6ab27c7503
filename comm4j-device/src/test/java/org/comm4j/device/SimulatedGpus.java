// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.comm4j.test.SimulatedLibrary;

/** The driver and the NVSHMEM in host memory of the tests of {@code comm4j-nvshmem}, with kernels of these tests. */
final class SimulatedGpus {
    private static final Path SOURCE = Path.of("src/test/c/simulated-kernels.c");
    private static final String NVSHMEM = "org.comm4j.nvshmem.library";
    private static final String DRIVER = "org.comm4j.cuda.library";

    private SimulatedGpus() {}

    /** The options of a JVM that is to use them; skips the test where there is no C compiler. */
    static List<String> options() {
        return options(SOURCE, NVSHMEM);
    }

    /** The same with the NCCL 2.28.9 of the tests of {@code comm4j-nccl} instead of NVSHMEM. */
    static List<String> ncclOptions() {
        return options(Path.of("../comm4j-nccl/src/test/c/simulation.c"), "org.comm4j.nccl.library");
    }

    private static List<String> options(Path source, String property) {
        Path library = SimulatedLibrary.compile(source);
        return Stream.of(property, DRIVER)
                .map(each -> "-D" + each + "=" + library)
                .toList();
    }

    /**
     * In a process that uses them: how many {@code modules} are connected with NVSHMEM, how many are {@code loaded}.
     */
    static long get(String what) {
        return new SimulatedLibrary(Path.of(Objects.requireNonNull(System.getProperty(NVSHMEM)))).get(what);
    }
}
