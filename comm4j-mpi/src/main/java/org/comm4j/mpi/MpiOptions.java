// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a communicator over MPI. All ranks must give the same.
 *
 * @param waits how blocking calls wait
 */
public record MpiOptions(Wait waits) {
    /** Makes options. */
    public MpiOptions {
        nonNull(waits, "MpiOptions", "waits");
    }

    /** The environment variable of how to wait: {@code poll} or {@code block}. */
    static final String VARIABLE = "COMM4J_MPI_WAIT";

    /** Way of waiting for MPI. */
    public enum Wait {
        /** Tests that end with limits, interrupts and deaths of ranks; see {@link MpiCommunicator}. */
        POLL,
        /** MPI's blocking functions, bare: nothing but the end of the job ends them. */
        BLOCK
    }

    /** Returns the options that {@code COMM4J_MPI_WAIT} gives; polling ones if it is not set. */
    public static MpiOptions standard() {
        return of(System.getenv(VARIABLE));
    }

    static MpiOptions of(@Nullable String wait) {
        return switch (wait == null ? "" : wait.strip().toLowerCase(Locale.ROOT)) {
            case "", "poll" -> polling();
            case "block" -> blocking();
            default ->
                throw new IllegalArgumentException(VARIABLE + " is '" + wait + "'; it is poll, the default, or block");
        };
    }

    /** Returns options with which every wait ends: by a limit, an interrupt or the death of a rank. */
    public static MpiOptions polling() {
        return new MpiOptions(Wait.POLL);
    }

    /**
     * Returns options with which a blocking call is MPI's own: as fast as in C, and like it endless where a rank does
     * not come. Groups and asynchronous calls are polled even so.
     */
    public static MpiOptions blocking() {
        return new MpiOptions(Wait.BLOCK);
    }
}
