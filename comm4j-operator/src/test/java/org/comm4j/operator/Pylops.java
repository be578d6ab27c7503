// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Npy;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.test.Nightly;

/**
 * PyLops as the oracle: questions are collected, answered by one Python process, and compared on any number of ranks.
 */
final class Pylops {
    private static final String VERSION = "2.8.0";
    private static final String PROXIMAL = "0.13.0";

    /** Makes the operator of a case, for vectors of a layout where the case has one. */
    @FunctionalInterface
    interface Maker {
        LinearOperator make(Backend backend, Layout layout);
    }

    /** Computes numbers that are compared with those of a Python expression. */
    @FunctionalInterface
    interface Computation {
        List<HostArray> compute(Backend backend);
    }

    private record Operator(String expression, DataType type, long[] shape, Maker maker) {}

    private record Value(String expression, double tolerance, Computation computation) {}

    private static final String PROGRAM = """
            import os, sys
            import numpy as np
            import pylops
            import pyproximal as pp
            from pylops import *
            from pylops.avo.poststack import *
            from pylops.avo.prestack import *
            from pylops.optimization.basic import cg, cgls, lsqr
            from pylops.optimization.leastsquares import *
            from pylops.optimization.sparsity import *
            from pylops.signalprocessing import *
            from pylops.utils.wavelets import *
            from pylops.waveeqprocessing import *

            folder = sys.argv[1]

            def arrays(name):
                found = []
                while os.path.exists(f"{folder}/{name}-{len(found)}.npy"):
                    found.append(np.load(f"{folder}/{name}-{len(found)}.npy"))
                return found

            def answer(name, result, like):
                at = 0
                for i, array in enumerate(like):
                    part = result[at:at + array.size].reshape(array.shape)
                    np.save(f"{folder}/{name}-{i}.npy", part.astype(array.dtype))
                    at += array.size
                assert at == result.size, f"{result.size} elements instead of {at}"

            def operator(name, op):
                x = arrays(name + "x")
                y = arrays(name + "y")
                answer(name + "ax", op.matvec(np.concatenate([a.ravel() for a in x])).ravel(), y)
                answer(name + "ay", op.rmatvec(np.concatenate([a.ravel() for a in y])).ravel(), x)

            def value(name, results):
                for i, result in enumerate(results):
                    result = np.atleast_1d(np.asarray(result))
                    kind = np.complex128 if np.iscomplexobj(result) else np.float64
                    np.save(f"{folder}/{name}-{i}.npy", result.astype(kind).ravel())

            def ask(what, name, expression):
                try:
                    what(name, expression())
                except Exception as e:
                    raise RuntimeError(f"{name} failed") from e

            """;

    private final Path folder;
    private final Path python;
    private final Map<String, long[]> inputs = new LinkedHashMap<>();
    private final Map<String, Operator> operators = new LinkedHashMap<>();
    private final Map<String, Value> values = new LinkedHashMap<>();
    private final Map<String, List<HostArray>> answers = new LinkedHashMap<>();

    /** Skips the test where there is no PyLops. */
    Pylops(Path folder) {
        this.folder = folder;
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path base = cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        Path place = base.resolve("comm4j/pylops-" + VERSION);
        python = place.resolve("bin/python");
        assumeTrue(
                Files.exists(place.resolve("ready")) && Files.exists(place.resolve("pyproximal-" + PROXIMAL)),
                "PyLops or PyProximal is not in " + place + "; dev/pylops-oracle fetches them");
    }

    /** Names an array of seeded random numbers for expressions, there with the suffix 64 if real and 128 if complex. */
    void input(String name, long... shape) {
        inputs.put(name, shape);
    }

    /** Returns the elements of an input, laid out as asked for: of any shape with as many elements. */
    static DistributedArray input(Backend backend, String name, Layout layout, DataType type) {
        return backend.random(layout, type, name.hashCode());
    }

    /**
     * Adds an operator for vectors of every layout of a shape.
     *
     * @param expression of the operator in Python, where "dtype" and the inputs' names stand for the type's
     */
    void operator(String expression, DataType type, long[] shape, Maker maker) {
        operators.put("o" + operators.size(), new Operator(expression, type, shape, maker));
    }

    /** Adds numbers: an expression whose value is a list of arrays. */
    void value(String expression, double tolerance, Computation computation) {
        values.put("v" + values.size(), new Value(expression, tolerance, computation));
    }

    private static String suffix(DataType type) {
        return type == DataType.FLOAT64 ? "64" : "128";
    }

    /** Writes all inputs, has Python answer, and reads its answers. */
    void ask() {
        Ranks.run(1, this::ask);
    }

    private void ask(Backend backend) {
        var program = new StringBuilder(PROGRAM);
        inputs.forEach((name, shape) -> {
            for (DataType type : new DataType[] {DataType.FLOAT64, DataType.COMPLEX128}) {
                write(name + suffix(type), input(backend, name, backend.replicated(shape), type));
                program.append("%1$s%2$s = arrays('%1$s%2$s')[0]\n".formatted(name, suffix(type)));
            }
        });
        operators.forEach((name, operator) -> {
            LinearOperator made = operator.maker.make(backend, backend.replicated(operator.shape));
            write(name + "x", random(backend, made.domain(), made.domainType(operator.type), 1));
            write(name + "y", random(backend, made.range(), made.rangeType(operator.type), 100));
            program.append("dtype = '%s'\n".formatted(operator.type == DataType.FLOAT64 ? "float64" : "complex128"));
            String own = suffix(operator.type);
            inputs.keySet().forEach(input -> program.append("%1$s = %1$s%2$s\n".formatted(input, own)));
            program.append("ask(operator, '%s', lambda: %s)\n".formatted(name, operator.expression));
        });
        values.forEach(
                (name, value) -> program.append("ask(value, '%s', lambda: %s)\n".formatted(name, value.expression)));
        run(program.toString());
        operators.keySet().forEach(name -> {
            read(backend, name + "ax");
            read(backend, name + "ay");
        });
        values.keySet().forEach(name -> read(backend, name));
    }

