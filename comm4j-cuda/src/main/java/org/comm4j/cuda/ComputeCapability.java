// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

/**
 * What a device can do, as NVIDIA numbers it: 9.0 is Hopper, 10.0 and 12.0 are Blackwell.
 *
 * @param major the generation
 * @param minor the variant
 */
public record ComputeCapability(int major, int minor) implements Comparable<ComputeCapability> {

    public ComputeCapability {
        if (major < 1 || minor < 0 || minor > 9) {
            throw new IllegalArgumentException("there is no compute capability " + major + "." + minor);
        }
    }

    /** Returns the architecture's name for compilers to machine code: {@code sm_90}. */
    public String sm() {
        return "sm_" + major + minor;
    }

    /** Returns the architecture's name for compilers to PTX: {@code compute_90}. */
    public String compute() {
        return "compute_" + major + minor;
    }

    /** Major times 10 plus minor: 90. */
    public int number() {
        return 10 * major + minor;
    }

    @Override
    public int compareTo(ComputeCapability other) {
        return Integer.compare(number(), other.number());
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
