// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.comm4j.core.CommException;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;

/**
 * The agreement by which the ranks of a communicator that live go on without the others: they agree on who lives, make
 * something together, and agree on whether all have it. If a rank dies meanwhile they begin again without it, so that
 * either all have it or none has. The world decides who lives, whatever the engine's library noticed.
 */
public final class Survivors {

    /** What makes a communicator of some ranks; collective over these. */
    @FunctionalInterface
    public interface Maker<C extends AutoCloseable> {

        /**
         * Makes it, or throws if that failed, on this rank or on all.
         *
         * @param ranks those of {@link Peers} that live, in ascending order, this one among them
         */
        C make(int[] ranks);
    }

    private Survivors() {}

    /**
     * Collective over the ranks of {@code peers} that live.
     *
     * @param key the same on all ranks, and another one for every other communicator of the job
     * @param timeoutNanos the limit of each wait; 0 for the world's
     * @throws CommException if a rank cannot make it although nobody died meanwhile; a rank that could not gets what
     *     {@code maker} threw
     * @throws IllegalStateException if nothing is known of the world
     */
    public static <C extends AutoCloseable> C goOn(Peers peers, String key, long timeoutNanos, Maker<C> maker) {
        World world = peers.world();
        if (world == null) {
            throw new IllegalStateException(
                    key + ": the communicator was made without a World, which alone knows who has died");
        }
        Duration timeout = timeoutNanos > 0 ? Duration.ofNanos(timeoutNanos) : world.timeout();
        while (true) {
            int[] living = ranks(peers.agree(key + ": who lives", new byte[0], timeout));
            C made = null;
            RuntimeException failure = null;
            try {
                made = maker.make(living);
            } catch (RuntimeException e) {
                failure = e;
            }
            String problem = failure == null ? "" : String.valueOf(failure);
            SortedMap<Integer, byte[]> outcomes = null;
            try {
                outcomes =
                        peers.select(living).agree(key + ": made", problem.getBytes(StandardCharsets.UTF_8), timeout);
            } finally {
                if (outcomes == null) {
                    close(made);
                }
            }
            List<byte[]> problems =
                    outcomes.values().stream().filter(each -> each.length > 0).toList();
            if (outcomes.size() == living.length && problems.isEmpty() && made != null) {
                return made;
            }
            close(made);
            if (outcomes.size() == living.length) {
                throw failure != null ? failure : refused(key, outcomes);
            }
        }
    }

    private static CommException refused(String key, Map<Integer, byte[]> outcomes) {
        StringBuilder text = new StringBuilder(key);
        outcomes.forEach((rank, problem) -> {
            if (problem.length > 0) {
                text.append("; of those that live, number ")
                        .append(rank)
                        .append(" says: ")
                        .append(new String(problem, StandardCharsets.UTF_8));
            }
        });
        return new CommException(text.toString());
    }

    private static int[] ranks(Map<Integer, byte[]> values) {
        return values.keySet().stream().mapToInt(rank -> rank).toArray();
    }

    private static void close(@Nullable AutoCloseable made) {
        try {
            if (made != null) {
                made.close();
            }
        } catch (Exception e) {
            // It is of no use either way.
            return;
        }
    }
}
