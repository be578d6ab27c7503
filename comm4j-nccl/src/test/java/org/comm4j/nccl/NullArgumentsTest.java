// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.contract.NullArguments;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
class NullArgumentsTest {
    private final List<String> wrong = new ArrayList<>();

    @Test
    void ofAllTypes() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            try (Stream stream = comm.device().newStream();
                    DeviceArray array = Nccl.allocate(comm.device(), DataType.FLOAT32, 16);
                    Window window = comm.registerWindow(array)) {
                Object[] samples = {comm, comm.device(), stream, array, window, CommConfig.DEFAULT, CollConfig.DEFAULT};
                for (Class<?> type : List.of(
                        Nccl.class,
                        CommConfig.class,
                        CollConfig.class,
                        UniqueId.class,
                        NcclEngine.class,
                        DeviceRequirements.class,
                        Ras.class)) {
                    // The samples are no ranks of communicators; LifeCycleTest makes these.
                    wrong.addAll(NullArguments.ofType(type, Set.of("communicator", "join"), samples));
                }
                wrong.addAll(NullArguments.ofObject(NcclCommunicator.class, comm, Set.of(), samples));
                wrong.addAll(NullArguments.ofObject(Communicator.class, comm, Set.of(), samples));
                wrong.addAll(NullArguments.ofObject(Window.class, window, Set.of(), samples));
                wrong.addAll(NullArguments.ofObject(CommConfig.class, CommConfig.DEFAULT, Set.of(), samples));
                wrong.addAll(NullArguments.ofObject(CollConfig.class, CollConfig.DEFAULT, Set.of(), samples));
            }
        });
        assertThat(wrong).isEmpty();
    }
}
