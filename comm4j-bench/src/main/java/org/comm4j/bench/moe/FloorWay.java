// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.moe.ExpertPlacement;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/** {@link FloorKernels}, on GPUs. All calls have the routes of round 0. */
final class FloorWay implements MoeWay {
    private static final int ALIGNMENT = 16;
    private static final int ROW_THREADS = 480;
    private static final int ANSWER_THREADS = 448;

    private final Nvshmem shmem;
    private final MoeSettings settings;
    private final MoeTokens tokens;
    private final int pes;
    private final int me;
    private final int stride;
    private final int rows;
    /** First row of the first token of this PE that comes to this PE, and which token it is; -1 if none does. */
    private int ownRow = -1;

    private int ownToken;
    private final long half;
    private final SymmetricArray memory;
    private final long pushed;
    private final long pulled;
    private final Buffer distances;
    private final Buffer[] targets = new Buffer[2];
    private final Buffer[] sources = new Buffer[2];
    private final long[] expected;
    private final Buffer x;
    private final Buffer done;
    private final GpuKernel push;
    private final GpuKernel pull;
    private final GpuKernel meeting;
    private final GpuKernel number;
    private int pushEpoch;
    private int pullEpoch;
    private int meetEpoch;

    /** Collective. */
    FloorWay(ShmemPe pe, MoeSettings settings, MoeTokens tokens) {
        this.shmem = pe.nvshmem();
        this.settings = settings;
        this.tokens = tokens;
        pes = pe.nPes();
        me = pe.myPe();
        stride = Math.toIntExact((settings.rowBytes() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
        int choices = settings.perToken();
        int[] owner = new int[settings.experts()];
        ExpertPlacement placement = ExpertPlacement.even(settings.experts(), pes);
        for (int p = 0; p < pes; p++) {
            for (int e : placement.local(p)) {
                owner[e] = p;
            }
        }
        // Rows of a PE in the order of their sources: all PEs find the same.
        int[] next = new int[pes];
        int[] owners = new int[tokens.count * choices];
        int[] places = new int[tokens.count * choices];
        for (int p = 0; p < pes; p++) {
            int[] routes = MoeRoutes.of(settings, p, 0, tokens.count);
            for (int i = 0; i < routes.length; i++) {
                int to = owner[routes[i]];
                int place = next[to]++;
                if (p == me) {
                    owners[i] = to;
                    places[i] = place;
                    if (to == me && ownRow < 0) {
                        ownRow = place;
                        ownToken = i / choices;
                    }
                }
            }
        }
        rows = next[me];
        int most = 1;
        for (int count : next) {
            most = Math.max(most, count);
        }
        long flags = 3L * pes * FloorKernels.LINE;
        half = (long) most * Math.max(stride, settings.answerBytes());
        pushed = (flags + 255) / 256 * 256;
        pulled = pushed + 2 * half;
        memory = shmem.allocate(DataType.INT8, pulled + 2 * half, 256);
        memory.fill(0);
        HostArray apart = HostArray.allocate(DataType.INT64, pes);
        for (int p = 0; p < pes; p++) {
            apart.setLong(p, shmem.ptr(memory, p).address() - memory.address());
        }
        distances = MoeTokens.on(pe, apart);
        expected = new long[tokens.count];
        for (int h = 0; h < 2; h++) {
            HostArray to = HostArray.allocate(DataType.INT64, places.length);
            HostArray from = HostArray.allocate(DataType.INT64, places.length);
            for (int i = 0; i < places.length; i++) {
                long there = apart.getLong(owners[i]);
                to.setLong(i, there + pushed + h * half + (long) places[i] * stride);
                from.setLong(i, there + pulled + h * half + places[i] * settings.answerBytes());
                expected[i / choices] += h == 0 ? places[i] % 8 : 0;
            }
            targets[h] = MoeTokens.on(pe, to);
            sources[h] = MoeTokens.on(pe, from);
        }
        HostArray row = HostArray.allocate(DataType.INT32, (long) tokens.count * stride / Integer.BYTES);
        for (long i = 0; i < row.count(); i++) {
            row.setLong(i, word(me, i));
        }
        x = MoeTokens.on(pe, row);
        done = MoeTokens.on(pe, HostArray.allocate(DataType.INT32, 1));
        push = (GpuKernel) pe.compiler().compile(FloorKernels::push, choices);
        pull = (GpuKernel) pe.compiler().compile(FloorKernels::pull, choices);
        meeting = (GpuKernel) pe.compiler().compile(FloorKernels::meeting);
        number = (GpuKernel) pe.compiler().compile(FloorKernels::number);
        pe.barrier();
    }

    private static int word(int pe, long i) {
        long h = (pe + 1L) * 0x9E3779B97F4A7C15L ^ i * 0xBF58476D1CE4E5B9L;
        return (int) (h ^ h >>> 29);
    }

    private int multiprocessors() {
        return shmem.device().properties().multiprocessors();
    }

    private I8Ptr flags(int set) {
        return I8Ptr.of(memory, (long) set * pes * FloorKernels.LINE);
    }

    @Override
    public void dispatch(int round, @Nullable Stream stream) {
        int epoch = ++pushEpoch;
        push.launch(
                LaunchConfig.grid(Math.clamp(tokens.count, 1, 4 * multiprocessors()))
                        .block(ROW_THREADS),
                Objects.requireNonNull(stream),
                flags(0),
                I64Ptr.of(distances),
                I8Ptr.of(memory),
                I64Ptr.of(targets[epoch % 2]),
                I32Ptr.of(x),
                stride / ALIGNMENT,
                tokens.count,
                me,
                pes,
                epoch,
                I32Ptr.of(done));
    }

    @Override
    public void combine(@Nullable Stream stream) {
        int epoch = ++pullEpoch;
        pull.launch(
                LaunchConfig.grid(Math.clamp(2L * tokens.count, 1, 2 * multiprocessors()))
                        .block(ANSWER_THREADS),
                Objects.requireNonNull(stream),
                flags(1),
                I64Ptr.of(distances),
                I8Ptr.of(memory),
                I64Ptr.of(sources[epoch % 2]),
                F32Ptr.of(tokens.weights),
                I32Ptr.of(tokens.sums.view(DataType.INT32)),
                settings.hidden(),
                tokens.count,
                me,
                pes,
                epoch);
    }

    /** Makes all PEs tell each other something once. */
    void meet(Stream stream) {
        meeting.launch(LaunchConfig.grid(1).block(32), stream, flags(2), I64Ptr.of(distances), me, pes, ++meetEpoch);
    }

    @Override
    public long wrong(int round, @Nullable Stream stream) {
        Stream order = Objects.requireNonNull(stream);
        dispatch(0, order);
        shmem.synchronize(order);
        long wrong = wrongRows();
        long answers = pulled + (pullEpoch + 1) % 2 * half;
        if (rows > 0) {
            number.launch(
                    LaunchConfig.grid(Math.min(rows, 4 * multiprocessors())).block(ROW_THREADS),
                    order,
                    BF16Ptr.of(
                            memory.slice(answers, rows * settings.answerBytes()).view(DataType.BFLOAT16)),
                    rows,
                    settings.hidden());
        }
        shmem.synchronize(order);
        shmem.barrierAll();
        combine(order);
        shmem.synchronize(order);
        HostArray sums = tokens.sums.toHost();
        for (long i = 0; i < sums.count(); i += 61) {
            double mean = (double) expected[(int) (i / settings.hidden())] / settings.perToken();
            wrong += Math.abs(sums.getDouble(i) - mean) <= 0.01 * mean ? 0 : 1;
        }
        return wrong;
    }

    /** Words of the first rows from this PE itself that differ. */
    private long wrongRows() {
        if (ownRow < 0) {
            return 0;
        }
        long wrong = 0;
        long from = pushed + pushEpoch % 2 * half + (long) ownRow * stride;
        HostArray row = memory.slice(from, stride).toHost();
        HostArray words = row.view(DataType.INT32);
        for (int i = 0; i < words.count(); i++) {
            wrong += words.getInt(i) == word(me, (long) ownToken * (stride / Integer.BYTES) + i) ? 0 : 1;
        }
        return wrong;
    }

    @Override
    public void close() {
        for (GpuKernel each : new GpuKernel[] {push, pull, meeting, number}) {
            each.close();
        }
        MoeTokens.free(distances, targets[0], targets[1], sources[0], sources[1], x, done);
        memory.close();
    }
}
