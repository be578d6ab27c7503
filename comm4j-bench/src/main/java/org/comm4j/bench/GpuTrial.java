// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.comm4j.bench.GpuStation.Seat;
import org.comm4j.bench.Settings.Waiting;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.nccl.Group;
import org.comm4j.nccl.Nccl;
import org.jspecify.annotations.Nullable;

/**
 * A collective on all GPUs of one thread, as nccl-tests calls it: calls go into the streams one after the other, and
 * one wait at the end is timed with them. Each call uses the next part of the buffers, as long as there is one, so that
 * small sizes are not always in the same cache lines.
 */
final class GpuTrial extends Trial {
    /** Different places that small calls use; more would be memory of Java objects only. */
    private static final int MOST_VIEWS = 64;

    private final Seat[] seats;
    private final Settings.Issue issue;
    private final int graphCalls;
    private final RankCall[] calls;
    /** The buffers of each GPU at each place. */
    private final RankCall.Pair[][] views;
    /** Returns when all ranks have called it. */
    private final Runnable meet;
    /**
     * Marks in each GPU's stream before each iteration and after the last one, or around each; empty where they are not
     * asked for.
     */
    private final Event[][] marks;
    /** Groups of a hypercube: one a step, for all GPUs. */
    private final List<Consumer<Group>> steps = new ArrayList<>();

    private final Consumer<Group> grouped = this::collect;
    private final List<GraphExec> graphs = new ArrayList<>();
    private int view;
    private long uncounted;
    /** Calls of the group that is collected next. */
    private int inGroup;

    GpuTrial(
            List<Seat> seats,
            Runnable meet,
            Settings settings,
            Operation operation,
            Operation.Shape shape,
            DataType type,
            @Nullable ReduceOp op,
            int root,
            boolean inPlace) {
        this.seats = seats.toArray(new Seat[0]);
        this.meet = meet;
        this.issue = settings.issue();
        this.inGroup = issue.aggregated();
        this.graphCalls = settings.iterations();
        long bytes = shape.largest() * type.bytes();
        long start = (long) issue.details().unaligned() * type.bytes();
        // Calls of one group may run at the same time: each has a place of its own.
        int least = issue.aggregated();
        int places =
                bytes == 0 ? least : Math.clamp(settings.largest() * least / bytes, least, Math.max(least, MOST_VIEWS));
        this.calls = new RankCall[seats.size()];
        this.views = new RankCall.Pair[seats.size()][places];
        for (int s = 0; s < seats.size(); s++) {
            Seat seat = seats.get(s);
            calls[s] = new RankCall(
                    operation,
                    shape,
                    type,
                    op,
                    root,
                    seat.comm().rank(),
                    seat.comm().size());
            for (int place = 0; place < places; place++) {
                Buffer send = seat.send(type, start + place * bytes, shape.send());
                Buffer recv = seat.recv(type, start + place * bytes, shape.recv());
                views[s][place] = calls[s].buffers(send, recv, inPlace);
            }
        }
        for (int bit = 1; operation == Operation.HYPERCUBE && bit < calls[0].ranks; bit *= 2) {
            int step = bit;
            steps.add(group -> cube(group, step));
        }
        this.marks = marks(settings.iterations());
        if (issue.graphLaunches() > 0) {
            // Connections are made by the first call, which cannot be recorded.
            once();
            capture(0, new ArrayList<>());
        }
    }

    /** What calls pass: of each GPU the buffers at each place, which calls use in turn. */
    RankCall.Pair[][] views() {
        return views;
    }

    private Event[][] marks(int iterations) {
        if (!issue.details().perIteration()) {
            return new Event[0][];
        }
        int count = paired() ? 2 * iterations : iterations + 1;
        return Arrays.stream(seats)
                .map(seat -> Stream.generate(seat.device()::newTimingEvent)
                        .limit(count)
                        .toArray(Event[]::new))
                .toArray(Event[][]::new);
    }

    /** Whether what happens between two iterations is no part of either. */
    private boolean paired() {
        return issue.waiting() == Waiting.EACH_AND_ALL_UNTIMED;
    }

    private void mark(long number) {
        for (int s = 0; s < marks.length; s++) {
            // There are more calls than marks while this warms up.
            if (number < marks[s].length) {
                seats[s].stream().record(marks[s][(int) number]);
            }
        }
    }

