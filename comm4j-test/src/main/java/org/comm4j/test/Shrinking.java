// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A failing case of a generated test, made as simple as it can be while it still fails: the first simpler case that
 * fails alike takes its place, until none does.
 *
 * @param problem the simplest case that was found
 * @param failure what it throws
 * @param trials number of cases that were tried
 * @param <P> cases
 */
public record Shrinking<P>(P problem, Throwable failure, int trials) {
    /**
     * A test of one case.
     *
     * @param <P> cases
     */
    @FunctionalInterface
    public interface Check<P> {
        /** Tests a case. It throws where the case fails. */
        void run(P problem) throws Throwable;
    }

    /**
     * Returns the simplest failing case.
     *
     * @param problem a case that has failed
     * @param failure what it threw; simpler cases fail alike if they throw an exception of the same class, or also an
     *     assertion that does not hold
     * @param simpler returns the cases that are a little simpler than one, the simplest first; no case may come back
     * @param check the test
     * @param limit greatest number of trials
     */
    public static <P> Shrinking<P> of(
            P problem, Throwable failure, Function<P, List<P>> simpler, Check<P> check, int limit) {
        P smallest = problem;
        Throwable last = failure;
        int trials = 0;
        for (boolean smaller = true; smaller; ) {
            smaller = false;
            for (P candidate : simpler.apply(smallest)) {
                if (trials == limit) {
                    break;
                }
                trials++;
                Throwable thrown = failure(candidate, check);
                if (thrown != null && kind(thrown) == kind(failure)) {
                    smallest = candidate;
                    last = thrown;
                    smaller = true;
                    break;
                }
            }
        }
        return new Shrinking<>(smallest, last, trials);
    }

    private static Class<?> kind(Throwable e) {
        return e instanceof AssertionError ? AssertionError.class : e.getClass();
    }

    private static <P> @Nullable Throwable failure(P problem, Check<P> check) {
        try {
            check.run(problem);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }
}
