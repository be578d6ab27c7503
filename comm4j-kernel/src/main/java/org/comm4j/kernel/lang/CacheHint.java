// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/**
 * What the caches are told about an access ({@code __ldcs}, {@code __ldcg}, {@code __stwt} and so on). A hint changes
 * no value but with {@link #NON_COHERENT}.
 */
public enum CacheHint {
    /** As without a hint ({@code ld.ca}, {@code st.wb}). */
    DEFAULT,
    /** In the cache that all multiprocessors share, not in the nearest ({@code .cg}). */
    GLOBAL,
    /** Used once, first to go ({@code .cs}). */
    STREAMING,
    /** Of loads: not used again ({@code .lu}). */
    LAST_USE,
    /** Of loads from global memory that nobody writes while the kernel runs ({@code ld.global.nc}, {@code __ldg}). */
    NON_COHERENT,
    /** Of stores: through to memory ({@code .wt}). */
    WRITE_THROUGH
}
