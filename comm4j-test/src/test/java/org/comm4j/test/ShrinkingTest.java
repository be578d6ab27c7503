// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShrinkingTest {
    /** Returns lists with an element less, or with one of them less by 1. */
    private static List<List<Integer>> simpler(List<Integer> numbers) {
        List<List<Integer>> lists = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i++) {
            List<Integer> without = new ArrayList<>(numbers);
            without.remove(/* index */ i);
            lists.add(without);
        }
        for (int i = 0; i < numbers.size(); i++) {
            if (numbers.get(i) > 0) {
                List<Integer> less = new ArrayList<>(numbers);
                less.set(i, less.get(i) - 1);
                lists.add(less);
            }
        }
        return lists;
    }

    /** Fails where one number is above 6 and another one below 3; shorter lists are no cases of it. */
    private static void check(List<Integer> numbers) {
        if (numbers.size() < 2) {
            throw new IllegalArgumentException("two numbers are needed");
        }
        boolean wrong =
                numbers.stream().anyMatch(n -> n > 6) && numbers.stream().anyMatch(n -> n < 3);
        assertThat(wrong).as("%s", numbers).isFalse();
    }

    @Test
    void theSimplestCaseThatFailsAlikeIsFound() {
        List<Integer> numbers = List.of(4, 9, 5, 2, 12, 3);
        Shrinking<List<Integer>> found =
                Shrinking.of(numbers, new AssertionError(), ShrinkingTest::simpler, ShrinkingTest::check, 1000);
        assertThat(found.problem()).containsExactly(0, 7);
        assertThat(found.failure()).hasMessageContaining("[0, 7]");
        assertThat(found.trials()).isBetween(10, 200);
    }

    @Test
    void trialsEndAtTheirLimit() {
        List<Integer> numbers = List.of(4, 9, 5, 2, 12, 3);
        Shrinking<List<Integer>> found =
                Shrinking.of(numbers, new AssertionError(), ShrinkingTest::simpler, ShrinkingTest::check, 3);
        assertThat(found.trials()).isEqualTo(3);
        assertThat(found.problem()).hasSizeLessThan(6).contains(2);
    }

    @Test
    void anotherFailureIsNoReason() {
        List<Integer> numbers = List.of(8, 1);
        Shrinking<List<Integer>> found =
                Shrinking.of(numbers, new IllegalStateException(), ShrinkingTest::simpler, ShrinkingTest::check, 1000);
        assertThat(found.problem()).isEqualTo(numbers);
    }
}
