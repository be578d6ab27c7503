// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.contract.Case.Memory;
import org.comm4j.core.contract.Case.Values;
import org.comm4j.core.contract.Case.Via;
import org.comm4j.core.spi.Call;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every collective with every type, reduction, number of ranks that there can be and kind of size gives what {@link
 * Reference} gives, and touches nothing else. Each test starts its ranks once and sends a whole table of cases through
 * them.
 */
public abstract class CollectiveContract extends Contract {
    /** Bytes that take long with many collectives. */
    private static final long LARGE = 100_000;

    protected CollectiveContract(ContractEngine engine) {
        super(engine);
    }

    /** All numbers by night; else several ranks, another number for another collective. */
    Stream<Arguments> collectivesAndRanks() {
        List<Integer> sizes = Sizes.upTo(engine.mostRanks());
        List<Integer> several = sizes.size() == 1 ? sizes : sizes.subList(1, sizes.size());
        return Nightly.isOn()
                ? of(sizes)
                : Stream.of(Collective.values())
                        .flatMap(each -> Nightly.variants(each.ordinal(), several).stream()
                                .map(ranks -> Arguments.of(each, ranks)));
    }

    /** The largest number of ranks, for what depends on sizes more than on ranks; by night all. */
    Stream<Arguments> collectivesAndMostRanks() {
        List<Integer> sizes = Sizes.upTo(engine.mostRanks());
        return of(Nightly.isOn() ? sizes : List.of(sizes.getLast()));
    }

    private static Stream<Arguments> of(List<Integer> sizes) {
        return Stream.of(Collective.values()).flatMap(each -> sizes.stream().map(ranks -> Arguments.of(each, ranks)));
    }

    /** Every type and reduction: empty, one, few, some, and more than a staging buffer holds. */
    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("collectivesAndRanks")
    void everyTypeAndReduction(Collective collective, int ranks) {
        SplittableRandom random = random("types " + collective + ranks);
        Table table = new Table(collective, ranks, random);
        for (DataType type : DataType.values()) {
            List<@Nullable ReduceOp> ops = reductions(collective, type);
            for (int i = 0; i < ops.size(); i++) {
                ReduceOp op = ops.get(i);
                table.add(type, op, 3 + 2 * random.nextInt(20), Values.EXACT);
                table.add(type, op, 1 + random.nextInt(Nightly.times(150, 1500)), Values.EXTREME);
                // What depends less on the reduction: with one of each type, by night with all.
                if (Nightly.isOn() || i == type.ordinal() % ops.size()) {
                    table.add(type, op, 0, Values.RANDOM);
                    table.add(type, op, 1, Values.RANDOM);
                    // And long ones with a third of the types, others with another collective.
                    if (Nightly.isOn() || (type.ordinal() + collective.ordinal()) % 3 == 0) {
                        table.add(type, op, table.beyond(engine.beyondStaging(), type), Values.RANDOM);
                    }
                }
            }
        }
        table.run();
    }

    /**
     * One element below, at and above each size at which an engine may change its way, with every root; of large sizes
     * one of the three, unless there is much time, another one for another collective.
     */
    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("collectivesAndMostRanks")
    void aroundPowersOfTwo(Collective collective, int ranks) {
        SplittableRandom random = random("powers " + collective + ranks);
        Table table = new Table(collective, ranks, random);
        List<DataType> types = List.of(DataType.INT8, DataType.FLOAT32, DataType.COMPLEX128);
        for (DataType type : Nightly.variants(collective.ordinal(), types)) {
            long[] points = engine.turningPoints();
            // Few elements, as each takes its time.
            DataType ofLarge = Nightly.isOn() ? type : DataType.COMPLEX128;
            for (int i = 0; i < points.length; i++) {
                List<Integer> around = List.of(-1, 0, 1);
                boolean isLarge = points[i] >= LARGE;
                DataType here = isLarge ? ofLarge : type;
                for (int more : isLarge ? Nightly.variants(collective.ordinal() + i, around) : around) {
                    table.add(here, ReduceOp.SUM, points[i] / here.bytes() + more, Values.RANDOM);
                }
            }
            if (Nightly.isOn() || collective.ordinal() % 3 == 0) {
                table.add(ofLarge, ReduceOp.SUM, table.beyond(1 << 20, ofLarge), Values.RANDOM);
            }
        }
        table.run();
    }

    /** Sizes of real programs. */
    @RankCounts({1, 2, 3, 8})
    @Tag("nightly")
    void large(int ranks) {
        for (Collective collective : Collective.values()) {
            SplittableRandom random = random("large " + collective + ranks);
            Table table = new Table(collective, ranks, random);
            for (DataType type : List.of(DataType.UINT8, DataType.BFLOAT16, DataType.FLOAT64)) {
                table.add(type, ReduceOp.SUM, table.beyond(3 << 20, type), Values.RANDOM);
            }
            if (ranks == 2 || ranks == 3 && collective == Collective.ALL_REDUCE) {
                table.add(DataType.FLOAT32, ReduceOp.SUM, table.beyond(40 << 20, DataType.FLOAT32), Values.RANDOM);
            }
            table.run();
        }
    }

