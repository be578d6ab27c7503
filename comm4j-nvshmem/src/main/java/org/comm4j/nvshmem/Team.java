// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.jspecify.annotations.Nullable;

/**
 * An ordered set of PEs that synchronise and communicate as one ({@code nvshmem_team_t}). Members are numbered from 0 in the team; "PE" is
 * their number in the whole job.
 */
public final class Team extends TeamOperations implements AutoCloseable {
    private final String name;
    private final int size;
    private final int rank;

    Team(Session session, int handle, String name, int size, int rank) {
        super(session, handle);
        this.name = name;
        this.size = size;
        this.rank = rank;
    }

    /** Number of members ({@code nvshmem_team_n_pes}). */
    public int size() {
        return size;
    }

    /** This PE's number in the team ({@code nvshmem_team_my_pe}). */
    public int rank() {
        return rank;
    }

    /** The PE to name in puts and gets for a member ({@code nvshmem_team_translate_pe} to the world). */
    public int worldPe(int member) {
        throw new UnsupportedOperationException("not yet");
    }

    /** The number in this team of a PE, or −1 ({@code nvshmem_team_translate_pe} from the world). */
    public int memberOf(int worldPe) {
        throw new UnsupportedOperationException("not yet");
    }

    /** The number that a member of this team has in {@code other}, or −1 ({@code nvshmem_team_translate_pe}). */
    public int translate(int member, Team other) {
        return other.memberOf(worldPe(member));
    }

    /**
     * Collective over this team: the team of its members {@code start}, {@code start + stride}, … ({@code size} of them;
     * {@code nvshmem_team_split_strided}). Null for a member that is not among them.
     */
    public @Nullable Team splitStrided(int start, int stride, int size) {
        throw new UnsupportedOperationException("not yet");
    }

    /** The two teams that a member of a grid is in: those with the same y, numbered by x, and the other way round. */
    public record Axes(Team x, Team y) {}

    /**
     * Collective over this team: its members as a grid, {@code xRange} to a row ({@code nvshmem_team_split_2d}). Member m is at
     * x = m mod {@code xRange}, y = m / {@code xRange}; the last row may be shorter.
     */
    public Axes split2d(int xRange) {
        throw new UnsupportedOperationException("not yet");
    }

    @Override
    void check(String operation) {
        session.check(operation);
    }

    public boolean isOpen() {
        return true;
    }

    /** Collective over this team: gives it back ({@code nvshmem_team_destroy}). Closing a predefined one does nothing. */
    @Override
    public void close() {
        throw new UnsupportedOperationException("not yet");
    }

    @Override
    public String toString() {
        return "Team[" + name + ", " + rank + " of " + size + "]";
    }
}
