// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.ffi.nccl.LibNccl;

/**
 * Which ranks are meant by {@link NcclCommunicator#cftTeam}: those reached by Compute Fabric Transport ({@code
 * ncclCftTeamMode_t}; NCCL 2.31.2).
 */
public enum CftTeam {
    /** All that CFT reaches ({@code NCCL_CFT_TEAM_FLAT}). */
    FLAT(LibNccl.NCCL_CFT_TEAM_FLAT),
    /** One of each group that CFT reaches at once ({@code NCCL_CFT_TEAM_HIER_MULTIMEM}). */
    HIERARCHICAL_MULTIMEM(LibNccl.NCCL_CFT_TEAM_HIER_MULTIMEM),
    /** One of each group that can load and store each other's memory ({@code NCCL_CFT_TEAM_HIER_LSA}). */
    HIERARCHICAL_LSA(LibNccl.NCCL_CFT_TEAM_HIER_LSA);

    private final int mode;

    CftTeam(int mode) {
        this.mode = mode;
    }

    int mode() {
        return mode;
    }
}
