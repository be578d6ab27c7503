// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.jspecify.annotations.Nullable;

/**
 * The symmetric heap. What changes it is collective: the PEs compare first what they are about to do, because the
 * library, asked for different things, hangs or goes on with heaps that differ.
 */
final class Heap {
    private static final String NONE = "none";
    /** What a PE tells the others that has lent memory. */
    private static final String LENT = "lent";

    /** Before the place that a PE has found. */
    private static final String AT = "at offset ";

    private static final int ZEROS = 64;

    private final Session session;
    private final Space space;
    /** What is in use, by address. Guarded by itself. */
    private final TreeMap<Long, SymmetricArray> live = new TreeMap<>();
    /** Addresses of communicators' own arrays, which nobody else can free. */
    private final Set<Long> kept = ConcurrentHashMap.newKeySet();
    /** Memory of this PE that is not symmetric. */
    private final List<Registration> registered = new CopyOnWriteArrayList<>();
    /** The address of the first piece that was ever allocated; 0 before. */
    private long base;
    /** The address of {@value #ZEROS} bytes that stay zero; 0 as long as there was no room for them. */
    private volatile long zeros;
    /** {@link Session#agreements} when a piece was last freed here. */
    private long freedAfter = -1;
    /** What communicators share; null before the first one. */
    private @Nullable Workspace workspace;

    Heap(Session session) {
        this.session = session;
        this.space = new Space(session);
    }

    /** @param alignment in bytes; 0 for the library's */
    SymmetricArray allocate(DataType type, long count, long alignment) {
        return allocate(type, count, alignment, true);
    }

    /** @param zeroed false for memory of any content */
    SymmetricArray allocate(DataType type, long count, long alignment, boolean zeroed) {
        String call = (zeroed ? "allocate" : "allocateUninitialized") + " of " + count + " x " + type
                + (alignment == 0 ? "" : " at multiples of " + alignment);
        // CUDA has no empty allocations, but arrays can be empty.
        long bytes = Math.max(1, HostArray.bytes(type, count));
        if (alignment != 0 && (Long.bitCount(alignment) != 1 || alignment < Long.BYTES)) {
            throw new IllegalArgumentException(call + " on " + session.where()
                    + ": the alignment must be a power of two of at least " + Long.BYTES + " bytes");
        }
        return session.collective(call, () -> {
            long place = space.cut(bytes, alignment);
            return place == 0
                    ? allocateNew(call, type, count, bytes, alignment, zeroed)
                    : allocateHere(call, type, count, bytes, place, zeroed);
        });
    }

    /**
     * Where the heap has room, one exchange is all: each PE zeroes the piece that it would take, which nobody uses, and
     * then tells the others what it allocates, and where. So when all have come, nobody's zeros come after another
     * one's puts. But others may still be putting into what was freed just before, until they have come to something
     * together.
     */
    private SymmetricArray allocateHere(
            String call, DataType type, long count, long bytes, long place, boolean zeroed) {
        try {
            if (session.agreements() == freedAfter) {
                session.agree(call);
            }
            findZeros(call);
            if (zeroed) {
                zero(place, bytes, call);
            }
            String mine = AT + space.offset(place);
            List<String> all = session.agree(call, mine);
            if (!all.stream().allMatch(mine::equals)) {
                throw unlike(call, all);
            }
        } catch (Throwable e) {
            space.giveBack(place, bytes);
            throw e;
        }
        return added(type, count, place, bytes, null);
    }

    /** The heap has to grow, or is the library's business. */
    private SymmetricArray allocateNew(
            String call, DataType type, long count, long bytes, long alignment, boolean zeroed) {
        List<String> all = session.agree(call, space.room(bytes, alignment));
        if (all.stream().anyMatch(each -> each.startsWith(AT))) {
            throw unlike(call, all);
        }
        long address = space.takeNew(call, all, bytes, alignment);
        SymmetricArray array = address == 0 ? null : added(type, count, address, bytes, null);
        if (array != null) {
            findZeros(call);
            if (zeroed) {
                zero(address, bytes, call);
            }
        }
        checkAll(call, array, () -> session.agreed(full(call)));
        return present(array);
    }

