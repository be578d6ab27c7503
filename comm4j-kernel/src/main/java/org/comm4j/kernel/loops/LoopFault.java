// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.List;
import java.util.Objects;
import org.comm4j.kernel.ir.Position;

/** What a thread of a block has thrown. */
public final class LoopFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int thread;
    private final transient Position at;
    private final transient List<Position> calls;

    LoopFault(Throwable cause, int thread, Position at) {
        this(cause, thread, at, List.of());
    }

    LoopFault(Throwable cause, int thread, Position at, List<Position> calls) {
        super(null, cause, false, false);
        this.thread = thread;
        this.at = at;
        this.calls = calls;
    }

    /** The number of the thread in its block. */
    public int thread() {
        return thread;
    }

    public Position at() {
        return at;
    }

    /** The calls that lead there, the innermost first. */
    public List<Position> calls() {
        return calls;
    }

    /** What it has thrown. */
    public Throwable cause() {
        return Objects.requireNonNull(getCause());
    }
}
