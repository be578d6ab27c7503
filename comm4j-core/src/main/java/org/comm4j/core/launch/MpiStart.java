// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Start of this process, as far as an MPI library has to get along with it: what {@code MPI_Init} makes of a
 * launcher that it does not know is the end of the process, or a world of one in each of them. So it is looked at
 * before.
 *
 * @param launcher in words: {@code Open MPI's mpirun}
 * @param kind whose launcher it is; null for Slurm's, and for none
 * @param size how many processes the launcher has started as it says, or −1
 * @param pmix whether it speaks PMIx to its processes
 * @param pmi whether it speaks PMI-1 or PMI-2 to its processes
 */
public record MpiStart(String launcher, Mpiexec.@Nullable Kind kind, int size, boolean pmix, boolean pmi) {

    private static final List<String> SIZES =
            List.of("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS");

    /** Reads who started a process with these variables. */
    public static MpiStart of(Map<String, String> environment) {
        boolean pmix = has(environment, "PMIX_RANK") || has(environment, "PMIX_NAMESPACE");
        boolean pmi = has(environment, "PMI_FD") || has(environment, "PMI_RANK") || has(environment, "PMI_PORT");
        if (has(environment, "OMPI_COMM_WORLD_SIZE")) {
            return new MpiStart("Open MPI's mpirun", Mpiexec.Kind.OPEN_MPI, size(environment), pmix, pmi);
        }
        if (has(environment, "SLURM_PROCID")
                && (has(environment, "SLURM_STEP_ID") || has(environment, "SLURM_STEPID"))
                // Hydra's helpers are started by srun, whose variables the ranks inherit.
                && !has(environment, "MPI_LOCALRANKID")) {
            return new MpiStart("Slurm's srun", null, slurmSize(environment), pmix, pmi);
        }
        if (has(environment, "PMI_RANK")) {
            boolean intel = has(environment, "I_MPI_HYDRA_UUID");
            return new MpiStart(
                    intel ? "Intel MPI's mpiexec" : "MPICH's mpiexec",
                    intel ? Mpiexec.Kind.INTEL : Mpiexec.Kind.MPICH,
                    size(environment),
                    pmix,
                    pmi);
        }
        return new MpiStart(pmix ? "a launcher with PMIx" : "no launcher", null, pmix ? -1 : 1, pmix, pmi);
    }

    private static boolean has(Map<String, String> environment, String variable) {
        return !environment.getOrDefault(variable, "").isBlank();
    }

    private static int size(Map<String, String> environment) {
        return number(environment, SIZES);
    }

    private static int slurmSize(Map<String, String> environment) {
        return number(environment, SIZES.subList(2, SIZES.size()));
    }

    private static int number(Map<String, String> environment, List<String> variables) {
        for (String variable : variables) {
            if (has(environment, variable)) {
                try {
                    return Integer.parseInt(
                            environment.getOrDefault(variable, "").strip());
                } catch (NumberFormatException e) {
                    return -1;
                }
            }
        }
        return -1;
    }

    /**
     * Returns why a library must not be initialised in this process; null if nothing is known against it.
     *
     * @param kind of the library
     * @param version of the library: {@code 5.0.11}
     * @param file of the library, for messages
     * @param hasPmix whether the library is linked with PMIx, which Open MPI always is
     */
    public @Nullable String problem(Mpiexec.Kind kind, String version, String file, boolean hasPmix) {
        return problem(kind, version, file, hasPmix, MpiStart::offeredBySlurm);
    }

    @Nullable
    String problem(Mpiexec.Kind kind, String version, String file, boolean hasPmix, Supplier<String> offered) {
        boolean openMpi = kind == Mpiexec.Kind.OPEN_MPI;
        String library = kind.text() + " " + version + " (" + file + ")";
        if (launcher.equals("Slurm's srun")) {
            if (size == 1) {
                return null;
            }
            if (openMpi && !pmix) {
                return library + " under srun needs PMIx, and srun offered none: every process would be a world of its"
                        + " own. Start it by srun --mpi=pmix" + offered.get();
            }
            if (!openMpi && !pmi && !(pmix && hasPmix)) {
                return library + " under srun needs PMI-2, and srun offered none: every process would be a world of its"
                        + " own. Start it by srun --mpi=pmi2" + offered.get();
            }
            return null;
        }
        if (this.kind == null || size == 1) {
            return null;
        }
        if (openMpi != (this.kind == Mpiexec.Kind.OPEN_MPI) && !(pmix && hasPmix && !openMpi)) {
            return launcher + " started this process, but the library is " + library + ": "
                    + (openMpi || pmi ? "every process would be a world of its own" : "it would end the process")
                    + ". Start it by the library's own launcher, or name the launcher's library in "
                    + Mpiexec.VARIABLE;
        }
        return null;
    }

    /** Says what {@code srun --mpi=list} does, where there is an {@code srun}. */
    private static String offeredBySlurm() {
        String text = Mpiexec.outputOf(List.of("srun", "--mpi=list"));
        List<String> types = text.lines()
                .map(line -> line.replaceFirst("^srun:", "").strip())
                .filter(line -> line.matches("[\\w./-]+"))
                .toList();
        return types.isEmpty() ? "" : "; this site offers " + String.join(", ", types);
    }
}
