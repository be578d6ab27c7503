// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.comm4j.core.DataType;
import org.comm4j.cuda.CudaException;
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
 * @param replicas whether experts are placed by tables, another one from time to time
 */
record MoeLayerCase(
        MoeShape shape,
        MoeOptions options,
        DataType output,
        DataType routeType,
        int drops,
        boolean skew,
        int blocks,
        boolean replicas,
        long seed) {
    private static final DataType[] INPUTS = {
        DataType.BFLOAT16, DataType.FLOAT32, DataType.FLOAT16, DataType.FLOAT8_E4M3, DataType.UINT8
    };
    private static final DataType[] SUMS = {DataType.BFLOAT16, DataType.FLOAT32, DataType.FLOAT16};
    private static final DataType[] ROUTES = {DataType.INT32, DataType.UINT32, DataType.INT64};

    /** One of any shape, for so many PEs. */
    static MoeLayerCase random(int pes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        // Few have up to 512 experts, or rows of up to 16384 elements.
        SplittableRandom wide = new SplittableRandom(seed ^ 0xface);
        int kind = wide.nextInt(20);
        int some = random.nextInt(4) == 0 ? random.nextInt(1, 6) : random.nextInt(3, 70);
        int experts = kind == 0 ? wide.nextInt(70, 513) : some;
        int choices = random.nextInt(3) == 0 ? random.nextInt(1, 33) : random.nextInt(1, 9);
        Quantization quantize = Quantization.values()[Math.max(random.nextInt(-2, 3), 0)];
        DataType input = INPUTS[random.nextInt(quantize == Quantization.NONE ? 5 : 3)];
        int hidden =
                quantize == Quantization.NONE ? random.nextInt(1, 12) * 16 / input.bytes() : random.nextInt(1, 24) * 16;
        MoeShape shape = MoeShape.experts(experts)
                .perToken(choices)
                .hidden(hidden)
                .tokens(random.nextInt(1, 20))
                .input(input);
        if (kind < 2) {
            shape = shape.tokens(wide.nextInt(1, 5));
        }
        if (kind == 1) {
            int step = quantize == Quantization.NONE ? 16 / input.bytes() : 16;
            shape = shape.hidden(wide.nextInt(1, 16384 / step + 1) * step);
        }
        MoeOptions options = MoeOptions.DEFAULT
                .results(SUMS[random.nextInt(3)])
                .inFlight(random.nextInt(1, 4))
                .quantize(quantize)
                .scaleColumns(random.nextBoolean());
        if (quantize == Quantization.NONE && random.nextBoolean()) {
            shape = shape.scales(random.nextInt(1, 9), random.nextBoolean() ? DataType.FLOAT32 : DataType.UINT8);
        }
        for (int i = random.nextInt(-4, MoeShape.MOST_PAYLOADS + 1); i > 0; i--) {
            shape = shape.payload(4 * random.nextInt(1, 5));
        }
        if (shape.hidden() % 16 == 0 && wide.nextInt(3) == 0) {
            options = options.results(DataType.FLOAT8_E4M3);
        }
        if (quantize == Quantization.FP8_BLOCK_128 && wide.nextBoolean()) {
            options = options.quantize(Quantization.FP8_ROW);
        }
        if (random.nextBoolean()) {
            options = options.layout(ExpertLayout.RAGGED).padding(random.nextInt(1, 20));
        }
        if (pes % 2 == 0 && random.nextInt(3) == 0) {
            options = options.group(2);
        }
        boolean replicas = random.nextInt(3) == 0;
        if (replicas) {
            options = options.localExperts(experts);
        }
        return new MoeLayerCase(
                shape,
                options,
                SUMS[random.nextInt(3)],
                ROUTES[random.nextInt(3)],
                random.nextInt(3) == 0 ? random.nextInt(101) : 0,
                random.nextInt(3) == 0,
                random.nextInt(3),
                replicas,
                seed);
    }

    /** So many rounds, some of them with several dispatches before the first combine. */
    void run(ShmemPe pe, int rounds) {
        try (ExpertParallel ep = ExpertParallel.of(pe, shape, options)) {
            run(pe, ep, rounds);
        }
    }

    /** The same without groups of PEs. */
    MoeLayerCase alone() {
        return new MoeLayerCase(shape, options.group(1), output, routeType, drops, skew, blocks, replicas, seed);
    }

    /** So many rounds of an exchange of this shape. */
    void run(ShmemPe pe, ExpertParallel ep, int rounds) {
        run(pe, ep, rounds, 0);
    }

    /** The same where so many neighbours reach each other; 0 for all. */
    void run(ShmemPe pe, ExpertParallel ep, int rounds, int reach) {
        ep.blocks(blocks > 0 ? blocks : 1 + (pe.myPe() + (int) (seed & 3)) % 4);
        SplittableRandom random = new SplittableRandom(seed ^ 0x5eed);
        // Some go on beyond the last epoch.
        if (random.nextInt(3) == 0) {
            ep.epochs(-2);
        }
        int[][] placed = MoeOracle.even(shape.experts(), pe.nPes());
        long[] load = new long[shape.experts()];
        for (int round = 0; round < rounds; round++) {
            if (replicas && round != 1) {
                placed = placed(pe.nPes(), random);
                ep.placement(ExpertPlacement.of(pe.nPes(), placed));
            }
            int together = 1 + random.nextInt(options.inFlight());
            List<MoeFlight> flights = new ArrayList<>();
            for (int i = 0; i < together; i++) {
                MoeFlight flight = new MoeFlight(this, pe, ep, placed, reach, random.nextLong());
                step(pe, round, "before a dispatch", () -> {});
                step(pe, round, "dispatch", flight::dispatch);
                flights.add(flight);
                long[] more = flight.oracle().load();
                Arrays.setAll(load, e -> load[e] + more[e]);
            }
            assertThat(ep.load().toLongArray()).containsExactly(load);
            // Any order.
            while (!flights.isEmpty()) {
                MoeFlight flight = flights.remove(random.nextInt(flights.size()));
                flight.judgeRows();
                flight.answer();
                step(pe, round, "combine", flight::combine);
                if (flights.size() < options.inFlight() - 1 && random.nextBoolean()) {
                    step(pe, round, "backward", flight::backward);
                }
            }
        }
    }

    /** Waits for the whole GPU after it, so that an error of a kernel is one of the step that launched it. */
    private static void step(ShmemPe pe, int round, String name, Runnable body) {
        try {
            body.run();
            if (pe.onGpu()) {
                pe.nvshmem().device().synchronize();
            }
        } catch (CudaException e) {
            throw new AssertionError("round " + round + ", " + name + " on PE " + pe.myPe(), e);
        }
    }

    /** Each expert on one PE, or on several. */
    private int[][] placed(int pes, SplittableRandom random) {
        int[][] placed = new int[shape.experts()][];
        for (int e = 0; e < placed.length; e++) {
            int count = 1 + random.nextInt(Math.min(pes, 3));
            int first = random.nextInt(pes);
            placed[e] = IntStream.range(0, count)
                    .map(i -> (first + i) % pes)
                    .sorted()
                    .toArray();
        }
        return placed;
    }
}
