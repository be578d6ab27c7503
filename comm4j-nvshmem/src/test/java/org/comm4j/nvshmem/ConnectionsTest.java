// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.comm4j.core.ReduceOp;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.comm4j.nvshmem.Connections.Kind;
import org.junit.jupiter.api.Test;

/** Which collective calls are known. */
class ConnectionsTest {
    private static long reduce(long elements) {
        return Connections.call(Kind.REDUCE, NvshmemType.INT32, ReduceOp.SUM, elements);
    }

    @Test
    void callsDifferByAllThatTheyAreMadeWith() {
        Set<Long> calls = new HashSet<>();
        int made = 0;
        for (long elements : new long[] {1, 2, 255, 256, 1L << 16, (1L << 47) - 1}) {
            for (NvshmemType type : NvshmemType.values()) {
                for (Kind kind : Kind.values()) {
                    for (ReduceOp op : ReduceOp.values()) {
                        calls.add(Connections.call(kind, type, op, elements));
                        made++;
                    }
                }
            }
        }
        assertThat(calls).hasSize(made).doesNotContain(0L);
    }

    @Test
    void whatWasAddedIsKnown() {
        Connections connections = new Connections();
        for (long elements = 1; elements <= 60_000; elements++) {
            assertThat(connections.have(reduce(elements))).isFalse();
            connections.add(reduce(elements));
            connections.add(reduce(elements));
            assertThat(connections.have(reduce(elements))).isTrue();
        }
        for (long elements = 1; elements <= 60_000; elements++) {
            assertThat(connections.have(reduce(elements))).isTrue();
        }
        assertThat(connections.have(reduce(60_001))).isFalse();
    }

    @Test
    void itDoesNotGrowForEver() {
        Connections connections = new Connections();
        for (long elements = 1; elements <= 500_000; elements++) {
            connections.add(reduce(elements));
            assertThat(connections.have(reduce(elements))).isTrue();
        }
        assertThat(connections.have(reduce(1))).isFalse();
    }
}
