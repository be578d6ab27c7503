// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.BitSet;
import org.comm4j.core.World;
import org.comm4j.core.spi.Peers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * How ranks of different processes tell each other how they end a communicator; here threads that do not know of each
 * other.
 */
@Tag("newest")
@Timeout(60)
class FarewellTest {
    @BeforeEach
    void needsTheSimulation() {
        Simulation.requireNewest();
    }

    /** As if the ranks below {@code near} were on one host, and each of the others somewhere else. */
    private static Farewell farewell(World world, String name, int near) {
        BitSet here = new BitSet();
        if (world.rank() < near) {
            here.set(0, near);
        } else {
            here.set(world.rank());
        }
        Farewell farewell = Farewell.join(name, name + " " + world.rank());
        farewell.made(Peers.all(world, here), world.rank(), world.size());
        return farewell;
    }

    private static boolean isInOrder(Farewell farewell) {
        long start = System.nanoTime();
        boolean order = farewell.isInOrder();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
        return order;
    }

    @Test
    void allDestroyTheirParts() {
        World.threads(
                3, world -> assertThat(isInOrder(farewell(world, "all", 3))).isTrue());
    }

    @Test
    void oneAbortsItsPart() {
        World.threads(3, world -> {
            Farewell farewell = farewell(world, "one", 3);
            if (world.rank() == 1) {
                farewell.aborts();
            } else {
                assertThat(isInOrder(farewell)).isFalse();
            }
            world.barrier();
        });
    }

    /** Only the ranks of one's own host matter. */
    @Test
    void whatRanksOfOtherHostsDoIsNobodysBusiness() {
        World.threads(4, world -> {
            Farewell farewell = farewell(world, "hosts", 2);
            if (world.rank() == 3) {
                farewell.aborts();
            }
            world.barrier();
            // Rank 3 says nothing more, and nobody waits for that.
            if (world.rank() < 3) {
                assertThat(isInOrder(farewell)).isTrue();
            }
            world.barrier();
        });
    }

    @Test
    void oneHasAHost() {
        assertThat(Farewell.host()).isEqualTo(Farewell.host());
    }
}
