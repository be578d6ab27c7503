// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.time.Duration;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Arguments;
import org.comm4j.core.spi.Call;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.device.PeerTuning.Setting;
import org.comm4j.device.PeerVariant.Kind;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.lang.PeerPointers;
import org.comm4j.nvshmem.KernelCollectives;
import org.comm4j.nvshmem.Nvshmem;
import org.jspecify.annotations.Nullable;

/**
 * Collectives that are one kernel each, of all PEs whose GPUs reach each other's memory: {@code allReduce}, {@code
 * reduceScatter}, {@code allGather} and {@code allToAll}, for {@code FLOAT32}, {@code FLOAT16}, {@code BFLOAT16} and
 * {@code INT32}, sums, minima and maxima. Those of 16 bits are combined as {@code FLOAT32} and rounded once. Operands
 * are combined in the order of PEs, so that all PEs get the same bits, whatever the algorithm.
 *
 * <pre>{@code
 * try (PeerCollectives peers = PeerCollectives.of(shmem)) {
 *     peers.allReduce(x, x, ReduceOp.SUM, stream);
 *     peers.synchronize(stream);
 * }
 * }</pre>
 *
 * <p><b>Algorithms.</b> {@link Algorithm#ONE_SHOT} and {@link Algorithm#TWO_SHOT} take any memory of the GPU. {@link
 * Algorithm#DIRECT} reads and writes symmetric memory of others; other memory of {@code allReduce} goes through a
 * symmetric buffer then, with a copy on each side, and the other operations are one-shot. All PEs pass the same counts,
 * types and algorithm, and the same parts of the same symmetric arrays, or none passes symmetric ones. In place means
 * the same place; arrays do not overlap otherwise.
 *
 * <p><b>Order.</b> One operation of an object runs at a time, on every PE in the same order. Calls in another stream
 * than the one before wait for that; of graphs, whose launches this object does not see, and of kernels of {@link
 * #group} the program sees to it.
 *
 * <p><b>Communicators.</b> {@code shmem.communicator(peers)} is a {@link org.comm4j.core.Communicator} that does its
 * collectives with these kernels where it can.
 *
 * <p><b>Failures.</b> A kernel waits for another PE at most {@link #timeout}. Then it gives up, and the next call, or
 * {@link #synchronize}, throws an exception with the PE. Results of that operation, and of what was put into streams
 * behind it, are undefined; the object does nothing any more.
 */
public final class PeerCollectives implements KernelCollectives, AutoCloseable {
    /** How data goes to the other PEs. */
    public enum Algorithm {
        /** By size. */
        AUTO,
        /** Each PE sends all that it has to whoever needs it: least latency, more data. */
        ONE_SHOT,
        /**
         * Sums of floating-point elements over all PEs: each PE sends each other one a share of what it has, and then
         * all of them the sums of its own; else as {@link #ONE_SHOT}.
         */
        TWO_SHOT,
        /**
         * The PEs meet, each reads its share from all others and writes the result to all, and they meet again: no
         * copies.
         */
        DIRECT
    }

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
    private final PeerMachine machine;
    private @Nullable Stream last;
    private Duration timeout = DEFAULT_TIMEOUT;
    private boolean closed;

    private PeerCollectives(PeerMachine machine, Duration timeout) {
        this.machine = machine;
        timeout(timeout.isZero() ? DEFAULT_TIMEOUT : timeout);
    }

    /** Why there can be none of so many PEs, or null. */
    static @Nullable String problem(Nvshmem shmem) {
        if (shmem.nPes() > PeerPointers.MAX) {
            return shmem.nPes() + " PEs; collectives over peer pointers are for " + PeerPointers.MAX + " at most";
        }
        for (int pe = 0; pe < shmem.nPes(); pe++) {
            if (!shmem.reaches(pe)) {
                return "PE " + shmem.myPe() + " does not reach the memory of PE " + pe;
            }
        }
        return null;
    }

