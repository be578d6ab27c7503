// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.Set;

/**
 * A stream of operations whose order and end are looked after apart from others' ({@code shmem_ctx_t}). PEs are
 * members' numbers of the team that it was made of.
 *
 * <p>An engine may complete more than this context's operations when it is asked for these; what the specification
 * promises holds.
 */
public final class Context extends OneSided implements AutoCloseable {
    /** What a program promises of a context, so that an engine can do less ({@code SHMEM_CTX_*}). */
    public enum Option {
        /** No two threads use it at the same time. */
        SERIALIZED,
        /** Only the thread that made it uses it. */
        PRIVATE,
        /**
         * Neither {@link Context#quiet} nor {@link Context#fence} is needed for stores of this PE to its own memory.
         */
        NOSTORE
    }

    private final Team team;
    private final Set<Option> options;
    private final Thread owner = Thread.currentThread();
    private volatile boolean closed;

    Context(Session session, Team team, Set<Option> options) {
        super(session, session.engine.newStream(options));
        this.team = team;
        this.options = options;
    }

    /** The team that it was made of ({@code shmem_ctx_get_team}). */
    public Team team() {
        return team;
    }

    @Override
    int pe(String operation, int pe) {
        check(operation);
        if (pe < 0 || pe >= team.size()) {
            throw new IllegalArgumentException(operation + " on " + session.where() + ": " + pe
                    + " is not a member's number in " + team + ", which are 0 to " + (team.size() - 1));
        }
        return team.worldPe(pe);
    }

    @Override
    void check(String operation) {
        session.check(operation);
        if (closed) {
            throw new IllegalStateException(operation + " on " + session.where() + ": " + this + " was closed");
        }
        if (options.contains(Option.PRIVATE) && !Thread.currentThread().equals(owner)) {
            throw new IllegalStateException(
                    operation + " on " + session.where() + ": " + this + " is private to " + owner);
        }
    }

    /** {@link #quiet}, and no operation after that ({@code shmem_ctx_destroy}). */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (session.isHeapOpen()) {
                stream.close();
            }
        }
    }

    @Override
    public String toString() {
        return "Context[" + team + (options.isEmpty() ? "" : ", " + options) + (closed ? ", closed]" : "]");
    }
}
