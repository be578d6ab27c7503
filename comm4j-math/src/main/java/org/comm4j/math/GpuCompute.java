// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.F64Ptr;
import org.comm4j.kernel.Ptr;
import org.comm4j.math.Numbers.Factor;
import org.comm4j.math.ReductionKernels.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A GPU that computes for one rank, on arrays in its memory: kernels written in Java, in the order of a stream. Calls
 * return when the work is put in; what reads results waits for it. For one thread at a time.
 *
 * <p>Sums have an order that depends on the length alone. Arithmetic of 32-bit elements is in {@code float}, sums are
 * in {@code double}.
 */
public final class GpuCompute implements Compute {
    /** Matrices and stencils whose coefficients stay on the device, those used last. */
    private static final int MOST_TABLES = 256;

    private static final Calculation NOTHING = (_, _, _) -> {};

    /** What a matrix has on the device. */
    record Sparse(Memory starts, Memory columns, Memory values) implements AutoCloseable {
        @Override
        public void close() {
            starts.close();
            columns.close();
            values.close();
        }
    }

    private record Totals(DataType type, long count) {}

    private record StencilKey(Stencil stencil, boolean complex) {}

    private final KernelQueue queue;
    private final KernelRunner runner;
    private final Blas blas;
    private final Memory partial;
    private final Memory arrived;
    private final F64Ptr nowhere;
    private final Map<Object, AutoCloseable> tables = new LinkedHashMap<>(16, 0.75f, true);
    private final List<Memory> owned = new ArrayList<>();

    /** Makes the compute of a device, with a stream of its own. */
    public GpuCompute(Device device) {
        this(new StreamQueue(device));
    }

    GpuCompute(KernelQueue queue) {
        this.queue = queue;
        runner = new KernelRunner(queue);
        blas = queue.blas(runner);
        partial = queue.allocate(DataType.FLOAT64, 2L * ReductionKernels.MOST_BLOCKS * SweepKernels.MOST_TERMS);
        arrived = queue.allocate(DataType.INT32, 1);
        nowhere = F64Ptr.of(partial.buffer());
    }

    @Override
    public String name() {
        return queue.name();
    }

    @Override
    public Memory allocate(DataType type, long count) {
        return queue.allocate(type, count);
    }

    @Override
    public Buffer buffer(DataType type, long count) {
        Memory memory = queue.allocate(type, count);
        owned.add(memory);
        return memory.buffer();
    }

    @Override
    public Scalars scalars(int count) {
        Buffer numbers = buffer(DataType.FLOAT64, 2L * count);
        HostArray one = HostArray.allocate(DataType.FLOAT64, 1);
        return new Scalars(numbers, new Scalars.Access() {
            @Override
            public double get(int part) {
                synchronize();
                numbers.slice(part, 1).copyTo(one);
                return one.getDouble(0);
            }

            @Override
            public void set(int index, double real, double imaginary) {
                Object[] constants = {true, true, true};
                Factor value = new Factor(nowhere, false, real, imaginary);
                runner.run("Vector.fill", 1, constants, 2L, value, numbers.slice(2L * index, 2));
            }
        });
    }

    @Override
    public Blas blas() {
        return blas;
    }

    // Vectors

    private void vector(String operation, Buffer buffer) {
        Operands.vector(operation, buffer);
        String problem = queue.unreachable(buffer);
        if (!problem.isEmpty()) {
            throw new IllegalArgumentException(operation + ": " + buffer + " " + problem);
        }
    }

    private Factor factor(String operation, Coefficient value, Buffer elements) {
        if (value instanceof Coefficient.Constant constant) {
            double re = constant.real();
            double im = Operands.imaginary(operation, re, constant.imaginary(), elements.type());
            return new Factor(nowhere, false, re, im);
        }
        Buffer memory = ((Scalar) value).buffer();
        return new Factor(F64Ptr.of(memory), true, 0, 0);
    }

    static boolean aligned(Buffer... vectors) {
        for (Buffer vector : vectors) {
            if (vector.address() % Numbers.PACK != 0) {
                return false;
            }
        }
        return true;
    }

    private static long packs(Buffer vector) {
        int lanes = Numbers.lanes(Operands.wide(vector));
        return (Operands.parts(vector) + lanes - 1) / lanes;
    }

    @Override
    public void fill(Coefficient value, Buffer y) {
        vector("fill", y);
        Factor factor = factor("fill", value, y);
        if (y.count() > 0) {
            Object[] constants = {Operands.wide(y), y.type().isComplex(), aligned(y)};
            runner.run("Vector.fill", packs(y), constants, Operands.parts(y), factor, y);
        }
    }

