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
        DevicePerftest test,
        @Nullable Group group,
        boolean both,
        @Nullable Atomic atomic) implements NvshmemCase {

    /** What {@code test} does not have is left out. */
    static DeviceCase of(DevicePerftest test, @Nullable Group group, boolean both, @Nullable Atomic atomic) {
        return new DeviceCase(
                test,
                test.isOfGroups() ? group : null,
                both && (test == DevicePerftest.PUT_BW || test == DevicePerftest.GET_BW),
                test.isAtomic() ? atomic : null);
    }

    /**
     * All that are asked for.
     *
     * @param group null for what a program does unless told otherwise: all that it has tables for
     */
    public static List<DeviceCase> of(List<DevicePerftest> tests, @Nullable Group group, boolean both, Atomic atomic) {
        List<DeviceCase> cases = new ArrayList<>();
        for (DevicePerftest test : tests) {
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
        return test.kind() != DevicePerftest.Kind.COLLECTIVE || group == Group.BLOCK || group == null
                ? Long.MAX_VALUE
                : group == Group.WARP ? 4096 : 512;
    }

    @Override
    public boolean hasSizes() {
        return test.hasSizes();
    }

    @Override
    public @Nullable Operation operation() {
        return test.operation();
    }

    @Override
    public String toString() {
        return test
                + (both ? " bidir" : "")
                + (atomic == null ? "" : " " + atomic)
                + (group == null ? "" : " " + group);
    }
}
