// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.Arrays;

/** The words for how two layouts differ. */
final class Differences {
    private Differences() {}

    /** Returns where the second layout differs from the first one. */
    static String of(Layout one, Layout other) {
        if (one.partition() != other.partition()) {
            return one.partition() + " and " + other.partition();
        }
        if (one.partition() == Partition.STACKED) {
            return ofStacks(one, other);
        }
        if (!Arrays.equals(one.shape(), other.shape())) {
            return "the shapes are " + Arrays.toString(one.shape()) + " and " + Arrays.toString(other.shape());
        }
        if (!Arrays.equals(one.groups(), other.groups())) {
            return "the groups are " + Arrays.toString(one.groups()) + " and " + Arrays.toString(other.groups());
        }
        if (one.ranks() != other.ranks()) {
            return "they are for " + one.ranks() + " and " + other.ranks() + " ranks";
        }
        for (int r = 0; r < one.ranks(); r++) {
            for (int a = 0; a < one.ndim(); a++) {
                long[] first = {one.start(r, a), one.localShape(r)[a]};
                long[] second = {other.start(r, a), other.localShape(r)[a]};
                if (!Arrays.equals(first, second)) {
                    return "rank " + r + " has " + first[1] + " and " + second[1] + " slices along axis " + a
                            + ", from " + first[0] + " and " + second[0] + " on";
                }
            }
        }
        return "only empty parts";
    }

    private static String ofStacks(Layout one, Layout other) {
        int members = one.members().size();
        if (members != other.members().size()) {
            return "stacks of " + members + " and " + other.members().size();
        }
        int i = 0;
        while (one.members().get(i).equals(other.members().get(i))) {
            i++;
        }
        return "member " + i + " of the stacks, "
                + one.members().get(i).difference(other.members().get(i));
    }
}
