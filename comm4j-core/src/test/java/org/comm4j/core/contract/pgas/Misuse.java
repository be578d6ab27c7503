// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract.pgas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Pgas;
import org.comm4j.core.PgasTeam;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.core.SymmetricBuffer;

/** Wrong calls are exceptions that say which call it was, and nothing has happened. */
final class Misuse {
    private Misuse() {}

    private static void refused(Class<? extends Exception> as, ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOf(as).hasMessageContainingAll(words);
    }

    static void wrongArguments(Pgas shmem) {
        int n = shmem.nPes();
        Class<IndexOutOfBoundsException> outside = IndexOutOfBoundsException.class;
        Class<IllegalArgumentException> wrong = IllegalArgumentException.class;
        try (SymmetricBuffer a = shmem.allocate(DataType.INT64, 10);
                SymmetricBuffer b = shmem.allocate(DataType.INT64, 10)) {
            HostArray mine = HostArray.allocate(DataType.INT64, 11);
            String here = "PE " + shmem.myPe() + " of " + n;
            refused(outside, () -> shmem.put(a, mine, 0), "put", here, "11 elements", "SymmetricArray[10 x INT64");
            refused(wrong, () -> shmem.put(a, mine, 5, n), "put", here, "PE " + n);
            refused(wrong, () -> shmem.put(a, mine, 5, -1), "PE -1");
            refused(outside, () -> shmem.put(a, mine, -1, 0), "-1 elements");
            refused(outside, () -> shmem.get(mine, a, 0), "get", here);
            refused(outside, () -> shmem.put(a, 6, mine, 0, 5, 0), "put", here, "destination", "5 elements at 6");
            refused(outside, () -> shmem.putNbi(a, -1, mine, 0, 5, 0), "putNbi", here, "at -1");
            refused(outside, () -> shmem.put(a, 0, mine, 7, 5, 0), "put", here, "source", "5 elements at 7");
            refused(outside, () -> shmem.put(a, 0, mine, Long.MAX_VALUE, 5, 0), "at " + Long.MAX_VALUE);
            refused(outside, () -> shmem.get(mine, -2, a, 0, 5, 0), "get", here, "destination", "at -2");
            refused(outside, () -> shmem.getNbi(mine, 0, a, 10, 1, 0), "getNbi", here, "source", "at 10");
            refused(wrong, () -> shmem.get(mine, 0, a, 0, 5, n), "PE " + n);
            HostArray readOnly = HostArray.wrap(mine.segment().asReadOnly(), DataType.INT64);
            refused(wrong, () -> shmem.get(readOnly, a, 5, n - 1), "get", here, "destination", "is read-only");
            refused(wrong, () -> shmem.getNbi(readOnly, 0, a, 0, 5, 0), "getNbi", here, "is read-only");
            refused(wrong, () -> shmem.iget(readOnly, a, 2, 1, 3, n - 1), "iget", here, "is read-only");
            refused(outside, () -> shmem.p(a, 10, 1, 0), "p ", here, "at 10");
            refused(outside, () -> shmem.g(a, -1, 0), "at -1");
            refused(wrong, () -> shmem.iput(a, mine, 0, 1, 3, 0), "stride 0");
            refused(outside, () -> shmem.iput(a, mine, 4, 1, 4, 0), "13 elements");
            refused(outside, () -> shmem.atomicAdd(a, 10, 1, n - 1), "atomicAdd", here);
            refused(wrong, () -> shmem.atomicAdd(a, 0, 1, n), "PE " + n);
            refused(outside, () -> shmem.waitUntil(a, 10, Comparison.EQ, 0), "waitUntil", here);
            refused(wrong, () -> shmem.world().broadcast(a, b, n), "root " + n);
            refused(
                    wrong,
                    () -> shmem.world().reduce(a.slice(0, 5), a.slice(1, 5), ReduceOp.SUM),
                    "reduce",
                    here,
                    "overlap");
            refused(wrong, () -> shmem.world().reduce(a, b.slice(0, 5), ReduceOp.SUM), "do not fit");
            refused(wrong, () -> shmem.world().fcollect(a, b.slice(0, 3)), "do not fit");
        }
    }

