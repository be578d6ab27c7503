// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.junit.jupiter.api.Test;

/** Conflicts between the calls of a group are found however many calls there are. */
class GroupMemoryTest {
    private static final int RANKS = 2;
    private static final int MANY = 40;

    private static Call call() {
        return new Call(0, RANKS);
    }

    private static HostArray memory(long count) {
        return HostArray.allocate(DataType.FLOAT32, count);
    }

    private static boolean isRefused(Call... calls) {
        try {
            GroupMemory.check(calls, calls.length);
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    /** The calls, between others that use memory of their own. */
    private static Call[] amongMany(Call... calls) {
        Call[] all = new Call[MANY + calls.length];
        Arrays.setAll(all, i -> call().broadcast(null, memory(4), 1));
        for (int i = 0; i < calls.length; i++) {
            all[i * MANY / calls.length] = calls[i];
        }
        return all;
    }

    @Test
    void whatAnOperationInPlaceReadsBesideWhatItWritesCounts() {
        HostArray x = memory(64);
        HostArray first = x.slice(0, 32);
        HostArray second = x.slice(32, 32);
        Call writer = call().broadcast(null, second, 1);
        for (Call inPlace : new Call[] {
            call().reduceScatter(x, first, ReduceOp.SUM), call().scatter(x, first, 0),
        }) {
            assertThatThrownBy(() -> GroupMemory.check(new Call[] {inPlace, writer}, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("group", inPlace.toString(), writer.toString());
            Call[] many = amongMany(inPlace, writer);
            assertThatThrownBy(() -> GroupMemory.check(many, many.length))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("group", inPlace.toString(), writer.toString());
            // Reading what both only read is no conflict.
            assertThat(isRefused(amongMany(inPlace, call().send(second, 1)))).isFalse();
            assertThat(isRefused(amongMany(inPlace))).isFalse();
        }
    }

    /** Whether a group of many is refused follows from its pairs. */
    @Test
    void manyCallsAreRefusedAsTheirPairsAre() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        int refused = 0;
        for (int round = 0; round < 400; round++) {
            HostArray memory = memory(1 << random.nextInt(6, 14));
            Call[] calls = new Call[MANY];
            Arrays.setAll(calls, i -> random(random, memory));
            boolean expected = false;
            for (int i = 0; i < MANY; i++) {
                for (int j = 0; j < i; j++) {
                    expected |= isRefused(calls[j], calls[i]);
                }
            }
            refused += expected ? 1 : 0;
            assertThat(isRefused(calls))
                    .as("seed %d, round %d: %s", seed, round, Arrays.toString(calls))
                    .isEqualTo(expected);
        }
        assertThat(refused).as("seed %d", seed).isBetween(1, 399);
    }

    private static Call random(SplittableRandom random, HostArray memory) {
        long part = random.nextLong(0, 3);
        HostArray mine = memory.slice(random.nextLong(memory.count() - RANKS * part + 1), RANKS * part);
        HostArray half = mine.slice(0, part);
        return switch (random.nextInt(8)) {
            case 0 -> call().reduceScatter(mine, half, ReduceOp.SUM);
            case 1 -> call().scatter(mine, half, 0);
            case 2 -> call().allGather(half, mine);
            case 3 -> call().allReduce(mine, mine, ReduceOp.MAX);
            case 4 -> call().recv(mine, 1);
            default -> call().send(mine, 1);
        };
    }
}
