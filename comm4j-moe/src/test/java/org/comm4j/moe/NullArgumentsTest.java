// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.core.contract.NullArguments;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
class NullArgumentsTest {
    private final List<String> wrong = new ArrayList<>();

    @Test
    void ofAllTypes() {
        MoeShape shape = MoeShape.experts(2).hidden(8);
        World.threads(1, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast());
                    ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT)) {
                Buffer array = pe.allocate(DataType.FLOAT32, 4);
                Object[] samples = {
                    pe,
                    shape,
                    MoeOptions.DEFAULT,
                    array,
                    Tokens.of(array, array, 0),
                    Sums.into(array),
                    DataType.FLOAT32,
                    ExpertLayout.PADDED,
                    Quantization.NONE,
                    ExpertPlacement.even(2, 1)
                };
                for (Class<?> type : List.of(ExpertParallel.class, ExpertPlacement.class)) {
                    wrong.addAll(NullArguments.ofType(type, Set.of(), samples));
                }
                wrong.addAll(NullArguments.ofObject(ExpertParallel.class, ep, Set.of(), samples));
                wrong.addAll(NullArguments.ofObject(MoeOptions.class, MoeOptions.DEFAULT, Set.of("equals"), samples));
                wrong.addAll(NullArguments.ofObject(MoeShape.class, shape, Set.of("equals"), samples));
            }
        });
        assertThat(wrong).isEmpty();
    }
}
