// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.jspecify.annotations.Nullable;

/**
 * What brings counts, rows and answers to PEs whose memory kernels do not reach: kernels write them into memory of this
 * PE that stands for that of others, where they have the places that they have there.
 */
interface FarRows {
    /** Puts counts into the stream, before the kernel that places rows by them. */
    void count(
            MoeSpace space,
            I8Ptr chosen,
            int routeBytes,
            int most,
            I32Ptr bound,
            boolean bounded,
            int sharedBytes,
            @Nullable Stream stream);

    /** Puts the rows into the stream, behind the kernel that has staged them. */
    void rows(MoeSpace space, int slot, ExpertPlacement placement, @Nullable Stream stream);

    /** Puts what begins a dispatch along earlier routes into the stream. */
    void begin(MoeSpace space, @Nullable Stream stream);

    /** Puts rows along the routes of another slot into the stream. */
    void again(MoeSpace space, int slot, int earlier, @Nullable Stream stream);

    /** Returns bytes from where the places of routes are to where a combine finds them; 0 for the same. */
    default long sumPlaces() {
        return 0;
    }

    /** Puts the answers into the stream, before the kernel that sums them. */
    void answers(MoeSpace space, int slot, @Nullable Stream stream);
}
