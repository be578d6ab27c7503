// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemTeamConfig;
import org.jspecify.annotations.Nullable;

/**
 * An ordered set of PEs that synchronise and communicate as one ({@code nvshmem_team_t}). Members are numbered from 0
 * in the team; "PE" is their number in the whole job. A team is used by one thread of each member at a time.
 */
public final class Team extends TeamOperations {
    private final Teams teams;
    private final String name;
    private final int[] members;
    private final int rank;
    private final boolean permanent;
    /** How many collective calls about teams its members have made. */
    private long calls;

    private volatile boolean closed;

    /**
     * @param name the same for all members, and no other team's
     * @param members their PEs
     * @param permanent whether the library made it, and destroys it
     */
    Team(Teams teams, Session session, int handle, String name, int[] members, int rank, boolean permanent) {
        super(session, handle);
        this.teams = teams;
        this.name = name;
        this.members = members;
        this.rank = rank;
        this.permanent = permanent;
    }

    // ---- who is in it ----

    /** Returns the number of members ({@code nvshmem_team_n_pes}). */
    @Override
    public int size() {
        return members.length;
    }

    /** This PE's number in the team ({@code nvshmem_team_my_pe}). */
    @Override
    public int rank() {
        return rank;
    }

    /** Returns the PE to name in puts and gets for a member ({@code nvshmem_team_translate_pe} to the world). */
    @Override
    public int worldPe(int member) {
        if (member < 0 || member >= members.length) {
            throw new IndexOutOfBoundsException(
                    "member " + member + " is not one of 0 to " + (members.length - 1) + " of " + this);
        }
        return members[member];
    }

    /** Returns the number in this team of a PE, or −1 ({@code nvshmem_team_translate_pe} from the world). */
    @Override
    public int memberOf(int worldPe) {
        // Most teams are all PEs, or every n-th.
        if (worldPe >= 0 && worldPe < members.length && members[worldPe] == worldPe) {
            return worldPe;
        }
        for (int member = 0; member < members.length; member++) {
            if (members[member] == worldPe) {
                return member;
            }
        }
        return -1;
    }

    /** Returns the library's number of it, by which kernels name it ({@code nvshmem_team_t}). */
    public int handle() {
        check("handle");
        return handle;
    }

    int[] members() {
        return members;
    }

    String name() {
        return name;
    }

    /** Returns what it was made for ({@code nvshmem_team_get_config}). */
    public TeamConfig config() {
        check("config");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment config = arena.allocate(NvshmemTeamConfig.LAYOUT);
            session.enter("config", this);
            try {
                LibNvshmem.nvshmem_team_get_config(handle, config);
            } catch (NativeCallException e) {
                throw new NvshmemException("config of " + this, e);
            } finally {
                session.leave();
            }
            return TeamConfig.read(config);
        }
    }

    // ---- parts ----

    /** {@link #splitStrided(int, int, int, TeamConfig)} with {@link TeamConfig#DEFAULT}. */
    @Override
    public @Nullable Team splitStrided(int start, int stride, int size) {
        return splitStrided(start, stride, size, TeamConfig.DEFAULT);
    }

    /**
     * Collective over this team: the team of its members {@code start}, {@code start + stride}, … ({@code size} of
     * them; {@code nvshmem_team_split_strided}). Null for a member that is not among them.
     *
     * @param stride at least 1; {@link Nvshmem#team} makes teams in any order
     * @throws org.comm4j.core.CollectiveMismatchException if members pass different arguments; nothing is made then
     */
    public @Nullable Team splitStrided(int start, int stride, int size, TeamConfig config) {
        nonNull(config, "splitStrided", "config");
        String call = "splitStrided(" + start + ", " + stride + ", " + size + label(config) + ")";
        check(call);
        if (size < 1 || start < 0 || stride < 1 || start + (long) stride * (size - 1) >= size()) {
            throw new IllegalArgumentException(call + " on " + session.where() + ": does not name " + size
                    + " members of " + this + " in their order (the stride is at least 1)");
        }
        return teams.splitStrided(this, call, start, stride, size, config);
    }

    /** {@link #split2d(int, TeamConfig, TeamConfig)} with {@link TeamConfig#DEFAULT}. */
    @Override
    public Axes<Team> split2d(int xRange) {
        return split2d(xRange, TeamConfig.DEFAULT, TeamConfig.DEFAULT);
    }

    /**
     * Collective over this team: its members as a grid, {@code xRange} to a row ({@code nvshmem_team_split_2d}). Member
     * m is at x = m mod {@code xRange}, y = m / {@code xRange}; the last row may be shorter.
     *
     * @param xRange at least 1; more than this team has members means one row
     * @throws org.comm4j.core.CollectiveMismatchException if members pass different arguments; nothing is made then
     */
    public Axes<Team> split2d(int xRange, TeamConfig x, TeamConfig y) {
        nonNull(x, "split2d", "x");
        nonNull(y, "split2d", "y");
        String call = "split2d(" + xRange + label(x) + label(y) + ")";
        check(call);
        if (xRange < 1) {
            throw new IllegalArgumentException(
                    call + " on " + session.where() + ": a row of " + this + " has at least 1 member");
        }
        return teams.split2d(this, call, xRange, x, y);
    }

    private static String label(TeamConfig config) {
        return config.contexts() < 0 ? "" : ", " + config.contexts() + " contexts";
    }

    /** The key of the next agreement of its members. */
    String nextKey() {
        return name + "#" + calls++;
    }

    // ---- life ----

    @Override
    void check(String operation) {
        session.check(operation);
        session.checkOwnGpu(operation);
        if (closed) {
            throw new IllegalStateException(operation + " on " + session.where() + ": " + this + " was closed");
        }
    }

    @Override
    public boolean isOpen() {
        return !closed && session.isOpen();
    }

    boolean isClosed() {
        return closed;
    }

    void closed() {
        closed = true;
        inPlace.close();
    }

    /**
     * Collective over this team: gives it back ({@code nvshmem_team_destroy}). What its members put into streams with
     * it must be done. Closing one of NVSHMEM's own teams, or a second time, does nothing.
     */
    @Override
    public void close() {
        if (!permanent) {
            teams.close(this);
        }
    }

    @Override
    public String toString() {
        return "Team[" + name + ", member " + rank + " of " + size() + (closed ? ", closed]" : "]");
    }
}
