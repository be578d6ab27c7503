// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.device.MoveKernels.PIECE;
import static org.comm4j.device.MoveKernels.PIECES;

import java.lang.module.ModuleDescriptor.Version;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.lang.I8Ptr;

/** {@link MoveKernels}, with the data checked. */
final class MoveCases {
    static final LaunchConfig THREAD = LaunchConfig.grid(1).block(1);
    static final LaunchConfig WARP = LaunchConfig.grid(1).block(32);
    static final LaunchConfig BLOCK = LaunchConfig.grid(1).block(64);

    private MoveCases() {}

    /** Of a PE. */
    private static double value(int pe, long i) {
        return pe * 50L + i;
    }

    static void moves(TestPe pe) {
        try (CompiledKernel thread = pe.compiler().compile(MoveKernels::thread);
                CompiledKernel warp = pe.compiler().compile(MoveKernels::warp);
                CompiledKernel block = pe.compiler().compile(MoveKernels::block)) {
            moves(pe, thread, THREAD);
            moves(pe, warp, WARP);
            moves(pe, block, BLOCK);
        }
    }

    /** With a version of NVSHMEM that has no flush: what is said about that. */
    static void flushes(TestPe pe) {
        boolean here = pe.onCpu() || nvshmem().compareTo(Version.parse("3.7")) >= 0;
        for (int scope = 0; scope < CollectiveCases.SCOPES.size(); scope++) {
            if (here) {
                flushes(pe, scope);
            } else {
                int constant = scope;
                assertThatThrownBy(() -> pe.compiler().compile(FlushKernels::flush, constant))
                        .isInstanceOf(KernelCompileException.class)
                        .hasMessageContaining("needs NVSHMEM 3.7 or newer");
            }
        }
    }

    private static Version nvshmem() {
        return Version.parse(Objects.requireNonNull(LibNvshmem.library().version()));
    }

    private static void flushes(TestPe pe, int scope) {
        int count = 100;
        long[] mine =
                LongStream.range(0, count).map(i -> (pe.myPe() + 1) * 1000L + i).toArray();
        Buffer destination = pe.zeroed(DataType.INT64, 2L * count);
        try (CompiledKernel kernel = pe.compiler().compile(FlushKernels::flush, scope)) {
            pe.launch(kernel, CollectiveCases.SCOPES.get(scope), destination, pe.symmetric(mine), (long) count);
        }
        long[] seen = destination.toHost().toLongArray();
        for (int i = 0; i < count; i++) {
            long sent = (pe.previous() + 1) * 1000L + i;
            assertThat(seen[i]).as("scope %d, element %d", scope, i).isEqualTo(sent);
            assertThat(seen[count + i])
                    .as("scope %d, element %d again", scope, i)
                    .isEqualTo(-sent);
        }
    }

    private static void moves(TestPe pe, CompiledKernel kernel, LaunchConfig config) {
        float[] mine = new float[PIECE];
        float[] expected = new float[PIECES * PIECE];
        Arrays.fill(expected, -1);
        for (int i = 0; i < PIECE; i++) {
            mine[i] = (float) value(pe.myPe(), i);
            float previous = (float) value(pe.previous(), i);
            for (int piece : new int[] {0, 1, 2, 3, 7, 8}) {
                expected[piece * PIECE + i] = previous;
            }
            expected[4 * PIECE + 2 * i] = previous;
            if (i < PIECE / 2) {
                expected[6 * PIECE + i] = (float) value(pe.previous(), 2L * i);
            }
        }
        Buffer source = pe.symmetric(mine);
        Buffer destination = pe.zeroed(DataType.FLOAT32, (long) PIECES * PIECE);
        destination.fill(-1);
        Buffer signals = pe.zeroed(DataType.INT64, 2);
        pe.launch(kernel, config, destination, source, signals);
        assertThat(destination.toHost().toFloatArray()).as(kernel.name()).isEqualTo(expected);
        assertThat(signals.toHost().toLongArray()).containsExactly(7, 8);
    }

