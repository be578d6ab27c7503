// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Products of matrices whose sizes 32 bits do not count: right, or refused with the sizes, and never a crash. */
class LargeProductsTest {
    private static final long MOST = Integer.MAX_VALUE;

    @Test
    void aLibraryWithShortSizesGetsWhatFits() {
        assertThat(NativeBlas.fits(false, 1, MOST, MOST)).isTrue();
        assertThat(NativeBlas.fits(false, MOST + 1, 1, 1)).isFalse();
        assertThat(NativeBlas.fits(false, 1, MOST + 1, 1)).isFalse();
        assertThat(NativeBlas.fits(false, 1, 1, MOST + 1)).isFalse();
        assertThat(NativeBlas.fits(true, MOST + 1, MOST + 1, MOST + 1)).isTrue();
    }

    private static List<Blas> implementations() {
        return List.of(NativeBlas.find(), new JavaBlas());
    }

    /** Sizes whose product is a multiple of 2^64 must not pass for those of an array without elements. */
    @Test
    void sizesBeyondAllCountsAreRefused() {
        HostArray none = HostArray.allocate(DataType.FLOAT64, 0);
        HostArray one = HostArray.allocate(DataType.FLOAT64, 1);
        HostArray complex = HostArray.allocate(DataType.COMPLEX128, 1);
        for (Blas blas : implementations()) {
            for (long size : new long[] {MOST + 1, 1L << 32, 1L << 62, Long.MAX_VALUE}) {
                assertThatThrownBy(() -> blas.gemm(Transpose.NONE, size, 1, size, 1, none, none, 0, none))
                        .as("%s, %d", blas.name(), size)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("gemm: A is ")
                        .hasMessageContaining("needed: " + size + " x " + size + " elements of FLOAT64");
                assertThatThrownBy(() -> blas.gemm(Transpose.NONE, 1, size, 1, 1, one, one, 0, one))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("needed: 1 x " + size);
                // Twice as many columns, where the matrix is real.
                assertThatThrownBy(() -> blas.gemm(Transpose.NONE, 1, size, 1, 1, one, complex, 0, complex))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("needed: 1 x " + size);
                assertThatThrownBy(() -> blas.gemm(Transpose.NONE, size, size, 1, 1, 1, none, none, 0, none))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("needed: " + size + " x " + size + " x 1");
            }
        }
    }

    private static Path library(String folder, String name) throws IOException {
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path base = (cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache))
                .resolve("comm4j");
        try (Stream<Path> files = Files.exists(base) ? Files.walk(base) : Stream.empty()) {
            Path found = files.filter(file -> file.toString().contains(folder)
                            && file.getFileName().toString().matches(name))
                    .findFirst()
                    .orElse(null);
            assumeTrue(found != null, "there is no " + name + " below " + base + "/..." + folder);
            return found;
        }
    }

    /**
     * By libraries with sizes of 32 and of 64 bits, lengths on both sides of 2^31 and more than 2^31 elements. Memory
     * that is only read takes none.
     */
    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = {"32", "64"})
    void largeProductsAreRight(String bits) throws IOException {
        Path library = bits.equals("32")
                ? library("scipy-openblas32", "libscipy_openblas\\.so")
                : library("numpy.libs", "libscipy_openblas64_.*\\.so");
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(1)
                .jvmOptions("-Dorg.comm4j.cblas.library=" + library)
                .java(LargeProducts.class.getName(), MOST + "," + (MOST + 6))
                .timeout(Duration.ofMinutes(10))
                .output(output, output)
                .run();
        String text = output.toString(UTF_8);
        assertThat(code).as(text).isZero();
        assertThat(text).contains("library OpenBLAS");
        assertThat(text.lines().filter("right"::equals)).as(text).hasSize(14);
    }
}
