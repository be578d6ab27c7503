// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.seismic;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisMatrix;
import org.comm4j.operator.LinearOperator;

/**
 * The amplitudes of reflections by angle (PyLops {@code AVOLinearModelling}): … × 3 × nt contrasts of three elastic
 * parameters become … × angles × nt amplitudes. PyLops has time as the first axis and the parameters as the second one.
 * It does not communicate.
 */
public final class AvoLinearModelling extends LinearOperator {
    /** Linear approximations of the reflection coefficient; ratio is that of the S to the P velocity. */
    public enum Linearization {
        /** Of the P velocity, the S velocity and the density, by Aki and Richards. */
        AKI_RICHARDS {
            @Override
            double[] coefficients(double theta, double ratio) {
                double sine = Math.pow(ratio * Math.sin(theta), 2);
                return new double[] {1 / (2 * Math.pow(Math.cos(theta), 2)), -4 * sine, 0.5 - 2 * sine};
            }
        },
        /** Of the P impedance, the S impedance and the density, by Fatti and others. */
        FATTI {
            @Override
            double[] coefficients(double theta, double ratio) {
                double sine = Math.pow(ratio * Math.sin(theta), 2);
                double tangent = Math.pow(Math.tan(theta), 2);
                return new double[] {0.5 * (1 + tangent), -4 * sine, 0.5 * (4 * sine - tangent)};
            }
        },
        /** Of converted waves, from P to S, of the P velocity, the S velocity and the density. */
        PS {
            @Override
            double[] coefficients(double theta, double ratio) {
                double phi = Math.asin(ratio * Math.sin(theta));
                double sine = Math.pow(ratio * Math.sin(phi), 2);
                double cosines = ratio * Math.cos(theta) * Math.cos(phi);
                double half = Math.tan(phi) / 2;
                return new double[] {0, half * (4 * sine - 4 * cosines), -half * (1 - 2 * sine + 2 * cosines)};
            }
        };

        /** Returns the factors of the three parameters for an angle in radians. */
        abstract double[] coefficients(double theta, double ratio);
    }

    private final AxisMatrix matrix;
    private final AxisMatrix transposed;

    private AvoLinearModelling(Backend backend, Layout domain, DataType type, AxisMatrix matrix, int angles) {
        super(backend, domain, domain.resized(-2, angles), type);
        this.matrix = matrix;
        transposed = matrix.transposed();
    }

    /**
     * Returns the operator.
     *
     * @param domain layout of … × 3 × nt elements, whose last two axes are not divided
     * @param degrees angles of incidence
     * @param ratio S by P velocity at each time
     */
    public static AvoLinearModelling of(
            Backend backend,
            Layout domain,
            DataType type,
            Linearization linearization,
            double[] degrees,
            double... ratio) {
        noNulls("AvoLinearModelling.of", "backend", backend, "domain", domain, "type", type);
        noNulls("AvoLinearModelling.of", "linearization", linearization, "degrees", degrees, "ratio", ratio);
        int axes = domain.ndim();
        if (axes < 2
                || domain.length(-2) != 3
                || domain.length(-1) != ratio.length
                || domain.isDivided(axes - 2)
                || domain.isDivided(axes - 1)) {
            throw new IllegalArgumentException(
                    "AvoLinearModelling: " + domain + " must have 3 x " + ratio.length
                            + " elements along its last two axes, both whole on each rank; Redistribute changes the divided axis");
        }
        int nt = ratio.length;
        AxisMatrix.Builder rows = AxisMatrix.of(3L * nt);
        for (double angle : degrees) {
            for (int t = 0; t < nt; t++) {
                double[] factors = linearization.coefficients(Math.toRadians(angle), ratio[t]);
                for (int k = 0; k < 3; k++) {
                    rows.element((long) k * nt + t, factors[k]);
                }
                rows.endRow();
            }
        }
        return new AvoLinearModelling(backend, domain, type, rows.build(), degrees.length);
    }

    @Override
    protected void apply(Vector x, Vector y) {
        run(matrix, x, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        run(transposed, y, x);
    }

    private void run(AxisMatrix along, Vector from, Vector to) {
        var source = from.arrays().getFirst().part();
        long outer = along.columnCount() == 0 ? 0 : source.count() / along.columnCount();
        backend()
                .compute()
                .multiply(along, outer, 1, source, to.arrays().getFirst().part());
    }
}