    /**
     * Collective over all PEs; takes about 16 + 12 MiB for each PE of the symmetric heap.
     *
     * @throws UnsupportedOperationException if there are more than 8, or they do not reach each other's memory
     */
    public static PeerCollectives of(Nvshmem shmem) {
        nonNull(shmem, "PeerCollectives.of", "shmem");
        String problem = problem(shmem);
        if (problem != null) {
            throw new UnsupportedOperationException(problem);
        }
        return new PeerCollectives(new GpuPeers(shmem), shmem.timeout());
    }

    /** Collective: the same on the CPU, with {@link CpuOptions#ofProcess}. */
    public static PeerCollectives of(HostShmem shmem) {
        nonNull(shmem, "PeerCollectives.of", "shmem");
        return of(shmem, CpuOptions.ofProcess());
    }

    /**
     * Collective: the same kernels on the CPU, over the embedded engine, for arrays of the host. Operations have ended
     * when they return.
     */
    public static PeerCollectives of(HostShmem shmem, CpuOptions options) {
        nonNull(shmem, "PeerCollectives.of", "shmem");
        nonNull(options, "PeerCollectives.of", "options");
        if (shmem.nPes() > PeerPointers.MAX) {
            throw new UnsupportedOperationException(
                    shmem.nPes() + " PEs; collectives over peer pointers are for " + PeerPointers.MAX + " at most");
        }
        return new PeerCollectives(new CpuPeers(shmem, options), shmem.timeout());
    }

    public int myPe() {
        return machine.myPe;
    }

    public int nPes() {
        return machine.nPes;
    }

    /** How long a kernel waits for another PE; that of the PEs, else a minute. */
    public synchronized Duration timeout() {
        return timeout;
    }

    /**
     * Sets how long kernels that have not begun yet wait for another PE; {@link Duration#ZERO}: for good. Waits for
     * what is under way.
     */
    public synchronized void timeout(Duration timeout) {
        machine.limit(Arguments.timeoutNanos(timeout, "timeout"));
        this.timeout = timeout;
    }

    /** From which size on calls go which way. */
    public synchronized PeerTuning tuning() {
        return machine.tuning;
    }

    /** The same on all PEs, between the same calls. */
    public synchronized void tuning(PeerTuning tuning) {
        machine.tuning = nonNull(tuning, "tuning", "tuning");
    }

    /**
     * Whether there are kernels for these elements, and for this reduction of them; null for operations without one.
     */
    public static boolean supports(DataType type, @Nullable ReduceOp op) {
        nonNull(type, "supports", "type");
        return PeerType.of(type) != null && (op == null || PeerOp.of(op) != null);
    }

    // ---- operations ----

    /** {@link #allReduce(Buffer, Buffer, ReduceOp, Algorithm, Stream)} with {@link Algorithm#AUTO}. */
    public void allReduce(Buffer destination, Buffer source, ReduceOp op, Stream stream) {
        nonNull(destination, "allReduce", "destination");
        nonNull(source, "allReduce", "source");
        nonNull(op, "allReduce", "op");
        nonNull(stream, "allReduce", "stream");
        allReduce(destination, source, op, Algorithm.AUTO, stream);
    }

    /**
     * Combines the sources of all PEs, element by element, and gives all PEs the result. Ordered on {@code stream}.
     *
     * @param destination of the type and count of {@code source}; {@code source} itself for in place
     */
    public synchronized void allReduce(
            Buffer destination, Buffer source, ReduceOp op, Algorithm algorithm, Stream stream) {
        nonNull(destination, "allReduce", "destination");
        nonNull(source, "allReduce", "source");
        nonNull(op, "allReduce", "op");
        nonNull(algorithm, "allReduce", "algorithm");
        nonNull(stream, "allReduce", "stream");
        reduceAll(destination, source, op, algorithm, stream);
    }

    /** {@link #allReduce(Buffer, Buffer, ReduceOp, Stream)}, waited for. */
    public void allReduce(Buffer destination, Buffer source, ReduceOp op) {
        nonNull(destination, "allReduce", "destination");
        nonNull(source, "allReduce", "source");
        nonNull(op, "allReduce", "op");
        allReduce(destination, source, op, Algorithm.AUTO);
    }

