// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.reflect.Method;
import java.util.Locale;
import java.util.stream.Stream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.ComputeCapability;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Swizzle;
import org.comm4j.kernel.lang.TensorMap;

/**
 * A product of small floating-point types by tensor cores, C = α op(A) op(B) + β C, that is planned once and run often.
 * Matrices are stored by rows. A and B are of {@code BFLOAT16}, {@code FLOAT16}, {@code FLOAT8_E4M3} or {@code
 * FLOAT8_E5M2}; sums are of {@code float}; C is of {@code FLOAT32}, {@code BFLOAT16} or {@code FLOAT16}. Of types of 8
 * bits, A is not transposed and B is: tensor cores read both along the summed index only.
 *
 * <p>In the memory of a GPU it runs there, which must be of compute capability 9.0; in host memory, on the CPU, slowly,
 * for tests. Kernels with an epilogue of their own are made of {@link GemmTile}.
 */
public final class Gemm implements AutoCloseable {
    private static final int PIECE = 16;

    private final CompiledKernel kernel;
    private final Buffer maps;
    private final LaunchConfig config;
    private final Object[] arguments;
    private final boolean isEmpty;

    private Gemm(CompiledKernel kernel, Buffer maps, LaunchConfig config, boolean isEmpty, Object... arguments) {
        this.kernel = kernel;
        this.maps = maps;
        this.config = config;
        this.arguments = arguments;
        this.isEmpty = isEmpty;
    }

    /**
     * How tiles of 128 × 256 elements of C are given to the blocks of a GPU.
     *
     * @param cluster blocks that take tiles below each other, and copy their part of B once: 1 or 2
     * @param group rows of tiles, or of pairs of them, that are taken together column by column, so that what is read
     *     stays in the L2 cache; at least 1
     */
    public record Schedule(int cluster, int group) {
        public Schedule {
            if (cluster < 1 || cluster > 2 || group < 1) {
                throw new IllegalArgumentException("a schedule has clusters of 1 or 2 blocks and groups of at least 1,"
                        + " not " + cluster + " and " + group);
            }
        }

        /** The one for large products. */
        public static final Schedule DEFAULT = new Schedule(2, 8);
    }

    /** Plans a product with the {@link Schedule} that fits its size; as the other {@code plan}. */
    public static Gemm plan(
            Transpose transposeA,
            Transpose transposeB,
            int m,
            int n,
            int k,
            double alpha,
            Buffer a,
            Buffer b,
            double beta,
            Buffer c) {
        Schedule schedule = m > GemmTile.ROWS ? Schedule.DEFAULT : new Schedule(1, Schedule.DEFAULT.group);
        return plan(transposeA, transposeB, m, n, k, alpha, a, b, beta, c, schedule);
    }

