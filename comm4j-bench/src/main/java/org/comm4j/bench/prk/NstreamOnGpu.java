// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import org.comm4j.bench.Agreement;
import org.comm4j.bench.DevicePe;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Double2;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.jspecify.annotations.Nullable;

/** {@link Triad} by a kernel: threads take two neighbouring elements at a time. */
final class NstreamOnGpu extends OnGpus.Run {
    private static final int THREADS = 256;

    private final Triad kernel;
    private final int length;
    private final Buffer a;
    private final Buffer b;
    private final Buffer c;
    private final DevicePe.Repeated passes;

    NstreamOnGpu(Triad kernel, DevicePe pe) {
        this(kernel, pe, pe.compiler().compile(NstreamOnGpu::triad));
    }

    private NstreamOnGpu(Triad kernel, DevicePe pe, CompiledKernel triad) {
        super(pe, triad);
        this.kernel = kernel;
        this.length = (int) new Parts(kernel.length(), pe.nPes).size(pe.myPe);
        long bytes = bytes(kernel, pe.nPes);
        this.a = pe.view(allocate(bytes), DataType.FLOAT64, length);
        this.b = pe.view(allocate(bytes), DataType.FLOAT64, length);
        this.c = pe.view(allocate(bytes), DataType.FLOAT64, length);
        int blocks = Math.clamp(Math.ceilDiv(length, 2 * THREADS), 1, triad.residentBlocks(THREADS, 0));
        this.passes = pe.repeated(triad, LaunchConfig.grid(blocks).block(THREADS), a, b, c, length);
    }

    static long bytes(Triad kernel, int pes) {
        return (new Parts(kernel.length(), pes).largest() + kernel.offset()) * Double.BYTES;
    }

    @Kernel(maxThreads = THREADS)
    static void triad(F64Ptr a, F64Ptr b, F64Ptr c, int length, int times) {
        long first = (long) BlockIdx.x() * BlockDim.x() + ThreadIdx.x();
        long step = (long) GridDim.x() * BlockDim.x();
        for (int time = 0; time < times; time++) {
            for (long i = first; i < length / 2; i += step) {
                Double2 x = a.get2(2 * i);
                Double2 y = b.get2(2 * i);
                Double2 z = c.get2(2 * i);
                a.set2(2 * i, new Double2(x.x() + y.x() + Triad.SCALAR * z.x(), x.y() + y.y() + Triad.SCALAR * z.y()));
            }
            if (first == 0 && length % 2 == 1) {
                a.set(length - 1, a.get(length - 1) + b.get(length - 1) + Triad.SCALAR * c.get(length - 1));
            }
        }
    }

    @Override
    void fill() {
        a.fill(0);
        b.fill(2);
        c.fill(2);
    }

    @Override
    DevicePe.Repeated passes() {
        return passes;
    }

    @Override
    @Nullable
    String error(Agreement agreement) {
        double difference = Pieces.measure(a, 1, (values, first) -> {
                    double greatest = 0;
                    for (long i = 0; i < values.count(); i++) {
                        greatest = Math.max(greatest, Math.abs(values.getDouble(i) - kernel.expected()));
                    }
                    return greatest;
                })
                .max()
                .orElse(0);
        return kernel.error(agreement.of(difference, ReduceOp.MAX));
    }
}
