// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.operator.signal.Convolution;
import org.comm4j.operator.signal.Convolution.Method;
import org.comm4j.operator.signal.ConvolveND;
import org.comm4j.operator.signal.DCT;
import org.comm4j.operator.signal.FFT;
import org.comm4j.operator.signal.FFT2D;
import org.comm4j.operator.signal.FFTND;
import org.comm4j.operator.signal.FourierNorm;
import org.comm4j.operator.signal.Fredholm1;
import org.comm4j.operator.signal.MDC;
import org.comm4j.operator.signal.Shift;

/** Fourier transforms beside PyLops'. */
final class PylopsTransforms {
    private static final long[] LINE = {7};
    private static final long[] VOLUME = {4, 3, 6};

    private PylopsTransforms() {}

    private static String python(FourierNorm norm) {
        return switch (norm) {
            case ORTHO -> "ortho";
            case NONE -> "none";
            case ONE_OVER_N -> "1/n";
        };
    }

    static void add(Pylops pylops, DataType type) {
        boolean real = !type.isComplex();
        String options = ", real=%s, dtype=dtype".formatted(real ? "True" : "False");
        for (FourierNorm norm : FourierNorm.values()) {
            for (int length : new int[] {5, 7, 12}) {
                pylops.operator(
                        "FFT(7, nfft=%d, norm='%s'%s)".formatted(length, python(norm), options),
                        type,
                        LINE,
                        (b, layout) -> options(FFT.of(b, layout, 0), type)
                                .norm(norm)
                                .lengths(length)
                                .build());
            }
            for (int axis = 0; axis < 3; axis++) {
                int along = axis;
                pylops.operator(
                        "FFT((4, 3, 6), axis=%d, norm='%s', ifftshift_before=True%s)"
                                .formatted(axis, python(norm), options),
                        type,
                        VOLUME,
                        (b, layout) -> options(FFT.of(b, layout, along), type)
                                .norm(norm)
                                .shiftBefore()
                                .build());
            }
        }
        for (int[] axes : new int[][] {{0, 1}, {1, 0}, {0, 2}, {2, 1}}) {
            pylops.operator(
                    "FFT2D((4, 3, 6), axes=(%d, %d), nffts=(8, 9)%s)".formatted(axes[0], axes[1], options),
                    type,
                    VOLUME,
                    (b, layout) -> options(FFT2D.of(b, layout, axes[0], axes[1]), type)
                            .pad(8, 9)
                            .build());
        }
        for (int[] axes : new int[][] {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {-1, -2, -3}}) {
            String list = Arrays.stream(axes).mapToObj(Integer::toString).collect(Collectors.joining(", "));
            pylops.operator(
                    "FFTND((4, 3, 6), axes=(%s), norm='none'%s)".formatted(list, options),
                    type,
                    VOLUME,
                    (b, layout) -> options(FFTND.of(b, layout, axes), type)
                            .norm(FourierNorm.NONE)
                            .build());
            pylops.operator(
                    "FFTND((4, 3, 6), axes=(%s), nffts=(5, 2, 7)%s)".formatted(list, options),
                    type,
                    VOLUME,
                    (b, layout) -> options(FFTND.of(b, layout, axes), type)
                            .lengths(5, 2, 7)
                            .slabs(2)
                            .sameAxis()
                            .build());
            if (!real) {
                String shifts = ", ifftshift_before=(True, False, True), fftshift_after=(False, True, True)";
                pylops.operator(
                        "FFTND((4, 3, 6), axes=(%s)%s%s)".formatted(list, shifts, options),
                        type,
                        VOLUME,
                        (b, layout) -> options(FFTND.of(b, layout, axes), type)
                                .shiftBefore(true, false, true)
                                .shiftAfter(false, true, true)
                                .build());
            }
        }
        cosines(pylops, type);
        windows(pylops, type);
        inverse(pylops, type);
        filters(pylops, type);
        kernels(pylops, type);
    }