    /** Small calls without a pause: whoever is ahead must not disturb who is still busy with an earlier call. */
    @RankCounts
    void floodOfDifferentCollectives(int ranks) {
        SplittableRandom random = random("flood " + ranks);
        Collective[] collectives = Collective.values();
        DataType[] types = DataType.values();
        record Step(Collective collective, Case c) {}
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < engine.times(Nightly.times(250, 1500)); i++) {
            Collective collective = collectives[random.nextInt(collectives.length)];
            DataType type = types[random.nextInt(types.length)];
            ReduceOp op = collective.reduces ? ReduceOp.SUM : null;
            steps.add(
                    new Step(collective, next(collective, ranks, random, type, op, random.nextInt(20), Values.RANDOM)));
        }
        probe(ranks, 8 << 10, p -> {
            for (Step step : steps) {
                step.collective.run(p, step.c);
            }
        });
    }

    /** The same data gives the same bits on every rank, and in every run. */
    @RankCounts
    void bitIdentical(int ranks) {
        List<DataType> types = Stream.of(
                        DataType.FLOAT16,
                        DataType.BFLOAT16,
                        DataType.FLOAT8_E4M3,
                        DataType.FLOAT32,
                        DataType.COMPLEX128)
                .filter(type -> engine.supports(Call.Kind.ALL_REDUCE, type, ReduceOp.SUM))
                .toList();
        List<Map<Integer, List<Integer>>> runs = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            Map<Integer, List<Integer>> hashes = new ConcurrentHashMap<>();
            runs.add(hashes);
            probe(ranks, 256 << 10, p -> {
                List<Integer> mine = new ArrayList<>();
                for (DataType type : types) {
                    for (long count : new long[] {5, 1000, 15_001}) {
                        p.at(type + " count " + count);
                        Buffer data = p.buffer("data", type, count, count == 1000);
                        HostArray input = HostArray.allocate(type, count);
                        Inputs.fill(input, Values.RANDOM, SEED, p.rank);
                        data.copyFrom(input);
                        p.comm.allReduce(data, data, ReduceOp.SUM);
                        mine.add(Arrays.hashCode(Probe.host(data).segment().toArray(ValueLayout.JAVA_BYTE)));
                    }
                }
                hashes.put(p.rank, mine);
                Buffer all = p.ints(ranks * mine.size());
                HostArray own =
                        HostArray.of(mine.stream().mapToInt(Integer::intValue).toArray());
                p.comm.allGather(p.of(own), all);
                for (int r = 0; r < ranks; r++) {
                    p.expect("hashes of the results of rank " + r, all.slice((long) r * mine.size(), mine.size()), own);
                }
            });
        }
        assertThat(runs.get(1)).isEqualTo(runs.get(0));
    }

    private static List<@Nullable ReduceOp> reductions(Collective collective, DataType type) {
        List<@Nullable ReduceOp> ops = new ArrayList<>();
        if (!collective.reduces) {
            ops.add(null);
        }
        for (ReduceOp op : ReduceOp.values()) {
            if (collective.reduces && op.supports(type)) {
                ops.add(op);
            }
        }
        return ops;
    }

    private Case next(
            Collective collective,
            int ranks,
            SplittableRandom random,
            DataType type,
            @Nullable ReduceOp op,
            long count,
            Values values) {
        return new Case(
                type,
                collective.reduces ? op : null,
                count,
                random.nextInt(ranks),
                random.nextBoolean() && collective.hasInPlaceForm(),
                Memory.values()[random.nextInt(3)],
                // Mostly the blocking calls, the others now and then.
                Via.values()[Math.max(0, random.nextInt(6) - 3)],
                engine.reducesInRankOrder() ? values : Values.EXACT,
                random.nextLong());
    }

    /** The cases of one collective. */
    private final class Table {
        private final Collective collective;
        private final int ranks;
        private final SplittableRandom random;
        private final List<Case> cases = new ArrayList<>();
        private long largest;

        Table(Collective collective, int ranks, SplittableRandom random) {
            this.collective = collective;
            this.ranks = ranks;
            this.random = random;
        }

        /** A count, odd, for which a rank's larger buffer has more than {@code bytes} bytes. */
        long beyond(long bytes, DataType type) {
            return (bytes / type.bytes() / (collective.parts ? ranks : 1) + 2) | 1;
        }

        void add(DataType type, @Nullable ReduceOp op, long count, Values values) {
            cases.add(next(collective, ranks, random, type, op, count, values));
            // Uneven parts have gaps of up to two elements between them.
            long total = collective.parts ? ranks * (count + 2) + 2 : count;
            largest = Math.max(largest, total * type.bytes());
        }

        void run() {
            probe(ranks, largest, p -> {
                for (Case c : cases) {
                    collective.run(p, c);
                }
            });
        }
    }
}
