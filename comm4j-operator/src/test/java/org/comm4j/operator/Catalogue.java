// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.operator.seismic.AvoLinearModelling;
import org.comm4j.operator.seismic.Kirchhoff;
import org.comm4j.operator.seismic.PoststackLinearModelling;
import org.comm4j.operator.seismic.PrestackLinearModelling;
import org.comm4j.operator.seismic.Wavelets;
import org.comm4j.operator.signal.Convolution;
import org.comm4j.operator.signal.ConvolveND;
import org.comm4j.operator.signal.DCT;
import org.comm4j.operator.signal.FFT;
import org.comm4j.operator.signal.FFT2D;
import org.comm4j.operator.signal.FFTND;
import org.comm4j.operator.signal.Fredholm1;
import org.comm4j.operator.signal.MDC;
import org.comm4j.operator.signal.Shift;
import org.jspecify.annotations.Nullable;

/** Every operator: how to make it for a layout, and where it is short what it does, in plain Java on whole arrays. */
final class Catalogue {
    @FunctionalInterface
    interface Maker {
        LinearOperator make(Backend backend, Layout layout, DataType type);
    }

    @FunctionalInterface
    interface Oracle {
        double[] apply(long[] shape, double[] x);
    }

    /**
     * An operator.
     *
     * @param covers the class that makes it
     * @param takes the layouts that it has; others it refuses
     * @param oracle null where tests of its own have one
     * @param whole whether its matrix is the same for every layout of a shape
     */
    record Entry(
            String name,
            Class<?> covers,
            Predicate<Layout> takes,
            boolean whole,
            Maker maker,
            @Nullable Oracle oracle) {}

    private final List<Entry> entries = new ArrayList<>();

    private Catalogue() {}

    private void add(Class<?> covers, String how, Predicate<Layout> takes, Maker maker, @Nullable Oracle oracle) {
        entries.add(new Entry(covers.getSimpleName() + " " + how, covers, takes, true, maker, oracle));
    }

    /** Adds an operator of the ranks' own parts. */
    private void own(Class<?> covers, Predicate<Layout> takes, Maker maker) {
        entries.add(new Entry(covers.getSimpleName(), covers, takes, false, maker, null));
    }

    private static boolean any(Layout layout) {
        return layout.size() >= 0;
    }

    /** Applies a function to every line along an axis. */
    static Oracle along(int axis, UnaryOperator<double[]> line) {
        return (shape, x) -> {
            int n = (int) shape[axis];
            int inner = 1;
            for (int a = axis + 1; a < shape.length; a++) {
                inner *= (int) shape[a];
            }
            int lines = n == 0 ? 0 : x.length / n;
            int m = line.apply(new double[n]).length;
            double[] y = new double[lines * m];
            for (int at = 0; at < lines; at++) {
                double[] in = new double[n];
                for (int i = 0; i < n; i++) {
                    in[i] = x[(at / inner * n + i) * inner + at % inner];
                }
                double[] out = line.apply(in);
                for (int i = 0; i < m; i++) {
                    y[(at / inner * m + i) * inner + at % inner] = out[i];
                }
            }
            return y;
        };
    }

    static double[] made(int n, IntToDoubleFunction element) {
        double[] y = new double[n];
        Arrays.setAll(y, element);
        return y;
    }

    /** The orthogonal cosine transform of kind 2, 3 or 4. */
    private static double[] cosines(int kind, double... x) {
        int n = x.length;
        return made(n, k -> {
            double sum = 0;
            for (int j = 0; j < n; j++) {
                int row = kind == 3 ? j : k;
                int column = kind == 3 ? k : j;
                double phase = kind == 4 ? (row + 0.5) * (column + 0.5) : row * (column + 0.5);
                sum += x[j] * Math.sqrt((kind != 4 && row == 0 ? 1.0 : 2.0) / n) * Math.cos(Math.PI * phase / n);
            }
            return sum;
        });
    }

    private static double[] centred(double... x) {
        int n = x.length;
        return made(n, i -> i > 0 && i < n - 1 ? (x[i + 1] - x[i - 1]) / 2 : 0);
    }

    private static double[] second(double... x) {
        int n = x.length;
        return made(n, i -> i > 0 && i < n - 1 ? x[i + 1] - 2 * x[i] + x[i - 1] : 0);
    }

