// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How NVSHMEM is initialised: settings that it reads from environment variables. What is set here wins over the
 * variable of that name; what is not stays as the variable says, or NVSHMEM's default.
 *
 * <p>NVSHMEM reads them once in the life of a process: later initialisations have the settings of the first one. All
 * PEs pass the same options. Each method returns another object with that option; the figures are NVSHMEM's defaults.
 */
public final class NvshmemOptions {
    /** Nothing set. */
    public static final NvshmemOptions DEFAULT = new NvshmemOptions(Map.of());

    private static final long MIN_GRANULARITY = 2L << 20;

    private final Map<String, String> variables;

    private NvshmemOptions(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
    }

    /** Bytes of a PE's symmetric heap; one that grows does not need it ({@code NVSHMEM_SYMMETRIC_SIZE}; 1 GiB). */
    public NvshmemOptions symmetricSize(long bytes) {
        return variable("NVSHMEM_SYMMETRIC_SIZE", positive("symmetricSize", bytes));
    }

    /**
     * Whether the heap grows, by virtual memory of CUDA, or has a fixed size ({@code NVSHMEM_DISABLE_CUDA_VMM}; it
     * grows).
     */
    public NvshmemOptions growing(boolean value) {
        return variable("NVSHMEM_DISABLE_CUDA_VMM", value ? "0" : "1");
    }

    /**
     * By how many bytes a heap grows, and of what memory that it takes in is a multiple ({@code
     * NVSHMEM_CUMEM_GRANULARITY}; 512 MiB).
     *
     * @param bytes a power of two, at least 2 MiB
     */
    public NvshmemOptions granularity(long bytes) {
        if (Long.bitCount(bytes) != 1 || bytes < MIN_GRANULARITY) {
            throw new IllegalArgumentException(
                    "granularity of " + bytes + " bytes: a power of two, at least " + MIN_GRANULARITY);
        }
        return variable("NVSHMEM_CUMEM_GRANULARITY", Long.toString(bytes));
    }

    /**
     * The most bytes that a growing heap can have ({@code NVSHMEM_MAX_MEMORY_PER_GPU}; 128 GiB, from 3.5 on 256 GiB).
     */
    public NvshmemOptions maxMemory(long bytes) {
        return variable("NVSHMEM_MAX_MEMORY_PER_GPU", positive("maxMemory", bytes));
    }

    /**
     * How many teams there can be at a time; one made by the program takes up to three ({@code NVSHMEM_MAX_TEAMS}; 32
     * to 256).
     */
    public NvshmemOptions maxTeams(int count) {
        return variable("NVSHMEM_MAX_TEAMS", positive("maxTeams", count));
    }

    /** Whether GPUs that can do it have multicast memory ({@code NVSHMEM_DISABLE_NVLS}; they have). */
    public NvshmemOptions multicast(boolean value) {
        return variable("NVSHMEM_DISABLE_NVLS", value ? "0" : "1");
    }

    /**
     * Whether NVSHMEM uses NCCL, where it finds it, for collectives in streams ({@code NVSHMEM_DISABLE_NCCL}; it does).
     */
    public NvshmemOptions nccl(boolean value) {
        return variable("NVSHMEM_DISABLE_NCCL", value ? "0" : "1");
    }

    /**
     * How GPUs are reached whose memory is out of reach: {@code ibrc}, {@code ucx} ..., {@code none} ({@code
     * NVSHMEM_REMOTE_TRANSPORT}).
     */
    public NvshmemOptions remoteTransport(String name) {
        nonNull(name, "remoteTransport", "name");
        return variable("NVSHMEM_REMOTE_TRANSPORT", name);
    }

    /**
     * Any of NVSHMEM's variables.
     *
     * @param name with {@code NVSHMEM_} in front
     */
    public NvshmemOptions variable(String name, String value) {
        nonNull(name, "variable", "name");
        nonNull(value, name, "value");
        if (!name.matches("NVSHMEM_[A-Z0-9_]+")) {
            throw new IllegalArgumentException(
                    "'" + name + "' is none of NVSHMEM's variables, which begin with NVSHMEM_");
        }
        Map<String, String> more = new TreeMap<>(variables);
        more.put(name, value);
        return new NvshmemOptions(more);
    }

    private static String positive(String option, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(option + " " + value + " is not at least 1");
        }
        return Long.toString(value);
    }

    Map<String, String> variables() {
        return variables;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NvshmemOptions that && variables.equals(that.variables);
    }

    @Override
    public int hashCode() {
        return variables.hashCode();
    }

    @Override
    public String toString() {
        return "NvshmemOptions" + new TreeMap<>(variables);
    }
}
