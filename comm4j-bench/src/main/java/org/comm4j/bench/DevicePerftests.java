// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.comm4j.bench.DevicePerftest.Kind;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.nvshmem.Nvshmem;

/**
 * Runs NVSHMEM's device perftests with kernels in Java, each with the launches, waits and clocks of its C++ program:
 * what a row shows is PE 0's time of a launch, divided by what the kernel did in it. Afterwards each size is done once
 * more, with data whose result is known. On the CPU the same kernels run with the embedded engine.
 */
public final class DevicePerftests {
    /** The least number of launches that do nothing, so that the thread is awake. */
    private static final int WAKING = 20;

    /** What is done at once for checks. */
    private static final int CHECKED_TIMES = 3;

    private static final int ATOMIC_WARMUP = 50;

    /** Where kernels are kept; see {@link KernelCompiler}. */
    private final DevicePe pe;

    private final DeviceSettings settings;
    private final Agreement agreement;

    private final HostCosts hostCosts;
    /** What puts send from, collectives' source. */
    private final Buffer near;
    /** Collectives' destination. */
    private final Buffer far;

    private final Buffer signal;

    private DevicePerftests(DevicePe pe, DeviceSettings settings, Agreement agreement, HostCosts hostCosts) {
        this.pe = pe;
        this.settings = settings;
        this.agreement = agreement;
        this.hostCosts = hostCosts;
        long bytes = settings.largest(pe.nPes);
        this.near = pe.allocate(bytes);
        this.far = pe.allocate(bytes);
        this.signal = pe.allocate(Long.BYTES);
    }

    /**
     * Collective over the processes of {@code world}: runs the tests.
     *
     * @param onGpus whether each is a PE on a GPU, with NVSHMEM; else on the CPU, with the embedded engine
     * @param consumer gets, from what all run on, what gets each row as soon as there is one; rows are those of PE 0,
     *     and the others get none
     * @return all rows; none but on PE 0
     * @throws IllegalArgumentException if there are too few PEs, or too many
     */
    public static List<Row> run(
            World world, DeviceSettings settings, boolean onGpus, Function<Platform, Consumer<Row>> consumer) {
        check(settings, world.size());
        long needed = 2 * settings.largest(world.size()) + NvshmemCase.SPARE;
        if (!onGpus) {
            try (HostShmem shmem = HostShmem.init(world, needed)) {
                return run(
                        world, settings, consumer.apply(Platform.of(world, "host")), () -> new DevicePe.OnCpu(shmem));
            }
        }
        try (Device device = Device.inTurn(world.localRank())) {
            Platform platform = Platform.of(world, "nvshmem", "NVSHMEM " + Nvshmem.version(), device);
            Consumer<Row> each = consumer.apply(platform);
            device.makeCurrent();
            try (Nvshmem shmem = Nvshmem.init(world, device, NvshmemCase.heap(needed))) {
                return run(world, settings, each, () -> new DevicePe.OnGpu(shmem));
            }
        }
    }

    private static List<Row> run(
            World world, DeviceSettings settings, Consumer<Row> consumer, Supplier<DevicePe> open) {
        List<Row> rows = new ArrayList<>();
        long begin = System.nanoTime();
        try (DevicePe pe = open.get()) {
            double opened = (System.nanoTime() - begin) / 1e3;
            Buffer word = pe.allocate(Long.BYTES);
            Agreement agreement = new Agreement(world, "bench.device");
            HostCosts costs = new HostCosts(pe, settings.cases(), opened, word, agreement);
            DevicePerftests tests = new DevicePerftests(pe, settings, agreement, costs);
            for (DeviceCase test : settings.cases()) {
                tests.measure(test, row -> {
                    if (world.rank() == 0) {
                        rows.add(row);
                        consumer.accept(row);
                    }
                });
            }
            tests.close();
            DevicePe.free(word);
        }
        return Collections.unmodifiableList(rows);
    }

    /**
     * Whether so many PEs can run these tests.
     *
     * @throws IllegalArgumentException if not; the message says why
     */
    public static void check(DeviceSettings settings, int pes) {
        for (DeviceCase each : settings.cases()) {
            if (each.test().isOfPairs() && pes != 2 || each.test().kind() == Kind.HOST && pes < 2) {
                throw new IllegalArgumentException(each + " is for 2 PEs, not for " + pes);
            }
        }
    }

    /** Not on the way of a failure: who fails does not wait for others. */
    private void close() {
        DevicePe.free(near);
        DevicePe.free(far);
        DevicePe.free(signal);
    }

    // ---- tests ----

