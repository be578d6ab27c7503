// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Numbers of ranks or PEs that suites run with. The build names them in a system property, few for every change and all
 * by night; without the property, as in an IDE, all are run.
 */
public final class Sizes {
    /** The name of the system property: numbers with commas between. */
    public static final String PROPERTY = "comm4j.test.sizes";

    private Sizes() {}

    /** Returns those of the wanted sizes that this build runs; the first one if it runs none of them. */
    public static List<Integer> of(int... wanted) {
        return among(System.getProperty(PROPERTY, ""), wanted);
    }

    /** Returns those from 1 to the largest that this build runs. */
    public static List<Integer> upTo(int largest) {
        return of(IntStream.rangeClosed(1, largest).toArray());
    }

    static List<Integer> among(String listed, int... wanted) {
        List<Integer> all = Arrays.stream(wanted).boxed().toList();
        if (listed.isBlank()) {
            return all;
        }
        Set<Integer> run = Arrays.stream(listed.split(","))
                .map(each -> Integer.valueOf(each.strip()))
                .collect(Collectors.toSet());
        List<Integer> both = all.stream().filter(run::contains).toList();
        return both.isEmpty() && !all.isEmpty() ? all.subList(0, 1) : both;
    }
}
