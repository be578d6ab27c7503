// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.contract.NullArguments;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
class NullArgumentsContract {
    private final List<String> wrong = new ArrayList<>();

    @Test
    void ofAllTypes() {
        Nvshmem nvshmem = Pes.current();
        try (Stream stream = Pes.device().newStream();
                NvshmemCommunicator comm = nvshmem.communicator();
                SymmetricArray signal = nvshmem.allocate(DataType.INT64, 1);
                SymmetricArray array = nvshmem.allocate(DataType.FLOAT32, 16)) {
            Team team = nvshmem.world();
            Object[] samples = {
                Pes.world(), Pes.device(), nvshmem, stream, array, team, NvshmemOptions.DEFAULT, new TeamConfig(1)
            };
            for (Class<?> type : List.of(Nvshmem.class, NvshmemOptions.class, NvshmemEngine.class)) {
                wrong.addAll(NullArguments.ofType(type, Set.of(), samples));
            }
            wrong.addAll(NullArguments.inBoth(
                    NullArguments.ofObject(Nvshmem.class, nvshmem, Set.of(), samples),
                    NullArguments.ofObject(Nvshmem.class, nvshmem, Set.of(), stream, signal, team)));
            wrong.addAll(NullArguments.ofObject(Team.class, team, Set.of(), samples));
            wrong.addAll(NullArguments.ofObject(SymmetricArray.class, array, Set.of(), samples));
            wrong.addAll(NullArguments.ofObject(SymmetricArray.class, signal, Set.of(), samples));
            wrong.addAll(NullArguments.ofObject(Communicator.class, comm, Set.of(), samples));
            wrong.addAll(NullArguments.ofObject(NvshmemOptions.class, NvshmemOptions.DEFAULT, Set.of(), samples));
        }
        assertThat(wrong).isEmpty();
    }
}
