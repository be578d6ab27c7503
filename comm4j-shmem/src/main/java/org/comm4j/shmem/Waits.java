// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.function.BooleanSupplier;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.spi.WaitSet;
import org.jspecify.annotations.Nullable;

/** Looking at, and waiting for, integers of this PE's memory; their places are checked already. */
final class Waits {
    private final Session session;

    Waits(Session session) {
        this.session = session;
    }

    /** The integer at a place of memory; what its writer stored before is visible afterwards. */
    private long load(DataType type, long at) {
        try {
            return type.bytes() == Long.BYTES
                    ? (long) Atomic.LONG.getAcquire(session.memory, at)
                    : WaitSet.widened(type, (int) Atomic.INT.getAcquire(session.memory, at));
        } catch (IllegalStateException e) {
            // Another thread has closed the memory meanwhile.
            session.check("wait");
            throw e;
        }
    }

    boolean test(SymmetricBuffer variable, long at, Comparison comparison, long value) {
        return WaitSet.holds(variable.type(), load(variable.type(), at), comparison, value);
    }

    /** Waits for one integer; returns what was seen. */
    long await(String operation, SymmetricBuffer variable, long index, long at, Comparison comparison, long value) {
        DataType type = variable.type();
        long seen = load(type, at);
        if (WaitSet.holds(type, seen, comparison, value)) {
            return seen;
        }
        Engine.Wait wait = session.engine.newWait(
                operation, () -> WaitSet.describe(variable, index, load(type, at), comparison, value));
        do {
            wait.once();
            seen = load(type, at);
        } while (!WaitSet.holds(type, seen, comparison, value));
        wait.end();
        return seen;
    }

    /** Several integers, the first of them at {@code at}. */
    WaitSet several(
            String operation,
            SymmetricArray variables,
            long at,
            boolean @Nullable [] skip,
            Comparison comparison,
            long[] values) {
        return new Several(operation, variables, at, skip, comparison, values);
    }

    private final class Several extends WaitSet {
        private final String operation;
        private final DataType type;
        private final long at;

        Several(
                String operation,
                SymmetricArray variables,
                long at,
                boolean @Nullable [] skip,
                Comparison comparison,
                long[] values) {
            super(operation + " on " + session.where(), variables, skip, comparison, values, variables.turn);
            this.operation = operation;
            this.type = variables.type();
            this.at = at;
        }

        @Override
        protected long seen(long i) {
            return load(type, at + i * type.bytes());
        }

        @Override
        protected void await(BooleanSupplier done, String which) {
            Engine.Wait wait = session.engine.newWait(operation, () -> describe(which));
            do {
                wait.once();
            } while (!done.getAsBoolean());
            wait.end();
        }
    }
}
