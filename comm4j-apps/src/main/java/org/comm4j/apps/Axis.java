// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An axis of a picture.
 *
 * @param label quantity and unit
 * @param first value at the beginning
 * @param last value at the end
 */
public record Axis(String label, double first, double last) {
    /** Returns round values on the axis, about as many as wanted. */
    List<Double> ticks(int wanted) {
        List<Double> ticks = new ArrayList<>();
        double step = step(wanted);
        if (step > 0) {
            for (double i = Math.ceil(first / step - 1e-9); i * step <= last + 1e-9 * step; i++) {
                // Text of -0 has a sign; the sum has not.
                ticks.add(i * step + 0.0);
            }
        }
        return ticks;
    }

    /** The number of 1, 2 or 5 times a power of ten that divides the axis into about as many pieces as wanted. */
    private double step(int wanted) {
        double rough = (last - first) / wanted;
        if (!(rough > 0)) {
            return 0;
        }
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double digit = rough / power;
        return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
    }

    /** Returns a tick's value as text. */
    String text(double tick, int wanted) {
        int digits = (int) Math.clamp(-Math.floor(Math.log10(step(wanted)) + 1e-9), 0, 6);
        return String.format(Locale.ROOT, "%." + digits + "f", tick == 0 ? 0.0 : tick);
    }
}
