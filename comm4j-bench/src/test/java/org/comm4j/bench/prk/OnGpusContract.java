// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.comm4j.bench.Agreement;
import org.comm4j.bench.DevicePe;
import org.comm4j.core.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The kernels for GPUs, on PEs that are threads of this JVM. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnGpusContract {
    private static final List<OnGpus> KERNELS = List.of(
            new Triad(3, 1000, 0),
            new Triad(2, 1003, 5),
            new Triad(1, 4, 0),
            new Transpose(3, 64, 32, false),
            new Transpose(2, 137, 0, false),
            new Transpose(4, 5, 0, false),
            new Stencil(3, 64, 2),
            new Stencil(4, 97, 1),
            new Stencil(2, 131, 3),
            new Stencil(1, 41, 4),
            new Stencil(2, 75, 17));

    private final boolean gpus;
    private final int mostPes;

    /** @param gpus whether kernels run on a GPU, else by the CPU */
    OnGpusContract(boolean gpus, int mostPes) {
        this.gpus = gpus;
        this.mostPes = mostPes;
    }

    private Stream<Integer> pes() {
        return IntStream.rangeClosed(1, mostPes).boxed();
    }

    Stream<Arguments> runs() {
        return pes().flatMap(pes -> KERNELS.stream().map(kernel -> Arguments.of(pes, kernel)));
    }

    @Test
    void allAreNamed() {
        assertThat(KERNELS).allSatisfy(kernel -> assertThat(OnGpus.NAMES).contains(kernel.name()));
        assertThat(KERNELS.stream().<Class<?>>map(Object::getClass).distinct())
                .containsExactlyInAnyOrder(OnGpus.class.getPermittedSubclasses());
    }

    @ParameterizedTest(name = "{0} PEs: {1}")
    @MethodSource("runs")
    void isRight(int pes, OnGpus kernel) {
        StringWriter out = new StringWriter();
        ConcurrentLinkedQueue<Prk.Outcome> outcomes = new ConcurrentLinkedQueue<>();
        World.threads(
                pes,
                world -> outcomes.add(DevicePe.run(
                        world,
                        gpus,
                        kernel.symmetricBytes(pes),
                        (pe, platform) -> Prk.run(
                                world, pe, kernel, platform.engine(), Duration.ofMillis(20), new PrintWriter(out)))));
        assertThat(outcomes)
                .hasSize(pes)
                .allSatisfy(outcome -> assertThat(outcome.error()).isNull());
        List<String> lines = out.toString().lines().toList();
        assertThat(lines)
                .startsWith("Parallel Research Kernels version 2020", "SHMEM " + kernel.title())
                .contains("Solution validates");
        assertThat(lines.getLast()).matches("Rate \\(M(B|Flops)/s\\): \\d+\\.\\d{6} Avg time \\(s\\): \\d+\\.\\d{6}");
    }

    @ParameterizedTest(name = "{0} PEs: {1}")
    @MethodSource("runs")
    void aPassThatIsMissingIsNoticed(int pes, OnGpus kernel) {
        ConcurrentLinkedQueue<Boolean> wrong = new ConcurrentLinkedQueue<>();
        World.threads(
                pes,
                world -> wrong.add(DevicePe.run(world, gpus, kernel.symmetricBytes(pes), (pe, platform) -> {
                    Agreement agreement = new Agreement(world, "test");
                    try (OnGpus.Run run = kernel.prepare(pe)) {
                        run.fill();
                        agreement.meet();
                        run.passes().issue(kernel.marks()[1] - 1);
                        boolean noticed = run.error(agreement) != null;
                        agreement.meet();
                        return noticed;
                    }
                })));
        assertThat(wrong).hasSize(pes).containsOnly(true);
    }

    Stream<Arguments> stencils() {
        return pes().flatMap(pes ->
                Stream.of(1, 2, 3, 4, 8, 18).map(radius -> Arguments.of(pes, new Stencil(3, 135, radius))));
    }

    /** Point by point, where the reference looks at the mean alone, and from values that are no linear function: every point of the halo counts. */
    @ParameterizedTest(name = "{0} PEs: {1}")
    @MethodSource("stencils")
    void stencilIsThatOfALoop(int pes, Stencil kernel) {
        double[][] expected = sequential(kernel);
        ConcurrentLinkedQueue<Double> differences = new ConcurrentLinkedQueue<>();
        World.threads(
                pes,
                world -> differences.add(DevicePe.run(world, gpus, kernel.symmetricBytes(pes), (pe, platform) -> {
                    Agreement agreement = new Agreement(world, "test");
                    try (StencilOnGpu run = new StencilOnGpu(kernel, pe)) {
                        run.fill(OnGpusContract::initial);
                        agreement.meet();
                        // Two launches: the second begins with the other grid.
                        run.passes().issue(1);
                        run.passes().issue(kernel.iterations());
                        double difference = run.difference(expected);
                        agreement.meet();
                        return difference;
                    }
                })));
        assertThat(differences)
                .hasSize(pes)
                .allSatisfy(difference -> assertThat(difference).isLessThan(1e-11));
    }

    private static double initial(long x, long y) {
        return (x * 7919 + y * 104729) % 1009 / 1009.0;
    }

    private static double[][] sequential(Stencil kernel) {
        int n = kernel.n();
        int radius = kernel.radius();
        double[][] out = new double[n][n];
        for (int pass = 0; pass <= kernel.iterations(); pass++) {
            for (int y = radius; y < n - radius; y++) {
                for (int x = radius; x < n - radius; x++) {
                    for (int k = 1; k <= radius; k++) {
                        double weight = 1.0 / (2.0 * k * radius);
                        out[y][x] += weight * (initial(x + k, y) + pass) - weight * (initial(x - k, y) + pass);
                        out[y][x] += weight * (initial(x, y + k) + pass) - weight * (initial(x, y - k) + pass);
                    }
                }
            }
        }
        return out;
    }
}
