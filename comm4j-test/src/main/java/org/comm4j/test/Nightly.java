// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import java.util.List;
import java.util.stream.IntStream;

/** The longer one of the two builds: the profile "nightly" sets a system property. */
public final class Nightly {
    /** The name of the system property. */
    public static final String PROPERTY = "comm4j.test.nightly";

    private static final boolean ON = Boolean.getBoolean(PROPERTY);

    private Nightly() {}

    /** Returns whether this is it. */
    public static boolean isOn() {
        return ON;
    }

    /** Returns how often to repeat what is random or concurrent: a few times for every change, many times by night. */
    public static int times(int few, int many) {
        return ON ? many : few;
    }

    /**
     * Returns those to try in one place of what is tried in another place, too: all by night, otherwise every third.
     */
    public static <T> List<T> again(List<T> all) {
        return ON
                ? all
                : IntStream.range(0, all.size())
                        .filter(i -> i % 3 == 0)
                        .mapToObj(all::get)
                        .toList();
    }

    /**
     * Returns the variants to try something with: all by night, otherwise one, another one for another number.
     *
     * @param number of what is tried, such as its place in a list
     */
    public static <T> List<T> variants(int number, List<T> all) {
        return ON ? all : List.of(all.get(Math.floorMod(number, all.size())));
    }
}
