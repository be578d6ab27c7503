// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.jspecify.annotations.Nullable;

/**
 * Launches of a kernel that were made before, by slot and number of tokens. From as many tokens as blocks on all have
 * one shape ({@link MoeTuning}).
 */
final class KnownLaunches {
    /** A launch, and the slot that its arguments are of. */
    private record Known(MoeSlot slot, MoeLaunch launch) {}

    private final int slots;
    private final int mostTokens;
    private int blocks;
    private @Nullable Known[] all = {};

    /** @param mostTokens of a call */
    KnownLaunches(int slots, int mostTokens) {
        this.slots = slots;
        this.mostTokens = mostTokens;
    }

    /** Returns the launch for so many tokens; null if there is none of the very same slot. */
    @Nullable
    MoeLaunch get(MoeSlot slot, int tokens, int most) {
        if (blocks != most) {
            blocks = most;
            all = new @Nullable Known[slots * (shapes() + 1)];
        }
        Known known = all[at(slot, tokens)];
        return known != null && known.slot == slot ? known.launch : null;
    }

    /** Keeps a launch for so many tokens, and returns it. */
    MoeLaunch put(MoeSlot slot, int tokens, MoeLaunch launch) {
        all[at(slot, tokens)] = new Known(slot, launch);
        return launch;
    }

    private int at(MoeSlot slot, int tokens) {
        return slot.number() * (shapes() + 1) + Math.min(tokens, shapes());
    }

    /** Returns the number of shapes but that of no tokens. */
    private int shapes() {
        return Math.min(blocks, mostTokens);
    }
}