    /** Windows are the range; so the adjoint takes the layouts of data. */
    private static void windows(Pylops pylops, DataType type) {
        Taper[] tapers = {Taper.NONE, Taper.HANNING, Taper.COSINE_SQUARE, Taper.COSINE_SQRT};
        String[] names = {"None", "'hanning'", "'cosinesquare'", "'cosinesqrt'"};
        for (int each = 0; each < tapers.length; each++) {
            Taper taper = tapers[each];
            String tail = ", tapertype=%s).H".formatted(names[each]);
            for (int overlap : new int[] {0, 1, 2}) {
                pylops.operator(
                        "Sliding1D(FirstDerivative(4, edge=True, dtype=dtype), dim=%d, dimd=11, nwin=4, nover=%d%s"
                                .formatted(4 * (7 / (4 - overlap) + 1), overlap, tail),
                        type,
                        new long[] {11},
                        (b, layout) -> Sliding1D.of(derivative(b, type, 4), layout, 4, overlap, taper)
                                .H());
            }
            pylops.operator(
                    "Sliding2D(FirstDerivative((4, 3), axis=0, edge=True, dtype=dtype), dims=(16, 3), dimsd=(11, 3),"
                            + " nwin=4, nover=2" + tail,
                    type,
                    new long[] {11, 3},
                    (b, layout) -> Sliding2D.of(derivative(b, type, 4, 3), layout, 4, 2, taper)
                            .H());
            pylops.operator(
                    "Sliding3D(FirstDerivative((4, 5, 2), axis=0, edge=True, dtype=dtype), dims=(16, 15, 2),"
                            + " dimsd=(11, 12, 2), nwin=(4, 5), nover=(2, 2), nop=(4, 5)" + tail,
                    type,
                    new long[] {11, 12, 2},
                    (b, layout) -> Sliding3D.of(
                                    derivative(b, type, 4, 5, 2), layout, new int[] {4, 5}, new int[] {2, 2}, taper)
                            .H());
            pylops.operator(
                    "Patch2D(FirstDerivative((4, 5), axis=0, edge=True, dtype=dtype), dims=(16, 15), dimsd=(11, 12),"
                            + " nwin=(4, 5), nover=(2, 2), nop=(4, 5)" + tail,
                    type,
                    new long[] {11, 12},
                    (b, layout) -> Patch2D.of(
                                    derivative(b, type, 4, 5), layout, new int[] {4, 5}, new int[] {2, 2}, taper)
                            .H());
            pylops.operator(
                    "Patch3D(FirstDerivative((4, 5, 2), axis=0, edge=True, dtype=dtype), dims=(12, 10, 4),"
                            + " dimsd=(9, 8, 4), nwin=(4, 5, 2), nover=(2, 2, 0), nop=(4, 5, 2)" + tail,
                    type,
                    new long[] {9, 8, 4},
                    (b, layout) -> Patch3D.of(
                                    derivative(b, type, 4, 5, 2),
                                    layout,
                                    new int[] {4, 5, 2},
                                    new int[] {2, 2, 0},
                                    taper)
                            .H());
        }
    }

    /** Returns an operator of a window that is no symmetric one. */
    private static LinearOperator derivative(Backend backend, DataType type, long... shape) {
        return FirstDerivative.of(backend, backend.local(shape), 0)
                .dtype(type)
                .edge()
                .build();
    }

    private static void cosines(Pylops pylops, DataType type) {
        for (int each = 1; each <= 4; each++) {
            int kind = each;
            pylops.operator(
                    "DCT(7, type=%d, dtype=dtype)".formatted(kind),
                    type,
                    LINE,
                    (b, layout) -> DCT.of(b, layout, type, kind));
            for (int[] axes : new int[][] {{0}, {1, 2}, {-1, 0}, {0, 1, 2}}) {
                String list = Arrays.stream(axes).mapToObj(Integer::toString).collect(Collectors.joining(", "));
                pylops.operator(
                        "DCT((4, 3, 6), type=%d, axes=(%s,), dtype=dtype)".formatted(kind, list),
                        type,
                        VOLUME,
                        (b, layout) -> DCT.of(b, layout, type, kind, axes));
            }
        }
    }

