// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.PgasTeam.Axes;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The collectives of teams: every operation and type, with and without a stream, by all PEs and by parts of them. */
class CollectiveContract {
    private static final int[] SIZES = {0, 1, 2, 3, 64, 1001};
    private static final int MOST = 1001;
    /**
     * Bytes of reductions in place: the most that NVSHMEM combines in one round for four members and for three is among
     * them.
     */
    private static final int[] IN_PLACE = {520, 10_922, 16_384, 17_000};

    private final Nvshmem shmem = Pes.current();
    private final int me = shmem.myPe();
    private final int n = shmem.nPes();
    private Stream stream;

    @BeforeEach
    void stream() {
        // Collective, which parts of the PEs could not be.
        long ignored = Data.seed();
        stream = shmem.device().newStream();
    }

    @AfterEach
    void end() {
        shmem.synchronize(stream);
        stream.close();
        shmem.barrierAll();
    }

    /** What the members of a team have, in their order. */
    private static List<HostArray> inputs(Team team, DataType type, long count, ReduceOp op, int time) {
        List<HostArray> inputs = new ArrayList<>();
        for (int member = 0; member < team.size(); member++) {
            inputs.add(Data.numbers(type, count, op, team.worldPe(member), time));
        }
        return inputs;
    }

    private static List<HostArray> bits(Team team, DataType type, long count, int time) {
        List<HostArray> inputs = new ArrayList<>();
        for (int member = 0; member < team.size(); member++) {
            inputs.add(Data.bits(type, count, team.worldPe(member), time));
        }
        return inputs;
    }

    /** The same part of each array, one behind the other. */
    private static HostArray joined(List<HostArray> arrays, long at, long count) {
        HostArray all = HostArray.allocate(arrays.getFirst().type(), count * arrays.size());
        for (int i = 0; i < arrays.size(); i++) {
            all.slice(i * count, count).copyFrom(arrays.get(i).slice(at, count));
        }
        return all;
    }

    private void settle(boolean onStream) {
        if (onStream) {
            shmem.synchronize(stream);
        }
    }

    // ---- each, on any team ----

    private void reduce(
            Team team,
            DataType type,
            ReduceOp op,
            int count,
            boolean inPlace,
            boolean onStream,
            SymmetricArray a,
            SymmetricArray b,
            int time) {
        HostArray mine = Data.numbers(type, count, op, me, time);
        SymmetricArray to = inPlace ? a : b;
        to.fill(1);
        a.slice(0, count).copyFrom(mine);
        team.sync();
        if (onStream) {
            team.reduce(to, a, count, op, stream);
        } else {
            team.reduce(to, a, count, op);
        }
        settle(onStream);
        String what = (onStream ? "" : "blocking ") + op + " of " + count + " x " + type + " by " + team;
        Data.assertSame(to.slice(0, count).toHost(), Data.reduced(op, inputs(team, type, count, op, time)), what);
        HostArray guard = to.slice(count, 1).toHost();
        HostArray one = HostArray.allocate(type, 1);
        one.fill(1);
        Data.assertSame(guard, one, "behind the result of " + what);
        team.sync();
    }

    private void reduceScatter(
            Team team,
            DataType type,
            ReduceOp op,
            int count,
            boolean onStream,
            SymmetricArray a,
            SymmetricArray b,
            int time) {
        long all = (long) count * team.size();
        a.slice(0, all).copyFrom(Data.numbers(type, all, op, me, time));
        team.sync();
        if (onStream) {
            team.reduceScatter(b, a, count, op, stream);
        } else {
            team.reduceScatter(b, a, count, op);
        }
        settle(onStream);
        HostArray expected =
                Data.reduced(op, inputs(team, type, all, op, time)).slice((long) team.rank() * count, count);
        Data.assertSame(b.slice(0, count).toHost(), expected, "reduceScatter " + op + " of " + count + " x " + type);
        team.sync();
    }

