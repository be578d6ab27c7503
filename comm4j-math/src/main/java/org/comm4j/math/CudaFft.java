// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cufft.LibCufft;
import org.jspecify.annotations.Nullable;

/**
 * cuFFT in the order of a stream. A plan has lines at equal distances: where they lie before and behind the axis, there
 * is a call for each outer slice.
 */
final class CudaFft implements Fft {
    private static final int FORWARD = -1;
    private static final int INVERSE = 1;

    private final DataType type;
    private final long outer;
    private final int length;
    private final long inner;
    private final Device device;
    private final Stream stream;
    private final int bins;
    /** Outer slices of a call, and of all. */
    private final long slices;

    private final long batch;
    private final DeviceArray work;
    /** A slice of real numbers for cuFFT, which wants them at addresses of complex ones. */
    private final @Nullable DeviceArray aligned;

    private int forward = -1;
    private int inverse = -1;
    private boolean closed;

    CudaFft(Device device, Stream stream, DataType type, long outer, int length, long inner) {
        if (!LibCufft.library().isPresent()) {
            throw new UnsupportedOperationException(
                    "fft: Fourier transforms on " + device + " need cuFFT: " + LibCufft.library());
        }
        this.device = device;
        this.stream = stream;
        this.type = type;
        this.outer = outer;
        this.length = length;
        this.inner = inner;
        boolean real = !type.isComplex();
        bins = real ? length / 2 + 1 : length;
        slices = inner == 1 || outer == 0 ? 1 : outer;
        batch = inner == 1 ? outer : inner;
        if (batch == 0) {
            work = device.allocate(DataType.INT8, 0);
            aligned = null;
            return;
        }
        device.makeCurrent();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(JAVA_LONG);
            forward = plan(arena, forwardType(), length, bins, size);
            long bytes = size.get(JAVA_LONG, 0);
            if (real) {
                inverse = plan(arena, inverseType(), bins, length, size);
                bytes = Math.max(bytes, size.get(JAVA_LONG, 0));
            }
            work = device.allocate(DataType.INT8, Math.max(bytes, 16));
            boolean odd = real && slices > 1 && length * inner % 2 == 1;
            aligned = odd ? device.allocate(type, length * inner) : null;
            LibCufft.cufftSetWorkArea(forward, work.address());
            if (real) {
                LibCufft.cufftSetWorkArea(inverse, work.address());
            }
        }
    }

    private int forwardType() {
        return switch (type) {
            case FLOAT32 -> LibCufft.CUFFT_R2C;
            case FLOAT64 -> LibCufft.CUFFT_D2Z;
            case COMPLEX64 -> LibCufft.CUFFT_C2C;
            default -> LibCufft.CUFFT_Z2Z;
        };
    }

    private int inverseType() {
        return type == DataType.FLOAT32 ? LibCufft.CUFFT_C2R : LibCufft.CUFFT_Z2D;
    }

    private int plan(Arena arena, int transform, int before, int after, MemorySegment size) {
        MemorySegment cell = arena.allocate(JAVA_INT);
        LibCufft.cufftCreate(cell);
        int plan = cell.get(JAVA_INT, 0);
        try {
            LibCufft.cufftSetAutoAllocation(plan, 0);
            LibCufft.cufftSetStream(plan, stream.handle());
            long in = inner == 1 ? before : 1;
            long out = inner == 1 ? after : 1;
            LibCufft.cufftMakePlanMany64(
                    plan,
                    1,
                    arena.allocateFrom(JAVA_LONG, length),
                    arena.allocateFrom(JAVA_LONG, before),
                    inner,
                    in,
                    arena.allocateFrom(JAVA_LONG, after),
                    inner,
                    out,
                    transform,
                    batch,
                    size);
        } catch (Throwable e) {
            LibCufft.cufftDestroy(plan);
            throw e;
        }
        return plan;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void forward(Buffer x, Buffer y) {
        check("forward", x, false, y, true);
        run(x, length, y, bins, true);
    }

    @Override
    public void inverse(Buffer x, Buffer y) {
        check("inverse", x, true, y, false);
        run(x, bins, y, length, false);
    }

    private void check(String direction, Buffer x, boolean xIsSpectrum, Buffer y, boolean yIsSpectrum) {
        if (closed) {
            throw new IllegalStateException(direction + " transform: it is closed");
        }
        Operands.transformed(direction, type, outer, length, inner, "x", x, xIsSpectrum);
        Operands.transformed(direction, type, outer, length, inner, "y", y, yIsSpectrum);
        Operands.disjoint(direction, type, x, y);
        for (Buffer buffer : new Buffer[] {x, y}) {
            if (!(buffer instanceof DeviceArray array) || array.device().ordinal() != device.ordinal()) {
                throw new IllegalArgumentException(direction + " transform: " + buffer + " is not in the memory of "
                        + device + ", which computes");
            }
        }
    }

    private void run(Buffer x, int before, Buffer y, int after, boolean forwards) {
        if (batch == 0) {
            return;
        }
        for (long slice = 0; slice < slices; slice++) {
            if (slices == 1) {
                execute((DeviceArray) x, (DeviceArray) y, forwards);
                return;
            }
            DeviceArray from = (DeviceArray) x.slice(slice * before * inner, before * inner);
            DeviceArray to = (DeviceArray) y.slice(slice * after * inner, after * inner);
            if (aligned == null || !misplaced(forwards ? from : to)) {
                execute(from, to, forwards);
            } else if (forwards) {
                aligned.copyFrom(from, stream);
                execute(aligned, to, true);
            } else {
                execute(from, aligned, false);
                to.copyFrom(aligned, stream);
            }
        }
    }

    private boolean misplaced(DeviceArray numbers) {
        return !type.isComplex() && numbers.address() % (2L * type.bytes()) != 0;
    }

    private void execute(DeviceArray x, DeviceArray y, boolean forwards) {
        stream.acquire();
        try {
            x.usedIn(stream);
            y.usedIn(stream);
            work.usedIn(stream);
            device.makeCurrent();
            long from = x.address();
            long to = y.address();
            switch (type) {
                case COMPLEX64 -> LibCufft.cufftExecC2C(forward, from, to, forwards ? FORWARD : INVERSE);
                case COMPLEX128 -> LibCufft.cufftExecZ2Z(forward, from, to, forwards ? FORWARD : INVERSE);
                case FLOAT32 -> {
                    if (forwards) {
                        LibCufft.cufftExecR2C(forward, from, to);
                    } else {
                        LibCufft.cufftExecC2R(inverse, from, to);
                    }
                }
                default -> {
                    if (forwards) {
                        LibCufft.cufftExecD2Z(forward, from, to);
                    } else {
                        LibCufft.cufftExecZ2D(inverse, from, to);
                    }
                }
            }
        } finally {
            stream.release();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        stream.synchronize();
        device.makeCurrent();
        for (int plan : new int[] {forward, inverse}) {
            if (plan >= 0) {
                LibCufft.cufftDestroy(plan);
            }
        }
        if (aligned != null) {
            aligned.close();
        }
        work.close();
    }
}