    @Override
    public void copy(Buffer x, Buffer y) {
        vector("copy", x);
        vector("copy", y);
        Operands.sameCount("copy", x, y);
        Operands.convertible(x, y);
        if (x.count() == 0) {
            return;
        }
        if (x.type() != y.type()) {
            Object[] constants = {
                Operands.wide(x),
                x.type().isComplex(),
                Operands.wide(y),
                y.type().isComplex()
            };
            runner.run("Vector.convert", x.count(), constants, x.count(), x, y);
        } else if (x.address() != y.address()) {
            queue.copy(x, y);
        }
    }

    @Override
    public void axpby(Coefficient a, Buffer x, Coefficient b, Buffer y) {
        vector("axpby", x);
        vector("axpby", y);
        Operands.same("axpby", x, y);
        Factor first = factor("axpby", a, y);
        Factor second = factor("axpby", b, y);
        if (y.count() > 0) {
            Object[] constants = {Operands.wide(y), y.type().isComplex(), aligned(x, y)};
            runner.run("Vector.axpby", packs(y), constants, Operands.parts(y), first, x, second, y);
        }
    }

    @Override
    public void multiply(Buffer x, Buffer y, Buffer z) {
        vector("multiply", x);
        vector("multiply", y);
        vector("multiply", z);
        Operands.same("multiply", x, z);
        Operands.same("multiply", y, z);
        if (z.count() > 0) {
            Object[] constants = {Operands.wide(z), z.type().isComplex(), aligned(x, y, z)};
            runner.run("Vector.multiply", packs(z), constants, Operands.parts(z), x, y, z);
        }
    }

    @Override
    public void map(ElementFunction f, Buffer y, Buffer... x) {
        vector("map", y);
        Operands.map(f, y, x);
        boolean aligned = aligned(y) && aligned(x);
        Object[] arguments = new Object[x.length + 2];
        arguments[0] = y.count();
        for (int i = 0; i < x.length; i++) {
            vector("map", x[i]);
            arguments[i + 1] = x[i];
        }
        arguments[x.length + 1] = y;
        if (y.count() > 0) {
            runner.run("Map.map" + x.length, packs(y), new Object[] {Operands.wide(y), aligned, f}, arguments);
        }
    }

    @Override
    public void conjugate(Buffer x, Buffer y) {
        vector("conjugate", x);
        vector("conjugate", y);
        Operands.same("conjugate", x, y);
        if (!y.type().isComplex()) {
            copy(x, y);
        } else if (y.count() > 0) {
            Object[] constants = {Operands.wide(y), aligned(x, y)};
            runner.run("Vector.conjugate", packs(y), constants, Operands.parts(y), x, y);
        }
    }

    @Override
    public Fft fft(DataType type, long outer, int length, long inner) {
        Operands.transform(type, outer, length, inner);
        return queue.fft(type, outer, length, inner);
    }

    @Override
    public void random(long seed, long start, Buffer y) {
        vector("random", y);
        if (y.count() > 0) {
            Object[] constants = {Operands.wide(y), y.type().isComplex()};
            runner.run("Vector.random", y.count(), constants, y.count(), seed, start, y);
        }
    }

    // Reductions

    @Override
    public void dot(Buffer x, Buffer y, Scalar result) {
        vector("dot", x);
        vector("dot", y);
        Operands.same("dot", x, y);
        reduce(Kind.DOT, x, y, 0, result);
    }

    @Override
    public void vdot(Buffer x, Buffer y, Scalar result) {
        vector("vdot", x);
        vector("vdot", y);
        Operands.same("vdot", x, y);
        reduce(Kind.VDOT, x, y, 0, result);
    }

    @Override
    public void sumOfSquares(Buffer x, double scale, Scalar result) {
        vector("sumOfSquares", x);
        reduce(scale == 1 ? Kind.SQUARES : Kind.SCALED_SQUARES, x, x, scale, result);
    }

    @Override
    public void sumOfPowers(Buffer x, double p, Scalar result) {
        vector("sumOfPowers", x);
        reduce(p == 0 ? Kind.NONZEROS : p == 1 ? Kind.MODULI : Kind.POWERS, x, x, p, result);
    }

    @Override
    public void largestModulus(Buffer x, Scalar result) {
        vector("largestModulus", x);
        reduce(Kind.LARGEST, x, x, 0, result);
    }

    @Override
    public void smallestModulus(Buffer x, Scalar result) {
        vector("smallestModulus", x);
        reduce(Kind.SMALLEST, x, x, 0, result);
    }

