// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Objects;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;

/** Wrong calls: each is an exception that says what is wrong, and nothing happens. */
final class MisuseCases {
    private MisuseCases() {}

    private static void assertRefused(Class<? extends Exception> type, ThrowingCallable call, String... words) {
        AbstractThrowableAssert<?, ?> refused = assertThatThrownBy(call).isInstanceOf(type);
        for (String word : words) {
            refused.hasMessageContaining(word);
        }
    }

    private static void assertWrong(ThrowingCallable call, String... words) {
        assertRefused(IllegalArgumentException.class, call, words);
    }

    private static void assertOutside(ThrowingCallable call, String... words) {
        assertRefused(IndexOutOfBoundsException.class, call, words);
    }

    @SuppressWarnings("NullAway") // nulls are what is tested
    static void wrongArguments(HostShmem s) {
        int n = s.nPes();
        try (SymmetricArray array = s.allocate(DataType.INT64, 10)) {
            for (int pe : new int[] {-1, n, Integer.MAX_VALUE}) {
                assertWrong(() -> s.ptr(array, pe), "ptr on PE " + s.myPe(), "PE " + pe, "0 to " + (n - 1));
            }
            assertOutside(() -> array.slice(5, 6), "6 elements at 5");
            assertWrong(() -> s.allocate(DataType.INT8, -1).close(), "-1");
            assertWrong(() -> s.allocate(DataType.INT64, Long.MAX_VALUE).close(), "INT64");
            assertWrong(() -> s.timeout(Duration.ofSeconds(-1)), "negative");
            assertWrong(() -> HostShmem.init(s.heap().world(), -1).close(), "-1 bytes");
            assertRefused(NullPointerException.class, () -> s.allocate(null, 1).close());
            assertRefused(NullPointerException.class, () -> s.ptr(null, 0));
            for (int member : new int[] {-1, n}) {
                assertOutside(() -> s.world().worldRank(member), "member " + member);
                assertOutside(() -> s.world().await("test", member, 0), "member " + member);
                assertOutside(() -> s.world().eager(member, 0), "member " + member);
            }
            s.barrierAll();
        }
    }

    static void freedAndForeign(HostShmem s) {
        SymmetricArray freed = s.allocate(DataType.INT64, 4);
        SymmetricArray part = freed.slice(1, 2);
        SymmetricArray alive = s.allocate(DataType.INT64, 4);
        freed.close();
        for (SymmetricArray array : new SymmetricArray[] {freed, part}) {
            assertRefused(IllegalStateException.class, () -> s.ptr(array, 0), "freed", "PE " + s.myPe());
        }
        part.close();
        HostShmem other = HostShmem.init(s.heap().world(), 1 << 20);
        SymmetricArray foreign = other.allocate(DataType.INT64, 4);
        assertWrong(() -> s.ptr(foreign, 0), "another symmetric heap");
        assertWrong(() -> other.ptr(alive, 0), "another symmetric heap");
        other.barrierAll();
        other.close();
        other.close();
        foreign.close();
        assertRefused(IllegalStateException.class, () -> other.ptr(foreign, 0), "closed");
        assertRefused(IllegalStateException.class, other::memory, "memory", "closed");
        assertRefused(IllegalStateException.class, other::barrierAll, "barrierAll", "closed");
        assertRefused(
                IllegalStateException.class,
                () -> other.allocate(DataType.INT8, 1).close(),
                "allocate",
                "closed");
        assertRefused(
                IllegalStateException.class, () -> Host.communicator(other).close());
        alive.close();
    }

    static void closedTeam(HostShmem s) {
        Team team = Objects.requireNonNull(s.world().split("split", 0, 0));
        team.close();
        team.close();
        assertRefused(IllegalStateException.class, team::sync, "closed");
        assertRefused(IllegalStateException.class, () -> team.split("split", 0, 0), "closed");
        s.world().close();
        s.barrierAll();
    }

    /** Whoever calls something else than the others is told, and so are they; the heap is out of step then. */
    static void differentCalls(HostShmem s) {
        if (s.nPes() == 1) {
            return;
        }
        boolean isLast = s.myPe() == s.nPes() - 1;
        try (HostShmem other = HostShmem.init(s.heap().world(), 1 << 20)) {
            other.timeout(Duration.ofSeconds(60));
            assertRefused(
                    CollectiveMismatchException.class,
                    isLast
                            ? other::barrierAll
                            : () -> other.allocate(DataType.INT8, 1).close(),
                    isLast ? "barrierAll" : "allocate",
                    "rank " + (s.nPes() - 1) + " calls barrierAll()",
                    "calls allocate()");
            assertRefused(IllegalStateException.class, other::barrierAll, "out of step");
            // The others may still have to hear of it.
            s.barrierAll();
        }
    }
}
