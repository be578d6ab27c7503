// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.List;
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
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Swizzle;
import org.comm4j.kernel.lang.TensorMap;

/**
 * A product by tensor cores, C = α op(A) op(B) + β C, that is planned once and run often. Matrices are stored by rows.
 * A and B are of {@code BFLOAT16}, {@code FLOAT16}, {@code FLOAT8_E4M3}, {@code FLOAT8_E5M2}, or of {@code FLOAT32},
 * whose last 13 bits do not count (tf32). Sums are of {@code float}; C is of {@code FLOAT32}, {@code BFLOAT16} or
 * {@code FLOAT16}. Of types of other than 16 bits, A is not transposed and B is: tensor cores read both along the
 * summed index only.
 *
 * <p>In the memory of a GPU it runs there, which must be of compute capability 9.0; in host memory, on the CPU, slowly,
 * for tests. Kernels with an epilogue of their own are made of {@link GemmTile}.
 */
public final class Gemm implements AutoCloseable {
    private final CompiledKernel kernel;
    private final List<Buffer> owned;
    private final LaunchConfig config;
    private final GemmTile.Problem problem;
    private final Object[] arguments;
    private final boolean isEmpty;

    private Gemm(
            CompiledKernel kernel,
            List<Buffer> owned,
            LaunchConfig config,
            boolean isEmpty,
            GemmTile.Problem problem,
            Object... arguments) {
        this.kernel = kernel;
        this.owned = List.copyOf(owned);
        this.config = config;
        this.problem = problem;
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
        public static final Schedule DEFAULT = new Schedule(1, 8);
    }

