// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

/** Who calls a function of a kernel together. */
public enum Group {
    THREAD,
    WARP,
    BLOCK;

    @Override
    public String toString() {
        return switch (this) {
            case THREAD -> "thread";
            case WARP -> "warp";
            case BLOCK -> "block";
        };
    }

    /**
     * With the name that the perftests' option {@code -s} has for it.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public static Group named(String name) {
        for (Group group : values()) {
            if (group.toString().equals(name)) {
                return group;
            }
        }
        throw new IllegalArgumentException("there is no scope '" + name + "'; there are thread, warp, block, and all");
    }

    /** The letter that tables of reductions have for it. */
    String letter() {
        return toString().substring(0, 1);
    }
}
