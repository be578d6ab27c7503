// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.test.MemoryCompiler;

/** Compiles cases into memory. */
final class Javac {
    static final String PARAMETERS = "I8Ptr bytes, I16Ptr shorts, I32Ptr ints, I64Ptr longs, F32Ptr floats,"
            + " F64Ptr doubles, I32Ptr oi, I64Ptr ol, F32Ptr of, F64Ptr od, byte pb, boolean pz, short ps, char pc,"
            + " float pf, double pd, long pl";
    private static final String ARGUMENTS = Arrays.stream(PARAMETERS.split(","))
            .map(p -> p.strip().split(" ")[1])
            .collect(Collectors.joining(", "));

    private static final AtomicInteger CASES = new AtomicInteger();

    private Javac() {}

    private static String source(int id, Node node) {
        return """
            package generated;

            import java.util.function.IntUnaryOperator;
            import org.comm4j.kernel.lang.*;

            public final class Case@@ {
                enum Color { RED, GREEN, BLUE }

                record Pair(int a, double b, byte c, boolean d) {
                    int sum() {
                        return a + (d ? c : -c);
                    }
                }

                static final int[] TABLE = {3, -1, 0, 2147483647, -2147483648, 17, 65, 8};

                static int nonZero(int x) {
                    return x == 0 ? 1 : x;
                }

                static long nonZero(long x) {
                    return x == 0 ? 1 : x;
                }

                static int appliedTo(IntUnaryOperator f, int v) {
                    return f.applyAsInt(v);
                }

                static int appliedTwice(IntUnaryOperator f, int v) {
                    return f.andThen(f).applyAsInt(v);
                }

            $body
                @Kernel(math = Kernel.Math.EXACT)
                public static void kernel@@($parameters, int n) {
                    int id = GlobalIdx.x();
                    if (id < n) {
                        body@@(id, $arguments);
                    }
                }
            }
            """.replace("$parameters", PARAMETERS)
                .replace("$arguments", ARGUMENTS)
                .replace("$body", node.toString())
                .replace("@@", Integer.toString(id));
    }

    /**
     * Null in the result is what the JVM refuses to load, what has an error, and what makes javac crash.
     *
     * @param mustCompile whether there should be no errors
     */
    static List<Case> compile(List<Node> nodes, boolean mustCompile) {
        Map<Integer, String> sources = new LinkedHashMap<>();
        for (Node node : nodes) {
            int id = CASES.getAndIncrement();
            sources.put(id, source(id, node));
        }
        Set<String> wrong = new HashSet<>();
        Map<String, byte[]> classes = Map.of();
        while (wrong.size() < nodes.size()) {
            Map<String, String> units = new LinkedHashMap<>();
            sources.forEach((id, text) -> {
                if (!wrong.contains(name(id))) {
                    units.put(name(id), text);
                }
            });
            MemoryCompiler.Result result = compile(units);
            if (result.succeeded()) {
                classes = result.classes();
                break;
            }
            if (result.wrong().isEmpty()) {
                wrong.addAll(crashing(units));
            } else if (mustCompile || !wrong.addAll(result.wrong())) {
                throw new IllegalStateException("the generator has made what is no Java: " + result.errors());
            }
        }
        MemoryCompiler.Loader loader = new MemoryCompiler.Loader(classes, Javac.class.getClassLoader());
        List<Case> made = new ArrayList<>();
        sources.forEach((id, text) -> made.add(wrong.contains(name(id)) ? null : Case.load(loader, id, text)));
        return made;
    }

    /**
     * Returns the names of the sources that make javac fail without an error: it does around some switch expressions.
     */
    private static Set<String> crashing(Map<String, String> units) {
        Set<String> names = new HashSet<>();
        units.forEach((name, text) -> {
            MemoryCompiler.Result result = compile(Map.of(name, text));
            if (!result.succeeded() && result.wrong().isEmpty()) {
                names.add(name);
            }
        });
        if (names.isEmpty()) {
            throw new IllegalStateException("javac fails with all of " + units.keySet() + ", and with none of them");
        }
        return names;
    }

    private static MemoryCompiler.Result compile(Map<String, String> units) {
        return MemoryCompiler.compile(units, I32Ptr.class, HostArray.class, LaunchConfig.class);
    }

    private static String name(int id) {
        return "generated.Case" + id;
    }
}
