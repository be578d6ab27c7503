// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.stream.DoubleStream;

/**
 * The range of a logarithmic axis of a chart. Only powers of ten have labels there: of values in one decade it is that
 * decade, else it has three of them at least.
 */
public record LogRange(double least, double most) {
    public static LogRange of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        if (sorted.length == 0) {
            return new LogRange(1, 10);
        }
        double least = Math.log10(sorted[0]);
        double most = Math.log10(sorted[sorted.length - 1]);
        double labels = Math.floor(most) - Math.ceil(least) + 1;
        if (labels >= 3) {
            return new LogRange(sorted[0], sorted[sorted.length - 1]);
        }
        double bottom = Math.floor(least);
        double top = Math.max(Math.ceil(most), bottom + 1);
        if (labels == 2 && least - bottom <= top - most) {
            return new LogRange(Math.pow(10, bottom), sorted[sorted.length - 1]);
        }
        return new LogRange(labels == 2 ? sorted[0] : Math.pow(10, bottom), Math.pow(10, top));
    }
}
