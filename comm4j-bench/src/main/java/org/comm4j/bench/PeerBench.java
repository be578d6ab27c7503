// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.Stream;
import org.comm4j.device.PeerCollectives;
import org.comm4j.device.PeerCollectives.Algorithm;
import org.comm4j.device.PeerTuning;
import org.comm4j.device.PeerTuning.Setting;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.nccl.Window;
import org.comm4j.nvshmem.Nvshmem;
import org.jspecify.annotations.Nullable;

/**
 * {@link PeerCollectives} beside NCCL, with and without symmetric windows, in turn in the same processes: one for each
 * GPU.
 */
public final class PeerBench {
    /** Columns of {@link Job#ways} that are measured by default. */
    public static final List<String> WAYS =
            List.of("nccl", "nccl-r2", "one-shot/to=2M", "two-shot/to=32M", "direct", "auto");

    /** Calls of a captured graph. */
    private static final int GRAPH_CALLS = 20;

    /**
     * What to measure.
     *
     * @param operations of {@link Operation#ALL_REDUCE}, {@link Operation#REDUCE_SCATTER}, {@link
     *     Operation#ALL_GATHER}, {@link Operation#ALL_TO_ALL}
     * @param sizes in bytes, of the larger buffer of a rank
     * @param graph whether calls are those of a captured graph
     * @param rounds of all ways; the least of a way counts
     * @param ways the columns: {@code nccl}, {@code nccl-r2} (with symmetric windows), an {@link Algorithm} with
     *     hyphens; each may be followed by settings of {@link PeerTuning} and the smallest and largest size that it
     *     takes, {@code two-shot/push-threads=512/to=8M}, by {@code on=} and operations, by {@code type=}, and by
     *     {@code graph}
     */
    public record Job(
            List<Operation> operations, List<Long> sizes, DataType type, boolean graph, int rounds, List<String> ways) {
        public Job {
            ways = List.copyOf(ways);
            ways.forEach(way -> Way.parse(way, type, graph));
            operations = List.copyOf(operations);
            sizes = List.copyOf(sizes);
            if (operations.isEmpty() || sizes.isEmpty() || ways.isEmpty()) {
                throw new IllegalArgumentException("nothing to measure: no operation, no size or no way");
            }
            if (rounds < 1) {
                throw new IllegalArgumentException(rounds + " rounds: at least 1 is needed");
            }
        }
    }

    /** What is measured beside each other. */
    private enum Kind {
        NCCL,
        NCCL_SYMMETRIC,
        PEERS
    }

