// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.comm4j.bench.Settings.Registration;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.nccl.CommConfig;
import org.comm4j.nccl.CtaPolicy;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.nccl.UniqueId;
import org.comm4j.nccl.Window;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that are GPUs: one or several of a thread, whose calls go into streams. Rank numbers are those of nccl-tests:
 * the GPUs of a thread, the threads of a process and the processes in this order.
 */
public final class GpuStation extends Station {

    /** One GPU with its rank, stream and the memory of all measurements. */
    record Seat(NcclCommunicator comm, Stream stream, DeviceArray send, DeviceArray recv) {
        Device device() {
            return stream.device();
        }

        DeviceArray send(DataType type, long firstByte, long count) {
            return view(send, type, firstByte, count);
        }

        DeviceArray recv(DataType type, long firstByte, long count) {
            return view(recv, type, firstByte, count);
        }

        private DeviceArray view(DeviceArray memory, DataType type, long firstByte, long count) {
            return memory.slice(firstByte, count * type.bytes()).view(type);
        }
    }

    private final Crew crew;
    private final int thread;
    private final List<Seat> seats;
    private final int ranks;
    private final boolean speaks;
    private final Settings settings;
    private final Memory memory;

    private GpuStation(
            Crew crew, int thread, List<Seat> seats, int ranks, boolean speaks, Settings settings, Memory memory) {
        this.memory = memory;
        this.crew = crew;
        this.thread = thread;
        this.seats = seats;
        this.ranks = ranks;
        this.speaks = speaks;
        this.settings = settings;
    }

    /** How much of each GPU of a process was free from time to time. */
    private record Memory(List<Device> devices, List<long[]> free) {
        Memory(List<Device> devices) {
            this(List.copyOf(devices), new ArrayList<>());
            mark();
        }

        synchronized void mark() {
            free.add(devices.stream().mapToLong(Device::freeMemory).toArray());
        }

        /** The most that one of them lost between two marks. */
        synchronized long lost(int mark) {
            long[] before = free.get(mark);
            long[] after = free.get(mark + 1);
            return IntStream.range(0, before.length)
                    .mapToLong(i -> before[i] - after[i])
                    .max()
                    .orElse(0);
        }
    }

    /** The GPUs of this thread. */
    List<Seat> seats() {
        return seats;
    }

