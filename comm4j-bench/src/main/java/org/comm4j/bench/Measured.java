// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

/** What a row of results is about; its text is the name that users know. */
public sealed interface Measured permits Operation, NvshmemCase, ShmemTest {

    /** Whether this moves data, so that there is a bandwidth. */
    boolean hasSizes();

    /** Whether it is measured in place, too. */
    boolean hasInPlaceForm();

    /** Which part of the larger buffer counts for the algorithm bandwidth. */
    double algorithmPart(int ranks);

    /**
     * What the algorithm bandwidth is multiplied with to become comparable with the speed of the wire: "bus bandwidth".
     */
    double busFactor(int ranks);
}
