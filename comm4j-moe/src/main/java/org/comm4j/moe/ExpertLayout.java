// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

/**
 * Order of the rows that a PE gets. Within an expert it is always: source group, then token, then choice. So it depends
 * on nothing but the routes, and is the same in each run.
 */
public enum ExpertLayout {
    /**
     * An area for each local expert, of as many rows as all tokens are: {@code [experts, tokens * groups, hidden]}. The
     * first {@code counts[e]} rows of an area are valid, the others are not touched.
     */
    PADDED,
    /**
     * Expert after expert, {@code [capacity, hidden]}. Each expert begins at a multiple of {@link MoeOptions#padding};
     * {@link Routed#rowExperts} is -1 in the gaps.
     */
    RAGGED,
    /**
     * A token goes once to each PE that has any of its experts: {@code [groups, tokens, hidden]}, an area for each
     * source group. With it come the local experts and the weights of its choices; one answer a row goes back, the
     * weighted sum that the program makes of its experts' answers. The fewest bytes over a link.
     */
    BY_RANK
}
