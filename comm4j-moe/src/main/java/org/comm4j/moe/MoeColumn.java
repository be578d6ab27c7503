// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.util.ArrayList;
import java.util.List;

/**
 * What rows have in an array, in bytes from the beginning of a PE's memory.
 *
 * @param begin of row 0
 * @param bytes of a row
 * @param period rows behind which the array goes on elsewhere; 0 for none
 * @param step bytes from there to there
 */
record MoeColumn(long begin, long bytes, int period, long step) {
    private MoeColumn(long begin, long bytes) {
        this(begin, bytes, 0, 0);
    }

    /** Returns where a row is. */
    long at(long row) {
        return period == 0 ? begin + row * bytes : begin + row / period * step + row % period * bytes;
    }

    /** Returns all that goes with the rows of a dispatch. */
    static List<MoeColumn> ofRows(MoeMemory.Plan plan, MoeSpace space) {
        List<MoeColumn> all = new ArrayList<>();
        all.add(new MoeColumn(space.rows(), plan.rowBytes()));
        int scale = plan.scaleType().bytes();
        if (plan.scalePeriod() == 0 && plan.scales() > 0) {
            all.add(new MoeColumn(space.rowScales(), (long) plan.scales() * scale));
        }
        for (int number = 0; number < plan.scales() && plan.scalePeriod() > 0; number++) {
            long period = plan.scalePeriod();
            all.add(new MoeColumn(
                    space.rowScales() + number * period * scale, scale, (int) period, period * plan.scales() * scale));
        }
        for (int i = 0; i < plan.shape().payloads().size(); i++) {
            all.add(new MoeColumn(
                    space.slot() + plan.payload(i), plan.shape().payloads().get(i)));
        }
        if (plan.byRank()) {
            all.add(new MoeColumn(space.rowChoices(), 4L * plan.shape().perToken()));
            all.add(new MoeColumn(space.rowWeights(), 4L * plan.shape().perToken()));
        }
        return all;
    }

    /** Returns the answers to rows. */
    static List<MoeColumn> ofAnswers(MoeMemory.Plan plan, MoeSpace space) {
        long bytes = (long) plan.shape().hidden()
                * plan.options().results(plan.shape()).bytes();
        MoeColumn answers = new MoeColumn(space.results(), bytes);
        return plan.answerScales() == 0
                ? List.of(answers)
                : List.of(answers, new MoeColumn(space.resultScales(), 4L * plan.answerScales()));
    }
}
