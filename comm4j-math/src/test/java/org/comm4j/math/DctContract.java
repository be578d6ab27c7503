// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cosine transforms beside their definitions. */
abstract class DctContract {
    private final Compute compute = make();
    private final long seed = Long.getLong("comm4j.test.seed", 20_261_127);

    abstract Compute make();

    @AfterEach
    void close() {
        compute.close();
    }

    /** Returns an element of the orthogonal matrix. */
    private static double element(int kind, int n, int k, int j) {
        return switch (kind) {
            case 1 -> {
                double ends = (k == 0 || k == n - 1 ? Math.sqrt(0.5) : 1) * (j == 0 || j == n - 1 ? Math.sqrt(0.5) : 1);
                yield Math.sqrt(2.0 / (n - 1)) * ends * Math.cos(Math.PI * k * j / (n - 1));
            }
            case 2 -> Math.sqrt((k == 0 ? 1.0 : 2.0) / n) * Math.cos(Math.PI * k * (2 * j + 1) / (2 * n));
            case 3 -> element(2, n, j, k);
            default -> Math.sqrt(2.0 / n) * Math.cos(Math.PI * (2 * k + 1) * (2 * j + 1) / (4 * n));
        };
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64", "COMPLEX64", "COMPLEX128"})
    void isItsDefinition(DataType type) {
        int parts = type.isComplex() ? 2 : 1;
        double error = Compute.real(type) == DataType.FLOAT64 ? 1e-13 : 1e-5;
        Random random = new Random(seed);
        for (int n : new int[] {1, 2, 3, 4, 5, 8, 9, 17, 30, 121}) {
            for (int kind = n == 1 ? 2 : 1; kind <= 4; kind++) {
                int outer = n % 3 + 1;
                int inner = n % 2 + 1;
                int step = inner * parts;
                HostArray x = HostArray.allocate(type, (long) outer * n * inner);
                HostArray numbers = x.view(Compute.real(type));
                for (long i = 0; i < numbers.count(); i++) {
                    numbers.setDouble(i, random.nextGaussian());
                }
                Buffer there = compute.buffer(type, x.count());
                Buffer y = compute.buffer(type, x.count());
                Buffer back = compute.buffer(type, x.count());
                there.copyFrom(x);
                try (Dct dct = Dct.of(compute, type, kind, outer, n, inner)) {
                    dct.forward(there, y);
                    dct.inverse(y, back);
                    dct.forward(there, there);
                }
                HostArray result = get(y);
                HostArray again = get(back);
                HostArray same = get(there);
                for (int i = 0; i < numbers.count(); i++) {
                    int k = i / step % n;
                    int line = i - k * step;
                    double expected = 0;
                    for (int j = 0; j < n; j++) {
                        expected += element(kind, n, k, j) * numbers.getDouble(line + (long) j * step);
                    }
                    String what = type + ", kind " + kind + ", length " + n + ", number " + i + ", seed " + seed;
                    assertThat(result.getDouble(i)).as(what).isCloseTo(expected, within(error));
                    assertThat(same.getDouble(i)).as(what).isEqualTo(result.getDouble(i));
                    assertThat(again.getDouble(i)).as(what).isCloseTo(numbers.getDouble(i), within(error));
                }
            }
        }
    }

    private HostArray get(Buffer buffer) {
        compute.synchronize();
        HostArray here = HostArray.allocate(buffer.type(), buffer.count());
        buffer.copyTo(here);
        return here.view(Compute.real(buffer.type()));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> Dct.of(compute, DataType.FLOAT64, 5, 1, 4, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kind 5");
        assertThatThrownBy(() -> Dct.of(compute, DataType.FLOAT64, 1, 2, 1, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 x 1 x 3");
        assertThatThrownBy(() -> Dct.of(compute, DataType.INT32, 2, 1, 4, 1))
                .isInstanceOf(IllegalArgumentException.class);
        try (Dct dct = Dct.of(compute, DataType.FLOAT64, 2, 2, 4, 1);
                Dct none = Dct.of(compute, DataType.COMPLEX64, 2, 0, 4, 1)) {
            Buffer x = compute.buffer(DataType.FLOAT64, 8);
            assertThatThrownBy(() -> dct.forward(x, x.slice(0, 7)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("forward cosine transform of 8 FLOAT64");
            Buffer empty = compute.buffer(DataType.COMPLEX64, 0);
            none.forward(empty, empty);
            assertThatThrownBy(() -> none.inverse(empty, x)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
