// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.PgasTeam.Axes;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Teams: who is in them, how they are made, and what happens if the members do not agree. */
class TeamContract {
    private final Nvshmem shmem = Pes.current();
    private final int me = shmem.myPe();
    private final int n = shmem.nPes();

    private static int[] pes(Team team) {
        return IntStream.range(0, team.size()).map(team::worldPe).toArray();
    }

    @Test
    void theWorldIsEverybodyInOrder() {
        Team world = shmem.world();
        assertThat(world.size()).isEqualTo(n);
        assertThat(world.rank()).isEqualTo(me);
        for (int pe = 0; pe < n; pe++) {
            assertThat(world.worldPe(pe)).isEqualTo(pe);
            assertThat(world.memberOf(pe)).isEqualTo(pe);
        }
        assertThat(world.memberOf(n)).isEqualTo(-1);
        assertThatThrownBy(() -> world.worldPe(n))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("member " + n);
        world.close();
        assertThat(world.isOpen()).isTrue();
    }

    @Test
    void theLibrarysOwnTeamsHaveThisPeAndAreMadeOnce() {
        for (Team team : new Team[] {shmem.node(), shmem.shared(), shmem.sameMypeNode(), shmem.sameGpu()}) {
            assertThat(team.worldPe(team.rank())).as("this PE in " + team).isEqualTo(me);
            assertThat(team.memberOf(me)).isEqualTo(team.rank());
            assertThat(pes(team)).doesNotHaveDuplicates();
            team.close();
            assertThat(team.isOpen()).isTrue();
        }
        assertThat(shmem.node()).isSameAs(shmem.node());
    }

    @Test
    void everySecondMember() {
        int size = (n + 1) / 2;
        try (Team even = shmem.world().splitStrided(0, 2, size)) {
            if (me % 2 == 1) {
                assertThat(even).isNull();
                return;
            }
            assertThat(even).isNotNull();
            assertThat(even.size()).isEqualTo(size);
            assertThat(even.rank()).isEqualTo(me / 2);
            for (int member = 0; member < size; member++) {
                assertThat(even.worldPe(member)).isEqualTo(2 * member);
                assertThat(shmem.world().translate(2 * member, even)).isEqualTo(member);
                assertThat(even.translate(member, shmem.world())).isEqualTo(2 * member);
            }
            assertThat(even.memberOf(1)).isEqualTo(-1);
            even.barrier();
            // A part of a part: the last of the even ones.
            try (Team last = even.splitStrided(size - 1, 1, 1)) {
                assertThat(last == null).isEqualTo(even.rank() != size - 1);
                if (last != null) {
                    assertThat(last.size()).isEqualTo(1);
                    assertThat(last.worldPe(0)).isEqualTo(me);
                    last.barrier();
                }
            }
        }
    }

    @Test
    void rowsAndColumns() {
        int xRange = 2;
        Axes<Team> axes = shmem.world().split2d(xRange);
        try (Team x = axes.x();
                Team y = axes.y()) {
            int row = me / xRange;
            int column = me % xRange;
            assertThat(pes(x))
                    .containsExactly(IntStream.range(row * xRange, Math.min(n, (row + 1) * xRange))
                            .toArray());
            assertThat(pes(y))
                    .containsExactly(IntStream.range(0, n)
                            .filter(pe -> pe % xRange == column)
                            .toArray());
            assertThat(x.rank()).isEqualTo(column);
            assertThat(y.rank()).isEqualTo(row);
            x.barrier();
            y.barrier();
        }
    }

    @Test
    void theOtherWayRoundByAnId() {
        long id = 0;
        if (me == 0) {
            id = shmem.newTeamId();
        }
        id = ByteBuffer.wrap(Pes.world()
                        .exchange(
                                "team id",
                                ByteBuffer.allocate(Long.BYTES).putLong(id).array())
                        .getFirst())
                .getLong();
        try (Team reversed = shmem.team(id, n, n - 1 - me)) {
            assertThat(reversed.rank()).isEqualTo(n - 1 - me);
            assertThat(pes(reversed))
                    .containsExactly(IntStream.range(0, n).map(pe -> n - 1 - pe).toArray());
            reversed.barrier();
        }
    }

    @Test
    void theConfigurationIsKept() {
        Axes<Team> axes = shmem.world().split2d(n, new TeamConfig(3), TeamConfig.DEFAULT);
        assertThat(axes.x().config()).isEqualTo(new TeamConfig(3));
        axes.x().close();
        axes.y().close();
        assertThatThrownBy(() -> new TeamConfig(-2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void afterClosingItIsNoTeam() {
        Team all = shmem.world().splitStrided(0, 1, n);
        all.close();
        all.close();
        assertThat(all.isOpen()).isFalse();
        assertThatThrownBy(all::barrier)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed")
                .hasMessageContaining("PE " + me);
    }

    @Test
    void argumentsThatNameNoTeam() {
        Team world = shmem.world();
        for (int[] wrong : new int[][] {{-1, 1, 1}, {0, 0, 1}, {0, 1, 0}, {0, 1, n + 1}, {n, 1, 1}, {0, -1, 1}}) {
            assertThatThrownBy(() -> world.splitStrided(wrong[0], wrong[1], wrong[2]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("splitStrided(" + wrong[0] + ", " + wrong[1] + ", " + wrong[2] + ")");
        }
        assertThatThrownBy(() -> world.split2d(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shmem.team(1, n + 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shmem.team(1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void differentArgumentsAreFoundByAll() {
        Assumptions.assumeTrue(n > 1, "one PE agrees with itself");
        assertThatThrownBy(() -> shmem.world().splitStrided(0, 1, me == 0 ? 1 : n))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining(
                        "PE " + (me == 0 ? n - 1 : 0) + " calls splitStrided(0, 1, " + (me == 0 ? n : 1) + ")");
        assertThatThrownBy(() -> shmem.world().split2d(me == 0 ? 1 : 2))
                .isInstanceOf(CollectiveMismatchException.class);
        // Nothing has happened.
        shmem.barrierAll();
        try (Team pair = shmem.world().splitStrided(0, 1, 2)) {
            if (pair != null) {
                assertThatThrownBy(() -> pair.split2d(1 + pair.rank()))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("PE " + (1 - pair.rank()) + " calls split2d(" + (2 - pair.rank()) + ")");
                pair.barrier();
            }
        }
    }
}
