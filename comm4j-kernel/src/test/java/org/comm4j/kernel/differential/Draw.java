// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.util.List;
import java.util.SplittableRandom;

/** Random choices from a seed. */
final class Draw {
    /** Letters of other alphabets, which names in Java may have. */
    private static final String[] LETTERS = {"λ", "ж", "ß", "é", "_", "变", "ñ_"};

    private final SplittableRandom random;
    private int names;

    Draw(long seed) {
        random = new SplittableRandom(seed);
    }

    int nextInt(int bound) {
        return random.nextInt(bound);
    }

    int nextInt(int from, int to) {
        return random.nextInt(from, to);
    }

    <T> T any(T[] from) {
        return from[random.nextInt(from.length)];
    }

    <T> T any(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Makes a name that is used once; some have letters of other alphabets. */
    String name(String start) {
        return start + (chance(15) ? any(LETTERS) : "") + names++;
    }
}