    private void measure(DeviceCase test, Consumer<Row> rows) {
        if (test.test().kind() == Kind.HOST) {
            rows.accept(row(test, 1, 1, DataType.UINT8, hostCosts.micros(test.test()), Row.UNCHECKED));
            return;
        }
        for (DataType type : settings.types(test.test())) {
            List<Long> counts = settings.counts(test, type, pe.nPes);
            List<Long> sizes = settings.sizes(test, type, pe.nPes);
            try (CompiledKernel kernel = kernel(pe.compiler(), test, type, settings.reduction())) {
                for (int i = 0; i < counts.size(); i++) {
                    long count = counts.get(i);
                    Duration waking = i == 0
                            ? settings.warmupTime()
                            : settings.warmupTime().dividedBy(10);
                    double micros = micros(test, type, call(kernel, test, type, count), waking);
                    long wrong = settings.checked() && isChecked(test)
                            ? check(test, type, count, call(kernel, test, type, count))
                            : Row.UNCHECKED;
                    boolean synchronization = test.test().kind() == Kind.SYNCHRONIZATION;
                    long size = synchronization ? settings.threads() : sizes.get(i);
                    rows.accept(row(test, size, synchronization ? 1 : count, type, micros, wrong));
                }
                // Nobody's code is unloaded while another one's runs.
                agreement.meet();
            }
        }
    }

    private Row row(DeviceCase test, long size, long count, DataType type, double micros, long wrong) {
        boolean collective = test.test().kind() == Kind.COLLECTIVE;
        return new Row(
                test,
                size,
                collective ? size / type.bytes() : count,
                test.test().isOfWidths() ? type : DataType.UINT8,
                test.test().reduces() ? settings.reduction() : null,
                -1,
                Row.Timing.of(test, size, pe.nPes, micros / 1e6, wrong, null),
                null,
                Double.NaN);
    }

    private boolean takesPart(DeviceCase test) {
        return switch (test.test().kind()) {
            case BANDWIDTH, LATENCY -> pe.myPe == 0 || test.both();
            default -> true;
        };
    }

    private static Group group(DeviceCase test) {
        return Objects.requireNonNullElse(test.group(), Group.BLOCK);
    }

    private static Atomic atomic(DeviceCase test) {
        return Objects.requireNonNull(test.atomic());
    }

    /** What does this test, of elements of a type. */
    static CompiledKernel kernel(KernelCompiler<?> compiler, DeviceCase test, DataType type, ReduceOp reduction) {
        boolean reads = test.test() == DevicePerftest.GET_BW
                || test.test() == DevicePerftest.GET_LATENCY
                || test.test() == DevicePerftest.G_LATENCY;
        return switch (test.test()) {
            case PUT_BW, GET_BW -> compiler.compile(DeviceKernels::move, group(test), reads);
            case ST_BW, P_BW, G_BW -> compiler.compile(DeviceKernels::moveElements, test.test(), type.bytes());
            case ATOMIC_BW -> compiler.compile(DeviceKernels::atomics, atomic(test));
            case PUT_LATENCY, GET_LATENCY -> compiler.compile(DeviceKernels::moveInOrder, group(test), reads);
            case P_LATENCY, G_LATENCY -> compiler.compile(DeviceKernels::moveElementsInOrder, reads);
            case ATOMIC_LATENCY -> compiler.compile(DeviceKernels::atomicsInOrder, atomic(test), type.bytes());
            case P_PING_PONG -> compiler.compile(PingPongKernels::elementsPingPong);
            case PUT_PING_PONG, PUT_SIGNAL_PING_PONG, PUT_ATOMIC_PING_PONG ->
                compiler.compile(PingPongKernels::putPingPong, test.test());
            case SIGNAL_PING_PONG -> compiler.compile(PingPongKernels::signalPingPong);
            case FLAG_PING_PONG -> compiler.compile(PingPongKernels::flagPingPong);
            case ATOMIC_PING_PONG -> compiler.compile(PingPongKernels::atomicPingPong, atomic(test), type.bytes());
            case BARRIER, BARRIER_ALL, SYNC, SYNC_ALL ->
                compiler.compile(DeviceKernels::synchronize, test.test(), group(test));
            case BROADCAST, FCOLLECT, ALL_TO_ALL, REDUCTION, REDUCE_SCATTER ->
                compiler.compile(DeviceKernels::collective, test.test(), group(test), type.bytes(), reduction);
            case FIRST_CALL,
                    FIRST_KERNEL,
                    FIRST_COMPILE,
                    FIRST_LAUNCH,
                    UNIT,
                    COMPILE,
                    COMPILE_CACHED,
                    LAUNCH,
                    BARE_LAUNCH -> throw new AssertionError(test);
        };
    }

