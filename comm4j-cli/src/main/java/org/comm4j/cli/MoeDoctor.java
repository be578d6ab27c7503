// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.Cuda;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.nvshmem.Nvshmem;

/** Ways of mixture-of-experts layers on this machine, and which GPUs do not reach each other's memory. */
final class MoeDoctor {
    private static final String READY = "ready";

    private MoeDoctor() {}

    static Doctor.Section section() {
        return new Doctor.Section(
                "moe",
                List.of("mixture-of-experts", "verdict"),
                List.of(
                        List.of("kernels on the CPU", READY),
                        List.of("kernels on GPUs", kernels()),
                        List.of("NCCL", Doctor.verdict(Engine.named("nccl").problem()))));
    }

    private static String kernels() {
        for (LibraryName name : List.of(LibraryName.NVVM, LibraryName.NVJITLINK)) {
            if (!NativeLibrary.of(name).isPresent()) {
                return "not compiled: no " + name.text();
            }
        }
        String problem = Nvshmem.problem();
        return problem == null ? reach() : Doctor.verdict(problem);
    }

    private static String reach() {
        List<String> apart = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment can = arena.allocate(ValueLayout.JAVA_INT);
            for (int from = 0; from < Cuda.deviceCount(); from++) {
                for (int to = 0; to < Cuda.deviceCount(); to++) {
                    if (from != to) {
                        LibCuda.cuDeviceCanAccessPeer(can, from, to);
                        if (can.get(ValueLayout.JAVA_INT, 0) == 0) {
                            apart.add(from + " " + to);
                        }
                    }
                }
            }
        } catch (NativeCallException | UnsupportedOperationException e) {
            return READY + "; GPUs could not be asked for each other: " + e.getMessage();
        }
        return apart.isEmpty()
                ? READY + ", all GPUs reach each other"
                : READY + "; over a network from GPU to GPU: " + String.join(", ", apart);
    }
}
