// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.List;
import org.comm4j.kernel.ir.Position;
import org.jspecify.annotations.Nullable;

/** Threads of a block wait for others that never come. */
public final class LoopStuck extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * What a thread waits in, and where; nothing if it has ended.
     *
     * @param what {@code Block.sync()}
     */
    public record Waiting(@Nullable String what, @Nullable Position at) {}

    private final transient List<Waiting> threads;

    LoopStuck(List<Waiting> threads) {
        super(null, null, false, false);
        this.threads = List.copyOf(threads);
    }

    /** By the threads' numbers in their block. */
    public List<Waiting> threads() {
        return threads;
    }
}
