// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A size of {@code comm4j bench fft}: so many arrays beside each other, each of which is transformed along all its
 * axes.
 *
 * @param batch number of arrays, at least 1
 * @param lengths of their axes, at least 1 each
 */
public record FftShape(int batch, int... lengths) {
    private static final long MOST = 1L << 34;

    /** Checks the size. */
    public FftShape {
        lengths = lengths.clone();
        long elements = batch;
        for (int length : lengths) {
            elements = length < 1 || elements < 1 || elements > MOST ? 0 : elements * length;
        }
        if (lengths.length == 0 || elements < 1 || elements > MOST) {
            throw new IllegalArgumentException("a shape of no axes, or not of 1 to " + MOST + " elements");
        }
    }

    /**
     * Reads {@code 1024}, {@code 256x256} or, with a number of arrays, {@code 64*1024}.
     *
     * @throws IllegalArgumentException if the text is not of this form
     */
    public static FftShape of(String text) {
        try {
            int star = text.indexOf('*');
            int batch = star < 0 ? 1 : Integer.parseInt(text.substring(0, star));
            int[] lengths = Arrays.stream(text.substring(star + 1).split("x", -1))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            return new FftShape(batch, lengths);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--shapes " + text + ": a shape is like 1024, 256x256x256 or 64*1024 (" + e.getMessage() + ")", e);
        }
    }

    @Override
    public int[] lengths() {
        return lengths.clone();
    }

    /** Returns the shape of the whole array. */
    long[] shape() {
        long[] shape = Arrays.stream(lengths).asLongStream().toArray();
        if (batch == 1) {
            return shape;
        }
        long[] whole = new long[shape.length + 1];
        whole[0] = batch;
        System.arraycopy(shape, 0, whole, 1, shape.length);
        return whole;
    }

    /** Returns the number of elements that are transformed together. */
    double points() {
        return Arrays.stream(lengths).asDoubleStream().reduce(1, (a, b) -> a * b);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FftShape shape && shape.batch == batch && Arrays.equals(shape.lengths, lengths);
    }

    @Override
    public int hashCode() {
        return 31 * batch + Arrays.hashCode(lengths);
    }

    /** Returns the form that {@link #of} reads. */
    @Override
    public String toString() {
        String axes = Arrays.stream(lengths).mapToObj(Integer::toString).collect(Collectors.joining("x"));
        return batch == 1 ? axes : batch + "*" + axes;
    }
}
