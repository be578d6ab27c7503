// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/** How a wait or test compares a symmetric value with a given one ({@code SHMEM_CMP_*}, {@code NVSHMEM_CMP_*}). */
public enum Comparison {
    EQ,
    NE,
    GT,
    GE,
    LT,
    LE;

    /**
     * Returns whether a value compares as asked with another one, of which {@link Comparable#compareTo} said {@code
     * compared}.
     */
    public boolean holds(int compared) {
        return switch (this) {
            case EQ -> compared == 0;
            case NE -> compared != 0;
            case GT -> compared > 0;
            case GE -> compared >= 0;
            case LT -> compared < 0;
            case LE -> compared <= 0;
        };
    }
}