    private CommException unlike(String call, List<String> places) {
        return new CommException(call + " on " + session.where() + ": the PEs' heaps are no longer alike: "
                + String.join(", ", places) + " (in the order of PEs)");
    }

    private void findZeros(String call) {
        if (zeros == 0) {
            long found = space.takeSpare(call, ZEROS);
            if (found != 0) {
                zero(found, ZEROS, call);
                zeros = found;
            }
        }
    }

    /** Where symmetric memory is zero and stays so; 0 if nowhere. */
    long zeros() {
        return zeros;
    }

    /** Collective when there is none yet: the memory of communicators, which stays until the end. */
    Workspace workspace() {
        if (workspace == null) {
            workspace = new Workspace(allocate(DataType.UINT8, Workspace.BYTES, 0));
        }
        return workspace;
    }

    private void zero(long address, long bytes, String call) {
        session.device.makeCurrent();
        LibCuda.cuMemsetD8Async(address, (byte) 0, bytes, session.own.handle());
        session.complete(call);
    }

    /**
     * @param giveBack what is to happen to memory that the heap has taken in, when it is given back; null for the
     * heap's own
     */
    private SymmetricArray added(DataType type, long count, long address, long bytes, @Nullable Runnable giveBack) {
        synchronized (live) {
            if (base == 0) {
                base = address;
            }
            SymmetricArray array = new SymmetricArray(
                    new Allocation(
                            session, address, bytes, address - base, giveBack, new Throwable("it was made here")),
                    type,
                    count);
            live.put(address, array);
            return array;
        }
    }

    private static SymmetricArray present(@Nullable SymmetricArray array) {
        if (array == null) {
            throw new AssertionError("checkAll lets no null pass");
        }
        return array;
    }

    /**
     * Whether all PEs got the same.
     *
     * @param refused what to throw if none got anything
     */
    private void checkAll(String call, @Nullable SymmetricArray array, Supplier<CommException> refused) {
        String mine = array == null ? NONE : array.allocation().toString();
        List<String> all = session.exchange(call, mine);
        if (all.stream().allMatch(NONE::equals)) {
            throw refused.get();
        }
        if (!all.stream().allMatch(mine::equals)) {
            if (array != null) {
                forget(array);
            }
            throw unlike(call, all);
        }
    }

    private SymmetricMemoryException full(String call) {
        long used;
        int arrays;
        synchronized (live) {
            used = live.values().stream()
                    .mapToLong(each -> each.allocation().bytes())
                    .sum();
            arrays = live.size();
        }
        return new SymmetricMemoryException(call + " on " + session.where() + ": the symmetric heap is exhausted; "
                + arrays + " arrays use " + used + " bytes of it, and the GPU has " + session.device.freeMemory()
                + " bytes free; NVSHMEM_SYMMETRIC_SIZE (NvshmemOptions.symmetricSize) is the size of a heap that"
                + " cannot grow, NVSHMEM_MAX_MEMORY_PER_GPU the limit of one that can");
    }

    /** Frees, or unregisters, all of an allocation; a second time does nothing. */
    void free(SymmetricArray array) {
        if (!session.isOpen()) {
            // Closed: gone already. Out of step: nothing collective is possible, and clean-up after an exception must
            // not hide it.
            forget(array);
            return;
        }
        Allocation piece = array.allocation();
        String call = "free of " + piece;
        session.<@Nullable Void>collective(call, () -> {
            synchronized (live) {
                if (live.get(piece.address()) != array) {
                    return null;
                }
            }
            boolean reclaimed = array.reclaim();
            try {
                checkReclaimed(call, session.agree(call, reclaimed ? "" : LENT));
            } catch (RuntimeException e) {
                if (reclaimed) {
                    array.unreclaim();
                }
                throw e;
            }
            // First, so that threads that go on using it are refused and cannot keep it from becoming idle.
            forget(array);
            session.watch.await(array::isIdle, call, System.nanoTime(), session.timeoutNanos());
            session.quiet(call);
            if (piece.isRegistered() || !space.has(piece.address())) {
                session.block(call, () -> giveBack(piece));
            } else {
                space.giveBack(piece.address(), piece.bytes());
            }
            freedAfter = session.agreements();
            return null;
        });
    }

