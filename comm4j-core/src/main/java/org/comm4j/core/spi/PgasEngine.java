// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.ServiceLoader;
import java.util.StringJoiner;
import org.comm4j.core.Pgas;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;

/**
 * What a module with a symmetric heap provides, through {@link ServiceLoader}, so that {@link World#pgas} finds it by
 * name.
 */
public interface PgasEngine {

    /** The environment variable that names what {@link World#pgas} opens, before {@link Engine#VARIABLE}. */
    String VARIABLE = "COMM4J_SHMEM";

    /** The one that runs everywhere, and knows which of its engines {@value #VARIABLE} names. */
    String DEFAULT = "openshmem";

    /** The name that users write: {@code nvshmem}. */
    String name();

    /** Collective: all ranks of {@code world} as PEs. */
    Pgas pgas(World world);

    /**
     * The one that {@value #VARIABLE} names; else the one of the engine of {@link World#communicator()}, if that has a
     * symmetric heap; else {@value #DEFAULT}.
     *
     * @throws IllegalStateException if its module is not there
     */
    static PgasEngine selected() {
        return selected(System.getenv(VARIABLE), System.getenv(Engine.VARIABLE));
    }

    private static PgasEngine selected(@Nullable String named, @Nullable String engine) {
        String name = named == null || named.isBlank() ? engine : named.strip();
        PgasEngine usual = null;
        StringJoiner known = new StringJoiner(", ", "", "").setEmptyValue("none");
        for (PgasEngine each : ServiceLoader.load(PgasEngine.class, PgasEngine.class.getClassLoader())) {
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
