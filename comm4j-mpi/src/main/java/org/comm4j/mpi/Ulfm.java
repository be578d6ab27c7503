// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.spi.Peers;
import org.comm4j.core.spi.Survivors;
import org.comm4j.ffi.NativeFunction;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.mpi.LibMpi;

/**
 * Fault tolerance that some libraries have, called ULFM: a job goes on without ranks that died. Open MPI 5 has it where
 * its launcher was told so ({@code --with-ft ulfm}). MPICH exports the functions and ends the process when one is
 * called, so nothing of this is called there.
 *
 * <p>Who died is what the world says: the library does not notice every end of a process. So communicators are revoked
 * on the world's word, and new ones are made of those that live as the world knows them.
 */
final class Ulfm {
    /** Time that the world may take to know who died, after an error of MPI. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int FIRST_TAG = 100;

    private static final int ATTEMPTS = 10;

    /** Limit of a communicator that has none: MPI may wait for ever in the middle of this. */
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Limit of each agreement, within which all ranks come that wait for what MPI notices. */
    private static final Duration AGREEMENT = Duration.ofSeconds(30);

    private Ulfm() {}

    /** Returns whether the library, which is initialised, goes on when a rank dies. */
    static boolean isOn(Abi abi) {
        if (abi.family() != Abi.Family.OPEN_MPI || !LibMpi.has("MPIX_Comm_revoke")) {
            return false;
        }
        NativeFunction enabled = LibMpi.library().function("ompi_ftmpi_enabled");
        return enabled.isPresent()
                && NativeMemory.at(enabled.address().address(), Integer.BYTES).get(ValueLayout.JAVA_INT, 0) != 0;
    }

    /** Ends everybody's calls on a communicator. */
    static void revoke(long comm) {
        // Revoked before by another rank, it is an error, and as good.
        int ignored = LibMpi.MPIX_Comm_revoke(comm);
    }