    /** {@link #allReduce(Buffer, Buffer, ReduceOp, Algorithm, Stream)}, waited for. */
    public synchronized void allReduce(Buffer destination, Buffer source, ReduceOp op, Algorithm algorithm) {
        nonNull(destination, "allReduce", "destination");
        nonNull(source, "allReduce", "source");
        nonNull(op, "allReduce", "op");
        nonNull(algorithm, "allReduce", "algorithm");
        reduceAll(destination, source, op, algorithm, null);
        finish("allReduce", null);
    }

    private void reduceAll(
            Buffer destination, Buffer source, ReduceOp op, Algorithm algorithm, @Nullable Stream stream) {
        String operation = "allReduce";
        begin(operation, destination, source, stream);
        PeerType type = type(operation, source);
        PeerOp with = op(operation, op, source);
        long count = source.count();
        counts(operation, destination, count, source, count);
        apart(operation, destination, source, 0, 0);
        if (count == 0) {
            return;
        }
        if (algorithm == Algorithm.AUTO) {
            algorithm = forAllReduce(type, source.byteSize());
        }
        if (algorithm != Algorithm.DIRECT) {
            if (inWords(type, source.byteSize())) {
                words(type, with, false, true, destination, source, count, stream);
            } else {
                boolean shares = algorithm == Algorithm.TWO_SHOT;
                push(type, with, shares, shares, destination, source, count, stream);
            }
            return;
        }
        Buffer from = ready(source) ? source : null;
        Buffer to = ready(destination) ? destination : null;
        long bytes = source.type().bytes();
        long piece = from == null || to == null ? machine.staging().byteSize() / bytes : count;
        for (long at = 0; at < count; at += piece) {
            long length = Math.min(piece, count - at);
            Buffer staging = from != null && to != null ? null : machine.staging();
            if (from == null) {
                machine.stage(source, at, length, true, stream);
            }
            Buffer read = from == null ? Objects.requireNonNull(staging) : part(from, at, length, count);
            Buffer write = to == null ? Objects.requireNonNull(staging) : part(to, at, length, count);
            if (staging == null && inTwo(length, bytes)) {
                scatterAndGather(type, with, write, read, length / machine.nPes, stream);
            } else {
                direct(type, with, false, true, true, write, read, length, length * bytes / machine.nPes, stream);
            }
            if (to == null) {
                machine.stage(destination, at, length, false, stream);
            }
        }
    }

    /** Only whole ones, since what is left behind equal parts would need a third kernel. */
    private boolean inTwo(long count, long bytes) {
        return count * bytes > setting(Setting.DIRECT_BYTES) && count * bytes % (16L * machine.nPes) == 0;
    }

    private void scatterAndGather(
            PeerType type, PeerOp op, Buffer destination, Buffer source, long part, @Nullable Stream stream) {
        long bytes = part * source.type().bytes();
        Buffer mine = destination.slice(machine.myPe * part, part);
        direct(type, op, true, true, true, mine, source, part, bytes, stream);
        direct(type, op, false, false, true, destination, mine, part, bytes, stream);
    }

    private static Buffer part(Buffer whole, long at, long length, long count) {
        return length == count ? whole : whole.slice(at, length);
    }

    /** {@link #reduceScatter(Buffer, Buffer, ReduceOp, Algorithm, Stream)} with {@link Algorithm#AUTO}. */
    public void reduceScatter(Buffer destination, Buffer source, ReduceOp op, Stream stream) {
        nonNull(destination, "reduceScatter", "destination");
        nonNull(source, "reduceScatter", "source");
        nonNull(op, "reduceScatter", "op");
        nonNull(stream, "reduceScatter", "stream");
        reduceScatter(destination, source, op, Algorithm.AUTO, stream);
    }

    /**
     * Combines the sources of all PEs, element by element, and gives each PE its part: PE p the p-th. Ordered on {@code
     * stream}.
     *
     * @param destination one part; in place it is this PE's part of {@code source}
     * @param source a part for each PE; symmetric for {@link Algorithm#DIRECT}, or that is {@link Algorithm#ONE_SHOT}
     */
    public synchronized void reduceScatter(
            Buffer destination, Buffer source, ReduceOp op, Algorithm algorithm, Stream stream) {
        nonNull(destination, "reduceScatter", "destination");
        nonNull(source, "reduceScatter", "source");
        nonNull(op, "reduceScatter", "op");
        nonNull(algorithm, "reduceScatter", "algorithm");
        nonNull(stream, "reduceScatter", "stream");
        run("reduceScatter", true, destination, source, op, algorithm, stream);
    }

