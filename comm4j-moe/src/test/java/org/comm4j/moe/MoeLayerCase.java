// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.device.ShmemPe;

/**
 * A layer of one shape, and dispatches and combines of it beside {@link MoeOracle}, to the bit. All PEs make the same
 * one.
 *
 * @param output of combine
 * @param routeType of the experts' numbers
 * @param drops of a hundred choices
 * @param skew whether most choices are of few experts
 * @param blocks of kernels, different on each PE if 0
 */
record MoeLayerCase(
        MoeShape shape,
        MoeOptions options,
        DataType output,
        DataType routeType,
        int drops,
        boolean skew,
        int blocks,
        long seed) {
    /** Rows of the output behind those of tokens. */
    private static final int REST = 2;

    /** One of any shape. */
    static MoeLayerCase random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int experts = random.nextInt(4) == 0 ? random.nextInt(1, 6) : random.nextInt(3, 70);
        int choices = random.nextInt(3) == 0 ? random.nextInt(1, 33) : random.nextInt(1, 9);
        DataType[] inputs = {DataType.BFLOAT16, DataType.FLOAT32, DataType.FLOAT16, DataType.FLOAT8_E4M3, DataType.UINT8
        };
        DataType input = inputs[random.nextInt(inputs.length)];
        int hidden = random.nextInt(1, 12) * 16 / input.bytes();
        int tokens = random.nextInt(1, 20);
        DataType[] outputs = {DataType.BFLOAT16, DataType.FLOAT32, DataType.FLOAT16};
        MoeOptions options =
                MoeOptions.DEFAULT.results(outputs[random.nextInt(3)]).inFlight(random.nextInt(1, 4));
        if (random.nextBoolean()) {
            options = options.layout(ExpertLayout.RAGGED).padding(random.nextInt(1, 20));
        }
        DataType[] routes = {DataType.INT32, DataType.UINT32, DataType.INT64};
        return new MoeLayerCase(
                MoeShape.experts(experts)
                        .perToken(choices)
                        .hidden(hidden)
                        .tokens(tokens)
                        .input(input),
                options,
                outputs[random.nextInt(3)],
                routes[random.nextInt(3)],
                random.nextInt(3) == 0 ? random.nextInt(101) : 0,
                random.nextInt(3) == 0,
                random.nextInt(3),
                seed);
    }

    /** So many rounds, some of them with several dispatches before the first combine. */
    void run(ShmemPe pe, int rounds) {
        try (ExpertParallel ep = ExpertParallel.of(pe, shape, options)) {
            ep.blocks(blocks > 0 ? blocks : 1 + (pe.myPe() + (int) (seed & 3)) % 4);
            assertThat(ep.localExperts())
                    .isEqualTo(new MoeOracle(shape.experts(), new long[pe.nPes()][0][0])
                            .of(pe.myPe())
                            .size());
            SplittableRandom random = new SplittableRandom(seed ^ 0x5eed);
            for (int round = 0; round < rounds; round++) {
                int together = 1 + random.nextInt(options.inFlight());
                List<Flight> flights = new ArrayList<>();
                for (int i = 0; i < together; i++) {
                    Flight flight = new Flight(pe, random.nextLong());
                    flight.dispatch(ep);
                    flights.add(flight);
                }
                // Any order.
                while (!flights.isEmpty()) {
                    Flight flight = flights.remove(random.nextInt(flights.size()));
                    flight.judgeRows();
                    flight.answer();
                    flight.combine(ep);
                }
            }
        }
    }

    /** A dispatch and its combine. */
    private final class Flight {
        private final ShmemPe pe;
        private final long salt;
        private final long[][][] chosen;
        private final MoeOracle oracle;
        private final int tokens;
        private Routed routed;

        Flight(ShmemPe pe, long salt) {
            this.pe = pe;
            this.salt = salt;
            SplittableRandom random = new SplittableRandom(salt);
            chosen = new long[pe.nPes()][][];
            int[] counts = new int[shape.experts()];
            int room = options.layout() == ExpertLayout.PADDED ? shape.tokens() * pe.nPes() : Integer.MAX_VALUE;
            for (int each = 0; each < pe.nPes(); each++) {
                int most = shape.tokens();
                int m = random.nextInt(4) == 0 ? random.nextInt(3) == 0 ? 0 : most : random.nextInt(most + 1);
                chosen[each] = new long[m][shape.perToken()];
                for (long[] token : chosen[each]) {
                    for (int k = 0; k < token.length; k++) {
                        int bound = skew && random.nextInt(5) > 0 ? Math.min(shape.experts(), 2) : shape.experts();
                        int expert = random.nextInt(bound);
                        // An area has room for one choice of each token.
                        boolean drop = random.nextInt(100) < drops || counts[expert] == room;
                        token[k] = drop ? -1 : expert;
                        counts[expert] += drop ? 0 : 1;
                    }
                }
            }
            oracle = new MoeOracle(shape.experts(), chosen);
            tokens = chosen[pe.myPe()].length;
        }

        private Buffer memory(HostArray from) {
            if (!pe.onGpu()) {
                return from;
            }
            Buffer to = pe.nvshmem().device().allocate(from.type(), from.count());
            to.copyFrom(from);
            return to;
        }

        private byte element(int source, int token, int at) {
            return (byte) (MoeOracle.hash(salt, source, token, at / 8) >>> at % 8 * 8);
        }

        void dispatch(ExpertParallel ep) {
            HostArray x = HostArray.allocate(shape.input(), (long) tokens * shape.hidden());
            MemorySegment bytes = x.segment();
            int row = shape.inputBytes();
            for (int t = 0; t < tokens; t++) {
                for (int i = 0; i < row; i++) {
                    bytes.set(ValueLayout.JAVA_BYTE, (long) t * row + i, element(pe.myPe(), t, i));
                }
            }
            HostArray routes = HostArray.allocate(routeType, (long) tokens * shape.perToken());
            for (int t = 0; t < tokens; t++) {
                for (int k = 0; k < shape.perToken(); k++) {
                    routes.setLong((long) t * shape.perToken() + k, chosen[pe.myPe()][t][k]);
                }
            }
            routed = ep.dispatch(memory(x), memory(routes), tokens);
            assertThat(routed.tokens()).isEqualTo(tokens);
        }

        /** The first row of each expert of this PE, and behind the last. */
        private int[] starts() {
            List<List<MoeOracle.Row>> local = oracle.of(pe.myPe());
            int[] starts = new int[local.size() + 1];
            for (int e = 0; e < local.size(); e++) {
                int padding = options.padding();
                starts[e + 1] = options.layout() == ExpertLayout.PADDED
                        ? (e + 1) * shape.tokens() * pe.nPes()
                        : starts[e] + (local.get(e).size() + padding - 1) / padding * padding;
            }
            return starts;
        }

        void judgeRows() {
            List<List<MoeOracle.Row>> local = oracle.of(pe.myPe());
            int[] starts = starts();
            assertThat(routed.counts().toIntArray())
                    .containsExactly(local.stream().mapToInt(List::size).toArray());
            if (options.layout() == ExpertLayout.RAGGED) {
                assertThat(routed.starts().toIntArray()).containsExactly(starts);
                int[] experts = new int[(int) routed.rowExperts().count()];
                java.util.Arrays.fill(experts, -1);
                for (int e = 0; e < local.size(); e++) {
                    java.util.Arrays.fill(
                            experts, starts[e], starts[e] + local.get(e).size(), e);
                }
                assertThat(routed.rowExperts().toIntArray()).containsExactly(experts);
            }
            HostArray x = routed.x().toHost();
            assertThat(x.type()).isEqualTo(shape.input());
            MemorySegment bytes = x.segment();
            int row = shape.inputBytes();
            for (int e = 0; e < local.size(); e++) {
                for (int j = 0; j < local.get(e).size(); j++) {
                    MoeOracle.Row from = local.get(e).get(j);
                    for (int i = 0; i < row; i++) {
                        byte found = bytes.get(ValueLayout.JAVA_BYTE, (long) (starts[e] + j) * row + i);
                        if (found != element(from.pe(), from.token(), i)) {
                            throw new AssertionError("row " + j + " of local expert " + e + " on PE " + pe.myPe()
                                    + " is not " + from + " at byte " + i);
                        }
                    }
                }
            }
        }

        private float result(int source, int token, int choice, int expert, int element) {
            return MoeOracle.rounded(
                    options.results(shape), MoeOracle.value(salt, source, token, choice, expert, element));
        }

        private float weight(int source, int token, int choice) {
            return MoeOracle.value(salt, source, token, choice);
        }

        void answer() {
            HostArray all = routed.results().toHost();
            List<List<MoeOracle.Row>> local = oracle.of(pe.myPe());
            int first = ExpertPlacement.even(shape.experts(), pe.nPes()).first(pe.myPe());
            int[] starts = starts();
            for (int e = 0; e < local.size(); e++) {
                for (int j = 0; j < local.get(e).size(); j++) {
                    MoeOracle.Row from = local.get(e).get(j);
                    for (int i = 0; i < shape.hidden(); i++) {
                        all.setDouble(
                                (long) (starts[e] + j) * shape.hidden() + i,
                                result(from.pe(), from.token(), from.choice(), first + e, i));
                    }
                }
            }
            routed.results().copyFrom(all);
        }

        void combine(ExpertParallel ep) {
            HostArray weights = HostArray.allocate(DataType.FLOAT32, (long) tokens * shape.perToken());
            for (int t = 0; t < tokens; t++) {
                for (int k = 0; k < shape.perToken(); k++) {
                    weights.setDouble((long) t * shape.perToken() + k, weight(pe.myPe(), t, k));
                }
            }
            Buffer out = memory(HostArray.allocate(output, (long) (tokens + REST) * shape.hidden()));
            out.fill(7);
            ep.combine(out, routed, memory(weights));
            HostArray sums = out.toHost();
            for (int t = 0; t < tokens + REST; t++) {
                for (int i = 0; i < shape.hidden(); i++) {
                    float expected = t < tokens
                            ? MoeOracle.rounded(output, oracle.sum(pe.myPe(), t, this::result, this::weight, i))
                            : 7;
                    float found = (float) sums.getDouble((long) t * shape.hidden() + i);
                    if (Float.floatToIntBits(found) != Float.floatToIntBits(expected)) {
                        throw new AssertionError("token " + t + " of " + tokens + " on PE " + pe.myPe() + ", element "
                                + i + ": " + found + " instead of " + expected);
                    }
                }
            }
        }
    }
}
