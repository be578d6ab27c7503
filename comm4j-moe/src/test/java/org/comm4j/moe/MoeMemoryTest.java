// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link MoeMemory} before anything is allocated, and what is taken. */
class MoeMemoryTest {
    private static final MoeShape LARGE = MoeShape.experts(256)
            .perToken(8)
            .hidden(7168)
            .tokens(128)
            .input(DataType.FLOAT8_E4M3)
            .scales(56, DataType.FLOAT32);

    /** Two dispatches in flight of 256 experts on four PEs: no more than rows and answers are. */
    @Test
    void aLargeLayerTakesWhatItsRowsTake() {
        MoeMemory memory = ExpertParallel.memory(LARGE, MoeOptions.DEFAULT, 4);
        double rows = 2.0 * 64 * 128 * 4;
        assertThat((double) memory.rows()).isCloseTo(rows * (7168 + 4 * 56), Percentage.withPercentage(0.1));
        assertThat((double) memory.results()).isCloseTo(rows * 2 * 7168, Percentage.withPercentage(0.1));
        assertThat(memory.total() - memory.results()).isLessThan(550_000_000);
        assertThat(memory.total()).isLessThan(1_500_000_000);
        MoeMemory eight = ExpertParallel.memory(LARGE, MoeOptions.DEFAULT.results(DataType.FLOAT8_E4M3), 4);
        assertThat((double) eight.results()).isCloseTo(rows * (7168 + 4 * 56), Percentage.withPercentage(0.1));
    }

    @Test
    void raggedRowsTakeWhatTheirCapacityTakes() {
        MoeOptions ragged = MoeOptions.DEFAULT.layout(ExpertLayout.RAGGED);
        double one = ExpertParallel.memory(LARGE, ragged.capacity(2000), 4).total();
        double two = ExpertParallel.memory(LARGE, ragged.capacity(4000), 4).total();
        assertThat(two / one).isCloseTo(2, within(0.01));
    }

    /** Between an array that was allocated before and one behind it. */
    @ParameterizedTest
    @EnumSource
    void asMuchIsTakenAsIsSaid(ExpertLayout layout) {
        MoeShape shape = MoeShape.experts(13).perToken(3).hidden(2048).tokens(21);
        MoeOptions options = MoeOptions.DEFAULT.layout(layout);
        World.threads(2, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                Buffer before = pe.allocate(DataType.INT8, 256);
                try (ExpertParallel _ = ExpertParallel.of(pe, shape, options)) {
                    // Too large for what alignment leaves free.
                    Buffer behind = pe.allocate(DataType.INT8, 1 << 16);
                    double taken = behind.address() - before.address() - 256;
                    double said = ExpertParallel.memory(shape, options, 2).total();
                    assertThat(taken).isCloseTo(said, Percentage.withPercentage(1));
                }
            }
        });
    }
}
