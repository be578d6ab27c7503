// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.function.Consumer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Collectives that do not fit together are found by the embedded engine without checked mode. */
@Timeout(120)
class EmbeddedMismatchTest {
    private static final int PES = 3;
    private static final int MOST = 4 << 10;

    /** What a PE has for a mismatch. */
    private record Setup(OpenShmem shmem, Team team, SymmetricArray to, SymmetricArray from) {}

    /** Each PE in turn makes the other call, in a team of its own; all get out, and are told who called what. */
    private static void mismatch(Consumer<Setup> usual, Consumer<Setup> other, String... words) {
        World.threads(PES, world -> {
            OpenShmemOptions embedded = OpenShmemOptions.defaults().engine(OpenShmemOptions.Engine.EMBEDDED);
            try (OpenShmem shmem = OpenShmem.init(world, embedded)) {
                shmem.timeout(Duration.ofSeconds(60));
                SymmetricArray to = shmem.allocate(DataType.INT32, PES * MOST);
                SymmetricArray from = shmem.allocate(DataType.INT32, PES * MOST);
                for (int odd = 0; odd < PES; odd++) {
                    Team team = shmem.world().splitStrided(0, 1, PES);
                    Setup setup = new Setup(shmem, team, to, from);
                    Consumer<Setup> mine = shmem.myPe() == odd ? other : usual;
                    Throwable thrown = catchThrowable(() -> mine.accept(setup));
                    // Who waits for nobody finds out when it does.
                    for (int i = 0; thrown == null && i < 2; i++) {
                        thrown = catchThrowable(team::sync);
                    }
                    assertThat(thrown)
                            .as("PE %d, where PE %d is odd", shmem.myPe(), odd)
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContainingAll(words)
                            .hasMessageContaining("rank " + odd);
                    assertThatThrownBy(team::sync)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("out of step");
                    team.close();
                    shmem.barrierAll();
                }
            }
        });
    }

    @Test
    void operations() {
        mismatch(s -> s.team.sync(), s -> s.team.reduce(s.to, s.from, 4, ReduceOp.SUM), "sync()", "reduce(4 x INT32");
        mismatch(
                s -> s.team.broadcast(s.to, s.from, MOST, 0),
                s -> s.team.fcollect(s.to, s.from, MOST),
                "broadcast(4096 x INT32, root 0)",
                "fcollect(4096 x INT32)");
        mismatch(s -> s.team.splitStrided(0, 1, 2), s -> s.team.barrier(), "splitStrided()", "barrier()");
        mismatch(s -> s.team.collect(s.to, s.from, 1), s -> s.team.allToAll(s.to, s.from, 1), "collect(", "allToAll(");
    }

    @Test
    void arguments() {
        mismatch(
                s -> s.team.reduce(s.to, s.from, 4, ReduceOp.SUM),
                s -> s.team.reduce(s.to, s.from, 5, ReduceOp.SUM),
                "4 x INT32",
                "5 x INT32");
        mismatch(
                s -> s.team.reduce(s.to, s.from, MOST, ReduceOp.SUM),
                s -> s.team.reduce(s.to, s.from, MOST, ReduceOp.MAX),
                "SUM",
                "MAX");
        for (int count : new int[] {4, MOST}) {
            mismatch(
                    s -> s.team.broadcast(s.to, s.from, count, 0),
                    s -> s.team.broadcast(s.to, s.from, count, 1),
                    "root 0",
                    "root 1");
        }
        mismatch(
                s -> s.team.fcollect(s.to, s.from, 4),
                s -> s.team.fcollect(s.to, s.from.slice(4, 4), 4),
                "other counts, offsets or places");
    }
}