    /** All PEs throw alike, if one has lent what is to be freed. */
    void checkReclaimed(String call, List<String> answers) {
        int lender = answers.indexOf(LENT);
        if (lender >= 0) {
            throw new IllegalStateException(call + " on " + session.where() + ": PE " + lender
                    + " has lent memory of it (DLPack) that did not come back; nothing was freed on any PE");
        }
    }

    /**
     * Nobody can borrow any memory from now on.
     *
     * @return what to tell the others: whether that is so
     */
    String reclaimAll() {
        synchronized (live) {
            return live.values().stream().allMatch(SymmetricArray::reclaim) ? "" : LENT;
        }
    }

    /** Takes {@link #reclaimAll} back. */
    void unreclaimAll() {
        synchronized (live) {
            live.values().forEach(SymmetricArray::unreclaim);
        }
    }

    /** Inside a call that may block. */
    private void giveBack(Allocation piece) {
        Runnable elsewhere = piece.giveBack();
        if (elsewhere != null) {
            LibNvshmem.nvshmemx_buffer_unregister_symmetric(piece.address(), piece.bytes());
            space.tookIn(-piece.bytes());
            elsewhere.run();
        } else if (space.has(piece.address())) {
            space.giveBack(piece.address(), piece.bytes());
        } else {
            LibNvshmem.nvshmem_free(piece.address());
        }
    }

    private void forget(SymmetricArray array) {
        synchronized (live) {
            live.remove(array.allocation().address(), array);
        }
        array.gone();
    }

    // ---- other PEs' copies ----

    DeviceArray ptr(SymmetricArray array, int pe) {
        long own = session.place("ptr", "array", array, 0, array.count(), pe);
        long address;
        session.enter("ptr");
        session.checkStillAlive("ptr", array);
        try {
            address = LibNvshmem.nvshmem_ptr(own, pe);
        } finally {
            session.leave();
        }
        if (address == 0) {
            throw new UnsupportedOperationException(
                    "ptr on " + session.where() + ": this GPU does not reach the memory of PE " + pe
                            + " by loads and stores (nvidia-smi topo -p2p r); put and get do");
        }
        return new PeerArray(array, address, "PE " + pe);
    }

    DeviceArray multicast(Team team, SymmetricArray array) {
        team.check("multicast");
        long own = session.place("multicast", "array", array, 0, array.count());
        long address;
        session.enter("multicast", team);
        session.checkStillAlive("multicast", array);
        try {
            address = LibNvshmem.nvshmemx_mc_ptr(team.handle, own);
        } finally {
            session.leave();
        }
        if (address == 0) {
            throw new UnsupportedOperationException("multicast on " + session.where() + ": " + team
                    + " has no multicast memory: the GPUs or the driver lack it, or NVSHMEM_DISABLE_NVLS is set");
        }
        return new PeerArray(array, address, "all of " + team);
    }

    // ---- memory from elsewhere ----

    long granularity() {
        return space.granularity();
    }

    /** @param preferred the address that the memory is to get; 0 for any */
    SymmetricArray register(DeviceArray memory, long preferred) {
        String call = "register of " + memory.count() + " x " + memory.type()
                + (preferred == 0 ? "" : " at 0x" + Long.toHexString(preferred));
        session.check(call);
        if (memory instanceof SymmetricArray) {
            throw new IllegalArgumentException(
                    call + " on " + session.where() + ": " + memory + " is symmetric already");
        }
        if (!space.grows()) {
            throw new UnsupportedOperationException(call + " on " + session.where()
                    + ": a heap of fixed size takes no other memory in; unset NVSHMEM_DISABLE_CUDA_VMM");
        }
        return session.collective(call, () -> {
            // The library, given memory that it cannot take, takes the whole heap away from under the arrays.
            long bytes = 0;
            RuntimeException problem = null;
            try {
                long address = session.local(call, "memory", memory, 0, memory.count());
                Shareable piece = Shareable.of(session.device, address);
                bytes = piece.bytes();
                String why = piece.whyNot(address, memory, space);
                if (why != null) {
                    problem = new IllegalArgumentException(call + " on " + session.where() + ": " + why);
                }
            } catch (IllegalArgumentException | IllegalStateException e) {
                problem = e;
            }
            session.agreeUnless(call, " of memory of " + bytes + " bytes", problem);
            return registered(call, memory, bytes, preferred);
        });
    }

