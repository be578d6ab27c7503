// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/**
 * The native engine with nothing of other PEs within reach, as on several machines: all goes through the library's
 * puts, gets and atomics.
 */
@Timeout(120)
class NativeOutOfReachTest extends ProcessesContract {
    @BeforeAll
    static void needsOshrun() {
        Oshrun.require();
    }

    @Override
    List<Integer> sizes() {
        return Nightly.isOn() ? Sizes.of(3, 5) : Sizes.of(2);
    }

    @Override
    Map.Entry<Integer, String> start(int pes, String... words) {
        return Oshrun.run(
                pes,
                Stream.concat(Stream.of("-Dorg.comm4j.shmem.direct=false"), Stream.of(words))
                        .toArray(String[]::new));
    }
}
