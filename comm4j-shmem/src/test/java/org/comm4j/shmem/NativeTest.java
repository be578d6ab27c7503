// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.List;
import java.util.Map;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** The native engine under {@code oshrun}, over Open MPI's OpenSHMEM. */
@Timeout(120)
class NativeTest extends ProcessesContract {
    @BeforeAll
    static void needsOshrun() {
        Oshrun.require();
    }

    @Override
    List<Integer> sizes() {
        return Nightly.isOn() ? Sizes.of(1, 2, 3, 4, 5, 8) : Sizes.of(2);
    }

    @Override
    Map.Entry<Integer, String> start(int pes, String... words) {
        return Oshrun.run(pes, words);
    }
}
