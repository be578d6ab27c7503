// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.util.List;
import org.comm4j.bench.suite.SuiteProblem.Step;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Float4;
import org.comm4j.kernel.lang.FloatMath;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels of bodies, points and particles. */
final class Particles {
    private static final int THREADS = 256;
    private static final float SOFTENING = 0.01f;
    /** Particles of a box. */
    private static final int BOX = 64;

    private static final int CLUSTERS = 16;
    private static final int FEATURES = 8;
    private static final int SAMPLES = 16;

    private Particles() {}

    /** Computes accelerations by all bodies, in tiles of shared memory; the fourth number of a body is its mass. */
    @Kernel
    static void nbody(int n, @Restrict F32Ptr bodies, @Restrict F32Ptr out) {
        F32Ptr tile = F32Ptr.of(Shared.f32(4 * THREADS));
        int i = GlobalIdx.x();
        Float4 own = bodies.get4(4L * i);
        float ax = 0;
        float ay = 0;
        float az = 0;
        for (int from = 0; from < n; from += THREADS) {
            tile.set4(4L * ThreadIdx.x(), bodies.get4(4L * (from + ThreadIdx.x())));
            Block.sync();
            for (int j = 0; j < THREADS; j++) {
                Float4 other = tile.get4(4L * j);
                float dx = other.x() - own.x();
                float dy = other.y() - own.y();
                float dz = other.z() - own.z();
                float inverse = FloatMath.rsqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
                float factor = other.w() * inverse * inverse * inverse;
                ax += dx * factor;
                ay += dy * factor;
                az += dz * factor;
            }
            Block.sync();
        }
        out.set4(4L * i, new Float4(ax, ay, az, 0));
    }

    private static SuiteProblem nbodyProblem(int blocks) {
        int n = blocks * THREADS;
        HostArray bodies = SuiteData.floats(1, 4 * n, 0, 1);
        HostArray out = SuiteData.floats(4 * n);
        return new SuiteProblem(
                List.of(bodies, out),
                List.of(new Step("nbody", LaunchConfig.grid(blocks).block(THREADS), n, bodies, out)),
                () -> SuiteData.error(4 * n, out::getFloat, at -> {
                    if (at % 4 == 3) {
                        return 0;
                    }
                    int body = at / 4 * 4;
                    double sum = 0;
                    for (int j = 0; j < 4 * n; j += 4) {
                        double square = SOFTENING;
                        for (int axis = 0; axis < 3; axis++) {
                            square += Math.pow((double) bodies.getFloat(j + axis) - bodies.getFloat(body + axis), 2);
                        }
                        double by = (double) bodies.getFloat(j + at % 4) - bodies.getFloat(at);
                        sum += bodies.getFloat(j + 3) * by / (square * Math.sqrt(square));
                    }
                    return sum;
                }));
    }

    /** Potential and forces of the particles in a row of boxes, from the own box and its neighbours. */
    @Kernel
    static void lavaMd(int boxes, float alpha, F32Ptr particles, F32Ptr out) {
        F32Ptr others = F32Ptr.of(Shared.f32(4 * BOX));
        int t = ThreadIdx.x();
        int box = BlockIdx.x();
        Float4 own = particles.get4(4L * (box * BOX + t));
        float v = 0;
        float fx = 0;
        float fy = 0;
        float fz = 0;
        for (int by = -2; by <= 2; by++) {
            int neighbour = (box + by + boxes) % boxes;
            others.set4(4L * t, particles.get4(4L * (neighbour * BOX + t)));
            Block.sync();
            for (int j = 0; j < BOX; j++) {
                Float4 other = others.get4(4L * j);
                float dx = own.x() - other.x();
                float dy = own.y() - other.y();
                float dz = own.z() - other.z();
                float square = dx * dx + dy * dy + dz * dz;
                float potential = other.w() * FloatMath.exp(-alpha * square);
                float force = 2 * alpha * potential;
                v += potential;
                fx += force * dx;
                fy += force * dy;
                fz += force * dz;
            }
            Block.sync();
        }
        out.set4(4L * (box * BOX + t), new Float4(v, fx, fy, fz));
    }

    private static SuiteProblem lavaMdProblem(int boxes) {
        int n = boxes * BOX;
        HostArray particles = SuiteData.floats(1, 4 * n, 0, 1);
        HostArray out = SuiteData.floats(4 * n);
        return new SuiteProblem(
                List.of(particles, out),
                List.of(new Step("lavaMd", LaunchConfig.grid(boxes).block(BOX), boxes, 0.5f, particles, out)),
                () -> SuiteData.error(4 * n, out::getFloat, at -> {
                    int own = at / 4 * 4;
                    int box = at / (4 * BOX);
                    double sum = 0;
                    for (int k = 0; k < 5 * BOX; k++) {
                        int other = 4 * ((box - 2 + k / BOX + boxes) % boxes * BOX + k % BOX);
                        double square = 0;
                        for (int axis = 0; axis < 3; axis++) {
                            square += Math.pow(
                                    (double) particles.getFloat(own + axis) - particles.getFloat(other + axis), 2);
                        }
                        double potential = particles.getFloat(other + 3) * Math.exp(-0.5 * square);
                        int axis = at % 4 - 1;
                        sum += axis < 0
                                ? potential
                                : potential
                                        * ((double) particles.getFloat(own + axis) - particles.getFloat(other + axis));
                    }
                    return sum;
                }));
    }

