// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import java.util.Random;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * A synthetic earth: folded and dipping layers of random thickness and impedance, cut by a normal fault, with a soft
 * lens in one of them, below flat layers that are younger than the fault. It is a function of the seed and of the place
 * alone, and so the same for any number of ranks and any sampling.
 */
public final class EarthModel {
    private static final int LAYERS = 60;

    /** Impedance at the top and its growth with depth, in 10⁶ kg/(m² s). */
    private static final double SHALLOW = 4;

    private static final double GROWTH = 5;

    /** Largest deviation of a layer from that trend, as a part of it. */
    private static final double CONTRAST = 0.16;

    /** The impedance of the lens by that of its layer. */
    private static final double SOFT = 0.78;

    /** Bases of the layers and their deviations from the trend, from above the section to below it. */
    private final double[] bases = new double[LAYERS];

    private final double[] deviations = new double[LAYERS];
    private final double unconformity;
    private final double dipX;
    private final double dipY;
    private final double fold;
    private final double phase;
    private final double fault;
    private final double slip;
    private final double lens;
    private final double lensDepth;

    private EarthModel(long seed) {
        Random random = new Random(seed);
        double base = -0.6;
        for (int i = 0; i < LAYERS; i++) {
            base += 0.014 + 0.05 * random.nextDouble() * random.nextDouble() + 0.008 * random.nextDouble();
            bases[i] = base;
            deviations[i] = CONTRAST * (2 * random.nextDouble() - 1);
        }
        unconformity = 0.18 + 0.06 * random.nextDouble();
        dipX = (random.nextBoolean() ? 1 : -1) * (0.1 + 0.1 * random.nextDouble());
        dipY = 0.12 * random.nextDouble() - 0.06;
        fold = 0.02 + 0.03 * random.nextDouble();
        phase = 2 * Math.PI * random.nextDouble();
        fault = 0.5 + 0.15 * random.nextDouble();
        slip = 0.06 + 0.05 * random.nextDouble();
        lens = 0.25 + 0.1 * random.nextDouble();
        lensDepth = 0.5 + 0.15 * random.nextDouble();
    }

    /** Returns the earth of a seed. */
    public static EarthModel of(long seed) {
        return new EarthModel(seed);
    }

    /**
     * Returns the acoustic impedance at a place, in 10⁶ kg/(m² s).
     *
     * @param y place from front to back, 0 to 1
     * @param x place from left to right, 0 to 1
     * @param z depth, 0 to 1
     */
    public double impedance(double y, double x, double z) {
        double young = z + 0.015 * Math.cos(2 * Math.PI * x + phase);
        if (young < unconformity) {
            return layer(young, z);
        }
        // The fault dips to the right, and what is right of it has slid down.
        boolean slid = x > fault + 0.18 * (z - 0.5) + 0.1 * (y - 0.5);
        double old = z
                - (slid ? slip : 0)
                - dipX * (x - 0.5)
                - dipY * (y - 0.5)
                - fold * Math.sin(3 * Math.PI * x + 1.5 * Math.PI * y + phase);
        double across = (x - lens) / 0.16;
        double along = (y - 0.5) / 0.35;
        double thickness = 0.03 * (1 - across * across - along * along);
        double within = z - lensDepth - dipX * (x - lens);
        boolean soft = !slid && within < thickness && within > -0.3 * thickness;
        return layer(old, z) * (soft ? SOFT : 1);
    }

    /** The impedance of the layer at a place in the sequence; rocks below the section have that of the last one. */
    private double layer(double place, double z) {
        int i = 0;
        while (i < LAYERS - 1 && bases[i] < place) {
            i++;
        }
        return (SHALLOW + GROWTH * z) * (1 + deviations[i]);
    }

    /**
     * Returns the impedance at the points of a volume, each rank its part.
     *
     * @param volume a layout of x and depth, or of y, x and depth
     */
    public DistributedArray sample(Backend backend, Layout volume, DataType type) {
        DistributedArray array = backend.zeros(volume, type);
        HostArray part = HostArray.allocate(type, array.part().count());
        int depth = (int) volume.length(-1);
        long width = volume.length(-2);
        long rows = volume.ndim() > 2 ? volume.length(-3) : 1;
        volume.runs(backend.rank(), (local, global, count) -> {
            for (long i = 0; i < count; i++) {
                long trace = (global + i) / depth;
                double z = ((global + i) % depth + 0.5) / depth;
                double x = (trace % width + 0.5) / width;
                long row = trace / width;
                double y = (row + 0.5) / rows;
                part.setDouble(local + i, impedance(y, x, z));
            }
        });
        array.part().copyFrom(part);
        return array;
    }
}