    /** Waits a moment for the world to know of a death; returns those that are known. */
    static List<Integer> failedRanks(Peers peers) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        List<Integer> failed = peers.failedRanks();
        while (failed.isEmpty()
                && System.nanoTime() - end < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            failed = peers.failedRanks();
        }
        return failed;
    }

    /** Makes the communicator of the ranks of {@code comm} that live; collective over these. */
    static MpiCommunicator goOn(
            MpiProcess process, long spare, Peers peers, MpiCommunicator comm, String name, MpiOptions options) {
        String where = "shrink on rank " + comm.rank() + " of " + comm.size();
        int[] attempt = {0};
        return Survivors.goOn(peers, name + ".shrink", comm.limitNanos(), living -> {
            String child = name + "-" + attempt[0]++;
            Peers rest = peers.select(living);
            int rank = Arrays.binarySearch(living, comm.rank());
            MpiWaiting waiting = new MpiWaiting(where, rest, living.length, null);
            MpiCommunicator[] made = {null};
            // MPI may wait for a rank that dies meanwhile, so this thread does not.
            new Watched(waiting, where)
                    .runElsewhere(
                            () -> {
                                long part = create(process, spare, peers, living, comm.size(), child);
                                made[0] = new MpiCommunicator(process, child, part, rank, rest, living.length, options);
                            },
                            where,
                            comm.limitNanos() > 0 ? comm.limitNanos() : LIMIT_NANOS);
            return Objects.requireNonNull(made[0]);
        });
    }

    /**
     * Makes a communicator of the ranks of one that live, which all call this. Where MPI has noticed all deaths it is
     * {@code MPIX_Comm_shrink}, which needs that; where it has noticed none, {@code MPI_Comm_create_group}, which it
     * refuses otherwise. The ranks agree on what MPI has noticed, and try again where it notices meanwhile.
     *
     * @param spare a communicator that nobody has used or revoked
     * @param peers its ranks in the world
     * @param living those that live, in ascending order
     * @param key of agreements, the same on all of these
     */
    private static long create(MpiProcess process, long spare, Peers peers, int[] living, int size, String key) {
        Peers rest = peers.select(living);
        RuntimeException last = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int known = known(process, spare, size - living.length);
            String now = key + " " + attempt;
            List<Integer> all = agree(rest, now + ": noticed", known);
            boolean full = all.stream().allMatch(each -> each == size - living.length);
            if (!full && all.stream().anyMatch(each -> each > 0)) {
                last = new CommException(
                        key + ": MPI has noticed only " + all + " of the deaths on the ranks that live");
                continue;
            }
            long made = 0;
            last = null;
            try {
                made = full ? shrunk(process, spare) : group(process, spare, living, FIRST_TAG + attempt);
            } catch (CommException e) {
                last = e;
            }
            if (agree(rest, now + ": made", last == null ? 1 : 0).stream().allMatch(each -> each == 1)) {
                long errors = process.abi().get("ERRORS_RETURN");
                process.check(LibMpi.MPI_Comm_set_errhandler(made, errors), "MPI_Comm_set_errhandler");
                return made;
            }
        }
        throw last != null
                ? last
                : new CommException(key + ": MPI makes no communicator of the ranks that live, as others of them say");
    }

    /** Each rank's number. */
    private static List<Integer> agree(Peers rest, String key, int mine) {
        return rest.agree(key, new byte[] {(byte) mine}, AGREEMENT).values().stream()
                .map(each -> (int) each[0])
                .toList();
    }

    /** Waits a moment for MPI to notice so many deaths; returns how many it has noticed. */
    private static int known(MpiProcess process, long comm, int dead) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        int known = failed(process, comm);
        Tagged nobody = new Tagged(process, process.abi().get("COMM_SELF"));
        while (known < dead && System.nanoTime() - end < 0) {
            // MPI notices while it makes progress, which a look for messages is.
            Received ignored = nobody.look(Mpi.ANY_SOURCE, Mpi.ANY_TAG, DataType.UINT8);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            known = failed(process, comm);
        }
        return known;
    }

    private static int failed(MpiProcess process, long comm) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(16, 8);
            process.check(LibMpi.MPIX_Comm_get_failed(comm, cells.address()), "MPIX_Comm_get_failed");
            long group = cells.get(ValueLayout.JAVA_LONG, 0);
            process.check(LibMpi.MPI_Group_size(group, cells.address() + 8), "MPI_Group_size");
            process.check(LibMpi.MPI_Group_free(cells.address()), "MPI_Group_free");
            return cells.get(ValueLayout.JAVA_INT, 8);
        }
    }

    private static long shrunk(MpiProcess process, long comm) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(8, 8);
            process.check(LibMpi.MPIX_Comm_shrink(comm, cell.address()), "MPIX_Comm_shrink");
            return cell.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    private static long group(MpiProcess process, long comm, int[] ranks, int tag) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(24, 8);
            MemorySegment members = arena.allocateFrom(ValueLayout.JAVA_INT, ranks);
            process.check(LibMpi.MPI_Comm_group(comm, cells.address()), "MPI_Comm_group");
            long all = cells.get(ValueLayout.JAVA_LONG, 0);
            process.check(
                    LibMpi.MPI_Group_incl(all, ranks.length, members.address(), cells.address() + 8), "MPI_Group_incl");
            long some = cells.get(ValueLayout.JAVA_LONG, 8);
            int code = LibMpi.MPI_Comm_create_group(comm, some, tag, cells.address() + 16);
            process.check(LibMpi.MPI_Group_free(cells.address()), "MPI_Group_free");
            process.check(LibMpi.MPI_Group_free(cells.address() + 8), "MPI_Group_free");
            process.check(code, "MPI_Comm_create_group");
            return cells.get(ValueLayout.JAVA_LONG, 16);
        }
    }

    /** Makes the exception of a library or launcher that ends the job. */
    static UnsupportedOperationException missing(String where, MpiProcess process) {
        return new UnsupportedOperationException(
                where + ": " + process + " cannot go on without a rank: the launcher ends the job when one dies."
                        + " Open MPI from 5.0 on can, started by mpirun --with-ft ulfm or comm4j run --keep-going; the"
                        + " engine host can, on one machine");
    }

    /** Returns what an operation that MPI ended becomes when it is known who died. */
    static CommException explained(CommException e, MpiWaiting waiting, Peers peers, Object what) {
        List<Integer> failed = failedRanks(peers);
        if (failed.isEmpty()) {
            return e;
        }
        CommException told = waiting.dead(what, failed);
        told.addSuppressed(e);
        return told;
    }
}
