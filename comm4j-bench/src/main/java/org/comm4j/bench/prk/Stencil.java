// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/** out += S(in), then in += 1, where S is a star of {@code 4 radius + 1} points; each PE has a tile of the {@code n} × {@code n} grid. */
public record Stencil(int iterations, int n, int radius) implements ResearchKernel {
    private static final double EPSILON = 1e-8;

    public Stencil {
        Checks.atLeast("stencil", "the number of iterations", iterations, 1);
        Checks.atLeast("stencil", "the radius", radius, 1);
        if (n < 2L * radius + 1) {
            throw new IllegalArgumentException("stencil: a grid of " + n + " x " + n + " has no point with " + radius
                    + " neighbours on each side; use a larger grid or a smaller radius");
        }
    }

    @Override
    public String name() {
        return "stencil";
    }

    @Override
    public String title() {
        return "stencil execution on 2D grid";
    }

    @Override
    public Map<String, Object> parameters(int pes) {
        int side = Parts.side(pes);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("Grid size", n);
        all.put("Radius of stencil", radius);
        all.put("Tiles in x/y-direction", side + "/" + pes / side);
        all.put("Type of stencil", "star");
        all.put("Data type", "double precision");
        all.put("Number of iterations", iterations);
        return all;
    }

    @Override
    public void check(int pes) {
        int high = pes / Parts.side(pes);
        if (n / high < radius) {
            throw new IllegalArgumentException("stencil: " + pes + " PEs, " + high + " of them in y-direction, have "
                    + n / high + " rows each, fewer than the radius " + radius + "; use a larger grid or fewer PEs");
        }
        double width = new Parts(n, Parts.side(pes)).largest() + 2.0 * radius;
        double height = new Parts(n, high).largest() + 2.0 * radius;
        Checks.fits("stencil", "a tile", width * height, "use a smaller grid or more PEs");
    }

    @Override
    public int[] marks() {
        return new int[] {1, iterations + 1};
    }

    @Override
    public Rate[] rates(int pes, double[] seconds) {
        double active = (double) (n - 2 * radius) * (n - 2 * radius);
        return Rate.ofPass("MFlops/s", (2.0 * (4 * radius + 1) + 1) * active, seconds[0], iterations);
    }

    @Override
    public Trial prepare(OpenShmem shmem, Totals totals) {
        return new Run(this, shmem, totals);
    }

    private static final class Run implements Trial {
        private final Stencil kernel;
        private final OpenShmem shmem;
        private final Totals totals;
        private final int radius;
        private final int firstX;
        private final int firstY;
        private final int width;
        private final int height;
        private final int pitch;
        private final double[] out;
        private final double[] in;

        // The same array again. The compiler merges loads of one element, and would merge those of neighbours that sit
        // in different vector lanes; the loop then cannot become vector
        // code. Through separate fields it cannot know and does not merge.
        private final double[] left2;
        private final double[] left1;
        private final double[] right1;
        private final double[] right2;

        private final Halo[] halos;
        private final int neighbours;
        /** Halos that have come, by the pass's parity. */
        private final SymmetricArray come;

        private final SymmetricArray memory;

        /** One side of the tile, with the neighbour there. */
        private final class Halo {
            final boolean isColumns;
            /** Where the points to send, and those that come, begin in {@link Run#in}. */
            final int inner;

            final int outer;
            final int rows;
            final int columns;
            final HostArray sent;
            /** Where the neighbour takes what it is sent from here, and where this PE takes what comes, by parity. */
            final SymmetricArray[] theirs = new SymmetricArray[2];

            final SymmetricArray[] mine = new SymmetricArray[2];
            final int neighbour;

            /**
             * @param side 0 left, 1 right, 2 below, 3 above
             * @param room of a halo in symmetric memory
             */
            Halo(int side, int neighbour, long room) {
                this.neighbour = neighbour;
                this.isColumns = side < 2;
                this.rows = isColumns ? height : radius;
                this.columns = isColumns ? radius : width;
                int origin = radius * pitch + radius;
                this.inner = origin + (side == 1 ? width - radius : side == 3 ? (height - radius) * pitch : 0);
                this.outer = origin
                        + switch (side) {
                            case 0 -> -radius;
                            case 1 -> width;
                            case 2 -> -radius * pitch;
                            default -> height * pitch;
                        };
                this.sent = HostArray.allocate(DataType.FLOAT64, (long) rows * columns);
                for (int parity = 0; parity < 2; parity++) {
                    mine[parity] = memory.slice((2 * side + parity) * room, room);
                    theirs[parity] = memory.slice((2 * (side ^ 1) + parity) * room, room);
                }
            }

            void send(int parity) {
                MemorySegment to = sent.segment();
                if (isColumns) {
                    int at = 0;
                    for (int row = 0; row < rows; row++) {
                        for (int i = 0; i < columns; i++) {
                            to.setAtIndex(ValueLayout.JAVA_DOUBLE, at++, in[inner + row * pitch + i]);
                        }
                    }
                } else {
                    for (int row = 0; row < rows; row++) {
                        long at = (long) row * columns * Double.BYTES;
                        MemorySegment.copy(in, inner + row * pitch, to, ValueLayout.JAVA_DOUBLE, at, columns);
                    }
                }
                shmem.put(theirs[parity], sent, neighbour);
                shmem.fence();
                shmem.atomicInc(come, parity, neighbour);
            }

