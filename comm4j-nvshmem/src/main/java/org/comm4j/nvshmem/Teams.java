// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.comm4j.core.CommException;
import org.comm4j.core.PgasTeam.Axes;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.jspecify.annotations.Nullable;

/** Makes and ends teams. The members compare first what they are about to do, as with the {@link Heap}. */
final class Teams {
    private static final int INVALID = LibNvshmem.NVSHMEM_TEAM_INVALID;

    private static final String DONE = "done";

    private final Session session;
    private final Team world;
    /** Those that the library made itself, by their handles. Guarded by itself. */
    private final Map<Integer, @Nullable Team> predefined = new LinkedHashMap<>();
    /** Those that are not closed, and where they were made. Guarded by itself. */
    private final Map<Team, Throwable> made = new LinkedHashMap<>();

    /** With the library initialised. */
    Teams(Session session) {
        this.session = session;
        this.world = new Team(
                this,
                session,
                LibNvshmem.NVSHMEM_TEAM_WORLD,
                "world",
                IntStream.range(0, session.nPes).toArray(),
                session.myPe,
                true);
    }

    // ---- the library's own ----

    Team world() {
        return world;
    }

    /** One of the library's own teams; null if this PE is not in it. */
    @Nullable
    Team predefined(int handle, String name) {
        session.check(name);
        synchronized (predefined) {
            return predefined.computeIfAbsent(handle, h -> find(h, name));
        }
    }

    private @Nullable Team find(int handle, String name) {
        session.enter(name);
        try {
            // Its members differ from PE to PE: the first one tells those of the same name apart.
            int[] members = members(handle);
            return members.length == 0
                    ? null
                    : new Team(this, session, handle, name + members[0], members, rank(handle), true);
        } finally {
            session.leave();
        }
    }

    /** In the lock; empty for a team that there is not. */
    private static int[] members(int handle) {
        int[] members = new int[Math.max(0, LibNvshmem.nvshmem_team_n_pes(handle))];
        for (int member = 0; member < members.length; member++) {
            members[member] = LibNvshmem.nvshmem_team_translate_pe(handle, member, LibNvshmem.NVSHMEM_TEAM_WORLD);
        }
        return members;
    }

    private static int rank(int handle) {
        return LibNvshmem.nvshmem_team_my_pe(handle);
    }

    // ---- new ones ----

    @Nullable
    Team splitStrided(Team parent, String call, int start, int stride, int size, TeamConfig config) {
        return session.<@Nullable Team>collective(call, () -> {
            String key = agree(parent, call);
            int offset = parent.rank() - start;
            boolean takesPart = offset >= 0 && offset % stride == 0 && offset / stride < size;
            int[] handle = make(
                    parent,
                    call,
                    1,
                    (cells, arena) -> LibNvshmem.nvshmem_team_split_strided(
                            parent.handle, start, stride, size, config.write(arena), config.mask(), cells),
                    takesPart);
            return takesPart ? add(handle[0], key) : null;
        });
    }

    Axes<Team> split2d(Team parent, String call, int xRange, TeamConfig x, TeamConfig y) {
        return session.collective(call, () -> {
            String key = agree(parent, call);
            int[] handles = make(
                    parent,
                    call,
                    2,
                    (cells, arena) -> LibNvshmem.nvshmem_team_split_2d(
                            parent.handle,
                            xRange,
                            x.write(arena),
                            x.mask(),
                            cells,
                            y.write(arena),
                            y.mask(),
                            cells.asSlice(Integer.BYTES)),
                    true);
            return new Axes<>(
                    add(handles[0], key + "y" + parent.rank() / xRange),
                    add(handles[1], key + "x" + parent.rank() % xRange));
        });
    }

