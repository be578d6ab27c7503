// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.ServiceLoader;
import java.util.StringJoiner;
import org.comm4j.core.Shmem;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;

/** What a module with a symmetric heap provides, through {@link ServiceLoader}, so that {@link World#shmem} finds it by name. */
public interface ShmemEngine {

    /** The environment variable that names what {@link World#shmem} opens, before {@link Engine#VARIABLE}. */
    String VARIABLE = "COMM4J_SHMEM";

    /** The one that runs everywhere, and knows which of its engines {@value #VARIABLE} names. */
    String DEFAULT = "openshmem";

    /** The name that users write: {@code nvshmem}. */
    String name();

    /** Collective: all ranks of {@code world} as PEs. */
    Shmem shmem(World world);

    /**
     * The one that {@value #VARIABLE} names; else the one of the engine of {@link World#communicator()}, if that has a symmetric heap; else {@value #DEFAULT}.
     *
     * @throws IllegalStateException if its module is not there
     */
    static ShmemEngine selected() {
        return selected(System.getenv(VARIABLE), System.getenv(Engine.VARIABLE));
    }

    private static ShmemEngine selected(@Nullable String named, @Nullable String engine) {
        String name = named == null || named.isBlank() ? engine : named.strip();
        ShmemEngine usual = null;
        StringJoiner known = new StringJoiner(", ", "", "").setEmptyValue("none");
        for (ShmemEngine each : ServiceLoader.load(ShmemEngine.class, ShmemEngine.class.getClassLoader())) {
            if (each.name().equals(name)) {
                return each;
            }
            if (each.name().equals(DEFAULT)) {
                usual = each;
            }
            known.add(each.name());
        }
        if (usual == null) {
            throw new IllegalStateException("there is no symmetric heap "
                    + (name == null ? "" : "'" + name + "' ") + "here: comm4j-shmem is not on the module path or class"
                    + " path; known: " + known);
        }
        return usual;
    }
}
