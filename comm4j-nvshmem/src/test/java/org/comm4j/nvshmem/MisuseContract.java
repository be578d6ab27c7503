// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every wrong call is an exception of the right type that names the operation, before anything is done: the process
 * lives, and the PEs are in step afterwards. One thing is wrong at a time, in every operation that has such an
 * argument.
 */
class MisuseContract {
    private static final int COUNT = 64;

    /** The arguments of a call; what an operation does not need it does not take. */
    private record Call(
            SymmetricArray to,
            SymmetricArray from,
            SymmetricArray signal,
            int pe,
            ReduceOp op,
            Stream stream,
            Team team) {
        Call to(SymmetricArray other) {
            return new Call(other, from, signal, pe, op, stream, team);
        }

        Call from(SymmetricArray other) {
            return new Call(to, other, signal, pe, op, stream, team);
        }

        Call signal(SymmetricArray other) {
            return new Call(to, from, other, pe, op, stream, team);
        }

        Call pe(int other) {
            return new Call(to, from, signal, other, op, stream, team);
        }

        Call op(ReduceOp other) {
            return new Call(to, from, signal, pe, other, stream, team);
        }

        Call stream(Stream other) {
            return new Call(to, from, signal, pe, op, other, team);
        }

        Call team(Team other) {
            return new Call(to, from, signal, pe, op, stream, other);
        }
    }

    /**
     * An operation.
     *
     * @param takes the arguments by letters: t(o), f(rom), (si)g(nal), p(e), o(p), s(tream), (tea)m
     */
    private record Operation(String name, String takes, Consumer<Call> body) {
        boolean takes(char what) {
            return takes.indexOf(what) >= 0;
        }
    }

    private final List<Operation> operations = new ArrayList<>();
    private Nvshmem nvshmem;
    private Call good;
    private Stream stream;

