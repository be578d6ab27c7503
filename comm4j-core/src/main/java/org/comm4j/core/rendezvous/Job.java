// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.core.RendezvousException;
import org.comm4j.core.spi.Bootstrap;
import org.jspecify.annotations.Nullable;

/**
 * Who this process is, as whoever started it says in the environment.
 *
 * @param origin who started it, in words
 * @param rank this process among those of the job
 * @param size how many processes the job has
 * @param localRank this process among those of the job on this machine, or -1 if the environment does not say
 * @param localSize how many processes of the job are on this machine, or -1 if the environment does not say
 * @param id what all processes of this job have in common and no other job has; empty if the environment does not say
 * @param launcherPid the {@code comm4j run} that started the process and hosts the rendezvous, or -1
 * @param invitation where the environment says that the rendezvous is, or null
 */
public record Job(
        String origin,
        int rank,
        int size,
        int localRank,
        int localSize,
        String id,
        long launcherPid,
        @Nullable Invitation invitation) {

    /** How long ranks wait for each other when they join, in seconds. */
    public static final String JOIN_TIMEOUT = "COMM4J_JOIN_TIMEOUT";

    /** How long ranks wait for each other afterwards, in seconds. */
    public static final String TIMEOUT = "COMM4J_TIMEOUT";

    public static final String RANK = "COMM4J_RANK";
    public static final String SIZE = "COMM4J_SIZE";
    public static final String LOCAL_RANK = "COMM4J_LOCAL_RANK";
    public static final String LOCAL_SIZE = "COMM4J_LOCAL_SIZE";
    public static final String RENDEZVOUS = "COMM4J_RENDEZVOUS";
    public static final String TOKEN = "COMM4J_TOKEN";

    /** The process id of the launcher, if it is ours and hosts the rendezvous. */
    public static final String LAUNCHER = "COMM4J_LAUNCHER";

    /** The folder, shared by all machines of a job, in which rank 0 leaves word where the rendezvous is. */
    public static final String RENDEZVOUS_DIR = "COMM4J_RENDEZVOUS_DIR";

    /** The origin of PyTorch's launcher. */
    static final String TORCHRUN = "torchrun";

    /** The batch, interactive and external steps that Slurm itself makes have numbers from here on. */
    private static final long SLURM_SPECIAL_STEPS = 0xffff_fff0L;

    /** Whether all ranks are known to be on this machine. */
    public boolean oneMachine() {
        return localSize == size;
    }

    /**
     * Recognises who started this process. In this order: {@code comm4j run}, Open MPI, Slurm's {@code srun}, torchrun,
     * MPICH; else the process is a world of its own.
     *
     * @throws RendezvousException if the variables contradict each other or are malformed; it names them
     */
    public static Job from(Map<String, String> environment) {
        return new Reader(environment, null).job();
    }

    /**
     * As {@link #from(Map)}, where {@code introduction} may bring the processes together if the environment does not
     * say how many there are.
     */
    public static Job from(Map<String, String> environment, Introduction introduction) {
        return new Reader(environment, introduction).job();
    }

    /** A duration in seconds, fractions allowed, from a variable. */
    public static Duration seconds(Map<String, String> environment, String variable, Duration otherwise) {
        String text = environment.get(variable);
        if (text == null || text.isBlank()) {
            return otherwise;
        }
        double seconds;
        try {
            seconds = Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            seconds = Double.NaN;
        }
        // Not the other way round: NaN is refused too.
        if (!(seconds > 0 && seconds <= 1e9)) {
            throw new RendezvousException(variable + "=" + text + " is not a number of seconds above 0");
        }
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private record Reader(
            Map<String, String> environment, @Nullable Introduction introduction) {

        Job job() {
            if (has(RANK) || has(SIZE)) {
                return comm4j();
            }
            if (has("OMPI_COMM_WORLD_RANK") || has("OMPI_COMM_WORLD_SIZE")) {
                return openMpi();
            }
            if (inSlurmStep()) {
                return slurm();
            }
            if (has("TORCHELASTIC_RUN_ID") || (has("RANK") && has("WORLD_SIZE") && has("MASTER_ADDR"))) {
                return torchrun();
            }
            if (has("PMI_RANK") || has("PMI_SIZE")) {
                return mpich();
            }
            if (has("PMIX_RANK") && has("PMIX_NAMESPACE")) {
                return pmix();
            }
            return new Job("alone", 0, 1, 0, 1, "", -1, null);
        }

        private Job comm4j() {
            boolean launched = has(LAUNCHER);
            if (launched && !(has(RENDEZVOUS) && has(TOKEN))) {
                throw new RendezvousException(LAUNCHER + "=" + text(LAUNCHER) + " is set, but not " + RENDEZVOUS
                        + " and " + TOKEN + ": the launcher sets all three");
            }
            return job(
                    launched ? "comm4j run" : "COMM4J_RANK",
                    RANK,
                    SIZE,
                    LOCAL_RANK,
                    LOCAL_SIZE,
                    "",
                    launched ? number(LAUNCHER, Long.MAX_VALUE) : -1);
        }

        private Job openMpi() {
            return job(
                    "Open MPI",
                    "OMPI_COMM_WORLD_RANK",
                    "OMPI_COMM_WORLD_SIZE",
                    "OMPI_COMM_WORLD_LOCAL_RANK",
                    "OMPI_COMM_WORLD_LOCAL_SIZE",
                    id("PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "OMPI_MCA_orte_hnp_uri"),
                    -1);
        }

        /** Whether srun started us; merely being inside an allocation or a batch script is not enough. */
        private boolean inSlurmStep() {
            if (!has("SLURM_PROCID") || !(has("SLURM_STEP_ID") || has("SLURM_STEPID"))) {
                return false;
            }
            // MPICH's and Intel's launchers start one helper on each node by srun, whose variables the ranks inherit.
            if (has("PMI_RANK") && has("MPI_LOCALRANKID")) {
                return false;
            }
            return number(has("SLURM_STEP_ID") ? "SLURM_STEP_ID" : "SLURM_STEPID", 0xffff_ffffL) < SLURM_SPECIAL_STEPS;
        }

        private Job slurm() {
            String size = has("SLURM_STEP_NUM_TASKS")
                    ? "SLURM_STEP_NUM_TASKS"
                    : has("SLURM_NTASKS") ? "SLURM_NTASKS" : "SLURM_NPROCS";
            return new Job(
                    "Slurm",
                    rank("SLURM_PROCID", size),
                    whole(size),
                    has("SLURM_LOCALID") ? whole("SLURM_LOCALID") : -1,
                    slurmTasksHere(),
                    id(
                            "SLURM_CLUSTER_NAME",
                            "SLURM_JOB_ID",
                            "SLURM_JOBID",
                            "SLURM_STEP_ID",
                            "SLURM_STEPID",
                            "SLURM_RESTART_COUNT"),
                    -1,
                    invitation(-1));
        }

        /** The entry of this node in a list such as {@code 4(x2),3}: two nodes with 4 tasks, then one with 3. */
        private int slurmTasksHere() {
            String variable = has("SLURM_STEP_TASKS_PER_NODE") ? "SLURM_STEP_TASKS_PER_NODE" : "SLURM_TASKS_PER_NODE";
            if (!has(variable) || !has("SLURM_NODEID")) {
                return -1;
            }
            Pattern part = Pattern.compile("(\\d{1,9})(?:\\(x(\\d{1,9})\\))?");
            long node = whole("SLURM_NODEID");
            for (String entry : text(variable).split(",", -1)) {
                Matcher matcher = part.matcher(entry.strip());
                if (!matcher.matches()) {
                    throw new RendezvousException(
                            variable + "=" + text(variable) + " is not a list of Slurm's form 4(x2),3");
                }
                node -= matcher.group(2) == null ? 1 : Long.parseLong(matcher.group(2));
                if (node < 0) {
                    return Integer.parseInt(matcher.group(1));
                }
            }
            throw new RendezvousException("SLURM_NODEID=" + text("SLURM_NODEID") + " is beyond the nodes of " + variable
                    + "=" + text(variable));
        }

        private Job torchrun() {
            return job(
                    TORCHRUN,
                    "RANK",
                    "WORLD_SIZE",
                    "LOCAL_RANK",
                    "LOCAL_WORLD_SIZE",
                    id("MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT"),
                    -1);
        }

        private Job pmix() {
            Bootstrap.Group group = introduction == null ? null : introduction.meet();
            if (group == null) {
                String problems = introduction == null ? "" : introduction.problems();
                throw new RendezvousException("PMIX_RANK=" + text("PMIX_RANK") + " says that a PMIx launcher started"
                        + " this process, but not how many there are: add comm4j-mpi, which can ask MPI, or set"
                        + " COMM4J_RANK and COMM4J_SIZE" + (problems.isEmpty() ? "" : " (" + problems + ")"));
            }
            return new Job("PMIx", group.rank(), group.size(), -1, -1, id("PMIX_NAMESPACE"), -1, invitation(-1));
        }

        private Job mpich() {
            return job(
                    "MPICH",
                    "PMI_RANK",
                    "PMI_SIZE",
                    "MPI_LOCALRANKID",
                    "MPI_LOCALNRANKS",
                    id("PMI_JOBID", "HYDRA_JOBID"),
                    -1);
        }

        private Job job(
                String origin,
                String rank,
                String size,
                String localRank,
                String localSize,
                String id,
                long launcherPid) {
            int here = has(localRank) ? whole(localRank) : -1;
            int allHere = has(localSize) ? whole(localSize) : -1;
            if (has(localSize) && here >= allHere) {
                throw contradiction(localRank, localSize, "local ranks are 0 to " + (allHere - 1));
            }
            if (allHere > whole(size)) {
                throw contradiction(localSize, size, "there cannot be more on this machine than in the job");
            }
            return new Job(
                    origin, rank(rank, size), whole(size), here, allHere, id, launcherPid, invitation(launcherPid));
        }

        private @Nullable Invitation invitation(long launcherPid) {
            // On one machine the kernel tells who is who.
            boolean path = Invitation.isPath(text(RENDEZVOUS));
            if (has(RENDEZVOUS) != has(TOKEN) && !path && !(has(TOKEN) && has("MASTER_PORT"))) {
                throw new RendezvousException((has(RENDEZVOUS) ? RENDEZVOUS : TOKEN) + " is set, but not "
                        + (has(RENDEZVOUS) ? TOKEN : RENDEZVOUS) + ": they belong together");
            }
            return has(RENDEZVOUS)
                    ? new Invitation(
                            Invitation.address(RENDEZVOUS, text(RENDEZVOUS)), text(TOKEN), launcherPid < 0 ? 0 : -1)
                    : null;
        }

        private boolean has(String variable) {
            String text = environment.get(variable);
            return text != null && !text.isBlank();
        }

        private String text(String variable) {
            return environment.getOrDefault(variable, "").strip();
        }

        private String id(String... variables) {
            List<String> parts = new ArrayList<>();
            for (String variable : variables) {
                if (has(variable)) {
                    parts.add(variable + "=" + text(variable));
                }
            }
            return String.join(" ", parts);
        }

        private int rank(String rankVariable, String sizeVariable) {
            int rank = whole(rankVariable);
            int size = whole(sizeVariable);
            if (size < 1) {
                throw new RendezvousException(sizeVariable + "=" + size + " is no number of ranks");
            }
            if (rank >= size) {
                throw contradiction(rankVariable, sizeVariable, "ranks are 0 to " + (size - 1));
            }
            return rank;
        }

        private RendezvousException contradiction(String one, String other, String why) {
            return new RendezvousException(
                    one + "=" + text(one) + " and " + other + "=" + text(other) + " contradict each other: " + why);
        }

        private int whole(String variable) {
            return (int) number(variable, Integer.MAX_VALUE);
        }

        private long number(String variable, long most) {
            if (!has(variable)) {
                throw new RendezvousException(
                        variable + " is not set, although the variables that belong to it are: " + siblings(variable));
            }
            long number;
            try {
                number = Long.parseLong(text(variable));
            } catch (NumberFormatException e) {
                number = -1;
            }
            if (number < 0 || number > most) {
                throw new RendezvousException(
                        variable + "=" + text(variable) + " is not a whole number from 0 to " + most);
            }
            return number;
        }

        /** The variables that made us look for the missing one. */
        private String siblings(String variable) {
            for (List<String> family : List.of(
                    List.of(RANK, SIZE),
                    List.of("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
                    List.of("SLURM_PROCID", "SLURM_NPROCS"),
                    List.of("TORCHELASTIC_RUN_ID", "RANK", "WORLD_SIZE"),
                    List.of("PMI_RANK", "PMI_SIZE"))) {
                if (family.contains(variable)) {
                    return String.join(
                            " ",
                            family.stream()
                                    .filter(this::has)
                                    .map(v -> v + "=" + text(v))
                                    .toList());
                }
            }
            return "";
        }
    }
}
