// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A device perftest in one of its variants.
 *
 * @param group who calls; null where that is fixed
 * @param both whether both PEs send at the same time ({@code --bidir})
 * @param atomic null if none
 */
public record DeviceCase(
        DeviceTest test,
        @Nullable Group group,
        boolean both,
        @Nullable Atomic atomic) implements Measured {

    /** What {@code test} does not have is left out. */
    static DeviceCase of(DeviceTest test, @Nullable Group group, boolean both, @Nullable Atomic atomic) {
        return new DeviceCase(
                test,
                test.isOfGroups() ? group : null,
                both && (test == DeviceTest.PUT_BW || test == DeviceTest.GET_BW),
                test.isAtomic() ? atomic : null);
    }

    /**
     * All that are asked for.
     *
     * @param group null for what a program does unless told otherwise: all that it has tables for
     */
    public static List<DeviceCase> of(List<DeviceTest> tests, @Nullable Group group, boolean both, Atomic atomic) {
        List<DeviceCase> cases = new ArrayList<>();
        for (DeviceTest test : tests) {
            if (test.hasGroups() && group == null) {
                for (Group each : Group.values()) {
                    cases.add(of(test, each, both, atomic));
                }
            } else {
                cases.add(of(test, group == null ? Group.BLOCK : group, both, atomic));
            }
        }
        return List.copyOf(cases);
    }

    /** Elements below which programs measure this group. */
    long limit() {
        return test.kind() != DeviceTest.Kind.COLLECTIVE || group == Group.BLOCK || group == null
                ? Long.MAX_VALUE
                : group == Group.WARP ? 4096 : 512;
    }

    @Override
    public boolean hasSizes() {
        return test.hasSizes();
    }

    @Override
    public boolean hasInPlaceForm() {
        return false;
    }

    @Override
    public double algorithmPart(int ranks) {
        return 1;
    }

    @Override
    public double busFactor(int ranks) {
        Operation operation = test.operation();
        return operation == null ? 1 : operation.busFactor(ranks);
    }

    @Override
    public String toString() {
        return test
                + (both ? " bidir" : "")
                + (atomic == null ? "" : " " + atomic)
                + (group == null ? "" : " " + group);
    }
}
