// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.reflectivity;

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
import org.comm4j.array.Vector;
import org.comm4j.operator.Convolve1D;
import org.comm4j.operator.DerivativeKind;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.solver.Fista;
import org.comm4j.operator.solver.Solver;

/**
 * An inversion of seismic traces for reflectivity, as sparse spikes: the data are made from the reflectivity of a known
 * model by a wavelet, and {@link Fista} finds few spikes that give them. The volume is divided along its first axis.
 */
public final class Reflectivity {
    private final Backend backend;
    private final ReflectivitySettings settings;
    private final InversionSettings common;
    private final Layout volume;
    private final LinearOperator modelling;
    private final DistributedArray truth;
    private final Vector data;

    /** Collective: makes the model and its data. */
    public Reflectivity(Backend backend, ReflectivitySettings settings) {
        this.backend = backend;
        this.settings = settings;
        common = settings.common();
        volume = backend.scattered(0, settings.shape().lengths());
        double[] wavelet = Synthetic.wavelet(settings.dt(), settings.frequency(), 1);
        modelling = Convolve1D.of(backend, volume, common.type(), -1, wavelet, wavelet.length / 2);
        truth = spikes();
        data = modelling.times(truth);
        Synthetic.addNoise(data, common);
    }

    /** The reflectivity at normal incidence: half the difference of the impedance's logarithm to the next sample. */
    private DistributedArray spikes() {
        LinearOperator half = FirstDerivative.of(backend, volume, -1)
                .kind(DerivativeKind.FORWARD)
                .dtype(common.type())
                .build()
                .times(0.5);
        try (DistributedArray logarithm = Synthetic.logarithm(backend, volume, common)) {
            return (DistributedArray) half.times(logarithm);
        }
    }

    /** Collective: inverts the data. */
    public Outcome run(Watch watch) {
        History history = History.ofObjectives(data.norm());
        double largest;
        try (Vector gradient = modelling.rmatvec(data, truth.like())) {
            largest = gradient.norm(Double.POSITIVE_INFINITY);
        }
        Solver solver =
                Fista.of(modelling, data).eps(2 * settings.sparsity() * largest).iterations(common.iterations());
        return Outcome.of(
                solver, watch, history, 1, this::misfit, this::error, model -> sections((DistributedArray) model));
    }

    private double misfit(Vector model) {
        try (Vector modelled = modelling.times(model)) {
            return modelled.axpy(-1, data).norm() / data.norm();
        }
    }

    private double error(Vector model) {
        try (Vector difference = model.minus(truth)) {
            return difference.norm() / truth.norm();
        }
    }

    private List<Section> sections(DistributedArray model) {
        return List.of(
                section("Reflectivity", truth, ColourMap.GREY),
                section("Data", (DistributedArray) data, ColourMap.DIVERGING),
                section("Sparse spikes", model, ColourMap.GREY));
    }

    private Section section(String title, DistributedArray array, ColourMap colours) {
        int columns = (int) volume.length(-2);
        return Section.amplitudes(
                title,
                columns,
                Synthetic.section(array, x -> x),
                new Axis("trace", 0, columns),
                new Axis("two-way time, s", 0, volume.length(-1) * settings.dt()),
                colours);
    }
}
