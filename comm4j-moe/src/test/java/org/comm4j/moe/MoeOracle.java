// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.SmallFloats;

/**
 * Dispatch and combine in plain sequential Java, which holds the tokens of all PEs. It shares no code with what it
 * judges.
 */
final class MoeOracle {
    /** A row: which token and choice of which group of PEs it is. */
    record Row(int group, int token, int choice, int expert) {}

    private final int experts;
    private final long[][][] chosen;
    /** By PE and its experts in ascending order. */
    private final List<List<List<Row>>> rows = new ArrayList<>();

    /**
     * @param placed by expert: the PEs that have it, in ascending order
     * @param members PEs with the same tokens
     * @param chosen by group of PEs, token and choice
     * @param reach so many neighbours reach each other, and choose replicas among themselves; 0 for all
     */
    MoeOracle(int[][] placed, int pes, int members, long[][][] chosen, int reach) {
        this.experts = placed.length;
        this.chosen = chosen;
        for (int pe = 0; pe < pes; pe++) {
            List<List<Row>> local = new ArrayList<>();
            for (int[] on : placed) {
                for (int each : on) {
                    if (each == pe) {
                        local.add(new ArrayList<>());
                    }
                }
            }
            rows.add(local);
        }
        for (int group = 0; group < chosen.length; group++) {
            for (int token = 0; token < chosen[group].length; token++) {
                for (int choice = 0; choice < chosen[group][token].length; choice++) {
                    long expert = chosen[group][token][choice];
                    if (expert >= 0 && expert < experts) {
                        int sender = group * members + token % members;
                        int[] on = placed[(int) expert];
                        boolean own = Arrays.stream(on).anyMatch(each -> each == sender);
                        int[] near = Arrays.stream(on)
                                .filter(each -> reach == 0 || each / reach == sender / reach)
                                .toArray();
                        int[] of = near.length > 0 ? near : on;
                        int pe = own ? sender : of[token % of.length];
                        int local = 0;
                        for (int e = 0; e < expert; e++) {
                            for (int each : placed[e]) {
                                local += each == pe ? 1 : 0;
                            }
                        }
                        rows.get(pe).get(local).add(new Row(group, token, choice, (int) expert));
                    }
                }
            }
        }
    }

    /** Experts of PEs in equal shares. */
    static int[][] even(int experts, int pes) {
        int[][] placed = new int[experts][];
        int next = 0;
        for (int pe = 0; pe < pes; pe++) {
            for (int i = 0; i < experts / pes + (pe < experts % pes ? 1 : 0); i++) {
                placed[next++] = new int[] {pe};
            }
        }
        return placed;
    }

    /** Experts of a PE, one after the other: their rows. */
    List<List<Row>> of(int pe) {
        return rows.get(pe);
    }

    /** How often each expert was chosen. */
    long[] load() {
        long[] load = new long[experts];
        rows.forEach(local -> local.forEach(each -> each.forEach(row -> load[row.expert()]++)));
        return load;
    }

    /** The sum of a token, of answers and weights that are functions of the token and the choice. */
    float sum(int group, int token, Answer answer, Weight weight, int element) {
        float sum = 0;
        for (int choice = 0; choice < chosen[group][token].length; choice++) {
            long expert = chosen[group][token][choice];
            if (expert >= 0 && expert < experts) {
                sum = Math.fma(
                        weight.of(group, token, choice), answer.of(group, token, choice, (int) expert, element), sum);
            }
        }
        return sum;
    }

    /** An element of what an expert says to a token. */
    interface Answer {
        float of(int group, int token, int choice, int expert, int element);
    }

    /** What a choice counts. */
    interface Weight {
        float of(int group, int token, int choice);
    }

    /** A value as it is stored. */
    static float rounded(DataType type, float value) {
        return switch (type) {
            case BFLOAT16 -> SmallFloats.bfloat16ToFloat(SmallFloats.floatToBfloat16(value));
            case FLOAT16 -> Float.float16ToFloat(Float.floatToFloat16(value));
            default -> value;
        };
    }

    /** The scale of a block, as {@link Quantization} defines it. */
    static float scale(float[] block, boolean powers) {
        float most = 0;
        for (float each : block) {
            if (!Float.isNaN(each)) {
                most = Math.max(most, Math.min(Math.abs(each), Float.MAX_VALUE));
            }
        }
        float scale = most == 0 ? 1 : Math.max(most / 448, Float.MIN_NORMAL);
        if (powers) {
            int exponent = Math.getExponent(scale);
            float power = Math.scalb(1f, exponent);
            return power < scale ? 2 * power : power;
        }
        return scale;
    }

    /** Bits without a pattern, the same for the same numbers. */
    static long hash(long... numbers) {
        long h = 0x9e3779b97f4a7c15L;
        for (long each : numbers) {
            h = (h ^ each) * 0xbf58476d1ce4e5b9L;
            h ^= h >>> 29;
        }
        return h * 0x94d049bb133111ebL;
    }

    /** A value between -1 and 1. */
    static float value(long... numbers) {
        return (hash(numbers) >> 40) / (float) (1 << 23);
    }
}