    private static void filters(Pylops pylops, DataType type) {
        String options = "real=%s, dtype=dtype".formatted(type.isComplex() ? "False" : "True");
        for (int axis = 0; axis < 3; axis++) {
            int along = axis;
            pylops.operator(
                    "Shift((4, 3, 6), 0.7, axis=%d, nfft=9, sampling=0.5, %s)".formatted(axis, options),
                    type,
                    VOLUME,
                    (b, layout) -> Shift.of(b, layout, type, along, 0.7, 0.5, 9));
            pylops.operator(
                    "Interp((4, 3, 6), np.array([0.2, 1.9, 1.0]), axis=%d, kind='linear', dtype=dtype)[0]"
                            .formatted(axis),
                    type,
                    VOLUME,
                    (b, layout) -> Interp.of(b, layout, type, along, Interp.Kind.LINEAR, 0.2, 1.9, 1));
            pylops.operator(
                    "Interp((4, 3, 6), np.array([0.2, 1.9]), axis=%d, kind='nearest', dtype=dtype)[0]".formatted(axis),
                    type,
                    VOLUME,
                    (b, layout) -> Interp.of(b, layout, type, along, Interp.Kind.NEAREST, 0.2, 1.9));
            pylops.operator(
                    "Interp((4, 3, 6), np.array([0.2, 1.9]), axis=%d, kind='sinc', dtype=dtype)[0]".formatted(axis),
                    type,
                    VOLUME,
                    (b, layout) -> Interp.of(b, layout, type, along, Interp.Kind.SINC, 0.2, 1.9));
        }
        pylops.operator(
                "Shift((3, 4), np.array([0.7, 0, -1.5]), axis=1, %s)".formatted(options),
                type,
                new long[] {3, 4},
                (b, layout) -> Shift.of(b, layout, type, 1, new double[] {0.7, 0, -1.5}, 1, 4));
        double[] filter = {1, -2, 3, 0.5, 4, -1};
        pylops.operator(
                "ConvolveND((4, 3, 6), np.array([[1.0, -2, 3], [0.5, 4, -1]]), offset=(1, 0), axes=(0, 2),"
                        + " dtype=dtype)",
                type,
                VOLUME,
                (b, layout) -> ConvolveND.of(b, layout, type, filter, new int[] {2, 3}, new int[] {1, 0}, 0, 2));
        // Along axes that do not ascend PyLops takes the filter's samples in another order.
        pylops.operator(
                "ConvolveND((4, 3, 6), np.array([[1.0, -2], [3, 0.5], [4, -1]]), offset=(1, 0), axes=(0, 2),"
                        + " dtype=dtype)",
                type,
                VOLUME,
                (b, layout) -> Convolution.of(
                        Method.DIRECT, b, layout, type, filter, new int[] {3, 2}, new int[] {1, 0}, 0, 2));
        pylops.operator(
                "Convolve1D(7, np.array([1.0, -2, 3, 0.5, 4, -1]), offset=2, method='fft', dtype=dtype)",
                type,
                LINE,
                (b, layout) -> ConvolveND.of(b, layout, type, filter, new int[] {6}, new int[] {2}, 0));
        double[][] filters = {{1, -2, 3}, {0.5, 4, -1}};
        for (int axis : new int[] {0, 2}) {
            long[] places = axis == 0 ? new long[] {0, 2} : new long[] {1, 4};
            pylops.operator(
                    "NonStationaryConvolve1D((4, 3, 6), np.array([[1.0, -2, 3], [0.5, 4, -1]]), (%d, %d), axis=%d, dtype=dtype)"
                            .formatted(places[0], places[1], axis),
                    type,
                    VOLUME,
                    (b, layout) -> NonStationaryConvolve1D.of(b, layout, type, axis, filters, places));
        }
    }

    private static void kernels(Pylops pylops, DataType type) {
        long[] none = {};
        pylops.input("G", 4, 3, 2);
        for (int nz : new int[] {1, 5}) {
            for (String conj : new String[] {"", ".conj()"}) {
                pylops.operator(
                        "Fredholm1(G, nz=%d, dtype=dtype)%s".formatted(nz, conj),
                        type,
                        new long[] {4, 3, 2},
                        (b, layout) -> {
                            boolean fits = !layout.isDivided() || layout.isDivided(0);
                            Layout slices = fits ? layout : b.scattered(0, 4, 3, 2);
                            LinearOperator fredholm = Fredholm1.of(Pylops.input(b, "G", slices, type), nz);
                            return conj.isEmpty() ? fredholm : fredholm.conj();
                        });
            }
        }
        if (type.isComplex()) {
            return;
        }
        for (boolean twoSided : new boolean[] {true, false}) {
            for (int nt : new int[] {7, 9}) {
                for (int nv : new int[] {1, 3}) {
                    for (boolean conj : new boolean[] {true, false}) {
                        String options = "nt=%d, nv=%d, dt=0.5, dr=2, twosided=%s, conj=%s"
                                .formatted(nt, nv, twoSided ? "True" : "False", conj ? "True" : "False");
                        pylops.operator("MDC(G128, " + options + ")", type, none, (b, layout) -> {
                            var kernel = Pylops.input(b, "G", b.scattered(0, 4, 3, 2), DataType.COMPLEX128);
                            var builder = MDC.of(kernel, nt, nv).dt(0.5).dr(2);
                            if (twoSided) {
                                builder.twoSided().model(b.replicated(nt, 2, nv));
                            }
                            return (conj ? builder.conj() : builder).build();
                        });
                    }
                }
            }
        }
    }

    private static FFTND.Builder options(FFTND.Builder builder, DataType type) {
        return type.isComplex() ? builder.dtype(type) : builder.real().dtype(type);
    }

    private static void inverse(Pylops pylops, DataType type) {
        String name = type.isComplex() ? "d128" : "d64";
        String options = type.isComplex() ? "" : ", real=True, dtype='float64'";
        for (FourierNorm norm : FourierNorm.values()) {
            pylops.value(
                    "[(F := FFT2D((5, 4), axes=(0, 1), sampling=(0.5, 2), norm='%s'%s)) / F.matvec(%s), F.f1, F.f2]"
                            .formatted(python(norm), options, name),
                    1e-13,
                    b -> {
                        DistributedArray x = Pylops.input(b, "d", b.scattered(0, 5, 4), type);
                        FFTND transform = options(FFT2D.of(b, x.layout(), 0, 1), type)
                                .sampling(0.5, 2)
                                .norm(norm)
                                .build();
                        var back = transform.inverse().times(transform.times(x));
                        return List.of(
                                back.arrays().getFirst().toHost(),
                                HostArray.of(transform.frequencies(0)),
                                HostArray.of(transform.frequencies(1)));
                    });
        }
    }
}
