// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.comm4j.core.rendezvous.Hub;
import org.comm4j.core.rendezvous.Introduction;
import org.comm4j.core.rendezvous.Job;
import org.comm4j.core.rendezvous.Meeting;
import org.comm4j.core.rendezvous.Membership;
import org.comm4j.core.rendezvous.Variables;
import org.comm4j.core.rendezvous.Watcher;
import org.comm4j.core.spi.Engine;
import org.comm4j.core.spi.Farewells;
import org.comm4j.core.spi.Halt;
import org.comm4j.core.spi.LastWords;
import org.comm4j.core.spi.PgasEngine;
import org.comm4j.core.spi.Standstill;
import org.jspecify.annotations.Nullable;

/**
 * All ranks of one job, seen by one of them: who am I, how many are we, and a small key-value exchange that engines use
 * to find each other. It is not meant for data: values are limited to 16 MiB, and every call is a round trip to one
 * server.
 *
 * <pre>{@code
 * try (World world = World.join()) {
 *     System.out.println("rank " + world.rank() + " of " + world.size());
 * }
 * }</pre>
 *
 * <p>{@link #join()} recognises who started the process, in this order:
 *
 * <table>
 * <caption>Launchers</caption>
 * <tr><th>{@link #origin()}</th><th>variables</th></tr>
 * <tr><td>{@code comm4j run}</td><td>{@code COMM4J_RANK}, {@code COMM4J_SIZE}, {@code COMM4J_LOCAL_RANK},
 *     {@code COMM4J_LOCAL_SIZE}, {@code COMM4J_LAUNCHER}. Without the last one, {@code COMM4J_RANK}: set by hand, rank
 *     0 hosts the rendezvous</td></tr>
 * <tr><td>{@code Open MPI}</td><td>{@code OMPI_COMM_WORLD_RANK}, {@code _SIZE}, {@code _LOCAL_RANK}, {@code
 * _LOCAL_SIZE};
 *     {@code PMIX_NAMESPACE} tells jobs apart</td></tr>
 * <tr><td>{@code Slurm}</td><td>{@code SLURM_PROCID}, {@code SLURM_STEP_NUM_TASKS} or {@code SLURM_NTASKS},
 *     {@code SLURM_LOCALID}, within a step that {@code srun} made; a batch script or an allocation alone does not
 *     count</td></tr>
 * <tr><td>{@code torchrun}</td><td>{@code RANK}, {@code WORLD_SIZE}, {@code LOCAL_RANK}, {@code LOCAL_WORLD_SIZE},
 *     {@code MASTER_ADDR}, {@code TORCHELASTIC_RUN_ID}</td></tr>
 * <tr><td>{@code MPICH}</td><td>{@code PMI_RANK}, {@code PMI_SIZE}, {@code MPI_LOCALRANKID}, {@code
 * MPI_LOCALNRANKS}</td></tr>
 * <tr><td>{@code PMIx}</td><td>{@code PMIX_RANK}, {@code PMIX_NAMESPACE}; MPI tells how many ranks there are, with the
 *     module {@code comm4j-mpi}</td></tr>
 * <tr><td>{@code alone}</td><td>none of these: a world of one</td></tr>
 * </table>
 *
 * <p>The ranks meet at one rendezvous: the launcher's under {@code comm4j run}, otherwise rank 0's. On one machine it
 * is a socket in a folder that only its user can enter, and rank 0 leaves word of it in a file that only its owner can
 * read. On several machines it is a TCP port, and both ends prove that they know a secret token. Ranks of {@code
 * torchrun} find it beside {@code MASTER_PORT}; others tell each other by MPI, with the module {@code comm4j-mpi}, so
 * that nothing has to be set. Otherwise set {@code COMM4J_RENDEZVOUS_DIR} (a folder that all machines share), or
 * {@code COMM4J_RENDEZVOUS=host:port} of rank 0 and {@code COMM4J_TOKEN} (a secret text that cannot be guessed), the
 * same for all ranks; then nothing else is tried. {@code COMM4J_JOIN_TIMEOUT} (seconds, default 60)
 * limits the wait for each other in {@link #join()}, {@code COMM4J_TIMEOUT} (seconds, default 300) every later wait.
 *
 * <p>Whoever waits for others for more than ten seconds says so in a line on standard error, unless {@code
 * COMM4J_QUIET} is set.
 *
 * <p>All methods may be called from any thread. Waits end early with a {@link RankFailedException} that names the rank
 * if one dies, that is, if its process ends before it has closed its world, or if an exception that nobody catches ends
 * the thread that has joined. The exception's text is then in those of the others.
 */
