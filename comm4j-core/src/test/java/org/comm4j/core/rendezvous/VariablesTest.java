// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class VariablesTest {
    @Test
    void aVariableThatNothingReadsIsNamedWithWhatWasProbablyMeant() {
        assertThat(Variables.complaints(Map.of(
                        "COMM4J_TIMOUT",
                        "5",
                        "COMM4J_ENGINE",
                        "host",
                        "COMM4J_TEST_SEED",
                        "1",
                        "COMMA",
                        "",
                        "PATH",
                        "")))
                .containsExactly("COMM4J_TIMOUT is not a variable that comm4j reads; did you mean COMM4J_TIMEOUT?");
        assertThat(Variables.complaints(Map.of("COMM4J_NOTHING_LIKE_IT", "")))
                .containsExactly("COMM4J_NOTHING_LIKE_IT is not a variable that comm4j reads");
        assertThat(Variables.complaints(System.getenv())).isEmpty();
    }
}
