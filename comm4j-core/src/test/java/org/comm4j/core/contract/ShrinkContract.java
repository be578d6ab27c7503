// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.junit.jupiter.api.Test;

/** Ranks that are threads die, and the others go on. */
public abstract class ShrinkContract {
    private final Engine engine;
    private final Consumer<Communicator> die;
    private final Duration timeout;

    /** How a rank gets its communicator. */
    @FunctionalInterface
    protected interface Engine {

        /** Makes the communicator of all ranks, which {@code body} closes. */
        void run(World world, Consumer<Communicator> body);
    }

    /**
     * @param die what a rank does with its communicator before its thread ends
     * @param timeout of every wait
     */
    protected ShrinkContract(Engine engine, Consumer<Communicator> die, Duration timeout) {
        this.engine = engine;
        this.die = die;
        this.timeout = timeout;
    }

    /** The end of a rank. */
    private static final class DeathException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DeathException() {
            super("on purpose");
        }
    }

    private void lose(int ranks, List<List<Integer>> deaths) {
        Map<Integer, Object> ends = new ConcurrentHashMap<>();
        assertThatThrownBy(() -> World.threads(ranks, true, world -> {
                    try {
                        engine.run(world, comm -> {
                            comm.timeout(timeout);
                            ends.put(world.rank(), LostRanks.run(world, comm, deaths, each -> {
                                die.accept(each);
                                throw new DeathException();
                            }));
                        });
                    } catch (DeathException e) {
                        ends.put(world.rank(), "died");
                        throw e;
                    } catch (Throwable e) {
                        ends.put(world.rank(), e);
                        throw e;
                    }
                }))
                .isInstanceOf(DeathException.class);
        List<Integer> dead = deaths.stream().flatMap(List::stream).toList();
        for (int rank = 0; rank < ranks; rank++) {
            if (ends.get(rank) instanceof Throwable e) {
                throw new AssertionError("rank " + rank + " of " + ranks + ", deaths " + deaths + ": " + e, e);
            }
            assertThat(String.valueOf(ends.get(rank)))
                    .as("rank " + rank)
                    .endsWith(dead.contains(rank) ? "died" : "finished");
        }
    }

    @Test
    void twoDieInTurn() {
        lose(4, List.of(List.of(3), List.of(1)));
    }

    @Test
    void theRootDies() {
        lose(4, List.of(List.of(0), List.of(2)));
    }

    @Test
    void twoDieAtOnce() {
        lose(4, List.of(List.of(1, 2)));
    }

    @Test
    void oneIsLeft() {
        lose(3, List.of(List.of(2), List.of(0)));
    }

    /** Who lives and does not come is named; when it comes, all go on, in the same or in a later attempt. */
    @Test
    void whoDoesNotComeIsNamed() {
        World.threads(
                2,
                world -> engine.run(world, comm -> {
                    try (comm) {
                        if (world.rank() == 0) {
                            comm.timeout(Duration.ofMillis(100));
                            assertThatThrownBy(comm::shrink)
                                    .isInstanceOf(CommTimeoutException.class)
                                    .hasMessageContaining("rank 1 did not come");
                        }
                        world.barrier();
                        comm.timeout(timeout);
                        if (comm.engine().equals("nccl")) {
                            assertThatThrownBy(comm::shrink)
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessageContaining("nobody is gone");
                            return;
                        }
                        try (Communicator all = comm.shrink()) {
                            assertThat(all.size()).isEqualTo(2);
                            assertThat(all.rank()).isEqualTo(world.rank());
                            all.barrier();
                            assertThatThrownBy(comm::barrier).hasMessageContaining("was shrunk");
                        }
                    }
                }));
    }
}
