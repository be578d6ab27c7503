// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Shmem} is made.
 *
 * @param engine which one
 * @param heapBytes the most that a PE can allocate; 0: what the environment says, else as much as the machine has (embedded), 1 GiB (native)
 */
public record ShmemOptions(Engine engine, long heapBytes) {
    /** The environment variable that names the engine of {@link Shmem#init(org.comm4j.core.World)}: {@code embedded}, {@code native}. */
    public static final String VARIABLE = "COMM4J_SHMEM";

    /** What is below. */
    public enum Engine {
        /** Processes of one machine over shared memory, without any native library. */
        EMBEDDED,
        /** An OpenSHMEM library of the machine, such as Open MPI's. */
        NATIVE;

        /** The name that users write. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public ShmemOptions {
        if (heapBytes < 0) {
            throw new IllegalArgumentException("a heap of " + heapBytes + " bytes");
        }
    }

    /** The engine that {@value #VARIABLE} names, else the embedded one. */
    public static ShmemOptions defaults() {
        return defaults(System.getenv(VARIABLE));
    }

    static ShmemOptions defaults(@Nullable String name) {
        if (name == null || name.isBlank()) {
            return new ShmemOptions(Engine.EMBEDDED, 0);
        }
        for (Engine engine : Engine.values()) {
            if (engine.toString().equals(name.strip())) {
                return new ShmemOptions(engine, 0);
            }
        }
        throw new IllegalArgumentException(
                VARIABLE + " is '" + name + "', which is not the name of an engine: embedded, native");
    }

    public ShmemOptions engine(Engine other) {
        return new ShmemOptions(other, heapBytes);
    }

    public ShmemOptions heapBytes(long bytes) {
        return new ShmemOptions(engine, bytes);
    }
}