    @BeforeEach
    void arguments() {
        nvshmem = Pes.current();
        stream = Pes.device().newStream();
        int n = nvshmem.nPes();
        good = new Call(
                nvshmem.allocate(DataType.INT32, COUNT),
                nvshmem.allocate(DataType.INT32, COUNT),
                nvshmem.allocate(DataType.UINT64, 4),
                (nvshmem.myPe() + 1) % n,
                ReduceOp.SUM,
                stream,
                nvshmem.world());
        int part = COUNT / n;
        add("put", "tfps", c -> nvshmem.put(c.to, c.from, c.pe, c.stream));
        add("put", "tfp", c -> nvshmem.put(c.to, c.from, c.pe));
        add("putNbi", "tfps", c -> nvshmem.putNbi(c.to, c.from, c.pe, c.stream));
        add("putNbi", "tfp", c -> nvshmem.putNbi(c.to, c.from, c.pe));
        add("get", "tfps", c -> nvshmem.get(c.to, c.from, c.pe, c.stream));
        add("get", "tfp", c -> nvshmem.get(c.to, c.from, c.pe));
        add("getNbi", "tfps", c -> nvshmem.getNbi(c.to, c.from, c.pe, c.stream));
        add("getNbi", "tfp", c -> nvshmem.getNbi(c.to, c.from, c.pe));
        add("p", "ips", c -> nvshmem.p(c.to, 0, 7, c.pe, c.stream));
        add("p", "ip", c -> nvshmem.p(c.to, 0, 7, c.pe));
        add("g", "ips", c -> nvshmem.g(c.to, 0, c.pe, c.stream));
        add("g", "ip", c -> nvshmem.g(c.to, 0, c.pe));
        add("putSignal", "tfgps", c -> nvshmem.putSignal(c.to, c.from, c.signal, 0, 1, SignalOp.SET, c.pe, c.stream));
        add("putSignal", "tfgp", c -> nvshmem.putSignal(c.to, c.from, c.signal, 0, 1, SignalOp.SET, c.pe));
        add(
                "putSignalNbi",
                "tfgps",
                c -> nvshmem.putSignalNbi(c.to, c.from, c.signal, 0, 1, SignalOp.SET, c.pe, c.stream));
        add("signal", "gps", c -> nvshmem.signal(c.signal, 0, 1, SignalOp.ADD, c.pe, c.stream));
        add("signal", "gp", c -> nvshmem.signal(c.signal, 0, 1, SignalOp.ADD, c.pe));
        add("signalFetch", "g", c -> nvshmem.signalFetch(c.signal, 0));
        add("signalWaitUntil", "gs", c -> nvshmem.signalWaitUntil(c.signal, 0, Comparison.GE, 0, c.stream));
        add("signalWaitUntil", "g", c -> nvshmem.signalWaitUntil(c.signal, 0, Comparison.GE, 0));
        add("waitUntil", "is", c -> nvshmem.waitUntil(c.to, 0, Comparison.GE, 0, c.stream));
        add("waitUntil", "i", c -> nvshmem.waitUntil(c.to, 0, Comparison.GE, 0));
        add("atomicAdd", "ip", c -> nvshmem.atomicAdd(c.to, 0, 1, c.pe));
        add("atomicFetchAdd", "ip", c -> nvshmem.atomicFetchAdd(c.to, 0, 1, c.pe));
        add("atomicCompareSwap", "ip", c -> nvshmem.atomicCompareSwap(c.to, 0, 0, 1, c.pe));
        add("ptr", "ip", c -> nvshmem.ptr(c.to, c.pe));
        add("barrierAll", "s", c -> nvshmem.barrierAll(c.stream));
        add("syncAll", "s", c -> nvshmem.syncAll(c.stream));
        add("quiet", "s", c -> nvshmem.quiet(c.stream));
        add("barrier", "sm", c -> c.team.barrier(c.stream));
        add("sync", "sm", c -> c.team.sync(c.stream));
        add("reduce", "tfosm", c -> c.team.reduce(c.to, c.from, c.op, c.stream));
        add("reduce", "tfom", c -> c.team.reduce(c.to, c.from, c.op));
        add("reduceScatter", "tfosm", c -> c.team.reduceScatter(c.to, c.from, part, c.op, c.stream));
        add("reduceScatter", "tfom", c -> c.team.reduceScatter(c.to, c.from, part, c.op));
        add("broadcast", "tfsm", c -> c.team.broadcast(c.to, c.from, 0, c.stream));
        add("broadcast", "tfm", c -> c.team.broadcast(c.to, c.from, 0));
        add("fcollect", "tfsm", c -> c.team.fcollect(c.to, c.from, part, c.stream));
        add("fcollect", "tfm", c -> c.team.fcollect(c.to, c.from, part));
        add("allToAll", "tfsm", c -> c.team.allToAll(c.to, c.from, part, c.stream));
        add("allToAll", "tfm", c -> c.team.allToAll(c.to, c.from, part));
    }

    private void add(String name, String takes, Consumer<Call> body) {
        operations.add(new Operation(name, takes, body));
    }

    @AfterEach
    void allIsWell() {
        // All operations, as they should be, on all PEs.
        for (Operation operation : operations) {
            operation.body().accept(good);
            // Collectives of a team in two streams at once would be wrong, too.
            nvshmem.synchronize(stream);
        }
        nvshmem.quiet();
        nvshmem.barrierAll(stream);
        nvshmem.synchronize(stream);
        good.to().close();
        good.from().close();
        good.signal().close();
        stream.close();
    }

    private interface Wrong extends BiConsumer<Operation, Call> {}

    /** The call is refused. */
    private static Wrong refused(Class<? extends Throwable> expected, String... words) {
        return (operation, call) -> {
            Throwable thrown = catchThrowable(() -> operation.body().accept(call));
            assertThat(thrown)
                    .as("%s(%s): %s", operation.name(), operation.takes(), call)
                    .isInstanceOf(expected);
            if (expected != NullPointerException.class) {
                List<String> expectedWords = new ArrayList<>(List.of(words));
                expectedWords.add(operation.name());
                assertThat(thrown.getMessage())
                        .as("%s(%s)", operation.name(), operation.takes())
                        .contains(expectedWords);
            }
        };
    }

    /** For each operation that takes such an argument. */
    private void each(char what, Call call, Wrong wrong) {
        operations.stream().filter(o -> o.takes(what)).forEach(o -> wrong.accept(o, call));
    }

    /** {@code t} and {@code i} both are the first array; the former goes with a second one. */
    private void eachArray(Wrong wrong, SymmetricArray array) {
        each('t', good.to(array), wrong);
        each('i', good.to(array), wrong);
        each('f', good.from(array), wrong);
    }

