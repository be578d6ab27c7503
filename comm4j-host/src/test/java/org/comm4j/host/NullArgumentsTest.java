// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.core.contract.NullArguments;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
class NullArgumentsTest {
    @Test
    void ofStaticMethods() {
        assertThat(NullArguments.ofType(HostShmem.class, Set.of())).isEmpty();
    }

    @Test
    void ofObjects() {
        List<String> wrong = new ArrayList<>();
        World.threads(1, world -> {
            try (HostShmem shmem = HostShmem.init(world);
                    SymmetricArray array = shmem.allocate(DataType.FLOAT32, 2);
                    Communicator comm = new HostEngine().communicator(world)) {
                wrong.addAll(NullArguments.ofObject(HostShmem.class, shmem, Set.of()));
                // The others take a name of their operation for messages, from other modules.
                wrong.addAll(NullArguments.ofObject(
                        Team.class,
                        shmem.world(),
                        Set.of("exchangeAll", "sync", "ready", "await", "awaitAll", "split")));
                wrong.addAll(NullArguments.ofObject(SymmetricArray.class, array, Set.of()));
                wrong.addAll(NullArguments.ofObject(Communicator.class, comm, Set.of()));
            }
        });
        assertThat(wrong).isEmpty();
    }
}