    private DevicePe.Repeated call(CompiledKernel kernel, DeviceCase test, DataType type, long count) {
        LaunchConfig config = config(test);
        Buffer flag = pe.view(signal, DataType.INT64, 1);
        return switch (test.test()) {
            case PUT_BW, GET_BW, ATOMIC_BW, PUT_LATENCY, GET_LATENCY, P_LATENCY, G_LATENCY ->
                pe.repeated(kernel, config, elements(type, count), count);
            case ST_BW, P_BW, G_BW -> pe.repeated(kernel, config, bytes(near, type, count), count);
            case ATOMIC_LATENCY, ATOMIC_PING_PONG -> pe.repeated(kernel, config, bytes(near, DataType.INT64, 1));
            case P_PING_PONG, PUT_PING_PONG, PUT_SIGNAL_PING_PONG, PUT_ATOMIC_PING_PONG ->
                pe.repeated(kernel, config, elements(type, count), flag, count);
            case SIGNAL_PING_PONG, FLAG_PING_PONG -> pe.repeated(kernel, config, flag);
            case BARRIER, BARRIER_ALL, SYNC, SYNC_ALL -> pe.repeated(kernel, config);
            case BROADCAST, FCOLLECT, ALL_TO_ALL, REDUCTION, REDUCE_SCATTER -> {
                Operation.Shape shape = shape(test.test(), count);
                yield pe.repeated(
                        kernel, config, bytes(far, type, shape.recv()), bytes(near, type, shape.send()), count);
            }
            case FIRST_CALL,
                    FIRST_KERNEL,
                    FIRST_COMPILE,
                    FIRST_LAUNCH,
                    UNIT,
                    COMPILE,
                    COMPILE_CACHED,
                    LAUNCH,
                    BARE_LAUNCH -> throw new AssertionError(test);
        };
    }

    /** There is one at least, also where none is moved. */
    private Buffer elements(DataType type, long count) {
        return pe.view(near, type, Math.max(1, count));
    }

    private Buffer bytes(Buffer memory, DataType type, long count) {
        return pe.view(memory, DataType.INT8, Math.max(1, count) * type.bytes());
    }

    private LaunchConfig config(DeviceCase test) {
        if (test.test().kind() == Kind.BANDWIDTH) {
            return LaunchConfig.grid(settings.blocks())
                    .block(settings.threads())
                    .cooperatively();
        }
        int threads = switch (test.test()) {
            case P_LATENCY, G_LATENCY, P_PING_PONG -> settings.threads();
            default ->
                switch (test.group()) {
                    case null -> 1;
                    case THREAD -> 1;
                    case WARP -> 32;
                    case BLOCK -> settings.threads();
                };
        };
        LaunchConfig one = LaunchConfig.grid(1).block(threads);
        // As kernels are that wait for signals.
        return test.test() == DevicePerftest.FLAG_PING_PONG ? one.cooperatively() : one;
    }

    /** Of the buffers for parts of {@code count} elements, or of so many in all where there are no parts. */
    private Operation.Shape shape(DevicePerftest test, long count) {
        long all = count * pe.nPes;
        return switch (test) {
            case ALL_TO_ALL -> new Operation.Shape(all, all, count);
            case FCOLLECT -> new Operation.Shape(count, all, count);
            case REDUCE_SCATTER -> new Operation.Shape(all, count, count);
            default -> new Operation.Shape(count, count, count);
        };
    }

    // ---- time ----

    private int iterations(DeviceCase test, DataType type) {
        return isOfOneAtomic(test) ? atomic(test).iterations(type.bytes()) : settings.iterations();
    }

    private static boolean isOfOneAtomic(DeviceCase test) {
        return test.test() == DevicePerftest.ATOMIC_LATENCY || test.test() == DevicePerftest.ATOMIC_PING_PONG;
    }

    /** Of PE 0; of both together where both send. */
    private double micros(DeviceCase test, DataType type, DevicePe.Repeated call, Duration waking) {
        int iterations = iterations(test, type);
        int warmup = isOfOneAtomic(test) ? Math.min(ATOMIC_WARMUP, iterations) : settings.warmup();
        begin(test);
        if (takesPart(test)) {
            wake(call, waking);
            call.issue(warmup);
            pe.complete();
        }
        begin(test);
        double micros = takesPart(test) ? call.micros(iterations) : Double.POSITIVE_INFINITY;
        pe.barrier();
        return test.both() ? 1 / agreement.of(1 / micros, ReduceOp.SUM) : micros;
    }

    private static void wake(DevicePe.Repeated call, Duration time) {
        long begin = System.nanoTime();
        for (int i = 0; i < WAKING || System.nanoTime() - begin < time.toNanos(); i++) {
            double ignored = call.micros(0);
        }
    }

