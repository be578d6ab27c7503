// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.World;
import org.comm4j.ffi.OperatingSystem;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the library finds in C's environment, and what is there afterwards. */
class EnvironmentTest {
    private static final String AFFINITY = "NVSHMEM_CPU_AFFINITY";
    private static final String INTERFACE = "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME";
    private static final String SIZE = "NVSHMEM_SYMMETRIC_SIZE";

    private final OperatingSystem system = OperatingSystem.current();

    @BeforeEach
    @AfterEach
    void nothingIsSet() {
        for (String name : new String[] {AFFINITY, INTERFACE, SIZE}) {
            system.setVariable(name, null);
        }
    }

    private @Nullable String affinity() {
        return system.variable(AFFINITY);
    }

    @Test
    void processorsAreLeftAloneAndTheSocketIsOfThisMachine() {
        World.threads(1, world -> {
            Environment environment = Environment.enter(world, NvshmemOptions.DEFAULT);
            assertThat(affinity()).isEqualTo("OFF");
            assertThat(system.variable(INTERFACE)).isEqualTo("lo");
            assertThat(system.variable(SIZE)).isNull();
            environment.leave();
            assertThat(affinity()).isNull();
            assertThat(system.variable(INTERFACE)).isNull();
        });
    }

    @Test
    void theUsersWordCountsAndTheProgramsMore() {
        system.setVariable(AFFINITY, "AUTO");
        system.setVariable(SIZE, "1G");
        World.threads(1, world -> {
            Environment environment = Environment.enter(world, NvshmemOptions.DEFAULT);
            assertThat(affinity()).isEqualTo("AUTO");
            assertThat(system.variable(SIZE)).isEqualTo("1G");
            environment.leave();
            environment = Environment.enter(world, NvshmemOptions.DEFAULT.symmetricSize(77));
            assertThat(system.variable(SIZE)).isEqualTo("77");
            environment.leave();
            assertThat(system.variable(SIZE)).isEqualTo("1G");
            assertThat(affinity()).isEqualTo("AUTO");
        });
    }

    @Test
    void sizesAsTheLibraryReadsThem() {
        assertThat(Bytes.parse("X", "4096")).isEqualTo(4096);
        assertThat(Bytes.parse("X", " 512M ")).isEqualTo(512L << 20);
        assertThat(Bytes.parse("X", "1.5g")).isEqualTo(3L << 29);
        assertThat(Bytes.parse("X", "2k")).isEqualTo(2048);
        assertThat(Bytes.parse("X", "1T")).isEqualTo(1L << 40);
        for (String wrong : new String[] {"", "G", "much"}) {
            assertThatThrownBy(() -> Bytes.parse("NVSHMEM_X", wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("NVSHMEM_X is '" + wrong + "'");
        }
    }

    @Test
    void versionsAreCompared() {
        assertThat(Library.isAtLeast("3.4.5", 3, 4)).isTrue();
        assertThat(Library.isAtLeast("3.10.0", 3, 7)).isTrue();
        assertThat(Library.isAtLeast("4.0", 3, 7)).isTrue();
        assertThat(Library.isAtLeast("3.4.5", 3, 7)).isFalse();
        assertThat(Library.isAtLeast("2.11.0", 3, 4)).isFalse();
        assertThat(Library.isAtLeast("?", 3, 4)).isFalse();
    }
}
