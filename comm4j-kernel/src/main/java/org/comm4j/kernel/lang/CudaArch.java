// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.cuda.ComputeCapability;

/**
 * What code is compiled for: {@code sm_90}, or {@code sm_90a} with what only that very architecture has. All compilers
 * take it from here, so that they cannot disagree.
 *
 * @param capability of the devices that run it
 * @param suffix empty, {@code a} (this capability only) or {@code f} (this family only)
 */
public record CudaArch(ComputeCapability capability, String suffix) {
    private static final Pattern NAME = Pattern.compile("(?:sm_|compute_)?(\\d{1,2})\\.?(\\d)([af]?)");

    public CudaArch {
        nonNull(capability, "CudaArch", "capability");
        nonNull(suffix, "CudaArch", "suffix");
        if (!suffix.isEmpty() && !suffix.equals("a") && !suffix.equals("f")) {
            throw new IllegalArgumentException("an architecture's name ends with a or f, not with '" + suffix + "'");
        }
    }

    /** Returns the architecture without specialities. */
    public static CudaArch of(ComputeCapability capability) {
        return new CudaArch(capability, "");
    }

    /**
     * By its name.
     *
     * @param name {@code sm_90}, {@code compute_90a}, {@code 90} or {@code 9.0}
     * @throws IllegalArgumentException if it is no such name
     */
    public static CudaArch parse(String name) {
        nonNull(name, "CudaArch.parse", "name");
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "there is no architecture '" + name + "'; sm_90 and sm_100a are examples");
        }
        return new CudaArch(
                new ComputeCapability(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))),
                matcher.group(3));
    }

    /** Returns the name for machine code: {@code sm_90}. */
    public String sm() {
        return capability.sm().concat(suffix);
    }

    /** Returns the name for what compiles further: {@code compute_90}. */
    public String compute() {
        return capability.compute().concat(suffix);
    }

    @Override
    public String toString() {
        return sm();
    }
}
