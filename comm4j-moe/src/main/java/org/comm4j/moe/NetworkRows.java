// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.lang.reflect.Method;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.jspecify.annotations.Nullable;

/** Rows over a network, by {@link NetworkKernels}: the host waits for nothing. */
final class NetworkRows implements FarRows {
    private static final Method COUNT = MoeMachine.kernel(NetworkKernels.class, "count");
    private static final Method BEGIN = MoeMachine.kernel(NetworkKernels.class, "begin");
    private static final Method KEEP = MoeMachine.kernel(NetworkKernels.class, "keep");
    private static final Method ROWS = MoeMachine.kernel(NetworkKernels.class, "rows");
    private static final Method ANSWERS = MoeMachine.kernel(NetworkKernels.class, "answers");
    private static final Method TO_RELAYS = MoeMachine.kernel(HostKernels.class, "toRelays");
    private static final Method FORWARD = MoeMachine.kernel(HostKernels.class, "forward");
    private static final Method ARRIVED = MoeMachine.kernel(HostKernels.class, "arrived");
    private static final Method ANNOUNCE = MoeMachine.kernel(PullKernels.class, "announce");
    private static final Method SUMS = MoeMachine.kernel(HostKernels.class, "sums");
    private static final Method BACK = MoeMachine.kernel(HostKernels.class, "back");
    private static final Object[] NO_CONSTANTS = {};

    private final MoeMemory.Plan plan;
    private final MoeMachine machine;
    private final Buffer far;
    /** PEs of a host, between which rows go in two steps; 0 if they go in one. */
    private final int host;

    private final long sumPlaces;
    /** By slot. */
    private final Buffer[] counts;

    private final @Nullable Buffer[] rowColumns;
    private final @Nullable Buffer[] answerColumns;

    /** @throws UnsupportedOperationException if PEs over a network do not do what the options want */
    NetworkRows(MoeMemory.Plan plan, MoeMachine machine, int me, int[] far, int host) {
        if (plan.options().group() > 1) {
            throw new UnsupportedOperationException(
                    "ExpertParallel: PEs out of reach of each other are in no groups of "
                            + plan.options().group() + " with the same tokens");
        }
        this.plan = plan;
        this.machine = machine;
        boolean steps = plan.byRank() && plan.answerScales() == 0 && host > 1;
        this.host = steps ? host : 0;
        // Memory that stands for a PE's has no places of its own.
        this.sumPlaces = steps ? plan.total() * (far[0] < me ? far[0] + 1 : far[0]) : 0;
        this.far = machine.allocate(DataType.INT32, far.length);
        this.far.copyFrom(HostArray.of(far));
        int slots = plan.options().inFlight();
        this.counts = new Buffer[slots];
        this.rowColumns = new @Nullable Buffer[slots];
        this.answerColumns = new @Nullable Buffer[slots];
        for (int slot = 0; slot < slots; slot++) {
            counts[slot] = machine.allocate(DataType.INT64, (long) plan.pes() * Math.max(plan.slots(), plan.pes()));
        }
    }

    @Override
    public void count(
            MoeSpace space,
            I8Ptr chosen,
            int routeBytes,
            int most,
            I32Ptr bound,
            boolean bounded,
            int sharedBytes,
            @Nullable Stream stream) {
        machine.launchFar(
                COUNT,
                1,
                sharedBytes,
                stream,
                space,
                network(0, List.of(), rowColumns),
                chosen,
                routeBytes,
                most,
                bound,
                bounded);
    }

    @Override
    public void rows(MoeSpace space, int slot, ExpertPlacement placement, @Nullable Stream stream) {
        NetworkKernels.Network network = rowNetwork(space, slot);
        machine.launch(KEEP, NO_CONSTANTS, 1, machine.threads(0), 0, stream, space, network);
        put(space, network, stream);
    }

    private NetworkKernels.Network rowNetwork(MoeSpace space, int slot) {
        List<MoeColumn> columns = MoeColumn.ofRows(plan, space);
        return network(slot, host > 0 ? columns.subList(1, columns.size()) : columns, rowColumns);
    }

    private void put(MoeSpace space, NetworkKernels.Network network, @Nullable Stream stream) {
        machine.launchFar(ROWS, (int) far.count(), 0, stream, space, network, host > 0);
        if (host > 0) {
            machine.launchFar(TO_RELAYS, hosts(), 0, stream, space, network, host, space.places() + sumPlaces);
            machine.launch(FORWARD, NO_CONSTANTS, hosts(), machine.threads(0), 0, stream, space, network, host);
            machine.launch(ARRIVED, NO_CONSTANTS, 1, machine.threads(0), 0, stream, space, network);
        }
    }

    /** The other hosts. */
    private int hosts() {
        return (int) far.count() / host;
    }

    @Override
    public long sumPlaces() {
        return sumPlaces;
    }

    @Override
    public void begin(MoeSpace space, @Nullable Stream stream) {
        machine.launchFar(BEGIN, 1, 0, stream, space, network(0, List.of(), rowColumns));
    }

    @Override
    public void again(MoeSpace space, int slot, int earlier, @Nullable Stream stream) {
        machine.copy(counts[slot], counts[earlier], stream);
        put(space, rowNetwork(space, slot), stream);
    }

    @Override
    public void answers(MoeSpace space, int slot, @Nullable Stream stream) {
        NetworkKernels.Network network = network(slot, MoeColumn.ofAnswers(plan, space), answerColumns);
        if (host == 0) {
            machine.launchFar(ANSWERS, (int) far.count(), 0, stream, space, network);
            return;
        }
        int hidden = plan.shape().hidden();
        DataType type = plan.options().results(plan.shape());
        Object[] constants = {SumType.ofAnswers(type)};
        machine.launch(ANNOUNCE, NO_CONSTANTS, 1, machine.threads(0), 0, stream, space);
        machine.launch(SUMS, constants, hosts(), machine.threads(0), 0, stream, space, network, host, hidden);
        machine.launchFar(BACK, hosts(), 0, stream, space, network, host, (long) hidden * type.bytes());
    }

    /** The arrays of a slot are the same in each dispatch. */
    private NetworkKernels.Network network(int slot, List<MoeColumn> columns, @Nullable Buffer[] known) {
        if (columns.isEmpty()) {
            return made(slot, counts[slot], 0);
        }
        Buffer of = known[slot];
        if (of == null) {
            HostArray words = HostArray.allocate(DataType.INT64, 4L * columns.size());
            for (int i = 0; i < columns.size(); i++) {
                MoeColumn column = columns.get(i);
                words.setLong(4L * i, column.begin());
                words.setLong(4L * i + 1, column.bytes());
                words.setLong(4L * i + 2, column.period());
                words.setLong(4L * i + 3, column.step());
            }
            of = machine.allocate(DataType.INT64, words.count());
            of.copyFrom(words);
            known[slot] = of;
        }
        return made(slot, of, columns.size());
    }

    private NetworkKernels.Network made(int slot, Buffer columns, int arrays) {
        return new NetworkKernels.Network(
                I8Ptr.of(machine.symmetric()),
                I32Ptr.of(far),
                (int) far.count(),
                plan.total(),
                I64Ptr.of(counts[slot]),
                I64Ptr.of(columns),
                arrays);
    }
}
