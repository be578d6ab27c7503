// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** The native engine over a network that can do nothing by itself (TCP): whatever a PE does to another one's memory, the library of that one has to do. */
@Timeout(120)
class NativeNetworkTest extends ProcessesContract {
    @BeforeAll
    static void needsOshrun() {
        Oshrun.require();
    }

    @Override
    List<Integer> sizes() {
        return List.of(2);
    }

    @Override
    Map.Entry<Integer, String> start(int pes, String... words) {
        return Oshrun.run(pes, Map.of("UCX_TLS", "tcp,self"), words);
    }
}
