// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;

/** Teams. */
final class TeamCases {
    private TeamCases() {}

    static void strided(OpenShmem shmem) {
        int n = shmem.nPes();
        int[][] splits = {
            {0, 1, n}, {n - 1, -1, n}, {0, 2, (n + 1) / 2}, {n / 2, 0, 1}, {n - 1, 1, 1}, {n - 1, -2, (n + 1) / 2}
        };
        for (int[] split : splits) {
            try (Team team = shmem.world().splitStrided(split[0], split[1], split[2])) {
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

    static void translation(OpenShmem shmem) {
        int n = shmem.nPes();
        try (Team back = shmem.world().splitStrided(n - 1, -1, n)) {
            for (int i = 0; i < n; i++) {
                assertThat(back.translate(i, shmem.world())).isEqualTo(n - 1 - i);
                assertThat(shmem.world().translate(i, back)).isEqualTo(n - 1 - i);
            }
            try (Team first = back.splitStrided(0, 1, 1)) {
                assertThat(first != null).isEqualTo(shmem.myPe() == n - 1);
                if (first != null && n > 1) {
                    assertThat(shmem.world().translate(0, first)).isEqualTo(-1);
                }
            }
        }
        assertThat(shmem.world().memberOf(n)).isEqualTo(-1);
        assertThatThrownBy(() -> shmem.world().worldPe(n)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** More than there is room for at once. */
    static void withoutEnd(OpenShmem shmem) {
        int n = shmem.nPes();
        for (int i = 0; i < 150; i++) {
            try (Team team = shmem.world().splitStrided(i % n, 1, n - i % n)) {
                if (team != null) {
                    team.sync();
                }
            }
        }
    }

    static void differentArguments(OpenShmem shmem) {
        if (shmem.nPes() > 1) {
            int size = shmem.myPe() == 0 ? 1 : 2;
            assertThatThrownBy(() -> shmem.world().splitStrided(0, 1, size))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("all members must call the same");
            assertThatThrownBy(() -> {
                        if (shmem.myPe() == 0) {
                            shmem.world().split2d(1);
                        } else {
                            shmem.world().splitStrided(0, 1, 1);
                        }
                    })
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("calls another collective method; all members must call the same");
        }
        shmem.world().sync();
        assertThatThrownBy(() -> shmem.world().splitStrided(0, 1, shmem.nPes() + 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shmem.world().splitStrided(0, 0, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shmem.world().split2d(0)).isInstanceOf(IllegalArgumentException.class);
    }

    static void contexts(OpenShmem shmem) {
        int n = shmem.nPes();
        try (SymmetricArray a = shmem.allocate(DataType.INT64, 1);
                Team back = shmem.world().splitStrided(n - 1, -1, n);
                Context context = back.newContext()) {
            assertThat(context.team()).isSameAs(back);
            context.p(a, 0, 100 + shmem.myPe(), 0);
            context.quiet();
            back.sync();
            if (back.rank() == 0) {
                assertThat(a.getLong(0)).isBetween(100L, 99L + n);
            }
            assertThat(context.g(a, 0, 0)).isBetween(100L, 99L + n);
            assertThatThrownBy(() -> context.p(a, 0, 1, n)).hasMessageContaining("is not a member's number");
            back.sync();
        }
    }
}
