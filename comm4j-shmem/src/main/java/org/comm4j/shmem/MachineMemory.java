// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.World;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.OperatingSystem;
import org.comm4j.ffi.OperatingSystemException;

/**
 * The memory of the PEs of one machine: a nameless file with a piece for each of them, which each maps whole. It is
 * sparse, so a piece costs what is used of it.
 */
final class MachineMemory {
    private static final long LARGE_PAGE = 2 << 20;
    /** The largest alignment that OpenSHMEM's allocations can have. */
    private static final long MOST_LIKENESS = 1 << 30;

    private final OperatingSystem os = OperatingSystem.current();
    private final Arena arena;

    /** The pieces of this machine's PEs. */
    final MemorySegment all;

    /** By PE of the world, where its piece begins in {@link #all}; −1 on another machine. */
    final long[] pieces;

    /** How many machines there are. */
    final int machines;

    private MachineMemory(Arena arena, MemorySegment all, long[] pieces, int machines) {
        this.arena = arena;
        this.all = all;
        this.pieces = pieces;
        this.machines = machines;
    }

    /** The bytes of a piece of which so many are wanted. */
    static long rounded(long bytes) {
        long likeness = likeness(bytes);
        return bytes + likeness - 1 & -likeness;
    }

    /** Pieces begin at multiples of this, on every machine. */
    private static long likeness(long bytes) {
        return Math.clamp(Long.highestOneBit(bytes), LARGE_PAGE, MOST_LIKENESS);
    }

    /**
     * Collective: maps the memory of this machine's PEs.
     *
     * @param bytes of a piece, {@link #rounded}; the same on all PEs
     * @param together false: each PE is alone, as if it had a machine for itself
     */
    static MachineMemory open(World world, long bytes, boolean together) {
        String machine = together ? machine() : "PE " + world.rank();
        List<String> machines = texts(world, "comm4j.shmem.machine", machine);
        int first = machines.indexOf(machine);
        long[] pieces = new long[world.size()];
        long end = 0;
        for (int pe = 0; pe < pieces.length; pe++) {
            boolean here = machines.get(pe).equals(machine);
            pieces[pe] = here ? end : -1;
            end += here ? bytes : 0;
        }
        OperatingSystem os = OperatingSystem.current();
        int created = -1;
        Arena arena = Arena.ofShared();
        boolean complete = false;
        try {
            String offer = "";
            if (first == world.rank()) {
                try {
                    created = os.createSharedFile("comm4j-shmem", end);
                    offer = os.sharedPath(created);
                } catch (OperatingSystemException e) {
                    offer = "! could not create " + end + " bytes of shared memory: " + e.getMessage();
                }
            }
            String path = texts(world, "comm4j.shmem.memory", offer).get(first);
            String problem = "";
            MemorySegment all = MemorySegment.NULL;
            try {
                all = map(os, path, end, likeness(bytes), arena);
            } catch (OperatingSystemException | SymmetricMemoryException | IllegalArgumentException e) {
                problem = "PE " + world.rank() + " could not map the shared memory of its machine, which PE " + first
                        + " offers: " + e.getMessage();
            }
            // Every PE learns whether all are there, so that either all go on or all fail.
            for (String each : texts(world, "comm4j.shmem.mapped", problem)) {
                if (!each.isEmpty()) {
                    throw new SymmetricMemoryException("init: " + each);
                }
            }
            complete = true;
            return new MachineMemory(
                    arena, all, pieces, (int) machines.stream().distinct().count());
        } finally {
            if (created >= 0) {
                os.closeFile(created);
            }
            if (!complete) {
                arena.close();
            }
        }
    }

    private static MemorySegment map(OperatingSystem os, String path, long bytes, long alignment, Arena arena) {
        if (path.startsWith("!")) {
            throw new SymmetricMemoryException(path.substring(2));
        }
        int descriptor = os.openSharedFile(path);
        try {
            return os.map(descriptor, bytes, alignment, arena);
        } finally {
            os.closeFile(descriptor);
        }
    }

    private static List<String> texts(World world, String key, String mine) {
        List<String> texts = new ArrayList<>();
        for (byte[] each : world.exchange(key, mine.getBytes(UTF_8))) {
            texts.add(new String(each, UTF_8));
        }
        return texts;
    }

    /** What sets this machine apart from others: containers of one kernel have host names of their own. */
    private static String machine() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip() + "/"
                    + Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                            .strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes memory for a range of {@link #all} now; false if there is not enough. */
    boolean populate(long offset, long bytes) {
        MemorySegment range = all.asSlice(offset, bytes);
        os.adviseLargePages(range);
        return os.populate(range);
    }

    /** Whether all PEs are on this machine. */
    boolean hasAll() {
        return Arrays.stream(pieces).allMatch(piece -> piece >= 0);
    }

    /** Unmaps it; false if a native call or a channel is still using it after so long. */
    boolean close(long nanos) {
        return NativeMemory.close(arena, nanos);
    }
}
