// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.core.contract.NullArguments;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
class NullArgumentsTest {
    private final List<String> wrong = new ArrayList<>();

    @Test
    void ofAllTypes() {
        World.threads(1, world -> {
            OpenShmemOptions options = OpenShmemOptions.defaults("embedded");
            try (OpenShmem shmem = OpenShmem.init(world, options);
                    SymmetricArray array = shmem.allocate(DataType.FLOAT32, 4);
                    SymmetricArray words = shmem.allocate(DataType.INT64, 4);
                    Context context = shmem.newContext()) {
                Team team = shmem.world();
                Object[] samples = {world, options, array, team};
                for (Class<?> type : List.of(OpenShmem.class, OpenShmemOptions.class, OpenShmemEngine.class)) {
                    wrong.addAll(NullArguments.ofType(type, Set.of(), samples));
                }
                wrong.addAll(NullArguments.inBoth(
                        NullArguments.ofObject(OpenShmem.class, shmem, Set.of(), samples),
                        NullArguments.ofObject(OpenShmem.class, shmem, Set.of(), words, team)));
                wrong.addAll(NullArguments.inBoth(
                        NullArguments.ofObject(Context.class, context, Set.of(), samples),
                        NullArguments.ofObject(Context.class, context, Set.of(), words, team)));
                wrong.addAll(NullArguments.ofObject(Team.class, team, Set.of(), samples));
                wrong.addAll(NullArguments.ofObject(SymmetricArray.class, array, Set.of(), samples));
                wrong.addAll(NullArguments.ofObject(OpenShmemOptions.class, options, Set.of(), samples));
            }
        });
        assertThat(wrong).isEmpty();
    }
}
