// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.List;
import java.util.stream.Stream;
import org.comm4j.cuda.Device;
import org.comm4j.test.Natives;

/** Where tests run: over one of the simulated libraries, or over the real ones and their GPUs. */
enum Machine {
    SIMULATED_3_4_5,
    SIMULATED_NEWEST,
    GPUS,
    /** All PEs on the first GPU. */
    SHARED_GPU;

    private static final String PROPERTY = "org.comm4j.test.machine";

    boolean simulated() {
        return this != GPUS && this != SHARED_GPU;
    }

    /** The options of a JVM that is to be a PE there. */
    List<String> jvmOptions() {
        Stream<String> own = switch (this) {
            case SIMULATED_3_4_5 -> Simulation.options(Simulation.Version.V3_4_5).stream();
            case SIMULATED_NEWEST -> Simulation.options(Simulation.Version.NEWEST).stream();
            // As this one has them.
            case GPUS, SHARED_GPU ->
                Natives.passedOn("org.comm4j.nvshmem.library", "org.comm4j.cuda.library", "org.comm4j.nccl.library")
                        .stream();
        };
        boolean isLong = Boolean.getBoolean(EnduranceContract.PROPERTY);
        String initialisations = System.getProperty(EnduranceContract.INITIALISATIONS);
        // In short lives the first compiler is enough.
        Stream<String> all = Stream.of(
                isLong ? "-D" + EnduranceContract.PROPERTY + "=true" : "-XX:TieredStopAtLevel=1",
                "-D" + PROPERTY + "=" + this);
        Stream<String> some =
                Stream.ofNullable(initialisations).map(n -> "-D" + EnduranceContract.INITIALISATIONS + "=" + n);
        return Stream.of(own, all, some).flatMap(each -> each).toList();
    }

    /** Skips the test if this machine has less than {@code pes} places for PEs. */
    void require(int pes) {
        if (simulated()) {
            Simulation.require();
        } else {
            Gpu.require(this == SHARED_GPU ? 1 : pes);
        }
    }

    /** The GPU of a PE. */
    Device device(int rank) {
        return switch (this) {
            // A simulated driver has more than enough.
            case SIMULATED_3_4_5, SIMULATED_NEWEST -> Device.of(rank);
            case GPUS -> Gpu.of(rank);
            case SHARED_GPU -> Device.of(0);
        };
    }

    /** The one that this process, a PE, was started for. */
    static Machine current() {
        return valueOf(System.getProperty(PROPERTY));
    }
}