    /** {@link #reduceScatter(Buffer, Buffer, ReduceOp, Algorithm, Stream)}, waited for. */
    public synchronized void reduceScatter(Buffer destination, Buffer source, ReduceOp op, Algorithm algorithm) {
        nonNull(destination, "reduceScatter", "destination");
        nonNull(source, "reduceScatter", "source");
        nonNull(op, "reduceScatter", "op");
        nonNull(algorithm, "reduceScatter", "algorithm");
        run("reduceScatter", true, destination, source, op, algorithm, null);
        finish("reduceScatter", null);
    }

    /** {@link #allGather(Buffer, Buffer, Algorithm, Stream)} with {@link Algorithm#AUTO}. */
    public void allGather(Buffer destination, Buffer source, Stream stream) {
        nonNull(destination, "allGather", "destination");
        nonNull(source, "allGather", "source");
        nonNull(stream, "allGather", "stream");
        allGather(destination, source, Algorithm.AUTO, stream);
    }

    /**
     * Gives all PEs the sources of all, one behind the other in their order. Ordered on {@code stream}.
     *
     * @param destination a part for each PE; symmetric for {@link Algorithm#DIRECT}, or that is {@link
     *     Algorithm#ONE_SHOT}
     * @param source one part; in place it is this PE's part of {@code destination}
     */
    public synchronized void allGather(Buffer destination, Buffer source, Algorithm algorithm, Stream stream) {
        nonNull(destination, "allGather", "destination");
        nonNull(source, "allGather", "source");
        nonNull(algorithm, "allGather", "algorithm");
        nonNull(stream, "allGather", "stream");
        run("allGather", false, destination, source, null, algorithm, stream);
    }

    /** {@link #allGather(Buffer, Buffer, Algorithm, Stream)}, waited for. */
    public synchronized void allGather(Buffer destination, Buffer source, Algorithm algorithm) {
        nonNull(destination, "allGather", "destination");
        nonNull(source, "allGather", "source");
        nonNull(algorithm, "allGather", "algorithm");
        run("allGather", false, destination, source, null, algorithm, null);
        finish("allGather", null);
    }

    /** {@link #allToAll(Buffer, Buffer, Algorithm, Stream)} with {@link Algorithm#AUTO}. */
    public void allToAll(Buffer destination, Buffer source, Stream stream) {
        nonNull(destination, "allToAll", "destination");
        nonNull(source, "allToAll", "source");
        nonNull(stream, "allToAll", "stream");
        allToAll(destination, source, Algorithm.AUTO, stream);
    }

    /**
     * Gives each PE a part of each PE's source: PE p the p-th part of each, one behind the other in their order.
     * Ordered on {@code stream}.
     *
     * @param destination of the count of {@code source}, apart from it; symmetric for {@link Algorithm#DIRECT}, or that
     *     is {@link Algorithm#ONE_SHOT}
     * @param source a part for each PE
     */
    public synchronized void allToAll(Buffer destination, Buffer source, Algorithm algorithm, Stream stream) {
        nonNull(destination, "allToAll", "destination");
        nonNull(source, "allToAll", "source");
        nonNull(algorithm, "allToAll", "algorithm");
        nonNull(stream, "allToAll", "stream");
        run("allToAll", true, destination, source, null, algorithm, stream);
    }

    /** {@link #allToAll(Buffer, Buffer, Algorithm, Stream)}, waited for. */
    public synchronized void allToAll(Buffer destination, Buffer source, Algorithm algorithm) {
        nonNull(destination, "allToAll", "destination");
        nonNull(source, "allToAll", "source");
        nonNull(algorithm, "allToAll", "algorithm");
        run("allToAll", true, destination, source, null, algorithm, null);
        finish("allToAll", null);
    }

