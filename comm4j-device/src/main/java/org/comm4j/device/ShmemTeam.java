// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.host.HostShmem;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.nvshmem.Team;

/**
 * A team within kernels: an argument of a launch, made by {@link #of}, or {@link #world()}. Its members are numbered as
 * on the host.
 *
 * @param handle the library's number of it ({@code nvshmem_team_t})
 */
@KernelLibrary
public record ShmemTeam(int handle) {
    /** A team of NVSHMEM; it must stay open while kernels use it. */
    public static ShmemTeam of(Team team) {
        return new ShmemTeam(team.handle());
    }

    /** A team of the embedded engine; it must stay open while kernels use it. */
    public static ShmemTeam of(HostShmem shmem, org.comm4j.host.Team team) {
        return new ShmemTeam(CpuPe.of(shmem).number(team));
    }

    /** All PEs ({@code NVSHMEM_TEAM_WORLD}). */
    public static ShmemTeam world() {
        return new ShmemTeam(0);
    }

    /** This PE's number in the team, within a kernel; −1 if it is no member ({@code nvshmem_team_my_pe}). */
    public int rank() {
        return NvshmemFunctions.nvshmem_team_my_pe(handle);
    }

    /** Number of members, within a kernel ({@code nvshmem_team_n_pes}). */
    public int size() {
        return NvshmemFunctions.nvshmem_team_n_pes(handle);
    }

    /**
     * The PE to name in puts and gets for a member, within a kernel ({@code nvshmem_team_translate_pe} to the world).
     */
    public int worldPe(int member) {
        return NvshmemFunctions.nvshmem_team_translate_pe(handle, member, 0);
    }

    /** The number in this team of a PE, or −1, within a kernel ({@code nvshmem_team_translate_pe} from the world). */
    public int memberOf(int worldPe) {
        return NvshmemFunctions.nvshmem_team_translate_pe(0, worldPe, handle);
    }

    /**
     * The number that a member of this team has in {@code other}, or −1, within a kernel ({@code
     * nvshmem_team_translate_pe}).
     */
    public int translate(int member, ShmemTeam other) {
        return NvshmemFunctions.nvshmem_team_translate_pe(handle, member, other.handle);
    }
}