    /** An id by which PEs that know it make a team. */
    long newId() {
        session.checkOwnGpu("newTeamId");
        session.enter("newTeamId");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(ValueLayout.JAVA_LONG);
            LibNvshmem.nvshmemx_team_get_uniqueid(id);
            return id.get(ValueLayout.JAVA_LONG, 0);
        } catch (NativeCallException e) {
            throw new NvshmemException("newTeamId on " + session.where(), e);
        } finally {
            session.leave();
        }
    }

    Team byId(long id, int size, int rank, TeamConfig config) {
        String call = "team(" + Long.toHexString(id) + ", " + rank + " of " + size + ")";
        session.check(call);
        session.checkOwnGpu(call);
        if (size < 1 || size > session.nPes || rank < 0 || rank >= size) {
            throw new IllegalArgumentException(
                    call + " on " + session.where() + ": not a member of a team of at most " + session.nPes + " PEs");
        }
        return session.collective(call, () -> {
            int[] handle = new int[1];
            session.block(call, () -> {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment cell = arena.allocateFrom(ValueLayout.JAVA_INT, INVALID);
                    LibNvshmem.nvshmemx_team_init(
                            cell,
                            config.write(arena, id),
                            config.mask() | LibNvshmem.NVSHMEM_TEAM_CONFIG_MASK_UNIQUEID,
                            size,
                            rank);
                    handle[0] = cell.get(ValueLayout.JAVA_INT, 0);
                }
            });
            if (handle[0] == INVALID) {
                throw failed(call);
            }
            return add(handle[0], "id " + Long.toHexString(id));
        });
    }

    /** The native call; it writes handles to cells. */
    private interface Maker {
        void make(MemorySegment cells, Arena arena);
    }

    /** The handles that the library made, checked to have come to all who take part. */
    private int[] make(Team parent, String call, int count, Maker maker, boolean takesPart) {
        int[] handles = new int[count];
        String outcome = DONE;
        @Nullable CommException failure = null;
        try {
            session.block(call, () -> {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment cells = arena.allocate(ValueLayout.JAVA_INT, count);
                    cells.fill((byte) -1);
                    maker.make(cells, arena);
                    MemorySegment.copy(cells, ValueLayout.JAVA_INT, 0, handles, 0, count);
                }
            });
            if (takesPart && IntStream.of(handles).anyMatch(handle -> handle == INVALID)) {
                failure = failed(call);
            }
        } catch (NvshmemException e) {
            failure = e;
        }
        if (failure != null) {
            outcome = "failed";
        }
        List<String> all = exchange(parent, call, outcome);
        if (failure != null) {
            throw all.contains(DONE) ? failure : session.agreed(failure);
        }
        if (all.stream().anyMatch(each -> !each.equals(DONE))) {
            throw new CommException(
                    call + " on " + session.where() + ": other members failed to make their part: " + all);
        }
        return handles;
    }

    private CommException failed(String call) {
        return new CommException(call + " on " + session.where()
                + ": NVSHMEM made no team; it writes the reason to the standard error (each team needs up to three of the"
                + " NVSHMEM_MAX_TEAMS that a process can have)");
    }

    private Team add(int handle, String name) {
        session.enter(name);
        Team team;
        try {
            team = new Team(this, session, handle, name, members(handle), rank(handle), false);
        } finally {
            session.leave();
        }
        synchronized (made) {
            made.put(team, new Throwable("it was made here"));
        }
        return team;
    }

    // ---- their end ----

    void close(Team team) {
        if (!session.isOpen()) {
            // Closed: gone already. Out of step: nothing collective is possible, and clean-up after an exception must
            // not hide it.
            forget(team);
            return;
        }
        String call = "close of team " + team.name();
        session.<@Nullable Void>collective(call, () -> {
            if (team.isClosed()) {
                return null;
            }
            String ignored = agree(team, call);
            forget(team);
            // It waits for the device.
            session.block(call, () -> LibNvshmem.nvshmem_team_destroy(team.handle));
            return null;
        });
    }

    private void forget(Team team) {
        team.closed();
        synchronized (made) {
            made.remove(team);
        }
    }

    void reportLeaks() {
        synchronized (made) {
            made.forEach((team, place) -> Session.log().log(
                    Level.WARNING, "leak: " + team + " on " + session.where() + " was never closed", place));
        }
    }

    // ---- what members do together ----

    /**
     * Returns when all members have come with the same call.
     *
     * @return a name that no other agreement has
     */
    private String agree(Team team, String call) {
        String full = call + " of team " + team.name();
        if (team == world) {
            session.agree(full);
            return team.nextKey();
        }
        String key = team.nextKey();
        List<String> all = session.exchange(full, key, team.members(), full);
        session.agree(full, team.members(), all);
        return key;
    }

    private List<String> exchange(Team team, String call, String mine) {
        return team == world
                ? session.exchange(call, mine)
                : session.exchange(call, team.nextKey(), team.members(), mine);
    }
}