    private void broadcast(
            Team team,
            DataType type,
            int count,
            int root,
            boolean inPlace,
            boolean onStream,
            SymmetricArray a,
            SymmetricArray b,
            int time) {
        SymmetricArray to = inPlace ? a : b;
        a.slice(0, count).copyFrom(Data.bits(type, count, me, time));
        team.sync();
        if (onStream) {
            team.broadcast(to, a, count, root, stream);
        } else {
            team.broadcast(to, a, count, root);
        }
        settle(onStream);
        Data.assertSame(
                to.slice(0, count).toHost(),
                Data.bits(type, count, team.worldPe(root), time),
                "broadcast of " + count + " x " + type + " from member " + root + " of " + team);
        if (!inPlace) {
            Data.assertSame(a.slice(0, count).toHost(), Data.bits(type, count, me, time), "source");
        }
        team.sync();
    }

    private void fcollect(
            Team team, DataType type, int count, boolean onStream, SymmetricArray a, SymmetricArray b, int time) {
        a.slice(0, count).copyFrom(Data.bits(type, count, me, time));
        team.sync();
        if (onStream) {
            team.fcollect(b, a, count, stream);
        } else {
            team.fcollect(b, a, count);
        }
        settle(onStream);
        Data.assertSame(
                b.slice(0, (long) count * team.size()).toHost(),
                joined(bits(team, type, count, time), 0, count),
                "fcollect of " + count + " x " + type + " by " + team);
        team.sync();
    }

    private void allToAll(
            Team team, DataType type, int count, boolean onStream, SymmetricArray a, SymmetricArray b, int time) {
        long all = (long) count * team.size();
        a.slice(0, all).copyFrom(Data.bits(type, all, me, time));
        team.sync();
        if (onStream) {
            team.allToAll(b, a, count, stream);
        } else {
            team.allToAll(b, a, count);
        }
        settle(onStream);
        Data.assertSame(
                b.slice(0, all).toHost(),
                joined(bits(team, type, all, time), (long) team.rank() * count, count),
                "allToAll of " + count + " x " + type + " by " + team);
        team.sync();
    }

    // ---- all PEs, every type ----

