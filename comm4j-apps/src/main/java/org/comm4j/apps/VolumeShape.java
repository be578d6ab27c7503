// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.comm4j.core.DataType;

/** The shape of a seismic volume: y, x and time, or x and time. */
public final class VolumeShape {
    private static final int LEAST_SAMPLES = 8;

    private final long[] lengths;

    private VolumeShape(long... lengths) {
        this.lengths = lengths;
    }

    /**
     * Returns a shape.
     *
     * @throws IllegalArgumentException if it has not two or three axes, no traces, or fewer than eight samples
     */
    public static VolumeShape of(long... lengths) {
        VolumeShape shape = new VolumeShape(lengths.clone());
        if (lengths.length < 2 || lengths.length > 3) {
            throw new IllegalArgumentException(
                    "the model has " + lengths.length + " dimensions; x and time, or y, x and time are needed");
        }
        long traces = Arrays.stream(lengths, 0, lengths.length - 1).min().orElse(0);
        if (traces < 1 || lengths[lengths.length - 1] < LEAST_SAMPLES) {
            throw new IllegalArgumentException(shape + " samples: at least 1 trace along each axis and " + LEAST_SAMPLES
                    + " samples in time are needed");
        }
        return shape;
    }

    /** Returns the length along each axis. */
    public long[] lengths() {
        return lengths.clone();
    }

    /** Returns the bytes of some volumes. */
    public double bytes(int volumes, DataType type) {
        return Arrays.stream(lengths).asDoubleStream().reduce((double) volumes * type.bytes(), (a, b) -> a * b);
    }

    @Override
    public String toString() {
        return Arrays.stream(lengths).mapToObj(Long::toString).collect(Collectors.joining(" x "));
    }
}
