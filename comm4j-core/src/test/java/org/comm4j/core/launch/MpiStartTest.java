// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MpiStartTest {
    private static Map<String, String> environment(String text) {
        return Stream.of(text.split(" "))
                .collect(Collectors.toMap(
                        each -> each.substring(0, each.indexOf('=')), each -> each.substring(each.indexOf('=') + 1)));
    }

    private static final String UNDER_MPIRUN =
            "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4 PMIX_RANK=1 PMIX_NAMESPACE=x";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4 PMIX_RANK=1 | Open MPI's mpirun | OPEN_MPI | 4 | true |"
                        + " false",
                "OMPI_COMM_WORLD_SIZE=4 SLURM_PROCID=0 SLURM_STEP_ID=0 | Open MPI's mpirun | OPEN_MPI | 4 | false |"
                        + " false",
                "PMI_RANK=0 PMI_SIZE=2 PMI_FD=6 MPI_LOCALRANKID=0 | MPICH's mpiexec | MPICH | 2 | false | true",
                "PMI_RANK=0 PMI_SIZE=2 MPI_LOCALRANKID=0 SLURM_PROCID=1 SLURM_STEP_ID=0 | MPICH's mpiexec | MPICH | 2"
                        + " | false | true",
                "PMI_RANK=0 PMI_SIZE=2 I_MPI_HYDRA_UUID=7 | Intel MPI's mpiexec | INTEL | 2 | false | true",
                "SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_NTASKS=9 SLURM_STEP_NUM_TASKS=3 | Slurm's srun | | 3 | false |"
                        + " false",
                "SLURM_PROCID=0 SLURM_STEPID=0 SLURM_NTASKS=9 PMI_RANK=0 PMI_SIZE=9 PMI_FD=3 | Slurm's srun | | 9 |"
                        + " false | true",
                "PMIX_RANK=1 PMIX_NAMESPACE=x | a launcher with PMIx | | -1 | true | false",
                "HOME=/ | no launcher | | 1 | false | false",
                "OMPI_COMM_WORLD_SIZE=many | Open MPI's mpirun | OPEN_MPI | -1 | false | false",
            })
    void recognises(String text, String launcher, Mpiexec.Kind kind, int size, boolean pmix, boolean pmi) {
        assertThat(MpiStart.of(environment(text))).isEqualTo(new MpiStart(launcher, kind, size, pmix, pmi));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                UNDER_MPIRUN + " | OPEN_MPI | false |",
                UNDER_MPIRUN + " | MPICH | true |",
                UNDER_MPIRUN
                        + " | MPICH | false | Open MPI's mpirun started this process, but the library is MPICH 1.2"
                        + " (/lib/x.so): it would end the process. Start it by the library's own launcher, or name the"
                        + " launcher's library in COMM4J_MPI",
                UNDER_MPIRUN
                        + " PMI_RANK=1 | INTEL | false | Open MPI's mpirun started this process, but the library is"
                        + " Intel MPI 1.2 (/lib/x.so): every process would be a world of its own. Start it by the"
                        + " library's own launcher, or name the launcher's library in COMM4J_MPI",
                "OMPI_COMM_WORLD_SIZE=1 PMIX_RANK=0 | MPICH | false |",
                "PMI_RANK=0 PMI_SIZE=2 | MPICH | false |",
                "PMI_RANK=0 PMI_SIZE=2 | INTEL | false |",
                "PMI_RANK=0 PMI_SIZE=2 I_MPI_HYDRA_UUID=1 | MPICH | false |",
                "PMI_RANK=0 PMI_SIZE=2 | OPEN_MPI | true | MPICH's mpiexec started this process, but the library is"
                        + " Open MPI 1.2 (/lib/x.so): every process would be a world of its own. Start it by the library's"
                        + " own launcher, or name the launcher's library in COMM4J_MPI",
                "PMI_RANK=0 PMI_SIZE=1 | OPEN_MPI | true |",
                "SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_NTASKS=2 PMIX_RANK=0 | OPEN_MPI | true |",
                "SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_NTASKS=2 | OPEN_MPI | true | Open MPI 1.2 (/lib/x.so) under srun"
                        + " needs PMIx, and srun offered none: every process would be a world of its own. Start it by srun"
                        + " --mpi=pmix; this site offers none",
                "SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_NTASKS=2 PMI_FD=3 | OPEN_MPI | true | Open MPI 1.2 (/lib/x.so)"
                        + " under srun needs PMIx, and srun offered none: every process would be a world of its own. Start"
                        + " it by srun --mpi=pmix; this site offers none",
                "SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_NTASKS=1 | OPEN_MPI | true |",
                "SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_NTASKS=2 PMI_FD=3 | MPICH | false |",
                "SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_NTASKS=2 PMIX_RANK=0 | MPICH | true |",
                "SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_NTASKS=2 PMIX_RANK=0 | INTEL | false | Intel MPI 1.2 (/lib/x.so)"
                        + " under srun needs PMI-2, and srun offered none: every process would be a world of its own."
                        + " Start it by srun --mpi=pmi2; this site offers none",
                "PMIX_RANK=0 | MPICH | false |",
                "HOME=/ | MPICH | false |",
                "HOME=/ | OPEN_MPI | true |",
            })
    void foresees(String text, Mpiexec.Kind kind, boolean hasPmix, String problem) {
        assertThat(MpiStart.of(environment(text))
                        .problem(kind, "1.2", "/lib/x.so", hasPmix, () -> "; this site offers none"))
                .isEqualTo(problem);
    }
}
