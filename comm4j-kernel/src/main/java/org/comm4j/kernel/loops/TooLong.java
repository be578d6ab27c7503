// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.List;

/** Regions are longer than what the JVM compiles. */
final class TooLong extends Unsupported {
    private static final long serialVersionUID = 1L;

    private final transient List<Region> regions;

    TooLong(List<Region> regions) {
        super(regions.size() + " regions of up to "
                + regions.stream().mapToInt(Region::steps).max().orElse(0) + " steps");
        this.regions = List.copyOf(regions);
    }

    List<Region> regions() {
        return regions;
    }
}