    static void wrongTypes(Pgas shmem) {
        Class<IllegalArgumentException> wrong = IllegalArgumentException.class;
        try (SymmetricBuffer floats = shmem.allocate(DataType.FLOAT32, 4);
                SymmetricBuffer shorts = shmem.allocate(DataType.INT16, 4);
                SymmetricBuffer ints = shmem.allocate(DataType.INT32, 4)) {
            refused(
                    wrong,
                    () -> shmem.put(floats, HostArray.allocate(DataType.INT32, 4), 0),
                    "does not have the type of");
            refused(wrong, () -> shmem.p(floats, 0, 1L, 0), "p of an integer");
            refused(wrong, () -> shmem.p(ints, 0, 1.0, 0), "p of a floating-point number");
            refused(wrong, () -> shmem.g(floats, 0, 0), "g of an integer");
            refused(wrong, () -> shmem.gDouble(ints, 0, 0), "of a floating-point number");
            refused(wrong, () -> shmem.atomicAdd(shorts, 0, 1L, 0), "integers of 32 or 64 bits");
            refused(wrong, () -> shmem.atomicAdd(floats, 0, 1L, 0), "integers of 32 or 64 bits");
            refused(wrong, () -> shmem.atomicSwap(ints, 0, 1.0, 0), "FLOAT32 or FLOAT64");
            refused(wrong, () -> shmem.signal(ints, 0, 1, SignalOp.SET, 0), "signals");
            refused(wrong, () -> shmem.world().broadcast(ints, floats, 0), "does not have the type");
        }
    }

    /** Memory that is not of this heap, and a freed one. */
    static void arraysOfOthers(Pgas shmem) {
        SymmetricBuffer other = new OtherBuffer(HostArray.allocate(DataType.INT64, 4));
        HostArray mine = HostArray.allocate(DataType.INT64, 4);
        try (SymmetricBuffer a = shmem.allocate(DataType.INT64, 4)) {
            Class<IllegalArgumentException> wrong = IllegalArgumentException.class;
            refused(wrong, () -> shmem.put(other, mine, 0), "put", "PE " + shmem.myPe(), "belongs to another");
            refused(wrong, () -> shmem.put(a, other, 0), "put", "source");
            refused(wrong, () -> shmem.get(mine, other, 0), "belongs to another");
            refused(wrong, () -> shmem.atomicAdd(other, 0, 1, 0), "belongs to another");
            refused(wrong, () -> shmem.putSignal(a, mine, other, 0, 1, SignalOp.SET, 0), "belongs to another");
            refused(wrong, () -> shmem.waitUntil(other, 0, Comparison.EQ, 0), "belongs to another");
            refused(wrong, () -> shmem.waitUntilAny(other, null, Comparison.EQ, 0), "belongs to another");
            refused(wrong, () -> shmem.world().reduce(a, other, ReduceOp.SUM), "belongs to another");
        }
    }

    private record OtherBuffer(HostArray memory) implements SymmetricBuffer {
        @Override
        public DataType type() {
            return memory.type();
        }

        @Override
        public long count() {
            return memory.count();
        }

        @Override
        public long address() {
            return memory.address();
        }

        @Override
        public long offset() {
            return 0;
        }

        @Override
        public SymmetricBuffer slice(long offset, long count) {
            return new OtherBuffer(memory.slice(offset, count));
        }

        @Override
        public SymmetricBuffer view(DataType other) {
            return this;
        }

        @Override
        public boolean isAlive() {
            return true;
        }

        @Override
        public void copyFrom(HostArray source) {
            memory.copyFrom(source);
        }

        @Override
        public void copyTo(HostArray target) {
            memory.copyTo(target);
        }

        @Override
        public void fill(double value) {
            memory.fill(value);
        }

        @Override
        public void close() {}
    }

    static void freedAndClosed(Pgas shmem) {
        Class<IllegalStateException> gone = IllegalStateException.class;
        SymmetricBuffer freed = shmem.allocate(DataType.INT64, 4);
        SymmetricBuffer part = freed.slice(1, 2);
        freed.close();
        refused(gone, () -> shmem.p(freed, 0, 1, 0), "was freed");
        refused(gone, () -> shmem.put(part, HostArray.of(1L, 2L), 0), "was freed");
        refused(gone, () -> shmem.waitUntil(part, 0, Comparison.EQ, 1), "was freed");
        assertThat(freed.isAlive()).isFalse();
        assertThat(part.isAlive()).isFalse();

        PgasTeam team = shmem.world().splitStrided(0, 1, shmem.nPes());
        assertThat(team).isNotNull();
        try (SymmetricBuffer a = shmem.allocate(DataType.INT64, 4)) {
            team.sync();
            assertThat(team.isOpen()).isTrue();
            team.close();
            team.close();
            assertThat(team.isOpen()).isFalse();
            refused(gone, team::sync, "sync", "was closed");
            refused(gone, () -> team.broadcast(a, a, 0), "was closed");
        }
        shmem.world().close();
        shmem.world().sync();
    }
}
