// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.time.Duration;
import java.util.stream.Stream;
import org.comm4j.core.World;
import org.comm4j.host.HostShmem;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link PeerCases} on the CPU, with PEs that are threads. */
class PeerThreadsTest {
    static Stream<Arguments> cases() {
        return (Nightly.isOn() ? Sizes.upTo(4) : Sizes.of(3))
                .stream().flatMap(pes -> Stream.of(PeerCases.values()).map(each -> Arguments.of(pes, each)));
    }

    @ParameterizedTest(name = "{0} PEs: {1}")
    @MethodSource("cases")
    void holds(int pes, PeerCases each) {
        try {
            World.threads(pes, world -> {
                try (HostShmem shmem = HostShmem.init(world)) {
                    shmem.timeout(Duration.ofSeconds(60));
                    try (PeerPlace pe = PeerPlace.of(shmem)) {
                        each.run(pe);
                    }
                }
            });
        } catch (Throwable e) {
            throw new AssertionError(
                    each + " on " + pes + " PEs: " + e + "\n(the same data again: " + DeviceContract.SEED_OPTION + ")",
                    e);
        }
    }
}