    /** What has parts. */
    private void run(
            String operation,
            boolean parts,
            Buffer destination,
            Buffer source,
            @Nullable ReduceOp op,
            Algorithm algorithm,
            @Nullable Stream stream) {
        begin(operation, destination, source, stream);
        boolean sums = op != null;
        PeerType type = type(operation, source);
        PeerOp with = op == null ? PeerOp.SUM : op(operation, op, source);
        int pes = machine.nPes;
        long part = parts ? source.count() / pes : source.count();
        counts(operation, destination, sums ? part : pes * part, source, parts ? pes * part : part);
        long bytes = part * source.type().bytes();
        apart(
                operation,
                destination,
                source,
                sums ? 0 : parts ? -1 : machine.myPe * bytes,
                sums ? machine.myPe * bytes : 0);
        if (part == 0) {
            return;
        }
        boolean pushed = sums && !inWords(type, bytes);
        boolean canBeDirect = machine.isSymmetric(sums ? source : destination);
        boolean direct = algorithm == Algorithm.AUTO
                ? bytes > (pushed ? setting(Setting.SCATTER_BYTES) : setting(Setting.MOVE_BYTES))
                : algorithm == Algorithm.DIRECT;
        if (direct && canBeDirect) {
            boolean wide = bytes % 16 == 0 && destination.address() % 16 == 0 && source.address() % 16 == 0;
            direct(type, with, parts, sums, wide, destination, source, part, bytes, stream);
        } else if (pushed) {
            push(type, with, true, false, destination, source, part, stream);
        } else {
            words(type, with, parts, sums, destination, source, part, stream);
        }
    }

    // ---- for communicators ----

