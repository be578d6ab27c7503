// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;

/** What an engine's module provides, through {@link ServiceLoader}, so that programs can choose it by name. */
public interface Engine {

    /** The environment variable that names the engine of {@link World#communicator()}. */
    String VARIABLE = "COMM4J_ENGINE";

    /** The engine that runs everywhere. */
    String DEFAULT = "host";

    /** The name that users write: {@code host}, {@code mpi}, {@code nccl}, {@code nvshmem}. */
    String name();

    /** Why this engine cannot run in this process, for {@code comm4j doctor}; null if it can. */
    @Nullable
    String problem();

    /** Collective: a communicator of all ranks of {@code world}. */
    Communicator communicator(World world);

    /** The engines among the modules at hand. */
    static List<Engine> all() {
        return ServiceLoader.load(Engine.class, Engine.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /**
     * The engine of this name among the modules at hand.
     *
     * @throws IllegalArgumentException if there is none; the message lists those that there are
     */
    static Engine named(String name) {
        Arguments.nonNull(name, "named", "name");
        List<String> known = new ArrayList<>();
        for (Engine engine : all()) {
            if (engine.name().equals(name)) {
                return engine;
            }
            known.add(engine.name());
        }
        List<String> modules = List.of("host", "mpi", "nccl", "nvshmem");
        throw new IllegalArgumentException("there is no engine '" + name + "' here; "
                + (known.isEmpty()
                        ? "no engine's module is on the module path or class path"
                        : "known: " + String.join(", ", known))
                + (modules.contains(name)
                        ? "; add comm4j-" + name
                        : Suggestion.of(name, known.isEmpty() ? modules : known)));
    }

    /** The engine that {@value #VARIABLE} names, else {@value #DEFAULT}. */
    static Engine selected() {
        String name = System.getenv(VARIABLE);
        return named(name == null || name.isBlank() ? DEFAULT : name);
    }
}
