// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.comm4j.core.RendezvousException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobTest {

    /** Origin, rank, size, local rank, local size, id; then the environment. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        alone       0 1  0 1  |                     | HOME=/home/a
        alone       0 1  0 1  |                     | RANK=3
        alone       0 1  0 1  |                     | RANK=3 WORLD_SIZE=4
        comm4j run  1 4  1 4  |                     | COMM4J_RANK=1 COMM4J_SIZE=4 COMM4J_LOCAL_RANK=1 COMM4J_LOCAL_SIZE=4 COMM4J_LAUNCHER=77 COMM4J_RENDEZVOUS=127.0.0.1:5 COMM4J_TOKEN=ab
        COMM4J_RANK 1 4 -1 -1 |                     | COMM4J_RANK=1 COMM4J_SIZE=4 COMM4J_RENDEZVOUS=node0:5000 COMM4J_TOKEN=ab
        comm4j run  1 4  1 4  |                     | COMM4J_RANK=1 COMM4J_SIZE=4 COMM4J_LOCAL_RANK=1 COMM4J_LOCAL_SIZE=4 COMM4J_LAUNCHER=77 COMM4J_RENDEZVOUS=[::1]:5 COMM4J_TOKEN=ab OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2
        Open MPI    2 4  0 2  | PMIX_NAMESPACE=9001 | OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_RANK=0 OMPI_COMM_WORLD_LOCAL_SIZE=2 PMIX_RANK=2 PMIX_NAMESPACE=9001
        Open MPI    0 1  0 1  |                     | OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_LOCAL_RANK=0 OMPI_COMM_WORLD_LOCAL_SIZE=1 SLURM_PROCID=7 SLURM_STEP_ID=0 SLURM_NTASKS=8
        Slurm       5 7  1 4  | SLURM_JOB_ID=12 SLURM_STEP_ID=0 | SLURM_PROCID=5 SLURM_NTASKS=7 SLURM_LOCALID=1 SLURM_NODEID=1 SLURM_TASKS_PER_NODE=4(x2),3 SLURM_JOB_ID=12 SLURM_STEP_ID=0
        Slurm       6 7  0 3  | SLURM_JOB_ID=12 SLURM_STEP_ID=3 | SLURM_PROCID=6 SLURM_NTASKS=9 SLURM_STEP_NUM_TASKS=7 SLURM_LOCALID=0 SLURM_NODEID=2 SLURM_STEP_TASKS_PER_NODE=4(x2),3 SLURM_JOB_ID=12 SLURM_STEP_ID=3
        Slurm       1 2  1 -1 | SLURM_JOB_ID=12 SLURM_STEPID=0 | SLURM_PROCID=1 SLURM_NTASKS=2 SLURM_LOCALID=1 SLURM_JOB_ID=12 SLURM_STEPID=0 PMIX_RANK=1 PMIX_NAMESPACE=slurm.pmix.12.0
        alone       0 1  0 1  |                     | SLURM_JOB_ID=12 SLURM_NTASKS=8 SLURM_NNODES=2
        alone       0 1  0 1  |                     | SLURM_JOB_ID=12 SLURM_NTASKS=8 SLURM_PROCID=0 SLURM_LOCALID=0
        alone       0 1  0 1  |                     | SLURM_JOB_ID=12 SLURM_NTASKS=8 SLURM_PROCID=0 SLURM_LOCALID=0 SLURM_STEP_ID=4294967290
        torchrun    3 4  1 2  | MASTER_ADDR=n0 MASTER_PORT=29500 TORCHELASTIC_RUN_ID=none | RANK=3 WORLD_SIZE=4 LOCAL_RANK=1 LOCAL_WORLD_SIZE=2 MASTER_ADDR=n0 MASTER_PORT=29500 TORCHELASTIC_RUN_ID=none
        torchrun    3 4 -1 -1 | MASTER_ADDR=n0      | RANK=3 WORLD_SIZE=4 MASTER_ADDR=n0
        MPICH       1 2  1 2  |                     | PMI_RANK=1 PMI_SIZE=2 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2
        MPICH       3 4  1 2  |                     | PMI_RANK=3 PMI_SIZE=4 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2 SLURM_PROCID=1 SLURM_STEP_ID=0 SLURM_NTASKS=2
        """)
    void recognises(String expected, String id, String environment) {
        Job job = Job.from(environment(environment));
        assertThat("%s %d %d %d %d".formatted(job.origin(), job.rank(), job.size(), job.localRank(), job.localSize()))
                .isEqualTo(expected.replaceAll(" +", " "));
        assertThat(job.id()).isEqualTo(id == null ? "" : id);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        COMM4J_RANK=4 and COMM4J_SIZE=4 contradict      | COMM4J_RANK=4 COMM4J_SIZE=4
        COMM4J_RANK=-1 is not a whole number            | COMM4J_RANK=-1 COMM4J_SIZE=4
        COMM4J_SIZE is not set                          | COMM4J_RANK=0
        COMM4J_RANK is not set                          | COMM4J_SIZE=2
        COMM4J_SIZE=0 is no number of ranks             | COMM4J_RANK=0 COMM4J_SIZE=0
        COMM4J_SIZE=many is not a whole number          | COMM4J_RANK=0 COMM4J_SIZE=many
        COMM4J_LOCAL_RANK=2 and COMM4J_LOCAL_SIZE=2     | COMM4J_RANK=2 COMM4J_SIZE=4 COMM4J_LOCAL_RANK=2 COMM4J_LOCAL_SIZE=2
        COMM4J_LOCAL_SIZE=8 and COMM4J_SIZE=4           | COMM4J_RANK=2 COMM4J_SIZE=4 COMM4J_LOCAL_RANK=2 COMM4J_LOCAL_SIZE=8
        COMM4J_LAUNCHER=5 is set, but not COMM4J_REND   | COMM4J_RANK=2 COMM4J_SIZE=4 COMM4J_LAUNCHER=5
        COMM4J_RENDEZVOUS is set, but not COMM4J_TOKEN  | COMM4J_RANK=2 COMM4J_SIZE=4 COMM4J_RENDEZVOUS=h:1
        COMM4J_RENDEZVOUS=h is not host:port            | COMM4J_RANK=2 COMM4J_SIZE=4 COMM4J_RENDEZVOUS=h COMM4J_TOKEN=x
        COMM4J_RENDEZVOUS=h:99999 is not host:port      | COMM4J_RANK=2 COMM4J_SIZE=4 COMM4J_RENDEZVOUS=h:99999 COMM4J_TOKEN=x
        OMPI_COMM_WORLD_RANK is not set                 | OMPI_COMM_WORLD_SIZE=4
        PMIX_RANK=1 says that a PMIx launcher           | PMIX_RANK=1 PMIX_NAMESPACE=x
        SLURM_PROCID=9 and SLURM_NTASKS=8 contradict    | SLURM_PROCID=9 SLURM_NTASKS=8 SLURM_STEP_ID=0
        SLURM_TASKS_PER_NODE=4y is not a list           | SLURM_PROCID=1 SLURM_NTASKS=8 SLURM_STEP_ID=0 SLURM_NODEID=0 SLURM_TASKS_PER_NODE=4y
        SLURM_NODEID=3 is beyond the nodes              | SLURM_PROCID=1 SLURM_NTASKS=8 SLURM_STEP_ID=0 SLURM_NODEID=3 SLURM_TASKS_PER_NODE=4(x2)
        WORLD_SIZE is not set                           | TORCHELASTIC_RUN_ID=x RANK=0
        RANK=1.5 is not a whole number                  | TORCHELASTIC_RUN_ID=x RANK=1.5 WORLD_SIZE=2
        PMI_SIZE=99999999999 is not a whole number      | PMI_RANK=0 PMI_SIZE=99999999999
        """)
    void refuses(String message, String environment) {
        assertThatThrownBy(() -> Job.from(environment(environment)))
                .isInstanceOf(RendezvousException.class)
                .hasMessageContaining(message);
    }

    @Test
    void readsSeconds() {
        assertThat(Job.seconds(Map.of(), "T", Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(3));
        assertThat(Job.seconds(Map.of("T", "0.25"), "T", Duration.ofSeconds(3))).isEqualTo(Duration.ofMillis(250));
        for (String wrong : new String[] {"0", "-1", "NaN", "soon", "1e99"}) {
            assertThatThrownBy(() -> Job.seconds(Map.of("T", wrong), "T", Duration.ofSeconds(3)))
                    .isInstanceOf(RendezvousException.class)
                    .hasMessageContaining("T=" + wrong);
        }
    }

    private static Map<String, String> environment(String text) {
        Map<String, String> environment = new HashMap<>();
        for (String entry : text.split(" ", -1)) {
            environment.put(entry.substring(0, entry.indexOf('=')), entry.substring(entry.indexOf('=') + 1));
        }
        return environment;
    }
}
