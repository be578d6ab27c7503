// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.jspecify.annotations.Nullable;

/** Dispatches of an {@link ExpertParallel} that have not been combined yet: each has a slot of the memory. */
final class Flights {
    private final ExpertParallel owner;
    private final MoeChecks checks;
    private final @Nullable Routed[] flying;
    /** How often each slot was used. */
    private final long[] uses;

    private int next;

    Flights(ExpertParallel owner, MoeChecks checks, int most) {
        this.owner = owner;
        this.checks = checks;
        this.flying = new @Nullable Routed[most];
        this.uses = new long[most];
    }

    /**
     * Returns a free slot.
     *
     * @param but one that is not taken even if it is free; -1 for none
     * @throws IllegalStateException if there is none
     */
    int free(String operation, int but) {
        for (int i = 0; i < flying.length; i++) {
            int slot = (next + i) % flying.length;
            if (flying[slot] == null && slot != but) {
                return slot;
            }
        }
        throw new IllegalStateException(checks.at(operation) + flying.length
                + (but < 0 ? " dispatches are in flight" : " dispatches are in flight, or have the routes")
                + ": combine or close one, or make it with MoeOptions.inFlight("
                + (flying.length + 1) + ")");
    }

    /**
     * Returns a dispatch that begins in this slot.
     *
     * @param ended one that stands for it; null for a new one
     */
    Routed begin(@Nullable Routed ended, int slot, int tokens, boolean received, Routed.Views views) {
        Routed routed = ended == null ? new Routed(owner, views) : ended;
        routed.begin(slot, ++uses[slot], tokens, received, views);
        flying[slot] = routed;
        next = (slot + 1) % flying.length;
        return routed;
    }

    /** Throws if it is of another object. */
    void ours(String operation, Routed routed) {
        if (routed.owner() != owner) {
            throw new IllegalArgumentException(checks.at(operation) + routed + " is of another exchange than " + owner);
        }
    }

    /** Throws if its memory is not as it was. */
    void kept(String operation, Routed routed) {
        ours(operation, routed);
        if (uses[routed.slot()] != routed.use()) {
            throw new IllegalStateException(checks.at(operation) + "the memory of " + routed
                    + " was used by another dispatch since: there is MoeOptions.inFlight");
        }
    }

    /** Throws if it was combined, or its memory is not as it was. */
    void begun(String operation, Routed routed) {
        if (flying[routed.slot()] != routed) {
            throw new IllegalStateException(checks.at(operation) + routed + " was ended before its sums came");
        }
    }

    /** Throws if it still has its memory, so that it cannot stand for another dispatch. */
    void ended(String operation, Routed routed) {
        if (flying[routed.slot()] == routed) {
            throw new IllegalStateException(operation + ": " + routed + " has not ended yet: "
                    + (routed.isEnded() ? "receive its sums first" : "combine or close it first"));
        }
    }

    boolean flies(Routed routed) {
        return flying[routed.slot()] != null;
    }

    /** Throws if there are any. */
    void none(String operation) {
        for (Routed each : flying) {
            if (each != null) {
                throw new IllegalStateException(
                        checks.at(operation) + each + " is in flight: combine or close it first");
            }
        }
    }

    /** Ends one, by an operation. */
    void end(Routed routed, String operation) {
        routed.end(operation);
        free(routed);
    }

    /** Gives back the memory of one that has ended. */
    void free(Routed routed) {
        flying[routed.slot()] = null;
    }

    /** Ends all, and begins with the first slot again. */
    void endAll(String operation) {
        for (int slot = 0; slot < flying.length; slot++) {
            Routed routed = flying[slot];
            if (routed != null) {
                routed.cut(operation);
            }
            flying[slot] = null;
            uses[slot]++;
        }
        next = 0;
    }
}
