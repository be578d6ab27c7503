// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.deconvolution;

import java.util.List;
import java.util.Random;
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
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.Compute;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.signal.MDC;
import org.comm4j.operator.solver.Cgls;
import org.comm4j.operator.solver.Solver;

/**
 * A multi-dimensional deconvolution: up-going waves are the reflections below the receivers, convolved with the
 * down-going waves, which have reverberations above them. Each rank has some frequencies of the down-going waves, and
 * while traces are transformed some of the traces.
 */
public final class Deconvolution {
    private static final int LAYERS = 4;
    private static final int REVERBERATIONS = 3;
    private static final double REFLECTED = -0.6;

    private final Backend backend;
    private final DeconvolutionSettings settings;
    private final InversionSettings common;
    private final DistributedArray kernel;
    private final LinearOperator operator;
    private final DistributedArray reflections;
    private final Vector data;

    /** Collective: makes the down-going waves, the reflections and the up-going waves. */
    public Deconvolution(Backend backend, DeconvolutionSettings settings) {
        this.backend = backend;
        this.settings = settings;
        common = settings.common();
        kernel = kernel();
        operator = MDC.of(kernel, settings.nt(), settings.virtual())
                .dt(settings.dt())
                .dr(settings.dr())
                .twoSided()
                .build();
        reflections = reflections();
        data = operator.times(reflections);
        Synthetic.addNoise(data, common);
    }

    /** The sample at time 0 of what is two-sided. */
    private int middle() {
        return settings.nt() / 2;
    }

    private double width() {
        return (settings.receivers() - 1) * settings.dr();
    }

    /** Height of the sources above the receivers, and of the water above both. */
    private double height() {
        return Math.max(settings.dr(), 0.1 * width());
    }

    private double virtualPlace(long v) {
        return (v + 0.5) * settings.receivers() / settings.virtual() * settings.dr() - settings.dr() / 2;
    }

    /** Spectra of a wavelet that comes directly, and again after each reflection at the surface. */
    private DistributedArray kernel() {
        DataType type = Compute.promote(common.type(), DataType.COMPLEX64);
        int receivers = settings.receivers();
        int sources = settings.sources();
        Layout layout = backend.scattered(0, settings.frequencies(), sources, receivers);
        DistributedArray all = backend.zeros(layout, type);
        HostArray part = HostArray.allocate(type, all.part().count());
        layout.runs(backend.rank(), (local, global, count) -> {
            for (long i = 0; i < count; i++) {
                long at = global + i;
                double place = at % receivers * settings.dr();
                double source = (at / receivers % sources + 0.5) * width() / sources;
                long frequency = at / receivers / sources;
                double f = frequency / (settings.nt() * settings.dt());
                double re = 0;
                double im = 0;
                double amplitude = wavelet(f);
                for (int k = 0; k < REVERBERATIONS; k++) {
                    double path = Math.hypot(place - source, height() * (1 + 2 * k));
                    double phase = -2 * Math.PI * f * path / settings.velocity();
                    double size = amplitude * Math.sqrt(height() / path);
                    re += size * Math.cos(phase);
                    im += size * Math.sin(phase);
                    amplitude *= REFLECTED;
                }
                part.setComplex(local + i, re, im);
            }
        });
        all.part().copyFrom(part);
        return all;
    }

    /** The spectrum of a Ricker wavelet, 1 at its frequency. */
    private double wavelet(double f) {
        double square = Math.pow(f / settings.frequency(), 2);
        return square * Math.exp(1 - square);
    }

    /** Reflections of layers from each virtual source to each receiver, at times after 0. */
    private DistributedArray reflections() {
        Random random = new Random(common.seed());
        double longest = middle() * settings.dt();
        double[] times = new double[LAYERS];
        double[] sizes = new double[LAYERS];
        for (int k = 0; k < LAYERS; k++) {
            times[k] = longest * (0.15 + 0.7 * (k + random.nextDouble()) / LAYERS);
            sizes[k] = (random.nextBoolean() ? 1 : -1) * (0.5 + random.nextDouble());
        }
        int virtual = settings.virtual();
        int receivers = settings.receivers();
        Layout layout = operator.domain();
        DistributedArray all = backend.zeros(layout, common.type());
        HostArray part = HostArray.allocate(common.type(), all.part().count());
        layout.runs(backend.rank(), (local, global, count) -> {
            for (long i = 0; i < count; i++) {
                long at = global + i;
                double offset = at / virtual % receivers * settings.dr() - virtualPlace(at % virtual);
                double time = (at / virtual / receivers - middle()) * settings.dt();
                double sum = 0;
                for (int k = 0; k < LAYERS; k++) {
                    double arrival = Math.hypot(times[k], offset / settings.velocity());
                    double a = Math.pow(Math.PI * settings.frequency() * (time - arrival), 2);
                    sum += sizes[k] * (1 - 2 * a) * Math.exp(-a);
                }
                part.setDouble(local + i, time <= 0 ? 0 : sum);
            }
        });
        all.part().copyFrom(part);
        return all;
    }

    /** Collective: deconvolves the up-going waves. */
    public Outcome run(Watch watch) {
        Solver solver = Cgls.of(operator, data).damp(common.damp()).iterations(common.iterations());
        return Outcome.of(
                solver,
                watch,
                History.ofResiduals(data.norm()),
                1,
                this::misfit,
                this::error,
                model -> sections((DistributedArray) model));
    }

    private double misfit(Vector model) {
        try (Vector modelled = operator.times(model)) {
            return modelled.axpy(-1, data).norm() / data.norm();
        }
    }

    private double error(Vector model) {
        try (Vector difference = model.minus(reflections)) {
            return difference.norm() / reflections.norm();
        }
    }

    private List<Section> sections(DistributedArray model) {
        try (Vector adjoint = operator.rmatvec(data, reflections.like())) {
            return List.of(
                    section("Reflections", reflections, settings.receivers(), true),
                    section("Up-going waves", (DistributedArray) data, settings.sources(), false),
                    section("Cross-correlation", (DistributedArray) adjoint, settings.receivers(), true),
                    section("Deconvolution", model, settings.receivers(), true));
        }
    }

    /** Collective: the traces of the virtual source in the middle. */
    private Section section(String title, DistributedArray traces, int columns, boolean twoSided) {
        int nt = settings.nt();
        long middle = settings.virtual() / 2;
        HostArray whole;
        try (DistributedArray slice = traces.slice(2, middle, middle + 1)) {
            whole = slice.toHost();
        }
        double[] values = new double[nt * columns];
        for (int t = 0; t < nt; t++) {
            for (int c = 0; c < columns; c++) {
                values[c * nt + t] = whole.getDouble((long) t * columns + c);
            }
        }
        double begin = twoSided ? -middle() * settings.dt() : 0;
        return Section.amplitudes(
                title,
                columns,
                values,
                new Axis(twoSided ? "receiver" : "source", 0, columns),
                new Axis("time, s", begin, begin + (nt - 1) * settings.dt()),
                ColourMap.GREY);
    }
}
