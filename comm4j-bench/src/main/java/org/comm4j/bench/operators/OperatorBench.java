// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Dots;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.Flip;
import org.comm4j.operator.Gradient;
import org.comm4j.operator.Laplacian;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.Roll;
import org.comm4j.operator.SecondDerivative;

/**
 * Measures operations of vectors and linear operators, with the bytes that each has to move at least, beside a copy in
 * the same run. Every rank calls it.
 */
public final class OperatorBench {
    private static final String ADJOINT = ", adjoint";

    private final Backend backend;
    private final OperatorSettings settings;
    private final List<OperatorRow> rows = new ArrayList<>();
    private final Consumer<OperatorRow> seen;
    private final CaseTimer timer;
    private double copyRate;

    private OperatorBench(Backend backend, OperatorSettings settings, Consumer<OperatorRow> seen) {
        this.backend = backend;
        this.settings = settings;
        this.seen = seen;
        timer = new CaseTimer(backend);
    }

    /**
     * Collective: measures everything that is wanted, and gives each row away as soon as it is there.
     *
     * @throws IllegalArgumentException if no operation has a part of a name that the settings have
     */
    public static List<OperatorRow> run(Backend backend, OperatorSettings settings, Consumer<OperatorRow> seen) {
        OperatorBench bench = new OperatorBench(backend, settings, seen);
        bench.plane();
        bench.matrices();
        if (settings.all()) {
            bench.others();
        }
        bench.cube();
        new SolverBench(backend, settings, bench::add).run();
        for (String part : settings.only()) {
            if (bench.rows.stream().noneMatch(row -> OperatorSettings.has(row.name(), part))) {
                throw new IllegalArgumentException("--only " + part + ": no operation is called so");
            }
        }
        return bench.rows;
    }

    private void plane() {
        long n = settings.rows();
        DataType type = settings.type();
        Layout layout = backend.scattered(0, n, n);
        String shape = n + " x " + n;
        long bytes = n * n * type.bytes();
        try (DistributedArray x = backend.random(layout, type, 1);
                DistributedArray y = backend.random(layout, type, 2)) {
            vectors(shape, bytes, x, y);
            both(
                    "first derivative, axis 0",
                    shape,
                    2 * bytes,
                    FirstDerivative.of(backend, layout, 0).dtype(type).build(),
                    x,
                    y);
            both(
                    "first derivative, axis 1",
                    shape,
                    2 * bytes,
                    FirstDerivative.of(backend, layout, 1).dtype(type).build(),
                    x,
                    y);
            both(
                    "second derivative, axis 0",
                    shape,
                    2 * bytes,
                    SecondDerivative.of(backend, layout, 0).dtype(type).build(),
                    x,
                    y);
            both(
                    "Laplacian",
                    shape,
                    2 * bytes,
                    Laplacian.of(backend, layout, 0, 1).dtype(type).build(),
                    x,
                    y);
            try (Vector diagonal = x.like().assign(x)) {
                both("diagonal", shape, 3 * bytes, Diagonal.of(diagonal), x, y);
            }
            both("flip, axis 1", shape, 2 * bytes, Flip.of(backend, layout, type, 1), x, y);
            both("roll, axis 0", shape, 2 * bytes, Roll.of(backend, layout, type, 0, n / 3), x, y);
            LinearOperator gradient = Gradient.of(backend, layout, type);
            try (Vector both = backend.vector(gradient.range(), type)) {
                both("gradient", shape, 3 * bytes, gradient, x, both);
            }
        }
    }

    private void others() {
        long n = settings.rows();
        for (OtherOperators.Named named : OtherOperators.of(backend, n, settings.type())) {
            if (!settings.wants(named.name()) && !settings.wants(named.name() + ADJOINT)) {
                continue;
            }
            LinearOperator operator = named.operator().get();
            long bytes = operator.domain().size() * operator.domainType().bytes()
                    + operator.range().size() * operator.rangeType().bytes();
            try (Vector x = backend.random(operator.domain(), operator.domainType(), 1);
                    Vector y = backend.vector(operator.range(), operator.rangeType())) {
                both(named.name(), n + " x " + n, bytes, operator, x, y);
            }
        }
    }

