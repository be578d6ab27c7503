// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.util.List;
import org.comm4j.bench.suite.SuiteProblem.Step;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels that read the neighbours of each point. */
final class Stencils {
    private static final int X = 32;
    private static final int Y = 8;

    private static final int RADIUS = 2;
    private static final int WIDTH = 2 * RADIUS + 1;
    private static final float[] WEIGHTS = {
        0.01f, 0.02f, 0.03f, 0.02f, 0.01f, 0.02f, 0.06f, 0.08f, 0.06f, 0.02f, 0.03f, 0.08f, 0.12f, 0.08f, 0.03f, 0.02f,
        0.06f, 0.08f, 0.06f, 0.02f, 0.01f, 0.02f, 0.03f, 0.02f, 0.01f
    };

    private static final int PATH_THREADS = 256;
    private static final int PATH_ROWS = 20;

    private Stencils() {}

    /** Convolution of an image with 5 × 5 constant weights; what is outside counts as 0. */
    @Kernel
    static void convolution(int width, int height, F32Ptr in, F32Ptr out) {
        int x = GlobalIdx.x();
        int y = GlobalIdx.y();
        if (x < width && y < height) {
            float sum = 0;
            for (int dy = -RADIUS; dy <= RADIUS; dy++) {
                for (int dx = -RADIUS; dx <= RADIUS; dx++) {
                    int column = x + dx;
                    int row = y + dy;
                    if (column >= 0 && column < width && row >= 0 && row < height) {
                        sum += WEIGHTS[(dy + RADIUS) * WIDTH + dx + RADIUS] * in.get(row * width + column);
                    }
                }
            }
            out.set(y * width + x, sum);
        }
    }

    private static SuiteProblem convolutionProblem(int side) {
        HostArray in = SuiteData.floats(1, side * side, 0, 10);
        HostArray out = SuiteData.floats(side * side);
        return new SuiteProblem(
                List.of(in, out),
                List.of(new Step("convolution", SuiteData.threads(side, side, X, Y), side, side, in, out)),
                () -> SuiteData.error(side * side, out::getFloat, i -> {
                    double sum = 0;
                    for (int k = 0; k < WIDTH * WIDTH; k++) {
                        int row = i / side + k / WIDTH - RADIUS;
                        int column = i % side + k % WIDTH - RADIUS;
                        boolean inside = row >= 0 && row < side && column >= 0 && column < side;
                        sum += inside ? WEIGHTS[k] * in.getFloat((long) row * side + column) : 0;
                    }
                    return sum;
                }));
    }

    /** A step of the temperature of a chip. */
    @Kernel
    static void hotspot(int width, int height, float step, F32Ptr temperature, F32Ptr power, F32Ptr out) {
        int x = GlobalIdx.x();
        int y = GlobalIdx.y();
        if (x < width && y < height) {
            int west = Math.max(x - 1, 0);
            int east = Math.min(x + 1, width - 1);
            int north = Math.max(y - 1, 0);
            int south = Math.min(y + 1, height - 1);
            float t = temperature.get(y * width + x);
            float vertical = temperature.get(south * width + x) + temperature.get(north * width + x) - 2 * t;
            float horizontal = temperature.get(y * width + east) + temperature.get(y * width + west) - 2 * t;
            out.set(
                    y * width + x,
                    t + step * (power.get(y * width + x) + 0.3f * vertical + 0.2f * horizontal + 0.1f * (80 - t)));
        }
    }

    private static SuiteProblem hotspotProblem(int side) {
        HostArray temperature = SuiteData.floats(1, side * side, 40, 90);
        HostArray power = SuiteData.floats(2, side * side, 0, 1);
        HostArray out = SuiteData.floats(side * side);
        return new SuiteProblem(
                List.of(temperature, power, out),
                List.of(new Step(
                        "hotspot", SuiteData.threads(side, side, X, Y), side, side, 0.125f, temperature, power, out)),
                () -> SuiteData.error(side * side, out::getFloat, i -> {
                    int x = i % side;
                    double t = temperature.getFloat(i);
                    double west = temperature.getFloat(x == 0 ? i : i - 1);
                    double east = temperature.getFloat(x == side - 1 ? i : i + 1);
                    double north = temperature.getFloat(i < side ? i : i - side);
                    double south = temperature.getFloat(i / side == side - 1 ? i : i + side);
                    return t
                            + 0.125
                                    * (power.getFloat(i)
                                            + 0.3 * (north + south - 2 * t)
                                            + 0.2 * (west + east - 2 * t)
                                            + 0.1 * (80 - t));
                }));
    }

