// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import java.util.Arrays;

/**
 * A section through the earth or through data, as a picture shows it.
 *
 * @param title of the panel
 * @param quantity what the colours are, with its unit
 * @param columns number of columns, from left to right
 * @param values of the first column downwards, then of the others
 * @param across the axis from left to right
 * @param down the axis downwards
 * @param colours of the values
 * @param low value of the first colour
 * @param high value of the last colour
 */
public record Section(
        String title,
        String quantity,
        int columns,
        double[] values,
        Axis across,
        Axis down,
        ColourMap colours,
        double low,
        double high) {
    /** Returns a section of impedance between limits. */
    public static Section impedance(
            String title, String quantity, int columns, double[] values, Axis across, Axis down, double[] limits) {
        return new Section(title, quantity, columns, values, across, down, ColourMap.SEQUENTIAL, limits[0], limits[1]);
    }

    /** Returns a section of amplitudes of both signs, clipped where one in a hundred of them is larger. */
    public static Section amplitudes(
            String title, int columns, double[] values, Axis across, Axis down, ColourMap colours) {
        double[] moduli = Arrays.stream(values).map(Math::abs).sorted().toArray();
        double clip = moduli.length == 0 ? 0 : moduli[(int) (0.99 * (moduli.length - 1))];
        if (clip == 0) {
            clip = moduli.length == 0 || moduli[moduli.length - 1] == 0 ? 1 : moduli[moduli.length - 1];
        }
        return new Section(title, "amplitude", columns, values, across, down, colours, -clip, clip);
    }

    /** Returns the smallest and the largest of some values. */
    public static double[] limits(double... values) {
        return new double[] {
            Arrays.stream(values).min().orElse(0), Arrays.stream(values).max().orElse(1)
        };
    }

    /** Returns the number of samples of a column. */
    int samples() {
        return columns == 0 ? 0 : values.length / columns;
    }
}