public final class World implements AutoCloseable {
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** How long the ranks of {@link #threads} may take to end when they are interrupted. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The world that this process has joined; there is one at a time. */
    private static final AtomicReference<@Nullable World> JOINED = new AtomicReference<>();

    private final Job job;
    private final int localRank;
    private final int localSize;
    private final Membership membership;
    private final Duration timeout;
    /** Actions before it is closed. */
    private final Consumer<World> farewell;

    private final AtomicBoolean closing = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    private World(
            Job job, int localRank, int localSize, Membership membership, Duration timeout, Consumer<World> farewell) {
        this.job = job;
        this.localRank = localRank;
        this.localSize = localSize;
        this.membership = membership;
        this.timeout = timeout;
        this.farewell = farewell;
    }

    /**
     * Joins the world that this process was started in, and waits for all other ranks to do so; the wait is limited by
     * {@code COMM4J_JOIN_TIMEOUT} (seconds, default 60).
     *
     * @throws RendezvousException if the environment is contradictory, or the world is not formed in time
     * @throws IllegalStateException if this process has joined before: while that world is open, or at all if it has
     *     more than one rank
     */
    public static World join() {
        return join(System.getenv(), null);
    }

    /**
     * As {@link #join()}, waiting at most this long for the other ranks.
     *
     * @throws IllegalArgumentException if {@code timeout} is not positive
     */
    public static World join(Duration timeout) {
        nonNull(timeout, "join", "timeout");
        return join(System.getenv(), positive(timeout));
    }

    static World join(Map<String, String> environment, @Nullable Duration patience) {
        synchronized (JOINED) {
            World before = JOINED.get();
            if (before != null && (!before.closed.get() || before.size() > 1)) {
                throw new IllegalStateException("this process has joined its world already, as rank " + before.rank()
                        + " of " + before.size() + (before.closed.get() ? ", and closed it" : "")
                        + ": join once and pass the World on");
            }
            Duration limit = patience != null ? patience : Job.seconds(environment, Job.JOIN_TIMEOUT, JOIN_TIMEOUT);
            Introduction introduction = new Introduction(environment, limit);
            Job job = Job.from(environment, introduction);
            if (job.rank() == 0) {
                for (String line : Variables.complaints(environment)) {
                    System.err.println("comm4j: " + line);
                }
            }
            Duration timeout = Job.seconds(environment, Job.TIMEOUT, TIMEOUT);
            // A launcher takes each rank once; whoever is alone needs nobody to meet again.
            Meeting.Place place = before != null
                    ? Meeting.alone()
                    : Meeting.join(job, environment, introduction, limit, timeout, new EndOfProcess(job));
            World world = new World(
                    job, place.localRank(), place.localSize(), place.membership(), timeout, introduction::leaving);
            JOINED.set(world);
            if (job.size() > 1) {
                LastWords.tell(world.membership::fail);
            }
            return world;
        }
    }

    /** Lets this process join as if it had never done so, for tests. */
    static void forget() {
        JOINED.set(null);
    }

    /** What one rank does in {@link World#threads}. */
    @FunctionalInterface
    public interface Body {

        /** Runs as the rank that {@code world} says; {@code world} is closed when it returns. */
        void run(World world) throws Exception;
    }

    /**
     * Runs a world of {@code ranks} threads in this JVM, for tests and for the debugger: {@code body} once per rank,
     * each on a platform thread of its own. Returns when all have ended. If a rank throws, the others are interrupted,
     * and the first exception is thrown here: as it is if unchecked, else as the cause of a {@link CommException}. A
     * suppressed exception says which rank it was.
     *
     * @throws IllegalArgumentException if {@code ranks} is below 1
     */
    public static void threads(int ranks, Body body) {
        threads(ranks, false, body);
    }

    /**
     * As {@link #threads(int, Body)}, for programs that survive the death of ranks.
     *
     * @param keepGoing whether a rank that throws is dead to the others, which go on; they are not interrupted
     */
    public static void threads(int ranks, boolean keepGoing, Body body) {
        nonNull(body, "threads", "body");
        Hub hub = new Hub(ranks);
        Duration timeout = Job.seconds(System.getenv(), Job.TIMEOUT, TIMEOUT);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[ranks];
        // All are members before the first one runs: nobody has to wait for anybody to join.
        World[] worlds = new World[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            Job job = new Job("threads", rank, ranks, rank, ranks, "", -1, null);
            worlds[rank] = new World(job, rank, ranks, hub.member(rank), timeout, _ -> {});
        }
        for (int rank = 0; rank < ranks; rank++) {
            int me = rank;
            threads[rank] = Thread.ofPlatform()
                    .name("rank " + rank + " of " + ranks)
                    .unstarted(() -> {
                        try (World world = worlds[me]) {
                            try {
                                body.run(world);
                            } catch (Throwable e) {
                                if (failure.compareAndSet(null, e)) {
                                    e.addSuppressed(new CommException("this was rank " + me + " of " + ranks));
                                }
                                hub.end(me, LastWords.of(e));
                                if (!keepGoing) {
                                    interruptAll(threads, me);
                                }
                            }
                        }
                    });
        }
        for (Thread thread : threads) {
            thread.start();
        }
        boolean interrupted = awaitEnd(threads, keepGoing ? new AtomicReference<>() : failure);
        Throwable thrown = failure.get();
        if (interrupted) {
            Thread.currentThread().interrupt();
            CommException e = new CommException("interrupted while " + ranks + " ranks ran as threads");
            if (thrown != null) {
                e.addSuppressed(thrown);
            }
            throw e;
        }
        switch (thrown) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new CommException("a rank failed: " + thrown, thrown);
        }
    }

