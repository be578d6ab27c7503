// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** Nothing that goes wrong on one rank is lost, and the tests after it run. */
class RanksRunTest {
    @Test
    void tellsWhatBecameOfEachTest() {
        Map<String, String> outcomes = new LinkedHashMap<>();
        RanksRun.of(
                        2,
                        List.of("-XX:TieredStopAtLevel=1"),
                        Map.of("COMM4J_TIMEOUT", "30"),
                        Duration.ofMinutes(2),
                        RanksSample.class)
                .forEach(test -> {
                    String outcome = "passed";
                    try {
                        test.getExecutable().execute();
                    } catch (TestAbortedException e) {
                        outcome = "skipped: " + e.getMessage();
                    } catch (Throwable e) {
                        outcome = String.valueOf(e.getMessage());
                    }
                    outcomes.put(test.getDisplayName(), outcome);
                });
        assertThat(outcomes.keySet())
                .containsExactly(
                        "RanksSample good()",
                        "RanksSample notHere()",
                        "RanksSample several(int) number 1",
                        "RanksSample several(int) number 2",
                        "RanksSample several(int) number 3",
                        "RanksSample deadly()",
                        "RanksSample last()");
        assertThat(outcomes)
                .containsEntry("RanksSample good()", "passed")
                .containsEntry("RanksSample several(int) number 1", "passed")
                .containsEntry("RanksSample several(int) number 3", "passed")
                .containsEntry("RanksSample last()", "passed");
        assertThat(outcomes.get("RanksSample notHere()"))
                .startsWith("skipped: ")
                .endsWith("there is no reason");
        assertThat(outcomes.get("RanksSample several(int) number 2"))
                .contains("on 2 ranks", "rank 1: ", "[this one's rank]");
        assertThat(outcomes.get("RanksSample deadly()")).contains("rank 0 has not finished");
    }
}