    /**
     * A column.
     *
     * @param title as it was asked for
     * @param algorithm of PEERS
     * @param settings of PEERS that differ from the defaults
     * @param plain whether it is of the job's type, and in graphs if the job is, so that it counts in comparisons
     * @param operations that it takes; none for all
     * @param least the smallest size that it takes
     * @param most the largest
     */
    private record Way(
            String title,
            Kind kind,
            Algorithm algorithm,
            Map<Setting, Long> settings,
            boolean plain,
            DataType type,
            boolean graph,
            String operations,
            long least,
            long most) {
        static Way parse(String text, Job job) {
            return parse(text, job.type(), job.graph());
        }

        static Way parse(String text, DataType jobType, boolean jobGraph) {
            String[] words = text.split("/", -1);
            Kind kind =
                    words[0].equals("nccl") ? Kind.NCCL : words[0].equals("nccl-r2") ? Kind.NCCL_SYMMETRIC : Kind.PEERS;
            Algorithm algorithm = kind == Kind.PEERS ? algorithm(words[0]) : Algorithm.AUTO;
            Map<Setting, Long> settings = new EnumMap<>(Setting.class);
            DataType type = jobType;
            boolean graph = jobGraph;
            String operations = "";
            long least = 0;
            long most = Long.MAX_VALUE;
            for (String word : List.of(words).subList(1, words.length)) {
                String[] pair = word.split("=", 2);
                String value = pair.length == 2 ? pair[1] : "";
                switch (pair[0]) {
                    case "graph" -> graph = true;
                    case "type" -> type = PeerBench.type(value);
                    case "on" -> operations = value;
                    case "from" -> least = Sizes.parse(value);
                    case "to" -> most = Sizes.parse(value);
                    default -> settings.put(Setting.named(pair[0]), Sizes.parse(value));
                }
            }
            boolean plain = type == jobType && graph == jobGraph;
            return new Way(text, kind, algorithm, settings, plain, type, graph, operations, least, most);
        }

        private static Algorithm algorithm(String name) {
            return Arrays.stream(Algorithm.values())
                    .filter(each -> each.name().replace('_', '-').equalsIgnoreCase(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("there is no way '" + name
                            + "'; there are nccl, nccl-r2, one-shot, two-shot, direct, auto"));
        }

        boolean takes(Operation operation, long size) {
            return size >= least
                    && size <= most
                    && (operations.isEmpty()
                            || operations.contains(operation.name().toLowerCase(Locale.ROOT)));
        }
    }

    /**
     * The type of this name, if there are kernels for it.
     *
     * @throws IllegalArgumentException if not; the message lists those that there are
     */
    public static DataType type(String name) {
        List<DataType> known = Arrays.stream(DataType.values())
                .filter(type -> PeerCollectives.supports(type, ReduceOp.SUM))
                .toList();
        return known.stream()
                .filter(type -> type.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there are no kernels for type '" + name
                        + "'; there are for "
                        + known.stream()
                                .map(type -> type.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "))));
    }

    private static final Duration LIMIT = Duration.ofSeconds(5);
    /** Of large results only some elements are looked at. */
    private static final long MOST_CHECKED = 1 << 21;

    private final World world;
    private final Nvshmem shmem;
    private final PeerCollectives peers;
    private final NcclCommunicator comm;
    private final Stream stream;
    private final Job job;
    private final PrintWriter out;
    private final List<Way> ways;
    private final PeerTuning defaults;
    /** The buffers to send and to receive, of each kind. */
    private final DeviceArray[][] memory;

    private int agreements;
    /** How many elements of which type the source of each kind holds. */
    private final long[] filled = new long[Kind.values().length];

    private final @Nullable DataType[] filledTypes = new DataType[Kind.values().length];

    private PeerBench(
            World world,
            Nvshmem shmem,
            PeerCollectives peers,
            NcclCommunicator comm,
            Stream stream,
            Job job,
            PrintWriter out,
            DeviceArray[][] memory) {
        this.world = world;
        this.shmem = shmem;
        this.peers = peers;
        this.comm = comm;
        this.stream = stream;
        this.job = job;
        this.out = out;
        this.memory = memory;
        this.ways = job.ways().stream().map(way -> Way.parse(way, job)).toList();
        this.defaults = peers.tuning();
        peers.timeout(LIMIT);
    }

    /** Collective over the processes of {@code world}; 1 if a result was wrong, else 0. */
    public static int run(World world, Job job, PrintWriter out) {
        long bytes = job.sizes().stream().mapToLong(Long::longValue).max().orElse(0);
        try (Device device = Device.of(world.localRank());
                Stream stream = device.newStream();
                Nvshmem shmem = Nvshmem.init(world, device);
                PeerCollectives peers = PeerCollectives.of(shmem);
                NcclCommunicator comm = Nccl.communicator(world, device)) {
            DeviceArray send = shmem.allocate(DataType.UINT8, bytes, 256);
            DeviceArray recv = shmem.allocate(DataType.UINT8, bytes, 256);
            DeviceArray[] windows = {comm.allocate(DataType.UINT8, bytes), comm.allocate(DataType.UINT8, bytes)};
            DeviceArray[] plain = {comm.allocate(DataType.UINT8, bytes), comm.allocate(DataType.UINT8, bytes)};
            for (DeviceArray each : windows) {
                List<Window> ignored = Nccl.registerWindows(List.of(comm), List.of(each), Window.Flag.SYMMETRIC);
            }
            DeviceArray[] symmetric = {send, recv};
            DeviceArray[][] memory = {plain, windows, symmetric};
            int code = new PeerBench(world, shmem, peers, comm, stream, job, out, memory).measure();
            shmem.barrierAll();
            recv.close();
            send.close();
            return code;
        }
    }

    private int measure() {
        say("# " + world.size() + " GPUs, NCCL " + Nccl.version() + ", NVSHMEM " + Nvshmem.version() + ", " + job.type()
                + (job.graph() ? ", graphs of " + GRAPH_CALLS + " calls" : "") + "; microseconds, the least of "
                + job.rounds()
                + " rounds; last columns: auto, and the best of comm4j's ways, by the faster one of NCCL");
        for (int i = 0; i < ways.size(); i++) {
            say("# " + (i + 1) + ": " + ways.get(i).title);
        }
        boolean wrong = false;
        for (Operation operation : job.operations()) {
            say(String.format("%-16s%12s", operation.name().toLowerCase(Locale.ROOT), "bytes")
                    + IntStream.range(0, ways.size())
                            .mapToObj(i -> String.format(
                                    "%10s", ways.get(i).title.length() < 10 ? ways.get(i).title : "#" + (i + 1)))
                            .collect(Collectors.joining())
                    + String.format("%9s%9s%8s", "auto", "best", "wrong"));
            for (long size : job.sizes()) {
                wrong |= !row(operation, size);
            }
        }
        say(issueCost());
        return wrong ? 1 : 0;
    }

    private void say(String line) {
        if (world.rank() == 0) {
            out.println(line);
            out.flush();
        }
    }

    /** Elements of a rank's part. */
    private long part(Way way, Operation operation, long size) {
        long all = size / way.type.bytes();
        return operation == Operation.ALL_REDUCE ? all : all / world.size();
    }

    private boolean row(Operation operation, long size) {
        if (ways.stream().anyMatch(way -> part(way, operation, size) == 0)) {
            return true;
        }
        double[] times = new double[ways.size()];
        Arrays.fill(times, Double.POSITIVE_INFINITY);
        long wrong = 0;
        for (Way way : ways) {
            if (way.takes(operation, size)) {
                wrong += check(way, operation, part(way, operation, size));
            }
        }
        for (int round = 0; round < job.rounds(); round++) {
            for (Way way : ways) {
                int column = ways.indexOf(way);
                if (way.takes(operation, size)) {
                    times[column] = Math.min(times[column], time(way, operation, part(way, operation, size), size));
                }
            }
        }
        double[] slowest = largest(times);
        double bad = largest(new double[] {wrong})[0];
        double nccl = least(slowest, way -> way.plain && way.kind != Kind.PEERS);
        double best = least(slowest, way -> way.plain && way.kind == Kind.PEERS);
        double auto = least(slowest, way -> way.title.equals("auto"));
        say(String.format(Locale.ROOT, "%-16s%12d", "", size)
                + Arrays.stream(slowest)
                        .mapToObj(time -> Double.isInfinite(time)
                                ? String.format("%10s", "-")
                                : String.format(Locale.ROOT, "%10.2f", time))
                        .collect(Collectors.joining())
                + String.format(Locale.ROOT, "%9.2f%9.2f%8.0f", auto / nccl, best / nccl, bad));
        return bad == 0;
    }

    private double least(double[] times, Predicate<Way> which) {
        return IntStream.range(0, times.length)
                .filter(i -> which.test(ways.get(i)))
                .mapToDouble(i -> times[i])
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    private DeviceArray buffer(Way way, boolean isSource, Operation operation, long part) {
        boolean whole = operation == Operation.ALL_TO_ALL
                || operation == (isSource ? Operation.REDUCE_SCATTER : Operation.ALL_GATHER);
        DeviceArray memoryOf = memory[way.kind.ordinal()][isSource ? 0 : 1];
        long count = whole ? part * world.size() : part;
        return memoryOf.slice(0, count * way.type.bytes()).view(way.type);
    }

    /** One call on this GPU's stream. */
    private Runnable call(Way way, Operation operation, long part) {
        Buffer send = buffer(way, true, operation, part);
        Buffer recv = buffer(way, false, operation, part);
        if (way.kind != Kind.PEERS) {
            return switch (operation) {
                case ALL_REDUCE -> () -> comm.allReduce(send, recv, ReduceOp.SUM, stream);
                case REDUCE_SCATTER -> () -> comm.reduceScatter(send, recv, ReduceOp.SUM, stream);
                case ALL_GATHER -> () -> comm.allGather(send, recv, stream);
                case ALL_TO_ALL -> () -> comm.allToAll(send, recv, stream);
                default -> throw new IllegalArgumentException(operation + " has no kernel over peer pointers");
            };
        }
        PeerTuning tuning = defaults;
        for (Map.Entry<Setting, Long> each : way.settings.entrySet()) {
            tuning = tuning.with(each.getKey(), each.getValue());
        }
        peers.tuning(tuning);
        Algorithm algorithm = way.algorithm;
        return switch (operation) {
            case ALL_REDUCE -> () -> peers.allReduce(recv, send, ReduceOp.SUM, algorithm, stream);
            case REDUCE_SCATTER -> () -> peers.reduceScatter(recv, send, ReduceOp.SUM, algorithm, stream);
            case ALL_GATHER -> () -> peers.allGather(recv, send, algorithm, stream);
            case ALL_TO_ALL -> () -> peers.allToAll(recv, send, algorithm, stream);
            default -> throw new IllegalArgumentException(operation + " has no kernel over peer pointers");
        };
    }

    private void complete() {
        peers.synchronize(stream);
    }

    /**
     * Small numbers, so that sums are exact in any type; how many elements of the result are not what they should be.
     */
    private long check(Way way, Operation operation, long part) {
        int ranks = world.size();
        DeviceArray send = buffer(way, true, operation, part);
        DeviceArray recv = buffer(way, false, operation, part);
        int of = way.kind.ordinal();
        if (filledTypes[of] != way.type || filled[of] < send.count()) {
            HostArray mine = HostArray.allocate(way.type, send.count());
            for (long i = 0; i < mine.count(); i++) {
                mine.setDouble(i, (double) (world.rank() + 1 + i % 5));
            }
            send.copyFrom(mine);
            filledTypes[of] = way.type;
            filled[of] = send.count();
        }
        recv.fill(-1);
        shmem.barrierAll();
        call(way, operation, part).run();
        complete();
        shmem.barrierAll();
        HostArray found = recv.toHost();
        long wrong = 0;
        // An odd step: all kinds of places, and the bench is not there to count.
        long step = found.count() / MOST_CHECKED | 1;
        for (long i = 0; i < found.count(); i += step) {
            long expected = switch (operation) {
                case ALL_REDUCE -> ranks * (ranks + 1L) / 2 + ranks * (i % 5);
                case REDUCE_SCATTER -> ranks * (ranks + 1L) / 2 + ranks * ((world.rank() * part + i) % 5);
                case ALL_GATHER -> i / part + 1 + i % part % 5;
                default -> i / part + 1 + (world.rank() * part + i % part) % 5;
            };
            wrong += (long) found.getDouble(i) == expected ? 0 : 1;
        }
        return wrong;
    }

    private double time(Way way, Operation operation, long part, long size) {
        Runnable call = call(way, operation, part);
        int calls = size <= 1 << 20 ? 200 : size <= 4 << 20 ? 100 : size <= 16 << 20 ? 40 : 20;
        if (!way.graph) {
            return time(call, calls, calls);
        }
        try (Graph graph = Graph.capture(stream, () -> repeat(call, GRAPH_CALLS));
                GraphExec exec = graph.instantiate()) {
            int launches = Math.max(1, calls / GRAPH_CALLS);
            return time(() -> exec.launch(stream), launches, launches * GRAPH_CALLS);
        }
    }

    private static void repeat(Runnable call, int times) {
        for (int i = 0; i < times; i++) {
            call.run();
        }
    }

    private double time(Runnable call, int times, int calls) {
        repeat(call, Math.max(1, times / 4));
        complete();
        shmem.barrierAll();
        long start = System.nanoTime();
        repeat(call, times);
        complete();
        return (System.nanoTime() - start) / 1e3 / calls;
    }

    /** What a call costs the host, with nothing waited for. */
    private String issueCost() {
        List<String> costs = new ArrayList<>();
        for (Way way : List.of(Way.parse("nccl", job), Way.parse("auto", job))) {
            Runnable call = call(way, Operation.ALL_REDUCE, 64);
            double least = Double.POSITIVE_INFINITY;
            for (int round = 0; round < 20; round++) {
                complete();
                shmem.barrierAll();
                long start = System.nanoTime();
                repeat(call, 100);
                least = Math.min(least, (System.nanoTime() - start) / 1e3 / 100);
                complete();
            }
            costs.add(String.format(Locale.ROOT, "%s %.2f", way.title, largest(new double[] {least})[0]));
        }
        return "# host time of an all_reduce of 256 bytes: " + String.join(", ", costs);
    }

    private double[] largest(double[] mine) {
        String text = Arrays.stream(mine).mapToObj(Double::toString).collect(Collectors.joining(" "));
        double[] all = mine.clone();
        for (byte[] each : world.exchange("peers." + agreements++, text.getBytes(StandardCharsets.UTF_8))) {
            String[] words = new String(each, StandardCharsets.UTF_8).split(" ", -1);
            for (int i = 0; i < all.length; i++) {
                all[i] = Math.max(all[i], Double.parseDouble(words[i]));
            }
        }
        return all;
    }
}