    private static double[] plus(double[] x, double... y) {
        return made(x.length, i -> x[i] + y[i]);
    }

    static double[] behind(double[] x, double... y) {
        double[] both = Arrays.copyOf(x, x.length + y.length);
        System.arraycopy(y, 0, both, x.length, y.length);
        return both;
    }

    /** Returns all operators for arrays of three axes, none of which is empty. */
    static List<Entry> all() {
        Catalogue c = new Catalogue();
        for (int each = 0; each < 3; each++) {
            c.alongAxis(each);
        }
        c.others();
        c.composed();
        c.seismic();
        c.transforms();
        return c.entries;
    }

    private void alongAxis(int a) {
        String at = "along axis " + a;
        add(
                FirstDerivative.class,
                at,
                Catalogue::any,
                (b, l, t) -> FirstDerivative.of(b, l, a).dtype(t).build(),
                along(a, Catalogue::centred));
        add(
                FirstDerivative.class,
                "forward, " + at,
                Catalogue::any,
                (b, l, t) -> FirstDerivative.of(b, l, a)
                        .kind(DerivativeKind.FORWARD)
                        .sampling(2)
                        .dtype(t)
                        .build(),
                along(a, x -> made(x.length, i -> i < x.length - 1 ? (x[i + 1] - x[i]) / 2 : 0)));
        add(
                FirstDerivative.class,
                "of five points with edges, " + at,
                Catalogue::any,
                (b, l, t) ->
                        FirstDerivative.of(b, l, a).order(5).edge().dtype(t).build(),
                null);
        add(
                SecondDerivative.class,
                at,
                Catalogue::any,
                (b, l, t) -> SecondDerivative.of(b, l, a).dtype(t).build(),
                along(a, Catalogue::second));
        add(
                SecondDerivative.class,
                "backward, " + at,
                Catalogue::any,
                (b, l, t) -> SecondDerivative.of(b, l, a)
                        .kind(DerivativeKind.BACKWARD)
                        .dtype(t)
                        .build(),
                along(a, x -> made(x.length, i -> i > 1 ? x[i] - 2 * x[i - 1] + x[i - 2] : 0)));
        add(
                SecondDerivative.class,
                "with edges, " + at,
                Catalogue::any,
                (b, l, t) -> SecondDerivative.of(b, l, a).edge().dtype(t).build(),
                null);
        add(
                Flip.class,
                at,
                Catalogue::any,
                (b, l, t) -> Flip.of(b, l, t, a),
                along(a, x -> made(x.length, i -> x[x.length - 1 - i])));
        add(
                Roll.class,
                at,
                Catalogue::any,
                (b, l, t) -> Roll.of(b, l, t, a, 2),
                along(a, x -> made(x.length, i -> x[Math.floorMod(i - 2, x.length)])));
        add(
                Pad.class,
                at,
                Catalogue::any,
                (b, l, t) -> Pad.of(b, l, t, a, 1, 2),
                along(a, x -> made(x.length + 3, i -> i > 0 && i <= x.length ? x[i - 1] : 0)));
        add(Sum.class, at, Catalogue::any, (b, l, t) -> Sum.of(b, l, t, a), along(a, x ->
                new double[] {Arrays.stream(x).sum()}));
        add(
                Spread.class,
                at,
                Catalogue::any,
                (b, l, t) -> Spread.of(b, l.resized(a, 1), t, a, 4).times(Sum.of(b, l, t, a)),
                along(a, x -> made(4, i -> Arrays.stream(x).sum())));
        add(
                Symmetrize.class,
                at,
                Catalogue::any,
                (b, l, t) -> Symmetrize.of(b, l, t, a),
                along(a, x -> made(2 * x.length - 1, i -> x[Math.abs(i - x.length + 1)])));
        add(
                Restriction.class,
                at,
                Catalogue::any,
                (b, l, t) -> Restriction.of(b, l, t, a, l.length(a) - 1, 0),
                along(a, x -> new double[] {x[x.length - 1], x[0]}));
        add(
                CausalIntegration.class,
                at,
                Catalogue::any,
                (b, l, t) -> CausalIntegration.of(b, l, t, a, 0.5, CausalIntegration.Kind.FULL),
                along(a, x -> made(x.length, i -> Arrays.stream(x, 0, i + 1).sum() / 2)));
        add(
                CausalIntegration.class,
                "trapezoidal, " + at,
                Catalogue::any,
                (b, l, t) -> CausalIntegration.of(b, l, t, a, 1, CausalIntegration.Kind.TRAPEZOIDAL),
                null);
        add(
                Smoothing.class,
                at,
                Catalogue::any,
                (b, l, t) -> Smoothing.along(b, l, t, a, 3),
                along(
                        a,
                        x -> made(
                                x.length,
                                i -> Arrays.stream(x, Math.max(0, i - 1), Math.min(x.length, i + 2))
                                                .sum()
                                        / 3)));
        add(
                Convolve1D.class,
                at,
                Catalogue::any,
                (b, l, t) -> Convolve1D.of(b, l, t, a, new double[] {1, 2, 4}, 0),
                along(a, x -> made(x.length, i -> x[i] + (i > 0 ? 2 * x[i - 1] : 0) + (i > 1 ? 4 * x[i - 2] : 0))));
        add(
                Interp.class,
                at,
                Catalogue::any,
                (b, l, t) -> Interp.of(b, l, t, a, Interp.Kind.LINEAR, 0, (l.length(a) - 1) / 2.0),
                along(a, x -> new double[] {x[0], (x[(x.length - 1) / 2] + x[x.length / 2]) / 2}));
        add(
                NonStationaryConvolve1D.class,
                at,
                Catalogue::any,
                (b, l, t) -> NonStationaryConvolve1D.of(b, l, t, a, new double[][] {{1, 2, 4}}, 0),
                along(
                        a,
                        x -> made(
                                x.length,
                                i -> 2 * x[i] + (i > 0 ? 4 * x[i - 1] : 0) + (i < x.length - 1 ? x[i + 1] : 0))));
        add(
                MatrixMult.class,
                at,
                Catalogue::any,
                (b, l, t) -> MatrixMult.of(matrix(b, t, 3, l.length(a)), l, a),
                along(
                        a,
                        x -> made(3, i -> {
                            double sum = 0;
                            for (int k = 0; k < x.length; k++) {
                                sum += element(i, k) * x[k];
                            }
                            return sum;
                        })));
    }

