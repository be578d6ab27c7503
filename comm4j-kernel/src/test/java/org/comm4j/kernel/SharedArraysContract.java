// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BinaryOperator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays of records in shared memory, and arrays that are more than 48 KiB. */
abstract class SharedArraysContract {
    static final int THREADS = 64;

    enum Colour {
        RED,
        GREEN,
        BLUE
    }

    /** 16 bytes of equal numbers. */
    record Point(float x, float y, float z, float w) {}

    /** 16 bytes of numbers of 4. */
    record Cell(float mass, int id, float charge, Colour colour) {}

    /** 16 bytes of numbers of 8. */
    record Entry(long key, double value) {}

    /** 16 bytes of all sizes. */
    record Mixed(byte a, boolean b, short c, float d, long e) {}

    /** 8 bytes, with padding. */
    record Small(char letter, byte sign, int count) {}

    /** 8 bytes of equal numbers. */
    record Two(int a, int b) {}

    /** 32 bytes, and a record that begins at byte 8. */
    record Nested(byte first, Entry entry, Small last) {}

    /** 12 bytes. */
    record Odd(int a, int b, int c) {}

    static Point point(int t) {
        return new Point(t, 2 * t, 0.5f * t, -t);
    }

    static Cell cell(int t) {
        return new Cell(t * 1.5f, ~t, t * -0.25f, t % 3 == 0 ? Colour.RED : t % 3 == 1 ? Colour.GREEN : Colour.BLUE);
    }

    static Entry entry(int t) {
        return new Entry((1L << t) - t, t / 3.0);
    }

    static Mixed mixed(int t) {
        return new Mixed((byte) (3 * t - 100), t % 3 == 1, (short) (-500 * t), t * 0.125f, -t * 10_000_000_000L);
    }

    static Small small(int t) {
        return new Small((char) (65_500 - t), (byte) -t, t * 100_000_000);
    }

    static Two two(int t) {
        return new Two(-t, t * t);
    }

    static Nested nested(int t) {
        return new Nested((byte) (t - 30), entry(t + 1), small(t + 2));
    }

    static Odd odd(int t) {
        return new Odd(t, -2 * t, 1 << (t & 31));
    }

    /** Each thread reads what another one wrote: whole records, and components. */
    @Kernel
    static void exchanges(I64Ptr longs, F64Ptr doubles) {
        Point[] points = Shared.of(Point.class, THREADS);
        Cell[] cells = Shared.of(Cell.class, THREADS);
        Entry[] entries = Shared.of(Entry.class, THREADS);
        Mixed[] mixeds = Shared.of(Mixed.class, THREADS);
        Small[] smalls = Shared.of(Small.class, THREADS);
        Two[] twos = Shared.of(Two.class, THREADS);
        Nested[] nesteds = Shared.of(Nested.class, THREADS);
        Odd[] odds = Shared.of(Odd.class, THREADS);
        int t = ThreadIdx.x();
        points[t] = point(t);
        cells[t] = cell(t);
        entries[t] = entry(t);
        mixeds[t] = mixed(t);
        smalls[t] = small(t);
        twos[t] = two(t);
        nesteds[t] = nested(t);
        odds[t] = odd(t);
        Block.sync();
        int other = (t * 5 + 3) % THREADS;
        Mixed mixed = mixeds[other];
        Nested nested = nesteds[other];
        Small small = smalls[other];
        longs.set(16 * t, cells[other].id());
        longs.set(16 * t + 1, cells[other].colour().ordinal());
        longs.set(16 * t + 2, entries[other].key());
        longs.set(16 * t + 3, mixed.a());
        longs.set(16 * t + 4, mixed.b() ? 1 : 0);
        longs.set(16 * t + 5, mixed.c());
        longs.set(16 * t + 6, mixed.e());
        longs.set(16 * t + 7, small.letter());
        longs.set(16 * t + 8, small.sign());
        longs.set(16 * t + 9, small.count());
        longs.set(16 * t + 10, nested.first());
        longs.set(16 * t + 11, nested.entry().key());
        longs.set(16 * t + 12, nested.last().letter());
        longs.set(16 * t + 13, odds[other].b() + 7L * odds[other].c());
        longs.set(16 * t + 14, twos[other].a() * 100_000L + twos[other].b());
        longs.set(16 * t + 15, odds.length);
        Point point = points[other];
        doubles.set(8 * t, point.x() + point.y() * 100 + point.z() * 10_000 + point.w());
        doubles.set(8 * t + 1, points[other].z());
        doubles.set(8 * t + 2, cells[other].mass());
        doubles.set(8 * t + 3, cells[other].charge());
        doubles.set(8 * t + 4, entries[other].value());
        doubles.set(8 * t + 5, mixed.d());
        doubles.set(8 * t + 6, nested.entry().value());
        doubles.set(8 * t + 7, odds[other].a());
    }

