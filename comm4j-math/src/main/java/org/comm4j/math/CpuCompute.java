// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.lang.foreign.Arena;
import java.util.IdentityHashMap;
import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.kernel.lang.F64Ptr;
import org.jspecify.annotations.Nullable;

/** The processor of one rank: operations on {@link HostArray}s, by the thread that calls. */
public final class CpuCompute implements Compute {
    private static final int MOST_STENCILS = 256;

    private final Blas blas;
    private final PeerMemories peers = new PeerMemories();

    /** Loops of the stencils that were used. */
    private final IdentityHashMap<Stencil, StencilLoops> stencils = new IdentityHashMap<>();

    /** Makes the compute of the thread that calls it. */
    public CpuCompute() {
        this(NativeBlas.find());
    }

    CpuCompute(Blas blas) {
        this.blas = blas;
    }

    @Override
    public String name() {
        return "CPU";
    }

    @Override
    public Memory allocate(DataType type, long count) {
        Arena arena = Arena.ofShared();
        try {
            return new Memory(HostArray.allocate(arena, type, count), arena::close);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    @Override
    public Buffer buffer(DataType type, long count) {
        return HostArray.allocate(type, count);
    }

    @Override
    public Scalars scalars(int count) {
        return Scalars.onHost(count);
    }

    @Override
    public Blas blas() {
        return blas;
    }

    @Override
    public void fill(Coefficient value, Buffer y) {
        HostArray to = vector("fill", y);
        double re = value.real();
        double im = imaginary("fill", value, y.type());
        if (im == 0) {
            to.fill(re);
        } else {
            for (long i = 0; i < to.count(); i++) {
                to.setComplex(i, re, im);
            }
        }
    }

    @Override
    public void copy(Buffer x, Buffer y) {
        HostArray from = vector("copy", x);
        HostArray to = vector("copy", y);
        Operands.sameCount("copy", from, to);
        if (from.type() == to.type()) {
            to.copyFrom(from);
            return;
        }
        Operands.convertible(from, to);
        Elements in = Elements.of(from);
        Elements out = Elements.of(to);
        for (long i = 0; i < from.count(); i++) {
            out.set(i, in.real(i), in.imaginary(i));
        }
    }

    @Override
    public void axpby(Coefficient a, Buffer x, Coefficient b, Buffer y) {
        HostArray from = vector("axpby", x);
        HostArray to = vector("axpby", y);
        Operands.same("axpby", from, to);
        double ar = a.real();
        double ai = imaginary("axpby", a, to.type());
        double br = b.real();
        double bi = imaginary("axpby", b, to.type());
        if (ai != 0 || bi != 0) {
            ElementLoops.axpby(ar, ai, Elements.of(from), br, bi, Elements.of(to), to.count());
            return;
        }
        boolean wide = Compute.real(to.type()) == DataType.FLOAT64;
        long n = Operands.parts(to);
        if (ar == 0 && br == 1) {
            return;
        }
        if (ar == 0 && br == 0) {
            to.fill(0);
        } else if (ar == 0 && wide) {
            VectorLoops.scale64(br, to.segment(), n);
        } else if (ar == 0) {
            VectorLoops.scale32((float) br, to.segment(), n);
        } else if (wide) {
            VectorLoops.axpby64(ar, from.segment(), br, to.segment(), n);
        } else {
            VectorLoops.axpby32((float) ar, from.segment(), (float) br, to.segment(), n);
        }
    }

    @Override
    public void multiply(Buffer x, Buffer y, Buffer z) {
        HostArray a = vector("multiply", x);
        HostArray b = vector("multiply", y);
        HostArray to = vector("multiply", z);
        Operands.same("multiply", a, to);
        Operands.same("multiply", b, to);
        switch (to.type()) {
            case FLOAT64 -> VectorLoops.multiply64(a.segment(), b.segment(), to.segment(), to.count());
            case FLOAT32 -> VectorLoops.multiply32(a.segment(), b.segment(), to.segment(), to.count());
            case COMPLEX64 -> {
                // Rounded after every step, as on GPUs.
                for (long i = 0; i < to.count(); i++) {
                    float ar = (float) a.getReal(i);
                    float ai = (float) a.getImaginary(i);
                    float br = (float) b.getReal(i);
                    float bi = (float) b.getImaginary(i);
                    to.setComplex(i, ar * br - ai * bi, ar * bi + ai * br);
                }
            }
            default -> {
                for (long i = 0; i < to.count(); i++) {
                    double ar = a.getReal(i);
                    double ai = a.getImaginary(i);
                    double br = b.getReal(i);
                    double bi = b.getImaginary(i);
                    to.setComplex(i, ar * br - ai * bi, ar * bi + ai * br);
                }
            }
        }
    }

    @Override
    public void map(ElementFunction f, Buffer y, Buffer... x) {
        HostArray to = vector("map", y);
        Operands.map(f, y, x);
        HostArray[] in = new HostArray[x.length];
        for (int i = 0; i < x.length; i++) {
            in[i] = vector("map", x[i]);
        }
        long n = to.count();
        switch (f) {
            case ElementFunction.Of1 one -> {
                for (long i = 0; i < n; i++) {
                    to.setDouble(i, one.of(in[0].getDouble(i)));
                }
            }
            case ElementFunction.Of2 two -> {
                for (long i = 0; i < n; i++) {
                    to.setDouble(i, two.of(in[0].getDouble(i), in[1].getDouble(i)));
                }
            }
            case ElementFunction.Of3 three -> {
                for (long i = 0; i < n; i++) {
                    to.setDouble(i, three.of(in[0].getDouble(i), in[1].getDouble(i), in[2].getDouble(i)));
                }
            }
        }
    }

    @Override
    public void conjugate(Buffer x, Buffer y) {
        HostArray from = vector("conjugate", x);
        HostArray to = vector("conjugate", y);
        Operands.same("conjugate", from, to);
        if (!to.type().isComplex()) {
            copy(x, y);
            return;
        }
        Elements in = Elements.of(from);
        Elements out = Elements.of(to);
        for (long i = 0; i < to.count(); i++) {
            out.set(i, in.real(i), -in.imaginary(i));
        }
    }

    @Override
    public void dot(Buffer x, Buffer y, Scalar result) {
        HostArray a = vector("dot", x);
        HostArray b = vector("dot", y);
        Operands.same("dot", a, b);
        if (!a.type().isComplex()) {
            vdot(x, y, result);
            return;
        }
        ElementLoops.dot(a, b, result);
    }

    @Override
    public void vdot(Buffer x, Buffer y, Scalar result) {
        HostArray a = vector("vdot", x);
        HostArray b = vector("vdot", y);
        Operands.same("vdot", a, b);
        boolean wide = Compute.real(a.type()) == DataType.FLOAT64;
        double re = wide
                ? VectorLoops.dot64(a.segment(), b.segment(), Operands.parts(a))
                : VectorLoops.dot32(a.segment(), b.segment(), Operands.parts(a));
        double im = !a.type().isComplex()
                ? 0
                : wide
                        ? VectorLoops.cross64(a.segment(), b.segment(), a.count())
                        : VectorLoops.cross32(a.segment(), b.segment(), a.count());
        result.set(re, im);
    }

    @Override
    public void sumOfSquares(Buffer x, double scale, Scalar result) {
        HostArray a = vector("sumOfSquares", x);
        if (scale == 1 && Compute.real(a.type()) == DataType.FLOAT64) {
            result.set(VectorLoops.dot64(a.segment(), a.segment(), Operands.parts(a)));
        } else if (scale == 1) {
            result.set(VectorLoops.dot32(a.segment(), a.segment(), Operands.parts(a)));
        } else {
            result.set(ElementLoops.sumOfSquares(a, scale));
        }
    }

    @Override
    public void sumOfPowers(Buffer x, double p, Scalar result) {
        result.set(ElementLoops.sumOfPowers(vector("sumOfPowers", x), p));
    }

    @Override
    public void largestModulus(Buffer x, Scalar result) {
        result.set(ElementLoops.largestModulus(vector("largestModulus", x)));
    }

    @Override
    public void smallestModulus(Buffer x, Scalar result) {
        result.set(ElementLoops.smallestModulus(vector("smallestModulus", x)));
    }

    @Override
    public Runnable prepare(Sweep sweep) {
        Sweep.Term[] terms = sweep.terms().toArray(Sweep.Term[]::new);
        for (Sweep.Term term : terms) {
            HostArray _ = vector("sweep", term.x());
            HostArray _ = vector("sweep", term.y());
        }
        SweepLoops loops = new SweepLoops(this);
        Sweep.Exchange exchange = sweep.exchange();
        PeerSums.Peers together = exchange == null ? null : PeerSums.of(exchange.peers(), exchange.numbers());
        return () -> {
            for (Sweep.Term term : terms) {
                loops.run(term);
            }
            for (int i = 0; together != null && i < together.count(); i++) {
                PeerSums.sum(together, i);
            }
            if (exchange != null) {
                exchange.peers().check();
            }
        };
    }

    @Override
    public Runnable prepare(Sweep sweep, Calculation calculation, Buffer a, Buffer b, Buffer c) {
        Runnable terms = prepare(sweep);
        F64Ptr first = F64Ptr.of(a);
        F64Ptr second = F64Ptr.of(b);
        F64Ptr third = F64Ptr.of(c);
        return () -> {
            terms.run();
            calculation.run(first, second, third);
        };
    }

    @Override
    public Runnable prepare(PointTerm term) {
        term.vectors().forEach(each -> vector("map", each));
        return new PointLoops(term);
    }

    @Override
    public Snapshot snapshot(Buffer numbers) {
        HostArray copy = HostArray.allocate(numbers.type(), numbers.count());
        return new Snapshot() {
            @Override
            public void take() {
                copy.copyFrom((HostArray) numbers);
            }

            @Override
            public HostArray await() {
                return copy;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public boolean isAsynchronous() {
        return false;
    }

    @Override
    public void stencil(Stencil stencil, Buffer x, @Nullable Buffer before, @Nullable Buffer after, Buffer y) {
        compute(stencil, null, x, before, after, y);
    }

    @Override
    public void stencil(
            Stencil stencil, Buffer diagonal, Buffer x, @Nullable Buffer before, @Nullable Buffer after, Buffer y) {
        Operands.diagonal(diagonal, x);
        Operands.apart("stencil", diagonal, y);
        compute(stencil, vector("stencil", diagonal), x, before, after, y);
    }

    private void compute(
            Stencil stencil,
            @Nullable HostArray diagonal,
            Buffer x,
            @Nullable Buffer before,
            @Nullable Buffer after,
            Buffer y) {
        HostArray from = vector("stencil", x);
        HostArray to = vector("stencil", y);
        Operands.same("stencil", from, to);
        Operands.apart("stencil", from, to);
        if (from.count() > 0) {
            HostArray front = before == null ? null : vector("stencil", before);
            HostArray back = after == null ? null : vector("stencil", after);
            loops(stencil).run(diagonal, from, front, back, to);
        }
    }

    private StencilLoops loops(Stencil stencil) {
        StencilLoops known = stencils.get(stencil);
        if (known == null) {
            if (stencils.size() >= MOST_STENCILS) {
                stencils.clear();
            }
            known = new StencilLoops(stencil);
            stencils.put(stencil, known);
        }
        return known;
    }

    @Override
    public void multiply(AxisMatrix matrix, long outer, long inner, Buffer x, Buffer y) {
        HostArray from = vector("multiply", x);
        HostArray to = vector("multiply", y);
        Operands.slices(matrix, outer, inner, from, to);
        AxisLoops.multiply(matrix, outer, inner, from, to);
    }

    @Override
    public void arrivals(Arrivals arrivals, boolean adjoint, Buffer x, Buffer y) {
        HostArray from = vector("arrivals", x);
        HostArray to = vector("arrivals", y);
        arrivals.check(adjoint, from, to);
        if (adjoint) {
            ArrivalLoops.collect(arrivals, from, to);
        } else {
            ArrivalLoops.spread(arrivals, from, to);
        }
    }

    @Override
    public void transpose(long outer, long rows, long columns, long inner, Buffer x, Buffer y) {
        HostArray from = vector("transpose", x);
        HostArray to = vector("transpose", y);
        Operands.shaped("transpose", from, to, outer * rows * columns * inner);
        LineLoops.transpose(from, to, outer, rows, columns, inner);
    }

    @Override
    public void cumulate(boolean backward, long outer, long length, long inner, Buffer x, Buffer y) {
        HostArray from = vector("cumulate", x);
        HostArray to = vector("cumulate", y);
        Operands.shaped("cumulate", from, to, outer * length * inner);
        LineLoops.cumulate(from, to, backward, outer, length, inner);
    }

    @Override
    public Fft fft(DataType type, long outer, int length, long inner, double factor, double pairs) {
        Operands.transform(type, outer, length, inner);
        return new JavaFft(type, outer, length, inner, factor, pairs);
    }

    @Override
    public void random(long seed, long start, Buffer y) {
        HostArray to = vector("random", y);
        Elements out = Elements.of(to);
        boolean complex = to.type().isComplex();
        boolean wide = Operands.wide(to);
        for (long i = 0; i < to.count(); i++) {
            out.set(
                    i,
                    Philox.number(wide, seed, start + i, false),
                    complex ? Philox.number(wide, seed, start + i, true) : 0);
        }
    }

    @Override
    public GroupedOperations operations(Communicator communicator) {
        return communicator;
    }

    @Override
    public @Nullable PeerMemory peers(Communicator communicator) {
        return here(peers.of(communicator, false));
    }

    private static @Nullable PeerMemory here(@Nullable PeerMemory memory) {
        return memory != null && memory.parts().stream().allMatch(part -> part instanceof HostArray) ? memory : null;
    }

    @Override
    public @Nullable HaloExchange halo(
            Communicator communicator,
            long bytes,
            HaloExchange.@Nullable Side before,
            HaloExchange.@Nullable Side after) {
        PeerMemory memory = here(peers.allocate(communicator, false, HaloKernels.length(bytes)));
        return memory == null ? null : new HostHalo(memory, bytes, before, after);
    }

    @Override
    public Transfer transfer(Communicator communicator, boolean beside, Consumer<Operations> body) {
        return new PersistentTransfer(communicator.persistent(body), beside);
    }

    @Override
    public Recording record(Runnable body) {
        return new Recording() {
            @Override
            public void run() {
                body.run();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void synchronize() {}

    @Override
    public void close() {}

    // Checks

    private static HostArray vector(String operation, Buffer buffer) {
        Operands.vector(operation, buffer);
        if (!(buffer instanceof HostArray array)) {
            throw new IllegalArgumentException(
                    operation + ": " + buffer + " is not in host memory, where this processor computes");
        }
        return array;
    }

    private static double imaginary(String operation, Coefficient value, DataType type) {
        return Operands.imaginary(operation, value.real(), value.imaginary(), type);
    }
}
