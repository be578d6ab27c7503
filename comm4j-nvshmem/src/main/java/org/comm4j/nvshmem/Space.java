// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.comm4j.ffi.OperatingSystem;
import org.comm4j.ffi.nvshmem.LibNvshmem;

/**
 * Where the memory of arrays comes from. A heap of fixed size is the library's business. One that can grow is taken
 * from the library in slabs of its granularity, and cut here, by first fit: the library, asked for more than there is,
 * takes the whole heap away from under the arrays and ends the process at the next barrier (3.4.5). So whether there is
 * room for a slab is found out before, by all PEs for all PEs. The same calls give the same places everywhere.
 */
final class Space {
    /** What the library aligns its pieces to. */
    private static final long LEAST = 512;

    /** What a PE tells whose heap does not grow. */
    private static final String FIXED = "fixed";

    private static final long GRANULARITY = 512L << 20;
    /** The smaller of the limits that the versions have unless told otherwise. */
    private static final long LIMIT = 128L << 30;
    /** Of a GPU's memory, for what the driver needs to map a slab. */
    private static final long RESERVE = 128L << 20;

    private final Session session;
    /** False from when the library refuses a slab for which there is room: then it has found no way to grow. */
    private boolean grows;

    private final long granularity;
    private final long limit;
    /** Free ranges: address to bytes. */
    private final TreeMap<Long, Long> free = new TreeMap<>();

    /** Address to bytes. */
    private final TreeMap<Long, Long> slabs = new TreeMap<>();
    /** Bytes of the limit: slabs, and memory that the heap has taken in. */
    private long taken;

    Space(Session session) {
        this.session = session;
        OperatingSystem system = OperatingSystem.current();
        String fixed = system.variable("NVSHMEM_DISABLE_CUDA_VMM");
        this.grows = fixed == null || !fixed.matches("1|true|yes|y|on");
        this.granularity = bytes(system, "NVSHMEM_CUMEM_GRANULARITY", GRANULARITY);
        // The library has a slab or two for itself.
        this.limit = bytes(system, "NVSHMEM_MAX_MEMORY_PER_GPU", LIMIT) - 2 * granularity;
    }

    private static long bytes(OperatingSystem system, String name, long otherwise) {
        String text = system.variable(name);
        return text == null ? otherwise : Bytes.parse(name, text);
    }

    boolean grows() {
        return grows;
    }

    /** Of slabs, and of memory that a heap that grows takes in. */
    long granularity() {
        return granularity;
    }

    /**
     * A piece of what this heap has got already; 0 if that has no room for it. The same on all PEs, without asking
     * them, because they make the same calls.
     *
     * @param alignment 0 for the library's
     */
    long cut(long bytes, long alignment) {
        long need = rounded(bytes, LEAST);
        long step = Math.max(LEAST, alignment);
        if (need < bytes) {
            return 0;
        }
        for (Map.Entry<Long, Long> range = free.firstEntry(); range != null; range = free.higherEntry(range.getKey())) {
            long start = range.getKey();
            long end = start + range.getValue();
            long at = rounded(start, step);
            if (at + need <= end) {
                free.remove(start);
                keep(start, at);
                keep(at + need, end);
                return at;
            }
        }
        return 0;
    }

    /**
     * What this PE tells the others before the heap grows by what a piece needs: its GPU, which others may share, and
     * how much is free there.
     */
    String room(long bytes, long alignment) {
        if (!grows) {
            return FIXED;
        }
        long slab = slab(bytes, alignment);
        long room = slab == 0 || slab > limit - taken ? 0 : session.device.freeMemory() - RESERVE;
        return session.device.uuid() + " " + room;
    }

    /**
     * The address of a piece for which {@link #cut} found no room; 0 if there is none on some PE. Collective.
     *
     * @param rooms of all PEs
     * @param alignment 0 for the library's
     */
    long takeNew(String call, List<String> rooms, long bytes, long alignment) {
        if (grows) {
            long slab = slab(bytes, alignment);
            if (!allHaveRoom(rooms, slab)) {
                return 0;
            }
            long address = library(call, slab, 0);
            if (address != 0) {
                taken += slab;
                slabs.put(address, slab);
                giveBack(address, slab);
                return cut(bytes, alignment);
            }
            grows = false;
        }
        return library(call, bytes, alignment);
    }

    /** {@link #cut} of what a growing heap has, or of the library; 0 otherwise. Collective. */
    long takeSpare(String call, long bytes) {
        return grows ? cut(bytes, 0) : library(call, bytes, 0);
    }

    private long library(String call, long bytes, long alignment) {
        long[] address = new long[1];
        session.block(
                call,
                () -> address[0] =
                        alignment == 0 ? LibNvshmem.nvshmem_malloc(bytes) : LibNvshmem.nvshmem_align(alignment, bytes));
        return address[0];
    }

    /** By how much the heap has to grow for a piece; 0 if that is more than any memory. */
    private long slab(long bytes, long alignment) {
        long need = rounded(bytes, LEAST) + (alignment > LEAST ? alignment : 0);
        long slab = rounded(need, granularity);
        return need < bytes || slab < need ? 0 : slab;
    }

    private void keep(long start, long end) {
        if (end > start) {
            free.put(start, end - start);
        }
    }

    private static boolean allHaveRoom(List<String> rooms, long slab) {
        if (slab == 0) {
            return false;
        }
        Map<String, Integer> sharers = new HashMap<>();
        List<String[]> all = rooms.stream().map(each -> each.split(" ", 2)).toList();
        all.forEach(each -> sharers.merge(each[0], 1, Integer::sum));
        return all.stream().allMatch(each -> Long.parseLong(each[1]) / sharers.getOrDefault(each[0], 1) >= slab);
    }

    /** The kind of handles that the memory of the heap has; 0 if it is not known yet. */
    int handles() {
        return slabs.isEmpty()
                ? 0
                : Shareable.of(session.device, slabs.firstKey()).handles();
    }

    /** Whether the limit allows for so many bytes more. */
    boolean hasRoomFor(long bytes) {
        return bytes <= limit - taken;
    }

    /** The heap has taken in memory of so many bytes, or given it back where they are negative. */
    void tookIn(long bytes) {
        taken += bytes;
    }

    /** Whether a piece was cut here. */
    boolean has(long address) {
        Map.Entry<Long, Long> slab = slabs.floorEntry(address);
        return slab != null && address < slab.getKey() + slab.getValue();
    }

    /** The same on all PEs: bytes behind the front of the first slab. */
    long offset(long address) {
        return address - slabs.firstKey();
    }

    /** Takes back a piece of {@link #cut}. */
    void giveBack(long address, long bytes) {
        long start = address;
        long end = address + rounded(bytes, LEAST);
        Map.Entry<Long, Long> before = free.lowerEntry(start);
        if (before != null && before.getKey() + before.getValue() == start) {
            start = before.getKey();
        }
        Long after = free.remove(end);
        free.put(start, (after == null ? end : end + after) - start);
    }

    /** At the end, with nothing in use. Collective. */
    void freeAll() {
        slabs.keySet().forEach(LibNvshmem::nvshmem_free);
        slabs.clear();
        free.clear();
    }

    private static long rounded(long bytes, long step) {
        return (bytes + step - 1) / step * step;
    }
}
