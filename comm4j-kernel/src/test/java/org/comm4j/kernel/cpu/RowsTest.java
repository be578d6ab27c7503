// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.reflect.Method;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.loops.RowShapes;
import org.comm4j.test.Nightly;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows of threads do what threads do one after the other: {@link CpuOptions#debug} runs them so, in the kernel's own
 * class.
 */
@Timeout(60)
class RowsTest {
    private static final int LENGTH = 6000;

    // ---- kernels that have rows ----

    static void saxpy(int n, float a, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }

    static void views(float a, F32View x, F32View y) {
        long i = (long) BlockIdx.x() * BlockDim.x() + ThreadIdx.x();
        if (i >= x.length()) {
            return;
        }
        y.set(i, a * x.get(i) + y.get(i));
    }

    /** The edges are left as they are. */
    static void stencil(int width, int height, F32Ptr from, F32Ptr to) {
        int x = BlockIdx.x() * BlockDim.x() + ThreadIdx.x();
        int y = BlockIdx.y() * BlockDim.y() + ThreadIdx.y();
        if (x >= width || y >= height || x == 0 || y == 0 || x == width - 1 || y == height - 1) {
            return;
        }
        int at = y * width + x;
        to.set(at, from.get(at - 1) + from.get(at + 1) + from.get(at - width) + from.get(at + width));
    }

    static void types(int n, I8Ptr a, I16Ptr b, I32Ptr c, I64Ptr d, F64Ptr e) {
        int i = GlobalIdx.x();
        if (i < n) {
            byte v = a.get(i);
            b.set(i, (short) (v * 300 + d.get(i)));
            c.set(i, v << 20 ^ (int) (d.get(i) * v) + (int) e.get(i));
            a.set(i, (byte) (v * 7));
        }
    }

    static void backwards(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, x.get(n - 1 - i) - x.get(2L * i));
        }
    }

    static void gather(int n, I32Ptr index, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, x.get(index.get(i)));
        }
    }

    static void uniform(int n, I32Ptr at, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, x.get(i) * at.get(n / 2));
        }
    }

    static void scale(F32Ptr x) {
        int i = GlobalIdx.x();
        x.set(i, x.get(i) * 1.5f);
    }

    static void shift(int n, int by, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.plus(by).set(i, x.get(i) + 1);
        }
    }

    /** Reads what it has written. */
    static void twice(int n, F32Ptr x, F32Ptr y, F32Ptr z) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, x.get(i) * 2);
            z.set(i, y.get(i) + 1);
        }
    }

    static void divides(int n, I32Ptr x, I32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, 1000 / x.get(i));
        }
    }

    static void dividesInPlace(int n, I32Ptr x) {
        int i = GlobalIdx.x();
        if (i < n) {
            x.set(i, 1000 / x.get(i));
        }
    }

    static void increments(I32Ptr x) {
        int i = GlobalIdx.x();
        x.set(i, x.get(i) + 1);
    }

    static void wide(int n, F64Ptr x, I64Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, (long) x.get(i) + i);
        }
    }

    static void wideInPlace(int n, F64Ptr x) {
        int i = GlobalIdx.x();
        if (i < n) {
            x.set(i, x.get(i) / 3 + i);
        }
    }

    static void fill(int n, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, i * 0.5f);
        }
    }

    static void math(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            float v = x.get(i);
            y.set(
                    i,
                    (float) Math.exp(Math.min(v, 0))
                            + (float) Math.sqrt(Math.abs(v))
                            + (v < 0 ? -1 : Math.fma(v, v, 1)));
        }
    }

    static void powers(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            float v = x.get(i);
            y.set(i, (float) Math.exp(Math.min(v, 0)) + (float) Math.sqrt(Math.abs(v)));
        }
    }

    /** The sum overflows. */
    static void overflows(int start, I32Ptr y) {
        int i = GlobalIdx.x();
        if (start + i < 0) {
            y.set(i, start + i);
        }
    }

    static void far(int n, long from, I8Ptr x, I8Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, (byte) (x.get(from + i) + x.get(from + i + 1)));
        }
    }

    static void farInPlace(int n, long from, I8Ptr x) {
        int i = GlobalIdx.x();
        if (i < n) {
            x.set(from + i, (byte) (x.get(from + i) + 1));
        }
    }

    static void thread(I32Ptr y) {
        y.set(BlockIdx.x() * 200 + ThreadIdx.x(), ThreadIdx.x() * 1000 + BlockIdx.x());
    }

    static void copies(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, x.get(i));
        }
    }

    static void daxpy(int n, double a, F64Ptr x, F64Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }

    static void sums(int n, I32Ptr x, I64Ptr y, I64Ptr z, I32Ptr differences) {
        int i = GlobalIdx.x();
        if (i < n) {
            long sum = x.get(i) + y.get(i);
            differences.set(i, x.get(i + 1) - x.get(i));
            z.set(i, sum);
        }
    }

    // ---- kernels that have none ----

    static void conditional(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n && x.get(i) > 0) {
            y.set(i, 1);
        }
    }

    static void loop(int n, F32Ptr x, F32Ptr y) {
        for (int i = GlobalIdx.x(); i < n; i += 4096) {
            y.set(i, x.get(i));
        }
    }

    static void sometimesTwice(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, 1);
            if (x.get(i) > 0) {
                y.set(i, 2);
            }
        }
    }

    static void throwsBefore(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        float v = x.get(i);
        if (i < n) {
            y.set(i, v);
        }
    }

    static void guardOfSome(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (x.get(0) > 0) {
            if (i >= n) {
                return;
            }
        }
        y.set(i, 1);
    }

    // ---- tests ----

    private static Method method(String name) {
        return Arrays.stream(RowsTest.class.getDeclaredMethods())
                .filter(m -> m.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static int lanes(String name) {
        return RowShapes.lanes(method(name), new CalledMethods(RowsTest.class));
    }

    /** Runs it as rows and one by one; what must be the same is the memory, whole, and what is thrown. */
    private static @Nullable KernelException same(String name, LaunchConfig config, Supplier<Object[]> arguments) {
        Object[] first = arguments.get();
        Object[] second = arguments.get();
        KernelException fast = run(name, CpuOptions.fast().processors(1), config, first);
        KernelException debug = run(name, CpuOptions.debug(), config, second);
        for (int i = 0; i < first.length; i++) {
            byte[] expected = bytes(second[i]);
            assertThat(bytes(first[i])).as("argument %d", i).isEqualTo(expected);
        }
        assertThat(message(fast)).isEqualTo(message(debug));
        return fast;
    }

    /** Without the address, which is the same only by chance. */
    private static @Nullable String message(@Nullable KernelException e) {
        return e == null ? null : String.valueOf(e.getMessage()).replaceAll("0x[0-9a-f]+", "0x");
    }

    private static @Nullable KernelException run(
            String name, CpuOptions options, LaunchConfig config, Object... arguments) {
        return catchThrowableOfType(
                KernelException.class, () -> new CpuKernel(method(name), options).launch(config, arguments));
    }

    private static byte[] bytes(Object argument) {
        return switch (argument) {
            case HostArray array -> array.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
            case F32Ptr pointer -> bytes(Objects.requireNonNull(pointer.buffer()));
            case F32View view -> bytes(view.pointer());
            default -> new byte[0];
        };
    }

    private static HostArray floats() {
        HostArray array = HostArray.allocate(DataType.FLOAT32, LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            array.setFloat(i, (i * 37 % 101 - 50) / 7f);
        }
        return array;
    }

    private static HostArray doubles() {
        HostArray array = HostArray.allocate(DataType.FLOAT64, LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            array.setDouble(i, (i * 37 % 101 - 50) / 7.0);
        }
        return array;
    }

    private static HostArray ints(DataType type) {
        HostArray array = HostArray.allocate(type, LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            array.setInt(i, i * 37 % 101 + 1);
        }
        return array;
    }

    private static LaunchConfig threads(int n) {
        return LaunchConfig.grid(n / 128 + 1).block(128);
    }

    @Test
    void whichKernelsHaveRows() {
        Stream.of(
                        "saxpy",
                        "views",
                        "stencil",
                        "types",
                        "uniform",
                        "shift",
                        "twice",
                        "divides",
                        "dividesInPlace",
                        "fill",
                        "scale",
                        "overflows",
                        "far",
                        "wideInPlace",
                        "thread")
                .forEach(name -> assertThat(lanes(name)).as(name).isNotNegative());
        Stream.of(
                        "conditional",
                        "math", // branches
                        "loop",
                        "sometimesTwice",
                        "throwsBefore",
                        "guardOfSome",
                        "gather",
                        "backwards",
                        "increments",
                        "farInPlace",
                        "wide")
                .forEach(name -> assertThat(lanes(name)).as(name).isNegative());
    }

    /** How many threads read before one writes: those of one vector; 0 if results are collected. */
    @Test
    void lanes() {
        Map<String, Integer> lanes = Map.ofEntries(
                Map.entry("copies", 8),
                Map.entry("saxpy", 8),
                Map.entry("views", 8),
                Map.entry("stencil", 4),
                Map.entry("shift", 8),
                Map.entry("daxpy", 4),
                Map.entry("scale", 1),
                Map.entry("wideInPlace", 1),
                Map.entry("uniform", 0), // the element that all read is read again after each write
                Map.entry("twice", 0), // reads what it has written
                Map.entry("divides", 0), // may throw after others have written
                Map.entry("powers", 0), // calls what is no vector instruction
                Map.entry("fill", 1),
                Map.entry("far", 0)); // bytes
        lanes.forEach((name, count) -> assertThat(lanes(name)).as(name).isEqualTo(count));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 127, 128, 129, 2047, 2048, 2049, 4097, LENGTH})
    void sizes(int n) {
        same("saxpy", threads(n), () -> new Object[] {n, 0.5f, floats(), floats()});
        same("views", threads(n), () -> {
            F32View x = new F32View(F32Ptr.of(floats(), LENGTH - n), n);
            return new Object[] {0.5f, x, F32View.of(floats())};
        });
        same("types", threads(n), () -> new Object[] {
            n,
            ints(DataType.INT8),
            ints(DataType.INT16),
            ints(DataType.INT32),
            ints(DataType.INT64),
            HostArray.allocate(DataType.FLOAT64, LENGTH)
        });
        same("wide", threads(n), () ->
                new Object[] {n, HostArray.allocate(DataType.FLOAT64, LENGTH), ints(DataType.INT64)});
        same("wideInPlace", threads(n), () -> new Object[] {n, HostArray.allocate(DataType.FLOAT64, LENGTH)});
        same("copies", threads(n), () -> new Object[] {n, floats(), floats()});
        same("daxpy", threads(n), () -> new Object[] {n, 0.1, doubles(), doubles()});
        // The last thread reads what is not there if there are as many as elements.
        same(
                "sums", threads(n), () -> new Object[] {
                    n, ints(DataType.INT32), ints(DataType.INT64), ints(DataType.INT64), ints(DataType.INT32)
                });
        same("backwards", threads(n / 2), () -> new Object[] {n / 2, floats(), floats()});
        same("fill", threads(n), () -> new Object[] {n, floats()});
        same("math", threads(n), () -> new Object[] {n, floats(), floats()});
        same("gather", threads(n), () -> new Object[] {n, ints(DataType.INT32), floats(), floats()});
        same("uniform", threads(n), () -> new Object[] {n, ints(DataType.INT32), floats(), floats()});
        same("twice", threads(n), () -> new Object[] {n, floats(), floats(), floats()});
        same("conditional", threads(n), () -> new Object[] {n, floats(), floats()});
        same("sometimesTwice", threads(n), () -> new Object[] {n, floats(), floats()});
    }

    @Test
    void planes() {
        for (int width : new int[] {3, 64, 77, 200}) {
            int height = 30;
            LaunchConfig config = LaunchConfig.grid(width / 32 + 2, 9).block(32, 4);
            same("stencil", config, () -> new Object[] {width, height, floats(), floats()});
        }
    }

    @Test
    void offsets() {
        for (int offset : new int[] {0, 1, 3, 1001}) {
            int n = LENGTH - offset;
            same("saxpy", threads(n), () ->
                    new Object[] {n, 0.5f, F32Ptr.of(floats(), offset), F32Ptr.of(floats(), offset)});
            // A pointer into the middle reaches what is before it.
            same("shift", threads(n), () -> new Object[] {n, -offset, floats(), F32Ptr.of(floats(), offset)});
        }
    }

    @Test
    void overlaps() {
        for (int by : new int[] {0, 1, -1, 63, 2048, 5000}) {
            int n = 900;
            same("shift", threads(n), () -> {
                F32Ptr x = F32Ptr.of(floats(), 1000);
                return new Object[] {n, by, x, x};
            });
            same("saxpy", threads(n), () -> {
                HostArray memory = floats();
                return new Object[] {
                    n, 2f, F32Ptr.of(memory, 100), F32Ptr.of(memory, Math.min(5000, 100 + Math.abs(by)))
                };
            });
            same("twice", threads(n), () -> {
                HostArray memory = floats();
                F32Ptr other = F32Ptr.of(memory, Math.min(5000, 100 + Math.abs(by)));
                return new Object[] {n, F32Ptr.of(memory, 100), other, F32Ptr.of(memory, 101)};
            });
        }
        // Within a group, at its edges, and from a group to others.
        for (int by : new int[] {0, 1, -1, 3, 4, 7, 8, 9, 15, 16, 17, 64, 1999, 2047, 2048, 2049}) {
            int n = 3500;
            for (String name : new String[] {"shift", "copies", "saxpy", "stencil"}) {
                same(name, threads(n), () -> {
                    HostArray memory = floats();
                    F32Ptr x = F32Ptr.of(memory, 200);
                    F32Ptr y = F32Ptr.of(memory, 200 + by);
                    return switch (name) {
                        case "shift" -> new Object[] {n, by, x, x};
                        case "copies" -> new Object[] {n, x, y};
                        case "saxpy" -> new Object[] {n, 2f, x, y};
                        default -> new Object[] {1800, 3, x, y};
                    };
                });
            }
        }
        same("uniform", threads(LENGTH), () -> {
            HostArray x = floats();
            return new Object[] {LENGTH, HostArray.wrap(x.segment(), DataType.INT32), floats(), x};
        });
        same("gather", threads(LENGTH), () -> {
            HostArray x = floats();
            return new Object[] {LENGTH, ints(DataType.INT32), x, x};
        });
    }

    @Test
    void outOfBounds() {
        // In the middle of a block; threads before it have done their work, and no other.
        for (int length : new int[] {1, 100, 2048, 3001}) {
            KernelException e =
                    same("increments", LaunchConfig.grid(40).block(128), () -> new Object[] {
                        HostArray.wrap(ints(DataType.INT32).segment().asSlice(0, 4L * length), DataType.INT32)
                    });
            assertThat(e)
                    .hasMessageContaining(
                            "thread (" + length % 128 + ", 0, 0) of block (" + length / 128 + ", 0, 0), at ")
                    .hasMessageContaining("RowsTest.increments(RowsTest.java:");
            assertThat(e.getCause()).isInstanceOf(IndexOutOfBoundsException.class);
        }
        for (int length : new int[] {1, 1025, 3001, 4999}) {
            KernelException e = same("saxpy", threads(5000), () -> new Object[] {
                5000, 2f, floats(), HostArray.wrap(floats().segment().asSlice(0, 4L * length), DataType.FLOAT32)
            });
            assertThat(e)
                    .hasMessageContaining("thread (" + length % 128 + ", 0, 0) of block (" + length / 128 + ", 0, 0)");
        }
        same("scale", LaunchConfig.grid(40).block(128), () ->
                new Object[] {HostArray.wrap(floats().segment().asSlice(0, 4 * 3001), DataType.FLOAT32)});
        KernelException e = same("views", threads(LENGTH), () -> {
            F32View y = new F32View(F32Ptr.of(floats()), 3000);
            return new Object[] {1f, floats(), y};
        });
        assertThat(e).hasMessageContaining("thread (" + 3000 % 128 + ", 0, 0)");
        e = same("gather", threads(LENGTH), () -> {
            HostArray index = ints(DataType.INT32);
            index.setInt(2500, -1);
            return new Object[] {LENGTH, index, floats(), floats()};
        });
        assertThat(e).hasMessageContaining("thread (" + 2500 % 128 + ", 0, 0)");
        e = same("shift", threads(10), () -> new Object[] {10, -1, floats(), floats()});
        assertThat(e).hasMessageContaining("thread (0, 0, 0) of block (0, 0, 0)");
    }

    @Test
    void throwing() {
        for (String name : new String[] {"divides", "dividesInPlace"}) {
            KernelException e = same(name, threads(LENGTH), () -> {
                HostArray x = ints(DataType.INT32);
                x.setInt(2222, 0);
                return name.equals("divides")
                        ? new Object[] {LENGTH, x, ints(DataType.INT32)}
                        : new Object[] {LENGTH, x};
            });
            assertThat(e).hasMessageContaining("thread (" + 2222 % 128 + ", 0, 0) of block (" + 2222 / 128 + ", 0, 0)");
            assertThat(e.getCause()).isInstanceOf(ArithmeticException.class);
        }
    }

    @Test
    void overflow() {
        for (int start : new int[] {Integer.MAX_VALUE - 1500, Integer.MAX_VALUE - 3, -1000, Integer.MIN_VALUE}) {
            same("overflows", threads(5000), () -> new Object[] {start, ints(DataType.INT32)});
        }
    }

    @Test
    void blocks() {
        same("thread", LaunchConfig.grid(20).block(200), () -> new Object[] {ints(DataType.INT32)});
        same("thread", LaunchConfig.grid(20).block(150), () -> new Object[] {ints(DataType.INT32)});
    }

    /** As the JIT compiler leaves them. */
    @Test
    void compiled() {
        for (String name : new String[] {"saxpy", "copies", "backwards", "math", "divides"}) {
            CpuKernel kernel = new CpuKernel(method(name), CpuOptions.fast().processors(1));
            boolean ints = name.equals("divides");
            HostArray x = ints ? ints(DataType.INT32) : floats();
            HostArray y = HostArray.allocate(x.type(), LENGTH);
            HostArray expected = HostArray.allocate(x.type(), LENGTH);
            int n = LENGTH / 2 - 1;
            Object[] front = name.equals("saxpy") ? new Object[] {n, 0.5f, x} : new Object[] {n, x};
            Object[] arguments = Arrays.copyOf(front, front.length + 1);
            for (int i = 0; i < Nightly.times(150, 1500); i++) {
                y.fill(3);
                arguments[front.length] = y;
                kernel.launch(threads(n), arguments);
            }
            expected.fill(3);
            arguments[front.length] = expected;
            new CpuKernel(method(name), CpuOptions.debug()).launch(threads(n), arguments);
            assertThat(bytes(y)).as(name).isEqualTo(bytes(expected));
        }
    }

    /** More than the index of a buffer reaches. */
    @Test
    void large(@TempDir Path folder) throws IOException {
        // RowWriter's, of elements of a byte.
        long reach = 1L << 28;
        long bytes = reach + 10_000L;
        int n = 5001;
        long from = reach - 100L;
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        folder.resolve("sparse"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            HostArray x = HostArray.wrap(file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena), DataType.INT8);
            HostArray y = HostArray.allocate(DataType.INT8, n);
            for (int i = 0; i <= n; i++) {
                x.setInt(from + i, i % 57);
            }
            CpuOptions one = CpuOptions.fast().processors(1);
            new CpuKernel(method("far"), one).launch(threads(n), n, from, x, y);
            new CpuKernel(method("farInPlace"), one).launch(threads(n), n, from, x);
            for (int i = 0; i < n; i++) {
                assertThat(y.getInt(i)).isEqualTo((byte) (i % 57 + (i + 1) % 57));
                assertThat(x.getInt(from + i)).isEqualTo(i % 57 + 1);
            }
            assertThat(x.getInt(from + n)).isEqualTo(n % 57);
        }
    }

    /** Memory of another thread is that thread's. */
    @Test
    void confined() {
        try (Arena arena = Arena.ofConfined()) {
            HostArray y = HostArray.allocate(arena, DataType.FLOAT32, LENGTH);
            new CpuKernel(method("saxpy"), CpuOptions.fast().processors(1))
                    .launch(threads(LENGTH), LENGTH, 1f, floats(), y);
            assertThat(y.toFloatArray()).isEqualTo(floats().toFloatArray());
            CpuKernel elsewhere = new CpuKernel(
                    method("saxpy"), CpuOptions.fast().processors(1).timeout(Duration.ofSeconds(10)));
            KernelException e = catchThrowableOfType(
                    KernelException.class, () -> elsewhere.launch(threads(LENGTH), LENGTH, 1f, floats(), y));
            assertThat(e).hasMessageContaining("thread (0, 0, 0) of block (0, 0, 0)");
            assertThat(e.getCause()).isInstanceOf(WrongThreadException.class);
        }
    }

    @Test
    void inParallel() {
        HostArray x = floats();
        HostArray y = floats();
        HostArray expected = floats();
        new CpuKernel(method("saxpy"), CpuOptions.fast().processors(4)).launch(threads(LENGTH), LENGTH, 0.5f, x, y);
        new CpuKernel(method("saxpy"), CpuOptions.debug()).launch(threads(LENGTH), LENGTH, 0.5f, x, expected);
        assertThat(y.toFloatArray()).isEqualTo(expected.toFloatArray());
    }

    /** Memory that a view of it outlives is an error of the thread that comes to it, and nothing else. */
    @Test
    void closedArena() {
        CpuKernel kernel = new CpuKernel(method("saxpy"), CpuOptions.fast().processors(1));
        HostArray x = floats();
        F32Ptr y;
        try (Arena arena = Arena.ofShared()) {
            HostArray closing = HostArray.allocate(arena, DataType.FLOAT32, LENGTH);
            y = F32Ptr.of(closing);
            kernel.launch(threads(LENGTH), LENGTH, 1f, x, y);
            assertThat(closing.toFloatArray()).isEqualTo(x.toFloatArray());
        }
        Throwable thrown = catchThrowableOfType(
                IllegalStateException.class, () -> kernel.launch(threads(LENGTH), LENGTH, 1f, x, y));
        assertThat(thrown).hasMessageContaining("was freed");
    }

    /** Closing while kernels run either waits for them to be seen, or ends them: never the JVM. */
    @Test
    void closedWhileRunning() throws InterruptedException {
        CpuKernel kernel = new CpuKernel(method("saxpy"), CpuOptions.fast().processors(1));
        HostArray x = floats();
        for (int round = 0; round < 20; round++) {
            Arena arena = Arena.ofShared();
            HostArray y = HostArray.allocate(arena, DataType.FLOAT32, LENGTH);
            Thread runs = new Thread(() -> {
                try {
                    while (true) {
                        kernel.launch(threads(LENGTH), LENGTH, 1f, x, y);
                    }
                } catch (KernelException | IllegalStateException e) {
                    assertThat(e.toString()).containsAnyOf("closed", "freed");
                }
            });
            runs.start();
            Thread.sleep(2);
            boolean closed = false;
            while (!closed) {
                try {
                    arena.close();
                    closed = true;
                } catch (IllegalStateException e) {
                    Thread.onSpinWait(); // in use at this moment
                }
            }
            runs.join(10_000);
            assertThat(runs.isAlive()).isFalse();
        }
    }
}