    /**
     * Records the streams of all GPUs at the same time: begins with this one, and ends it when the others have ended.
     */
    private void capture(int seat, List<Graph> recorded) {
        if (seat < seats.length) {
            recorded.add(Graph.capture(seats[seat].stream(), () -> capture(seat + 1, recorded)));
            if (seat == 0) {
                // The innermost one was recorded first.
                for (int s = seats.length - 1; s >= 0; s--) {
                    try (Graph graph = recorded.get(s)) {
                        graphs.add(graph.instantiate());
                    }
                }
            }
        } else {
            enqueue(graphCalls * (long) issue.aggregated());
        }
    }

    @Override
    Loop loop() {
        if (!graphs.isEmpty()) {
            long each = graphCalls * (long) issue.aggregated();
            return n -> {
                for (long i = 0; i < n; i += each) {
                    for (int s = 0; s < graphs.size(); s++) {
                        graphs.get(s).launch(seats[s].stream());
                    }
                }
            };
        }
        return issue.waiting() == Waiting.NONE && !issue.details().perIteration() ? this::enqueue : this::oneByOne;
    }

    private void oneByOne(long n) {
        uncounted = 0;
        long number = 0;
        for (long i = 0; i < n; i += issue.aggregated(), number++) {
            mark(paired() ? 2 * number : number);
            enqueue(issue.aggregated());
            if (issue.waiting() != Waiting.NONE) {
                complete();
            }
            if (paired()) {
                mark(2 * number + 1);
                long start = System.nanoTime();
                meet.run();
                uncounted += System.nanoTime() - start;
            } else if (issue.waiting() == Waiting.EACH_AND_ALL) {
                meet.run();
            }
        }
        if (!paired()) {
            mark(number);
        }
    }

    @Override
    long uncounted() {
        return uncounted;
    }

    @Override
    double[] iterationTimes() {
        int count = marks.length == 0 ? 0 : paired() ? marks[0].length / 2 : marks[0].length - 1;
        complete();
        return IntStream.range(0, count)
                .mapToDouble(i -> Arrays.stream(marks)
                                .mapToDouble(of ->
                                        paired() ? of[2 * i + 1].millisSince(of[2 * i]) : of[i + 1].millisSince(of[i]))
                                .max()
                                .orElseThrow()
                        * 1e3
                        / issue.aggregated())
                .toArray();
    }

    private void enqueue(long n) {
        if (calls[0].operation == Operation.HYPERCUBE) {
            for (long i = 0; i < n; i++) {
                hypercube();
            }
            return;
        }
        boolean group = seats.length > 1 || issue.aggregated() > 1 || calls[0].operation == Operation.SEND_RECV;
        if (group) {
            for (long i = 0; i < n; i += issue.aggregated()) {
                Nccl.group(grouped);
            }
            return;
        }
        Seat seat = seats[0];
        RankCall call = calls[0];
        RankCall.Pair[] places = views[0];
        for (long i = 0; i < n; i++) {
            call(seat, call, places[view]);
            next(places.length);
        }
    }

    /** Each step needs what the one before has brought, so each is a group of its own, of all GPUs. */
    private void hypercube() {
        for (int s = 0; s < calls.length; s++) {
            RankCall.Pair at = views[s][view];
            DeviceArray own =
                    (DeviceArray) at.recv().slice(calls[s].shape.count() * calls[s].rank, calls[s].shape.count());
            if (own.address() != at.send().address()) {
                own.copyFrom((DeviceArray) at.send(), seats[s].stream());
            }
        }
        for (int i = 0; i < steps.size(); i++) {
            Nccl.group(steps.get(i));
        }
        next(views[0].length);
    }

    private void cube(Group group, int bit) {
        for (int s = 0; s < calls.length; s++) {
            RankCall call = calls[s];
            Operations part = group.on(seats[s].comm(), seats[s].stream());
            part.send(call.cubeSend(views[s][view].recv(), bit), call.rank ^ bit);
            part.recv(call.cubeRecv(views[s][view].recv(), bit), call.rank ^ bit);
        }
    }

    private void next(int places) {
        view = view + 1 == places ? 0 : view + 1;
    }

