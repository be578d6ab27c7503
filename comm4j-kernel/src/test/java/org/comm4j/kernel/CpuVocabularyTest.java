// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;

/** On the executor of the CPU. */
@Timeout(60)
class CpuVocabularyTest extends VocabularyContract {
    static Stream<Machine> machines() {
        return Stream.of(CpuOptions.fast(), CpuOptions.fast().shuffled(5), CpuOptions.debug(), CpuOptions.checked(9))
                .map(Machine::cpu);
    }
}