    @Override
    public long[] memory() {
        double ignored = crew.agree(thread, 0, ReduceOp.MAX);
        if (thread == 0) {
            memory.mark();
        }
        long[] bytes = new long[3];
        ignored = crew.agree(thread, 0, ReduceOp.MAX);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (long) crew.agree(thread, (double) memory.lost(i), ReduceOp.MAX);
        }
        return bytes;
    }

    /** How many GPUs a process of this measurement uses. */
    public static int gpusOfProcess(Settings settings) {
        return settings.issue().threads() * settings.issue().gpus();
    }

    private static int[] ordinals(World world, Settings settings) {
        int gpus = gpusOfProcess(settings);
        int first = world.localRank() * gpus;
        if (first + gpus > Cuda.deviceCount()) {
            throw new IllegalArgumentException(world.localSize() + " processes of " + gpus
                    + " GPUs each need " + world.localSize() * gpus + " GPUs, but " + Cuda.deviceCount()
                    + " are there (CUDA_VISIBLE_DEVICES decides)");
        }
        int[] ordinals = new int[gpus];
        for (int i = 0; i < gpus; i++) {
            ordinals[i] = first + i;
        }
        return ordinals;
    }

    /**
     * Collective over the processes of {@code world}: runs the same at the station of each thread.
     *
     * @param body makes, from what this process runs on, what is run
     * @return the largest result
     */
    public static int run(World world, Settings settings, Function<Platform, ToIntFunction<Station>> body) {
        int threads = settings.issue().threads();
        int[] ordinals = ordinals(world, settings);
        List<Device> devices = new ArrayList<>();
        List<NcclCommunicator> comms = new ArrayList<>();
        try (Crew crew = new Crew(world, threads)) {
            for (int ordinal : ordinals) {
                devices.add(Device.of(ordinal));
            }
            Platform platform = Platform.of(world, "nccl", "NCCL " + Nccl.version(), devices.toArray(Device[]::new));
            ToIntFunction<Station> job = body.apply(platform);
            Memory memory = new Memory(devices);
            comms.addAll(communicators(world, devices, settings));
            memory.mark();
            List<Seat> seats = seats(comms, settings);
            memory.mark();
            int gpus = settings.issue().gpus();
            // Whoever waits for a thread that failed waits in vain.
            Runnable release = () -> comms.forEach(NcclCommunicator::abort);
            return onThreads(crew, release, thread -> {
                List<Seat> mine = seats.subList(thread * gpus, (thread + 1) * gpus);
                boolean speaks = world.rank() == 0 && thread == 0;
                try (GpuStation station =
                        new GpuStation(crew, thread, mine, world.size() * ordinals.length, speaks, settings, memory)) {
                    return job.applyAsInt(station);
                }
            });
        } finally {
            comms.forEach(NcclCommunicator::close);
            devices.forEach(Device::close);
        }
    }

    private static List<NcclCommunicator> communicators(World world, List<Device> devices, Settings settings) {
        // That of nccl-tests.
        CommConfig usual = CommConfig.DEFAULT.nvlinkCentricScheduling(true);
        CtaPolicy policy = settings.issue().details().ctaPolicy();
        CommConfig config = policy == null ? usual : usual.ctaPolicy(policy);
        byte[] mine = world.rank() == 0 ? UniqueId.create().toBytes() : new byte[0];
        UniqueId id = UniqueId.of(world.exchange("bench.nccl", mine).getFirst());
        int size = world.size() * devices.size();
        int first = world.rank() * devices.size();
        // Each waits for all others.
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<NcclCommunicator>> starting = new ArrayList<>();
            for (int i = 0; i < devices.size(); i++) {
                Device device = devices.get(i);
                int rank = first + i;
                starting.add(threads.submit(
                        () -> Nccl.communicator(device, size, rank, List.of(id), config, world.timeout())));
            }
            List<NcclCommunicator> comms = new ArrayList<>();
            for (Future<NcclCommunicator> each : starting) {
                comms.add(each.get());
            }
            return comms;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommException("interrupted while communicators were made", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new CommException("no communicator", e);
        }
    }

    /**
     * Memory and streams; windows are made here, by one thread for all GPUs of the process, because that is collective.
     */
    private static List<Seat> seats(List<NcclCommunicator> comms, Settings settings) {
        Registration registration = settings.issue().registration();
        Settings.Details details = settings.issue().details();
        long widest = settings.types().stream().mapToLong(DataType::bytes).max().orElseThrow();
        // A place for each call of a group.
        long bytes = Math.max(settings.largest() * settings.issue().aggregated() + details.unaligned() * widest, 1);
        List<Seat> seats = new ArrayList<>();
        for (NcclCommunicator comm : comms) {
            Device device = comm.device();
            DeviceArray[] memory = new DeviceArray[2];
            for (int i = 0; i < memory.length; i++) {
                // From NCCL even where nothing is registered, as in nccl-tests: other memory may take another way.
                memory[i] = comm.allocate(DataType.UINT8, bytes);
                if (registration == Registration.LOCAL) {
                    comm.register(memory[i]);
                }
            }
            seats.add(new Seat(
                    comm, details.defaultStream() ? device.defaultStream() : device.newStream(), memory[0], memory[1]));
        }
        if (registration == Registration.SYMMETRIC) {
            Nccl.registerWindows(comms, seats.stream().map(Seat::send).toList(), Window.Flag.SYMMETRIC);
            Nccl.registerWindows(comms, seats.stream().map(Seat::recv).toList(), Window.Flag.SYMMETRIC);
        }
        return seats;
    }

    private static int onThreads(Crew crew, Runnable release, IntUnaryOperator body) {
        AtomicInteger worst = new AtomicInteger();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i < crew.threads(); i++) {
            int thread = i;
            threads.add(Thread.ofPlatform()
                    .name("bench " + i)
                    .start(() -> one(crew, release, body, thread, worst, failures)));
        }
        one(crew, release, body, 0, worst, failures);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommException("interrupted while the other threads were measuring", e);
            }
        }
        if (!failures.isEmpty()) {
            if (failures.getFirst() instanceof RuntimeException e) {
                throw e;
            }
            throw new CommException("a thread failed: " + failures.getFirst(), failures.getFirst());
        }
        return worst.get();
    }

    private static void one(
            Crew crew,
            Runnable release,
            IntUnaryOperator body,
            int thread,
            AtomicInteger worst,
            List<Throwable> failures) {
        try {
            int code = body.applyAsInt(thread);
            worst.accumulateAndGet(code, Math::max);
        } catch (Throwable e) {
            // The first one is the cause; the others fail because of it.
            failures.add(e);
            crew.fail(e);
            release.run();
        }
    }

    @Override
    public int ranks() {
        return ranks;
    }

    @Override
    public boolean speaks() {
        return speaks;
    }

    @Override
    public @Nullable String obstacle(Operation operation) {
        if (operation.isOneSided()) {
            return "needs the engine host, not nccl";
        }
        if (operation == Operation.HYPERCUBE && settings.issue().aggregated() > 1) {
            return "has steps that need each other's results: it goes without -m";
        }
        boolean grouped = seats.size() > 1 || settings.issue().aggregated() > 1;
        return operation == Operation.BARRIER && grouped
                ? "cannot be part of a group: it goes without -g and -m"
                : operation.obstacle(ranks);
    }

    @Override
    boolean supports(Operation operation, DataType type, @Nullable ReduceOp reduction) {
        return reduction == null
                || reduction.supports(type) && seats.getFirst().comm().supports(reduction, type);
    }

    @Override
    Trial trial(
            Operation operation,
            Operation.Shape shape,
            DataType type,
            @Nullable ReduceOp reduction,
            int root,
            boolean inPlace) {
        return new GpuTrial(seats, this::meet, settings, operation, shape, type, reduction, root, inPlace);
    }

    @Override
    void meet() {
        double ignored = crew.agree(thread, 0, ReduceOp.MAX);
    }

    @Override
    void rest() {
        meet();
    }

    @Override
    double agree(double value, ReduceOp op) {
        return crew.agree(thread, value, op);
    }

    @Override
    boolean copiesPlainly() {
        return false;
    }

    @Override
    void copyPlainly(long bytes, long times) {
        throw new AssertionError("plain copies say nothing about the memory of GPUs");
    }

    /** Does nothing: what a failure leaves in the streams must not be waited for, and there is nothing else. */
    @Override
    public void close() {}
}