    /** One call of one GPU, on its stream. */
    private static void call(Seat seat, RankCall call, RankCall.Pair at) {
        switch (call.operation) {
            case ALL_REDUCE -> seat.comm().allReduce(at.send(), at.recv(), call.op, seat.stream());
            case REDUCE -> seat.comm().reduce(at.send(), at.recv(), call.op, call.root, seat.stream());
            case BROADCAST -> seat.comm().broadcast(at.send(), at.recv(), call.root, seat.stream());
            case ALL_GATHER -> seat.comm().allGather(at.send(), at.recv(), seat.stream());
            case REDUCE_SCATTER -> seat.comm().reduceScatter(at.send(), at.recv(), call.op, seat.stream());
            case ALL_TO_ALL -> seat.comm().allToAll(at.send(), at.recv(), seat.stream());
            case ALL_TO_ALL_V ->
                seat.comm()
                        .allToAllV(
                                at.send(),
                                call.sendCounts,
                                call.sendOffsets,
                                at.recv(),
                                call.recvCounts,
                                call.recvOffsets,
                                seat.stream());
            case GATHER -> seat.comm().gather(at.send(), at.recv(), call.root, seat.stream());
            case SCATTER -> seat.comm().scatter(at.send(), at.recv(), call.root, seat.stream());
            case BARRIER -> seat.comm().barrier(seat.stream());
            default -> throw new AssertionError(call.operation);
        }
    }

    /** So many calls of all GPUs as one. */
    private void collect(Group group) {
        for (int i = 0; i < inGroup; i++) {
            for (int s = 0; s < calls.length; s++) {
                Seat seat = seats[s];
                collect(group.on(seat.comm(), seat.stream()), calls[s], views[s][view]);
            }
            next(views[0].length);
        }
    }

    private static void collect(Operations group, RankCall call, RankCall.Pair at) {
        switch (call.operation) {
            case ALL_REDUCE -> group.allReduce(at.send(), at.recv(), call.op);
            case REDUCE -> group.reduce(at.send(), at.recv(), call.op, call.root);
            case BROADCAST -> group.broadcast(at.send(), at.recv(), call.root);
            case ALL_GATHER -> group.allGather(at.send(), at.recv());
            case REDUCE_SCATTER -> group.reduceScatter(at.send(), at.recv(), call.op);
            case ALL_TO_ALL -> group.allToAll(at.send(), at.recv());
            case ALL_TO_ALL_V ->
                group.allToAllV(
                        at.send(), call.sendCounts, call.sendOffsets, at.recv(), call.recvCounts, call.recvOffsets);
            case GATHER -> group.gather(at.send(), at.recv(), call.root);
            case SCATTER -> group.scatter(at.send(), at.recv(), call.root);
            case SEND_RECV -> {
                group.send(at.send(), call.next());
                group.recv(at.recv(), call.previous());
            }
            default -> throw new AssertionError(call.operation);
        }
    }

    @Override
    void complete() {
        if (!issue.details().timeout().isZero()) {
            completeInTime();
            return;
        }
        for (int s = 0; s < seats.length; s++) {
            seats[s].stream().synchronize();
        }
    }

    /** Looks without ever sleeping, so that times are those without a limit. */
    private void completeInTime() {
        long limit = issue.details().timeout().toNanos();
        long start = System.nanoTime();
        for (Seat seat : seats) {
            while (!seat.stream().isDone()) {
                if (System.nanoTime() - start > limit) {
                    throw new CommTimeoutException(
                            calls[0].operation + " of " + seat.send().device() + " was not done after "
                                    + issue.details().timeout().toSeconds() + " s (-T); rank "
                                    + seat.comm().rank() + " of "
                                    + seat.comm().size() + " gives up");
                }
                Thread.yield();
            }
        }
    }

    @Override
    long block(int iterations) {
        return (long) iterations * issue.aggregated() * Math.max(1, issue.graphLaunches());
    }

    @Override
    long rounded(long calls) {
        long unit = issue.aggregated() * (issue.graphLaunches() > 0 ? (long) graphCalls : 1);
        return Math.ceilDiv(calls, unit) * unit;
    }

    @Override
    boolean isCollective() {
        return true;
    }

    @Override
    boolean hasResult() {
        return calls[0].hasResult();
    }

    @Override
    void prepare() {
        for (int s = 0; s < calls.length; s++) {
            calls[s].prepare(views[s][0]);
        }
    }

    @Override
    void once() {
        view = 0;
        inGroup = 1;
        enqueue(1);
        complete();
        inGroup = issue.aggregated();
    }

    @Override
    long wrong() {
        long wrong = 0;
        for (int s = 0; s < calls.length; s++) {
            wrong += calls[s].wrong(views[s][0]);
        }
        return wrong;
    }

    @Override
    public void close() {
        graphs.forEach(GraphExec::close);
        Arrays.stream(marks).flatMap(Arrays::stream).forEach(Event::close);
    }
}