    private static float coefficient(float center, float n, float s, float w, float e, float q0) {
        float dn = n - center;
        float ds = s - center;
        float dw = w - center;
        float de = e - center;
        float gradient = (dn * dn + ds * ds + dw * dw + de * de) / (center * center);
        float laplacian = (dn + ds + dw + de) / center;
        float numerator = 0.5f * gradient - 0.0625f * laplacian * laplacian;
        float denominator = 1 + 0.25f * laplacian;
        float q = numerator / (denominator * denominator);
        float c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
        return Math.min(Math.max(c, 0), 1);
    }

    /** Diffusion's coefficients of an image with speckles. */
    @Kernel
    static void srad(int side, float q0, @Restrict F32Ptr image, @Restrict F32Ptr out) {
        int x = GlobalIdx.x();
        int y = GlobalIdx.y();
        if (x < side && y < side) {
            int north = y == 0 ? y : y - 1;
            int south = y == side - 1 ? y : y + 1;
            int west = x == 0 ? x : x - 1;
            int east = x == side - 1 ? x : x + 1;
            out.set(
                    y * side + x,
                    coefficient(
                            image.get(y * side + x),
                            image.get(north * side + x),
                            image.get(south * side + x),
                            image.get(y * side + west),
                            image.get(y * side + east),
                            q0));
        }
    }

    private static SuiteProblem sradProblem(int side) {
        HostArray image = SuiteData.floats(1, side * side, 1, 2);
        HostArray out = SuiteData.floats(side * side);
        return new SuiteProblem(
                List.of(image, out),
                List.of(new Step("srad", SuiteData.threads(side, side, X, Y), side, 0.05f, image, out)),
                () -> SuiteData.error(side * side, out::getFloat, i -> {
                    int x = i % side;
                    return coefficient(
                            image.getFloat(i),
                            image.getFloat(i < side ? i : i - side),
                            image.getFloat(i / side == side - 1 ? i : i + side),
                            image.getFloat(x == 0 ? i : i - 1),
                            image.getFloat(x == side - 1 ? i : i + 1),
                            0.05f);
                }));
    }

