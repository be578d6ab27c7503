// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.jspecify.annotations.Nullable;

/**
 * Where the arrays of a device come from, and where memory, or code, stays that was closed while a stream still uses
 * it.
 *
 * <p>Arrays come from a pool, because {@code cuMemFree} waits until the whole device is idle and keeps all other calls
 * of the process from that device meanwhile: with a kernel that waits for another rank, whose thread may need that
 * device, it would never end.
 */
final class DeviceHeap {
    /** Unused memory that the pool keeps, so that small arrays come and go quickly. */
    private static final long KEPT = 32L << 20;

    /**
     * What was closed and is in use.
     *
     * @param uses the streams that use it, or null if {@code over} tells
     * @param over whether nobody uses it any more
     * @param free gives it back
     * @param lent whether somebody outside has it, who may take his time
     * @param recorded whether giving it back is work of a graph; while a thread records, the driver lets it give back
     *     nothing else
     */
    private record Pending(
            @Nullable Uses uses, BooleanSupplier over, Runnable free, BooleanSupplier lent, boolean recorded) {
        /** What has to end first: a stream's work, this itself if something else, null if nothing. */
        @Nullable
        Object obstacle() {
            if (uses == null) {
                return over.getAsBoolean() ? null : this;
            }
            if (uses.areInGraphCall()) {
                return this;
            }
            Tail tail = uses.unfinished();
            return tail != null && (recorded || uses.isInOrder(tail)) ? this : tail;
        }
    }

    private final Device device;
    /**
     * By {@linkplain Pending#obstacle what has to end first}, so that a stream is asked once for all that waits for it.
     * Guarded by itself.
     */
    private final Map<Object, List<Pending>> pending = new LinkedHashMap<>();
    /** Memory that is mapped, and has to be opened to each peer. */
    private final List<Mapping> mappings = new ArrayList<>();
    /** To whom {@link #openTo} has opened the memory; guarded by {@link #mappings}. */
    private final List<Device> peers = new ArrayList<>();

    private @Nullable MemoryPool pool;
    /** Of the pool. */
    private @Nullable Stream stream;

    DeviceHeap(Device device) {
        this.device = device;
    }

    /** Zeroed memory, for all streams. */
    DeviceArray allocate(DataType type, long count) {
        Recording.checkOutside("allocate", device);
        sweep();
        device.acquire();
        try {
            return zeroed(type, count);
        } finally {
            device.release();
        }
    }

    private DeviceArray zeroed(DataType type, long count) {
        boolean pooled = device.properties().memoryPools();
        Stream queue = pooled ? stream() : device.defaultStream();
        DeviceArray array = pooled ? pool().allocate(type, count, queue, device) : unpooled(type, count);
        try {
            array.fill(0, queue);
            queue.synchronize();
            return array;
        } catch (Throwable e) {
            array.close();
            throw e;
        }
    }

    private synchronized MemoryPool pool() {
        if (pool == null) {
            MemoryPool made = MemoryPool.create(device);
            made.releaseThreshold(KEPT);
            pool = made;
        }
        return pool;
    }

    private synchronized Stream stream() {
        if (stream == null) {
            stream = device.newStream();
        }
        return stream;
    }

    /** Zeroed memory that other processes can map. */
    DeviceArray allocateShareable(DataType type, long count, long granularity) {
        Recording.checkOutside("allocateShareable", device);
        sweep();
        device.acquire();
        try {
            return mapped(type, count, granularity);
        } finally {
            device.release();
        }
    }

    private DeviceArray mapped(DataType type, long count, long granularity) {
        Mapping mapping;
        try {
            mapping = Mapping.create(device, type, count, granularity);
        } catch (NativeCallException e) {
            throw MemoryPool.refused(device, type, count, device, e);
        }
        synchronized (mappings) {
            try {
                peers.forEach(mapping::open);
            } catch (Throwable e) {
                mapping.free();
                throw e;
            }
            mappings.add(mapping);
        }
        DeviceArray array = DeviceArray.fresh(device, type, mapping.address(), count, new Uses(null), () -> {
            synchronized (mappings) {
                mappings.remove(mapping);
            }
            Cuda.run("free " + count + " x " + type, mapping::free);
        });
        try {
            Stream queue = stream();
            array.fill(0, queue);
            queue.synchronize();
            return array;
        } catch (Throwable e) {
            array.close();
            throw e;
        }
    }

