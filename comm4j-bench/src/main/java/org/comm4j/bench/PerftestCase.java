// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A perftest in one of its variants.
 *
 * @param reads whether data is got, not put ({@code --dir read})
 * @param fromHost whether calls have no stream ({@code --issue host})
 * @param graph whether calls are recorded and launched as a graph ({@code --cudagraph})
 */
public record PerftestCase(Perftest test, boolean reads, boolean fromHost, boolean graph) implements NvshmemCase {

    /** What {@code test} does not have is left out. */
    static PerftestCase of(Perftest test, boolean reads, boolean fromHost, boolean graph) {
        return new PerftestCase(
                test,
                reads && test.hasDirection(),
                fromHost && test.hasHostForm(),
                graph && test.kind() == Perftest.Kind.COLLECTIVE);
    }

    /**
     * All that are asked for, each once; {@link Perftest#STREAM_LATENCY} is always measured with and without a stream.
     */
    public static List<PerftestCase> of(
            List<Perftest> tests, List<Boolean> directions, List<Boolean> issues, boolean graph) {
        List<PerftestCase> cases = new ArrayList<>();
        for (Perftest test : tests) {
            for (boolean fromHost : test == Perftest.STREAM_LATENCY ? List.of(false, true) : issues) {
                for (boolean reads : directions) {
                    PerftestCase each = of(test, reads, fromHost, graph);
                    if (!cases.contains(each)) {
                        cases.add(each);
                    }
                }
            }
        }
        return List.copyOf(cases);
    }

    @Override
    public boolean hasSizes() {
        return test.kind() == Perftest.Kind.ONE_SIDED || test.kind() == Perftest.Kind.COLLECTIVE;
    }

    @Override
    public @Nullable Operation operation() {
        return test.operation();
    }

    /** What stands in the column "scope" of tables that have one. */
    String scope() {
        return test != Perftest.STREAM_LATENCY ? "None" : fromHost ? "without _on_stream" : "with _on_stream";
    }

    @Override
    public String toString() {
        return test + (reads ? " read" : "") + (fromHost ? " host" : "") + (graph ? " graph" : "");
    }
}
