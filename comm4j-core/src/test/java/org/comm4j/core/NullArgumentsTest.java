// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.core.contract.NullArguments;
import org.comm4j.core.launch.Launcher;
import org.comm4j.core.spi.Engine;
import org.comm4j.core.spi.PgasEngine;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
class NullArgumentsTest {
    @Test
    void ofStaticMethods() {
        List<String> wrong = new ArrayList<>();
        for (Class<?> type :
                List.of(HostArray.class, World.class, Launcher.class, DataType.class, Engine.class, PgasEngine.class)) {
            // That of every enum is the JDK's.
            wrong.addAll(NullArguments.ofType(type, Set.of("valueOf")));
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void ofObjects() {
        List<String> wrong = new ArrayList<>();
        wrong.addAll(NullArguments.ofObject(HostArray.class, HostArray.of(1f, 2f), Set.of()));
        wrong.addAll(NullArguments.ofObject(Launcher.class, Launcher.ranks(1), Set.of()));
        World.threads(1, world -> wrong.addAll(NullArguments.ofObject(World.class, world, Set.of())));
        assertThat(wrong).isEmpty();
    }
}