    private static void interruptAll(Thread[] threads, int except) {
        for (int rank = 0; rank < threads.length; rank++) {
            if (rank != except) {
                threads[rank].interrupt();
            }
        }
    }

    /** Waits for all threads; says whether this thread was interrupted meanwhile. */
    private static boolean awaitEnd(Thread[] threads, AtomicReference<@Nullable Throwable> failure) {
        boolean interrupted = false;
        long deadline = Long.MAX_VALUE;
        for (int rank = 0; rank < threads.length; ) {
            try {
                if (threads[rank].join(Duration.ofMillis(100))) {
                    rank++;
                    continue;
                }
            } catch (InterruptedException e) {
                interrupted = true;
                interruptAll(threads, -1);
            }
            Throwable thrown = failure.get();
            if ((interrupted || thrown != null) && deadline == Long.MAX_VALUE) {
                deadline = System.nanoTime() + PATIENCE.toNanos();
            }
            if (System.nanoTime() > deadline) {
                CommException stuck = new CommException(
                        "rank " + rank + " did not end within " + PATIENCE.toSeconds() + " s of being interrupted");
                stuck.setStackTrace(threads[rank].getStackTrace());
                if (thrown != null) {
                    thrown.addSuppressed(stuck);
                }
                rank++;
            }
        }
        return interrupted;
    }

    /** This rank: 0 to {@code size() - 1}. */
    public int rank() {
        return job.rank();
    }

    /** Returns how many ranks there are. */
    public int size() {
        return job.size();
    }

    /** This rank among those on its machine: 0 to {@code localSize() - 1}. */
    public int localRank() {
        return localRank;
    }

    /** Returns how many ranks are on this rank's machine. */
    public int localSize() {
        return localSize;
    }

    /**
     * Returns who started this job: {@code comm4j run}, {@code Open MPI}, {@code Slurm}, {@code torchrun}, {@code
     * MPICH}, {@code PMIx}, {@code COMM4J_RANK} (variables set by hand), {@code threads} or {@code alone}.
     */
    public String origin() {
        return job.origin();
    }

    /**
     * Collective: a communicator of all ranks, by the engine that {@code COMM4J_ENGINE} names ({@code comm4j run
     * --engine}), else by the embedded one.
     *
     * @throws IllegalArgumentException if that engine's module is not there
     */
    public Communicator communicator() {
        return Engine.selected().communicator(this);
    }