    /** The nearest centre of each point; features lie one after another. */
    @Kernel
    static void kmeans(int n, F32Ptr features, F32Ptr centers, I32Ptr membership) {
        int i = GlobalIdx.x();
        if (i < n) {
            int best = -1;
            float least = Float.MAX_VALUE;
            for (int c = 0; c < CLUSTERS; c++) {
                float distance = 0;
                for (int f = 0; f < FEATURES; f++) {
                    float difference = features.get(f * n + i) - centers.get(c * FEATURES + f);
                    distance += difference * difference;
                }
                if (distance < least) {
                    least = distance;
                    best = c;
                }
            }
            membership.set(i, best);
        }
    }

    private static double squared(int n, HostArray features, HostArray centers, int i, int c) {
        double sum = 0;
        for (int f = 0; f < FEATURES; f++) {
            sum += Math.pow(
                    (double) features.getFloat((long) f * n + i) - centers.getFloat((long) c * FEATURES + f), 2);
        }
        return sum;
    }

    private static SuiteProblem kmeansProblem(int n) {
        HostArray features = SuiteData.floats(1, n * FEATURES, 0, 1);
        HostArray centers = SuiteData.floats(2, CLUSTERS * FEATURES, 0, 1);
        HostArray membership = SuiteData.ints(n);
        return new SuiteProblem(
                List.of(features, centers, membership),
                List.of(new Step("kmeans", SuiteData.threads(n, THREADS), n, features, centers, membership)),
                // Of two centres that are as far either is right.
                () -> SuiteData.error(n, i -> squared(n, features, centers, i, membership.getInt(i)), i -> {
                    double least = Double.MAX_VALUE;
                    for (int c = 0; c < CLUSTERS; c++) {
                        least = Math.min(least, squared(n, features, centers, i, c));
                    }
                    return least;
                }));
    }

    /** How well each particle agrees with the samples of an image around it, and its new weight. */
    @Kernel
    static void likelihood(
            int n, int side, I32Ptr image, F32Ptr x, F32Ptr y, I32Ptr offsets, F32Ptr weights, F32Ptr out) {
        int i = GlobalIdx.x();
        if (i < n) {
            float sum = 0;
            for (int k = 0; k < SAMPLES; k++) {
                int column = (int) FloatMath.floor(x.get(i) + 0.5f) + offsets.get(2L * k);
                int row = (int) FloatMath.floor(y.get(i) + 0.5f) + offsets.get(2L * k + 1);
                int at = Math.abs(row * side + column);
                int pixel = image.get(at >= side * side ? 0 : at);
                sum += ((pixel - 100) * (pixel - 100) - (pixel - 228) * (pixel - 228)) / 50f;
            }
            out.set(i, weights.get(i) * (float) Math.exp(sum / (SAMPLES * 100)));
        }
    }

    /** Resampling: the first place in the cumulated weights that reaches each particle's, by halving. */
    @Kernel
    static void resample(int n, F32Ptr cumulated, F32Ptr x, F32Ptr out) {
        int i = GlobalIdx.x();
        if (i < n) {
            float u = (i + 0.5f) / n;
            int low = 0;
            int high = n - 1;
            while (low < high) {
                int middle = (low + high) / 2;
                if (cumulated.get(middle) >= u) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            out.set(i, x.get(low));
        }
    }

    private static SuiteProblem particleFilterProblem(int n) {
        int side = 256;
        HostArray image = SuiteData.ints(1, side * side, 256);
        HostArray x = SuiteData.floats(2, n, 10, side - 10);
        HostArray y = SuiteData.floats(3, n, 10, side - 10);
        HostArray offsets = SuiteData.ints(4, 2 * SAMPLES, 8);
        HostArray weights = SuiteData.floats(5, n, 0, 1);
        HostArray cumulated = SuiteData.floats(n);
        for (int i = 0; i < n; i++) {
            cumulated.setFloat(i, (i + SuiteData.uniform(6, i, 0, 1)) / n);
        }
        HostArray out = SuiteData.floats(n);
        HostArray chosen = SuiteData.floats(n);
        LaunchConfig config = SuiteData.threads(n, THREADS);
        return new SuiteProblem(
                List.of(image, x, y, offsets, weights, cumulated, out, chosen),
                List.of(
                        new Step("likelihood", config, n, side, image, x, y, offsets, weights, out),
                        new Step("resample", config, n, cumulated, x, chosen)),
                () -> Math.max(
                        SuiteData.error(n, out::getFloat, i -> {
                            double sum = 0;
                            for (int k = 0; k < SAMPLES; k++) {
                                int column = Math.round(x.getFloat(i)) + offsets.getInt(2L * k);
                                int row = Math.round(y.getFloat(i)) + offsets.getInt(2L * k + 1);
                                double pixel = image.getInt((long) row * side + column);
                                sum += (256 * pixel + 100.0 * 100 - 228.0 * 228) / 50;
                            }
                            return weights.getFloat(i) * Math.exp(sum / (SAMPLES * 100));
                        }),
                        SuiteData.error(n, chosen::getFloat, i -> {
                            float u = (i + 0.5f) / n;
                            int at = Math.max(0, i - 2);
                            while (at < n - 1 && cumulated.getFloat(at) < u) {
                                at++;
                            }
                            return x.getFloat(at);
                        })));
    }

    static List<SuiteCase> cases() {
        return List.of(
                new SuiteCase("n-body", Particles.class, 1, 64, 1e-4, Particles::nbodyProblem),
                new SuiteCase("lavamd", Particles.class, 5, 8192, 1e-4, Particles::lavaMdProblem),
                new SuiteCase("kmeans", Particles.class, 300, 1 << 21, 1e-5, Particles::kmeansProblem),
                new SuiteCase(
                        "particle-filter", Particles.class, 300, 1 << 20, 1e-4, Particles::particleFilterProblem));
    }
}
