// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.Objects;
import org.comm4j.kernel.loops.LoopRows;
import org.comm4j.kernel.loops.LoopThreads;
import org.jspecify.annotations.Nullable;

/** The thread of a row, for methods that ask which thread calls: one object is all of them in turn. */
final class RowThreads implements LoopThreads {
    private final Launch launch;
    private @Nullable LoopRows rows;
    private @Nullable BlockState block;
    private @Nullable KernelThread thread;

    RowThreads(Launch launch) {
        this.launch = launch;
    }

    /** Whose threads they are. */
    void of(LoopRows some) {
        rows = some;
    }

    /** Ends a launch, in the thread that has run it. */
    void end() {
        if (thread != null) {
            thread = null;
            block = null;
            KernelThread.setCurrent(null);
        }
    }

    @Override
    public void enter(int number) {
        long now = Objects.requireNonNull(rows).block();
        BlockState in = block;
        if (in == null || in.number != now) {
            in = new BlockState(launch, now);
            block = in;
        }
        KernelThread current = thread;
        if (current == null) {
            current = new KernelThread(in, number, null);
            thread = current;
            KernelThread.setCurrent(current);
        }
        current.enter(in, number);
    }

    @Override
    public int call(int from, int to, Calls calls) {
        throw new IllegalStateException("threads of a row do not wait");
    }
}
