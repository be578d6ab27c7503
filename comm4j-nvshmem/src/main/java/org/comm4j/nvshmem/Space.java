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
 * Where the memory of arrays comes from. A heap of fixed size is the library's business. One that can grow is taken from the library in
 * slabs of its granularity, and cut here, by first fit: the library, asked for more than there is, takes the whole heap away from under the
 * arrays and ends the process at the next barrier (3.4.5). So whether there is room for a slab is found out before, by all PEs for all PEs.
 * The same calls give the same places everywhere.
 */
final class Space {
    /** What the library aligns its pieces to. */
    private static final long LEAST = 512;

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
     * The address of a piece, 0 if there is no room for it on some PE. Collective.
     *
     * @param alignment 0 for the library's
     */
    long take(String call, long bytes, long alignment) {
        long step = Math.max(LEAST, alignment);
        long need = rounded(bytes, LEAST);
        long address = cut(need, step);
        if (address == 0 && grows && grow(call, need + (step > LEAST ? step : 0))) {
            address = cut(need, step);
        }
        return address == 0 && !grows ? library(call, bytes, alignment) : address;
    }

    /** {@link #take} of what fits without growing; 0 otherwise. Collective. */
    long takeSpare(String call, long bytes) {
        return grows ? cut(rounded(bytes, LEAST), LEAST) : library(call, bytes, 0);
    }

    private long library(String call, long bytes, long alignment) {
        long[] address = new long[1];
        session.block(
                call,
                () -> address[0] =
                        alignment == 0 ? LibNvshmem.nvshmem_malloc(bytes) : LibNvshmem.nvshmem_align(alignment, bytes));
        return address[0];
    }

    private long cut(long need, long step) {
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

    private void keep(long start, long end) {
        if (end > start) {
            free.put(start, end - start);
        }
    }

    private boolean grow(String call, long bytes) {
        long slab = rounded(bytes, granularity);
        if (slab < bytes || !allHaveRoom(call, slab)) {
            return false;
        }
        long address = library(call, slab, 0);
        if (address == 0) {
            grows = false;
            return false;
        }
        taken += slab;
        slabs.put(address, slab);
        giveBack(address, slab);
        return true;
    }

    /** PEs may share a GPU; each tells which one it has, and what is free there. */
    private boolean allHaveRoom(String call, long slab) {
        long room = slab > limit - taken ? 0 : session.device.freeMemory() - RESERVE;
        String mine = session.device.uuid() + " " + room;
        Map<String, Integer> sharers = new HashMap<>();
        List<String[]> all = session.exchange(call, mine).stream()
                .map(each -> each.split(" ", 2))
                .toList();
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

    /** Frees a piece of {@code bytes}. Collective. */
    void free(long address, long bytes) {
        Map.Entry<Long, Long> slab = slabs.floorEntry(address);
        if (slab != null && address < slab.getKey() + slab.getValue()) {
            // As the library's own free does: what this PE began, and has no stream to wait for, ends before.
            LibNvshmem.nvshmem_quiet();
            giveBack(address, rounded(bytes, LEAST));
        } else {
            LibNvshmem.nvshmem_free(address);
        }
    }

    private void giveBack(long start, long bytes) {
        long end = start + bytes;
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
