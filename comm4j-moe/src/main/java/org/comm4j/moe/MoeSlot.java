// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.jspecify.annotations.Nullable;

/** Memory of a dispatch in flight, as kernels and the program see it. It is replaced when experts are placed anew. */
final class MoeSlot {
    private final int number;
    private final MoeSpace space;
    private final MoeSpace sums;
    private final Routed.Views views;
    private final Payloads payloads;
    private final @Nullable Tokens tokens;

    /**
     * Creates a slot.
     *
     * @param sums what a combine reads
     * @param tokens whose payloads or destinations are in it; null if they have none
     */
    MoeSlot(
            int number,
            MoeSpace space,
            MoeSpace sums,
            Routed.Views views,
            Payloads payloads,
            @Nullable Tokens tokens) {
        this.number = number;
        this.space = space;
        this.sums = sums;
        this.views = views;
        this.payloads = payloads;
        this.tokens = tokens;
    }

    int number() {
        return number;
    }

    MoeSpace space() {
        return space;
    }

    MoeSpace sums() {
        return sums;
    }

    Routed.Views views() {
        return views;
    }

    Payloads payloads() {
        return payloads;
    }

    @Nullable
    Tokens tokens() {
        return tokens;
    }

    /** Returns whether it has what goes along with these very tokens, and where they go. */
    @SuppressWarnings("ReferenceEquality") // others have other arrays, with hardly an exception
    boolean isOf(Tokens given) {
        return tokens == given;
    }
}
