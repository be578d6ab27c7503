// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;

/** PolyBench's fdtd-2d, a wave's electric and magnetic field on shifted grids: two launches in each step of time. */
final class Fdtd2d extends Program {
    @Kernel
    static void electric(int nx, int ny, float source, F32Ptr ex, F32Ptr ey, F32Ptr hz) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < nx && j < ny) {
            int at = i * ny + j;
            if (i == 0) {
                ey.set(at, source);
            } else {
                ey.set(at, ey.get(at) - 0.5f * (hz.get(at) - hz.get(at - ny)));
            }
            if (j > 0) {
                ex.set(at, ex.get(at) - 0.5f * (hz.get(at) - hz.get(at - 1)));
            }
        }
    }

    @Kernel
    static void magnetic(int nx, int ny, F32Ptr ex, F32Ptr ey, F32Ptr hz) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < nx - 1 && j < ny - 1) {
            int at = i * ny + j;
            hz.set(at, hz.get(at) - 0.7f * (ex.get(at + 1) - ex.get(at) + ey.get(at + ny) - ey.get(at)));
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int nx = 19;
        int ny = 35;
        float[] ex = floats(random, nx * ny);
        float[] ey = floats(random, nx * ny);
        float[] hz = floats(random, nx * ny);
        HostArray exs = HostArray.of(ex);
        HostArray eys = HostArray.of(ey);
        HostArray hzs = HostArray.of(hz);
        LaunchConfig config = LaunchConfig.grid(blocks(ny, 16), blocks(nx, 4)).block(16, 4);
        CompiledKernel electric = machine.kernel(Fdtd2d.class, "electric");
        CompiledKernel magnetic = machine.kernel(Fdtd2d.class, "magnetic");
        for (int step = 0; step < 5; step++) {
            machine.launch(electric, config, nx, ny, (float) step, exs, eys, hzs);
            machine.launch(magnetic, config, nx, ny, exs, eys, hzs);
            for (int j = 0; j < ny; j++) {
                ey[j] = step;
            }
            for (int at = ny; at < nx * ny; at++) {
                ey[at] = ey[at] - 0.5f * (hz[at] - hz[at - ny]);
            }
            for (int at = 0; at < nx * ny; at++) {
                if (at % ny > 0) {
                    ex[at] = ex[at] - 0.5f * (hz[at] - hz[at - 1]);
                }
            }
            for (int i = 0; i < nx - 1; i++) {
                for (int j = 0; j < ny - 1; j++) {
                    int at = i * ny + j;
                    hz[at] = hz[at] - 0.7f * (ex[at + 1] - ex[at] + ey[at + ny] - ey[at]);
                }
            }
        }
        assertThat(exs.toFloatArray()).isEqualTo(ex);
        assertThat(eys.toFloatArray()).isEqualTo(ey);
        assertThat(hzs.toFloatArray()).isEqualTo(hz);
    }
}