    private void reduce(Kind kind, Buffer x, Buffer y, double p, Scalar result) {
        Object[] constants = {kind, Operands.wide(x), x.type().isComplex(), aligned(x, y)};
        runner.launch(
                "Reduction.reduce",
                LaunchConfig.grid(ReductionKernels.blocks(packs(x))).block(ReductionKernels.THREADS),
                constants,
                Operands.parts(x),
                x,
                y,
                p,
                partial.buffer(),
                arrived.buffer(),
                result.buffer());
    }

    @Override
    public Runnable prepare(Sweep sweep) {
        return prepare(sweep, NOTHING, partial.buffer(), partial.buffer(), partial.buffer());
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // this very calculation
    public Runnable prepare(Sweep sweep, Calculation calculation, Buffer a, Buffer b, Buffer c) {
        List<Runnable> launches = new ArrayList<>();
        List<List<Sweep.Term>> groups = sweep.groups(SweepKernels.MOST_TERMS);
        boolean together = false;
        for (List<Sweep.Term> group : groups) {
            boolean sums = false;
            boolean empty = true;
            for (Sweep.Term term : group) {
                vector("sweep", term.x());
                vector("sweep", term.y());
                sums |= term.kind().sums();
                empty &= term.y().count() == 0;
            }
            // The block that ends last knows the sums; updates alone have no such block.
            together = sums && group == groups.getLast();
            if (sums || !empty) {
                launches.add(prepare(group, together ? calculation : NOTHING, a, b, c));
            }
        }
        if (!together && calculation != NOTHING) {
            LaunchConfig one = LaunchConfig.grid(1).block(1);
            launches.add(runner.prepare("Sweep.calculate", one, new Object[] {calculation}, a, b, c));
        }
        Runnable[] all = launches.toArray(Runnable[]::new);
        return () -> {
            for (Runnable launch : all) {
                launch.run();
            }
        };
    }

    private Runnable prepare(List<Sweep.Term> group, Calculation calculation, Buffer a, Buffer b, Buffer c) {
        Sweep.Kind[] kinds = new Sweep.Kind[SweepKernels.MOST_TERMS];
        SweepKernels.Term[] terms = new SweepKernels.Term[SweepKernels.MOST_TERMS];
        boolean aligned = true;
        int blocks = 1;
        for (int i = 0; i < terms.length; i++) {
            boolean used = i < group.size();
            Sweep.Term term = used ? group.get(i) : group.getFirst();
            kinds[i] = used ? term.kind() : Sweep.Kind.NONE;
            Scalar result = term.result();
            terms[i] = new SweepKernels.Term(
                    Operands.parts(term.y()),
                    ReductionKernels.blocks(packs(term.y())),
                    Ptr.of(term.x()),
                    Ptr.of(term.y()),
                    factor("sweep", term.a(), term.y()),
                    factor("sweep", term.b(), term.y()),
                    result == null ? nowhere : F64Ptr.of(result.buffer()),
                    term.add());
            aligned &= aligned(term.x(), term.y());
            blocks = Math.max(blocks, terms[i].blocks());
        }
        Buffer y = group.getFirst().y();
        Object[] constants = {
            kinds[0], kinds[1], kinds[2], Operands.wide(y), y.type().isComplex(), aligned, calculation
        };
        LaunchConfig config = LaunchConfig.grid(blocks).block(ReductionKernels.THREADS);
        return runner.prepare(
                "Sweep.run",
                config,
                constants,
                terms[0],
                terms[1],
                terms[2],
                partial.buffer(),
                arrived.buffer(),
                a,
                b,
                c);
    }

    @Override
    public Snapshot snapshot(Buffer numbers) {
        return queue.snapshot(numbers);
    }

    @Override
    public boolean isAsynchronous() {
        return true;
    }

    // Stencils and sparse matrices

    @SuppressWarnings("unchecked")
    private <T extends AutoCloseable> T table(Object key, Supplier<T> make) {
        AutoCloseable known = tables.get(key);
        if (known == null) {
            if (tables.size() >= MOST_TABLES) {
                Iterator<AutoCloseable> oldest = tables.values().iterator();
                close(oldest.next());
                oldest.remove();
            }
            known = make.get();
            tables.put(key, known);
        }
        return (T) known;
    }

    private static void close(AutoCloseable table) {
        try {
            table.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void stencil(Stencil stencil, Buffer x, @Nullable Buffer before, @Nullable Buffer after, Buffer y) {
        vector("stencil", x);
        vector("stencil", y);
        Operands.same("stencil", x, y);
        Operands.apart("stencil", x, y);
        if (x.count() == 0) {
            return;
        }
        boolean complex = y.type().isComplex();
        StencilPlan plan = table(new StencilKey(stencil, complex), () -> new StencilPlan(queue, stencil, complex));
        if (plan.passes().isEmpty()) {
            fill(Coefficient.ZERO, y);
        }
        boolean add = false;
        for (StencilPlan.Pass pass : plan.passes()) {
            StencilLaunches.run(runner, pass, x, before == null ? x : before, after == null ? x : after, y, add);
            add = true;
        }
    }

    @Override
    public boolean gradient(Stencil stencil, Buffer x, @Nullable Buffer before, @Nullable Buffer after, Buffer... y) {
        return fused(true, stencil, before, after, x, y);
    }

    @Override
    public boolean divergence(Stencil stencil, @Nullable Buffer before, @Nullable Buffer after, Buffer y, Buffer... x) {
        return fused(false, stencil, before, after, y, x);
    }

    private boolean fused(
            boolean gradient,
            Stencil stencil,
            @Nullable Buffer before,
            @Nullable Buffer after,
            Buffer whole,
            Buffer... components) {
        String operation = gradient ? "gradient" : "divergence";
        vector(operation, whole);
        Operands.components(operation, stencil, whole, components);
        for (Buffer component : components) {
            vector(operation, component);
        }
        if (whole.count() == 0) {
            return true;
        }
        boolean complex = whole.type().isComplex();
        StencilPlan plan = table(new StencilKey(stencil, complex), () -> new StencilPlan(queue, stencil, complex));
        // What a kernel takes and does not read.
        Buffer none = gradient ? whole : components[0];
        Buffer front = before == null ? none : before;
        Buffer back = after == null ? none : after;
        return StencilLaunches.fused(runner, gradient, plan, partial.buffer(), front, back, whole, components);
    }

    @Override
    public void multiply(AxisMatrix matrix, long outer, long inner, Buffer x, Buffer y) {
        vector("multiply", x);
        vector("multiply", y);
        Operands.slices(matrix, outer, inner, x, y);
        if (y.count() == 0) {
            return;
        }
        Sparse sparse = table(matrix, () -> sparse(matrix));
        AxisLaunches.multiply(runner, sparse, matrix, outer, inner, x, y);
    }

    @Override
    public void transpose(long outer, long rows, long columns, long inner, Buffer x, Buffer y) {
        vector("transpose", x);
        vector("transpose", y);
        Operands.shaped("transpose", x, y, outer * rows * columns * inner);
        if (y.count() > 0) {
            AxisLaunches.transpose(runner, outer, rows, columns, inner, x, y);
        }
    }

    @Override
    public void cumulate(boolean backward, long outer, long length, long inner, Buffer x, Buffer y) {
        vector("cumulate", x);
        vector("cumulate", y);
        Operands.shaped("cumulate", x, y, outer * length * inner);
        if (y.count() > 0) {
            AxisLaunches.cumulate(runner, this::totals, backward, outer, length, inner, x, y);
        }
    }

    private Buffer totals(DataType type, long count) {
        return table(new Totals(type, count), () -> queue.allocate(type, count)).buffer();
    }

    private Sparse sparse(AxisMatrix matrix) {
        int rows = matrix.rowCount();
        int count = matrix.start(rows);
        HostArray starts = HostArray.allocate(DataType.INT64, rows + 1L);
        for (int r = 0; r <= rows; r++) {
            starts.setLong(r, matrix.start(r));
        }
        // Never empty, as kernels take no empty arrays.
        HostArray columns = HostArray.allocate(DataType.INT64, Math.max(1, count));
        HostArray values = HostArray.allocate(DataType.FLOAT64, Math.max(1, count));
        for (int e = 0; e < count; e++) {
            columns.setLong(e, matrix.column(e));
            values.setDouble(e, matrix.value(e));
        }
        return new Sparse(upload(starts), upload(columns), upload(values));
    }

    private Memory upload(HostArray array) {
        Memory memory = queue.allocate(array.type(), array.count());
        memory.buffer().copyFrom(array);
        return memory;
    }

    @Override
    public GroupedOperations operations(Communicator communicator) {
        return queue.operations(communicator);
    }

    @Override
    public Recording record(Runnable body) {
        return queue.record(body);
    }

    @Override
    public void synchronize() {
        queue.synchronize();
    }

    @Override
    public void close() {
        tables.values().forEach(GpuCompute::close);
        tables.clear();
        owned.forEach(Memory::close);
        owned.clear();
        partial.close();
        arrived.close();
        runner.close();
        queue.close();
    }
}
