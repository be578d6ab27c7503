// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Rodinia's hotspot, the heat of a chip: blocks overlap, so that a launch makes several steps in shared memory, in ever
 * smaller middles.
 */
final class Hotspot extends Program {
    private static final int SIDE = 12;
    private static final int STEPS = 2;
    private static final int INNER = SIDE - 2 * STEPS;
    private static final float AMBIENT = 80;

    /** What a cell is connected by. */
    record Conductance(float x, float y, float z, float step) {}

    private static float next(
            Conductance c, float middle, float power, float north, float south, float west, float east) {
        return middle
                + c.step()
                        * (power
                                + (south + north - 2 * middle) * c.y()
                                + (east + west - 2 * middle) * c.x()
                                + (AMBIENT - middle) * c.z());
    }

    @Kernel
    static void steps(int rows, int columns, Conductance c, F32Ptr power, F32Ptr from, F32Ptr to) {
        float[] tile = Shared.f32(SIDE * SIDE);
        int x = ThreadIdx.x();
        int y = ThreadIdx.y();
        int column = BlockIdx.x() * INNER + x - STEPS;
        int row = BlockIdx.y() * INNER + y - STEPS;
        boolean inside = row >= 0 && column >= 0 && row < rows && column < columns;
        int at = y * SIDE + x;
        float own = 0;
        float heat = 0;
        if (inside) {
            own = from.get(row * columns + column);
            heat = power.get(row * columns + column);
            tile[at] = own;
        }
        for (int step = 1; step <= STEPS; step++) {
            boolean valid = inside && Math.min(x, y) >= step && Math.max(x, y) < SIDE - step;
            Block.sync();
            if (valid) {
                own = next(
                        c,
                        own,
                        heat,
                        tile[row > 0 ? at - SIDE : at],
                        tile[row < rows - 1 ? at + SIDE : at],
                        tile[column > 0 ? at - 1 : at],
                        tile[column < columns - 1 ? at + 1 : at]);
            }
            Block.sync();
            if (valid) {
                tile[at] = own;
                if (step == STEPS) {
                    to.set(row * columns + column, own);
                }
            }
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int rows = 27;
        int columns = 35;
        float[] power = floats(random, rows * columns);
        float[] heat = floats(random, rows * columns);
        for (int i = 0; i < heat.length; i++) {
            heat[i] = 320 + 10 * heat[i];
        }
        Conductance c = new Conductance(0.1f, 0.07f, 0.0125f, 0.5f);
        HostArray powers = HostArray.of(power);
        HostArray from = HostArray.of(heat);
        HostArray to = HostArray.of(new float[heat.length]);
        CompiledKernel steps = machine.kernel(Hotspot.class, "steps");
        for (int launch = 0; launch < 3; launch++) {
            machine.launch(
                    steps,
                    LaunchConfig.grid(blocks(columns, INNER), blocks(rows, INNER))
                            .block(SIDE, SIDE),
                    rows,
                    columns,
                    c,
                    powers,
                    from,
                    to);
            HostArray other = from;
            from = to;
            to = other;
        }
        for (int step = 0; step < 3 * STEPS; step++) {
            float[] after = new float[heat.length];
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    int at = row * columns + column;
                    after[at] = next(
                            c,
                            heat[at],
                            power[at],
                            heat[Math.max(row - 1, 0) * columns + column],
                            heat[Math.min(row + 1, rows - 1) * columns + column],
                            heat[row * columns + Math.max(column - 1, 0)],
                            heat[row * columns + Math.min(column + 1, columns - 1)]);
                }
            }
            heat = after;
        }
        assertThat(from.toFloatArray()).isEqualTo(heat);
    }
}
