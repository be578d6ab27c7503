// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;

/**
 * PolyBench's correlation of the columns of a table: means, deviations by square roots and a branch, then half of a
 * matrix.
 */
final class Correlation extends Program {
    private static final double EPSILON = 0.1;

    @Kernel
    static void deviations(int rows, int columns, F64Ptr data, F64Ptr mean, F64Ptr deviation) {
        int j = GlobalIdx.x();
        if (j < columns) {
            double sum = 0;
            for (int i = 0; i < rows; i++) {
                sum += data.get(i * columns + j);
            }
            double average = sum / rows;
            double squares = 0;
            for (int i = 0; i < rows; i++) {
                double difference = data.get(i * columns + j) - average;
                squares += difference * difference;
            }
            double root = Math.sqrt(squares / rows);
            mean.set(j, average);
            deviation.set(j, root <= EPSILON ? 1 : root);
        }
    }

    @Kernel
    static void reduced(int rows, int columns, F64Ptr data, F64Ptr mean, F64Ptr deviation) {
        int at = GlobalIdx.x();
        if (at < rows * columns) {
            int j = at % columns;
            data.set(at, (data.get(at) - mean.get(j)) / (Math.sqrt(rows) * deviation.get(j)));
        }
    }

    @Kernel
    static void correlations(int rows, int columns, F64Ptr data, F64Ptr correlation) {
        int i = GlobalIdx.y();
        int j = GlobalIdx.x();
        if (i >= columns || j >= columns || j < i) {
            return;
        }
        double sum = 0;
        if (i == j) {
            sum = 1;
        } else {
            for (int k = 0; k < rows; k++) {
                sum += data.get(k * columns + i) * data.get(k * columns + j);
            }
        }
        correlation.set(i * columns + j, sum);
        correlation.set(j * columns + i, sum);
    }

    @Override
    void run(Machine machine, Random random) {
        int rows = 61;
        int columns = 27;
        double[] data = doubles(random, rows * columns);
        for (int i = 0; i < rows; i++) {
            // A column that hardly differs.
            data[i * columns + 5] = 3 + 0.001 * i;
        }
        HostArray table = HostArray.of(data);
        HostArray means = HostArray.of(new double[columns]);
        HostArray deviations = HostArray.of(new double[columns]);
        HostArray correlation = HostArray.of(new double[columns * columns]);
        machine.launch(
                machine.kernel(Correlation.class, "deviations"),
                LaunchConfig.grid(blocks(columns, 32)).block(32),
                rows,
                columns,
                table,
                means,
                deviations);
        machine.launch(
                machine.kernel(Correlation.class, "reduced"),
                LaunchConfig.grid(blocks(rows * columns, 64)).block(64),
                rows,
                columns,
                table,
                means,
                deviations);
        machine.launch(
                machine.kernel(Correlation.class, "correlations"),
                LaunchConfig.grid(blocks(columns, 8), blocks(columns, 8)).block(8, 8),
                rows,
                columns,
                table,
                correlation);
        double[] expected = new double[columns * columns];
        for (int j = 0; j < columns; j++) {
            double mean = 0;
            for (int i = 0; i < rows; i++) {
                mean += data[i * columns + j];
            }
            mean /= rows;
            double squares = 0;
            for (int i = 0; i < rows; i++) {
                squares += (data[i * columns + j] - mean) * (data[i * columns + j] - mean);
            }
            double deviation = Math.sqrt(squares / rows);
            deviation = deviation <= EPSILON ? 1 : deviation;
            assertThat(deviations.getDouble(j)).isEqualTo(deviation);
            for (int i = 0; i < rows; i++) {
                data[i * columns + j] = (data[i * columns + j] - mean) / (Math.sqrt(rows) * deviation);
            }
        }
        assertThat(deviations.getDouble(5)).isEqualTo(1);
        for (int i = 0; i < columns; i++) {
            expected[i * columns + i] = 1;
            for (int j = 0; j < i; j++) {
                for (int k = 0; k < rows; k++) {
                    expected[i * columns + j] += data[k * columns + j] * data[k * columns + i];
                }
                expected[j * columns + i] = expected[i * columns + j];
            }
        }
        assertThat(correlation.toDoubleArray()).isEqualTo(expected);
    }
}
