// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Functions of elements and groups with all that a term can do, beside the formulas in plain Java. */
class PointTermTest {
    private static final PointFunction SOFT = (value, step, _) -> Math.max(value - step, 0);
    private static final PointFunction BOX =
            (value, _, bounds) -> Math.min(Math.max(value, bounds.get(0)), bounds.get(1));
    private static final DataType[] TYPES = {DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128
    };

    static {
        Natives.use();
    }

    @Test
    void onProcessors() {
        try (Compute compute = new CpuCompute()) {
            check(compute, 0, 1, 5, 1000);
        }
    }

    @Test
    void asKernelsOnProcessors() {
        try (Compute compute = new GpuCompute(new ExecutorQueue())) {
            // Each variant is compiled, and the executor looks at every access.
            for (int n : new int[] {0, 1025}) {
                radial(compute, DataType.FLOAT32, n, 1, true);
                radial(compute, DataType.COMPLEX128, n, 3, false);
                ofNumbers(compute, DataType.FLOAT64, n);
            }
        }
    }

    @Test
    @Tag("gpu")
    void onGpus() {
        assumeTrue(Cuda.problem() == null, () -> "no GPU: " + Cuda.problem());
        try (Compute compute = new GpuCompute(Device.of(0))) {
            check(compute, 0, 1, 5, 1000, 100_003);
        }
    }

    private static void check(Compute compute, int... lengths) {
        for (DataType type : TYPES) {
            for (int n : lengths) {
                for (int count = 1; count <= PointTerm.MOST; count += 2) {
                    for (boolean dual : new boolean[] {false, true}) {
                        radial(compute, type, n, count, dual);
                    }
                }
                if (!type.isComplex()) {
                    ofNumbers(compute, type, n);
                }
            }
        }
        rejected(compute);
    }

