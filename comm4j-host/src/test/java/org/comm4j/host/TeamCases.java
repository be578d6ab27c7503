// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/** Teams. */
final class TeamCases {
    private TeamCases() {}

    private static int[] members(Team team) {
        return IntStream.range(0, team.size()).map(team::worldRank).toArray();
    }

    /** Whether this PE got the team that it should have got. */
    private static void check(HostShmem shmem, @Nullable Team team, int... expected) {
        int mine = IntStream.range(0, expected.length)
                .filter(i -> expected[i] == shmem.myPe())
                .findFirst()
                .orElse(-1);
        if (mine < 0) {
            assertThat(team).isNull();
            return;
        }
        assertThat(team).isNotNull();
        assertThat(members(Objects.requireNonNull(team))).containsExactly(expected);
        assertThat(team.rank()).isEqualTo(mine);
        assertThat(team.size()).isEqualTo(expected.length);
        for (int pe = 0; pe < shmem.nPes(); pe++) {
            int member = pe;
            int place = IntStream.range(0, expected.length)
                    .filter(i -> expected[i] == member)
                    .findFirst()
                    .orElse(-1);
            assertThat(team.memberOf(pe)).isEqualTo(place);
        }
        team.sync();
    }

    private static void close(@Nullable Team team) {
        if (team != null) {
            team.close();
        }
    }

    private static int[] arguments(int start, int stride, int size) {
        return IntStream.range(0, size).map(i -> start + i * stride).toArray();
    }

    /**
     * The team of members {@code start}, {@code start + stride}, and so on; null for a member that is not among them.
     */
    private static @Nullable Team strided(Team parent, int start, int stride, int size) {
        int place = -1;
        for (int i = 0; i < size; i++) {
            if (start + i * stride == parent.rank()) {
                place = i;
            }
        }
        return parent.split("split", place < 0 ? -1 : 0, Math.max(place, 0));
    }

    /** Teams of the world and of teams, in and against its order. */
    static void parts(HostShmem shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        Team world = shmem.world();
        check(shmem, world, arguments(0, 1, n));
        for (int colors = 1; colors <= n; colors++) {
            int c = colors;
            int[] mine = IntStream.range(0, n).filter(pe -> pe % c == me % c).toArray();
            Team forward = world.split("split", me % c, 0);
            Team backward = world.split("split", me % c, -me);
            check(shmem, forward, mine);
            check(
                    shmem,
                    backward,
                    IntStream.range(0, mine.length)
                            .map(i -> mine[mine.length - 1 - i])
                            .toArray());
            // Without its first member.
            Team inner = strided(Objects.requireNonNull(forward), 1, 1, mine.length - 1);
            check(shmem, inner, Arrays.copyOfRange(mine, 1, mine.length));
            for (Team team : new @Nullable Team[] {inner, forward, backward, backward}) {
                close(team);
            }
        }
    }

    static void synchronise(HostShmem shmem) {
        int n = shmem.nPes();
        try (SymmetricArray steps = shmem.allocate(DataType.INT64, 1)) {
            Team even = strided(shmem.world(), 0, 2, (n + 1) / 2);
            Team team = even != null ? even : shmem.world();
            if (even != null) {
                for (int step = 1; step <= 300; step++) {
                    steps.setLong(0, step);
                    team.sync();
                    for (int member = 0; member < team.size(); member++) {
                        // The others are one step ahead at most.
                        assertThat(shmem.ptr(steps, team.worldRank(member)).getLong(0))
                                .isBetween((long) step, step + 1L);
                    }
                    team.sync();
                }
            }
            close(even);
            shmem.barrierAll();
        }
    }

    /** A team in the plan that all PEs follow; only members have the object. */
    private record Planned(
            int number, int[] members, @Nullable Team team) {}