    /**
     * Plans a product.
     *
     * @param transposeA of A, which is stored as k × m unless it is {@link Transpose#NONE}
     * @param transposeB of B, which is stored as n × k unless it is {@link Transpose#NONE}
     * @param c not read where β is 0
     * @throws IllegalArgumentException if types or counts do not fit, or if a row of a matrix is not a multiple of 16
     *     bytes: pad it
     * @throws UnsupportedOperationException if the GPU is not of compute capability 9.0
     */
    public static Gemm plan(
            Transpose transposeA,
            Transpose transposeB,
            int m,
            int n,
            int k,
            double alpha,
            Buffer a,
            Buffer b,
            double beta,
            Buffer c,
            Schedule schedule) {
        nonNull(transposeA, "Gemm.plan", "transposeA");
        nonNull(transposeB, "Gemm.plan", "transposeB");
        nonNull(a, "Gemm.plan", "a");
        nonNull(b, "Gemm.plan", "b");
        nonNull(c, "Gemm.plan", "c");
        nonNull(schedule, "Gemm.plan", "schedule");
        boolean isA = transposeA != Transpose.NONE;
        boolean isB = transposeB != Transpose.NONE;
        check(isA, isB, m, n, k, a, b, c);
        String name = switch (c.type()) {
            case FLOAT32 -> "f32";
            case BFLOAT16 -> "bf16";
            default -> "f16";
        };
        Method method = Stream.of(GemmKernels.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        KernelCompiler<?> compiler = compiler(a, b, c);
        CompiledKernel kernel = compiler.compile(method, a.type(), isA ? 1 : 0, isB ? 1 : 0, schedule.cluster);
        Buffer maps = c instanceof DeviceArray array
                ? array.device().allocate(DataType.INT8, 2L * TensorMap.BYTES)
                : HostArray.allocate(DataType.INT8, 2L * TensorMap.BYTES);
        boolean isEmpty = m == 0 || n == 0;
        // Without summed indices no map is read.
        TensorMap none = new TensorMap(I8Ptr.of(maps), I8Ptr.of(maps));
        boolean reads = !isEmpty && k > 0;
        TensorMap mapA = reads ? mapA(maps, 0, a, isA, m, k) : none;
        TensorMap mapB = reads ? mapB(maps, 1, b, isB, n, k) : none;
        int cluster = schedule.cluster;
        int tiles = Math.max(1, tiles(m, n, cluster));
        int blocks = c instanceof DeviceArray array
                ? array.device().properties().multiprocessors()
                : Runtime.getRuntime().availableProcessors();
        LaunchConfig config = LaunchConfig.grid(cluster * Math.min(tiles, Math.max(1, blocks / cluster)))
                .block(GemmTile.THREADS)
                .shared(GemmTile.SHARED_BYTES)
                .cluster(cluster);
        return new Gemm(
                kernel, maps, config, isEmpty, mapA, mapB, m, n, k, schedule.group, (float) alpha, (float) beta, c);
    }

    private static int tiles(int m, int n, int cluster) {
        return Math.multiplyExact(Math.ceilDiv(m, GemmTile.ROWS * cluster), Math.ceilDiv(n, GemmTile.COLUMNS));
    }

    /** The map of A for {@link GemmTile#multiply}; places are as of {@link TensorMap#of}. */
    public static TensorMap mapA(Buffer maps, long index, Buffer a, boolean transposed, int m, int k) {
        int inner = GemmTile.ROW_BYTES / a.type().bytes();
        return transposed
                ? TensorMap.of(maps, index, a, new long[] {m, k}, new int[] {64, 64}, Swizzle.B128)
                : TensorMap.of(maps, index, a, new long[] {k, m}, new int[] {inner, GemmTile.ROWS}, Swizzle.B128);
    }

    /** The map of B for {@link GemmTile#multiply}; places are as of {@link TensorMap#of}. */
    public static TensorMap mapB(Buffer maps, long index, Buffer b, boolean transposed, int n, int k) {
        int inner = GemmTile.ROW_BYTES / b.type().bytes();
        return transposed
                ? TensorMap.of(maps, index, b, new long[] {k, n}, new int[] {inner, GemmTile.B_ROWS}, Swizzle.B128)
                : TensorMap.of(maps, index, b, new long[] {n, k}, new int[] {64, 64}, Swizzle.B128);
    }

    private static KernelCompiler<?> compiler(Buffer a, Buffer b, Buffer c) {
        if (a instanceof HostArray && b instanceof HostArray && c instanceof HostArray) {
            return KernelCompiler.cpu();
        }
        if (a instanceof DeviceArray x && b instanceof DeviceArray y && c instanceof DeviceArray z) {
            Device device = z.device();
            if (x.device().ordinal() == device.ordinal() && y.device().ordinal() == device.ordinal()) {
                ComputeCapability capability = device.computeCapability();
                if (capability.major() != 9 || capability.minor() != 0) {
                    throw new UnsupportedOperationException("Gemm needs a GPU of compute capability 9.0, and " + device
                            + " has " + capability + "; Compute.blas() has products for others");
                }
                return KernelCompiler.of(device, CompileOptions.DEFAULT.withSuffix("a"));
            }
        }
        throw new IllegalArgumentException(
                "Gemm: A, B and C are in the memory of one device, not " + a + ", " + b + " and " + c);
    }

    private static void check(boolean isA, boolean isB, int m, int n, int k, Buffer a, Buffer b, Buffer c) {
        String sizes = String.format(Locale.ROOT, "Gemm of m = %d, n = %d, k = %d", m, n, k);
        boolean isByte = a.type() == DataType.FLOAT8_E4M3 || a.type() == DataType.FLOAT8_E5M2;
        if (a.type() != b.type() || !isByte && a.type() != DataType.BFLOAT16 && a.type() != DataType.FLOAT16) {
            throw new IllegalArgumentException(
                    sizes + ": A and B are both BFLOAT16, FLOAT16, FLOAT8_E4M3 or FLOAT8_E5M2," + " not " + a.type()
                            + " and " + b.type());
        }
        if (c.type() != DataType.FLOAT32 && c.type() != DataType.BFLOAT16 && c.type() != DataType.FLOAT16) {
            throw new IllegalArgumentException(sizes + ": C is FLOAT32, BFLOAT16 or FLOAT16, not " + c.type());
        }
        if (isByte && (isA || !isB)) {
            throw new IllegalArgumentException(sizes + ": of " + a.type()
                    + ", A is not transposed and B is; store the matrix the other way round");
        }
        if (m < 0 || n < 0 || k < 0) {
            throw new IllegalArgumentException(sizes + ": sizes are 0 or more");
        }
        count(sizes, "A", a, (long) m * k);
        count(sizes, "B", b, (long) k * n);
        count(sizes, "C", c, (long) m * n);
        rows(sizes, "A", a, isA ? m : k);
        rows(sizes, "B", b, isB ? k : n);
        if (n % 2 != 0) {
            throw new IllegalArgumentException(sizes + ": n is even; pad C with a column");
        }
    }

    private static void count(String sizes, String name, Buffer buffer, long count) {
        if (buffer.count() != count) {
            throw new IllegalArgumentException(sizes + ": " + name + " has " + count + " elements, not " + buffer);
        }
    }

    private static void rows(String sizes, String name, Buffer buffer, int length) {
        int bytes = buffer.type().bytes();
        if (buffer.count() > 0 && (long) length * bytes % PIECE != 0) {
            throw new IllegalArgumentException(sizes + ": rows of " + name + " have " + length + " elements of " + bytes
                    + " bytes, which is no multiple of " + PIECE + " bytes; pad them");
        }
    }

    /** Runs it and waits for its end. */
    public void run() {
        if (!isEmpty) {
            kernel.launch(config, arguments);
        }
    }

    /** Puts it into a stream of the GPU. */
    public void run(org.comm4j.cuda.Stream stream) {
        nonNull(stream, "Gemm.run", "stream");
        if (!isEmpty) {
            gpu().launch(config, stream, arguments);
        }
    }

    /** The launch, checked once, for many runs without allocation; not of an empty product. */
    public PreparedLaunch prepare() {
        return gpu().prepare(config, arguments);
    }

    private GpuKernel gpu() {
        if (kernel instanceof GpuKernel there) {
            return there;
        }
        throw new IllegalStateException("this product is of host memory, which no stream reaches: call run()");
    }

    /** Frees its maps; it must have ended. */
    @Override
    public void close() {
        kernel.close();
        if (maps instanceof DeviceArray array) {
            array.close();
        }
    }

    @Override
    public String toString() {
        return "Gemm[" + arguments[2] + " x " + arguments[3] + " x " + arguments[4] + ", " + kernel + "]";
    }
}