    private static double[] random(DataType type, int n, long seed) {
        Random random = new Random(seed);
        double[] numbers = new double[type.isComplex() ? 2 * n : n];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (float) random.nextGaussian();
        }
        return numbers;
    }

    private static Buffer put(Compute compute, DataType type, double... numbers) {
        HostArray array = HostArray.allocate(type, type.isComplex() ? numbers.length / 2 : numbers.length);
        for (int i = 0; i < array.count(); i++) {
            if (type.isComplex()) {
                array.setComplex(i, numbers[2 * i], numbers[2 * i + 1]);
            } else {
                array.setDouble(i, numbers[i]);
            }
        }
        Buffer there = compute.buffer(type, array.count());
        there.copyFrom(array);
        return there;
    }

    private static double[] parts(Buffer vector) {
        HostArray array = vector.toHost();
        double[] all = new double[(int) array.count() * (array.type().isComplex() ? 2 : 1)];
        for (int i = 0; i < all.length; i++) {
            all[i] = !array.type().isComplex()
                    ? array.getDouble(i)
                    : i % 2 == 0 ? array.getReal(i / 2) : array.getImaginary(i / 2);
        }
        return all;
    }

    private static void is(String what, Buffer found, double... expected) {
        HostArray array = found.toHost();
        double tolerance = Compute.real(found.type()) == DataType.FLOAT64 ? 1e-14 : 1e-6;
        for (int i = 0; i < expected.length; i++) {
            double own = !found.type().isComplex()
                    ? array.getDouble(i)
                    : i % 2 == 0 ? array.getReal(i / 2) : array.getImaginary(i / 2);
            assertThat(own).as("%s, number %d", what, i).isEqualTo(expected[i], within(tolerance * 8));
        }
    }

    private static void radial(Compute compute, DataType type, int n, int count, boolean dual) {
        double step = 0.7;
        double theta = 0.4;
        Scalars numbers = compute.scalars(4);
        numbers.get(0).set(step);
        numbers.get(1).set(1 + theta);
        numbers.get(2).set(1);
        int parts = type.isComplex() ? 2 : 1;
        List<PointTerm.Operand> operands = new ArrayList<>();
        double[][] u = new double[count][];
        for (int k = 0; k < count; k++) {
            double[] x = random(type, n, k);
            double[] y = random(type, n, 10 + k);
            u[k] = new double[x.length];
            for (int i = 0; i < x.length; i++) {
                u[k][i] = 0.5 * x[i] - 1.5 * y[i];
            }
            Buffer there = put(compute, type, y);
            // As a solver does: the second result replaces an argument.
            operands.add(new PointTerm.Operand(
                    put(compute, type, x), there, put(compute, type, random(type, n, 20 + k)), there));
        }
        PointTerm.Factors factors = new PointTerm.Factors(
                Coefficient.of(0.5),
                Coefficient.of(-1.5),
                numbers.get(1),
                Coefficient.of(-theta),
                Coefficient.of(0.25),
                numbers.get(2));
        Runnable term = compute.prepare(new PointTerm(
                new PointTerm.Shape(true, dual),
                SOFT,
                PointFunction.SQUARE,
                numbers.get(0),
                numbers.buffer(),
                operands,
                factors,
                PointTerm.Sums.of(numbers.get(3), false)));
        ExactSums exact = compute.exactSums(1);
        numbers.get(2).set(0);
        term.run();
        assertThat(numbers.get(3).real()).isZero();
        numbers.get(2).set(1);
        // Sums without rounding are of the same terms, which begin with the same numbers.
        List<PointTerm.Operand> copies = operands.stream()
                .map(operand -> {
                    Buffer y = put(compute, type, parts(operand.y()));
                    Buffer target = put(compute, type, parts(requireNonNull(operand.target())));
                    return new PointTerm.Operand(operand.x(), y, target, y);
                })
                .toList();
        Scalars rounded = compute.scalars(1);
        compute.prepare(new PointTerm(
                        new PointTerm.Shape(true, dual),
                        SOFT,
                        PointFunction.SQUARE,
                        numbers.get(0),
                        numbers.buffer(),
                        copies,
                        factors,
                        PointTerm.Sums.of(exact, 0, false)))
                .run();
        compute.prepare(new Sweep().round(exact, 1, rounded.buffer())).run();
        term.run();
        double measured = 0;
        double changed = 0;
        double[][] results = new double[count][parts * n];
        double[][] seconds = new double[count][parts * n];
        double[][] olds = new double[count][];
        Arrays.setAll(olds, k -> random(type, n, 20 + k));
        for (int i = 0; i < n; i++) {
            double squares = 0;
            for (int k = 0; k < count; k++) {
                for (int part = 0; part < parts; part++) {
                    squares += u[k][parts * i + part] * u[k][parts * i + part];
                }
            }
            double modulus = Math.sqrt(squares);
            double image = dual ? Math.min(modulus, 1) : Math.max(modulus - step, 0);
            measured += image * image;
            for (int k = 0; k < count; k++) {
                double[] old = olds[k];
                for (int part = 0; part < parts; part++) {
                    int at = parts * i + part;
                    double result = u[k][at] * (image / modulus);
                    results[k][at] = result;
                    seconds[k][at] = result + theta * (result - old[at]) + 0.25 * u[k][at];
                    changed += (result - old[at]) * (result - old[at]);
                }
            }
        }
        for (int k = 0; k < count; k++) {
            is("result " + k + " of " + type, operands.get(k).target(), results[k]);
            is("second " + k + " of " + type, operands.get(k).second(), seconds[k]);
        }
        double tolerance = Compute.real(type) == DataType.FLOAT64 ? 1e-12 : 1e-6;
        assertThat(numbers.get(3).real()).isEqualTo(measured, within(tolerance * (1 + measured)));
        assertThat(numbers.get(3).imaginary()).isEqualTo(changed, within(tolerance * (1 + changed)));
        double[] results0 = parts(requireNonNull(operands.getFirst().target()));
        assertThat(parts(requireNonNull(copies.getFirst().target()))).isEqualTo(results0);
        assertThat(rounded.get(0).real()).isEqualTo(measured, within(tolerance * (1 + measured)));
        assertThat(rounded.get(0).imaginary()).isEqualTo(changed, within(tolerance * (1 + changed)));
    }

    /** A function of real numbers with parameters, in place, and sums that are added to. */
    private static void ofNumbers(Compute compute, DataType type, int n) {
        Scalars numbers = compute.scalars(2);
        numbers.get(0).set(-0.5, 0.25);
        numbers.get(1).set(100, 1000);
        double[] x = random(type, n, 1);
        Buffer there = put(compute, type, x);
        PointTerm.Factors factors = new PointTerm.Factors(
                Coefficient.ONE,
                Coefficient.ZERO,
                Coefficient.ZERO,
                Coefficient.ZERO,
                Coefficient.ZERO,
                Coefficient.ONE);
        compute.prepare(new PointTerm(
                        new PointTerm.Shape(false, false),
                        BOX,
                        PointFunction.IDENTITY,
                        Coefficient.ONE,
                        numbers.buffer(),
                        List.of(new PointTerm.Operand(there, there, there, null)),
                        factors,
                        PointTerm.Sums.of(numbers.get(1), true)))
                .run();
        double sum = 100;
        double changed = 1000;
        for (int i = 0; i < n; i++) {
            double result = Math.clamp(x[i], -0.5, 0.25);
            changed += (result - x[i]) * (result - x[i]);
            x[i] = result;
            sum += result;
        }
        is("box", there, x);
        assertThat(numbers.get(1).real()).isEqualTo(sum, within(1e-4));
        assertThat(numbers.get(1).imaginary()).isEqualTo(changed, within(1e-4 * changed));
    }

    private static void rejected(Compute compute) {
        Buffer real = compute.buffer(DataType.FLOAT64, 3);
        Buffer complex = compute.buffer(DataType.COMPLEX128, 3);
        PointTerm.Factors none = new PointTerm.Factors(
                Coefficient.ONE,
                Coefficient.ZERO,
                Coefficient.ZERO,
                Coefficient.ZERO,
                Coefficient.ZERO,
                Coefficient.ONE);
        for (PointTerm.Operand wrong : List.of(
                new PointTerm.Operand(complex, complex, null, null),
                new PointTerm.Operand(real, complex, real, null),
                new PointTerm.Operand(real, real, real.slice(1, 2), null))) {
            assertThatThrownBy(() -> new PointTerm(
                            new PointTerm.Shape(false, false),
                            BOX,
                            null,
                            Coefficient.ONE,
                            real,
                            List.of(wrong),
                            none,
                            null))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
