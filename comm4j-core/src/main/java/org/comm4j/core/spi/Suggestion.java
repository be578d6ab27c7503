// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** The word that somebody probably meant who wrote another one. */
public final class Suggestion {
    private Suggestion() {}

    /** Returns the end of a message, {@code "; did you mean x?"}, or nothing if no word is like it. */
    public static String of(String word, Collection<String> words) {
        String wanted = word.toLowerCase(Locale.ROOT);
        return words.stream()
                .min(Comparator.comparingInt(each -> distance(wanted, each.toLowerCase(Locale.ROOT))))
                .filter(each -> distance(wanted, each.toLowerCase(Locale.ROOT)) <= Math.max(1, wanted.length() / 4))
                .map(each -> "; did you mean " + each + "?")
                .orElse("");
    }

    /** Counts letters to insert, delete, change or swap with their neighbour. */
    private static int distance(String one, String other) {
        int[][] steps = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    steps[i][j] = i + j;
                    continue;
                }
                int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                int best = Math.min(steps[i - 1][j - 1] + change, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
                if (i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1)) {
                    best = Math.min(best, steps[i - 2][j - 2] + 1);
                }
                steps[i][j] = best;
            }
        }
        return steps[one.length()][other.length()];
    }
}