    /**
     * Collective: all ranks as PEs with a symmetric heap. {@code COMM4J_SHMEM} names the engine: {@code embedded},
     * {@code native} (an OpenSHMEM library), {@code mpi}, {@code nvshmem}; else it is the one of {@link
     * #communicator()} if that has a heap ({@code comm4j run --engine nvshmem}), else the one that {@code OpenShmem}
     * chooses.
     *
     * @throws IllegalStateException if no engine's module is there
     */
    public Pgas pgas() {
        return PgasEngine.selected().pgas(this);
    }

    /** Returns how long waits without a timeout of their own last: {@code COMM4J_TIMEOUT} (seconds), else 300 s. */
    public Duration timeout() {
        return timeout;
    }

    /**
     * Makes a value known to all ranks under a key that nobody has published before. Does not wait for readers.
     *
     * @param key 1 to 1024 bytes of UTF-8
     * @param value at most 16 MiB, copied
     * @throws IllegalStateException if the key has been published before, or this world is closed
     * @throws CommException if all values that have been published in this job take more than 256 MiB
     */
    public void publish(String key, byte[] value) {
        nonNull(key, "publish", "key");
        nonNull(value, "publish", "value");
        open().publish(key, value);
    }

    /**
     * Returns the value published under a key; waits until there is one, at most {@link #timeout()}. What was published
     * before the call returns at once, even if its publisher is gone.
     *
     * @throws CommTimeoutException if nobody publishes it in time
     * @throws RankFailedException if a rank is dead, so that waiting is in vain
     */
    public byte[] lookup(String key) {
        nonNull(key, "lookup", "key");
        return lookup(key, timeout);
    }

    /**
     * As {@link #lookup(String)}, waiting at most this long.
     *
     * @throws IllegalArgumentException if {@code timeout} is not positive
     */
    public byte[] lookup(String key, Duration timeout) {
        nonNull(key, "lookup", "key");
        nonNull(timeout, "lookup", "timeout");
        return open().lookup(key, positive(timeout));
    }

    /**
     * Collective: gives this rank's value and returns those of all, in rank order. Ranks whose calls have the same key
     * belong together; a key may be used again once an exchange is over. The values are at most 16 MiB together.
     *
     * @throws CommTimeoutException if a rank does not come within {@link #timeout()}; the message lists who
     * @throws RankFailedException if a rank is dead or has closed its world
     */
    public List<byte[]> exchange(String key, byte[] mine) {
        nonNull(key, "exchange", "key");
        nonNull(mine, "exchange", "mine");
        return exchange(key, mine, timeout);
    }

    /**
     * As {@link #exchange(String, byte[])}, waiting at most this long.
     *
     * @throws IllegalArgumentException if {@code timeout} is not positive
     */
    public List<byte[]> exchange(String key, byte[] mine, Duration timeout) {
        nonNull(key, "exchange", "key");
        nonNull(mine, "exchange", "mine");
        nonNull(timeout, "exchange", "timeout");
        Hub.checkKey(key);
        return open().exchange(key, mine, positive(timeout));
    }

    /**
     * Collective: returns when all ranks have called it.
     *
     * @throws CommTimeoutException if a rank does not come within {@link #timeout()}; the message lists who
     * @throws RankFailedException if a rank is dead or has closed its world
     */
    public void barrier() {
        barrier(timeout);
    }

    /**
     * As {@link #barrier()}, waiting at most this long.
     *
     * @throws IllegalArgumentException if {@code timeout} is not positive
     */
    public void barrier(Duration timeout) {
        nonNull(timeout, "barrier", "timeout");
        open().exchange(Hub.BARRIER, new byte[0], positive(timeout));
    }

