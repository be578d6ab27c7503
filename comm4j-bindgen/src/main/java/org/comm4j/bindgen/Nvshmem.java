// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.Set;
import java.util.regex.Pattern;

/** What NVSHMEM's headers do not say. */
final class Nvshmem {
    /**
     * What the headers declare for kernels only, or for no library any more, or within inline functions of their own.
     */
    static final Pattern NOT_ON_HOST = Pattern.compile(
            "nvshmem(i|id)_\\w+|\\w+_(warp|warpgroup|block|alltoalls)|nvshmemx_qp_(?!create)\\w+|nvshmem_realloc"
                    + "|nvshmemx_signal_op|nvshmem_half_atomic_\\w+");

    /** Functions whose int is no status. */
    static final Set<String> ANSWERS = Set.of(
            "nvshmem_my_pe",
            "nvshmem_n_pes",
            "nvshmem_team_my_pe",
            "nvshmem_team_n_pes",
            "nvshmem_team_translate_pe",
            "nvshmemx_init_status");

    /** Parameters that point to memory of the device, not to what Java fills. */
    static final Set<String> DATA = Set.of("sig_addr", "signal_addr", "ivar", "ivars", "status", "cmp_value");

    private static final Pattern CRASHES = Pattern.compile(
            "nvshmemx_(buffer_register|buffer_unregister|buffer_unregister_all|cu(module|library)_(init|finalize)|qp_create)"
                    + "|nvshmemx?_<T>_atomic_\\w+");

    private Nvshmem() {}

    /**
     * What a function does that is called before NVSHMEM is initialised: found out by calling each, of 3.4.5 and 3.8.0.
     */
    static String beforeInitialisation(String function) {
        return switch (function) {
            case "nvshmem_info_get_name",
                    "nvshmem_info_get_version",
                    "nvshmem_query_thread",
                    "nvshmemx_vendor_get_version_info",
                    "nvshmemx_init_status",
                    "nvshmemx_get_uniqueid",
                    "nvshmemx_set_attr_uniqueid_args",
                    "nvshmemx_set_attr_mpi_comm_args" -> "May be called before initialisation.";
            case "nvshmemx_hostlib_init_attr" ->
                "Initialises; 3.4 returns normally even where it could not: {@link #nvshmemx_init_status} tells.";
            case "nvshmemx_hostlib_finalize" -> "Before initialisation it does nothing.";
            case "nvshmem_my_pe", "nvshmem_n_pes", "nvshmem_team_my_pe", "nvshmem_team_n_pes" ->
                "Before initialisation it returns 0.";
            case "nvshmem_ptr", "nvshmemx_mc_ptr", "nvshmemx_buffer_register_symmetric_at_preferred_address" ->
                "Before initialisation it returns {@code NULL}.";
            case "nvshmem_malloc", "nvshmem_calloc", "nvshmem_align", "nvshmemx_buffer_register_symmetric" ->
                "Before initialisation it ends the process up to 3.5, and returns {@code NULL} in newer versions.";
            case "nvshmemx_collective_launch",
                    "nvshmemx_collective_launch_attr",
                    "nvshmemx_collective_launch_query_gridsize" -> "Before initialisation it fails.";
            case "nvshmem_global_exit" -> "Ends the processes of all PEs, this one too, at any time.";
            default ->
                CRASHES.matcher(function).matches()
                        ? "Before initialisation it crashes the process (SIGSEGV)."
                        : "Before initialisation it ends the process (exit code 255).";
        };
    }
}