    static void sizes(TestPe pe) {
        var compiler = pe.compiler();
        sizes(pe, DataType.INT8, compiler.compile(MoveKernels::threadI8), THREAD);
        sizes(pe, DataType.INT8, compiler.compile(MoveKernels::warpI8), WARP);
        sizes(pe, DataType.INT8, compiler.compile(MoveKernels::blockI8), BLOCK);
        sizes(pe, DataType.INT16, compiler.compile(MoveKernels::threadI16), THREAD);
        sizes(pe, DataType.INT16, compiler.compile(MoveKernels::warpI16), WARP);
        sizes(pe, DataType.INT16, compiler.compile(MoveKernels::blockI16), BLOCK);
        sizes(pe, DataType.FLOAT64, compiler.compile(MoveKernels::threadF64), THREAD);
        sizes(pe, DataType.FLOAT64, compiler.compile(MoveKernels::warpF64), WARP);
        sizes(pe, DataType.FLOAT64, compiler.compile(MoveKernels::blockF64), BLOCK);
        sizes(pe, DataType.FLOAT16, compiler.compile(MoveKernels::threadF16), THREAD);
        sizes(pe, DataType.FLOAT16, compiler.compile(MoveKernels::warpF16), WARP);
        sizes(pe, DataType.FLOAT16, compiler.compile(MoveKernels::blockF16), BLOCK);
    }

    private static void sizes(TestPe pe, DataType type, CompiledKernel kernel, LaunchConfig config) {
        HostArray mine = HostArray.allocate(type, PIECE);
        HostArray expected = HostArray.allocate(type, 3L * PIECE);
        for (int i = 0; i < PIECE; i++) {
            // Of eight bits, too.
            set(mine, i, value(pe.myPe(), i) % 100);
            set(expected, i, value(pe.previous(), i) % 100);
        }
        for (int i = 0; i < PIECE / 3; i++) {
            set(expected, PIECE + 2L * i, value(pe.previous(), 3L * i) % 100);
            set(expected, 2L * PIECE + 3L * i, value(pe.previous(), 2L * i) % 100);
        }
        Buffer source = pe.filled(mine);
        Buffer destination = pe.zeroed(type, 3L * PIECE);
        pe.launch(kernel, config, destination, source);
        assertThat(destination.toHost().segment().mismatch(expected.segment()))
                .as(kernel.name())
                .isEqualTo(-1);
        kernel.close();
    }

    /** Bytes from where, to where, and how many: all alignments of either, and what is left of batches of words. */
    private static final int[][] PLACES = {
        {0, 0, 0},
        {0, 0, 1},
        {0, 0, 4109},
        {8, 8, 1003},
        {4, 4, 517},
        {2, 2, 260},
        {1, 1, 99},
        {0, 16, 64},
        {8, 0, 40},
        {8, 4, 77},
        {0, 3, 50},
        {16, 24, 2055}
    };

    static void bytes(TestPe pe) {
        long size = 4200;
        HostArray mine = HostArray.allocate(DataType.INT8, size);
        for (long i = 0; i < size; i++) {
            mine.setLong(i, (byte) (31L * pe.myPe() + 7 * i));
        }
        Buffer source = pe.filled(mine);
        Buffer destination = pe.zeroed(DataType.INT8, size);
        for (int scope = 0; scope < 3; scope++) {
            for (boolean reads : new boolean[] {false, true}) {
                try (CompiledKernel kernel = pe.compiler().compile(MoveKernels::bytes, scope, reads)) {
                    int sender = reads ? pe.next() : pe.previous();
                    for (int[] place : PLACES) {
                        long from = place[0];
                        long to = place[1];
                        long count = place[2];
                        destination.fill(-1);
                        HostArray expected = HostArray.allocate(DataType.INT8, size);
                        expected.fill(-1);
                        for (long i = 0; i < count; i++) {
                            expected.setLong(to + i, (byte) (31L * sender + 7 * (from + i)));
                        }
                        pe.launch(
                                kernel,
                                List.of(THREAD, WARP, BLOCK).get(scope),
                                I8Ptr.of(destination, to),
                                I8Ptr.of(source, from),
                                count);
                        assertThat(destination.toHost().segment().mismatch(expected.segment()))
                                .as(scope + " " + reads + " " + Arrays.toString(place))
                                .isEqualTo(-1);
                    }
                }
            }
        }
    }

    static void set(HostArray array, long i, double value) {
        if (array.type().isFloat()) {
            array.setDouble(i, value);
        } else {
            array.setLong(i, (long) value);
        }
    }
}
