// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Locale;
import org.comm4j.core.World;
import org.comm4j.host.HeapSize;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link OpenShmem} is made.
 *
 * @param engine which one
 * @param heapBytes the most that a PE can allocate; 0: what the environment says ({@code COMM4J_HEAP_SIZE}, else
 *     {@value #SIZE_VARIABLE}), else as much as the machine has (embedded), 1 GiB (native, mpi)
 */
public record OpenShmemOptions(Engine engine, long heapBytes) {
    /**
     * The environment variable that names the engine of {@link OpenShmem#init(org.comm4j.core.World)}: {@code auto},
     * {@code embedded}, {@code native}, {@code mpi}.
     */
    public static final String VARIABLE = "COMM4J_SHMEM";

    /**
     * The specification's environment variable for the size of the symmetric heap: {@code 512M}, {@code 1.5G}, {@code
     * 1048576}.
     */
    public static final String SIZE_VARIABLE = "SHMEM_SYMMETRIC_SIZE";

    /** What is below. */
    public enum Engine {
        /**
         * {@link #NATIVE} where Open MPI's launcher ({@code oshrun}, {@code mpirun}) has started the job and all its
         * processes find a library, else {@link #MPI} where the job is on several machines, else {@link #EMBEDDED}.
         */
        AUTO,
        /** Processes of one machine over shared memory, without any native library. */
        EMBEDDED,
        /** An OpenSHMEM library of the machine, such as Open MPI's. */
        NATIVE,
        /**
         * Processes of one machine or several, which need no OpenSHMEM library: by loads and stores within a machine,
         * by an MPI library (comm4j-mpi) between machines.
         */
        MPI;

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
        nonNull(engine, "OpenShmemOptions", "engine");
        if (heapBytes < 0) {
            throw new IllegalArgumentException("a heap of " + heapBytes + " bytes");
        }
    }

    /** The engine that {@value #VARIABLE} names, else {@link Engine#AUTO}. */
    public static OpenShmemOptions defaults() {
        return defaults(System.getenv(VARIABLE));
    }

    static OpenShmemOptions defaults(@Nullable String name) {
        if (name == null || name.isBlank()) {
            return new OpenShmemOptions(Engine.AUTO, 0);
        }
        Engine engine = Engine.named(name.strip());
        if (engine == null) {
            throw new IllegalArgumentException(
                    VARIABLE + " is '" + name + "', which is not the name of an engine: auto, embedded, native, mpi");
        }
        return new OpenShmemOptions(engine, 0);
    }

    /**
     * These with the engine that is used in {@code world}: all its processes find the same. Collective if that is open.
     */
    OpenShmemOptions chosen(World world) {
        if (engine != Engine.AUTO) {
            return this;
        }
        boolean all = world.origin().equals("Open MPI");
        if (all) {
            String problem = NativeEngine.libraryProblem();
            byte[] mine = {(byte) (problem == null ? 1 : 0)};
            for (byte[] each : world.exchange("comm4j.shmem.engine", mine)) {
                all &= each[0] == 1;
            }
        }
        // All are on one machine, or none has all on its own.
        boolean one = world.localSize() == world.size();
        return engine(all ? Engine.NATIVE : one ? Engine.EMBEDDED : Engine.MPI);
    }

    /** What is to be allocated, or 0 if nobody says it. */
    long wantedBytes() {
        return heapBytes > 0 ? heapBytes : HeapSize.fromEnvironment(System.getenv(), HeapSize.VARIABLE, SIZE_VARIABLE);
    }

    public OpenShmemOptions engine(Engine other) {
        return new OpenShmemOptions(other, heapBytes);
    }

    public OpenShmemOptions heapBytes(long bytes) {
        return new OpenShmemOptions(engine, bytes);
    }
}