    /**
     * Thousands of teams in overlapping sets, of the world and of each other, made, used and left in one random order,
     * where members run far ahead of each other: slots of the shared memory serve new teams while slow members are in
     * old ones.
     */
    static void withoutEnd(HostShmem shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        SplittableRandom plan = OneSidedContract.random(2);
        SplittableRandom delays = OneSidedContract.random(2000 + me);
        int steps = n <= 2 ? 4000 : n <= 5 ? 2000 : 800;
        List<Planned> open = new ArrayList<>();
        open.add(new Planned(0, arguments(0, 1, n), shmem.world()));
        int made = 0;
        for (int step = 1; step <= steps; step++) {
            if (delays.nextInt(200) == 0) {
                spin(delays.nextInt(300_000));
            }
            Planned planned = open.get(plan.nextInt(open.size()));
            Team team = planned.team();
            switch (plan.nextInt(4)) {
                case 0 -> {
                    int parentSize = planned.members().length;
                    int size = 1 + plan.nextInt(parentSize);
                    int stride = size == 1 ? plan.nextInt(3) - 1 : 1 + plan.nextInt((parentSize - 1) / (size - 1));
                    int start = plan.nextInt(parentSize - (size == 1 ? 0 : stride * (size - 1)));
                    int[] members = Arrays.stream(arguments(start, size == 1 ? 0 : stride, size))
                            .map(i -> planned.members()[i])
                            .toArray();
                    Team child = null;
                    if (team != null) {
                        child = strided(team, start, stride, size);
                        assertThat(child == null)
                                .isEqualTo(Arrays.stream(members).noneMatch(pe -> pe == me));
                        if (child != null) {
                            assertThat(members(child)).containsExactly(members);
                        }
                    }
                    made++;
                    open.add(new Planned(made, members, child));
                }
                case 1 -> {
                    if (team != null) {
                        team.sync();
                    }
                }
                case 2 -> {
                    if (team != null) {
                        long[][] words = team.exchange("test", 0, planned.number(), step, me);
                        for (int member = 0; member < words.length; member++) {
                            assertThat(words[member])
                                    .containsExactly(planned.number(), step, planned.members()[member]);
                        }
                    }
                }
                default -> {
                    if (planned.number() > 0) {
                        open.remove(planned);
                        close(team);
                    }
                }
            }
            while (open.size() > 12) {
                close(open.remove(1 + plan.nextInt(open.size() - 1)).team());
            }
        }
        for (Planned planned : open) {
            if (planned.number() > 0) {
                close(planned.team());
            }
        }
        shmem.barrierAll();
        // All slots are free again: so many teams at once were too many if some had leaked.
        List<Team> many = new ArrayList<>();
        for (int i = 0; i < SharedHeap.TEAMS - 1; i++) {
            many.add(Objects.requireNonNull(strided(shmem.world(), 0, 1, n)));
            if (n > 2 && i == 40) {
                break;
            }
        }
        if (n <= 2) {
            assertThatThrownBy(() -> close(strided(shmem.world(), 0, 1, n)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("teams");
        }
        many.forEach(Team::close);
    }

    private static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.yield();
        }
    }

    /** Threads of one PE make teams of teams of their own at the same time. */
    static void bySeveralThreads(HostShmem shmem) throws Exception {
        int n = shmem.nPes();
        int threads = 3;
        List<Team> parents = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            parents.add(Objects.requireNonNull(strided(shmem.world(), i % 2 == 0 ? 0 : n - 1, i % 2 == 0 ? 1 : -1, n)));
        }
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Team parent = parents.get(i);
                int number = i;
                futures.add(executor.submit(() -> {
                    for (int round = 0; round < 100; round++) {
                        try (Team team = Objects.requireNonNull(strided(parent, 0, 1, n))) {
                            for (long[] words : team.exchange("test", 0, number, round)) {
                                assertThat(words).containsExactly(number, round);
                            }
                        }
                    }
                }));
            }
            for (Future<?> future : futures) {
                future.get();
            }
        }
        parents.forEach(Team::close);
    }
}
