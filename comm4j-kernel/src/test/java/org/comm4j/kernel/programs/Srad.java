// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Rodinia's srad, which takes the speckles out of a picture: a sum over all by atomics, then two launches with many
 * divisions.
 */
final class Srad extends Program {
    private static final int THREADS = 64;
    private static final float LAMBDA = 0.5f;

    @Kernel
    static void moments(int n, F32Ptr image, F64Ptr sums) {
        double[] first = Shared.f64(THREADS);
        double[] second = Shared.f64(THREADS);
        int t = ThreadIdx.x();
        int i = GlobalIdx.x();
        double value = i < n ? image.get(i) : 0;
        first[t] = value;
        second[t] = value * value;
        Block.sync();
        for (int by = THREADS / 2; by >= 1; by /= 2) {
            if (t < by) {
                first[t] += first[t + by];
                second[t] += second[t + by];
            }
            Block.sync();
        }
        if (t < 2) {
            sums.atomicAdd(t, t == 0 ? first[0] : second[0]);
        }
    }

    private static float coefficient(float laplacian, float squares, float scale) {
        float num = 0.5f * squares - 0.0625f * (laplacian * laplacian);
        float den = 1 + 0.25f * laplacian;
        float q = num / (den * den);
        float c = 1 / (1 + (q - scale) / (scale * (1 + scale)));
        return c < 0 ? 0 : c > 1 ? 1 : c;
    }

    @Kernel
    static void coefficients(int rows, int columns, float scale, F32Ptr image, F32Ptr c) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < rows && j < columns) {
            int at = i * columns + j;
            float middle = image.get(at);
            float north = image.get(i > 0 ? at - columns : at) - middle;
            float south = image.get(i < rows - 1 ? at + columns : at) - middle;
            float west = image.get(j > 0 ? at - 1 : at) - middle;
            float east = image.get(j < columns - 1 ? at + 1 : at) - middle;
            float squares = (north * north + south * south + west * west + east * east) / (middle * middle);
            c.set(at, coefficient((north + south + west + east) / middle, squares, scale));
        }
    }

    @Kernel
    static void update(int rows, int columns, F32Ptr from, F32Ptr c, F32Ptr to) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < rows && j < columns) {
            int at = i * columns + j;
            int south = i < rows - 1 ? at + columns : at;
            int east = j < columns - 1 ? at + 1 : at;
            int north = i > 0 ? at - columns : at;
            int west = j > 0 ? at - 1 : at;
            float middle = from.get(at);
            float divergence = c.get(at) * (from.get(north) - middle)
                    + c.get(south) * (from.get(south) - middle)
                    + c.get(at) * (from.get(west) - middle)
                    + c.get(east) * (from.get(east) - middle);
            to.set(at, middle + 0.25f * LAMBDA * divergence);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int rows = 23;
        int columns = 37;
        float[] image = floats(random, rows * columns);
        for (int i = 0; i < image.length; i++) {
            image[i] = (float) Math.exp(image[i]);
        }
        HostArray from = HostArray.of(image);
        HostArray to = HostArray.of(image);
        HostArray c = HostArray.of(new float[image.length]);
        LaunchConfig plane =
                LaunchConfig.grid(blocks(columns, 16), blocks(rows, 8)).block(16, 8);
        CompiledKernel moments = machine.kernel(Srad.class, "moments");
        CompiledKernel coefficients = machine.kernel(Srad.class, "coefficients");
        CompiledKernel update = machine.kernel(Srad.class, "update");
        for (int step = 0; step < 3; step++) {
            HostArray sums = HostArray.of(new double[2]);
            machine.launch(
                    moments, LaunchConfig.grid(blocks(image.length, THREADS)).block(THREADS), image.length, from, sums);
            double mean = sums.getDouble(0) / image.length;
            float scale = (float) ((sums.getDouble(1) / image.length - mean * mean) / (mean * mean));
            assertThat(scale).isCloseTo((float) scale(image), within(1e-6f));
            machine.launch(coefficients, plane, rows, columns, scale, from, c);
            machine.launch(update, plane, rows, columns, from, c, to);
            // From here on to the bit: both go on with the same number.
            image = next(rows, columns, scale, image);
            assertThat(to.toFloatArray()).isEqualTo(image);
            HostArray other = from;
            from = to;
            to = other;
        }
    }

    private static double scale(float[] image) {
        double sum = 0;
        double squares = 0;
        for (float value : image) {
            sum += value;
            squares += (double) value * value;
        }
        double mean = sum / image.length;
        return (squares / image.length - mean * mean) / (mean * mean);
    }

    private static float[] next(int rows, int columns, float scale, float[] image) {
        float[] c = new float[image.length];
        float[][] to = new float[4][image.length];
        for (int at = 0; at < image.length; at++) {
            int i = at / columns;
            int j = at % columns;
            int[] neighbours = {
                i > 0 ? at - columns : at,
                i < rows - 1 ? at + columns : at,
                j > 0 ? at - 1 : at,
                j < columns - 1 ? at + 1 : at
            };
            float squares = 0;
            float sum = 0;
            for (int k = 0; k < 4; k++) {
                float difference = image[neighbours[k]] - image[at];
                to[k][at] = difference;
                squares += difference * difference;
                sum += difference;
            }
            c[at] = coefficient(sum / image[at], squares / (image[at] * image[at]), scale);
        }
        float[] after = new float[image.length];
        for (int at = 0; at < image.length; at++) {
            float south = c[at / columns < rows - 1 ? at + columns : at];
            float east = c[at % columns < columns - 1 ? at + 1 : at];
            float divergence = c[at] * to[0][at] + south * to[1][at] + c[at] * to[2][at] + east * to[3][at];
            after[at] = image[at] + 0.25f * LAMBDA * divergence;
        }
        return after;
    }
}