    @Test
    void nulls() {
        Wrong wrong = refused(NullPointerException.class);
        eachArray(wrong, null);
        each('g', good.signal(null), wrong);
        each('o', good.op(null), wrong);
        each('s', good.stream(null), wrong);
    }

    @Test
    void freedArrays() {
        SymmetricArray freed = nvshmem.allocate(DataType.INT32, COUNT);
        SymmetricArray slice = freed.slice(0, COUNT);
        SymmetricArray signal = nvshmem.allocate(DataType.UINT64, 4);
        freed.close();
        signal.close();
        Wrong wrong = refused(IllegalStateException.class, "freed");
        eachArray(wrong, freed);
        eachArray(wrong, slice);
        each('g', good.signal(signal), wrong);
    }

    @Test
    void noSuchPe() {
        for (int pe : new int[] {-1, nvshmem.nPes(), Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            each('p', good.pe(pe), refused(IllegalArgumentException.class, "PE " + pe));
        }
    }

    @Test
    void closedStreams() {
        Stream closed = Pes.device().newStream();
        closed.close();
        operations.stream().filter(o -> o.takes('s')).forEach(o -> {
            Throwable thrown = catchThrowable(() -> o.body().accept(good.stream(closed)));
            assertThat(thrown).as(o.name()).isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    void streamsOfAnotherGpu() {
        Assumptions.assumeTrue(Cuda.deviceCount() > 1, "there is one GPU");
        try (Device other = Device.of((Pes.device().ordinal() + 1) % Cuda.deviceCount());
                Stream foreign = other.newStream();
                DeviceArray array = other.allocate(DataType.INT32, COUNT)) {
            each('s', good.stream(foreign), refused(IllegalArgumentException.class, "GPU"));
            assertThat(catchThrowable(() -> nvshmem.put(good.to(), array, good.pe(), stream)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("put");
            assertThat(catchThrowable(() -> nvshmem.get(array, good.from(), good.pe(), stream)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("get");
        }
    }

    @Test
    void otherTypes() {
        try (SymmetricArray floats = nvshmem.allocate(DataType.FLOAT32, COUNT)) {
            Wrong wrong = refused(IllegalArgumentException.class, "FLOAT32", "INT32");
            each('t', good.to(floats), wrong);
            each('f', good.from(floats), wrong);
            each('g', good.signal(floats), refused(IllegalArgumentException.class, "FLOAT32"));
        }
    }

    @Test
    void arraysThatAreTooShort() {
        SymmetricArray none = good.to().slice(0, 0);
        for (Operation operation : operations) {
            boolean isElement = operation.takes('i') && !operation.name().equals("ptr");
            if (operation.takes('t') && !operation.name().startsWith("get") || isElement) {
                Throwable thrown = catchThrowable(() -> operation.body().accept(good.to(none)));
                assertThat(thrown)
                        .as(operation.name())
                        .isInstanceOfAny(IndexOutOfBoundsException.class, IllegalArgumentException.class);
                assertThat(thrown.getMessage()).contains(operation.name());
            }
        }
        each('g', good.signal(good.signal().slice(0, 0)), refused(IndexOutOfBoundsException.class));
    }

    @Test
    void closedTeams() {
        Team closed = nvshmem.world().splitStrided(0, 1, nvshmem.nPes());
        assertThat(closed).isNotNull();
        closed.close();
        each('m', good.team(closed), refused(IllegalStateException.class, "closed"));
    }

    @Test
    void noSuchRoot() {
        for (int root : new int[] {-1, nvshmem.nPes()}) {
            assertThat(catchThrowable(() -> nvshmem.world().broadcast(good.to(), good.from(), root, stream)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("root " + root);
        }
    }

    /** Arrays of an earlier NVSHMEM, whose addresses may belong to others by now. */
    @Test
    void arraysOfAnEarlierNvshmem() {
        SymmetricArray old = good.to();
        SymmetricArray oldSignal = good.signal();
        Team oldTeam = nvshmem.world();
        stream.close();
        good.from().close();
        old.close();
        oldSignal.close();
        Pes.close();
        operations.clear();
        arguments();
        Wrong wrong = refused(RuntimeException.class);
        eachArray(wrong, old);
        each('g', good.signal(oldSignal), wrong);
        each('m', good.team(oldTeam), refused(IllegalStateException.class));
    }
}
