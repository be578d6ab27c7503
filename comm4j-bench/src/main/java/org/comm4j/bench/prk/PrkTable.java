// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What several kernels achieved as a table: a line for each rate, and one for each kernel that has none, which says
 * why.
 */
public final class PrkTable {
    private final List<String[]> lines = new ArrayList<>();

    public PrkTable() {
        lines.add(new String[] {"kernel", "rate", "unit", "time (s)"});
    }

    public void add(Prk.Outcome outcome) {
        if (outcome.error() != null) {
            lines.add(new String[] {outcome.kernel().name(), "wrong: " + outcome.error()});
            return;
        }
        for (Rate rate : outcome.rates()) {
            lines.add(new String[] {
                outcome.kernel().name(),
                number(rate.value()),
                rate.unit(),
                String.format(Locale.ROOT, "%.6f", rate.seconds())
            });
        }
    }

    /** A kernel that cannot run, and why. */
    public void leftOut(ResearchKernel kernel, String reason) {
        lines.add(new String[] {kernel.name(), "left out: " + reason});
    }

    public void print(PrintWriter out) {
        int[] widths = new int[4];
        for (String[] line : lines) {
            for (int i = 0; i < line.length && line.length == widths.length; i++) {
                widths[i] = Math.max(widths[i], line[i].length());
            }
            widths[0] = Math.max(widths[0], line[0].length());
        }
        String measured = "%-" + widths[0] + "s  %" + widths[1] + "s  %-" + widths[2] + "s  %" + widths[3] + "s%n";
        String other = "%-" + widths[0] + "s  %s%n";
        for (String[] line : lines) {
            out.printf(Locale.ROOT, line.length == widths.length ? measured : other, (Object[]) line);
        }
        out.flush();
    }

    /** A rate with as many digits as it is worth. */
    static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : value >= 1 ? "%.1f" : "%.4f", value);
    }
}