    private void vectors(String shape, long bytes, DistributedArray x, DistributedArray y) {
        copyRate = 0;
        measure("copy", shape, 2 * bytes, () -> y.assign(x));
        measure("fill", shape, bytes, () -> y.fill(Coefficient.ONE));
        measure("y += a x", shape, 3 * bytes, () -> y.axpy(1e-3, x));
        measure("y *= x", shape, 3 * bytes, () -> y.multiply(x));
        Dots one = Dots.of(x, y);
        measure("dot", shape, 2 * bytes, one::reduce);
        Dots exact = Dots.of(x, y).reproducible();
        measure("dot, reproducible", shape, 2 * bytes, exact::reduce);
        Dots square = Dots.of(x, x);
        measure("squared norm", shape, bytes, square::reduce);
        Dots exactSquare = Dots.of(x, x).reproducible();
        measure("squared norm, reproducible", shape, bytes, exactSquare::reduce);
        Dots two = Dots.of(x, x).and(y, y);
        measure("two squared norms", shape, 2 * bytes, two::reduce);
        measure("norm, read by the host", shape, bytes, () -> {
            double _ = x.norm();
        });
    }

    /** A matrix for each rank, once through the memory in each direction. */
    private void matrices() {
        long n = settings.rows();
        DataType type = settings.type();
        try (DistributedArray matrix = backend.random(backend.local(n, n), type, 3 + backend.rank())) {
            LinearOperator blocks = BlockDiag.of(backend, MatrixMult.of(matrix));
            try (Vector x = backend.vector(blocks.domain(), type);
                    Vector y = backend.vector(blocks.range(), type)) {
                both("matrix times vector", n + " x " + n, n * n * type.bytes() * backend.size(), blocks, x, y);
            }
        }
    }

    private void cube() {
        long n = settings.edge();
        DataType type = settings.type();
        Layout layout = backend.scattered(0, n, n, n);
        long bytes = n * n * n * type.bytes();
        String shape = n + " x " + n + " x " + n;
        try (DistributedArray x = backend.random(layout, type, 4);
                DistributedArray y = backend.zeros(layout, type)) {
            copyRate = 0;
            measure("copy", shape, 2 * bytes, () -> y.assign(x));
            both(
                    "Laplacian",
                    shape,
                    2 * bytes,
                    Laplacian.of(backend, layout, 0, 1, 2).dtype(type).build(),
                    x,
                    y);
            both(
                    "first derivative, axis 1",
                    shape,
                    2 * bytes,
                    FirstDerivative.of(backend, layout, 1).dtype(type).build(),
                    x,
                    y);
        }
    }

    private void both(String name, String shape, long bytes, LinearOperator operator, Vector x, Vector y) {
        measure(name, shape, bytes, () -> operator.matvec(x, y));
        measure(name + ADJOINT, shape, bytes, () -> operator.rmatvec(y, x));
    }

    private void measure(String name, String shape, long bytes, Runnable call) {
        if (!settings.wants(name)) {
            return;
        }
        int calls = timer.warmUp(call, settings.millis() * 1e6, settings.warmup() * 1e6);
        double[] nanos = new double[settings.rounds()];
        for (int r = 0; r < nanos.length; r++) {
            nanos[r] = timer.time(call, calls);
        }
        Arrays.sort(nanos);
        add(name, shape, nanos[nanos.length / 2], bytes);
    }

    private void add(String name, String shape, double nanos, long bytes) {
        double rate = bytes / nanos;
        if (copyRate == 0) {
            copyRate = rate;
        }
        OperatorRow row = new OperatorRow(name, shape, nanos / 1e3, bytes, rate / copyRate);
        rows.add(row);
        seen.accept(row);
    }
}