    @ParameterizedTest
    @MethodSource("machines")
    void threadsReadRecordsOfOthers(Machine machine) {
        HostArray longs = HostArray.allocate(DataType.INT64, 16 * THREADS);
        HostArray doubles = HostArray.allocate(DataType.FLOAT64, 8 * THREADS);
        machine.launch(
                machine.kernel(SharedArraysContract.class, "exchanges"),
                LaunchConfig.grid(1).block(THREADS),
                longs,
                doubles);
        for (int t = 0; t < THREADS; t++) {
            int o = (t * 5 + 3) % THREADS;
            Odd odd = odd(o);
            long[] expected = {
                ~o,
                o % 3,
                (1L << o) - o,
                (byte) (3 * o - 100),
                o % 3 == 1 ? 1 : 0,
                (short) (-500 * o),
                -o * 10_000_000_000L,
                65_500 - o,
                -o,
                o * 100_000_000,
                o - 30,
                (1L << (o + 1)) - (o + 1),
                65_498 - o,
                odd.b() + 7L * odd.c(),
                -o * 100_000L + o * o,
                THREADS
            };
            for (int i = 0; i < expected.length; i++) {
                assertThat(longs.getLong(16 * t + i))
                        .as("number %d of thread %d", i, t)
                        .isEqualTo(expected[i]);
            }
            double[] numbers = {
                o + 200f * o + 5000f * o - o, 0.5 * o, 1.5 * o, -0.25 * o, o / 3.0, 0.125 * o, (o + 1) / 3.0, o
            };
            for (int i = 0; i < numbers.length; i++) {
                assertThat(doubles.getDouble(8 * t + i))
                        .as("number %d of thread %d", i, t)
                        .isEqualTo(numbers[i]);
            }
        }
    }

    /** A library's method, which is given the class. */
    static <R extends Record> R combined(Class<R> type, R own, BinaryOperator<R> combine) {
        R[] all = Shared.of(type, THREADS);
        int t = ThreadIdx.x();
        all[t] = own;
        Block.sync();
        for (int half = THREADS / 2; half > 0; half /= 2) {
            if (t < half) {
                all[t] = combine.apply(all[t], all[t + half]);
            }
            Block.sync();
        }
        return all[0];
    }

    /** The same place in a method twice: two arrays of two classes. */
    @Kernel
    static void combines(I64Ptr longs) {
        int t = ThreadIdx.x();
        Two sum = combined(Two.class, new Two(t, 1), (a, b) -> new Two(a.a() + b.a(), a.b() + b.b()));
        Entry most = combined(Entry.class, new Entry(t * 7 % 31, t), (a, b) -> a.key() >= b.key() ? a : b);
        if (t == THREADS - 1) {
            longs.set(0, sum.a());
            longs.set(1, sum.b());
            longs.set(2, most.key());
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void aMethodMakesArraysOfWhatItIsGiven(Machine machine) {
        HostArray longs = HostArray.allocate(DataType.INT64, 3);
        machine.launch(
                machine.kernel(SharedArraysContract.class, "combines"),
                LaunchConfig.grid(1).block(THREADS),
                longs);
        assertThat(longs.toLongArray()).containsExactly(THREADS * (THREADS - 1) / 2, THREADS, 30);
    }

    /** 64 and 32 KiB of arrays, records, and what the launch asks for. */
    @Kernel
    static void large(int n, I64Ptr sums) {
        float[] a = Shared.f32(16 << 10);
        long[] b = Shared.i64(4 << 10);
        Point[] c = Shared.of(Point.class, 100);
        I32Ptr rest = Shared.dynamicI32();
        for (int i = ThreadIdx.x(); i < a.length; i += BlockDim.x()) {
            a[i] = i;
        }
        for (int i = ThreadIdx.x(); i < b.length; i += BlockDim.x()) {
            b[i] = -3L * i;
        }
        for (int i = ThreadIdx.x(); i < c.length; i += BlockDim.x()) {
            c[i] = new Point(i, i, i, 1);
        }
        for (int i = ThreadIdx.x(); i < n; i += BlockDim.x()) {
            rest.set(i, 5 * i);
        }
        Block.sync();
        if (ThreadIdx.x() < 4) {
            long sum = 0;
            int count = ThreadIdx.x() == 0 ? a.length : ThreadIdx.x() == 1 ? b.length : ThreadIdx.x() == 2 ? 100 : n;
            for (int i = 0; i < count; i++) {
                sum += ThreadIdx.x() == 0
                        ? (long) a[i]
                        : ThreadIdx.x() == 1 ? b[i] : ThreadIdx.x() == 2 ? (long) (c[i].x() + c[i].w()) : rest.get(i);
            }
            sums.set(ThreadIdx.x(), sum);
        }
    }

    private static long triangle(long n) {
        return n * (n - 1) / 2;
    }

    @ParameterizedTest
    @MethodSource("machines")
    void arraysOfMoreThan48KibLieBesideEachOther(Machine machine) {
        for (int n : new int[] {0, 10_000}) {
            HostArray sums = HostArray.allocate(DataType.INT64, 4);
            machine.launch(
                    machine.kernel(SharedArraysContract.class, "large"),
                    LaunchConfig.grid(1).block(256).shared(n * Integer.BYTES),
                    n,
                    sums);
            assertThat(sums.toLongArray())
                    .containsExactly(triangle(16 << 10), -3 * triangle(4 << 10), triangle(100) + 100, 5 * triangle(n));
        }
    }

    static final int ALL = 227 << 10;

    @Kernel
    static void whole(I8Ptr out) {
        byte[] all = Shared.i8(ALL);
        for (int i = ThreadIdx.x(); i < all.length; i += BlockDim.x()) {
            all[i] = (byte) (i * 31);
        }
        Block.sync();
        for (int i = ThreadIdx.x(); i < all.length; i += BlockDim.x()) {
            out.set(i, all[all.length - 1 - i]);
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void anArrayIsAllThatABlockHas(Machine machine) {
        HostArray out = HostArray.allocate(DataType.INT8, ALL);
        machine.launch(
                machine.kernel(SharedArraysContract.class, "whole"),
                LaunchConfig.grid(1).block(512),
                out);
        for (int i = 0; i < ALL; i++) {
            assertThat(out.getLong(i)).isEqualTo((byte) ((ALL - 1 - i) * 31));
        }
    }
}