    /** PolyBench's fdtd-2d, the vertical electric field. */
    @Kernel
    static void fieldY(int side, float source, F32Ptr ey, F32Ptr hz) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < side && j < side) {
            if (i == 0) {
                ey.set(i * side + j, source);
            } else {
                ey.set(i * side + j, ey.get(i * side + j) - 0.5f * (hz.get(i * side + j) - hz.get((i - 1) * side + j)));
            }
        }
    }

    /** The horizontal one. */
    @Kernel
    static void fieldX(int side, F32Ptr ex, F32Ptr hz) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < side && j > 0 && j < side) {
            ex.set(i * side + j, ex.get(i * side + j) - 0.5f * (hz.get(i * side + j) - hz.get(i * side + j - 1)));
        }
    }

    /** The magnetic one. */
    @Kernel
    static void fieldZ(int side, F32Ptr ex, F32Ptr ey, F32Ptr hz) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < side - 1 && j < side - 1) {
            hz.set(
                    i * side + j,
                    hz.get(i * side + j)
                            - 0.7f
                                    * (ex.get(i * side + j + 1)
                                            - ex.get(i * side + j)
                                            + ey.get((i + 1) * side + j)
                                            - ey.get(i * side + j)));
        }
    }

    private static SuiteProblem fdtdProblem(int side) {
        HostArray ex = SuiteData.floats(1, side * side, 0, 1);
        HostArray ey = SuiteData.floats(2, side * side, 0, 1);
        HostArray hz = SuiteData.floats(3, side * side, 0, 1);
        float[] x = ex.toFloatArray();
        float[] y = ey.toFloatArray();
        float[] z = hz.toFloatArray();
        LaunchConfig config = SuiteData.threads(side, side, X, Y);
        return new SuiteProblem(
                List.of(ex, ey, hz),
                List.of(
                        new Step("fieldY", config, side, 0.25f, ey, hz),
                        new Step("fieldX", config, side, ex, hz),
                        new Step("fieldZ", config, side, ex, ey, hz)),
                () -> SuiteData.error(side * side, hz::getFloat, at -> {
                    int i = at / side;
                    int j = at % side;
                    if (i == side - 1 || j == side - 1) {
                        return z[at];
                    }
                    double right = x[at + 1] - 0.5 * (z[at + 1] - z[at]);
                    double left = j == 0 ? x[at] : x[at] - 0.5 * (z[at] - z[at - 1]);
                    double below = y[at + side] - 0.5 * (z[at + side] - z[at]);
                    double above = i == 0 ? 0.25 : y[at] - 0.5 * (z[at] - z[at - side]);
                    return z[at] - 0.7 * (right - left + below - above);
                }));
    }

    /** A step of Jacobi's iteration in double. */
    @Kernel
    static void jacobi(int side, F64Ptr in, F64Ptr out) {
        int x = GlobalIdx.x();
        int y = GlobalIdx.y();
        if (x >= 1 && x < side - 1 && y >= 1 && y < side - 1) {
            out.set(
                    y * side + x,
                    0.2
                            * (in.get(y * side + x)
                                    + in.get(y * side + x - 1)
                                    + in.get(y * side + x + 1)
                                    + in.get((y + 1) * side + x)
                                    + in.get((y - 1) * side + x)));
        }
    }

    private static SuiteProblem jacobiProblem(int side) {
        HostArray in = SuiteData.doubles(1, side * side);
        HostArray out = HostArray.allocate(DataType.FLOAT64, (long) side * side);
        return new SuiteProblem(
                List.of(in, out),
                List.of(new Step("jacobi", SuiteData.threads(side, side, X, Y), side, in, out)),
                () -> SuiteData.error(side * side, out::getDouble, i -> {
                    boolean inner = i >= side && i < side * (side - 1) && i % side > 0 && i % side < side - 1;
                    return inner
                            ? (in.getDouble(i)
                                            + in.getDouble(i - 1)
                                            + in.getDouble(i + 1)
                                            + in.getDouble(i - side)
                                            + in.getDouble(i + side))
                                    / 5
                            : 0;
                }));
    }

    /** PolyBench's heat-3d: each thread goes down a column, whose last three points it keeps. */
    @Kernel
    static void heat3d(int side, F32Ptr in, F32Ptr out) {
        int x = GlobalIdx.x();
        int y = GlobalIdx.y();
        if (x >= 1 && x < side - 1 && y >= 1 && y < side - 1) {
            int plane = side * side;
            int at = y * side + x;
            float above = in.get(at);
            float here = in.get(at + plane);
            for (int z = 1; z < side - 1; z++) {
                at += plane;
                float below = in.get(at + plane);
                out.set(
                        at,
                        here
                                + 0.125f * (below - 2 * here + above)
                                + 0.125f * (in.get(at + side) - 2 * here + in.get(at - side))
                                + 0.125f * (in.get(at + 1) - 2 * here + in.get(at - 1)));
                above = here;
                here = below;
            }
        }
    }

    private static SuiteProblem heatProblem(int side) {
        int plane = side * side;
        HostArray in = SuiteData.floats(1, side * plane, 0, 1);
        HostArray out = SuiteData.floats(side * plane);
        return new SuiteProblem(
                List.of(in, out),
                List.of(new Step("heat3d", SuiteData.threads(side, side, X, Y), side, in, out)),
                () -> SuiteData.error(side * plane, out::getFloat, i -> {
                    int x = i % side;
                    int y = i / side % side;
                    int z = i / plane;
                    if (Math.min(x, Math.min(y, z)) < 1 || Math.max(x, Math.max(y, z)) > side - 2) {
                        return 0;
                    }
                    double neighbours = 0;
                    for (int by : new int[] {1, side, plane}) {
                        neighbours += (double) in.getFloat(i - by) + in.getFloat(i + by);
                    }
                    return in.getFloat(i) + 0.125 * (neighbours - 6.0 * in.getFloat(i));
                }));
    }

    /** The cheapest ways down a grid, several rows in shared memory; at its rims a block computes what others do. */
    @Kernel
    static void pathfinder(int width, int first, int rows, I32Ptr wall, I32Ptr from, I32Ptr to) {
        int[] old = Shared.i32(PATH_THREADS);
        int[] now = Shared.i32(PATH_THREADS);
        int t = ThreadIdx.x();
        int x = BlockIdx.x() * (PATH_THREADS - 2 * PATH_ROWS) - PATH_ROWS + t;
        boolean inside = x >= 0 && x < width;
        if (inside) {
            old[t] = from.get(x);
        }
        Block.sync();
        int left = Math.max(t - 1, x >= 0 ? Math.max(t - x, 0) : t);
        int right = Math.min(t + 1, x < width ? Math.min(t + width - 1 - x, PATH_THREADS - 1) : t);
        for (int i = 0; i < rows; i++) {
            boolean computed = inside && t > i && t < PATH_THREADS - 1 - i;
            if (computed) {
                int least = Math.min(old[left], Math.min(old[t], old[right]));
                now[t] = least + wall.get((first + i) * width + x);
            }
            Block.sync();
            if (computed) {
                old[t] = now[t];
            }
            Block.sync();
        }
        if (inside && t >= PATH_ROWS && t < PATH_THREADS - PATH_ROWS) {
            to.set(x, old[t]);
        }
    }

    private static SuiteProblem pathfinderProblem(int width) {
        int passes = 4;
        HostArray wall = SuiteData.ints(1, width * PATH_ROWS * passes, 10);
        HostArray from = SuiteData.ints(2, width, 10);
        HostArray to = SuiteData.ints(width);
        LaunchConfig config = LaunchConfig.grid((width - 1) / (PATH_THREADS - 2 * PATH_ROWS) + 1)
                .block(PATH_THREADS);
        int[] start = from.toIntArray();
        return new SuiteProblem(
                List.of(wall, from, to),
                java.util.stream.IntStream.range(0, passes)
                        .mapToObj(pass -> new Step(
                                "pathfinder",
                                config,
                                width,
                                pass * PATH_ROWS,
                                PATH_ROWS,
                                wall,
                                pass % 2 == 0 ? from : to,
                                pass % 2 == 0 ? to : from))
                        .toList(),
                () -> {
                    int[] costs = start.clone();
                    for (int row = 0; row < PATH_ROWS * passes; row++) {
                        int[] next = new int[width];
                        for (int x = 0; x < width; x++) {
                            int least = Math.min(costs[Math.max(x - 1, 0)], costs[Math.min(x + 1, width - 1)]);
                            next[x] = Math.min(costs[x], least) + wall.getInt((long) row * width + x);
                        }
                        costs = next;
                    }
                    return SuiteData.error(from, costs);
                });
    }

    static List<SuiteCase> cases() {
        return List.of(
                new SuiteCase("convolution-5x5", Stencils.class, 37, 4096, 1e-5, Stencils::convolutionProblem),
                new SuiteCase("hotspot", Stencils.class, 37, 4096, 1e-4, Stencils::hotspotProblem),
                new SuiteCase("srad", Stencils.class, 37, 4096, 1e-4, Stencils::sradProblem),
                new SuiteCase("fdtd-2d", Stencils.class, 37, 4096, 1e-5, Stencils::fdtdProblem),
                new SuiteCase("jacobi-2d", Stencils.class, 37, 4096, 1e-12, Stencils::jacobiProblem),
                new SuiteCase("heat-3d", Stencils.class, 13, 384, 1e-5, Stencils::heatProblem),
                new SuiteCase("pathfinder", Stencils.class, 500, 1 << 20, 0, Stencils::pathfinderProblem));
    }
}
