// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.io.Console;
import java.io.PrintStream;

/** A line that tells how far a solver is: rewritten in place on a terminal, else printed anew. */
final class Progress {
    private static final long ON_TERMINAL_NANOS = 100_000_000L;
    private static final long ELSEWHERE_NANOS = 5_000_000_000L;

    private final String solver;
    private final PrintStream out;
    private final boolean terminal;
    private long begin;
    private long shown;

    Progress(String solver, PrintStream out) {
        this.solver = solver;
        this.out = out;
        terminal = isTerminal();
    }

    /** Returns whether what is printed is seen on a terminal as it comes; "comm4j run" tells its ranks so. */
    @SuppressWarnings("SystemConsoleNull") // it may still be null, says its documentation
    private static boolean isTerminal() {
        Console console = System.console();
        return System.getenv("COMM4J_TERMINAL") != null || console != null && console.isTerminal();
    }

    void show(Iteration run, int most) {
        long now = System.nanoTime();
        if (run.number() == run.first() + 1) {
            begin = now;
            shown = now - ELSEWHERE_NANOS;
        }
        boolean ended = run.isStopped();
        if (!ended && now - shown < (terminal ? ON_TERMINAL_NANOS : ELSEWHERE_NANOS)) {
            return;
        }
        shown = now;
        long made = Math.max(1, run.number() - run.first() - 1);
        double left = (now - begin) * 1e-9 / made * (most - run.number());
        String line = ended
                ? solver + ": " + run.result().message()
                : "%s: iteration %d of %d, %s %.3g, at most %.0f s left"
                        .formatted(solver, run.number(), most, run.measure(), run.residualNorm(), left);
        // ESC [ K clears the rest of the line.
        out.print(terminal ? "\r" + line + "\033[K" + (ended ? "\n" : "") : line + "\n");
        out.flush();
    }
}
