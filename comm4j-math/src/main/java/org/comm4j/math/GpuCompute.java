// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.kernel.lang.F64Ptr;
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

    private record Totals(DataType type, long count) {}

    private record StencilKey(Stencil stencil, boolean complex) {}

    private final KernelQueue queue;
    private final KernelRunner runner;
    private final Blas blas;
    private final Memory partial;
    private final Memory arrived;
    private final F64Ptr nowhere;
    private final Tables tables = new Tables(MOST_TABLES);
    private final List<Memory> owned = new ArrayList<>();

    /** Makes the compute of a device, with a stream of its own. */
    public GpuCompute(Device device) {
        this(new StreamQueue(nonNull(device, "GpuCompute", "device")));
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
        return Factor.of(operation, value, elements, nowhere);
    }

    @Override
    public void fill(Coefficient value, Buffer y) {
        vector("fill", y);
        Factor factor = factor("fill", value, y);
        if (y.count() > 0) {
            Object[] constants = {Operands.wide(y), y.type().isComplex(), Operands.aligned(y)};
            runner.run("Vector.fill", Operands.packs(y), constants, Operands.parts(y), factor, y);
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
            Object[] constants = {Operands.wide(y), y.type().isComplex(), Operands.aligned(x, y)};
            runner.run("Vector.axpby", Operands.packs(y), constants, Operands.parts(y), first, x, second, y);
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
            Object[] constants = {Operands.wide(z), z.type().isComplex(), Operands.aligned(x, y, z)};
            runner.run("Vector.multiply", Operands.packs(z), constants, Operands.parts(z), x, y, z);
        }
    }

    @Override
    public void map(ElementFunction f, Buffer y, Buffer... x) {
        vector("map", y);
        Operands.map(f, y, x);
        boolean aligned = Operands.aligned(y) && Operands.aligned(x);
        Object[] arguments = new Object[x.length + 2];
        arguments[0] = y.count();
        for (int i = 0; i < x.length; i++) {
            vector("map", x[i]);
            arguments[i + 1] = x[i];
        }
        arguments[x.length + 1] = y;
        if (y.count() > 0) {
            runner.run("Map.map" + x.length, Operands.packs(y), new Object[] {Operands.wide(y), aligned, f}, arguments);
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
            Object[] constants = {Operands.wide(y), Operands.aligned(x, y)};
            runner.run("Vector.conjugate", Operands.packs(y), constants, Operands.parts(y), x, y);
        }
    }

    @Override
    public Fft fft(DataType type, long outer, int length, long inner, double factor, double pairs) {
        Operands.transform(type, outer, length, inner);
        Fft fft = queue.fft(type, outer, length, inner);
        return WeightedFft.of(this, fft, type, new AxisShape(outer, length, inner), factor, pairs);
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
        Object[] constants = {kind, Operands.wide(x), x.type().isComplex(), Operands.aligned(x, y)};
        runner.launch(
                "Reduction.reduce",
                LaunchConfig.grid(ReductionKernels.blocks(Operands.packs(x))).block(ReductionKernels.THREADS),
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
        return prepare(sweep, SweepLaunches.NOTHING, partial.buffer(), partial.buffer(), partial.buffer());
    }

    @Override
    public Runnable prepare(Sweep sweep, Calculation calculation, Buffer a, Buffer b, Buffer c) {
        for (Sweep.Term term : sweep.terms()) {
            vector("sweep", term.x());
            vector("sweep", term.y());
        }
        return new SweepLaunches(runner, partial.buffer(), arrived.buffer()).of(sweep, calculation, a, b, c);
    }

    @Override
    public Runnable prepare(PointTerm term) {
        term.vectors().forEach(each -> vector("map", each));
        return PointLaunches.of(term, runner, partial.buffer(), arrived.buffer());
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

    @Override
    public void stencil(Stencil stencil, Buffer x, @Nullable Buffer before, @Nullable Buffer after, Buffer y) {
        stencil(stencil, x, x, before, after, y, StencilKernels.ZERO);
    }

    @Override
    public void stencil(
            Stencil stencil, Buffer diagonal, Buffer x, @Nullable Buffer before, @Nullable Buffer after, Buffer y) {
        Operands.diagonal(diagonal, x);
        vector("stencil", diagonal);
        Operands.apart("stencil", diagonal, y);
        stencil(stencil, diagonal, x, before, after, y, StencilKernels.PRODUCT);
    }

    private void stencil(
            Stencil stencil,
            Buffer diagonal,
            Buffer x,
            @Nullable Buffer before,
            @Nullable Buffer after,
            Buffer y,
            int begin) {
        vector("stencil", x);
        vector("stencil", y);
        Operands.same("stencil", x, y);
        Operands.apart("stencil", x, y);
        if (x.count() == 0) {
            return;
        }
        StencilPlan plan = plan(stencil, y);
        if (plan.passes().isEmpty()) {
            // A stencil without bands
            if (begin == StencilKernels.PRODUCT) {
                multiply(diagonal, x, y);
            } else {
                fill(Coefficient.ZERO, y);
            }
        }
        int next = begin;
        for (StencilPlan.Pass pass : plan.passes()) {
            StencilLaunches.run(
                    runner, pass, x, before == null ? x : before, after == null ? x : after, diagonal, y, next);
            next = StencilKernels.ADD;
        }
    }

    private StencilPlan plan(Stencil stencil, Buffer elements) {
        boolean complex = elements.type().isComplex();
        return tables.of(new StencilKey(stencil, complex), () -> new StencilPlan(queue, stencil, complex));
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
        StencilPlan plan = plan(stencil, whole);
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
        DeviceMatrix onDevice = tables.of(matrix, () -> DeviceMatrix.of(queue, matrix));
        AxisLaunches.multiply(runner, onDevice, matrix, outer, inner, x, y);
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
        return tables.of(new Totals(type, count), () -> queue.allocate(type, count))
                .buffer();
    }

    @Override
    public GroupedOperations operations(Communicator communicator) {
        return queue.operations(communicator);
    }

    @Override
    public @Nullable PeerMemory peers(Communicator communicator) {
        return queue.peers(communicator);
    }

    @Override
    public @Nullable HaloExchange halo(
            Communicator communicator,
            long bytes,
            HaloExchange.@Nullable Side before,
            HaloExchange.@Nullable Side after) {
        PeerMemory memory = queue.peerMemory(communicator, HaloKernels.length(bytes));
        return memory == null ? null : new KernelHalo(queue, runner, communicator, memory, bytes, before, after);
    }

    @Override
    public @Nullable Exchange exchange(Communicator communicator, long most, long[] sent, long[] received) {
        return KernelExchange.of(this, queue, runner, communicator, false, most, sent, received);
    }

    @Override
    public @Nullable Transfer exchangeBeside(
            Communicator communicator, long most, long[] sent, long[] received, Buffer send, Buffer recv) {
        KernelExchange made = KernelExchange.of(this, queue, runner, communicator, true, most, sent, received);
        return made == null ? null : made.beside(communicator, send, recv);
    }

    @Override
    public @Nullable GroupTransfers groupTransfers(Communicator communicator, long most) {
        PeerMemory memory = queue.exchangeMemory(communicator, true, ExchangeKernels.length(most));
        return memory == null ? null : new KernelGroupTransfers(this, queue, runner, communicator, memory, most);
    }

    @Override
    public Transfer transfer(Communicator communicator, boolean beside, Consumer<Operations> body) {
        return queue.transfer(communicator, beside, body);
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
        tables.close();
        owned.forEach(Memory::close);
        owned.clear();
        partial.close();
        arrived.close();
        runner.close();
        queue.close();
    }
}
