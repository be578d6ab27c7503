// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.time.Duration;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.cuda.CudaLibrary;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/**
 * This process as a PE of NVSHMEM: a processing element with a GPU, one in each process. It has a symmetric heap in the memory of the GPU,
 * reaches those of the others, and synchronises with them.
 */
public final class Nvshmem extends OneSided implements AutoCloseable {
    /** How far NVSHMEM is in this process. */
    public enum State {
        /** Nothing has happened yet. */
        NOT_INITIALIZED,
        /** There is an {@link Nvshmem}, which is not closed. */
        INITIALIZED,
        /** It was closed, and may be initialised again. */
        FINALIZED,
        /** It was given up after a failure; this process cannot initialise it again. */
        ABANDONED
    }

    private Nvshmem(Session session) {
        super(session);
    }

    /** Collective over {@code world}: {@link #init(World, Device, NvshmemOptions)} with {@link NvshmemOptions#DEFAULT}. */
    public static Nvshmem init(World world, Device device) {
        return init(world, device, NvshmemOptions.DEFAULT);
    }

    /**
     * Collective over {@code world}: initialises NVSHMEM; the ranks are the PEs ({@code nvshmemx_hostlib_init_attr} with a unique id). Waits at
     * most {@link World#timeout()}.
     */
    public static Nvshmem init(World world, Device device, NvshmemOptions options) {
        throw new UnsupportedOperationException("not yet: " + world + device + options);
    }

    /** Why NVSHMEM cannot be used in this process; null if it can. */
    public static @Nullable String problem() {
        return "not yet";
    }

    /** The loaded NVSHMEM's version, such as {@code 3.4.5}. */
    public static String version() {
        throw new UnsupportedOperationException("not yet");
    }

    /** How far NVSHMEM is in this process. */
    public static State state() {
        return State.NOT_INITIALIZED;
    }

    // ---- who is there ----

    /** This PE: the rank in the world ({@code nvshmem_my_pe}). */
    public int myPe() {
        return session.myPe;
    }

    /** The number of PEs ({@code nvshmem_n_pes}). */
    public int nPes() {
        return session.nPes;
    }

    /** The GPU of this PE. */
    public Device device() {
        return session.userDevice;
    }

    /** The PEs that are known to have died, in ascending order. Never waits. */
    public List<Integer> failedPes() {
        return session.world.failedRanks();
    }

    /** The limit of every wait; {@link Duration#ZERO}, the default unless {@code COMM4J_TIMEOUT} is set, means none. */
    public Duration timeout() {
        return Duration.ofNanos(session.timeoutNanos());
    }

    /** Sets the limit of every wait from now on, also of teams; {@link Duration#ZERO}: no limit. */
    public void timeout(Duration timeout) {
        session.timeoutNanos(timeout.toNanos());
    }

    // ---- teams ----

    /** All PEs ({@code NVSHMEM_TEAM_WORLD}). */
    public Team world() {
        throw new UnsupportedOperationException("not yet");
    }

    /** The PEs that reach each other's memory by loads and stores ({@code NVSHMEM_TEAM_SHARED}). */
    public Team shared() {
        throw new UnsupportedOperationException("not yet");
    }

    /** The PEs on this machine ({@code NVSHMEMX_TEAM_NODE}). */
    public Team node() {
        throw new UnsupportedOperationException("not yet");
    }

    /** The PEs that have this one's number in the {@link #node} of theirs ({@code NVSHMEMX_TEAM_SAME_MYPE_NODE}). */
    public Team sameMypeNode() {
        throw new UnsupportedOperationException("not yet");
    }

    // ---- symmetric memory ----

    /**
     * Collective: zeroed memory for {@code count} elements on every PE, at the same place of each heap ({@code nvshmem_calloc}). Every PE passes
     * the same arguments; all have their memory when the method returns.
     *
     * @throws org.comm4j.core.CollectiveMismatchException if PEs pass different arguments; nothing is allocated then
     * @throws org.comm4j.core.SymmetricMemoryException if a heap is exhausted; nothing is allocated then
     */
    public SymmetricArray allocate(DataType type, long count) {
        throw new UnsupportedOperationException("not yet: " + type + count);
    }

    /** {@link #allocate(DataType, long)} at a multiple of {@code alignment} bytes, a power of two ({@code nvshmem_align}). */
    public SymmetricArray allocate(DataType type, long count, long alignment) {
        throw new UnsupportedOperationException("not yet: " + type + count + alignment);
    }

    /** Collective: memory that was allocated elsewhere as a part of the symmetric heap ({@code nvshmemx_buffer_register_symmetric}). */
    public SymmetricArray register(DeviceArray memory) {
        throw new UnsupportedOperationException("not yet: " + memory);
    }

