// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.comm4j.core.World;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The kernels on PEs that are threads of this JVM, in sizes that come out even and that do not. */
@Timeout(120)
class PrkTest {
    private static final List<ResearchKernel> KERNELS = List.of(
            new Transpose(3, 64, 32, false),
            new Transpose(2, 37, 8, false),
            new Transpose(4, 5, 0, false),
            new Transpose(3, 48, 7, true),
            new Transpose(2, 12, 0, true),
            new Stencil(3, 40, 2),
            new Stencil(4, 29, 1),
            new Stencil(2, 31, 3),
            new Stencil(2, 23, 4),
            new Pipeline(3, 40, 30, 1),
            new Pipeline(2, 5, 2, 1),
            new Pipeline(5, 23, 41, 1),
            new Pipeline(4, 23, 41, 6),
            new Pipeline(3, 9, 20, 100),
            new Triad(3, 1000, 0),
            new Triad(2, 1003, 5),
            new Dgemm(2, 64, 16),
            new Dgemm(3, 37, 5),
            new Dgemm(2, 150, 200),
            new Dgemm(2, 41, 0),
            new RandomAccess(4, 10, 16),
            new RandomAccess(1, 12, 64),
            new Reduce(3, 1),
            new Reduce(4, 3000),
            new SynchGlobal(5, 60),
            new SynchGlobal(4, 1200),
            new Sparse(3, 4, 2),
            new Sparse(2, 5, 1),
            new Branch(4, 64, Branch.Kind.VECTOR_GO),
            new Branch(2, 101, Branch.Kind.VECTOR_STOP),
            new Branch(6, 99, Branch.Kind.NO_VECTOR),
            new Branch(2, 83, Branch.Kind.INS_HEAVY),
            new Refcount(1000, 0, false, true, Refcount.Mutex.SPIN),
            new Refcount(501, 7, true, true, Refcount.Mutex.SPIN),
            new Refcount(1000, 0, false, true, Refcount.Mutex.LOCK),
            new Refcount(501, 7, true, true, Refcount.Mutex.LOCK),
            new Refcount(777, 3, false, true, Refcount.Mutex.ATOMIC),
            new Refcount(70, 2, true, false, Refcount.Mutex.NONE),
            new Refcount(129, 0, false, false, Refcount.Mutex.SPIN));

    static Stream<Arguments> runs() {
        return Sizes.upTo(4).stream()
                .flatMap(pes -> KERNELS.stream()
                        .filter(kernel -> !(kernel instanceof RandomAccess) || pes != 3)
                        .map(kernel -> Arguments.of(pes, kernel)));
    }

    @ParameterizedTest(name = "{0} PEs: {1}")
    @MethodSource("runs")
    void isRight(int pes, ResearchKernel kernel) {
        StringWriter out = new StringWriter();
        ConcurrentLinkedQueue<Prk.Outcome> outcomes = new ConcurrentLinkedQueue<>();
        World.threads(pes, world -> {
            try (OpenShmem shmem = OpenShmem.init(world)) {
                shmem.timeout(Duration.ofSeconds(60));
                outcomes.add(Prk.run(shmem, kernel, Duration.ofMillis(1), new PrintWriter(out)));
            }
        });
        assertThat(outcomes).hasSize(pes).allSatisfy(outcome -> {
            assertThat(outcome.error()).isNull();
            assertThat(outcome.rates())
                    .isNotEmpty()
                    .allSatisfy(rate -> assertThat(rate.value()).isPositive());
        });
        List<String> lines = out.toString().lines().toList();
        assertThat(lines)
                .startsWith("Parallel Research Kernels version 2020", "SHMEM " + kernel.title())
                .contains("Solution validates")
                .anyMatch(line -> line.matches("Number of ranks += " + pes));
        assertThat(lines.getLast())
                .startsWith("Rate (")
                .matches(".*: +-?\\d+\\.\\d{6},? .*[tT]ime \\(s\\): -?\\d+\\.\\d{6}");
    }

    /** A pass that is left out stands for whatever else a kernel can do wrong. */
    static Stream<Arguments> passes() {
        return runs().filter(each -> !(each.get()[1] instanceof SynchGlobal))
                .filter(each -> Nightly.isOn() || each.get()[0].equals(3));
    }

