// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** {@link WaitSet} over an array whose elements another "PE" changes while it is waited for. */
class WaitSetTest {
    /** A host array that claims to be symmetric. */
    private static final class Here extends HostArray implements SymmetricBuffer {
        final WaitSet.Turn turn = new WaitSet.Turn();

        Here(HostArray array) {
            super(array.type(), array.segment());
        }

        @Override
        public long offset() {
            return 0;
        }

        @Override
        public Here slice(long offset, long count) {
            return new Here(HostArray.wrap(sliceSegment(offset, count), type()));
        }

        @Override
        public Here view(DataType other) {
            return new Here(HostArray.wrap(segment(), other));
        }

        @Override
        public void close() {}
    }

    /** A wait in which something happens after so many looks. */
    private static final class Scripted extends WaitSet {
        private final Here array;
        private final int looks;
        private final Runnable then;
        private long allocated;
        private String description = "";

        Scripted(
                Here array,
                boolean @Nullable [] skip,
                Comparison comparison,
                int looks,
                Runnable then,
                long... values) {
            super("wait on the test", array, skip, comparison, values, array.turn);
            this.array = array;
            this.looks = looks;
            this.then = then;
        }

        @Override
        protected long seen(long i) {
            return widened(array.type(), array.getLong(i));
        }

        @Override
        protected void await(BooleanSupplier done, String which) {
            description = describe(which);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int look = 0; look < looks; look++) {
                assert !done.getAsBoolean();
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
            then.run();
            assertThat(done.getAsBoolean()).isTrue();
        }
    }

    private static Scripted test(Here array, boolean @Nullable [] skip, Comparison comparison, long... values) {
        return new Scripted(array, skip, comparison, 0, () -> {}, values);
    }

    @Test
    void looksThatFindNothingAllocateNothing() {
        int looks = 20_000;
        Here a = new Here(HostArray.allocate(DataType.INT64, 8));
        for (int way = 0; way < 3; way++) {
            a.fill(0);
            Scripted wait = new Scripted(a, null, Comparison.EQ, looks, () -> a.fill(5), 5);
            switch (way) {
                case 0 -> wait.awaitAll();
                case 1 -> assertThat(wait.awaitAny()).isBetween(0L, 7L);
                default -> assertThat(wait.awaitSome()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
            }
            // The compiler and others may allocate a little; an object for each look would be hundreds of thousands of
            // bytes.
            assertThat(wait.allocated).as("way " + way).isLessThan(looks);
            assertThat(wait.description)
                    .contains(
                            "of Here[8 x INT64] to be EQ", "element 0 of", "which is 0, is the first that is not EQ 5");
        }
    }

    @Test
    void eachInTurn() {
        Here a = new Here(HostArray.allocate(DataType.INT32, 100));
        a.setLong(0, 1);
        a.setLong(1, 1);
        a.setLong(99, 1);
        int[] times = new int[100];
        for (int i = 0; i < 30; i++) {
            times[(int) test(a, null, Comparison.EQ, 1).awaitAny()]++;
            times[(int) test(a, null, Comparison.EQ, 1).testAny()]++;
        }
        assertThat(new int[] {times[0], times[1], times[99]}).containsExactly(20, 20, 20);
    }

    @Test
    void allAreSeenAtOneTimeOrAnother() {
        Here a = new Here(HostArray.of(5L, 0L, 5L));
        Scripted wait = new Scripted(
                a,
                null,
                Comparison.EQ,
                1,
                () -> {
                    // The first one was seen before.
                    a.setLong(0, 6);
                    a.setLong(1, 5);
                },
                5);
        wait.awaitAll();
        assertThat(test(a, null, Comparison.EQ, 5).testAll()).isFalse();
        assertThat(test(a, null, Comparison.EQ, 5).testSome()).containsExactly(1, 2);
        assertThat(test(a, new boolean[] {true, false, false}, Comparison.EQ, 5).testAll())
                .isTrue();
    }

    @Test
    void emptySetsAreNotWaitedFor() {
        boolean[] all = new boolean[3];
        Arrays.fill(all, true);
        Here three = new Here(HostArray.of(1, 2, 3));
        Here none = new Here(HostArray.allocate(DataType.INT32, 0));
        test(three, all, Comparison.EQ, 9).awaitAll();
        assertThat(test(three, all, Comparison.NE, 9).awaitAny()).isEqualTo(-1);
        assertThat(test(three, all, Comparison.NE, 9).awaitSome()).isEmpty();
        test(none, null, Comparison.EQ, 9).awaitAll();
        assertThat(test(none, null, Comparison.EQ, 9).awaitAny()).isEqualTo(-1);
        assertThat(test(none, null, Comparison.EQ, 9).testSome()).isEmpty();
    }

    @Test
    void valuesAreOfTheType() {
        Here unsigned = new Here(HostArray.allocate(DataType.UINT64, 2));
        unsigned.setLong(1, -1);
        assertThat(test(unsigned, null, Comparison.GT, Long.MAX_VALUE).testSome())
                .containsExactly(1);
        Here narrow = new Here(HostArray.of(-1, 7));
        assertThat(test(narrow, null, Comparison.EQ, 0xffff_ffffL, (1L << 32) + 7)
                        .testAll())
                .isTrue();
        assertThat(WaitSet.text(DataType.UINT64, -1)).isEqualTo("18446744073709551615");
    }

    @Test
    void wrongNumbersOfArgumentsAreRefused() {
        Here three = new Here(HostArray.of(1, 2, 3));
        assertThatThrownBy(() -> test(three, new boolean[2], Comparison.EQ, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait on the test: skip has 2 entries, not 3");
        assertThatThrownBy(() -> test(three, null, Comparison.EQ, 1, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait on the test: 2 values to compare with, not 1 or 3");
        assertThatThrownBy(() -> test(three, null, Comparison.EQ)).hasMessageContaining("0 values");
    }
}
