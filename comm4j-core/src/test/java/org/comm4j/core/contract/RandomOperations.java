// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.Request;

/**
 * Random operations on one communicator, the same on all ranks, each of which comes to them at times of its own. Every
 * result is compared with that of {@link Reference}. For hours: it says now and then how far it is.
 */
public final class RandomOperations {
    /** The largest buffer; most are much smaller. */
    private static final long BYTES = 256 << 10;

    private static final int STEPS_BETWEEN_LOOKS = 50;
    private static final long WORD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final Collective[] COLLECTIVES = Collective.values();
    private static final DataType[] TYPES = DataType.values();

    private enum Kind {
        COLLECTIVE,
        MESSAGES,
        ASYNCHRONOUS,
        SPLIT,
        OWN
    }

    private final ContractEngine engine;
    private final Communicator comm;
    private final SplittableRandom random;
    private final SplittableRandom delays;
    private final Consumer<SplittableRandom> own;
    private final Map<Kind, Long> done = new EnumMap<>(Kind.class);

    private RandomOperations(ContractEngine engine, Communicator comm, long seed, Consumer<SplittableRandom> own) {
        this.engine = engine;
        this.comm = comm;
        this.random = new SplittableRandom(seed);
        this.delays = new SplittableRandom(seed + 1 + comm.rank());
        this.own = own;
    }

    /**
     * Runs operations for some time, and fails with all that was wrong.
     *
     * @param own an operation that only this engine has, drawn from numbers that are the same on all ranks
     * @return how many operations there were
     */
    public static String run(
            ContractEngine engine, Communicator comm, long seed, Duration duration, Consumer<SplittableRandom> own) {
        return new RandomOperations(engine, comm, seed, own).run(duration, seed);
    }

    private String run(Duration duration, long seed) {
        long start = System.nanoTime();
        long nextWord = start + WORD_NANOS;
        String where = "seed " + seed;
        try (Probe probe = new Probe(engine, comm, BYTES)) {
            long step = 0;
            while (goesOn(start, duration)) {
                for (int i = 0; i < STEPS_BETWEEN_LOOKS; i++) {
                    where = "seed " + seed + ", step " + step++;
                    step(probe);
                    probe.finish();
                }
                if (comm.rank() == 0 && System.nanoTime() - nextWord > 0) {
                    nextWord += WORD_NANOS;
                    System.out.println("after " + step + " operations: " + done);
                }
            }
            return step + " operations: " + done;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(where + ": " + e.getMessage(), e);
        }
    }

    /** Rank 0 decides, so that all end after the same step. */
    private boolean goesOn(long start, Duration duration) {
        HostArray more = HostArray.of(System.nanoTime() - start < duration.toNanos() ? 1 : 0);
        comm.broadcast(more, 0);
        return more.getInt(0) == 1;
    }

    private void step(Probe probe) {
        int dice = random.nextInt(20);
        Kind kind = dice < 12 ? Kind.COLLECTIVE : Kind.values()[1 + (dice - 12) / 2];
        done.merge(kind, 1L, Long::sum);
        delay();
        switch (kind) {
            case COLLECTIVE -> collective(probe);
            case MESSAGES -> messages(probe);
            case ASYNCHRONOUS -> asynchronous(probe);
            case SPLIT -> split();
            case OWN -> own.accept(random);
        }
    }

    /** Mostly none: then a few microseconds, or the time in which another process may run. */
    private void delay() {
        switch (delays.nextInt(12)) {
            case 0 -> LockSupport.parkNanos(delays.nextLong(1, TimeUnit.MILLISECONDS.toNanos(5)));
            case 1, 2 -> {
                long end = System.nanoTime() + delays.nextLong(200_000);
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
            }
            default -> {}
        }
    }

    private void collective(Probe probe) {
        Collective collective = COLLECTIVES[random.nextInt(COLLECTIVES.length)];
        collective.run(probe, draw(collective, probe.size));
    }

