// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.TensorMap;

/** {@link FlashAttention} beside softmax in double. */
abstract class AttentionContract {
    abstract KernelCompiler<?> compiler();

    /** Returns memory with the content of an array of the host. */
    abstract Buffer put(HostArray content);

    private static HostArray numbers(long count, int seed) {
        HostArray array = HostArray.allocate(DataType.BFLOAT16, count);
        Random random = new Random(seed);
        for (long i = 0; i < count; i++) {
            BF16Ptr.of(array).set(i, random.nextFloat(-2, 2));
        }
        return array;
    }

    /** Compares some queries, the first and the last of each head among them. */
    final void compares(int causal, int turns, int heads, int length) {
        int head = FlashAttention.HEAD;
        long count = (long) heads * length * head;
        HostArray q = numbers(count, 1);
        HostArray k = numbers(count, 2);
        HostArray v = numbers(count, 3);
        Buffer maps = put(HostArray.allocate(DataType.INT8, 3L * TensorMap.BYTES));
        Buffer to = put(HostArray.allocate(DataType.BFLOAT16, count));
        float scale = 0.1f;
        try (CompiledKernel kernel =
                compiler().compile(KernelMethod.named(FlashAttention.class, "forward"), causal, turns)) {
            kernel.launch(
                    AttentionBench.config(heads, length),
                    AttentionBench.map(maps, 0, put(q)),
                    AttentionBench.map(maps, 1, put(k)),
                    AttentionBench.map(maps, 2, put(v)),
                    length,
                    scale,
                    to);
        }
        HostArray found = to.toHost();
        for (int h = 0; h < heads; h++) {
            long first = (long) h * length * head;
            for (int i = 0; i < length; i += i + 37 < length ? 37 : Math.max(1, length - 1 - i)) {
                long query = first + (long) i * head;
                double[] expected = AttentionBench.expected(q, query, k, v, first, causal != 0 ? i + 1 : length, scale);
                for (int e = 0; e < head; e++) {
                    assertThat((double) BF16Ptr.of(found).get(query + e))
                            .as("head %d, query %d, element %d", h, i, e)
                            .isCloseTo(expected[e], within(0.02));
                }
            }
        }
    }
}
