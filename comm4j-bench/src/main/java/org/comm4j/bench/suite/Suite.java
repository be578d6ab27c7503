// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Forty kernels of problems of Rodinia, PolyBench, HeCBench and Altis, written anew. */
public final class Suite {
    private static final List<SuiteCase> ALL = Stream.of(
                    Functions.cases(),
                    Stencils.cases(),
                    Matrices.cases(),
                    Vectors.cases(),
                    Particles.cases(),
                    Collectives.cases(),
                    Irregular.cases())
            .flatMap(List::stream)
            .toList();

    private Suite() {}

    /** All cases, those of a class one after another. */
    public static List<SuiteCase> all() {
        return ALL;
    }

    /**
     * The cases of these names, with commas between them, or "all".
     *
     * @throws IllegalArgumentException if there is none of a name
     */
    public static List<SuiteCase> list(String names) {
        return names.equals("all")
                ? ALL
                : Arrays.stream(names.split(",", -1))
                        .map(Suite::named)
                        .distinct()
                        .toList();
    }

    private static SuiteCase named(String name) {
        return ALL.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no kernel '" + name + "'; there are "
                        + ALL.stream().map(SuiteCase::name).collect(Collectors.joining(", "))));
    }

    /** The text of a file in CUDA C++. */
    static String source(String file) {
        try (InputStream in = Suite.class.getResourceAsStream(file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
