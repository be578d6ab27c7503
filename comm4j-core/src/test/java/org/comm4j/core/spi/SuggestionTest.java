// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
    @ParameterizedTest
    @CsvSource({
        "jacbi, ; did you mean jacobi?",
        "rnu, ; did you mean run?",
        "NCLL, ; did you mean nccl?",
        "jacobi-nccl, ''",
        "x, ''",
        "'', ''"
    })
    void theClosestWordIsSuggestedIfItIsCloseEnough(String word, String suggestion) {
        assertThat(Suggestion.of(word, List.of("run", "jacobi", "nccl", "host")))
                .isEqualTo(suggestion);
    }
}
