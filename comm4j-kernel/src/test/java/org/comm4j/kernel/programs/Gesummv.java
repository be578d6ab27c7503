// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;

/** PolyBench's gesummv, {@code y = α a x + β b x}, through views, which check their indices; threads loop over rows. */
final class Gesummv extends Program {
    @Kernel
    static void product(int n, float alpha, float beta, F32View a, F32View b, F32View x, F32View y) {
        for (int i = GlobalIdx.x(); i < n; i += GridDim.x() * BlockDim.x()) {
            float ofA = 0;
            float ofB = 0;
            for (int j = 0; j < n; j++) {
                ofA += a.get(i * n + j) * x.get(j);
                ofB += b.get(i * n + j) * x.get(j);
            }
            y.set(i, alpha * ofA + beta * ofB);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 53;
        float[] a = floats(random, n * n);
        float[] b = floats(random, n * n);
        float[] x = floats(random, n);
        HostArray y = HostArray.of(new float[n]);
        machine.launch(
                machine.kernel(Gesummv.class, "product"),
                LaunchConfig.grid(2).block(11),
                n,
                1.5f,
                -0.25f,
                HostArray.of(a),
                HostArray.of(b),
                HostArray.of(x),
                y);
        float[] expected = new float[n];
        for (int i = 0; i < n; i++) {
            float ofA = 0;
            float ofB = 0;
            for (int j = 0; j < n; j++) {
                ofA += a[i * n + j] * x[j];
                ofB += b[i * n + j] * x[j];
            }
            expected[i] = 1.5f * ofA - 0.25f * ofB;
        }
        assertThat(y.toFloatArray()).isEqualTo(expected);
    }
}
