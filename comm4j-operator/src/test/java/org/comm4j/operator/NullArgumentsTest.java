// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Npy;
import org.comm4j.array.StackedArray;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.core.contract.NullArguments;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
class NullArgumentsTest {
    private final List<String> wrong = new ArrayList<>();

    @Test
    void ofArraysAndOperators() {
        World.threads(1, world -> {
            try (Communicator communicator = world.communicator();
                    Backend backend = Backend.of(communicator)) {
                Layout layout = backend.scattered(0, 4);
                DistributedArray array = backend.zeros(layout, DataType.FLOAT64);
                LinearOperator operator = Identity.of(backend, layout, DataType.FLOAT64);
                Object[] samples = {
                    backend, layout, array, operator, new long[] {4}, DataType.FLOAT64, HostArray.of(1.0, 2, 3, 4)
                };
                for (Class<?> type : List.of(Backend.class, Layout.class, StackedArray.class, Npy.class)) {
                    wrong.addAll(NullArguments.ofType(type, Set.of(), samples));
                }
                wrong.addAll(NullArguments.ofObject(Backend.class, backend, Set.of(), samples));
                wrong.addAll(NullArguments.ofObject(Layout.class, layout, Set.of(), samples));
                wrong.addAll(NullArguments.ofObject(DistributedArray.class, array, Set.of("check"), samples));
                wrong.addAll(NullArguments.ofObject(LinearOperator.class, operator, Set.of(), samples));
            }
        });
        assertThat(wrong).isEmpty();
    }
}