    /** Plans a product with {@link Schedule#DEFAULT}; as the other {@code plan}. */
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
        return plan(transposeA, transposeB, m, n, k, alpha, a, b, beta, c, Schedule.DEFAULT);
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
        GemmChecks.check(1, isA, isB, m, n, k, a, b, c);
        KernelCompiler<?> compiler = compiler(a, b, c);
        Buffer maps = allocate(c, DataType.INT8, 2L * TensorMap.BYTES);
        boolean isEmpty = m == 0 || n == 0;
        boolean reads = !isEmpty && k > 0;
        // Without summed indices no map is read.
        TensorMap none = new TensorMap(I8Ptr.of(maps), I8Ptr.of(maps));
        GemmTile.Problem problem = new GemmTile.Problem(
                reads ? mapA(maps, 0, a, isA, m, k) : none,
                reads ? mapB(maps, 1, b, isB, n, k) : none,
                1,
                I8Ptr.of(maps).asI32(),
                m,
                n,
                k,
                schedule.group);
        int most = Math.multiplyExact(
                Math.ceilDiv(m, GemmTile.ROWS * schedule.cluster), Math.ceilDiv(n, GemmTile.COLUMNS));
        CompiledKernel kernel = compiler.compile(
                GemmKernels::multiply, a.type(), c.type(), isA ? 1 : 0, isB ? 1 : 0, schedule.cluster, 0);
        return new Gemm(
                kernel,
                List.of(maps),
                config(kernel, c, schedule.cluster, most),
                isEmpty,
                problem,
                problem,
                (float) alpha,
                (float) beta,
                c);
    }

    /**
     * Plans the products of a group, as of the experts of a layer: C<sub>g</sub> = α A<sub>g</sub> op(B<sub>g</sub>) +
     * β C<sub>g</sub>. The A<sub>g</sub> have different numbers of rows and are below each other, as the C<sub>g</sub>;
     * the B<sub>g</sub> have one shape and are behind each other.
     *
     * @param transposeB of each B, which is stored as n × k unless it is {@link Transpose#NONE}
     * @param offsets the first row of each group, and the end of the last one: INT32, which do not decrease, from 0 to
     *     the number of rows. They are read when the product runs, so that a kernel before it may write them
     * @param a rows × k
     * @param b groups of n × k or k × n
     * @param c rows × n; not read where β is 0
     * @throws IllegalArgumentException if types or counts do not fit, or if a row of a matrix is not a multiple of 16
     *     bytes: pad it
     * @throws UnsupportedOperationException if the GPU is not of compute capability 9.0
     */
    public static Gemm planGrouped(
            Transpose transposeB,
            Buffer offsets,
            int n,
            int k,
            double alpha,
            Buffer a,
            Buffer b,
            double beta,
            Buffer c,
            Schedule schedule) {
        nonNull(offsets, "Gemm.planGrouped", "offsets");
        return grouped(transposeB, offsets, n, k, alpha, a, b, beta, c, schedule, List.of());
    }

    /**
     * Plans products of one shape, whose matrices are behind each other: C<sub>i</sub> = α A<sub>i</sub>
     * op(B<sub>i</sub>) + β C<sub>i</sub>; as {@link #planGrouped}.
     *
     * @param batch number of products
     */
    public static Gemm planBatched(
            Transpose transposeB,
            int batch,
            int m,
            int n,
            int k,
            double alpha,
            Buffer a,
            Buffer b,
            double beta,
            Buffer c,
            Schedule schedule) {
        noNulls("Gemm.planBatched", "transposeB", transposeB, "a", a, "b", b, "c", c, "schedule", schedule);
        if (batch < 1 || m < 0) {
            throw new IllegalArgumentException(
                    "Gemm: a batch has at least 1 product of at least 0 rows, not " + batch + " of " + m);
        }
        HostArray rows = HostArray.allocate(DataType.INT32, batch + 1L);
        for (int i = 0; i <= batch; i++) {
            rows.setInt(i, Math.multiplyExact(i, m));
        }
        Buffer offsets = allocate(c, DataType.INT32, batch + 1L);
        offsets.copyFrom(rows);
        try {
            return grouped(transposeB, offsets, n, k, alpha, a, b, beta, c, schedule, List.of(offsets));
        } catch (RuntimeException e) {
            free(offsets);
            throw e;
        }
    }

    private static Gemm grouped(
            Transpose transposeB,
            Buffer offsets,
            int n,
            int k,
            double alpha,
            Buffer a,
            Buffer b,
            double beta,
            Buffer c,
            Schedule schedule,
            List<Buffer> own) {
        nonNull(transposeB, "Gemm.plan", "transposeB");
        nonNull(a, "Gemm.plan", "a");
        nonNull(b, "Gemm.plan", "b");
        nonNull(c, "Gemm.plan", "c");
        nonNull(schedule, "Gemm.plan", "schedule");
        boolean isB = transposeB != Transpose.NONE;
        if (offsets.type() != DataType.INT32 || offsets.count() < 2 || n < 1 || k < 1) {
            throw new IllegalArgumentException("Gemm: grouped products have INT32 offsets, one more than groups, and at"
                    + " least one column and one summed index; given are " + offsets + ", n = " + n + ", k = " + k);
        }
        int groups = Math.toIntExact(offsets.count() - 1);
        int rows = Math.toIntExact(c.count() / n);
        GemmChecks.check(groups, false, isB, rows, n, k, a, b, c);
        KernelCompiler<?> compiler = compiler(a, b, c);
        compiler(offsets, offsets, c);
        Buffer maps = allocate(c, DataType.INT8, 2L * TensorMap.BYTES);
        boolean isEmpty = rows == 0;
        TensorMap none = new TensorMap(I8Ptr.of(maps), I8Ptr.of(maps));
        GemmTile.Problem problem = new GemmTile.Problem(
                isEmpty ? none : mapA(maps, 0, a, false, rows, k),
                isEmpty ? none : mapGroupedB(maps, 1, b, isB, groups, n, k),
                groups,
                I32Ptr.of(offsets),
                rows,
                n,
                k,
                schedule.group);
        int most = Math.multiplyExact(
                rows / (GemmTile.ROWS * schedule.cluster) + groups, Math.ceilDiv(n, GemmTile.COLUMNS));
        List<Buffer> owned = new ArrayList<>(own);
        owned.add(maps);
        CompiledKernel kernel =
                compiler.compile(GemmKernels::multiply, a.type(), c.type(), 0, isB ? 1 : 0, schedule.cluster, 1);
        return new Gemm(
                kernel,
                owned,
                config(kernel, c, schedule.cluster, most),
                isEmpty,
                problem,
                problem,
                (float) alpha,
                (float) beta,
                c);
    }

    /** The launch for {@code most} tiles of the blocks of a cluster: no more clusters than run at the same time. */
    private static LaunchConfig config(CompiledKernel kernel, Buffer c, int cluster, int most) {
        int blocks = c instanceof DeviceArray array
                ? array.device().properties().multiprocessors()
                : Runtime.getRuntime().availableProcessors();
        int clusters = Math.max(1, blocks / cluster);
        if (cluster > 1 && kernel instanceof GpuKernel there) {
            // A cluster that has to wait for another's end would begin when all tiles but its own are done.
            clusters = Math.clamp(there.function().residentClusters(config(cluster, clusters)), 1, clusters);
        }
        return config(cluster, Math.min(Math.max(1, most), clusters));
    }

    private static LaunchConfig config(int cluster, int clusters) {
        return LaunchConfig.grid(cluster * clusters)
                .block(GemmTile.THREADS)
                .shared(GemmTile.SHARED_BYTES)
                .cluster(cluster);
    }

    private static Buffer allocate(Buffer beside, DataType type, long count) {
        return beside instanceof DeviceArray array
                ? array.device().allocate(type, count)
                : HostArray.allocate(type, count);
    }

    /** The map of A for {@link GemmTile#multiply}; places are as of {@link TensorMap#of}. */
    public static TensorMap mapA(Buffer maps, long index, Buffer a, boolean transposed, int m, int k) {
        noNulls("Gemm.mapA", "maps", maps, "a", a);
        int inner = GemmTile.ROW_BYTES / a.type().bytes();
        return transposed
                ? TensorMap.of(maps, index, a, new long[] {m, k}, new int[] {64, 64}, Swizzle.B128)
                : TensorMap.of(maps, index, a, new long[] {k, m}, new int[] {inner, GemmTile.ROWS}, Swizzle.B128);
    }

    /** The map of B for {@link GemmTile#multiply}; places are as of {@link TensorMap#of}. */
    public static TensorMap mapB(Buffer maps, long index, Buffer b, boolean transposed, int n, int k) {
        noNulls("Gemm.mapB", "maps", maps, "b", b);
        int inner = GemmTile.ROW_BYTES / b.type().bytes();
        return transposed
                ? TensorMap.of(maps, index, b, new long[] {k, n}, new int[] {inner, GemmTile.B_ROWS}, Swizzle.B128)
                : TensorMap.of(maps, index, b, new long[] {n, k}, new int[] {64, 64}, Swizzle.B128);
    }

    /** The map of all B of grouped products for {@link GemmTile#multiply}; places are as of {@link TensorMap#of}. */
    public static TensorMap mapGroupedB(
            Buffer maps, long index, Buffer b, boolean transposed, int groups, int n, int k) {
        noNulls("Gemm.mapGroupedB", "maps", maps, "b", b);
        int inner = GemmTile.ROW_BYTES / b.type().bytes();
        return transposed
                ? TensorMap.of(
                        maps, index, b, new long[] {k, n, groups}, new int[] {inner, GemmTile.B_ROWS, 1}, Swizzle.B128)
                : TensorMap.of(maps, index, b, new long[] {n, k, groups}, new int[] {64, 64, 1}, Swizzle.B128);
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

    /** Frees what it owns; it must have ended. */
    @Override
    public void close() {
        kernel.close();
        owned.forEach(Gemm::free);
    }

    private static void free(Buffer buffer) {
        if (buffer instanceof DeviceArray array) {
            array.close();
        }
    }

    @Override
    public String toString() {
        return "Gemm[" + problem.groups() + " of " + problem.m() + " x " + problem.n() + " x " + problem.k() + ", "
                + kernel + "]";
    }
}
