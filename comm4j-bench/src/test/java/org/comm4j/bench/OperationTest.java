// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationTest {
    @ParameterizedTest
    @CsvSource({
        "all_reduce,ALL_REDUCE",
        "allReduce,ALL_REDUCE",
        "allreduce,ALL_REDUCE",
        "alltoall,ALL_TO_ALL",
        "all_to_all,ALL_TO_ALL",
        "allToAll,ALL_TO_ALL",
        "sendrecv,SEND_RECV",
        "reduce-scatter,REDUCE_SCATTER",
        "PUT,PUT"
    })
    void hasTheNamesOfNcclTestsAndOurs(String name, Operation operation) {
        assertThat(Operation.named(name)).isEqualTo(operation);
    }

    @Test
    void anUnknownNameIsAnsweredWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Operation.named("allgatherv"))
                .withMessageContainingAll("'allgatherv'", "all_reduce", "sendrecv", "all for");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.types("float128"))
                .withMessageContaining("bfloat16");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.reductions("mulsum"))
                .withMessageContaining("bxor");
    }

    @Test
    void typesAndReductionsHaveBothNames() {
        assertThat(Names.types("half")).containsExactly(DataType.FLOAT16);
        assertThat(Names.types("float16")).containsExactly(DataType.FLOAT16);
        assertThat(Names.types("f8e4m3")).containsExactly(DataType.FLOAT8_E4M3);
        assertThat(Names.types("all")).containsExactly(DataType.values());
        assertThat(Names.reductions("avg")).containsExactly(ReduceOp.AVG);
        assertThat(Names.reductions("all")).containsExactly(ReduceOp.values());
    }

    /** 4 ranks, 1 GB in 0.1 s. Bus bandwidths by hand: 10 · 2 · 3/4, 10 · 3/4, 10. */
    @ParameterizedTest
    @CsvSource({
        "ALL_REDUCE,15",
        "ALL_GATHER,7.5",
        "REDUCE_SCATTER,7.5",
        "ALL_TO_ALL,7.5",
        "ALL_TO_ALL_V,7.5",
        "GATHER,7.5",
        "SCATTER,7.5",
        "BROADCAST,10",
        "REDUCE,10",
        "SEND_RECV,10",
        "PUT,10",
        "GET,10"
    })
    void bandwidthsAreThoseOfNcclTests(Operation operation, double bus) {
        Row.Timing timing = Row.Timing.of(operation, 1_000_000_000, 4, 0.1, 0, null);
        assertThat(timing.algorithmBandwidth()).isEqualTo(10, within(1e-9));
        assertThat(timing.busBandwidth()).isEqualTo(bus, within(1e-9));
    }

    /** 1000 bytes of floats on 3 ranks: 250 elements, or 3 parts of 83, of which 80 are whole multiples of 16 bytes. */
    @ParameterizedTest
    @CsvSource({
        "ALL_REDUCE,250,250,250",
        "SEND_RECV,250,250,250",
        "PUT,250,250,250",
        "ALL_GATHER,80,240,80",
        "GATHER,80,240,80",
        "REDUCE_SCATTER,240,80,80",
        "SCATTER,240,80,80",
        "ALL_TO_ALL,240,240,80",
        "ALL_TO_ALL_V,240,240,80",
        "HYPERCUBE,80,240,80"
    })
    void countsAreThoseOfNcclTests(Operation operation, long send, long recv, long count) {
        assertThat(operation.shape(1000, DataType.FLOAT32, 3)).isEqualTo(new Operation.Shape(send, recv, count));
    }

    /** 3 of 4 parts count: 1 GB in 0.1 s. */
    @Test
    void theHypercubesBandwidthIsOfWhatIsReceived() {
        Row.Timing timing = Row.Timing.of(Operation.HYPERCUBE, 1_000_000_000, 4, 0.1, 0, null);
        assertThat(timing.algorithmBandwidth()).isEqualTo(7.5, within(1e-9));
        assertThat(timing.busBandwidth()).isEqualTo(7.5, within(1e-9));
    }

    /** 100 elements on the average, 4 ranks: 0, 66.7, 133.3 and 200, rounded down to 16 bytes. */
    @Test
    void unequalPartsGrowWithTheDistance() {
        long[] parts = IntStream.range(0, 4)
                .mapToLong(distance -> Operation.partAt(distance, 100, DataType.FLOAT32, 4))
                .toArray();
        assertThat(parts).containsExactly(0, 64, 132, 200);
        assertThat(Operation.ALL_TO_ALL_V.shape(1600, DataType.FLOAT32, 4))
                .isEqualTo(new Operation.Shape(396, 396, 100));
        assertThat(Operation.ALL_TO_ALL_V.shape(1600, DataType.FLOAT32, 1))
                .isEqualTo(new Operation.Shape(400, 400, 400));
    }

    @Test
    void partsOfTheWidestTypeAreWholeElements() {
        assertThat(Operation.ALL_GATHER.shape(160, DataType.COMPLEX128, 3)).isEqualTo(new Operation.Shape(3, 9, 3));
        assertThat(Operation.ALL_GATHER.shape(8, DataType.FLOAT32, 2)).isEqualTo(new Operation.Shape(0, 0, 0));
    }
}
