// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.Map;
import java.util.TreeMap;

/**
 * How NVSHMEM is initialised: settings that it reads from environment variables. What is set here wins over the variable of that name; what
 * is not stays as the variable says, or NVSHMEM's default.
 *
 * <p>NVSHMEM reads most of them once in the life of a process: later initialisations have the settings of the first one.
 */
public final class NvshmemOptions {
    /** Nothing set. */
    public static final NvshmemOptions DEFAULT = new NvshmemOptions(Map.of());

    private final Map<String, String> variables;

    private NvshmemOptions(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
    }

    /** Bytes of a PE's symmetric heap, where it cannot grow ({@code NVSHMEM_SYMMETRIC_SIZE}). */
    public NvshmemOptions symmetricSize(long bytes) {
        return variable("NVSHMEM_SYMMETRIC_SIZE", Long.toString(bytes));
    }

    /** Any of NVSHMEM's variables. */
    public NvshmemOptions variable(String name, String value) {
        Map<String, String> more = new TreeMap<>(variables);
        more.put(name, value);
        return new NvshmemOptions(more);
    }

    Map<String, String> variables() {
        return variables;
    }

    @Override
    public String toString() {
        return "NvshmemOptions" + new TreeMap<>(variables);
    }
}
