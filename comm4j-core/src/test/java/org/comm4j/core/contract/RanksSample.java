// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link RanksRunTest} runs: tests that go well and tests that do not. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RanksSample {
    @Test
    @Order(1)
    void good() {
        RanksProgram.world().barrier();
    }

    @Test
    @Order(2)
    void notHere() {
        Assumptions.abort("there is no reason");
    }

    @ParameterizedTest(name = "number {index}")
    @ValueSource(ints = {1, 2, 3})
    @Order(3)
    void several(int which) {
        if (which == 2) {
            assertThat(RanksProgram.world().rank()).as("this one's rank").isNotEqualTo(1);
        }
        RanksProgram.world().barrier();
    }

    @Test
    @Order(4)
    void deadly() {
        if (RanksProgram.world().rank() == 0) {
            Runtime.getRuntime().halt(77);
        }
        RanksProgram.world().barrier();
    }

    @Test
    @Order(5)
    void last() {
        RanksProgram.world().barrier();
    }
}
