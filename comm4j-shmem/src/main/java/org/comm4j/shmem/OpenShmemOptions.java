// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link OpenShmem} is made.
 *
 * @param engine which one
 * @param heapBytes the most that a PE can allocate; 0: what the environment says, else as much as the machine has (embedded), 1 GiB (native)
 */
public record OpenShmemOptions(Engine engine, long heapBytes) {
    /** The environment variable that names the engine of {@link OpenShmem#init(org.comm4j.core.World)}: {@code embedded}, {@code native}. */
    public static final String VARIABLE = "COMM4J_SHMEM";

    /** What is below. */
    public enum Engine {
        /** Processes of one machine over shared memory, without any native library. */
        EMBEDDED,
        /** An OpenSHMEM library of the machine, such as Open MPI's. */
        NATIVE;

        /** The engine of the name that users write; null if there is none. */
        public static @Nullable Engine named(String name) {
            for (Engine each : values()) {
                if (each.toString().equals(name)) {
                    return each;
                }
            }
            return null;
        }

        /** The name that users write. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public OpenShmemOptions {
        if (heapBytes < 0) {
            throw new IllegalArgumentException("a heap of " + heapBytes + " bytes");
        }
    }

    /** The engine that {@value #VARIABLE} names, else the embedded one. */
    public static OpenShmemOptions defaults() {
        return defaults(System.getenv(VARIABLE));
    }

    static OpenShmemOptions defaults(@Nullable String name) {
        if (name == null || name.isBlank()) {
            return new OpenShmemOptions(Engine.EMBEDDED, 0);
        }
        Engine engine = Engine.named(name.strip());
        if (engine == null) {
            throw new IllegalArgumentException(
                    VARIABLE + " is '" + name + "', which is not the name of an engine: embedded, native");
        }
        return new OpenShmemOptions(engine, 0);
    }

    public OpenShmemOptions engine(Engine other) {
        return new OpenShmemOptions(other, heapBytes);
    }

    public OpenShmemOptions heapBytes(long bytes) {
        return new OpenShmemOptions(engine, bytes);
    }
}
