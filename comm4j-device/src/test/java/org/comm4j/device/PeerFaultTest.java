// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.device.PeerCollectives.Algorithm;
import org.comm4j.host.HostShmem;
import org.comm4j.host.SymmetricArray;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A PE that does not come is named, and nothing hangs. */
class PeerFaultTest {
    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"ONE_SHOT", "TWO_SHOT", "DIRECT"})
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void thePeThatDoesNotComeIsNamed(Algorithm algorithm) {
        World.threads(3, world -> {
            try (HostShmem shmem = HostShmem.init(world)) {
                shmem.timeout(Duration.ofSeconds(30));
                try (PeerCollectives peers = PeerCollectives.of(shmem);
                        SymmetricArray x = shmem.allocate(DataType.FLOAT32, 100)) {
                    assertThat(peers.timeout()).isEqualTo(Duration.ofSeconds(30));
                    x.fill(1);
                    peers.allReduce(x, x, ReduceOp.SUM, algorithm);
                    assertThat(x.getFloat(99)).isEqualTo(3);
                    peers.timeout(Duration.ofMillis(300));
                    shmem.barrierAll();
                    if (shmem.myPe() != 1) {
                        assertThatThrownBy(() -> peers.allReduce(x, x, ReduceOp.SUM, algorithm))
                                .isInstanceOf(CommTimeoutException.class)
                                .hasMessageContaining("allReduce on PE " + shmem.myPe() + " of 3")
                                .hasMessageContaining("for PE 1 in vain");
                        // It knows, without waiting again.
                        peers.timeout(Duration.ofSeconds(30));
                        long start = System.nanoTime();
                        assertThatThrownBy(() -> peers.allGather(x, x.slice(0, 1), algorithm))
                                .isInstanceOf(CommTimeoutException.class)
                                .hasMessageContaining("PE 1");
                        assertThat(System.nanoTime() - start).isLessThan(15_000_000_000L);
                    }
                    shmem.barrierAll();
                }
            }
        });
    }
}
