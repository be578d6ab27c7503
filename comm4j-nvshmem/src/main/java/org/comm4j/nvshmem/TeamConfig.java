// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemTeamConfig;

/**
 * What a team is made for ({@code nvshmem_team_config_t}).
 *
 * @param contexts how many contexts the program will make of the team, as far as it knows; −1 for no word about it.
 *     NVSHMEM keeps the number and makes no use of it
 */
public record TeamConfig(int contexts) {
    /** Nothing said. */
    public static final TeamConfig DEFAULT = new TeamConfig(-1);

    /** The layout's version and size, as C puts them into one number. */
    private static final int VERSION = 2 << 16 | (int) NvshmemTeamConfig.BYTES;

    public TeamConfig {
        if (contexts < -1) {
            throw new IllegalArgumentException("a team of " + contexts + " contexts; −1 for no word about it");
        }
    }

    long mask() {
        return contexts < 0 ? 0 : LibNvshmem.NVSHMEM_TEAM_CONFIG_MASK_NUM_CONTEXTS;
    }

    MemorySegment write(SegmentAllocator allocator) {
        return write(allocator, -1);
    }

    /** @param id of the team, for one that is made by its id */
    MemorySegment write(SegmentAllocator allocator, long id) {
        MemorySegment config = allocator.allocate(NvshmemTeamConfig.LAYOUT);
        config.fill((byte) 0);
        config.set(ValueLayout.JAVA_INT, NvshmemTeamConfig.version, VERSION);
        config.set(ValueLayout.JAVA_INT, NvshmemTeamConfig.num_contexts, contexts);
        config.set(ValueLayout.JAVA_LONG, NvshmemTeamConfig.uniqueid, id);
        return config;
    }

    static TeamConfig read(MemorySegment config) {
        return new TeamConfig(Math.max(-1, config.get(ValueLayout.JAVA_INT, NvshmemTeamConfig.num_contexts)));
    }
}
