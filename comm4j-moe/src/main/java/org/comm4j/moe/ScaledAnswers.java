// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.core.SmallFloats;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Half;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.InlinePtx;
import org.comm4j.kernel.lang.Int4;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;

/** Answers of FLOAT8_E4M3, with a FLOAT32 scale for each block of {@link Quantization}. */
@KernelLibrary
final class ScaledAnswers {
    /** Elements that a thread adds at once. */
    static final int UNIT = 16;
    /** Answers that a thread loads before it adds the first. */
    private static final int BATCH = 4;

    private ScaledAnswers() {}

    /** Returns the scales of an answer. */
    static int scales(int hidden) {
        return (hidden + Quantization.BLOCK - 1) / Quantization.BLOCK;
    }

    /** Returns an element of the answer at {@code source}, with its scales. */
    static float get(MoeSpace space, long source, long scales, int i) {
        float scale = space.base().plus(scales).asF32().get(i / Quantization.BLOCK);
        return space.base().plus(source).asF8E4M3().get(i) * scale;
    }

    /** Adds 16 elements of each choice's answer to sums, times the weights. */
    static void add(MoeSpace space, long[] sources, long[] scales, float[] factors, int half, int unit, float[] sums) {
        int[] loaded = new int[BATCH * UNIT / 4];
        float[] scale = new float[BATCH];
        for (int first = 0; first < space.perToken(); first += BATCH) {
            // All loads are under way before the first is waited for.
            for (int j = 0; j < BATCH; j++) {
                Unroll.all();
                long source = first + j < space.perToken() ? sources[half + first + j] : PullKernels.NOWHERE;
                if (source != PullKernels.NOWHERE) {
                    I32Ptr from = space.base().plus(source).asI32();
                    Int4 four = from.get4(4L * unit);
                    loaded[4 * j] = four.x();
                    loaded[4 * j + 1] = four.y();
                    loaded[4 * j + 2] = four.z();
                    loaded[4 * j + 3] = four.w();
                    F32Ptr of = space.base().plus(scales[half + first + j]).asF32();
                    scale[j] = of.get(unit / (Quantization.BLOCK / UNIT));
                }
            }
            for (int j = 0; j < BATCH; j++) {
                Unroll.all();
                long source = first + j < space.perToken() ? sources[half + first + j] : PullKernels.NOWHERE;
                if (source != PullKernels.NOWHERE) {
                    float weight = factors[half + first + j];
                    for (int word = 0; word < 4; word++) {
                        Unroll.all();
                        int low = halves((short) loaded[4 * j + word]);
                        int high = halves((short) (loaded[4 * j + word] >>> 16));
                        int e = 4 * word;
                        sums[e] = Math.fma(weight, half(low) * scale[j], sums[e]);
                        sums[e + 1] = Math.fma(weight, half(low >>> 16) * scale[j], sums[e + 1]);
                        sums[e + 2] = Math.fma(weight, half(high) * scale[j], sums[e + 2]);
                        sums[e + 3] = Math.fma(weight, half(high >>> 16) * scale[j], sums[e + 3]);
                    }
                }
            }
        }
    }

    private static float half(int bits) {
        return new Half((short) bits).toFloat();
    }

    /** Returns two elements in FLOAT16, which has all of them. */
    @InlinePtx(value = "cvt.rn.f16x2.e4m3x2 $0, $1;", effects = false, since = 89)
    private static int halves(short two) {
        int low = Float.floatToFloat16(SmallFloats.e4m3ToFloat((byte) two)) & 0xffff;
        return low | Float.floatToFloat16(SmallFloats.e4m3ToFloat((byte) (two >>> 8))) << 16;
    }

    /** {@link FusedExperts#answer}. */
    static void set(RoutedRows rows, int row, FusedExperts.RowSource source) {
        I32Ptr to = FusedExperts.result(rows, row).asI32();
        F32Ptr scales = FusedExperts.resultScales(rows, row);
        int units = rows.hidden() / UNIT;
        float[] values = new float[UNIT];
        // All threads of a warp, as its shuffles need, also behind the end.
        for (int first = 0; first < units; first += BlockDim.x()) {
            int unit = first + ThreadIdx.x();
            for (int e = 0; e < UNIT; e++) {
                Unroll.all();
                values[e] = unit < units ? source.at(UNIT * unit + e) : 0;
            }
            float scale = QuantizeRows.scale(false, values);
            if (unit < units) {
                to.set4(4L * unit, QuantizeRows.quantized(values, scale));
                if (unit % QuantizeRows.THREADS == 0) {
                    scales.set(unit / QuantizeRows.THREADS, scale);
                }
            }
        }
    }
}
