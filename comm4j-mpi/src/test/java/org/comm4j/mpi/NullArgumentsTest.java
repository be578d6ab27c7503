// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.core.World;
import org.comm4j.core.contract.NullArguments;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
class NullArgumentsTest {
    private final List<String> wrong = new ArrayList<>();

    @Test
    void ofWhatNeedsNoLauncher() {
        World.threads(1, world -> {
            MemoryLayout pair = MemoryLayout.structLayout(
                    ValueLayout.JAVA_DOUBLE.withName("value"), ValueLayout.JAVA_LONG.withName("place"));
            Records records = Records.allocate(pair, 2);
            Object[] samples = {world, MpiOptions.blocking(), pair, records};
            for (Class<?> type : List.of(Mpi.class, MpiOptions.class, Records.class)) {
                wrong.addAll(NullArguments.ofType(type, Set.of("valueOf"), samples));
            }
            wrong.addAll(NullArguments.ofObject(Records.class, records, Set.of(), samples));
        });
        assertThat(wrong).isEmpty();
    }
}