    private static Vector random(Backend backend, Layout layout, DataType type, long seed) {
        Vector vector = backend.vector(layout, type);
        for (int i = 0; i < vector.arrays().size(); i++) {
            DistributedArray array = vector.arrays().get(i);
            array.assign(backend.random(array.layout(), type, seed + i));
        }
        return vector;
    }

    private void write(String name, Vector vector) {
        for (int i = 0; i < vector.arrays().size(); i++) {
            Npy.write(vector.arrays().get(i), folder.resolve(name + "-" + i + ".npy"));
        }
    }

    private void read(Backend backend, String name) {
        List<HostArray> all = new ArrayList<>();
        for (Path file = folder.resolve(name + "-0.npy");
                Files.exists(file);
                file = folder.resolve(name + "-" + all.size() + ".npy")) {
            all.add(Npy.read(backend, file).toHost());
        }
        answers.put(name, all);
    }

    private void run(String program) {
        try {
            Path script = Files.writeString(folder.resolve("questions.py"), program);
            Path output = folder.resolve("output.txt");
            ProcessBuilder builder = new ProcessBuilder(python.toString(), script.toString(), folder.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            // A matrix product is one thread's, so that it takes the same order on every machine.
            builder.environment().put("OPENBLAS_NUM_THREADS", "1");
            int code = builder.start().waitFor();
            if (code != 0) {
                throw new AssertionError("Python ended with " + code + ":\n" + Files.readString(output));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /**
     * Compares the operators with PyLops' on the ranks of a backend, by night in every layout of their shapes. By day
     * it is one: {@link ContractTest} compares layouts.
     */
    void compareOperators(Backend backend, Set<DataType> types) {
        operators.forEach((name, operator) -> {
            if (!types.contains(operator.type)) {
                return;
            }
            for (Layout layout : Nightly.variants(name.hashCode(), layouts(backend, operator.shape))) {
                String what = operator.expression + " of " + operator.type + " with " + layout;
                LinearOperator made = operator.maker.make(backend, layout);
                Vector x = random(backend, made.domain(), made.domainType(operator.type), 1);
                Vector y = random(backend, made.range(), made.rangeType(operator.type), 100);
                compare(what, made.times(x), name + "ax");
                compare("adjoint of " + what, made.rmatvec(y, x.like()), name + "ay");
                assertThat(made.dottest(3)).as("dot test of %s", what).isLessThan(1e-12);
            }
        });
    }

    /** Compares the numbers with those of Python on the ranks of a backend. */
    void compareValues(Backend backend) {
        values.forEach((name, value) -> {
            List<HostArray> own = value.computation.compute(backend);
            for (int i = 0; i < own.size(); i++) {
                compare(
                        value.expression + ", number " + i,
                        own.get(i),
                        answers.get(name).get(i),
                        value.tolerance);
            }
        });
    }

    /** Returns every layout of arrays of a shape: whole, divided along each axis, and all on the last rank. */
    static List<Layout> layouts(Backend backend, long... shape) {
        List<Layout> layouts = new ArrayList<>(List.of(backend.replicated(shape)));
        for (int axis = 0; axis < shape.length; axis++) {
            layouts.add(backend.scattered(axis, shape));
        }
        if (backend.size() > 1 && shape.length > 0) {
            long[] sizes = new long[backend.size()];
            sizes[backend.size() - 1] = shape[0];
            layouts.add(Layout.scattered(sizes, 0, shape));
        }
        return layouts;
    }

    private void compare(String what, Vector own, String name) {
        for (int i = 0; i < own.arrays().size(); i++) {
            compare(what, own.arrays().get(i).toHost(), answers.get(name).get(i), 1e-13);
        }
    }

    private static void compare(String what, HostArray own, HostArray expected, double tolerance) {
        assertThat(own.count()).as("elements of %s", what).isEqualTo(expected.count());
        assertThat(own.type()).as("type of %s", what).isEqualTo(expected.type());
        boolean complex = own.type().isComplex();
        double largest = 1;
        for (long i = 0; i < own.count(); i++) {
            largest = Math.max(largest, complex ? modulus(expected, i) : Math.abs(expected.getDouble(i)));
        }
        for (long i = 0; i < own.count(); i++) {
            double difference = complex
                    ? Math.hypot(own.getReal(i) - expected.getReal(i), own.getImaginary(i) - expected.getImaginary(i))
                    : Math.abs(own.getDouble(i) - expected.getDouble(i));
            if (!(difference <= tolerance * largest)) {
                throw new AssertionError("element " + i + " of " + what + " differs by " + difference);
            }
        }
    }

    private static double modulus(HostArray array, long i) {
        return Math.hypot(array.getReal(i), array.getImaginary(i));
    }
}
