// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.comm4j.core.DataType;
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
    private static final DataType[] INPUTS = {
        DataType.BFLOAT16, DataType.FLOAT32, DataType.FLOAT16, DataType.FLOAT8_E4M3, DataType.UINT8
    };
    private static final DataType[] SUMS = {DataType.BFLOAT16, DataType.FLOAT32, DataType.FLOAT16};
    private static final DataType[] ROUTES = {DataType.INT32, DataType.UINT32, DataType.INT64};

    /** One of any shape, for so many PEs. */
    static MoeLayerCase random(int pes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int experts = random.nextInt(4) == 0 ? random.nextInt(1, 6) : random.nextInt(3, 70);
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
        if (random.nextBoolean()) {
            options = options.layout(ExpertLayout.RAGGED).padding(random.nextInt(1, 20));
        }
        if (pes % 2 == 0 && random.nextInt(3) == 0) {
            options = options.group(2);
        }
        return new MoeLayerCase(
                shape,
                options,
                SUMS[random.nextInt(3)],
                ROUTES[random.nextInt(3)],
                random.nextInt(3) == 0 ? random.nextInt(101) : 0,
                random.nextInt(3) == 0,
                random.nextInt(3),
                seed);
    }

    /** So many rounds, some of them with several dispatches before the first combine. */
    void run(ShmemPe pe, int rounds) {
        try (ExpertParallel ep = ExpertParallel.of(pe, shape, options)) {
            ep.blocks(blocks > 0 ? blocks : 1 + (pe.myPe() + (int) (seed & 3)) % 4);
            SplittableRandom random = new SplittableRandom(seed ^ 0x5eed);
            for (int round = 0; round < rounds; round++) {
                int together = 1 + random.nextInt(options.inFlight());
                List<MoeFlight> flights = new ArrayList<>();
                for (int i = 0; i < together; i++) {
                    MoeFlight flight = new MoeFlight(this, pe, ep, random.nextLong());
                    flight.dispatch();
                    flights.add(flight);
                }
                // Any order.
                while (!flights.isEmpty()) {
                    MoeFlight flight = flights.remove(random.nextInt(flights.size()));
                    flight.judgeRows();
                    flight.answer();
                    flight.combine();
                }
            }
            assertThat(ep.localExperts())
                    .isEqualTo(new MoeOracle(shape.experts(), pe.nPes(), new long[0][][])
                            .of(pe.myPe())
                            .size());
        }
    }
}