    @ParameterizedTest(name = "{0} PEs: {1}")
    @MethodSource("passes")
    void aPassThatIsMissingIsNoticed(int pes, ResearchKernel kernel) {
        int[] marks = kernel.marks();
        // The last pass of some kernels is empty on several PEs.
        int made = kernel instanceof Refcount ? 1 : marks[marks.length - 1] - 1;
        assertThat(errors(pes, kernel, made)).hasSize(pes).doesNotContain("");
    }

    /** Its digits are the same after any number of passes but none. */
    @Test
    void aMissingSynchronisationIsNoticed() {
        for (int pes = 1; pes <= 4; pes++) {
            assertThat(errors(pes, new SynchGlobal(4, 60), 0)).hasSize(pes).allMatch(each -> each.contains("checksum"));
        }
    }

    /** What each PE says after so many passes; nothing if all is right. */
    private static List<String> errors(int pes, ResearchKernel kernel, int passes) {
        ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
        World.threads(pes, world -> {
            try (OpenShmem shmem = OpenShmem.init(world);
                    Totals totals = new Totals(shmem);
                    Trial trial = kernel.prepare(shmem, totals)) {
                shmem.timeout(Duration.ofSeconds(60));
                shmem.barrierAll();
                for (int pass = 0; pass < passes; pass++) {
                    trial.pass(pass);
                }
                errors.add(Objects.requireNonNullElse(trial.error(), ""));
                shmem.barrierAll();
            }
        });
        return List.copyOf(errors);
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                wrong(
                        () -> new Transpose(0, 8, 8, false),
                        1,
                        "transpose: the number of iterations is 0, but must be at least 1"),
                wrong(
                        () -> new Transpose(1, 3, 8, false),
                        4,
                        "no column for each of 4 PEs; use a larger order or fewer PEs"),
                wrong(() -> new Transpose(1, 100_000, 8, false), 2, "an array has at most 2147483639"),
                wrong(() -> new Stencil(1, 4, 2), 1, "use a larger grid or a smaller radius"),
                wrong(() -> new Stencil(1, 5, 2), 3, "fewer than the radius 2; use a larger grid or fewer PEs"),
                wrong(
                        () -> new Pipeline(1, 3, 8, 1),
                        3,
                        "must exceed the number of PEs, 3; use a larger one or fewer PEs"),
                wrong(() -> new Pipeline(1, 3, 1, 1), 1, "p2p: the second grid dimension is 1, but must be at least 2"),
                wrong(() -> new Triad(1, 2, 0), 3, "no element for each of 3 PEs"),
                wrong(() -> new Triad(1, 2, -1), 1, "nstream: the offset is -1, but must be at least 0"),
                wrong(() -> new Dgemm(1, 3, 1), 4, "too small for 4 PEs; use a larger order or fewer PEs"),
                wrong(() -> new RandomAccess(3, 10, 16), 1, "the update ratio is 3, but must be a power of two"),
                wrong(() -> new RandomAccess(1, 10, 16), 3, "3 PEs: the upper bits"),
                wrong(() -> new RandomAccess(1, 10, 1024), 2, "use a larger table or ratio, or a shorter lookahead"),
                wrong(() -> new Reduce(1, 0), 1, "reduce: the vector length is 0, but must be at least 1"),
                wrong(() -> new SynchGlobal(1, 10), 3, "use a length that is a multiple of 3"),
                wrong(() -> new Sparse(1, 2, 2), 1, "use a larger grid or a smaller radius"),
                wrong(() -> new Sparse(1, 1, 0), 3, "no line for each of 3 PEs; use a larger grid or fewer PEs"),
                wrong(() -> new Branch(3, 10, Branch.Kind.NO_VECTOR), 1, "3, but must be even"),
                wrong(
                        () -> new Branch(2, 1 << 30, Branch.Kind.INS_HEAVY),
                        1,
                        "1073741824, but ins_heavy has functions for at most 1068741824 elements"),
                wrong(
                        () -> new Branch(2, 1, Branch.Kind.named("none")),
                        1,
                        "there are vector_go, vector_stop, no_vector, ins_heavy"),
                wrong(() -> new Transpose(1, 10, 8, true), 3, "use an order that is a multiple of 3, or flags"),
                wrong(() -> new Pipeline(1, 3, 8, 0), 1, "p2p: the group factor is 0, but must be at least 1"),
                wrong(() -> new Refcount(2, 0, false, true, Refcount.Mutex.LOCK), 2, "use more updates"),
                wrong(() -> new Refcount(9, 0, true, true, Refcount.Mutex.ATOMIC), 1, "use a lock"),
                wrong(() -> new Refcount(9, 0, true, true, Refcount.Mutex.NONE), 1, "or counters without contention"),
                wrong(
                        () -> new Refcount(9, 0, true, true, Refcount.Mutex.named("x")),
                        1,
                        "there are spin, lock, atomic, none"));
    }

    private static Arguments wrong(Supplier<ResearchKernel> kernel, int pes, String message) {
        return Arguments.of(kernel, pes, message);
    }

    @ParameterizedTest(name = "{2}")
    @MethodSource("wrong")
    void whatIsWrongIsRefused(Supplier<ResearchKernel> kernel, int pes, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kernel.get().check(pes))
                .withMessageContaining(message);
    }

    /** Powers of x by multiplication of polynomials with whole numbers, reduced at the end. */
    @Test
    void randomNumbersArePowers() {
        BigInteger polynomial = BigInteger.ONE.shiftLeft(64).add(BigInteger.valueOf(7));
        BigInteger power = BigInteger.ONE;
        for (int n = 0; n < 300; n++) {
            assertThat(RandomAccess.power(n)).as("power %d", n).isEqualTo(power.longValue());
            power = power.shiftLeft(1);
            if (power.testBit(64)) {
                power = power.xor(polynomial);
            }
        }
        assertThat(RandomAccess.power(1317624576693539401L)).isEqualTo(1);
    }

    @Test
    void partsAreContiguousAndNearlyEqual() {
        for (long count = 0; count < 30; count++) {
            for (int pes = 1; pes < 9; pes++) {
                Parts parts = new Parts(count, pes);
                assertThat(parts.first(0)).isZero();
                assertThat(parts.first(pes)).isEqualTo(count);
                for (int pe = 0; pe < pes; pe++) {
                    assertThat(parts.size(pe)).isBetween(count / pes, parts.largest());
                    for (long i = parts.first(pe); i < parts.first(pe + 1); i++) {
                        assertThat(parts.owner(i)).isEqualTo(pe);
                    }
                }
            }
        }
        assertThat(Stream.of(1, 2, 3, 4, 6, 12, 16, 17).map(Parts::side)).containsExactly(1, 1, 1, 2, 2, 3, 4, 1);
    }

    @Test
    void ratesAreDrawn(@TempDir Path folder) throws Exception {
        List<Prk.Outcome> outcomes = Stream.of(new Triad(1, 10, 0), new RandomAccess(1, 10, 16))
                .map(kernel -> new Prk.Outcome(kernel, 1, List.of(kernel.rates(1, new double[] {0.5})), null))
                .toList();
        Path file = folder.resolve("prk.png");
        PrkPicture.write(file, "here", outcomes);
        BufferedImage image = ImageIO.read(file.toFile());
        assertThat(image.getWidth()).isGreaterThan(1000);
        // The last name ends below the middle of the last bar: further to the right nothing is below the axis.
        int bar = 0xff0072b2;
        int base = rows(image)
                .filter(y -> columns(image).anyMatch(x -> image.getRGB(x, y) == bar))
                .max()
                .orElseThrow();
        int right =
                columns(image).filter(x -> image.getRGB(x, base) == bar).max().orElseThrow();
        int left = columns(image)
                .filter(x -> x < right && image.getRGB(x, base) != bar)
                .max()
                .orElseThrow();
        int axis = rows(image)
                .filter(y -> image.getRGB(right, y) != Color.WHITE.getRGB())
                .max()
                .orElseThrow();
        assertThat(columns(image).skip((left + right) / 2 + 10))
                .allMatch(x -> rows(image).skip(axis + 1).allMatch(y -> image.getRGB(x, y) == Color.WHITE.getRGB()));
        Prk.Outcome wrong = new Prk.Outcome(new Triad(1, 10, 0), 1, List.of(), "wrong");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PrkPicture.write(file, "here", List.of(wrong)))
                .withMessageContaining("nothing to draw");
    }

    private static IntStream rows(BufferedImage image) {
        return IntStream.range(0, image.getHeight());
    }

    private static IntStream columns(BufferedImage image) {
        return IntStream.range(0, image.getWidth());
    }
}
