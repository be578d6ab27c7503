// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import org.comm4j.core.CommException;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.World;
import org.comm4j.core.spi.RemoteMemory;
import org.comm4j.host.HeapSize;
import org.comm4j.host.Processors;
import org.jspecify.annotations.Nullable;

/**
 * PEs of one machine or several, without an OpenSHMEM library. Those of a machine reach each other's memory by loads
 * and stores, see {@link MachineMemory}; to other machines another module gives access, see {@link RemoteMemory}.
 */
final class RemoteEngine extends PolledEngine {
    /** The service that gives access to other machines' memory, and this engine's name. */
    private static final String NAME = "mpi";

    private static final long PAGE = 4096;

    /** All heaps of a machine; leaves most of a 47-bit address space to the rest of the process. */
    private static final long LARGEST_FILE = 1L << 45;

    private static final Atomic.Operation[] OPERATIONS = Atomic.Operation.values();

    private final MachineMemory machine;
    private final RemoteMemory.@Nullable Access access;
    private final RemoteStream stream;
    private boolean left;

    private RemoteEngine(World job, MachineMemory machine, long bytes, int spins, @Nullable RemoteMemory remote) {
        super(job, machine.all, machine.pieces, bytes, spins);
        this.machine = machine;
        this.access = remote == null ? null : remote.open(job, own(0, bytes), new Own());
        this.stream = new RemoteStream(this, access);
    }

    static RemoteEngine open(World job, long heapBytes) {
        long wanted = heapBytes > 0 ? heapBytes : DEFAULT_HEAP;
        if (wanted > LARGEST_FILE / job.size()) {
            throw new SymmetricMemoryException("init of the engine " + NAME + " on PE " + job.rank() + " of "
                    + job.size() + ": a symmetric heap of " + wanted
                    + " bytes on each PE leaves the address space; set "
                    + HeapSize.VARIABLE + " lower");
        }
        long bytes = wanted / PAGE * PAGE + PAGE + WordMembers.BYTES;
        boolean direct = !"false".equals(System.getProperty(DIRECT));
        int spins = Processors.spins(job, "comm4j.shmem.processors");
        MachineMemory machine = MachineMemory.open(job, MachineMemory.rounded(bytes), direct);
        boolean complete = false;
        try {
            RemoteMemory remote = machine.hasAll() ? null : remote(job);
            RemoteEngine engine = new RemoteEngine(job, machine, bytes, spins, remote);
            complete = true;
            return engine;
        } finally {
            if (!complete) {
                boolean ignored = machine.close(CLOSE_NANOS);
            }
        }
    }

    /** The way to other machines, if all PEs have it. */
    private static RemoteMemory remote(World job) {
        RemoteMemory found = null;
        String problem = null;
        try {
            found = RemoteMemory.named(NAME);
            problem = found.problem();
        } catch (IllegalStateException e) {
            problem = e.getMessage();
        }
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            problem = "the processor is not little-endian";
        }
        List<byte[]> problems = job.exchange("comm4j.shmem.remote", (problem == null ? "" : problem).getBytes(UTF_8));
        for (int pe = 0; pe < problems.size(); pe++) {
            if (problems.get(pe).length > 0) {
                throw new SymmetricMemoryException("init of the engine " + NAME + ": PE " + pe + " of " + job.size()
                        + " has no access to other machines' memory: " + new String(problems.get(pe), UTF_8));
            }
        }
        if (found == null) {
            throw new AssertionError("a problem was told");
        }
        return found;
    }

    /** What this PE does for those of other machines, and how it waits for them. */
    private final class Own implements RemoteMemory.Owner {
        @Override
        public long atomic(int operation, boolean wide, long at, long value, long condition) {
            return RemoteEngine.this.atomic(OPERATIONS[operation], wide, at, value, condition, myPe);
        }

        @Override
        public RemoteMemory.Wait newWait() {
            return new Polling();
        }
    }

    /** An atomic operation on the memory of a PE within reach. */
    long atomic(Atomic.Operation operation, boolean wide, long offset, long value, long condition, int pe) {
        long at = heaps[pe] + offset;
        return wide
                ? Atomic.wide(operation, memory, at, value, condition)
                : Atomic.narrow(operation, memory, at, (int) value, (int) condition);
    }

    @Override
    boolean populate(long offset, long bytes) {
        return machine.populate(heaps[myPe] + offset, bytes);
    }

    @Override
    Stream stream() {
        return stream;
    }

    @Override
    Stream newStream(Set<Context.Option> options) {
        return stream;
    }

    @Override
    void progress() {
        if (access != null) {
            access.progress();
        }
    }

    /**
     * PEs of other machines may still want something of this one's memory until all have come to this.
     *
     * @throws IllegalStateException if a native call or a channel is using the memory for long; closing again tries
     *     again
     */
    @Override
    void close() {
        if (!left) {
            left = true;
            if (access == null) {
                boolean ignored = meet();
                closed();
            } else {
                leave(access);
            }
        }
        if (!machine.close(CLOSE_NANOS)) {
            throw new IllegalStateException("close on PE " + myPe + " of " + nPes
                    + ": a native call or a channel of this process is still using the symmetric heap; close again"
                    + " when that has ended");
        }
    }

    private void leave(RemoteMemory.Access there) {
        try {
            there.quiet();
            boolean ignored = meetAtWork();
        } catch (CommException e) {
            System.getLogger("org.comm4j.shmem")
                    .log(System.Logger.Level.DEBUG, "the memory is left with operations under way", e);
        }
        closed();
        there.close();
    }

    @Override
    public String toString() {
        return access == null
                ? NAME + ": one machine, by loads and stores"
                : NAME + ": " + machine.machines + " machines, by " + access;
    }
}
