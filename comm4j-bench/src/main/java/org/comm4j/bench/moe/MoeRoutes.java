// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import java.util.SplittableRandom;

/** Routes of tokens: different experts of a token, by popularity that falls with the expert's number to a power. */
final class MoeRoutes {
    private MoeRoutes() {}

    /** Returns the experts of {@code tokens} tokens, one after the other; the same for the same arguments. */
    static int[] of(MoeSettings settings, int group, int round, int tokens) {
        SplittableRandom random = new SplittableRandom(settings.seed() * 1_000_003 + group * 1009L + round);
        int experts = settings.experts();
        int choices = settings.perToken();
        int[] routes = new int[tokens * choices];
        int[] all = new int[experts];
        double[] popularity = new double[experts];
        for (int e = 0; e < experts; e++) {
            all[e] = e;
            popularity[e] = Math.pow(e + 1.0, -settings.skew());
        }
        for (int t = 0; t < tokens; t++) {
            for (int k = 0; k < choices; k++) {
                int at = settings.skew() == 0 ? random.nextInt(k, experts) : drawn(random, all, popularity, k);
                int chosen = all[at];
                all[at] = all[k];
                all[k] = chosen;
                routes[t * choices + k] = chosen;
            }
        }
        return routes;
    }

    /** The place of an expert of those from {@code from} on, by popularity. */
    private static int drawn(SplittableRandom random, int[] all, double[] popularity, int from) {
        double sum = 0;
        for (int i = from; i < all.length; i++) {
            sum += popularity[all[i]];
        }
        double mark = random.nextDouble() * sum;
        for (int i = from; i < all.length - 1; i++) {
            mark -= popularity[all[i]];
            if (mark < 0) {
                return i;
            }
        }
        return all.length - 1;
    }
}
