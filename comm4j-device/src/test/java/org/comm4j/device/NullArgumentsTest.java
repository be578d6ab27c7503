// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.core.contract.NullArguments;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.nccl.DeviceRequirements;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
class NullArgumentsTest {
    private final List<String> wrong = new ArrayList<>();

    @Test
    void ofAllTypes() {
        World.threads(1, world -> {
            try (HostShmem shmem = HostShmem.init(world);
                    PeerCollectives collectives = PeerCollectives.of(shmem);
                    NcclDevice nccl = NcclDevice.of(shmem, DeviceRequirements.NONE)) {
                Buffer array = shmem.allocate(DataType.FLOAT32, 4);
                Object[] samples = {
                    world, shmem, array, DeviceRequirements.NONE, CompileOptions.DEFAULT, CpuOptions.fast()
                };
                for (Class<?> type : List.of(
                        PeerCollectives.class,
                        NcclDevice.class,
                        ShmemCompiler.class,
                        ShmemPe.class,
                        PeerTuning.class)) {
                    wrong.addAll(NullArguments.ofType(type, Set.of(), samples));
                }
                wrong.addAll(NullArguments.ofObject(PeerCollectives.class, collectives, Set.of(), samples));
                // On the CPU there is neither, whatever the argument.
                Set<String> left = Set.of("multimem", "synchronize");
                wrong.addAll(NullArguments.ofObject(NcclDevice.class, nccl, left, samples));
                wrong.addAll(NullArguments.ofObject(LsaWindow.class, nccl.window(array), Set.of(), samples));
            }
        });
        assertThat(wrong).isEmpty();
    }
}