    private static double element(long i, long k) {
        return (i * 7 + k * 3) % 5 - 1.5;
    }

    private static DistributedArray matrix(Backend backend, DataType type, long rows, long columns) {
        double[] elements = new double[Math.toIntExact(rows * columns)];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = element(i / columns, i % columns);
        }
        DistributedArray matrix = backend.of(backend.replicated(rows, columns), elements);
        DistributedArray converted = matrix.like(type);
        converted.assign(matrix);
        return converted;
    }

    private static double[] laplacian(long[] shape, double... x) {
        double[] sum = along(0, Catalogue::second).apply(shape, x);
        for (int a = 1; a < shape.length; a++) {
            sum = plus(sum, along(a, Catalogue::second).apply(shape, x));
        }
        return sum;
    }

    private void others() {
        add(
                Laplacian.class,
                "",
                Catalogue::any,
                (b, l, t) -> Laplacian.of(b, l, 0, 1, 2).dtype(t).build(),
                Catalogue::laplacian);
        add(
                Laplacian.class,
                "of two axes",
                Catalogue::any,
                (b, l, t) ->
                        Laplacian.of(b, l, 0, -1).weights(2, 3).edge().dtype(t).build(),
                null);
        add(Gradient.class, "", Catalogue::any, (b, l, t) -> Gradient.of(b, l, t), (shape, x) -> {
            double[] y = along(0, Catalogue::centred).apply(shape, x);
            y = behind(y, along(1, Catalogue::centred).apply(shape, x));
            return behind(y, along(2, Catalogue::centred).apply(shape, x));
        });
        add(Gradient.class, "with edges", Catalogue::any, (b, l, t) -> Gradient.of(b, l, t, 2, true), null);
        add(
                DirectionalDerivative.class,
                "",
                Catalogue::any,
                (b, l, t) -> DirectionalDerivative.second(DirectionalDerivative.first(b, l, t, 1, false, 0.5, -1, 2)),
                null);
        add(
                Transpose.class,
                "",
                l -> l.partition() != Partition.BLOCKS,
                (b, l, t) -> Transpose.of(b, l, t, 2, 0, 1),
                (shape, x) -> {
                    int p = (int) shape[0];
                    int q = (int) shape[1];
                    int r = (int) shape[2];
                    return made(x.length, i -> x[(i / q % p * q + i % q) * r + i / q / p]);
                });
        add(Identity.class, "", Catalogue::any, Identity::of, (shape, x) -> x);
        add(
                Identity.class,
                "of another shape",
                Catalogue::any,
                (b, l, t) -> Identity.of(b, l, t, l.length(0), l.length(1) + 1, l.length(2)),
                along(1, x -> Arrays.copyOf(x, x.length + 1)));
        add(
                Zero.class,
                "",
                Catalogue::any,
                (b, l, t) -> Zero.of(b, l, b.replicated(3), t),
                (shape, x) -> new double[3]);
        add(
                Diagonal.class,
                "",
                Catalogue::any,
                (b, l, t) -> Diagonal.of(b.full(l, t, 3)),
                (shape, x) -> made(x.length, i -> 3 * x[i]));
        add(
                Halo.class,
                "",
                l -> l.isDivided(),
                (b, l, t) -> {
                    long[] rims = new long[3];
                    Arrays.setAll(rims, a -> l.isDivided(a) ? 2 : 0);
                    Halo halo = Halo.of(b, l, t, rims, rims);
                    return halo.crop().times(halo);
                },
                (shape, x) -> x);
        add(
                Redistribute.class,
                "",
                l -> l.partition() != Partition.LOCAL,
                (b, l, t) -> Redistribute.of(b, l, b.scattered(1, l.shape()), t),
                (shape, x) -> x);
        add(
                FunctionOperator.class,
                "",
                Catalogue::any,
                (b, l, t) -> FunctionOperator.of(
                        b,
                        l,
                        l,
                        t,
                        (x, y) -> y.assign(x).scale(Coefficient.of(2)),
                        (y, x) -> x.assign(y).scale(Coefficient.of(2))),
                (shape, x) -> made(x.length, i -> 2 * x[i]));
        add(
                MemoizeOperator.class,
                "",
                Catalogue::any,
                (b, l, t) -> MemoizeOperator.of(Flip.of(b, l, t, 1), 2),
                along(1, x -> made(x.length, i -> x[x.length - 1 - i])));
        add(Conj.class, "", Catalogue::any, Conj::of, (shape, x) -> x);
        own(Regression.class, Catalogue::any, (b, l, t) -> {
            // Points are real.
            DistributedArray points = b.random(b.scattered(0, l.size()), Compute.real(t), 4);
            return Regression.of(points, 2);
        });
        add(
                Kronecker.class,
                "",
                l -> l.partition() != Partition.BLOCKS && (!l.isDivided() || l.isDivided(0)) && l.groups().length == 0,
                (b, l, t) -> {
                    Layout two = l.partition() == Partition.LOCAL
                            ? b.local(l.length(0), l.length(1))
                            : l.isDivided()
                                    ? b.scattered(0, l.length(0), l.length(1))
                                    : b.replicated(l.length(0), l.length(1));
                    return Kronecker.of(
                            MatrixMult.of(matrix(b, t, 2, l.length(0))),
                            MatrixMult.of(matrix(b, t, 3, l.length(1))),
                            two);
                },
                null);
    }

    private void composed() {
        add(
                VStack.class,
                "of all ranks",
                Catalogue::any,
                (b, l, t) -> VStack.of(Flip.of(b, l, t, 0), Identity.of(b, l, t).times(2)),
                (shape, x) -> behind(
                        along(0, y -> made(y.length, i -> y[y.length - 1 - i])).apply(shape, x),
                        made(x.length, i -> 2 * x[i])));
        add(
                VStack.class,
                "nested, S - S, and a power",
                Catalogue::any,
                (b, l, t) -> {
                    LinearOperator stack =
                            VStack.of(VStack.of(Flip.of(b, l, t, 0), Roll.of(b, l, t, 1, 1)), Identity.of(b, l, t));
                    LinearOperator difference = stack.minus(stack.times(3)).plus(stack);
                    return difference.H().times(stack).power(2);
                },
                (shape, x) -> made(x.length, i -> 9 * x[i]));
        add(
                HStack.class,
                "of all ranks",
                Catalogue::any,
                (b, l, t) -> HStack.of(Roll.of(b, l, t, 1, 1), Flip.of(b, l, t, 2))
                        .times(VStack.of(Identity.of(b, l, t), Identity.of(b, l, t))),
                (shape, x) -> plus(
                        along(1, y -> made(y.length, i -> y[Math.floorMod(i - 1, y.length)]))
                                .apply(shape, x),
                        along(2, y -> made(y.length, i -> y[y.length - 1 - i])).apply(shape, x)));
        add(
                Block.class,
                "",
                Catalogue::any,
                (b, l, t) -> {
                    LinearOperator one = Identity.of(b, l, t);
                    LinearOperator none = Zero.of(b, l, l, t);
                    return Block.of(new LinearOperator[][] {{one, none}, {one, one.times(2)}})
                            .times(VStack.of(one, one));
                },
                (shape, x) -> behind(x, made(x.length, i -> 3 * x[i])));
        add(
                BlockDiag.class,
                "of all ranks",
                Catalogue::any,
                (b, l, t) -> {
                    LinearOperator one = Identity.of(b, l, t);
                    return BlockDiag.of(Flip.of(b, l, t, 0), BlockDiag.of(one.times(2)))
                            .times(VStack.of(one, VStack.of(one)));
                },
                (shape, x) -> behind(
                        along(0, y -> made(y.length, i -> y[y.length - 1 - i])).apply(shape, x),
                        made(x.length, i -> 2 * x[i])));
        own(BlockDiag.class, Catalogue::any, (b, l, t) -> BlockDiag.of(b, parts(b, t)));
        own(VStack.class, Catalogue::any, (b, l, t) -> VStack.of(b, parts(b, t)));
        own(HStack.class, Catalogue::any, (b, l, t) -> HStack.of(b, parts(b, t)[0].H(), parts(b, t)[0].H()));
    }

    /** Matrices of this rank, with as many rows as it likes. */
    private static LinearOperator[] parts(Backend backend, DataType type) {
        int rank = backend.rank();
        return new LinearOperator[] {
            MatrixMult.of(backend.random(backend.local(rank + 1, 3), type, rank)),
            MatrixMult.of(backend.random(backend.local(2, 3), type, 50 + rank))
        };
    }

    private void seismic() {
        double[] wavelet = Wavelets.ricker(0.004, 3, 30);
        add(
                PoststackLinearModelling.class,
                "",
                Catalogue::any,
                (b, l, t) -> PoststackLinearModelling.of(b, l, wavelet, t),
                null);
        Predicate<Layout> whole = l -> l.length(1) == 3 && !l.isDivided(1) && !l.isDivided(2);
        add(
                PrestackLinearModelling.class,
                "",
                whole,
                (b, l, t) -> PrestackLinearModelling.of(
                        b,
                        l,
                        t,
                        wavelet,
                        AvoLinearModelling.Linearization.AKI_RICHARDS,
                        new double[] {5, 20},
                        made((int) l.length(2), i -> 0.5)),
                null);
        add(
                AvoLinearModelling.class,
                "",
                whole,
                (b, l, t) -> AvoLinearModelling.of(
                        b,
                        l,
                        t,
                        AvoLinearModelling.Linearization.FATTI,
                        new double[] {5, 20, 30},
                        made((int) l.length(2), i -> 0.4)),
                null);
        own(Kirchhoff.class, Catalogue::any, (b, l, t) -> {
            LinearOperator mine = Kirchhoff.of(b, b.local(6), new double[] {0, 10}, new double[] {10, 20, 30})
                    .sources(new double[][] {{5.0 * b.rank(), 0}})
                    .receivers(new double[][] {{0, 0}, {10, 0}})
                    .velocity(1000)
                    .time(20, 0.004)
                    .wavelet(wavelet, 3)
                    .dtype(t)
                    .build();
            return VStack.of(b, mine);
        });
    }

    private void windows() {
        Predicate<Layout> one = l -> l.groups().length == 0 && l.length(0) >= 2;
        Predicate<Layout> two = l -> one.test(l) && l.length(1) >= 3;
        Predicate<Layout> three = l -> two.test(l) && l.length(2) >= 2;
        own(Sliding1D.class, l -> l.groups().length == 0 && l.length(0) >= 2, (b, l, t) -> {
            Layout line = l.isDivided() ? b.scattered(0, l.length(0) + 3) : b.replicated(l.length(0) + 3);
            return Sliding1D.of(Identity.of(b, b.local(3), t, 4), line, 4, 2, Taper.HANNING);
        });
        own(Sliding2D.class, one, (b, l, t) -> {
            Layout matrix = l.isDivided() ? b.scattered(1, l.length(0), 5) : b.local(l.length(0), 5);
            return Sliding2D.of(Identity.of(b, b.local(3, 5), t, 2, 5), matrix, 2, 1, Taper.NONE);
        });
        own(
                Sliding3D.class,
                two,
                (b, l, t) -> Sliding3D.of(
                        Identity.of(b, b.replicated(2, 2, 3), t, 2, 3, l.length(2)),
                        l,
                        new int[] {2, 3},
                        new int[] {1, 0},
                        Taper.COSINE_SQRT));
        own(Patch2D.class, two, (b, l, t) -> {
            Layout matrix =
                    l.isDivided() ? b.scattered(0, l.length(0), l.length(1)) : b.local(l.length(0), l.length(1));
            return Patch2D.of(
                    Identity.of(b, b.local(3, 2), t, 2, 3), matrix, new int[] {2, 3}, new int[] {0, 1}, Taper.HANNING);
        });
        own(
                Patch3D.class,
                three,
                (b, l, t) -> Patch3D.of(
                        Identity.of(b, b.local(12), t, 12),
                        l,
                        new int[] {2, 3, 2},
                        new int[] {1, 1, 1},
                        Taper.COSINE_SQUARE));
    }

    private void transforms() {
        for (int each = 0; each < 3; each++) {
            int a = each;
            own(
                    FFT.class,
                    Catalogue::any,
                    (b, l, t) -> FFT.of(b, l, a).dtype(complex(t)).build());
            int kind = each + 2;
            add(
                    DCT.class,
                    "of kind " + kind + " along axis " + a,
                    Catalogue::any,
                    (b, l, t) -> DCT.of(b, l, t, kind, a),
                    along(a, x -> cosines(kind, x)));
            own(
                    FFT2D.class,
                    Catalogue::any,
                    (b, l, t) -> FFT2D.of(b, l, a, (a + 1) % 3)
                            .dtype(complex(t))
                            .shiftBefore()
                            .build());
        }
        for (int each = 0; each < 3; each++) {
            int a = each;
            own(Shift.class, Catalogue::any, (b, l, t) -> Shift.of(b, l, t, a, 1.25, 0.5, l.length(a) + 3));
        }
        windows();
        own(
                ConvolveND.class,
                Catalogue::any,
                (b, l, t) -> ConvolveND.of(
                        b, l, t, new double[] {1, 2, 4, 3, 0, -1}, new int[] {3, 2}, new int[] {1, 0}, 0, 2));
        own(
                Convolution.class,
                Catalogue::any,
                (b, l, t) -> Convolution.of(
                        b, l, t, new double[] {1, 2, 4, 3, 0, -1}, new int[] {3, 2}, new int[] {1, 0}, 0, 2));
        own(
                FFTND.class,
                Catalogue::any,
                (b, l, t) -> FFTND.of(b, l, 0, 1, 2)
                        .dtype(complex(t))
                        .lengths(6, 3, 10)
                        .slabs(2)
                        .build());
        Predicate<Layout> slices = l ->
                l.groups().length == 0 && (!l.isDivided() || l.partition() == Partition.SCATTERED && l.axis() == 0);
        own(Fredholm1.class, slices, (b, l, t) -> Fredholm1.of(b.random(l, t, 3), 2));
        own(MDC.class, l -> slices.test(l) && l.partition() != Partition.LOCAL, (b, l, t) -> {
            Layout kernel = l.isDivided() ? b.scattered(0, 3, 2, 4) : b.replicated(3, 2, 4);
            return MDC.of(b.random(kernel, complex(t), 5), 6, 2).dt(0.5).build();
        });
    }

    private static DataType complex(DataType type) {
        return Compute.promote(type, DataType.COMPLEX64);
    }
}
