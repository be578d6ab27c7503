// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.comm4j.bench.GpuStation.Seat;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.nccl.LibNccl;

/**
 * NCCL's collectives called by comm4j and by loops in C, in one process, with the same communicators, streams and
 * buffers, in turn every few milliseconds: what differs between two processes, and from second to second, differs for
 * neither. {@code dev/compare-nccl-calls} runs it.
 *
 * <p>Arguments: the library of {@code nccl-calls.c}, {@code group} or {@code threads} (which is also for a process
 * each), the number of GPUs of a process, 0 to 2 for how buffers are registered, pairs of blocks, and how many calls a
 * block has.
 */
@SuppressWarnings("restricted") // calls C of its own
final class CallsBesideC {
    private static final List<Operation> OPERATIONS = List.of(
            Operation.ALL_REDUCE,
            Operation.REDUCE,
            Operation.BROADCAST,
            Operation.ALL_GATHER,
            Operation.REDUCE_SCATTER,
            Operation.ALL_TO_ALL,
            Operation.GATHER,
            Operation.SCATTER,
            Operation.SEND_RECV);

    private static final MemoryLayout SEAT =
            MemoryLayout.structLayout(ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);

    /** A loop of nccl-calls.c. */
    private static final MethodHandle LOOP = Linker.nativeLinker()
            .downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));

    /** Blocks of an operation before the first that counts, so that its calls are compiled. */
    private static final int WARMUP = 500;

    private final GpuStation station;
    private final SymbolLookup loops;
    private final Settings settings;
    private final int blocks;
    private final List<Results.Sample> ours = new ArrayList<>();
    private final List<Results.Sample> inC = new ArrayList<>();

    private CallsBesideC(GpuStation station, SymbolLookup loops, Settings settings, int blocks) {
        this.station = station;
        this.loops = loops;
        this.settings = settings;
        this.blocks = blocks;
    }

    public static void main(String[] arguments) {
        Path library = Path.of(arguments[0]);
        boolean group = arguments[1].equals("group");
        int gpus = Integer.parseInt(arguments[2]);
        Settings.Registration registration = Settings.Registration.values()[Integer.parseInt(arguments[3])];
        int blocks = Integer.parseInt(arguments[4]);
        int calls = Integer.parseInt(arguments[5]);
        Settings settings = new Settings(
                OPERATIONS,
                Sizes.series(8, 16 << 20, 4, 0),
                List.of(DataType.FLOAT32),
                List.of(ReduceOp.SUM),
                0,
                calls,
                5,
                Duration.ofMillis(300),
                Duration.ofMillis(1),
                1,
                1,
                1,
                Settings.Average.MEAN,
                true,
                new Settings.Issue(
                        group ? 1 : gpus,
                        group ? gpus : 1,
                        registration,
                        Settings.Waiting.NONE,
                        0,
                        1,
                        false,
                        Settings.Details.NONE));
        String title = (group ? "one thread, a group" : gpus > 1 ? "a thread each" : "a process each")
                + (registration == Settings.Registration.SYMMETRIC ? ", symmetric windows" : "");
        int code;
        try (World world = World.join();
                Arena arena = Arena.ofShared()) {
            SymbolLookup loops = SymbolLookup.libraryLookup(library, arena);
            openNccl(loops, arena);
            code = GpuStation.run(world, settings, platform -> each -> {
                CallsBesideC comparison = new CallsBesideC((GpuStation) each, loops, settings, blocks);
                comparison.measure();
                if (each.speaks()) {
                    Table.header(platform, settings).forEach(System.out::println);
                    System.out.println(comparison.markdown(title));
                }
                return 0;
            });
        }
        System.exit(code);
    }

    private static void openNccl(SymbolLookup loops, Arena arena) {
        Path file = Objects.requireNonNull(NativeLibrary.of(LibraryName.NCCL).file(), "NCCL was not found");
        int status;
        try {
            status = (int) Linker.nativeLinker()
                    .downcallHandle(loops.findOrThrow("open_nccl"), FunctionDescriptor.of(JAVA_INT, ADDRESS))
                    .invokeExact(arena.allocateFrom(file.toString()));
        } catch (Throwable e) {
            throw new IllegalStateException("nccl-calls.c", e);
        }
        if (status != 0) {
            throw new IllegalStateException("nccl-calls.c does not find all functions in " + file);
        }
    }

    private void measure() {
        // All of them, as in a program that has run for a while: code that is compiled for one operation is compiled
        // again for the next.
        for (int round = 0; round < 2; round++) {
            OPERATIONS.forEach(this::warmUp);
        }
        for (Operation operation : OPERATIONS) {
            for (long bytes : operation.sizes(settings.sizes())) {
                Operation.Shape shape = operation.shape(bytes, DataType.FLOAT32, station.ranks());
                if (shape.largest() == 0) {
                    continue;
                }
                measure(operation, shape, false);
                if (operation.hasInPlaceForm()) {
                    measure(operation, shape, true);
                }
            }
        }
    }

    private void warmUp(Operation operation) {
        Operation.Shape shape = operation.shape(1024, DataType.FLOAT32, station.ranks());
        ReduceOp op = operation.reduces() ? ReduceOp.SUM : null;
        try (Trial trial = station.trial(operation, shape, DataType.FLOAT32, op, 0, false)) {
            Trial.Loop java = trial.loop();
            for (int i = 0; i < WARMUP; i++) {
                double ignored = block(trial, java);
            }
        }
    }

    private void measure(Operation operation, Operation.Shape shape, boolean inPlace) {
        ReduceOp op = operation.reduces() ? ReduceOp.SUM : null;
        try (Trial trial = station.trial(operation, shape, DataType.FLOAT32, op, 0, inPlace);
                Arena arena = Arena.ofConfined()) {
            Trial.Loop java = trial.loop();
            Trial.Loop c = loopInC(operation, shape, (GpuTrial) trial, arena);
            check(operation, trial, c);
            double ignored = block(trial, java) + block(trial, c);
            Results.Key key =
                    new Results.Key(operation.toString(), shape.largest() * Float.BYTES, "float", "sum", null);
            for (int i = 0; i < blocks; i++) {
                // Whoever comes first does so in every other pair only.
                double first = block(trial, i % 2 == 0 ? java : c);
                double second = block(trial, i % 2 == 0 ? c : java);
                ours.add(sample(key, i % 2 == 0 ? first : second, inPlace));
                inC.add(sample(key, i % 2 == 0 ? second : first, inPlace));
            }
        }
    }

    private static Results.Sample sample(Results.Key key, double micros, boolean inPlace) {
        return new Results.Sample(key, inPlace ? Double.NaN : micros, inPlace ? micros : Double.NaN);
    }

    /** The loop in C over the same calls. */
    private Trial.Loop loopInC(Operation operation, Operation.Shape shape, GpuTrial trial, Arena arena) {
        List<Seat> seats = station.seats();
        RankCall.Pair[][] views = trial.views();
        MemorySegment all = arena.allocate(SEAT, seats.size());
        for (int s = 0; s < seats.size(); s++) {
            Seat seat = seats.get(s);
            RankCall.Pair[] places = views[s];
            MemorySegment send = arena.allocate(ADDRESS, places.length);
            MemorySegment recv = arena.allocate(ADDRESS, places.length);
            for (int p = 0; p < places.length; p++) {
                send.setAtIndex(JAVA_LONG, p, places[p].send().address());
                recv.setAtIndex(JAVA_LONG, p, places[p].recv().address());
            }
            MemorySegment one = all.asSlice(s * SEAT.byteSize());
            one.setAtIndex(JAVA_LONG, 0, seat.comm().handle().address());
            one.setAtIndex(JAVA_LONG, 1, seat.stream().handle().address());
            one.setAtIndex(JAVA_LONG, 2, seat.comm().rank());
            one.setAtIndex(JAVA_LONG, 3, seat.comm().size());
            one.setAtIndex(JAVA_LONG, 4, send.address());
            one.setAtIndex(JAVA_LONG, 5, recv.address());
        }
        MemorySegment function = loops.findOrThrow(operation.toString());
        int n = seats.size();
        int places = views[0].length;
        long count = shape.count();
        return calls -> {
            int status;
            try {
                status = (int) LOOP.invokeExact(
                        function, all, n, places, count, LibNccl.ncclFloat32, LibNccl.ncclSum, 0, calls);
            } catch (Throwable e) {
                throw new IllegalStateException(operation + " in C", e);
            }
            if (status != 0) {
                throw new IllegalStateException(operation + " in C: " + LibNccl.statusName(status));
            }
        };
    }

    /** That both do the same. */
    private void check(Operation operation, Trial trial, Trial.Loop c) {
        trial.prepare();
        station.meet();
        c.run(1);
        trial.complete();
        station.meet();
        long wrong = (long) station.agree((double) trial.wrong(), ReduceOp.SUM);
        if (wrong > 0) {
            throw new IllegalStateException(operation + " in C: " + wrong + " elements are wrong");
        }
    }

    /** Microseconds of a call, the mean of all ranks. */
    private double block(Trial trial, Trial.Loop loop) {
        station.meet();
        long start = System.nanoTime();
        loop.run(settings.iterations());
        trial.complete();
        double nanos = System.nanoTime() - start;
        return station.agree(nanos / 1e3 / settings.iterations(), ReduceOp.AVG);
    }

    private String markdown(String title) {
        List<RatioTable.Entry> entries = new ArrayList<>();
        Map<Results.Key, Results.Times> theirs = Results.times(inC, Statistic.MEDIAN);
        Results.times(ours, Statistic.MEDIAN)
                .forEach((key, times) -> entries.add(new RatioTable.Entry(key, times, theirs.get(key))));
        StringBuilder out = new StringBuilder("\n## " + title + "\n\n| " + RatioTable.HALVES
                + " | in place, below 1 MiB | in place, from 1 MiB on |\n|---|---|---|---|---|---|---|---|\n| ");
        out.append(RatioTable.halves(entries, SuiteTable.BAR))
                .append(" | ")
                .append(RatioTable.mean(entries, false, RatioTable.Entry::ratioInPlace))
                .append(" | ")
                .append(RatioTable.mean(entries, true, RatioTable.Entry::ratioInPlace))
                .append(" |\n\n");
        RatioTable.append(entries, Set.of("float"), SuiteTable.BAR, out);
        return out.toString();
    }
}
