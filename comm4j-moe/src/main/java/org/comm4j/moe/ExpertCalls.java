// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SortedMap;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.spi.Arguments;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/** Calls of an {@link ExpertParallel}: their checks, then their launches. The owner lets one run at a time. */
final class ExpertCalls {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    private final ExpertParallel owner;
    private final MoeMachine machine;
    private final Members members;
    private final MoeChecks checks;
    private final SameCalls same;
    private final ExpertArrays arrays;
    private final MoeSlots slots;
    private final DispatchLaunches dispatches;
    private final SumLaunches pulls;
    private final Flights flights;
    private final MoeEvents events;

    private final int hidden;
    private final int me;
    private @Nullable Stream last;
    private Duration timeout;
    private boolean closed;

    /** Collective. */
    ExpertCalls(ExpertParallel owner, MoeSite pe, MoeMemory.Plan plan) {
        this.owner = owner;
        this.hidden = plan.shape().hidden();
        this.me = pe.myPe();
        Duration wait = pe.timeout();
        this.timeout = wait.isZero() ? DEFAULT_TIMEOUT : wait;
        this.members = new Members(pe);
        this.same = new SameCalls(pe, members, timeout);
        same.compare(
                "ExpertParallel.of",
                plan.shape() + ", " + plan.options() + ", " + plan.placement().described());
        this.machine = pe.machine(plan);
        this.checks = new MoeChecks(pe, plan, machine);
        FarRows staged = machine.farRows(plan);
        this.slots = new MoeSlots(pe, plan, machine, members, staged);
        this.dispatches = new DispatchLaunches(plan, machine, slots, staged);
        this.pulls = new SumLaunches(plan, machine, slots, staged);
        this.arrays = new ExpertArrays(checks, same, slots, members);
        this.flights = new Flights(owner, checks, plan.options().inFlight());
        this.events = new MoeEvents(pe, plan.shape().toString());
        machine.nothingFound();
        timeout(timeout);
        machine.barrier();
    }

    MoeMachine machine() {
        return machine;
    }

    MoeChecks checks() {
        return checks;
    }

    MoeSlots slots() {
        return slots;
    }

    Members members() {
        return members;
    }

    SameCalls same() {
        return same;
    }

    Duration timeout() {
        return timeout;
    }

    void timeout(Duration limit) {
        machine.set(MoeSpace.LIMIT, Arguments.timeoutNanos(limit, "timeout"));
        same.limit(limit);
        timeout = limit;
    }

    // ---- placement ----

    void placement(ExpertPlacement placement) {
        nonNull(placement, "placement", "placement");
        begin("placement", null);
        same.check("placement", placement.described(), null);
        checks.placement(placement);
        flights.none("placement");
        machine.complete(last);
        same.meet("placement", machine);
        slots.place(placement);
        dispatches.load();
        same.meet("placement", machine);
        events.end();
    }

    void fetch(Buffer to, Buffer from, long elements, @Nullable Stream stream) {
        begin("fetch", stream);
        checks.near("fetch");
        follow(stream);
        arrays.fetch(to, from, elements, stream);
        put(stream, from.type(), elements * slots.placement().local(me).length);
        if (stream == null) {
            done("fetch");
        }
    }

    void reduceReplicas(Buffer to, Buffer gradients, long elements, @Nullable Stream stream) {
        begin("reduceReplicas", stream);
        checks.near("reduceReplicas");
        follow(stream);
        arrays.reduceReplicas(to, gradients, elements, stream);
        put(stream, gradients.type(), elements * slots.placement().local(me).length);
        if (stream == null) {
            done("reduceReplicas");
        }
    }

    void exclude(int rank) {
        open("exclude");
        checks.near("exclude");
        checks.excluded(rank);
        if (members.isExcluded(rank)) {
            return;
        }
        events.begin("exclude", null);
        // Kernels that wait leave.
        machine.set(MoeSpace.STATUS, 1);
        machine.settle(last);
        SortedMap<Integer, long[]> epochs;
        BitSet told = (BitSet) members.excluded().clone();
        try {
            epochs = members.exclude(rank, slots.agreement(), timeout);
        } catch (CommException e) {
            machine.set(MoeSpace.STATUS, 0);
            throw events.failed(e);
        }
        told.xor(members.excluded());
        told.andNot(machine.dead());
        machine.without(members.excluded());
        machine.nothingFound();
        slots.agree(epochs.values());
        slots.layOut();
        dispatches.load();
        slots.tellExcluded(told);
        flights.endAll("exclude(" + rank + ")");
        events.end();
    }

    // ---- dispatch ----

    /**
     * Puts a dispatch into the stream; null for that of the calls that wait.
     *
     * @param ended what it is given back with; null for a new one
     */
    Routed send(String operation, Tokens tokens, boolean receives, @Nullable Stream stream, @Nullable Routed ended) {
        nonNull(tokens, operation, "tokens");
        if (ended != null) {
            flights.ended(operation, ended);
        }
        begin(operation, stream);
        checks.tokens(operation, tokens);
        int slot = flights.free(operation, -1);
        checks.apart(operation, slots.memory(slot), tokens);
        same.check(operation, slot, stream);
        follow(stream);
        Routed.Views gives = dispatches.send(tokens, slot, receives, stream);
        put(stream, tokens.x().type(), (long) tokens.count() * hidden);
        return flights.begin(ended, slot, tokens.count(), receives, gives);
    }

