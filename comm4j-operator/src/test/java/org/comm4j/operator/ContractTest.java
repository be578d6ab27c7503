// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.operator.Catalogue.Entry;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds for every operator, on generated shapes and layouts: balanced, uneven and empty parts, blocks, groups. The
 * dot test in four types; linearity; and the same matrix for all layouts and rank counts, which is that of plain Java.
 */
class ContractTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());

    private static final DataType[] TYPES = {DataType.FLOAT64, DataType.FLOAT32, DataType.COMPLEX128, DataType.COMPLEX64
    };

    /** Returns a layout of each kind, with lengths that the generator chooses, the same on all ranks. */
    private static List<Layout> layouts(Backend backend, Random random, long... shape) {
        int ranks = backend.size();
        List<Layout> layouts = new ArrayList<>(List.of(backend.replicated(shape), backend.local(shape)));
        for (int axis = 0; axis < shape.length; axis++) {
            layouts.add(backend.scattered(axis, shape));
            layouts.add(Layout.scattered(split(random, ranks, shape[axis]), axis, shape));
        }
        for (int first = 2; first < ranks; first++) {
            if (ranks % first == 0) {
                int second = ranks / first;
                layouts.add(backend.blocks(new int[] {first, 1, second}, shape));
                layouts.add(Layout.blocks(
                        new long[][] {{shape[0]}, split(random, first, shape[1]), split(random, second, shape[2])},
                        shape));
            }
        }
        if (ranks % 2 == 0) {
            int[] groups = new int[ranks];
            for (int r = 0; r < ranks; r++) {
                groups[r] = r % 2;
            }
            int axis = random.nextInt(shape.length);
            layouts.add(backend.grouped(Layout.scattered(split(random, ranks / 2, shape[axis]), axis, shape), groups));
        }
        return layouts;
    }

    /** Returns lengths that add up, of which some are 0 more often than not. */
    private static long[] split(Random random, int parts, long length) {
        long[] sizes = new long[parts];
        for (long i = 0; i < length; i++) {
            sizes[random.nextInt(parts)]++;
        }
        return sizes;
    }

    private static double[] numbers(Random random, long count) {
        return random.doubles(count, -1, 1).toArray();
    }

    private static double[] whole(Vector vector) {
        double[] all = {};
        for (DistributedArray array : vector.arrays()) {
            double[] own = array.toHost().toDoubleArray();
            double[] both = Arrays.copyOf(all, all.length + own.length);
            System.arraycopy(own, 0, both, all.length, own.length);
            all = both;
        }
        return all;
    }

    private static void near(double[] found, double[] expected, String what) {
        assertThat(found).as(what).hasSameSizeAs(expected);
        for (int i = 0; i < found.length; i++) {
            assertThat(found[i]).as("%s, element %d", what, i).isEqualTo(expected[i], within(1e-11));
        }
    }

    @ParameterizedTest
    @MethodSource("org.comm4j.operator.Ranks#counts")
    void everyOperatorInEveryLayout(int ranks) {
        System.out.println("operators on " + ranks + " ranks: seed " + SEED);
        Ranks.run(ranks, backend -> {
            Random random = new Random(SEED + ranks);
            for (int time = 0; time < Nightly.times(1, 2); time++) {
                long[] shape = {random.nextInt(2, 6), random.nextInt(1, 4), random.nextInt(2, 9)};
                if (time % 2 == 0) {
                    shape[1] = 3; // what the parameters of an elastic model are
                }
                List<Layout> layouts = layouts(backend, random, shape);
                for (Entry entry : Catalogue.all()) {
                    // One of them, another one for each axis and number of ranks; all by night.
                    int first = random.nextInt(layouts.size());
                    for (int i = 0; i < (Nightly.isOn() ? layouts.size() : 1); i++) {
                        Layout layout = layouts.get((first + i) % layouts.size());
                        if (entry.takes().test(layout)) {
                            check(backend, entry, layout, random.nextLong());
                        }
                    }
                }
            }
        });
    }

    private static void check(Backend backend, Entry entry, Layout layout, long seed) {
        String what = entry.name() + " of " + layout + ", seed " + seed;
        Random random = new Random(seed);
        DataType[] types =
                Nightly.isOn() ? TYPES : new DataType[] {DataType.FLOAT64, TYPES[1 + random.nextInt(TYPES.length - 1)]};
        for (DataType type : types) {
            LinearOperator operator = entry.maker().make(backend, layout, type);
            double bar = Compute.real(type) == DataType.FLOAT64 ? 1e-12 : 1e-6;
            assertThat(operator.dottest(seed))
                    .as("dot test of %s, %s", what, type)
                    .isLessThan(bar);
            linear(backend, operator, bar, what);
        }
        if (entry.whole()) {
            LinearOperator operator = entry.maker().make(backend, layout, DataType.FLOAT64);
            Layout other = layout.partition() == Partition.LOCAL ? layout : backend.replicated(layout.shape());
            double[] x = numbers(random, operator.domain().size());
            double[] y = whole(operator.times(vector(backend, operator.domain(), x)));
            if (entry.takes().test(other)) {
                LinearOperator reference = entry.maker().make(backend, other, DataType.FLOAT64);
                near(y, whole(reference.times(vector(backend, reference.domain(), x))), what);
                double[] data = numbers(random, operator.range().size());
                Vector back = operator.H().times(vector(backend, operator.range(), data));
                near(whole(back), whole(reference.H().times(vector(backend, reference.range(), data))), what);
            }
            if (entry.oracle() != null) {
                near(y, entry.oracle().apply(layout.shape(), x), what);
            }
        }
    }

    /** A (2 x − 3 y) = 2 A x − 3 A y. */
    private static void linear(Backend backend, LinearOperator operator, double bar, String what) {
        Vector x = backend.vector(operator.domain(), operator.type()).fill(Coefficient.of(0.75));
        Vector y = operator.H()
                .times(backend.vector(operator.range(), operator.type()).fill(Coefficient.ONE));
        Vector sum = x.times(2).axpy(-3, y);
        Vector expected = operator.times(x).scale(Coefficient.of(2)).axpy(-3, operator.times(y));
        double size = expected.norm();
        assertThat(operator.times(sum).minus(expected).norm())
                .as("linearity of %s", what)
                .isLessThanOrEqualTo(10 * bar * (1 + size));
    }

    private static Vector vector(Backend backend, Layout layout, double... numbers) {
        Vector vector = backend.vector(layout, DataType.FLOAT64);
        int from = 0;
        for (DistributedArray array : vector.arrays()) {
            int count = (int) array.layout().size();
            array.assign(backend.of(array.layout(), Arrays.copyOfRange(numbers, from, from + count)));
            from += count;
        }
        return vector;
    }

    /** Compares with the classes of the packages: a new operator has no test until it is in the catalogue. */
    @Test
    void noOperatorIsForgotten() throws IOException, URISyntaxException, ClassNotFoundException {
        Path folder = Path.of(LinearOperator.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        assumeTrue(Files.isDirectory(folder), () -> folder + " is packed; the build looks at its folder of classes");
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder.resolve("org/comm4j/operator"))) {
            for (Path file : files.toList()) {
                String name = folder.relativize(file).toString().replace('/', '.');
                if (!name.endsWith(".class")
                        || name.contains("$")
                        || name.endsWith("info.class")
                        || name.contains(".solver.")) {
                    continue;
                }
                Class<?> type = Class.forName(
                        name.substring(0, name.length() - 6), false, getClass().getClassLoader());
                boolean makes = Stream.of(type.getDeclaredMethods())
                        .anyMatch(method -> Modifier.isStatic(method.getModifiers())
                                && Modifier.isPublic(method.getModifiers())
                                && (LinearOperator.class.isAssignableFrom(method.getReturnType())
                                        || method.getReturnType()
                                                .getSimpleName()
                                                .equals("Builder")));
                if (Modifier.isPublic(type.getModifiers()) && makes) {
                    found.add(type.getSimpleName());
                }
            }
        }
        Set<String> covered = new TreeSet<>();
        Catalogue.all().forEach(entry -> covered.add(entry.covers().getSimpleName()));
        assertThat(covered).isEqualTo(found);
    }
}