            void take(int parity) {
                MemorySegment from = mine[parity].segment();
                if (isColumns) {
                    int at = 0;
                    for (int row = 0; row < rows; row++) {
                        for (int i = 0; i < columns; i++) {
                            in[outer + row * pitch + i] = from.getAtIndex(ValueLayout.JAVA_DOUBLE, at++);
                        }
                    }
                } else {
                    for (int row = 0; row < rows; row++) {
                        long at = (long) row * columns * Double.BYTES;
                        MemorySegment.copy(from, ValueLayout.JAVA_DOUBLE, at, in, outer + row * pitch, columns);
                    }
                }
            }
        }

        Run(Stencil kernel, OpenShmem shmem, Totals totals) {
            this.kernel = kernel;
            this.shmem = shmem;
            this.totals = totals;
            this.radius = kernel.radius;
            int wide = Parts.side(shmem.nPes());
            int high = shmem.nPes() / wide;
            int x = shmem.myPe() % wide;
            int y = shmem.myPe() / wide;
            Parts columns = new Parts(kernel.n, wide);
            Parts rows = new Parts(kernel.n, high);
            this.firstX = (int) columns.first(x);
            this.firstY = (int) rows.first(y);
            this.width = (int) columns.size(x);
            this.height = (int) rows.size(y);
            this.pitch = width + 2 * radius;
            this.in = new double[pitch * (height + 2 * radius)];
            this.left2 = in;
            this.left1 = in;
            this.right1 = in;
            this.right2 = in;
            // Laid out as the input is: one index serves both.
            this.out = new double[in.length];
            for (int row = 0; row < height; row++) {
                for (int i = 0; i < width; i++) {
                    in[(row + radius) * pitch + radius + i] = (double) firstX + i + firstY + row;
                }
            }
            long room = radius * Math.max(columns.largest(), rows.largest());
            this.come = shmem.allocate(DataType.INT64, 2);
            this.memory = shmem.allocate(DataType.FLOAT64, 8 * room);
            int[] pes = {
                x > 0 ? shmem.myPe() - 1 : -1,
                x < wide - 1 ? shmem.myPe() + 1 : -1,
                y > 0 ? shmem.myPe() - wide : -1,
                y < high - 1 ? shmem.myPe() + wide : -1
            };
            int count = 0;
            for (int pe : pes) {
                count += pe < 0 ? 0 : 1;
            }
            this.neighbours = count;
            this.halos = new Halo[count];
            int at = 0;
            for (int side = 0; side < pes.length; side++) {
                if (pes[side] >= 0) {
                    halos[at++] = new Halo(side, pes[side], room);
                }
            }
        }

        @Override
        public void pass(int number) {
            int parity = number % 2;
            for (Halo halo : halos) {
                halo.send(parity);
            }
            // Whoever has sent this pass's halo has taken the one of the pass before, so that two of each are enough.
            long ignored = shmem.waitUntil(come, parity, Comparison.GE, neighbours * (number / 2 + 1L));
            for (Halo halo : halos) {
                halo.take(parity);
            }
            int from = Math.max(firstX, radius) - firstX;
            int count = Math.min(firstX + width, kernel.n - radius) - firstX - from;
            int firstRow = Math.max(firstY, radius) - firstY;
            int endRow = Math.min(firstY + height, kernel.n - radius) - firstY;
            for (int row = firstRow; row < endRow; row++) {
                int at = (row + radius) * pitch + radius + from;
                int k = 1;
                for (; k < radius; k += 2) {
                    addTwo(out, in, left2, left1, right1, right2, at, count, pitch, k, weight(k), weight(k + 1));
                }
                if (k == radius) {
                    addOne(out, in, left1, right1, at, count, pitch, k, weight(k));
                }
            }
            for (int row = 0; row < height; row++) {
                increase(in, (row + radius) * pitch + radius, width);
            }
        }

        private double weight(int k) {
            return 1.0 / (2.0 * k * radius);
        }

        /** Adds the points at distances {@code k} and {@code k + 1} of a part of a row. */
        private static void addTwo(
                double[] out,
                double[] in,
                double[] left2,
                double[] left1,
                double[] right1,
                double[] right2,
                int at,
                int count,
                int pitch,
                int k,
                double near,
                double far) {
            int below1 = at - k * pitch;
            int above1 = at + k * pitch;
            int below2 = below1 - pitch;
            int above2 = above1 + pitch;
            int l1 = at - k;
            int r1 = at + k;
            int l2 = l1 - 1;
            int r2 = r1 + 1;
            for (int i = 0; i < count; i++) {
                out[at + i] += near * in[above1 + i]
                        - near * in[below1 + i]
                        + far * in[above2 + i]
                        - far * in[below2 + i]
                        + near * right1[r1 + i]
                        - near * left1[l1 + i]
                        + far * right2[r2 + i]
                        - far * left2[l2 + i];
            }
        }

        private static void addOne(
                double[] out,
                double[] in,
                double[] left,
                double[] right,
                int at,
                int count,
                int pitch,
                int k,
                double weight) {
            int below = at - k * pitch;
            int above = at + k * pitch;
            int l = at - k;
            int r = at + k;
            for (int i = 0; i < count; i++) {
                out[at + i] +=
                        weight * in[above + i] - weight * in[below + i] + weight * right[r + i] - weight * left[l + i];
            }
        }

        private static void increase(double[] in, int at, int count) {
            for (int i = at; i < at + count; i++) {
                in[i] += 1;
            }
        }

        @Override
        public @Nullable String error() {
            double norm = 0;
            for (double value : out) {
                norm += Math.abs(value);
            }
            int active = kernel.n - 2 * radius;
            norm = totals.sum(norm) / active / active;
            double expected = 2 * (kernel.iterations + 1.0);
            return Math.abs(norm - expected) <= EPSILON
                    ? null
                    : "L1 norm = " + norm + ", reference L1 norm = " + expected;
        }

        @Override
        public void close() {
            come.close();
            memory.close();
        }
    }
}