    /** Puts a dispatch along the routes of another one into the stream. */
    Routed again(Buffer x, Routed routes, @Nullable Stream stream) {
        String operation = "dispatch";
        nonNull(x, operation, "x");
        nonNull(routes, operation, "routes");
        begin(operation, stream);
        flights.kept(operation, routes);
        checks.rowsAlone(operation);
        checks.rows(operation, x, routes.tokens());
        int slot = flights.free(operation, routes.slot());
        checks.apart(operation, slots.memory(slot), "x", x);
        same.check(operation, "slot " + slot + ", routes of slot " + routes.slot(), stream);
        follow(stream);
        Routed.Views gives = dispatches.again(x, routes.tokens(), slot, routes.slot(), stream);
        put(stream, x.type(), (long) routes.tokens() * hidden);
        return flights.begin(null, slot, routes.tokens(), true, gives);
    }

    Routed reserve(int tokens) {
        begin("reserve", null);
        checks.reserved(tokens);
        events.end();
        int slot = flights.free("reserve", -1);
        return flights.begin(null, slot, tokens, false, slots.begin(slot).views());
    }

    /** Puts the second half of a dispatch into the stream. */
    void receive(Routed routed, @Nullable Stream stream) {
        begin("receive", stream);
        follow(stream);
        dispatches.receive(routed.slot(), stream);
        put(stream, DataType.INT8, 0);
        if (stream == null) {
            done("receive");
        }
    }

    // ---- combine ----

    /** Puts the first half of a combine into the stream. */
    PendingSums announce(Sums sums, Routed routed, @Nullable Stream stream) {
        String operation = "combineSend";
        beginSums(operation, sums, routed, stream);
        long results = pulls.results(sums, routed.slot(), stream);
        pulls.announce(routed.slot(), stream);
        put(stream, DataType.INT8, 0);
        routed.end(operation);
        return new PendingSums(owner, routed, sums, results);
    }

    /** Puts the second half of a combine into the stream. */
    void receive(PendingSums pending, @Nullable Stream stream) {
        begin("receive", stream);
        Routed routed = pending.routed();
        flights.begun("receive", routed);
        follow(stream);
        pulls.sums(pending.sums(), routed.slot(), routed.tokens(), pending.results(), false, stream);
        put(stream, pending.sums().out().type(), (long) routed.tokens() * hidden);
        flights.free(routed);
        if (stream == null) {
            done("receive");
        }
    }

    /** Puts a combine into the stream. */
    void pull(String operation, Sums sums, Routed routed, @Nullable Stream stream) {
        beginSums(operation, sums, routed, stream);
        int slot = routed.slot();
        pulls.sums(sums, slot, routed.tokens(), pulls.results(sums, slot, stream), true, stream);
        put(stream, sums.out().type(), (long) routed.tokens() * hidden);
        release(routed, operation);
    }

    private void beginSums(String operation, Sums sums, Routed routed, @Nullable Stream stream) {
        nonNull(sums, operation, "sums");
        nonNull(routed, operation, "routed");
        begin(operation, stream);
        flights.ours(operation, routed);
        routed.check(operation);
        checks.sums(operation, sums, routed.tokens());
        checks.apart(operation, slots.memory(routed.slot()), "out", sums.out());
        same.check(operation, routed.slot(), stream);
        follow(stream);
    }

    /** Puts the products of gradients and results into the stream. */
    void products(Buffer to, Buffer gradients, Routed routed, @Nullable Stream stream) {
        String operation = "weightGradients";
        nonNull(routed, operation, "routed");
        begin(operation, stream);
        flights.kept(operation, routed);
        checks.perExpert(operation);
        if (flights.flies(routed)) {
            throw new IllegalStateException(checks.at(operation) + routed + " was not combined yet");
        }
        checks.gradients(operation, to, gradients, routed.tokens());
        checks.apart(operation, slots.memory(routed.slot()), "to", to);
        follow(stream);
        pulls.products(to, gradients, routed.slot(), stream);
        put(stream, gradients.type(), (long) routed.tokens() * hidden);
    }

    /** Ends a dispatch. */
    void release(Routed routed, String operation) {
        flights.end(routed, operation);
    }

    private void open(String operation) {
        if (closed) {
            throw new IllegalStateException(operation + ": " + owner + " is closed");
        }
    }

    private void begin(String operation, @Nullable Stream stream) {
        open(operation);
        machine.check(operation, stream);
        checks.reports(operation, timeout, slots.placement());
        events.begin(operation, stream);
    }

    /** Ends the event of a call that only puts work into a stream; one that waits ends it later. */
    private void put(@Nullable Stream stream, DataType type, long elements) {
        events.elements(type, elements);
        if (stream != null) {
            events.end();
        }
    }

    /** Waits for what calls without a stream have launched. */
    void done(String operation) {
        try {
            machine.complete(null);
            checks.reports(operation, timeout, slots.placement());
        } catch (RuntimeException e) {
            throw events.failed(e);
        }
        events.end();
    }

    /** A dispatch that threw is ended: nobody has it. */
    Routed done(String operation, Routed routed) {
        try {
            done(operation);
        } catch (RuntimeException e) {
            release(routed, operation);
            throw e;
        }
        return routed;
    }

    /** Calls in another stream wait for those before. */
    private void follow(@Nullable Stream stream) {
        Stream now = stream == null ? machine.own() : stream;
        Stream before = last;
        if (now != null && now != before) {
            if (before != null && before.isOpen() && !now.isCapturing()) {
                now.await(before);
            }
            last = now;
        }
    }

    void check() {
        checks.reports("check", timeout, slots.placement());
    }

    void epochs(int value) {
        int[] all = slots.epochs();
        Arrays.fill(all, value);
        slots.epochs(all);
        machine.barrier();
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        if (!closed) {
            closed = true;
            machine.close();
        }
    }
}
