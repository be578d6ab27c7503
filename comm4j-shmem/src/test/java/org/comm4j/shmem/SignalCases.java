// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;

/** Signals, waits and order. */
final class SignalCases {
    private SignalCases() {}

    static void inVain(OpenShmem shmem) {
        Duration before = shmem.timeout();
        try (SymmetricArray a = shmem.allocate(DataType.INT64, 3)) {
            shmem.p(a, 1, 41, shmem.myPe());
            shmem.timeout(Duration.ofMillis(60));
            assertThatThrownBy(() -> shmem.waitUntil(a, 1, Comparison.EQ, 42))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("waitUntil on PE " + shmem.myPe() + " of " + shmem.nPes())
                    .hasMessageContaining("address 0x" + Long.toHexString(a.address() + 8))
                    .hasMessageContaining("which is 41, to be EQ 42");
            assertThatThrownBy(() -> shmem.waitUntilAll(a, null, Comparison.EQ, 0, 41, 5))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("element 2")
                    .hasMessageContaining("which is 0");
            // Freeing is collective: others may be late.
            shmem.timeout(before);
        } finally {
            shmem.timeout(before);
        }
        // Waits for memory concern nobody else: everything goes on.
        shmem.barrierAll();
    }

    static void interrupted(OpenShmem shmem) {
        String where = " on PE " + shmem.myPe() + " of " + shmem.nPes() + ": interrupted while it waited";
        try (SymmetricArray a = shmem.allocate(DataType.INT64, 1)) {
            shmem.barrierAll();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> shmem.waitUntil(a, 0, Comparison.EQ, 1))
                    .isInstanceOf(CommException.class)
                    .hasMessageContaining("waitUntil" + where);
            // The thread stays interrupted, so the next wait ends at once.
            assertThatThrownBy(() -> shmem.lookAround("the end of the world", System.nanoTime()))
                    .isInstanceOf(CommException.class)
                    .hasMessageContaining("the end of the world" + where);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        shmem.lookAround("nothing", System.nanoTime());
        shmem.barrierAll();
    }
}