    /** Lets kernels of {@code peer} use the memory of this device. */
    void openTo(Device peer) {
        if (device.properties().memoryPools()) {
            pool().enableAccess(peer);
        }
        synchronized (mappings) {
            mappings.forEach(mapping -> mapping.open(peer));
            peers.removeIf(known -> !known.isOpen());
            peers.add(peer);
        }
    }

    private DeviceArray unpooled(DataType type, long count) {
        long bytes = HostArray.bytes(type, count);
        long address;
        try {
            // CUDA has no empty allocations, but arrays can be empty.
            address = device.longFrom(cell -> LibCuda.cuMemAlloc(cell, Math.max(bytes, 1)));
        } catch (NativeCallException e) {
            throw MemoryPool.refused(device, type, count, device, e);
        }
        return DeviceArray.fresh(
                device,
                type,
                address,
                count,
                new Uses(null),
                () -> Cuda.run("free " + count + " x " + type, () -> LibCuda.cuMemFree(address)));
    }

    /**
     * Gives memory or code back: now if nobody uses it any more, else when that is so and somebody allocates or frees
     * again.
     */
    void giveBack(Uses uses, Runnable free) {
        Recording.ends(uses);
        add(new Pending(uses, () -> true, free, () -> false, Recording.isOwner(uses)));
        sweep();
    }

    /**
     * Runs {@code free} when {@code over}, and somebody allocates or frees again.
     *
     * @param lent whether that may not be before the device is closed
     */
    void later(BooleanSupplier over, Runnable free, BooleanSupplier lent) {
        add(new Pending(null, over, free, lent, false));
    }

    /** By somebody who has the device acquired; what waits keeps the context. */
    private void add(Pending one) {
        device.retain();
        put(one, one);
    }

    private void put(Object obstacle, Pending one) {
        synchronized (pending) {
            pending.computeIfAbsent(obstacle, _ -> new ArrayList<>()).add(one);
        }
    }

    private List<Pending> take(Object obstacle) {
        synchronized (pending) {
            List<Pending> all = pending.remove(obstacle);
            return all == null ? List.of() : all;
        }
    }

    private List<Object> obstacles() {
        synchronized (pending) {
            return List.copyOf(pending.keySet());
        }
    }

    void sweep() {
        RuntimeException failure = null;
        boolean again;
        do {
            again = false;
            for (Object obstacle : obstacles()) {
                if (device.isAbandoned()) {
                    return;
                }
                if (isThere(obstacle)) {
                    continue;
                }
                // Whoever takes it out does it.
                for (Pending each : take(obstacle)) {
                    Object next = each.obstacle();
                    if (next != null) {
                        put(next, each);
                        continue;
                    }
                    failure = Device.also(failure, () -> free(each));
                    // A pool can go after its last array.
                    again = true;
                }
            }
        } while (again);
        if (failure != null) {
            throw failure;
        }
    }

    private static boolean isThere(Object obstacle) {
        if (Recording.isByThisThread() && !(obstacle instanceof Pending one && one.recorded)) {
            return true;
        }
        return obstacle instanceof Tail tail ? !tail.isOver() : obstacle.equals(((Pending) obstacle).obstacle());
    }

    private void free(Pending one) {
        try {
            // Asking other devices' streams may have changed the current context.
            device.enter();
            one.free.run();
        } finally {
            device.users().release();
        }
    }

    /** The number of things that are closed and still in use. */
    int pending() {
        synchronized (pending) {
            return pending.values().stream().mapToInt(List::size).sum();
        }
    }

    /** Whether what was closed is still in use by work that may end; not counting what is lent. */
    boolean isInUse() {
        return !device.isAbandoned() && obstacles().stream().anyMatch(DeviceHeap::mayEnd);
    }

    private static boolean mayEnd(Object obstacle) {
        return obstacle instanceof Tail tail ? !tail.isAbandoned() : !((Pending) obstacle).lent.getAsBoolean();
    }

    /**
     * Waits until what was closed is not in use any more, and gives it back; or until the device is abandoned.
     *
     * @throws CommTimeoutException says what it waits for; waiting again goes on
     */
    void close(Duration limit) {
        Object what = new Object() {
            @Override
            public String toString() {
                return device + " to be closed: " + pending()
                        + " arrays, modules or pools that are closed are still in use by "
                        + obstacles().stream()
                                .filter(DeviceHeap::mayEnd)
                                .map(each -> each instanceof Tail ? each.toString() : "a channel or a call")
                                .distinct()
                                .collect(Collectors.joining(", "));
            }
        };
        Polling.until(
                () -> {
                    sweep();
                    return !isInUse();
                },
                limit,
                what);
    }
}