    private SymmetricArray registered(String call, DeviceArray memory, long bytes, long preferred) {
        Runnable giveBack = memory.keep();
        long[] place = new long[1];
        session.block(
                call,
                () -> place[0] = preferred == 0
                        ? LibNvshmem.nvshmemx_buffer_register_symmetric(memory.address(), bytes, 0)
                        : LibNvshmem.nvshmemx_buffer_register_symmetric_at_preferred_address(
                                memory.address(), bytes, preferred, 0));
        SymmetricArray array = place[0] == 0 ? null : added(memory.type(), memory.count(), place[0], bytes, giveBack);
        // Not to go on after: the library has given up its heap then.
        checkAll(
                call,
                array,
                () -> new NvshmemException(call + " on " + session.where()
                        + ": NVSHMEM refused the memory; it writes the reason to the standard error"));
        space.tookIn(bytes);
        return present(array);
    }

    /** This PE alone: lets transports between machines read from and write to memory that is not symmetric. */
    Registration registerLocal(Buffer memory) {
        String call = "registerLocal of " + memory;
        if (memory.byteSize() == 0) {
            throw new IllegalArgumentException(call + " on " + session.where() + ": it is empty");
        }
        if (memory instanceof SymmetricArray) {
            throw new IllegalArgumentException(
                    call + " on " + session.where() + ": the symmetric heap is registered as it is");
        }
        long address = memory.address();
        session.checkNotRecording(call);
        session.enter(call);
        try {
            LibNvshmem.nvshmemx_buffer_register(address, memory.byteSize());
        } catch (NativeCallException e) {
            throw new NvshmemException(call + " on " + session.where(), e);
        } finally {
            session.leave();
        }
        Registration registration = new Registration(session, memory, address);
        registered.add(registration);
        return registration;
    }

    void forget(Registration registration) {
        registered.remove(registration);
    }

    /** Whether {@link #registerLocal} has been told of all this memory. */
    boolean isRegistered(long address, long bytes) {
        return registered.stream().anyMatch(known -> known.has(address, bytes));
    }

    // ---- the end ----

    /** Keeps an array until the end, where it is no leak. */
    SymmetricArray keep(SymmetricArray array) {
        kept.add(array.allocation().address());
        return array;
    }

    /** The pieces that were never freed, for the PEs to compare. */
    String leaks() {
        synchronized (live) {
            return live.values().stream()
                    .map(each -> each.allocation().toString())
                    .collect(Collectors.joining(", "));
        }
    }

    /** Reports what was never freed. */
    void reportLeaks() {
        synchronized (live) {
            for (SymmetricArray array : live.values()) {
                if (kept.contains(array.allocation().address()) || workspace != null && workspace.isIn(array)) {
                    continue;
                }
                Session.log().log(
                        Level.WARNING,
                        "leak: " + array + " on " + session.where() + " was never freed",
                        array.allocation().made());
            }
        }
    }

    /** Frees what is left: in the order of addresses, which is the same on all PEs. Inside the library's last calls. */
    void freeLeaks() {
        synchronized (live) {
            live.values().forEach(array -> giveBack(array.allocation()));
            if (zeros != 0 && !space.has(zeros)) {
                LibNvshmem.nvshmem_free(zeros);
            }
            space.freeAll();
        }
    }

    /** All arrays are dead. */
    void abandon() {
        synchronized (live) {
            live.values().forEach(SymmetricArray::gone);
            live.clear();
        }
    }
}
