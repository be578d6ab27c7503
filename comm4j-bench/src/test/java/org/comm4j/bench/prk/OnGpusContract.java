// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.comm4j.bench.Agreement;
import org.comm4j.bench.DevicePe;
import org.comm4j.core.World;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The kernels for GPUs, on PEs that are threads of this JVM, or wherever {@link #everything} is called. */
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
    private static final List<Stencil> STENCILS = Stream.of(1, 2, 3, 4, 8, 18)
            .map(radius -> new Stencil(3, 135, radius))
            .toList();

    private final boolean gpus;
    private final int mostPes;

    /** @param gpus whether kernels run on a GPU, else by the CPU */
    OnGpusContract(boolean gpus, int mostPes) {
        this.gpus = gpus;
        this.mostPes = mostPes;
    }

    /** All numbers up to the most; on the CPU by night only, as each has its kernels translated once more. */
    private Stream<Integer> pes(int... few) {
        return (gpus || Nightly.isOn() ? IntStream.rangeClosed(1, mostPes) : IntStream.of(few)).boxed();
    }

    Stream<Arguments> runs() {
        return pes(1, 3).flatMap(pes -> KERNELS.stream().map(kernel -> Arguments.of(pes, kernel)));
    }

    Stream<Arguments> runsOfSeveral() {
        return pes(3).flatMap(pes -> KERNELS.stream().map(kernel -> Arguments.of(pes, kernel)));
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
        World.threads(pes, world -> isRight(world, gpus, kernel));
    }

    @ParameterizedTest(name = "{0} PEs: {1}")
    @MethodSource("runsOfSeveral")
    void aPassThatIsMissingIsNoticed(int pes, OnGpus kernel) {
        World.threads(pes, world -> aPassThatIsMissingIsNoticed(world, gpus, kernel));
    }

    Stream<Arguments> stencils() {
        return pes(3).flatMap(pes -> STENCILS.stream().map(kernel -> Arguments.of(pes, kernel)));
    }

    @ParameterizedTest(name = "{0} PEs: {1}")
    @MethodSource("stencils")
    void stencilIsThatOfALoop(int pes, Stencil kernel) {
        double[][] expected = sequential(kernel);
        World.threads(pes, world -> stencilIsThatOfALoop(world, gpus, kernel, expected));
    }

    // ---- what each PE does ----

    /** All of the above. */
    static void everything(World world, boolean gpus) {
        for (OnGpus kernel : KERNELS) {
            isRight(world, gpus, kernel);
            aPassThatIsMissingIsNoticed(world, gpus, kernel);
        }
        for (Stencil kernel : STENCILS) {
            stencilIsThatOfALoop(world, gpus, kernel, sequential(kernel));
        }
    }

    private static void isRight(World world, boolean gpus, OnGpus kernel) {
        StringWriter out = new StringWriter();
        Prk.Outcome outcome = DevicePe.run(
                world,
                gpus,
                kernel.symmetricBytes(world.size()),
                (pe, platform) ->
                        Prk.run(world, pe, kernel, platform.engine(), Duration.ofMillis(20), new PrintWriter(out)));
        assertThat(outcome.error()).as(kernel.toString()).isNull();
        if (world.rank() > 0) {
            return;
        }
        List<String> lines = out.toString().lines().toList();
        assertThat(lines)
                .startsWith("Parallel Research Kernels version 2020", "SHMEM " + kernel.title())
                .contains("Solution validates");
        assertThat(lines.getLast()).matches("Rate \\(M(B|Flops)/s\\): \\d+\\.\\d{6} Avg time \\(s\\): \\d+\\.\\d{6}");
    }

    private static void aPassThatIsMissingIsNoticed(World world, boolean gpus, OnGpus kernel) {
        boolean wrong = DevicePe.run(world, gpus, kernel.symmetricBytes(world.size()), (pe, platform) -> {
            Agreement agreement = new Agreement(world, "test");
            try (OnGpus.Run run = kernel.prepare(pe)) {
                run.fill();
                agreement.meet();
                run.passes().issue(kernel.marks()[1] - 1);
                boolean noticed = run.error(agreement) != null;
                agreement.meet();
                return noticed;
            }
        });
        assertThat(wrong).as(kernel.toString()).isTrue();
    }

    /**
     * Point by point, where the reference looks at the mean alone, and from values that are no linear function: every
     * point of the halo counts.
     */
    private static void stencilIsThatOfALoop(World world, boolean gpus, Stencil kernel, double[][] expected) {
        double difference = DevicePe.run(world, gpus, kernel.symmetricBytes(world.size()), (pe, platform) -> {
            Agreement agreement = new Agreement(world, "test");
            try (StencilOnGpu run = new StencilOnGpu(kernel, pe)) {
                run.fill(OnGpusContract::initial);
                agreement.meet();
                // Two launches: the second begins with the other grid.
                run.passes().issue(1);
                run.passes().issue(kernel.iterations());
                double most = run.difference(expected);
                agreement.meet();
                return most;
            }
        });
        assertThat(difference).as(kernel.toString()).isLessThan(1e-11);
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
