// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

/** The colours of numbers: a list of colours at equal distances, with straight lines between them. */
public final class ColourMap {
    /** From dark blue by green to yellow, as bright as the number is large: for impedance. */
    public static final ColourMap SEQUENTIAL =
            new ColourMap(0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725);

    /** From blue by white to red: for amplitudes, with 0 in the middle. */
    public static final ColourMap DIVERGING =
            new ColourMap(0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xf7f7f7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f);

    /** From black by grey to white: for images of reflectors, with 0 in the middle. */
    public static final ColourMap GREY = new ColourMap(0x000000, 0xffffff);

    private static final int NOT_A_NUMBER = 0xff00ff;

    private final int[] colours;

    private ColourMap(int... colours) {
        this.colours = colours;
    }

    /** Returns the colour, as 0xrrggbb, of a place between 0 and 1; places beyond have those of the ends. */
    int colour(double place) {
        if (Double.isNaN(place)) {
            return NOT_A_NUMBER;
        }
        double at = Math.clamp(place, 0, 1) * (colours.length - 1);
        int low = Math.min((int) at, colours.length - 2);
        double part = at - low;
        int mixed = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int from = colours[low] >> shift & 0xff;
            int to = colours[low + 1] >> shift & 0xff;
            mixed |= (int) Math.round(from + part * (to - from)) << shift;
        }
        return mixed;
    }
}