    private Case draw(Collective collective, int ranks) {
        DataType type = TYPES[random.nextInt(TYPES.length)];
        ReduceOp op = ReduceOp.values()[random.nextInt(ReduceOp.values().length)];
        return new Case(
                type,
                collective.reduces ? (op.supports(type) ? op : ReduceOp.SUM) : null,
                count(type, collective.parts ? ranks : 1),
                random.nextInt(ranks),
                random.nextBoolean() && collective.hasInPlaceForm(),
                Case.Memory.values()[random.nextInt(3)],
                Case.Via.values()[random.nextInt(3)],
                Case.Values.EXACT,
                random.nextLong());
    }

    /** A count of elements of a part: as many small ones as large ones. */
    private long count(DataType type, int parts) {
        long most = BYTES / type.bytes() / parts - 8;
        long bound = Math.max(1, most >> random.nextInt(16));
        return random.nextLong(bound);
    }

    /** Each rank sends to the rank some places further, and hears from the one as many places before. */
    private void messages(Probe probe) {
        int distance = random.nextInt(probe.size);
        int to = (probe.rank + distance) % probe.size;
        int from = (probe.rank + probe.size - distance) % probe.size;
        DataType type = TYPES[random.nextInt(TYPES.length)];
        Case c = new Case(
                type,
                null,
                count(type, 1),
                0,
                false,
                Case.Memory.values()[random.nextInt(3)],
                Case.Via.GROUP,
                Case.Values.RANDOM,
                random.nextLong());
        probe.at("messages over " + distance + " " + c);
        Buffer send = probe.buffer(c, "send", c.count());
        send.copyFrom(Reference.input(c, probe.rank, c.count()));
        Buffer recv = probe.buffer(c, "recv", c.count());
        comm.group(g -> {
            g.send(send, to);
            g.recv(recv, from);
        });
        probe.expect("recv", recv, Reference.input(c, from, c.count()));
        probe.expectGuardsIntact();
    }

    /** Several operations under way at once, awaited in whatever order. */
    private void asynchronous(Probe probe) {
        int several = 1 + random.nextInt(5);
        probe.at(several + " asynchronous operations");
        Request[] requests = new Request[several];
        Buffer[] sums = new Buffer[several];
        long[] expected = new long[several];
        for (int i = 0; i < several; i++) {
            long count = 1 + count(DataType.INT64, several);
            long value = random.nextInt(1000);
            HostArray x = HostArray.allocate(DataType.INT64, count);
            x.fill((double) (value * (probe.rank + 1)));
            sums[i] = x;
            expected[i] = value * probe.size * (probe.size + 1) / 2;
            requests[i] = comm.allReduceAsync(x, x, ReduceOp.SUM);
        }
        delay();
        int first = delays.nextInt(several);
        for (int i = 0; i < several; i++) {
            int which = (first + i) % several;
            requests[which].await();
            HostArray sum = (HostArray) sums[which];
            for (long at : new long[] {0, sum.count() - 1}) {
                probe.expect(sum.getLong(at) == expected[which], "sum " + which + " is " + sum.getLong(at));
            }
        }
    }

    private void split() {
        int colors = 1 + random.nextInt(comm.size());
        boolean leavesOneOut = random.nextInt(4) == 0;
        int color = leavesOneOut && comm.rank() == 0 ? -1 : comm.rank() % colors;
        Collective collective = COLLECTIVES[random.nextInt(COLLECTIVES.length)];
        // One rank is the root everywhere, whatever the size.
        Case drawn = draw(collective, comm.size());
        try (Communicator part = comm.split(color, random.nextBoolean() ? comm.rank() : -comm.rank())) {
            if (part == null) {
                return;
            }
            part.timeout(comm.timeout());
            try (Probe probe = new Probe(engine, part, BYTES)) {
                Case c = new Case(
                        drawn.type(),
                        drawn.op(),
                        drawn.count(),
                        drawn.root() % part.size(),
                        drawn.inPlace(),
                        drawn.memory(),
                        drawn.via(),
                        drawn.values(),
                        drawn.seed());
                collective.run(probe, c);
                probe.finish();
            }
        }
    }
}
