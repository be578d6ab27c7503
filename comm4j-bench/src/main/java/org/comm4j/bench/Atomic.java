// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Atomic operations of NVSHMEM's perftests, with the names of their option {@code -a}. */
public enum Atomic {
    INC,
    ADD,
    AND,
    OR,
    XOR,
    SET,
    SWAP,
    FETCH_INC,
    FETCH_ADD,
    FETCH_AND,
    FETCH_OR,
    FETCH_XOR,
    COMPARE_SWAP;

    private static final int USUAL = 500;

    /**
     * With the name that the perftests' option {@code -a} has for it.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public static Atomic named(String name) {
        return Arrays.stream(values())
                .filter(each -> each.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no atomic operation '" + name
                        + "'; there are "
                        + Arrays.stream(values()).map(Atomic::toString).collect(Collectors.joining(", "))));
    }

    /** What is in a word before the first of several operations. */
    long begin() {
        return this == AND || this == FETCH_AND ? -1 : 0;
    }

    /** The most operations in a row after which a word of so many bytes still changes, or the programs' number. */
    int iterations(int bytes) {
        return switch (this) {
            case AND, OR, FETCH_AND, FETCH_OR -> 8 * bytes;
            default -> USUAL;
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
