// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** Nothing that goes wrong on one PE is lost, and the tests after it run. */
class PesRunTest {
    @Test
    void tellsWhatBecameOfEachTest() {
        Map<String, String> outcomes = new LinkedHashMap<>();
        PesRun.of(2, Machine.SIMULATED_3_4_5, PesSample.class).forEach(test -> {
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
                        "PesSample good()",
                        "PesSample badOnOne()",
                        "PesSample notHere()",
                        "PesSample several(int) number 1",
                        "PesSample several(int) number 2",
                        "PesSample several(int) number 3",
                        "PesSample deadly()",
                        "PesSample last()");
        assertThat(outcomes)
                .containsEntry("PesSample good()", "passed")
                .containsEntry("PesSample several(int) number 1", "passed")
                .containsEntry("PesSample several(int) number 3", "passed")
                .containsEntry("PesSample last()", "passed");
        assertThat(outcomes.get("PesSample badOnOne()")).contains("on 2 PEs", "PE 1: ", "[this one's rank]");
        assertThat(outcomes.get("PesSample notHere()")).startsWith("skipped: ").endsWith("there is no reason");
        assertThat(outcomes.get("PesSample several(int) number 2")).contains("PE 0: ", "PE 1: ");
        assertThat(outcomes.get("PesSample deadly()")).contains("PE 0 has not finished");
    }
}
