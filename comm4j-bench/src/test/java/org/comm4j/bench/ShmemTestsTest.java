// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.OpenShmemOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ShmemTestsTest {
    private static ShmemSettings settings(DataType type, ShmemTest... tests) {
        return new ShmemSettings(List.of(tests), 4L, 96, 3, 5, 2, Duration.ZERO, 2, type, false, true);
    }

    private static Queue<Row> run(int pes, ShmemSettings settings) {
        Queue<Row> rows = new ConcurrentLinkedQueue<>();
        World.threads(pes, world -> {
            OpenShmemOptions embedded = new OpenShmemOptions(OpenShmemOptions.Engine.EMBEDDED, 0);
            try (OpenShmem shmem = OpenShmem.init(world, embedded)) {
                List<Row> all = ShmemTests.run(shmem, settings, rows::add);
                assertThat(all)
                        .hasSameSizeAs(settings.tests().stream()
                                .flatMap(test -> settings.sizes(test).stream())
                                .toList());
            }
        });
        return rows;
    }

    @ParameterizedTest
    @CsvSource({"2, INT64", "3, INT32", "4, INT64"})
    void everyTestIsRight(int pes, DataType type) {
        Queue<Row> rows = run(pes, settings(type, ShmemTest.values()));
        assertThat(rows.stream().map(Row::operation).distinct()).containsExactly(ShmemTest.values());
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.outOfPlace().seconds()).isPositive();
            assertThat(row.outOfPlace().wrong()).as(row.toString()).isZero();
        });
    }

    @Test
    void sizesAreMultiplesOfElements() {
        ShmemSettings settings = settings(DataType.INT64, ShmemTest.PUT, ShmemTest.REDUCE, ShmemTest.ATOMIC_ADD);
        assertThat(settings.sizes(ShmemTest.PUT)).containsExactly(4L, 12L, 36L);
        assertThat(settings.sizes(ShmemTest.ATOMIC_ADD)).containsExactly(8L);
        assertThat(settings.sizes(ShmemTest.BARRIER)).containsExactly(0L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(DataType.FLOAT32, ShmemTest.ATOMIC_ADD))
                .withMessageContaining("int32 or int64");
    }

    @Test
    void namesStandForOneOrMany() {
        assertThat(ShmemTest.named("put_mr")).containsExactly(ShmemTest.PUT_MR);
        assertThat(ShmemTest.named("all")).containsExactly(ShmemTest.values());
        assertThat(ShmemTest.named("atomics"))
                .containsExactlyElementsOf(Stream.of(ShmemTest.values())
                        .filter(test -> test.kind() == ShmemTest.Kind.ATOMIC)
                        .toList());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShmemTest.named("pot"))
                .withMessageContaining("there is no test 'pot'; there are put, put_nb");
    }

    @Test
    void onePeIsTooFewForAnother() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShmemTests.check(settings(DataType.INT64, ShmemTest.GET), 1))
                .withMessage("get needs 2 PEs");
    }
}
