// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import org.comm4j.core.spi.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * An ordered set of PEs that synchronise and communicate as one ({@code shmem_team_t}), of a {@link Pgas}. Members are
 * numbered from 0 in the team; "PE" is their number in the whole job. A team is used by one thread of each member at a
 * time.
 *
 * <p>Every member calls the same collective operation with the same counts and the same places of the symmetric heap,
 * and the collectives of a team in the same order. They have ended on this PE when they return: its source may be used
 * again, and its destination is complete; other members may be behind.
 *
 * <p>Others may write into a member's destination as soon as they have begun: who still reads or writes his own must be
 * done before any other member begins, which a {@link #sync} makes sure of. An operation on no elements does nothing
 * and waits for nobody.
 */
public interface PgasTeam extends AutoCloseable {

    // ---- who is in it ----

    /** Returns the number of members ({@code shmem_team_n_pes}). */
    int size();

    /** This PE's number in the team ({@code shmem_team_my_pe}). */
    int rank();

    /** Returns the PE to name in puts and gets for a member ({@code shmem_team_translate_pe} to the world). */
    int worldPe(int member);

    /** Returns the number in this team of a PE, or −1 ({@code shmem_team_translate_pe} from the world). */
    int memberOf(int worldPe);

    /** Returns the number that a member of this team has in {@code other}, or −1 ({@code shmem_team_translate_pe}). */
    default int translate(int member, PgasTeam other) {
        return Arguments.nonNull(other, "translate", "other").memberOf(worldPe(member));
    }

    // ---- parts ----

    /**
     * Collective over this team: the team of its members {@code start}, {@code start + stride}, … ({@code size} of
     * them; {@code shmem_team_split_strided}). Null for a member that is not among them.
     *
     * @param stride at least 1
     * @throws CollectiveMismatchException if members pass different arguments; nothing is made then
     */
    @Nullable
    PgasTeam splitStrided(int start, int stride, int size);

    /**
     * The two teams that a member of a grid is in.
     *
     * @param x those with the same y, numbered by x
     * @param y those with the same x, numbered by y
     */
    record Axes<T extends PgasTeam>(T x, T y) {}

    /**
     * Collective over this team: its members as a grid, {@code xRange} to a row ({@code shmem_team_split_2d}). Member m
     * is at x = m mod {@code xRange}, y = m / {@code xRange}; the last row may be shorter.
     *
     * @param xRange at least 1; more than this team has members means one row
     * @throws CollectiveMismatchException if members pass different arguments; nothing is made then
     */
    Axes<? extends PgasTeam> split2d(int xRange);

    // ---- barrier, sync ----

    /**
     * Returns when all members have called it and what they had put before has arrived ({@code shmem_quiet}, {@code
     * shmem_team_sync}).
     */
    void barrier();

    /** Returns when all members have called it ({@code shmem_team_sync}); puts need not have arrived. */
    void sync();

    // ---- collectives ----

    /**
     * Combines the sources of all members, element by element, into every member's destination ({@code
     * shmem_sum_reduce} and so on).
     *
     * @param destination of the count of {@code source}; the same memory, or apart from it
     * @throws IllegalArgumentException if types or counts differ, the two overlap in part, or the operation is not for
     *     the type
     * @throws UnsupportedOperationException if this engine cannot
     */
    void reduce(SymmetricBuffer destination, SymmetricBuffer source, ReduceOp op);

    /** {@link #reduce(SymmetricBuffer, SymmetricBuffer, ReduceOp)} of the first {@code count} elements. */
    void reduce(SymmetricBuffer destination, SymmetricBuffer source, long count, ReduceOp op);

    /**
     * Combines the sources of all members, and gives each member a part of the result: member m the m-th.
     *
     * @param destination of the count of a part
     * @param source of as many parts as there are members
     */
    void reduceScatter(SymmetricBuffer destination, SymmetricBuffer source, ReduceOp op);

    /** {@link #reduceScatter(SymmetricBuffer, SymmetricBuffer, ReduceOp)} with parts of {@code count} elements. */
    void reduceScatter(SymmetricBuffer destination, SymmetricBuffer source, long count, ReduceOp op);

    /**
     * Gives every member, the root as well, the root's source ({@code shmem_broadcast}).
     *
     * @param destination of the count of {@code source}
     * @param root its number in this team
     */
    void broadcast(SymmetricBuffer destination, SymmetricBuffer source, int root);

    /** {@link #broadcast(SymmetricBuffer, SymmetricBuffer, int)} of the first {@code count} elements. */
    void broadcast(SymmetricBuffer destination, SymmetricBuffer source, long count, int root);

    /**
     * Gives every member the sources of all, one behind the other in the members' order ({@code shmem_fcollect}).
     *
     * @param destination of as many parts of the count of {@code source} as there are members
     */
    void fcollect(SymmetricBuffer destination, SymmetricBuffer source);

    /** {@link #fcollect(SymmetricBuffer, SymmetricBuffer)} of the first {@code count} elements of each source. */
    void fcollect(SymmetricBuffer destination, SymmetricBuffer source, long count);

    /**
     * Gives every member a part of every member's source: member m gets the m-th part of each, one behind the other in
     * their order ({@code shmem_alltoall}).
     *
     * @param destination of the count of {@code source}, which is a multiple of the number of members
     */
    void allToAll(SymmetricBuffer destination, SymmetricBuffer source);

    /** {@link #allToAll(SymmetricBuffer, SymmetricBuffer)} with parts of {@code count} elements. */
    void allToAll(SymmetricBuffer destination, SymmetricBuffer source, long count);

    // ---- end ----

    boolean isOpen();

    /**
     * Gives the team back ({@code shmem_team_destroy}): all members do, each when it is done. Closing the team of all
     * PEs, or a second time, does nothing.
     */
    @Override
    void close();
}