    /** Sets what PEs wait for, and meets them. */
    private void begin(DeviceCase test) {
        pe.barrier();
        if (test.test().kind() == Kind.PING_PONG) {
            pe.view(signal, DataType.INT64, 1).fill(0);
        }
        if (isOfOneAtomic(test)) {
            pe.view(near, DataType.INT64, 1).fill((double) atomic(test).begin());
        }
        pe.barrier();
    }

    // ---- check ----

    private static boolean isChecked(DeviceCase test) {
        return switch (test.test().kind()) {
            case BANDWIDTH, LATENCY -> !test.both();
            case PING_PONG ->
                test.test() != DevicePerftest.SIGNAL_PING_PONG && test.test() != DevicePerftest.FLAG_PING_PONG;
            case COLLECTIVE -> true;
            default -> false;
        };
    }

    /**
     * Elements of all PEs that are not what they must be after one more call, or three where that makes a difference.
     */
    private long check(DeviceCase test, DataType type, long count, DevicePe.Repeated call) {
        begin(test);
        long wrong = test.test().kind() == Kind.COLLECTIVE
                ? checkCollective(test, type, count, call)
                : test.test().isAtomic() ? checkAtomics(test, type, count, call) : checkMoved(test, type, count, call);
        return (long) agreement.of((double) wrong, ReduceOp.SUM);
    }

    private void once(DeviceCase test, int times, DevicePe.Repeated call) {
        pe.barrier();
        if (takesPart(test)) {
            call.issue(times);
            pe.complete();
        }
        pe.barrier();
    }

    private long checkCollective(DeviceCase test, DataType type, long count, DevicePe.Repeated call) {
        Operation.Shape shape = shape(test.test(), count);
        RankCall expected = new RankCall(
                Objects.requireNonNull(test.test().operation()),
                shape,
                type,
                test.test().reduces() ? settings.reduction() : null,
                0,
                pe.myPe,
                pe.nPes);
        RankCall.Pair buffers = new RankCall.Pair(pe.view(near, type, shape.send()), pe.view(far, type, shape.recv()));
        expected.prepare(buffers);
        once(test, 1, call);
        return expected.wrong(buffers);
    }

    private long checkAtomics(DeviceCase test, DataType type, long count, DevicePe.Repeated call) {
        Atomic op = atomic(test);
        Buffer words = pe.view(near, type, Math.max(1, count));
        words.fill((double) op.begin());
        once(test, CHECKED_TIMES, call);
        boolean changed = pe.myPe == 1 || test.test() == DevicePerftest.ATOMIC_PING_PONG;
        long expected = changed && count > 0 ? DeviceKernels.after(op, CHECKED_TIMES - 1) : op.begin();
        long wrong = 0;
        HostArray found = words.toHost();
        for (long i = 0; i < found.count(); i++) {
            wrong += found.getLong(i) == expected ? 0 : 1;
        }
        return wrong;
    }

    /** What PE 0 has goes to PE 1, and back in a ping-pong; or what PE 1 has is read. */
    private long checkMoved(DeviceCase test, DataType type, long count, DevicePe.Repeated call) {
        int from = switch (test.test()) {
            case GET_BW, G_BW, GET_LATENCY, G_LATENCY -> 1;
            default -> 0;
        };
        Pattern pattern = new Pattern(DataType.UINT8, null, pe.nPes);
        Buffer memory = pe.view(near, DataType.UINT8, Math.max(1, count) * type.bytes());
        try (Arena arena = Arena.ofConfined()) {
            HostArray data = HostArray.allocate(arena, DataType.UINT8, memory.count());
            pattern.fill(data, from, 0);
            RankCall.poison(memory);
            if (pe.myPe == from) {
                memory.copyFrom(data);
            }
            once(test, 1, call);
            memory.copyTo(data);
            long wrong = 0;
            // Blocks have equal shares, and groups equal parts of them; what remains is not moved.
            int blocks = test.test() == DevicePerftest.PUT_BW || test.test() == DevicePerftest.GET_BW
                    ? settings.blocks()
                    : 1;
            int groups = switch (group(test)) {
                case THREAD -> settings.threads();
                case WARP -> settings.threads() / 32;
                case BLOCK -> 1;
            };
            long share = count / blocks;
            long moved = test.test().isBandwidth() ? share / groups * groups : share;
            for (int block = 0; block < blocks; block++) {
                long first = block * share * type.bytes();
                wrong += pattern.wrongMoved(data.slice(first, moved * type.bytes()), from, first);
            }
            return wrong;
        }
    }
}
