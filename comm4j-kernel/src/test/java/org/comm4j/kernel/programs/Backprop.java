// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Rodinia's backprop: a layer of neurons forward, by sums in shared memory, and its weights backward, with momentum.
 */
final class Backprop extends Program {
    private static final int INPUTS = 16;
    private static final int NEURONS = 8;

    @Kernel
    static void forward(int inputs, int neurons, F32Ptr input, F32Ptr weights, F32Ptr partial) {
        float[] products = Shared.f32(INPUTS * NEURONS);
        int x = ThreadIdx.x();
        int y = ThreadIdx.y();
        int i = BlockIdx.y() * INPUTS + y;
        int j = BlockIdx.x() * NEURONS + x;
        products[y * NEURONS + x] = i < inputs && j < neurons ? input.get(i) * weights.get(i * neurons + j) : 0;
        for (int by = 1; by < INPUTS; by *= 2) {
            Block.sync();
            if (y % (2 * by) == 0) {
                products[y * NEURONS + x] += products[(y + by) * NEURONS + x];
            }
        }
        if (y == 0 && j < neurons) {
            partial.set(BlockIdx.y() * neurons + j, products[x]);
        }
    }

    @Kernel
    static void squash(int neurons, int parts, F32Ptr partial, F32Ptr output) {
        int j = GlobalIdx.x();
        if (j < neurons) {
            float sum = 0;
            for (int part = 0; part < parts; part++) {
                sum += partial.get(part * neurons + j);
            }
            output.set(j, (float) (1 / (1 + Math.exp(-sum))));
        }
    }

    @Kernel
    static void adjust(int inputs, int neurons, F32Ptr input, F32Ptr delta, F32Ptr weights, F32Ptr last) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < inputs && j < neurons) {
            int at = i * neurons + j;
            float change = 0.3f * delta.get(j) * input.get(i) + 0.3f * last.get(at);
            weights.set(at, weights.get(at) + change);
            last.set(at, change);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int inputs = 67;
        int neurons = 21;
        int parts = blocks(inputs, INPUTS);
        float[] input = floats(random, inputs);
        float[] weights = floats(random, inputs * neurons);
        float[] last = floats(random, inputs * neurons);
        float[] target = floats(random, neurons);
        HostArray ins = HostArray.of(input);
        HostArray all = HostArray.of(weights);
        HostArray before = HostArray.of(last);
        HostArray partial = HostArray.of(new float[parts * neurons]);
        HostArray output = HostArray.of(new float[neurons]);
        LaunchConfig plane = LaunchConfig.grid(blocks(neurons, NEURONS), parts).block(NEURONS, INPUTS);
        machine.launch(machine.kernel(Backprop.class, "forward"), plane, inputs, neurons, ins, all, partial);
        machine.launch(
                machine.kernel(Backprop.class, "squash"),
                LaunchConfig.grid(1).block(32),
                neurons,
                parts,
                partial,
                output);
        float[] expected = new float[neurons];
        float[] delta = new float[neurons];
        for (int j = 0; j < neurons; j++) {
            float sum = 0;
            for (int i = 0; i < inputs; i++) {
                sum += input[i] * weights[i * neurons + j];
            }
            expected[j] = (float) (1 / (1 + Math.exp(-sum)));
            float found = output.getFloat(j);
            delta[j] = found * (1 - found) * (target[j] - found);
        }
        // The terms are added in pairs, and exp may differ in its last bits.
        near(output, expected, 1e-5f);
        machine.launch(
                machine.kernel(Backprop.class, "adjust"),
                plane,
                inputs,
                neurons,
                ins,
                HostArray.of(delta),
                all,
                before);
        for (int at = 0; at < weights.length; at++) {
            last[at] = 0.3f * delta[at % neurons] * input[at / neurons] + 0.3f * last[at];
            weights[at] += last[at];
        }
        assertThat(all.toFloatArray()).isEqualTo(weights);
        assertThat(before.toFloatArray()).isEqualTo(last);
    }
}
