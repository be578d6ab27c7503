// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.comm4j.core.CommException;
import org.comm4j.core.spi.Peers;
import org.comm4j.ffi.NativeFunction;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.mpi.LibMpi;

/**
 * Fault tolerance that some libraries have, called ULFM: a job goes on without ranks that died. Open MPI 5 has it where
 * its launcher was told so ({@code --with-ft ulfm}). MPICH exports the functions and ends the process when one is
 * called, so nothing of this is called there.
 *
 * <p>Who died is what the world says: the library does not notice every end of a process. So communicators are revoked
 * on the world's word, and new ones are made by {@code MPI_Comm_create_group} of those that live.
 */
final class Ulfm {
    /** How long after an error of MPI the world may take to know who died. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int FIRST_TAG = 100;

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

    /**
     * Makes a communicator of some ranks of the world, which all call this.
     *
     * @param attempt number of the attempt, the same on all
     */
    static long create(MpiProcess process, Peers peers, int[] ranks, int attempt) {
        Abi abi = process.abi();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(24, 8);
            MemorySegment members = arena.allocate(4L * ranks.length, 4);
            for (int i = 0; i < ranks.length; i++) {
                members.setAtIndex(ValueLayout.JAVA_INT, i, peers.worldRank(ranks[i]));
            }
            long world = abi.get("COMM_WORLD");
            process.check(LibMpi.MPI_Comm_group(world, cells.address()), "MPI_Comm_group");
            long all = cells.get(ValueLayout.JAVA_LONG, 0);
            process.check(
                    LibMpi.MPI_Group_incl(all, ranks.length, members.address(), cells.address() + 8), "MPI_Group_incl");
            long some = cells.get(ValueLayout.JAVA_LONG, 8);
            int code = LibMpi.MPI_Comm_create_group(world, some, FIRST_TAG + attempt, cells.address() + 16);
            process.check(LibMpi.MPI_Group_free(cells.address()), "MPI_Group_free");
            process.check(LibMpi.MPI_Group_free(cells.address() + 8), "MPI_Group_free");
            process.check(code, "MPI_Comm_create_group");
            long made = cells.get(ValueLayout.JAVA_LONG, 16);
            process.check(LibMpi.MPI_Comm_set_errhandler(made, abi.get("ERRORS_RETURN")), "MPI_Comm_set_errhandler");
            return made;
        }
    }

    /** The exception of a library or launcher that ends the job. */
    static UnsupportedOperationException missing(String where, MpiProcess process) {
        return new UnsupportedOperationException(
                where + ": " + process + " cannot go on without a rank: the launcher ends the job when one dies."
                        + " Open MPI from 5.0 on can, started by mpirun --with-ft ulfm or comm4j run --keep-going; the"
                        + " engine host can, on one machine");
    }

    /** What an operation that MPI ended becomes when it is known who died. */
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