    @ParameterizedTest
    @EnumSource
    void reductions(DataType type) {
        Team team = shmem.world();
        try (SymmetricArray a = shmem.allocate(type, (long) n * MOST + 17_001);
                SymmetricArray b = shmem.allocate(type, MOST + 1)) {
            int time = 0;
            for (ReduceOp op : ReduceOp.values()) {
                if (!Types.reduces(op, type)) {
                    assertThatThrownBy(() -> team.reduce(b, b, 1, op, stream))
                            .isInstanceOf(UnsupportedOperationException.class)
                            .hasMessageContaining(Types.whyNot(op, type));
                    assertThatThrownBy(() -> team.reduceScatter(b, a, 1, op))
                            .isInstanceOf(UnsupportedOperationException.class);
                    continue;
                }
                for (int count : SIZES) {
                    reduce(team, type, op, count, false, true, a, b, ++time);
                    reduceScatter(team, type, op, count, true, a, b, ++time);
                }
                reduce(team, type, op, 77, false, false, a, b, ++time);
                for (int bytes : IN_PLACE) {
                    reduce(team, type, op, bytes / type.bytes(), true, true, a, b, ++time);
                }
                reduceScatter(team, type, op, 55, false, a, b, ++time);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void moves(DataType type) {
        Team team = shmem.world();
        try (SymmetricArray a = shmem.allocate(type, (long) n * MOST);
                SymmetricArray b = shmem.allocate(type, (long) n * MOST)) {
            int time = 0;
            for (int count : SIZES) {
                for (int root = 0; root < n; root++) {
                    broadcast(team, type, count, root, count == 64, true, a, b, ++time);
                }
                fcollect(team, type, count, true, a, b, ++time);
                allToAll(team, type, count, true, a, b, ++time);
            }
            broadcast(team, type, 99, n - 1, false, false, a, b, ++time);
            fcollect(team, type, 99, false, a, b, ++time);
            allToAll(team, type, 99, false, a, b, ++time);
        }
    }

    /** The forms without a count take the arrays' own lengths. */
    @Test
    void wholeArrays() {
        Team team = shmem.world();
        int count = 10;
        try (SymmetricArray part = shmem.allocate(DataType.INT32, count);
                SymmetricArray other = shmem.allocate(DataType.INT32, count);
                SymmetricArray all = shmem.allocate(DataType.INT32, (long) n * count);
                SymmetricArray others = shmem.allocate(DataType.INT32, (long) n * count)) {
            part.copyFrom(Data.numbers(DataType.INT32, count, ReduceOp.SUM, me, 1));
            all.copyFrom(Data.numbers(DataType.INT32, (long) n * count, ReduceOp.SUM, me, 2));
            List<HostArray> parts = inputs(team, DataType.INT32, count, ReduceOp.SUM, 1);
            List<HostArray> alls = inputs(team, DataType.INT32, (long) n * count, ReduceOp.SUM, 2);
            team.sync();
            for (boolean onStream : new boolean[] {true, false}) {
                if (onStream) {
                    team.reduce(other, part, ReduceOp.SUM, stream);
                } else {
                    team.reduce(other, part, ReduceOp.SUM);
                }
                settle(onStream);
                Data.assertSame(other.toHost(), Data.reduced(ReduceOp.SUM, parts), "reduce");
                team.sync();
                if (onStream) {
                    team.reduceScatter(other, all, ReduceOp.SUM, stream);
                } else {
                    team.reduceScatter(other, all, ReduceOp.SUM);
                }
                settle(onStream);
                HostArray sum = Data.reduced(ReduceOp.SUM, alls);
                Data.assertSame(other.toHost(), sum.slice((long) me * count, count), "reduceScatter");
                team.sync();
                if (onStream) {
                    team.broadcast(other, part, n - 1, stream);
                } else {
                    team.broadcast(other, part, n - 1);
                }
                settle(onStream);
                Data.assertSame(other.toHost(), parts.get(n - 1), "broadcast");
                team.sync();
                if (onStream) {
                    team.fcollect(others, part, stream);
                } else {
                    team.fcollect(others, part);
                }
                settle(onStream);
                Data.assertSame(others.toHost(), joined(parts, 0, count), "fcollect");
                team.sync();
                if (onStream) {
                    team.allToAll(others, all, stream);
                } else {
                    team.allToAll(others, all);
                }
                settle(onStream);
                Data.assertSame(others.toHost(), joined(alls, (long) me * count, count), "allToAll");
                team.sync();
            }
        }
    }

    // ---- parts of the PEs ----

    /** Every operation once, with a few types; what other members do in the meantime does not matter. */
    private void everything(Team team) {
        everything(team, DataType.FLOAT32, ReduceOp.SUM);
        everything(team, DataType.INT64, ReduceOp.MAX);
        everything(team, DataType.UINT8, ReduceOp.BXOR);
    }

    private final List<SymmetricArray> room = new ArrayList<>();

    /** Collective over all PEs, so before teams are split. */
    private void makeRoom() {
        for (DataType type : List.of(DataType.FLOAT32, DataType.INT64, DataType.UINT8)) {
            room.add(shmem.allocate(type, n * 300L));
            room.add(shmem.allocate(type, n * 300L));
        }
    }

    private void giveRoomBack() {
        room.forEach(SymmetricArray::close);
        room.clear();
    }

    private void everything(Team team, DataType type, ReduceOp op) {
        SymmetricArray a =
                room.stream().filter(x -> x.type() == type).findFirst().orElseThrow();
        SymmetricArray b =
                room.stream().filter(x -> x.type() == type).skip(1).findFirst().orElseThrow();
        int time = 0;
        for (int count : new int[] {1, 33, 299}) {
            for (boolean onStream : new boolean[] {true, false}) {
                reduce(team, type, op, count, false, onStream, a, b, ++time);
                reduceScatter(team, type, op, count, onStream, a, b, ++time);
                broadcast(team, type, count, team.size() - 1, false, onStream, a, b, ++time);
                fcollect(team, type, count, onStream, a, b, ++time);
                allToAll(team, type, count, onStream, a, b, ++time);
                team.barrier();
                team.barrier(stream);
                // The team's next one is in another stream.
                shmem.synchronize(stream);
            }
        }
    }

    @Test
    void everySecondPe() {
        makeRoom();
        Team even = shmem.world().splitStrided(0, n == 1 ? 1 : 2, (n + 1) / 2);
        if (even != null) {
            assertThat(even.size()).isEqualTo((n + 1) / 2);
            assertThat(even.worldPe(even.rank())).isEqualTo(me);
            everything(even);
            even.close();
        }
        giveRoomBack();
    }

    @Test
    void threeOfThem() {
        Assumptions.assumeTrue(n >= 3, "needs 3 PEs, there are " + n);
        makeRoom();
        for (int start = 0; start + 3 <= n; start++) {
            Team three = shmem.world().splitStrided(start, 1, 3);
            if (three != null) {
                everything(three);
                three.close();
            }
            shmem.barrierAll();
        }
        giveRoomBack();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void rowsAndColumns(int xRange) {
        makeRoom();
        Axes<Team> axes = shmem.world().split2d(xRange);
        assertThat(axes.x().rank()).isEqualTo(me % xRange);
        everything(axes.x());
        everything(axes.y());
        axes.x().close();
        axes.y().close();
        giveRoomBack();
    }

    @Test
    void theTeamsThatThereAre() {
        makeRoom();
        for (Team team : List.of(shmem.world(), shmem.shared(), shmem.node(), shmem.sameMypeNode())) {
            everything(team);
        }
        giveRoomBack();
    }

    // ---- many ----

    /** One behind the other, nothing waited for; each has memory of its own. */
    @Test
    void floods() {
        int rounds = 200;
        int count = 33;
        long all = (long) n * count;
        Team team = shmem.world();
        DataType type = DataType.INT32;
        try (SymmetricArray in = shmem.allocate(type, rounds * all);
                SymmetricArray reduced = shmem.allocate(type, (long) rounds * count);
                SymmetricArray scattered = shmem.allocate(type, (long) rounds * count);
                SymmetricArray sent = shmem.allocate(type, (long) rounds * count);
                SymmetricArray collected = shmem.allocate(type, rounds * all);
                SymmetricArray turned = shmem.allocate(type, rounds * all)) {
            for (int round = 0; round < rounds; round++) {
                in.slice(round * all, all).copyFrom(Data.bits(type, all, me, round));
            }
            shmem.barrierAll();
            for (int round = 0; round < rounds; round++) {
                long at = (long) round * count;
                SymmetricArray from = in.slice(round * all, all);
                team.reduce(reduced.slice(at, count), from.slice(0, count), ReduceOp.SUM, stream);
                team.fcollect(collected.slice(round * all, all), from.slice(0, count), stream);
                team.broadcast(sent.slice(at, count), from.slice(0, count), round % n, stream);
                team.reduceScatter(scattered.slice(at, count), from, ReduceOp.MIN, stream);
                team.allToAll(turned.slice(round * all, all), from, stream);
            }
            shmem.synchronize(stream);
            for (int round = 0; round < rounds; round++) {
                long at = (long) round * count;
                List<HostArray> inputs = bits(team, type, all, round);
                HostArray sums = Data.reduced(ReduceOp.SUM, inputs).slice(0, count);
                Data.assertSame(reduced.slice(at, count).toHost(), sums, "reduce " + round);
                HostArray least = Data.reduced(ReduceOp.MIN, inputs).slice((long) me * count, count);
                Data.assertSame(scattered.slice(at, count).toHost(), least, "reduceScatter " + round);
                HostArray root = inputs.get(round % n).slice(0, count);
                Data.assertSame(sent.slice(at, count).toHost(), root, "broadcast " + round);
                HostArray fronts = joined(inputs, 0, count);
                Data.assertSame(collected.slice(round * all, all).toHost(), fronts, "fcollect " + round);
                HostArray parts = joined(inputs, (long) me * count, count);
                Data.assertSame(turned.slice(round * all, all).toHost(), parts, "allToAll " + round);
            }
            shmem.barrierAll();
        }
    }

    @Test
    void blockingFloods() {
        Team team = shmem.world();
        Random random = new Random(Data.seed());
        try (SymmetricArray x = shmem.allocate(DataType.FLOAT64, 64)) {
            for (int round = 0; round < 100; round++) {
                int count = 1 + random.nextInt(64);
                x.fill(me + round);
                team.sync();
                team.reduce(x, x, count, ReduceOp.SUM);
                assertThat(x.toHost().getDouble(count - 1)).isEqualTo(n * (n - 1) / 2.0 + (double) n * round);
                team.sync();
            }
        }
    }

    // ---- what is refused ----

    @Test
    void argumentsThatDoNotFit() {
        Team team = shmem.world();
        try (SymmetricArray x = shmem.allocate(DataType.INT32, 12);
                SymmetricArray y = shmem.allocate(DataType.INT32, 13);
                SymmetricArray z = shmem.allocate(DataType.FLOAT32, 12)) {
            assertThatThrownBy(() -> team.reduce(x, y, ReduceOp.SUM, stream))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("reduce of Team[")
                    .hasMessageContaining("on PE " + me + " of " + n)
                    .hasMessageContaining("do not fit together; they have the same count, or pass a count");
            assertThatThrownBy(() -> team.reduce(x, y, 13, ReduceOp.SUM))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("13 elements leave destination");
            assertThatThrownBy(() -> team.reduce(x, y, -1, ReduceOp.SUM)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> team.reduce(z, x, ReduceOp.SUM))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not have the type of source");
            assertThatThrownBy(() -> team.fcollect(x, y)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> team.fcollect(y, x, Long.MAX_VALUE - 1))
                    .isInstanceOfAny(IllegalArgumentException.class, IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> team.allToAll(x, y)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> team.broadcast(x, y, 5, n, stream))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("root " + n + " is not a member's number");
            assertThatThrownBy(() -> team.broadcast(x, y, 5, -1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void memoryThatOverlaps() {
        Team team = shmem.world();
        try (SymmetricArray x = shmem.allocate(DataType.INT32, 10L * n + 10)) {
            assertThatThrownBy(() -> team.reduce(x.slice(1, 5), x.slice(0, 5), ReduceOp.SUM))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("in place both begin at the same element");
            assertThatThrownBy(() -> team.fcollect(x.slice(0, 5L * n), x.slice(0, 5)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("this operation has no in-place form");
            assertThatThrownBy(() -> team.allToAll(x.slice(0, 5L * n), x.slice(0, 5L * n), stream))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> team.reduceScatter(x.slice(0, 5), x.slice(0, 5L * n), ReduceOp.SUM))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> team.broadcast(x.slice(3, 5), x.slice(0, 5), 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aTeamThatIsClosed() {
        Team copy = shmem.world().splitStrided(0, 1, n);
        assertThat(copy).isNotNull();
        try (SymmetricArray x = shmem.allocate(DataType.INT32, 3)) {
            copy.close();
            assertThatThrownBy(() -> copy.reduce(x, x, ReduceOp.SUM)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(copy::barrier).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> copy.sync(stream)).isInstanceOf(IllegalStateException.class);
        }
    }
}
