// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.util.Comparator;

/** A version of NCCL, such as 2.28.9. */
public record NcclVersion(int major, int minor, int patch) implements Comparable<NcclVersion> {
    private static final Comparator<NcclVersion> ORDER = Comparator.comparingInt(NcclVersion::major)
            .thenComparingInt(NcclVersion::minor)
            .thenComparingInt(NcclVersion::patch);

    /** From the number that {@code ncclGetVersion} gives: 22809 is 2.28.9. */
    static NcclVersion of(int code) {
        return new NcclVersion(code / 10000, code / 100 % 100, code % 100);
    }

    /** The number that {@code ncclGetVersion} gives. */
    int code() {
        return major * 10000 + minor * 100 + patch;
    }

    @Override
    public int compareTo(NcclVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
