// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.device.ShmemPe;

/**
 * A PE's tokens, their weights, and room for their sums. Elements are small integers, scales 1 or 2 and weights those
 * of a mean, so that sums of rows that came back unchanged are known exactly.
 */
final class MoeTokens implements AutoCloseable {
    /** Sets of routes that calls take in turn. */
    static final int ROUTES = 8;

    /** Elements that are looked at, at most. */
    private static final long MOST_CHECKED = 1 << 22;

    final int count;
    final Buffer x;
    final Buffer scales;
    final Buffer weights;
    final Buffer sums;
    final Buffer[] chosen;
    /** The routes of {@link #chosen}. */
    final int[][] routes;

    private final MoeSettings settings;
    private final int group;

    MoeTokens(ShmemPe pe, MoeSettings settings, int count) {
        this.settings = settings;
        this.count = count;
        group = pe.myPe() / settings.group();
        int hidden = settings.hidden();
        int blocks = hidden / MoeSettings.SCALED;
        HostArray rows = HostArray.allocate(settings.inputType(), (long) count * hidden);
        for (int t = 0; t < count; t++) {
            for (int i = 0; i < hidden; i++) {
                rows.setDouble((long) t * hidden + i, element(t, i));
            }
        }
        x = on(pe, rows);
        HostArray factors = HostArray.allocate(DataType.FLOAT32, Math.max(1, (long) count * blocks));
        for (int t = 0; t < count; t++) {
            for (int b = 0; b < blocks; b++) {
                factors.setDouble((long) t * blocks + b, scale(t, b));
            }
        }
        scales = on(pe, factors);
        HostArray shares = HostArray.allocate(DataType.FLOAT32, (long) count * settings.perToken());
        shares.fill(1.0 / settings.perToken());
        weights = on(pe, shares);
        sums = on(pe, HostArray.allocate(DataType.BFLOAT16, (long) count * hidden));
        chosen = new Buffer[settings.sameRoutes() ? 1 : ROUTES];
        routes = new int[chosen.length][];
        for (int r = 0; r < chosen.length; r++) {
            routes[r] = MoeRoutes.of(settings, group, r, count);
            HostArray experts = HostArray.allocate(DataType.INT32, routes[r].length);
            for (int i = 0; i < routes[r].length; i++) {
                experts.setInt(i, routes[r][i]);
            }
            chosen[r] = on(pe, experts);
        }
    }

    /** Copies an array to where kernels of this PE take it from. */
    static Buffer on(ShmemPe pe, HostArray from) {
        Buffer to = pe.onGpu()
                ? pe.nvshmem().device().allocate(from.type(), from.count())
                : HostArray.allocate(from.type(), from.count());
        to.copyFrom(from);
        return to;
    }

    /** Gives back memory of GPUs; that of the CPU is collected. */
    static void free(Buffer... buffers) {
        for (Buffer each : buffers) {
            if (each instanceof DeviceArray array) {
                array.close();
            }
        }
    }

    private double element(int token, int i) {
        return Math.floorMod(token * 31 + i * 7 + group * 13, 17) - 8.0;
    }

    private double scale(int token, int block) {
        return settings.input() == MoeSettings.Input.FP8 ? 1 << (token + block + group & 1) : 1;
    }

    /** Returns how many of the sums differ from the token itself by more than rounding of the mean. */
    long wrong() {
        HostArray got = sums.toHost();
        int hidden = settings.hidden();
        long wrong = 0;
        long step = Math.max(1, got.count() / MOST_CHECKED) | 1;
        for (long at = 0; at < got.count(); at += step) {
            int t = (int) (at / hidden);
            int i = (int) (at % hidden);
            double expected = element(t, i) * scale(t, i / MoeSettings.SCALED);
            // Quantized elements have four bits.
            double bound = settings.input() == MoeSettings.Input.QUANTIZED ? 0.07 : 0.01;
            if (!(Math.abs(got.getDouble(at) - expected) <= bound * Math.abs(expected))) {
                wrong++;
            }
        }
        return wrong;
    }

    @Override
    public void close() {
        free(x, scales, weights, sums);
        free(chosen);
    }
}
