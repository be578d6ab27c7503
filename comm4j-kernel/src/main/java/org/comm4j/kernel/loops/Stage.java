// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;

/** What a {@link StagedLoop} calls. */
final class Stage {
    /** The fewest threads that are worth the copies. */
    static final int LEAST = 128;

    private Stage() {}

    /** Returns whether places in a Java array are within it, one beside the other. */
    static boolean fits(Object array, long first, long last, int from, int to) {
        return first >= 0 && last - first == to - from - 1 && last < Array.getLength(array);
    }

    /** Returns whether elements of some bytes are within memory, one beside the other. */
    static boolean fits(MemorySegment memory, long first, long last, int from, int to, int bytes) {
        return first >= 0 && last - first == (to - from - 1L) * bytes && last <= memory.byteSize() - bytes;
    }

    static void in(Object array, long first, Object stage, int from, int to) {
        System.arraycopy(array, (int) first, stage, from, to - from);
    }

    static void in(MemorySegment memory, long first, int[] stage, int from, int to) {
        MemorySegment.copy(memory, LoopState.OF_I32, first, stage, from, to - from);
    }

    static void in(MemorySegment memory, long first, long[] stage, int from, int to) {
        MemorySegment.copy(memory, LoopState.OF_I64, first, stage, from, to - from);
    }

    static void in(MemorySegment memory, long first, float[] stage, int from, int to) {
        MemorySegment.copy(memory, LoopState.OF_F32, first, stage, from, to - from);
    }

    static void in(MemorySegment memory, long first, double[] stage, int from, int to) {
        MemorySegment.copy(memory, LoopState.OF_F64, first, stage, from, to - from);
    }

    static void out(Object array, long first, Object stage, int from, int to) {
        System.arraycopy(stage, from, array, (int) first, to - from);
    }

    static void out(MemorySegment memory, long first, int[] stage, int from, int to) {
        MemorySegment.copy(stage, from, memory, LoopState.OF_I32, first, to - from);
    }

    static void out(MemorySegment memory, long first, long[] stage, int from, int to) {
        MemorySegment.copy(stage, from, memory, LoopState.OF_I64, first, to - from);
    }

    static void out(MemorySegment memory, long first, float[] stage, int from, int to) {
        MemorySegment.copy(stage, from, memory, LoopState.OF_F32, first, to - from);
    }

    static void out(MemorySegment memory, long first, double[] stage, int from, int to) {
        MemorySegment.copy(stage, from, memory, LoopState.OF_F64, first, to - from);
    }
}
