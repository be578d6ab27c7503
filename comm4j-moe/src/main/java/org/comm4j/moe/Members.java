// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.WeakHashMap;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.World;

/**
 * PEs that take part in an {@link ExpertParallel}: all of them, until some are excluded. They agree by the world, which
 * knows who has died, and which a PE that died or stays away does not hinder.
 */
final class Members {
    /** How long who agrees waits before it asks the world again who has died. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private static final Map<Object, Integer> MADE = new WeakHashMap<>();

    private final World world;
    private final int me;
    private final int pes;
    /** What names the object, the same on all PEs, which make theirs in the same order. */
    private final String key;

    private final BitSet excluded = new BitSet();

    Members(MoeSite pe) {
        this.world = pe.world();
        this.me = pe.myPe();
        this.pes = pe.nPes();
        synchronized (MADE) {
            this.key = "comm4j-moe " + MADE.merge(pe.identity(), 1, Integer::sum);
        }
    }

    /** Returns those that do not take part any more; a copy. */
    BitSet excluded() {
        return (BitSet) excluded.clone();
    }

    boolean isExcluded(int pe) {
        return excluded.get(pe);
    }

    boolean isComplete() {
        return excluded.isEmpty();
    }

    /** Returns those that take part, in ascending order. */
    int[] living() {
        return without(excluded);
    }

    /** Returns them as {@link MoeSpace#peers} has them, in groups of so many neighbours. */
    int[] table(int group) {
        int[] living = living();
        int groups = pes / group;
        int[] table = Arrays.copyOf(living, pes + groups + 1);
        int first = 0;
        for (int each = 0; each <= groups; each++) {
            while (first < living.length && living[first] < each * group) {
                first++;
            }
            table[pes + each] = first;
        }
        return table;
    }

    private int[] without(BitSet those) {
        BitSet left = new BitSet();
        left.set(0, pes);
        left.andNot(those);
        return left.stream().toArray();
    }

    /**
     * Collective: returns the texts of all members, by rank.
     *
     * @throws RankFailedException if one of them died
     */
    SortedMap<Integer, String> exchange(String operation, String mine, Duration limit) {
        int[] living = living();
        SortedMap<Integer, String> texts = new TreeMap<>();
        if (pes == 1) {
            texts.put(me, mine);
            return texts;
        }
        agree(key + ": calls", living, mine.getBytes(UTF_8), limit)
                .forEach((rank, text) -> texts.put(rank, new String(text, UTF_8)));
        for (int rank : living) {
            if (!texts.containsKey(rank)) {
                throw new RankFailedException(
                        rank, operation + " on PE " + me + " of " + pes + ": rank " + rank + " died or left");
            }
        }
        return texts;
    }

    private SortedMap<Integer, byte[]> agree(String what, int[] ranks, byte[] mine, Duration limit) {
        return world.agree(what, ranks, mine, limit(limit));
    }

    private Duration limit(Duration limit) {
        return limit.isPositive() ? limit : world.timeout();
    }

    /**
     * Collective over the members without {@code rank} and without those that died: excludes these, and returns the
     * words of the members that are left, by rank.
     *
     * @throws CommTimeoutException if one that lives does not come, or excludes another one that lives
     */
    SortedMap<Integer, long[]> exclude(int rank, long[] mine, Duration limit) {
        ByteBuffer bytes = ByteBuffer.allocate(mine.length * Long.BYTES);
        bytes.asLongBuffer().put(mine);
        long end = System.nanoTime() + limit(limit).toNanos();
        BitSet without = excluded();
        without.set(rank);
        while (true) {
            world.failedRanks().forEach(without::set);
            int[] left = without(without);
            SortedMap<Integer, byte[]> values;
            try {
                values = agree(key + ": exclude, left " + Arrays.toString(left), left, bytes.array(), LOOK);
            } catch (CommTimeoutException e) {
                if (System.nanoTime() - end > 0) {
                    throw new CommTimeoutException("exclude on PE " + me + " of " + pes + ": ranks "
                            + Arrays.toString(left) + " are to go on, and not all of them have called exclude(" + rank
                            + ") in " + limit(limit).toMillis() / 1000.0 + " s: " + e.getMessage());
                }
                // Another one may have died, of whom the others know already.
                continue;
            }
            if (values.size() == left.length) {
                excluded.or(without);
                SortedMap<Integer, long[]> words = new TreeMap<>();
                values.forEach((from, value) -> {
                    long[] theirs = new long[mine.length];
                    ByteBuffer.wrap(value).asLongBuffer().get(theirs);
                    words.put(from, theirs);
                });
                return words;
            }
            for (int each : left) {
                if (!values.containsKey(each)) {
                    without.set(each);
                }
            }
        }
    }
}