    /**
     * The copy of {@code array} on {@code pe}, for direct loads and stores of kernels and copies ({@code nvshmem_ptr}); it lives as long as
     * {@code array}.
     *
     * @throws UnsupportedOperationException if this GPU cannot reach that one's memory; {@link #reaches} tells before
     */
    public DeviceArray ptr(SymmetricArray array, int pe) {
        throw new UnsupportedOperationException("not yet: " + array + pe);
    }

    /** Whether this GPU reaches the memory of {@code pe} by loads and stores, so that {@link #ptr} works. */
    public boolean reaches(int pe) {
        throw new UnsupportedOperationException("not yet: " + pe);
    }

    /**
     * The copies of {@code array} on all members of {@code team} as one: a store there reaches all ({@code nvshmemx_mc_ptr}).
     *
     * @throws UnsupportedOperationException if the GPUs, or this set-up, have no multicast
     */
    public DeviceArray multicast(Team team, SymmetricArray array) {
        throw new UnsupportedOperationException("not yet: " + team + array);
    }

    // ---- code that calls NVSHMEM itself ----

    /** Makes kernels of {@code module} able to communicate ({@code nvshmemx_cumodule_init}); undone at {@link #close} at the latest. */
    public void initModule(CudaModule module) {
        throw new UnsupportedOperationException("not yet: " + module);
    }

    /** Undoes {@link #initModule}; before the module is closed ({@code nvshmemx_cumodule_finalize}). */
    public void finalizeModule(CudaModule module) {
        throw new UnsupportedOperationException("not yet: " + module);
    }

    /** {@link #initModule} for a library ({@code nvshmemx_culibrary_init}). */
    public void initLibrary(CudaLibrary library) {
        throw new UnsupportedOperationException("not yet: " + library);
    }

    /** Undoes {@link #initLibrary} ({@code nvshmemx_culibrary_finalize}). */
    public void finalizeLibrary(CudaLibrary library) {
        throw new UnsupportedOperationException("not yet: " + library);
    }

    // ---- order and synchronisation ----

    /** Returns when every PE has called it and all that was put before has arrived ({@code nvshmem_barrier_all}). */
    public void barrierAll() {
        throw new UnsupportedOperationException("not yet");
    }

    /** {@link #barrierAll()}, ordered on {@code stream} ({@code nvshmemx_barrier_all_on_stream}). */
    public void barrierAll(Stream stream) {
        throw new UnsupportedOperationException("not yet: " + stream);
    }

    /** Returns when every PE has called it, whatever is under way ({@code nvshmem_sync_all}). */
    public void syncAll() {
        throw new UnsupportedOperationException("not yet");
    }

    /** {@link #syncAll()}, ordered on {@code stream} ({@code nvshmemx_sync_all_on_stream}). */
    public void syncAll(Stream stream) {
        throw new UnsupportedOperationException("not yet: " + stream);
    }

    /** {@link Team#barrier()}. */
    public void barrier(Team team) {
        team.barrier();
    }

    /** {@link Team#barrier(Stream)}. */
    public void barrier(Team team, Stream stream) {
        team.barrier(stream);
    }

    /** Orders what this PE did before it, at each other PE, before what it does after it ({@code nvshmem_fence}). */
    public void fence() {
        throw new UnsupportedOperationException("not yet");
    }

    /** Returns when all that this PE started has arrived ({@code nvshmem_quiet}). */
    public void quiet() {
        throw new UnsupportedOperationException("not yet");
    }

    /** {@link #quiet()}, ordered on {@code stream} ({@code nvshmemx_quiet_on_stream}). */
    public void quiet(Stream stream) {
        throw new UnsupportedOperationException("not yet: " + stream);
    }

    /** Returns when the sources of all that this PE started can be used again ({@code nvshmemx_flush}; NVSHMEM 3.7). */
    public void flush() {
        throw new UnsupportedOperationException("not yet");
    }

    /** {@link #flush()}, ordered on {@code stream} ({@code nvshmemx_flush_on_stream}; NVSHMEM 3.7). */
    public void flush(Stream stream) {
        throw new UnsupportedOperationException("not yet: " + stream);
    }

    /** Waits for the work in {@code stream}, at most {@link #timeout()}, and not when a PE died. */
    public void synchronize(Stream stream) {
        synchronize(stream, timeout());
    }

    /** {@link #synchronize(Stream)} with a limit of its own; {@link Duration#ZERO} for none. */
    public void synchronize(Stream stream, Duration timeout) {
        throw new UnsupportedOperationException("not yet: " + stream + timeout);
    }

    // ---- end ----

    public boolean isOpen() {
        return true;
    }

    /** Collective: ends NVSHMEM in this process ({@code nvshmemx_hostlib_finalize}). */
    @Override
    public void close() {
        throw new UnsupportedOperationException("not yet");
    }
}