    /**
     * Collective over those of {@code ranks} that live: gives this rank's value, and returns the values of all of them,
     * by rank. Ranks that have died or closed their world are not waited for, and not in the result, also if they came
     * before. All get the same result, so that they agree on who is left ({@code MPIX_Comm_agree}). Unlike the other
     * methods it is not hindered by a rank that died, unless that one hosted the rendezvous.
     *
     * @param key 1 to 1024 bytes of UTF-8; ranks whose calls have the same key belong together; it may be used again
     *     once an agreement is over
     * @param ranks the same for all that call, this rank among them
     * @param mine at most 16 MiB
     * @throws IllegalArgumentException if {@code ranks} has one that is out of range, or not this one
     * @throws CommTimeoutException if a rank that lives does not come within {@code timeout}; the message lists who
     * @throws RankFailedException if rank 0 hosted the rendezvous (without {@code comm4j run}) and died
     */
    public SortedMap<Integer, byte[]> agree(String key, int[] ranks, byte[] mine, Duration timeout) {
        nonNull(key, "agree", "key");
        nonNull(ranks, "agree", "ranks");
        nonNull(mine, "agree", "mine");
        nonNull(timeout, "agree", "timeout");
        Hub.checkKey(key);
        int[] sorted = IntStream.of(ranks).sorted().distinct().toArray();
        if (Arrays.binarySearch(sorted, rank()) < 0 || sorted[0] < 0 || sorted[sorted.length - 1] >= size()) {
            throw new IllegalArgumentException("agree on rank " + rank() + " of " + size() + ": among "
                    + Arrays.toString(ranks) + "; name ranks from 0 to " + (size() - 1) + ", this one included");
        }
        return open().agree(key, sorted, mine, positive(timeout));
    }

    /**
     * Returns the ranks known to have died, in ascending order. Never waits; cheap enough to be asked in a waiting
     * loop.
     */
    public List<Integer> failedRanks() {
        return membership.failedRanks();
    }

    /**
     * Returns how a rank died, to continue "rank 2 ...": what its program has thrown, or what was noticed of its
     * process. Null unless it is known to have died. Never waits.
     *
     * @throws IndexOutOfBoundsException if there is no such rank
     */
    public @Nullable String fate(int rank) {
        return membership.fate(Objects.checkIndex(rank, size()));
    }

    /**
     * Ends every rank of the job, now: without shutdown hooks, from wherever they are. Does not return: this process
     * ends too. With {@link #threads} it throws instead, here and in the other ranks' waits.
     *
     * @param exitCode 1 to 255; the launcher exits with it
     * @param reason is printed
     */
    public void abort(int exitCode, String reason) {
        nonNull(reason, "abort", "reason");
        if (exitCode < 1 || exitCode > 255) {
            throw new IllegalArgumentException("an exit code of an aborted job is 1 to 255, not " + exitCode);
        }
        String message = "rank " + rank() + " aborted the job with exit code " + exitCode + ": " + reason;
        if (job.origin().equals("threads")) {
            open().abort(exitCode, reason);
            throw new CommException(message);
        }
        // The launcher prints it, if it is ours.
        if (job.launcherPid() < 0) {
            System.err.println("comm4j: " + message);
        }
        System.out.flush();
        System.err.flush();
        membership.abort(exitCode, reason);
        Halt.now(exitCode);
    }

    /**
     * Leaves the world. Not collective: whoever waits for this rank afterwards is told that it has left. If this is
     * rank 0 and it hosts the rendezvous, its process does not end before all others have left, or {@link #timeout()}
     * has passed. Idempotent.
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            try {
                Farewells.run(this);
                farewell.accept(this);
            } finally {
                closed.set(true);
                membership.close();
            }
        }
    }

    private Membership open() {
        if (closed.get()) {
            throw new IllegalStateException("rank " + rank() + " has closed its world");
        }
        return membership;
    }

    private static Duration positive(Duration timeout) {
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("a timeout is above zero, not " + timeout);
        }
        return timeout;
    }

    @Override
    public String toString() {
        return "World[rank " + rank() + " of " + size() + ", local " + localRank + " of " + localSize + ", " + origin()
                + (closed.get() ? ", closed]" : "]");
    }

    /** Ends this process when the job ends without asking it. */
    private record EndOfProcess(Job job) implements Watcher {
        @Override
        public void aborted(int rank, int exitCode, String reason) {
            if (job.launcherPid() < 0 && rank != job.rank()) {
                System.err.println("comm4j: rank " + job.rank() + " ends: rank " + rank
                        + " aborted the job with exit code " + exitCode + ": " + reason);
            }
            Halt.now(exitCode);
        }

        @Override
        public void report() {
            System.err.print(Standstill.report("rank " + job.rank() + " of " + job.size()));
            System.err.flush();
        }

        @Override
        public void hostLost(String how) {
            // A launcher that was killed could not end its ranks; without it nobody would.
            if (job.launcherPid() >= 0) {
                System.err.println("comm4j: rank " + job.rank() + " ends: its launcher, process " + job.launcherPid()
                        + ", is gone");
                Halt.now(1);
            }
        }
    }
}
