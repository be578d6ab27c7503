// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.migration;

import java.util.Arrays;
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
import org.comm4j.core.HostArray;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.VStack;
import org.comm4j.operator.seismic.Kirchhoff;
import org.comm4j.operator.solver.Cgls;
import org.comm4j.operator.solver.Solver;

/**
 * A least-squares migration: reflectivity from the shots that it gives by Kirchhoff demigration. Each rank has some of
 * the sources, all have the image; an iteration adds up the ranks' images once.
 */
public final class Migration {
    private final Backend backend;
    private final MigrationSettings settings;
    private final InversionSettings common;
    private final LinearOperator demigration;
    private final DistributedArray reflectivity;
    private final Vector data;

    /** Collective: makes the reflectivity and its shots. */
    public Migration(Backend backend, MigrationSettings settings) {
        this.backend = backend;
        this.settings = settings;
        common = settings.common();
        demigration = demigration();
        reflectivity = reflectivity();
        data = demigration.times(reflectivity);
        Synthetic.addNoise(data, common);
    }

    private LinearOperator demigration() {
        Layout divided = backend.scattered(0, settings.sources());
        int first = (int) divided.start(backend.rank());
        int count = (int) divided.localSize(backend.rank());
        if (count == 0) {
            return VStack.of(backend);
        }
        double[][] mine = Arrays.copyOfRange(surface(settings.sources()), first, first + count);
        Kirchhoff.Builder builder = Kirchhoff.of(
                        backend,
                        backend.local((long) settings.nx() * settings.nz()),
                        coordinates(settings.nx()),
                        coordinates(settings.nz()))
                .sources(mine)
                .receivers(surface(settings.receivers()))
                .velocity(settings.velocity())
                .time(settings.samples(), settings.dt())
                .wavelet(
                        Synthetic.wavelet(settings.dt(), settings.frequency(), 1),
                        Synthetic.half(settings.dt(), settings.frequency()))
                .dtype(common.type());
        if (settings.aperture() > 0) {
            builder.aperture(settings.aperture());
        }
        if (settings.angle() < 90) {
            builder.angle(settings.angle());
        }
        return VStack.of(backend, builder.build());
    }

    private double[] coordinates(int count) {
        double[] coordinates = new double[count];
        Arrays.setAll(coordinates, i -> i * settings.dx());
        return coordinates;
    }

    /** Places at the surface, each in the middle of a part of it. */
    private double[][] surface(int count) {
        double[][] places = new double[count][];
        Arrays.setAll(places, i -> new double[] {(i + 0.5) * (settings.nx() - 1) * settings.dx() / count, 0});
        return places;
    }

    /** Half the difference of the logarithms of the impedances below and at each point. */
    private DistributedArray reflectivity() {
        int nz = settings.nz();
        DistributedArray result = backend.zeros(demigration.domain(), common.type());
        try (DistributedArray logarithm = Synthetic.logarithm(backend, backend.replicated(settings.nx(), nz), common)) {
            HostArray from = logarithm.toHost();
            HostArray to = HostArray.allocate(common.type(), from.count());
            for (long i = 0; i < from.count(); i++) {
                boolean last = i % nz == nz - 1;
                to.setDouble(i, last ? 0 : (from.getDouble(i + 1) - from.getDouble(i)) / 2);
            }
            backend.compute().synchronize();
            result.part().copyFrom(to);
        }
        return result;
    }

    /**
     * Collective: inverts the shots.
     */
    public Outcome run(Watch watch) {
        Solver solver = Cgls.of(demigration, data).damp(common.damp()).iterations(common.iterations());
        return Outcome.of(
                solver,
                watch,
                History.ofResiduals(data.norm()),
                1,
                this::misfit,
                this::error,
                image -> sections((DistributedArray) image));
    }

    private double misfit(Vector image) {
        try (Vector modelled = demigration.times(image)) {
            return modelled.axpy(-1, data).norm() / data.norm();
        }
    }

    private double error(Vector image) {
        try (Vector difference = image.minus(reflectivity)) {
            return difference.norm() / reflectivity.norm();
        }
    }

    private List<Section> sections(DistributedArray image) {
        double width = (settings.nx() - 1) * settings.dx();
        Axis across = new Axis("distance, m", 0, width);
        Axis down = new Axis("depth, m", 0, (settings.nz() - 1) * settings.dx());
        try (Vector adjoint = demigration.rmatvec(data, reflectivity.like())) {
            return List.of(
                    image("Reflectivity", reflectivity, across, down),
                    Section.amplitudes(
                            "Shot " + (settings.sources() / 2 + 1) + " of " + settings.sources(),
                            settings.receivers(),
                            shot(),
                            new Axis("receiver", 0, settings.receivers()),
                            new Axis("time, s", 0, settings.samples() * settings.dt()),
                            ColourMap.GREY),
                    image("Migration", (DistributedArray) adjoint, across, down),
                    image("Inversion", image, across, down));
        }
    }

    private Section image(String title, DistributedArray array, Axis across, Axis down) {
        return Section.amplitudes(
                title, settings.nx(), Synthetic.numbers(array.toHost(), x -> x), across, down, ColourMap.GREY);
    }

    /** Collective: the data of the source in the middle. */
    private double[] shot() {
        long size = (long) settings.receivers() * settings.samples();
        long first = settings.sources() / 2 * size;
        try (DistributedArray shot = ((DistributedArray) data).slice(0, first, first + size)) {
            return Synthetic.numbers(shot.toHost(), x -> x);
        }
    }
}
