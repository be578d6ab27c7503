// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract.pgas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Pgas;
import org.comm4j.core.PgasTeam;
import org.comm4j.core.SymmetricBuffer;

/** Teams. */
final class Teams {
    private Teams() {}

    static void strided(Pgas shmem) {
        int n = shmem.nPes();
        int[][] splits = {{0, 1, n}, {0, 2, (n + 1) / 2}, {n / 2, 1, n - n / 2}, {n - 1, 1, 1}, {n / 2, 7, 1}};
        for (int[] split : splits) {
            try (PgasTeam team = shmem.world().splitStrided(split[0], split[1], split[2])) {
                int place = -1;
                for (int i = 0; i < split[2]; i++) {
                    if (split[0] + i * split[1] == shmem.myPe()) {
                        place = i;
                    }
                }
                assertThat(team == null).isEqualTo(place < 0);
                if (team != null) {
                    assertThat(team.rank()).isEqualTo(place);
                    assertThat(team.size()).isEqualTo(split[2]);
                    for (int i = 0; i < split[2]; i++) {
                        assertThat(team.worldPe(i)).isEqualTo(split[0] + i * split[1]);
                    }
                    team.sync();
                }
            }
        }
    }

    static void grids(Pgas shmem) {
        int n = shmem.nPes();
        for (int width : new int[] {1, 2, 3, n, n + 5}) {
            PgasTeam.Axes<? extends PgasTeam> axes = shmem.world().split2d(width);
            try (PgasTeam x = axes.x();
                    PgasTeam y = axes.y()) {
                int row = shmem.myPe() / width;
                assertThat(x.rank()).isEqualTo(shmem.myPe() % width);
                assertThat(x.size()).isEqualTo(Math.min(width, n - row * width));
                assertThat(y.rank()).isEqualTo(row);
                for (int i = 0; i < y.size(); i++) {
                    assertThat(y.worldPe(i)).isEqualTo(i * width + shmem.myPe() % width);
                }
                x.sync();
                y.sync();
            }
        }
    }

    static void translation(Pgas shmem) {
        int n = shmem.nPes();
        int second = n / 2;
        try (PgasTeam last = shmem.world().splitStrided(second, 1, n - second)) {
            assertThat(last != null).isEqualTo(shmem.myPe() >= second);
            if (last != null) {
                for (int i = 0; i < n; i++) {
                    assertThat(shmem.world().translate(i, last)).isEqualTo(i < second ? -1 : i - second);
                }
                for (int i = 0; i < last.size(); i++) {
                    assertThat(last.translate(i, shmem.world())).isEqualTo(second + i);
                }
                try (PgasTeam one = last.splitStrided(last.size() - 1, 1, 1)) {
                    assertThat(one != null).isEqualTo(shmem.myPe() == n - 1);
                    if (one != null) {
                        assertThat(one.worldPe(0)).isEqualTo(n - 1);
                    }
                }
            }
        }
        assertThat(shmem.world().memberOf(n)).isEqualTo(-1);
        assertThatThrownBy(() -> shmem.world().worldPe(n)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    static void synchronise(Pgas shmem) {
        int n = shmem.nPes();
        PgasTeam.Axes<? extends PgasTeam> axes = shmem.world().split2d(2);
        try (SymmetricBuffer a = shmem.allocate(DataType.INT64, n);
                PgasTeam x = axes.x();
                PgasTeam y = axes.y()) {
            for (int round = 1; round <= 40; round++) {
                PgasTeam team = round % 2 == 0 ? x : y;
                for (int member = 0; member < team.size(); member++) {
                    shmem.p(a, shmem.myPe(), round, team.worldPe(member));
                }
                team.barrier();
                HostArray here = a.toHost();
                for (int member = 0; member < team.size(); member++) {
                    assertThat(here.getLong(team.worldPe(member))).isGreaterThanOrEqualTo(round);
                }
                team.sync();
            }
            shmem.barrierAll();
        }
    }

    static void differentArguments(Pgas shmem) {
        if (shmem.nPes() > 1) {
            int size = shmem.myPe() == 0 ? 1 : 2;
            assertThatThrownBy(() -> shmem.world().splitStrided(0, 1, size))
                    .isInstanceOf(CollectiveMismatchException.class);
        }
        shmem.world().sync();
        assertThatThrownBy(() -> shmem.world().splitStrided(0, 1, shmem.nPes() + 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shmem.world().splitStrided(0, 0, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shmem.world().split2d(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
