// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;

/**
 * Who the ranks of a communicator are in the world that started them, which is the one that knows when one of them
 * died; the libraries that engines call often do not notice. A communicator that was made without a world has peers of
 * whom nothing is known.
 */
public final class Peers {
    public static final Peers UNKNOWN = new Peers(null, new BitSet(), new int[0]);

    private final @Nullable World world;
    /** Ranks of the world. */
    private final BitSet near;

    private final int[] worldRanks;

    private Peers(@Nullable World world, BitSet near, int[] worldRanks) {
        this.world = world;
        this.near = near;
        this.worldRanks = worldRanks;
    }

    /** All ranks of a world, whoever of them is near. */
    public static Peers all(World world) {
        return all(world, new BitSet());
    }

    /** All ranks of a world, of which those of {@code near} are on this one's host. */
    public static Peers all(World world, BitSet near) {
        return new Peers(world, near, IntStream.range(0, world.size()).toArray());
    }

    /** The peers that have these ranks among these here, in this order. */
    public Peers select(int[] ranks) {
        return world == null
                ? UNKNOWN
                : new Peers(
                        world, near, IntStream.of(ranks).map(r -> worldRanks[r]).toArray());
    }

    /** The peers without those of some ranks. */
    public Peers without(int... ranks) {
        return select(IntStream.range(0, worldRanks.length)
                .filter(r -> IntStream.of(ranks).noneMatch(e -> e == r))
                .toArray());
    }

    /** The ranks here that are known to have died, in ascending order. */
    public List<Integer> failedRanks() {
        if (world == null) {
            return List.of();
        }
        List<Integer> failed = world.failedRanks();
        if (failed.isEmpty()) {
            return failed;
        }
        List<Integer> ranks = new ArrayList<>();
        for (int r = 0; r < worldRanks.length; r++) {
            if (failed.contains(worldRanks[r])) {
                ranks.add(r);
            }
        }
        return ranks;
    }

    /**
     * Collective over the ranks here that live: gives this rank's value, and returns the values of all of them, by rank
     * here. All get the same ({@link World#agree}).
     *
     * @throws IllegalStateException if nothing is known of the world
     */
    public SortedMap<Integer, byte[]> agree(String key, byte[] mine, Duration timeout) {
        World known = world;
        if (known == null) {
            throw new IllegalStateException(
                    key + ": this communicator was made without a World, which alone knows who" + " has died");
        }
        SortedMap<Integer, byte[]> values = known.agree(key, worldRanks, mine, timeout);
        SortedMap<Integer, byte[]> here = new TreeMap<>();
        for (int r = 0; r < worldRanks.length; r++) {
            byte[] value = values.get(worldRanks[r]);
            if (value != null) {
                here.put(r, value);
            }
        }
        return here;
    }

    /** Returns how a rank here died, in parentheses; empty unless that is known. */
    public String fate(int rank) {
        return LastWords.of(world, worldRanks[rank]);
    }

    /** Whether a death would be noticed at all. */
    public boolean areKnown() {
        return world != null;
    }

    /** Whether a rank here is known to be on this one's host. */
    public boolean isNear(int rank) {
        return world != null && near.get(worldRanks[rank]);
    }

    /** The world that started them; null if nothing is known of it. */
    public @Nullable World world() {
        return world;
    }

    /** The rank in the world of a rank here. */
    public int worldRank(int rank) {
        return worldRanks[rank];
    }
}