    /**
     * Takes all calls that there are kernels for but those that would need several: large ones of memory that is not
     * symmetric, unless they are sums over all.
     */
    @Override
    public synchronized boolean run(
            Call.Kind kind, DeviceArray destination, DeviceArray source, @Nullable ReduceOp op, Stream stream) {
        nonNull(kind, "run", "kind");
        nonNull(destination, "run", "destination");
        nonNull(source, "run", "source");
        nonNull(stream, "run", "stream");
        if (closed || !supports(source.type(), op)) {
            return false;
        }
        switch (kind) {
            case ALL_REDUCE -> allReduce(destination, source, Objects.requireNonNull(op), stream);
            case REDUCE_SCATTER -> reduceScatter(destination, source, Objects.requireNonNull(op), stream);
            case ALL_GATHER -> {
                if (isTooLarge(source.byteSize(), destination)) {
                    return false;
                }
                allGather(destination, source, stream);
            }
            case ALL_TO_ALL -> {
                boolean apart = destination.address() + destination.byteSize() <= source.address()
                        || source.address() + source.byteSize() <= destination.address();
                if (!apart || isTooLarge(source.byteSize() / machine.nPes, destination)) {
                    return false;
                }
                allToAll(destination, source, stream);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Kernels would have to move it piece by piece. */
    private boolean isTooLarge(long part, DeviceArray destination) {
        return part > setting(Setting.MOVE_BYTES) && !machine.isSymmetric(destination);
    }

    @Override
    public void check() {
        check("communicator");
    }

    // ---- kernels of the program ----

    /**
     * What functions of {@link FusedCollectives} need of this, in kernels that the program makes with any compiler for
     * this GPU; their blocks are those of {@link #blocks}.
     */
    public PeerGroup group() {
        return machine instanceof GpuPeers gpu ? gpu.group() : ((CpuPeers) machine).group();
    }

    /**
     * The shape of a kernel that has {@code FusedCollectives} for so many elements, or rows: at least one thread for
     * two elements, as far as there are any.
     *
     * @param units the number of blocks that are of use
     * @param sharedBytes dynamic shared memory of a block
     */
    public LaunchConfig blocks(long units, int sharedBytes) {
        int blocks = Math.clamp(units, 1, machine.blocks);
        LaunchConfig config = LaunchConfig.grid(blocks).block(machine.threads).shared(sharedBytes);
        return machine instanceof GpuPeers ? config : config.cooperatively();
    }

    // ---- how ----

    private long setting(Setting setting) {
        return machine.tuning.get(setting);
    }

    private Algorithm forAllReduce(PeerType type, long bytes) {
        if (bytes <= setting(type.isFloat() ? Setting.ONE_SHOT_BYTES : Setting.MOVE_BYTES)) {
            return Algorithm.ONE_SHOT;
        }
        return bytes <= setting(Setting.TWO_SHOT_BYTES) && type.isFloat() ? Algorithm.TWO_SHOT : Algorithm.DIRECT;
    }

    /** Whether what is reduced in one shot goes in words with epochs, which any element can be. */
    private boolean inWords(PeerType type, long bytes) {
        return !type.isFloat() || bytes <= setting(Setting.WORD_BYTES);
    }

    private boolean ready(Buffer buffer) {
        return machine.isSymmetric(buffer) && buffer.address() % 16 == 0;
    }

    /** Few threads in all blocks rather than many in a few: so more of the GPU's ways to the others are used. */
    private int threads(long units, Setting most) {
        long each = (units + machine.blocks - 1) / machine.blocks;
        long least = machine.tuning.count(Setting.LEAST_THREADS);
        long threads = Math.min(Math.max(least, (each + 31) / 32 * 32), machine.tuning.count(most));
        return (int) Math.min(threads, machine.mostThreads);
    }

    private static int blocks(long units, int threads, int most) {
        return Math.clamp((units + threads - 1) / threads, 1, most);
    }

    private void words(
            PeerType type,
            PeerOp op,
            boolean parts,
            boolean sums,
            Buffer destination,
            Buffer source,
            long part,
            @Nullable Stream stream) {
        int variant = PeerVariant.number(Kind.WORDS, type, op, parts, sums, false, 1);
        // A thread sends two words a round.
        long unit = Partial.isWide(type) ? 2 : 4;
        int threads = threads((part + unit - 1) / unit, Setting.WORD_THREADS);
        long piece = unit * threads * machine.blocks * PeerSpace.ROUNDS;
        for (long at = 0; at < part; at += piece) {
            long end = Math.min(part, at + piece);
            int blocks = blocks((end - at + unit - 1) / unit, threads, machine.blocks);
            machine.words(variant, blocks, threads, destination, source, at, end, part, stream);
        }
    }

    /**
     * @param parts whether PEs reduce a share each, of {@code part} elements, or of all of those if {@code everywhere}
     * @param everywhere whether all PEs get them
     */
    private void push(
            PeerType type,
            PeerOp op,
            boolean parts,
            boolean everywhere,
            Buffer destination,
            Buffer source,
            long part,
            @Nullable Stream stream) {
        long bytes = source.type().bytes();
        long unit = 16 / bytes;
        boolean wide = (destination.address() | source.address()) % 16 == 0
                && (everywhere || !parts || part * bytes % 16 == 0);
        int variant = PeerVariant.number(Kind.PUSH, type, op, parts, everywhere, wide, 1);
        long ofPe = everywhere ? (part + machine.nPes - 1) / machine.nPes : part;
        int threads = threads((ofPe + unit - 1) / unit, Setting.PUSH_THREADS);
        long most = (long) machine.row / threads * threads * machine.blocks * unit;
        long piece = everywhere ? most * machine.nPes : most;
        for (long at = 0; at < part; at += piece) {
            long end = Math.min(part, at + piece);
            long units = (end - at + unit - 1) / unit;
            long length = everywhere ? (units + machine.nPes - 1) / machine.nPes * unit : end - at;
            int blocks = blocks((length + unit - 1) / unit, threads, machine.blocks);
            long share = everywhere ? length : part;
            long last = everywhere || !parts ? end : part * machine.nPes;
            machine.push(variant, blocks, threads, destination, source, at, length, last, share, stream);
        }
    }

    /** @param bytes that a PE works on */
    private void direct(
            PeerType type,
            PeerOp op,
            boolean parts,
            boolean sums,
            boolean wide,
            Buffer destination,
            Buffer source,
            long part,
            long bytes,
            @Nullable Stream stream) {
        int unroll = machine.tuning.count(Setting.DIRECT_UNROLL);
        int variant = PeerVariant.number(Kind.DIRECT, type, op, parts, sums, wide, wide ? unroll : 1);
        int threads = Math.min(machine.tuning.count(Setting.DIRECT_THREADS), machine.mostThreads);
        long work = wide ? bytes / 16 : part;
        int most = Math.min(machine.tuning.count(Setting.DIRECT_BLOCKS), machine.blocks);
        machine.direct(variant, blocks(work, threads, most), threads, destination, source, part, stream);
    }

    // ---- checks ----

    private void begin(String operation, Buffer destination, Buffer source, @Nullable Stream stream) {
        nonNull(destination, operation, "destination");
        nonNull(source, operation, "source");
        if (closed) {
            throw new IllegalStateException(operation + ": " + this + " is closed");
        }
        check(operation);
        machine.check(operation, destination, stream);
        machine.check(operation, source, stream);
        if (!destination.isAlive() || !source.isAlive()) {
            throw new IllegalStateException(
                    operation + ": " + (source.isAlive() ? destination : source) + " was freed");
        }
        if (destination.type() != source.type()) {
            throw new IllegalArgumentException(
                    operation + ": " + source + " and " + destination + " are of different types");
        }
        Stream next = stream == null ? machine.own() : stream;
        Stream before = last;
        if (next != null && next != before) {
            if (before != null && before.isOpen() && !next.isCapturing()) {
                next.await(before);
            }
            last = next;
        }
    }

    private void check(String operation) {
        int status = machine.status();
        if (status != 0) {
            throw failed(operation, status - 1);
        }
    }

    private CommException failed(String operation, int pe) {
        return machine.failure(
                operation + " on PE " + machine.myPe + " of " + machine.nPes + ": a kernel has waited " + timeout
                        + " for PE " + pe + " in vain: it must call the same operations in the same order",
                pe);
    }

    private PeerType type(String operation, Buffer buffer) {
        PeerType type = PeerType.of(buffer.type());
        if (type == null) {
            throw new UnsupportedOperationException(
                    operation + ": kernels are for FLOAT32, FLOAT16, BFLOAT16 and INT32, not for " + buffer);
        }
        return type;
    }

    private static PeerOp op(String operation, ReduceOp op, Buffer buffer) {
        PeerOp known = PeerOp.of(nonNull(op, operation, "op"));
        if (known == null) {
            throw new UnsupportedOperationException(
                    operation + ": kernels are for SUM, MIN and MAX, not for " + op + " of " + buffer);
        }
        return known;
    }

    private void counts(String operation, Buffer destination, long to, Buffer source, long from) {
        if (destination.count() != to || source.count() != from) {
            throw new IllegalArgumentException(operation + " of " + machine.nPes + " PEs: the counts of " + destination
                    + " and " + source + " do not fit each other");
        }
    }

    /** The same place, these bytes into the two, or no common one; below 0 never the same. */
    private static void apart(String operation, Buffer destination, Buffer source, long into, long intoSource) {
        long to = destination.address();
        long from = source.address();
        boolean inPlace = into >= 0 && to + into == from + intoSource;
        boolean apart = to + destination.byteSize() <= from || from + source.byteSize() <= to;
        if (!inPlace && !apart) {
            throw new IllegalArgumentException(operation + ": " + destination + " and " + source + " overlap");
        }
    }

    // ---- end ----

    /**
     * Waits for the work in {@code stream}, as {@link Nvshmem#synchronize} does.
     *
     * @throws org.comm4j.core.RankFailedException if a kernel has given up because a PE died
     * @throws org.comm4j.core.CommTimeoutException if a kernel has given up and no PE died
     */
    public void synchronize(Stream stream) {
        nonNull(stream, "synchronize", "stream");
        finish("synchronize", stream);
    }

    private void finish(String operation, @Nullable Stream stream) {
        machine.complete(stream);
        check(operation);
    }

    PeerMachine machine() {
        return machine;
    }

    /** Collective: frees what this has on all PEs, when the streams that it was used in are done. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            machine.close();
        }
    }

    @Override
    public String toString() {
        return "PeerCollectives[PE " + machine.myPe + " of " + machine.nPes + (closed ? ", closed]" : "]");
    }
}
