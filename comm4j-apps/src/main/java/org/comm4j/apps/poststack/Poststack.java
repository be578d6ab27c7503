// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.poststack;

import java.util.List;
import org.comm4j.apps.Axis;
import org.comm4j.apps.ColourMap;
import org.comm4j.apps.History;
import org.comm4j.apps.InversionSettings;
import org.comm4j.apps.Outcome;
import org.comm4j.apps.Section;
import org.comm4j.apps.Synthetic;
import org.comm4j.apps.Watch;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.operator.DerivativeKind;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.Laplacian;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.Smoothing;
import org.comm4j.operator.VStack;
import org.comm4j.operator.proximal.L2;
import org.comm4j.operator.proximal.L21;
import org.comm4j.operator.seismic.PoststackLinearModelling;
import org.comm4j.operator.solver.AdmmL2;
import org.comm4j.operator.solver.Cgls;
import org.comm4j.operator.solver.PrimalDual;
import org.comm4j.operator.solver.Solver;

/**
 * An inversion of post-stack seismic data for impedance: the data are made from a known model, the iterations begin
 * with that model smoothed, and the result is compared with it. The volume is divided along its first axis.
 */
public final class Poststack {
    /** Length of the background's running mean along time and traces, as a part of the axis. */
    private static final double SMOOTH = 0.15;

    /** Inner iterations of the solvers with total variation. */
    private static final int INNER = 8;

    private final Backend backend;
    private final PoststackSettings settings;
    private final InversionSettings common;
    private final Layout volume;
    private final LinearOperator modelling;
    private final DistributedArray truth;
    private final DistributedArray background;
    private final Vector data;

    /** Collective: makes the model and its data. */
    public Poststack(Backend backend, PoststackSettings settings) {
        this.backend = backend;
        this.settings = settings;
        common = settings.common();
        volume = backend.scattered(0, settings.shape().lengths());
        // The half is that of zero-offset reflections.
        double[] wavelet = Synthetic.wavelet(settings.dt(), settings.frequency(), 0.5);
        modelling = PoststackLinearModelling.of(backend, volume, wavelet, common.type());
        truth = Synthetic.logarithm(backend, volume, common);
        background = smoothed();
        data = modelling.times(truth);
        Synthetic.addNoise(data, common);
    }

    /** The model's running mean; beyond the volume there is nothing, so that sums are divided by that of ones. */
    private DistributedArray smoothed() {
        int[] lengths = new int[volume.ndim()];
        for (int axis = 0; axis < lengths.length; axis++) {
            lengths[axis] = (int) (SMOOTH * volume.length(axis)) | 1;
        }
        LinearOperator mean = Smoothing.of(backend, volume, common.type(), lengths);
        DistributedArray result = (DistributedArray) mean.times(truth);
        try (DistributedArray ones = backend.full(volume, common.type(), 1);
                DistributedArray weights = (DistributedArray) mean.times(ones)) {
            Synthetic.map(weights, weight -> 1 / weight);
            result.multiply(weights);
        }
        return result;
    }

    /**
     * Collective: inverts the data.
     */
    public Outcome run(Watch watch) {
        return Outcome.of(
                solver(),
                watch,
                settings.regularization().isVariation()
                        ? History.ofChanges(data.norm())
                        : History.ofResiduals(data.norm()),
                error(background),
                this::misfit,
                this::error,
                model -> sections((DistributedArray) model));
    }

    private double misfit(Vector model) {
        try (Vector modelled = modelling.times(model)) {
            return modelled.axpy(-1, data).norm() / data.norm();
        }
    }

    private Solver solver() {
        Regularization known = settings.regularization();
        if (known.isVariation()) {
            return variation(known);
        }
        Solver solver;
        if (known.laplacian() == 0) {
            solver = Cgls.of(modelling, data);
        } else {
            int[] axes = new int[volume.ndim()];
            for (int axis = 0; axis < axes.length; axis++) {
                axes[axis] = axis;
            }
            LinearOperator laplacian =
                    Laplacian.of(backend, volume, axes).dtype(common.type()).build();
            solver = Cgls.of(
                    VStack.of(modelling, laplacian.times(known.laplacian())), StackedArray.of(data, data.like()));
        }
        return solver.start(background).damp(common.damp()).iterations(common.iterations());
    }

    /**
     * The misfit with total variation, by differences to the next sample: centred ones do not see what alternates. The
     * data have no low frequencies, which stay those of the background for a small weight only: a larger one lowers the
     * total variation by changing them.
     */
    private Solver variation(Regularization known) {
        LinearOperator[] differences = new LinearOperator[volume.ndim()];
        for (int axis = 0; axis < differences.length; axis++) {
            differences[axis] = FirstDerivative.of(backend, volume, axis)
                    .kind(DerivativeKind.FORWARD)
                    .dtype(common.type())
                    .build();
        }
        LinearOperator d = VStack.of(differences);
        L21 variation = L21.of(d.range(), known.variation());
        if (known.method() == Regularization.Method.ADMM) {
            return AdmmL2.of(variation, modelling, data, d)
                    .inner(INNER)
                    .start(background)
                    .iterations(common.iterations());
        }
        return PrimalDual.of(L2.of(modelling, data).iterations(INNER).warm(), variation, d)
                .tau(1)
                .mu(0.25 / differences.length)
                .start(background)
                .iterations(common.iterations());
    }

    /** The root of the mean square of the logarithm's error: for small ones the relative error of the impedance. */
    private double error(Vector model) {
        try (Vector difference = model.minus(truth)) {
            return difference.norm() / Math.sqrt((double) volume.size());
        }
    }

    private List<Section> sections(DistributedArray model) {
        double[] impedance = Synthetic.section(truth, Math::exp);
        double[] limits = Section.limits(impedance);
        int columns = (int) volume.length(-2);
        Axis across = new Axis("trace", 0, columns);
        Axis down = new Axis("two-way time, s", 0, volume.length(-1) * settings.dt());
        String quantity = common.model() == null ? "impedance, 10⁶ kg/(m² s)" : "impedance";
        return List.of(
                Section.impedance("Model", quantity, columns, impedance, across, down, limits),
                Section.amplitudes(
                        "Data",
                        columns,
                        Synthetic.section((DistributedArray) data, x -> x),
                        across,
                        down,
                        ColourMap.DIVERGING),
                Section.impedance(
                        "Background",
                        quantity,
                        columns,
                        Synthetic.section(background, Math::exp),
                        across,
                        down,
                        limits),
                Section.impedance(
                        "Inversion", quantity, columns, Synthetic.section(model, Math::exp), across, down, limits));
    }
}
