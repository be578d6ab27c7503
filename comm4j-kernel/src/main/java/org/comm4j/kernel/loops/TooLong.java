// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

/** A region is longer than what the JVM compiles. */
final class TooLong extends Unsupported {
    private static final long serialVersionUID = 1L;

    private final transient Region region;

    TooLong(Region region, int bytes) {
        super("a region of " + bytes + " bytes");
        this.region = region;
    }

    Region region() {
        return region;
    }
}
