// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operations of the communicator that each operator calls, as the documentation says. */
class OperatorCollectivesTest {
    private static final int RANKS = 2;
    private static final long[] SHAPE = {4, 3, 6};
    private static final String NONE = "{} {}";

    /** The sum over the ranks that is part of an operator of them all. */
    private static final Map<String, String> OVER_RANKS = Map.of(
            "HStack", "{allReduce=1} {}",
            "Kirchhoff", "{} {allReduce=1}",
            "Regression", "{} {allReduce=1}",
            "VStack", "{} {allReduce=1}");

    /** Neighbours' rows by operations that are prepared. */
    private static final String ROWS = "{run=1} {run=1}";

    private static final String EXCHANGE = "{allToAllV=1} {allToAllV=1}";

    private static final String TWO_EXCHANGES = "{allToAllV=2} {allToAllV=2}";

    /** By the beginning of the name: the calls of operators along the divided axis. */
    private static final Map<String, String> DIVIDED = Map.ofEntries(
            entry("FirstDerivative", ROWS),
            entry("SecondDerivative", ROWS),
            entry("Laplacian", ROWS),
            entry("Gradient", ROWS),
            entry("Convolve1D", ROWS),
            entry("Smoothing", ROWS),
            // A gradient and the adjoint of another one.
            entry("DirectionalDerivative", "{run=2} {run=2}"),
            entry("Flip", EXCHANGE),
            entry("Roll", EXCHANGE),
            entry("Pad", EXCHANGE),
            entry("Restriction", EXCHANGE),
            entry("Symmetrize", EXCHANGE),
            entry("Sum", EXCHANGE),
            // Of a sum.
            entry("Spread", TWO_EXCHANGES),
            entry("Interp", EXCHANGE),
            entry("NonStationaryConvolve1D", EXCHANGE),
            entry("MatrixMult", EXCHANGE),
            entry("CausalIntegration along", EXCHANGE),
            entry("CausalIntegration trapezoidal,", TWO_EXCHANGES),
            entry("Redistribute", EXCHANGE),
            entry("Kronecker", TWO_EXCHANGES),
            // Of a grid with two axes.
            entry("Halo", TWO_EXCHANGES),
            entry("FFT2D", TWO_EXCHANGES),
            entry("FFTND", TWO_EXCHANGES),
            entry("DCT", TWO_EXCHANGES),
            entry("MDC", TWO_EXCHANGES),
            entry("ConvolveND", "{allToAllV=4} {allToAllV=4}"),
            // Whether all ranks know a vector.
            entry("MemoizeOperator", "{allReduce=1} {allReduce=1}"));

    private interface Layouts {
        Layout of(Backend backend);
    }

    /** Returns the calls of a product and of its adjoint, of each operator that is made again and again. */
    private static Map<String, String> calls(Layouts layouts) {
        Map<String, String> found = new TreeMap<>();
        World.threads(RANKS, world -> {
            try (Communicator comm = world.communicator()) {
                CountingCommunicator counting = CountingCommunicator.of(comm);
                try (Backend backend = Backend.of(counting.communicator())) {
                    Layout layout = layouts.of(backend);
                    for (Catalogue.Entry entry : Catalogue.all()) {
                        if (!entry.takes().test(layout)) {
                            continue;
                        }
                        LinearOperator operator = entry.maker().make(backend, layout, DataType.FLOAT64);
                        Vector x = backend.vector(operator.domain(), operator.domainType());
                        Vector y = backend.vector(operator.range(), operator.rangeType());
                        // What is made once is made by the first calls.
                        operator.matvec(x, y);
                        operator.rmatvec(y, x);
                        counting.calls().clear();
                        operator.matvec(x, y);
                        String forward = counting.calls().toString();
                        counting.calls().clear();
                        operator.rmatvec(y, x);
                        if (comm.rank() == 0) {
                            found.put(entry.name(), forward + " " + counting.calls());
                        }
                    }
                }
            }
        });
        return found;
    }

    @Test
    void nothingTravelsThatEveryRankHas() {
        Map<String, String> local = calls(backend -> backend.local(SHAPE));
        assertThat(local).hasSizeGreaterThan(60);
        local.forEach((name, calls) ->
                assertThat(calls).as("%s of local vectors", name).isEqualTo(OVER_RANKS.getOrDefault(name, NONE)));
        Map<String, String> replicated = calls(backend -> backend.replicated(SHAPE));
        // What this makes scattered.
        replicated.remove("Redistribute ");
        replicated.remove("MDC");
        replicated.forEach((name, calls) ->
                assertThat(calls).as("%s of replicated vectors", name).isEqualTo(OVER_RANKS.getOrDefault(name, NONE)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void operationsAreThoseThatTheDocumentationNames(int axis) {
        Set<String> seen = new TreeSet<>();
        calls(backend -> backend.scattered(axis, SHAPE)).forEach((name, calls) -> {
            String along = name.replaceAll(".*along axis ", "");
            if (!along.equals(name) && Integer.parseInt(along) != axis) {
                assertThat(calls).as("%s, axis %d is divided", name, axis).isEqualTo(NONE);
                return;
            }
            DIVIDED.forEach((begin, expected) -> {
                if (name.startsWith(begin + " ") || name.equals(begin)) {
                    assertThat(calls).as("%s, axis %d is divided", name, axis).isEqualTo(expected);
                    seen.add(begin);
                }
            });
        });
        if (axis == 0) {
            assertThat(seen).isEqualTo(DIVIDED.keySet());
        }
    }
}
