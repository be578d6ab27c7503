// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.util.function.BinaryOperator;
import org.comm4j.kernel.cpu.KernelThread;

/**
 * The 32 threads of a block that run together. A {@code mask} has a bit for each thread that takes part: all of them
 * call the method, with the same mask. Without one, it is all threads of the warp.
 */
public final class Warp {
    /** Threads of a warp. */
    public static final int SIZE = 32;

    private static final int ALL = -1;

    private Warp() {}

    /** Returns the place of this thread in its warp. */
    @DeviceFunction(value = "llvm.nvvm.read.ptx.sreg.laneid", pure = true)
    public static int laneId() {
        return KernelThread.current().lane();
    }

    /** Returns the place of this thread's warp in its block. */
    public static int id() {
        return ((ThreadIdx.z() * BlockDim.y() + ThreadIdx.y()) * BlockDim.x() + ThreadIdx.x()) / SIZE;
    }

    /**
     * True for one thread of the warp, always the same one; all 32 call it ({@code elect.sync} of PTX). Before sm_90,
     * and on the CPU, for lane 0. The compiler then knows that one thread goes on.
     */
    @InlinePtx(
            value = "{ .reg .pred p; elect.sync _|p, -1; selp.b32 $0, 1, 0, p; }",
            since = 90,
            older = "{ .reg .b32 l; .reg .pred p; mov.u32 l, %laneid; setp.eq.u32 p, l, 0; selp.b32 $0, 1, 0, p; }",
            effects = false,
            convergent = true)
    public static boolean isLeader() {
        return KernelThread.current().lane() == 0;
    }

    /** Waits for all threads of the warp; what they wrote before is seen after it ({@code __syncwarp}). */
    public static void sync() {
        sync(ALL);
    }

    /** Waits for the threads of {@code mask}; what they wrote before is seen after it ({@code __syncwarp}). */
    @DeviceFunction(value = "llvm.nvvm.bar.warp.sync", convergent = true)
    public static void sync(int mask) {
        KernelThread.current().syncWarp(mask);
    }

    /**
     * Returns a mask of threads of this warp that are here at the same time, this one among them ({@code
     * __activemask}). On the CPU, this one alone.
     */
    @InlinePtx(value = "activemask.b32 $0;", convergent = true)
    public static int activeMask() {
        return 1 << KernelThread.current().lane();
    }

    /** Returns the threads for which {@code condition} is true ({@code __ballot_sync}). */
    public static int ballot(boolean condition) {
        return ballot(condition, ALL);
    }

    /** The threads of {@code mask} for which {@code condition} is true ({@code __ballot_sync}). */
    @InlinePtx(
            value = "{ .reg .pred p; setp.ne.b32 p, $1, 0; vote.sync.ballot.b32 $0, p, $2; }",
            effects = false,
            convergent = true)
    public static int ballot(boolean condition, int mask) {
        return KernelThread.current().ballot(condition, mask);
    }

    /** Returns whether {@code condition} is true for a thread ({@code __any_sync}). */
    public static boolean any(boolean condition) {
        return ballot(condition, ALL) != 0;
    }

    /** Returns whether {@code condition} is true for a thread of {@code mask} ({@code __any_sync}). */
    public static boolean any(boolean condition, int mask) {
        return ballot(condition, mask) != 0;
    }

    /** Returns whether {@code condition} is true for all threads ({@code __all_sync}). */
    public static boolean all(boolean condition) {
        return ballot(!condition, ALL) == 0;
    }

    /** Returns whether {@code condition} is true for all threads of {@code mask} ({@code __all_sync}). */
    public static boolean all(boolean condition, int mask) {
        return ballot(!condition, mask) == 0;
    }

    /** Returns the threads that have the same value as this one ({@code __match_any_sync}). */
    public static int matchAny(int value) {
        return matchAny(value, ALL);
    }

    /** Returns the threads of {@code mask} that have the same value as this one ({@code __match_any_sync}). */
    @InlinePtx(value = "match.any.sync.b32 $0, $1, $2;", effects = false, convergent = true)
    public static int matchAny(int value, int mask) {
        return KernelThread.current().matchAny(value, mask);
    }

    /** Returns the threads that have the same value as this one ({@code __match_any_sync}). */
    public static int matchAny(long value) {
        return matchAny(value, ALL);
    }

    /** Returns the threads of {@code mask} that have the same value as this one ({@code __match_any_sync}). */
    @InlinePtx(value = "match.any.sync.b64 $0, $1, $2;", effects = false, convergent = true)
    public static int matchAny(long value, int mask) {
        return KernelThread.current().matchAny(value, mask);
    }

    /** All threads that take part if all have the same value, or else 0 ({@code __match_all_sync}). */
    public static int matchAll(int value) {
        return matchAll(value, ALL);
    }

    /** {@code mask} if all its threads have the same value, or else 0 ({@code __match_all_sync}). */
    @InlinePtx(value = "match.all.sync.b32 $0, $1, $2;", effects = false, convergent = true)
    public static int matchAll(int value, int mask) {
        return KernelThread.current().matchAll(value, mask);
    }

    /** All threads that take part if all have the same value, or else 0 ({@code __match_all_sync}). */
    public static int matchAll(long value) {
        return matchAll(value, ALL);
    }

    /** {@code mask} if all its threads have the same value, or else 0 ({@code __match_all_sync}). */
    @InlinePtx(value = "match.all.sync.b64 $0, $1, $2;", effects = false, convergent = true)
    public static int matchAll(long value, int mask) {
        return KernelThread.current().matchAll(value, mask);
    }

    /** Returns the value of thread {@code lane} of the warp ({@code __shfl_sync}). */
    public static int shuffle(int value, int lane) {
        return shuffle(value, lane, SIZE, ALL);
    }

    /** As {@link #shuffle(int, int)} in groups of {@code width} threads, a power of two. */
    public static int shuffle(int value, int lane, int width) {
        return shuffle(value, lane, width, ALL);
    }

    /**
     * As {@link #shuffle(int, int)} in groups of {@code width} threads, a power of two; the threads of {@code mask},
     * all of them, call it.
     */
    public static int shuffle(int value, int lane, int width, int mask) {
        return shuffleBits(value, lane, SIZE - width << 8 | 0x1f, mask);
    }

    /** Returns the value of thread {@code lane} of the warp ({@code __shfl_sync}). */
    public static float shuffle(float value, int lane) {
        return shuffle(value, lane, SIZE, ALL);
    }

    /** As {@link #shuffle(float, int)} in groups of {@code width} threads, a power of two. */
    public static float shuffle(float value, int lane, int width) {
        return shuffle(value, lane, width, ALL);
    }

    /**
     * As {@link #shuffle(float, int)} in groups of {@code width} threads, a power of two; the threads of {@code mask},
     * all of them, call it.
     */
    public static float shuffle(float value, int lane, int width, int mask) {
        return Float.intBitsToFloat(shuffle(Float.floatToRawIntBits(value), lane, width, mask));
    }

    /** Returns the value of thread {@code lane} of the warp ({@code __shfl_sync}). */
    public static long shuffle(long value, int lane) {
        return shuffle(value, lane, SIZE, ALL);
    }

    /** As {@link #shuffle(long, int)} in groups of {@code width} threads, a power of two. */
    public static long shuffle(long value, int lane, int width) {
        return shuffle(value, lane, width, ALL);
    }

    /**
     * As {@link #shuffle(long, int)} in groups of {@code width} threads, a power of two; the threads of {@code mask},
     * all of them, call it.
     */
    public static long shuffle(long value, int lane, int width, int mask) {
        int low = shuffle((int) value, lane, width, mask);
        int high = shuffle((int) (value >>> 32), lane, width, mask);
        return (long) high << 32 | low & 0xffff_ffffL;
    }

    /** Returns the value of thread {@code lane} of the warp ({@code __shfl_sync}). */
    public static double shuffle(double value, int lane) {
        return shuffle(value, lane, SIZE, ALL);
    }

    /** As {@link #shuffle(double, int)} in groups of {@code width} threads, a power of two. */
    public static double shuffle(double value, int lane, int width) {
        return shuffle(value, lane, width, ALL);
    }

    /**
     * As {@link #shuffle(double, int)} in groups of {@code width} threads, a power of two; the threads of {@code mask},
     * all of them, call it.
     */
    public static double shuffle(double value, int lane, int width, int mask) {
        return Double.longBitsToDouble(shuffle(Double.doubleToRawLongBits(value), lane, width, mask));
    }

    @InlinePtx(value = "shfl.sync.idx.b32 $0, $1, $2, $3, $4;", effects = false, convergent = true)
    private static int shuffleBits(int value, int lane, int clamp, int mask) {
        return KernelThread.current().shuffle(KernelThread.Shuffle.INDEX, value, lane, clamp, mask);
    }

    /**
     * Returns the value of the thread {@code delta} lanes below; the own one where there is none ({@code
     * __shfl_up_sync}).
     */
    public static int shuffleUp(int value, int delta) {
        return shuffleUp(value, delta, SIZE, ALL);
    }

    /** As {@link #shuffleUp(int, int)} in groups of {@code width} threads, a power of two. */
    public static int shuffleUp(int value, int delta, int width) {
        return shuffleUp(value, delta, width, ALL);
    }

    /**
     * As {@link #shuffleUp(int, int)} in groups of {@code width} threads, a power of two; the threads of {@code mask},
     * all of them, call it.
     */
    public static int shuffleUp(int value, int delta, int width, int mask) {
        return shuffleUpBits(value, delta, SIZE - width << 8, mask);
    }

    /**
     * Returns the value of the thread {@code delta} lanes below; the own one where there is none ({@code
     * __shfl_up_sync}).
     */
    public static float shuffleUp(float value, int delta) {
        return shuffleUp(value, delta, SIZE, ALL);
    }

    /** As {@link #shuffleUp(float, int)} in groups of {@code width} threads, a power of two. */
    public static float shuffleUp(float value, int delta, int width) {
        return shuffleUp(value, delta, width, ALL);
    }

    /**
     * As {@link #shuffleUp(float, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static float shuffleUp(float value, int delta, int width, int mask) {
        return Float.intBitsToFloat(shuffleUp(Float.floatToRawIntBits(value), delta, width, mask));
    }

    /**
     * Returns the value of the thread {@code delta} lanes below; the own one where there is none ({@code
     * __shfl_up_sync}).
     */
    public static long shuffleUp(long value, int delta) {
        return shuffleUp(value, delta, SIZE, ALL);
    }

    /** As {@link #shuffleUp(long, int)} in groups of {@code width} threads, a power of two. */
    public static long shuffleUp(long value, int delta, int width) {
        return shuffleUp(value, delta, width, ALL);
    }

    /**
     * As {@link #shuffleUp(long, int)} in groups of {@code width} threads, a power of two; the threads of {@code mask},
     * all of them, call it.
     */
    public static long shuffleUp(long value, int delta, int width, int mask) {
        int low = shuffleUp((int) value, delta, width, mask);
        int high = shuffleUp((int) (value >>> 32), delta, width, mask);
        return (long) high << 32 | low & 0xffff_ffffL;
    }

    /**
     * Returns the value of the thread {@code delta} lanes below; the own one where there is none ({@code
     * __shfl_up_sync}).
     */
    public static double shuffleUp(double value, int delta) {
        return shuffleUp(value, delta, SIZE, ALL);
    }

    /** As {@link #shuffleUp(double, int)} in groups of {@code width} threads, a power of two. */
    public static double shuffleUp(double value, int delta, int width) {
        return shuffleUp(value, delta, width, ALL);
    }

    /**
     * As {@link #shuffleUp(double, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static double shuffleUp(double value, int delta, int width, int mask) {
        return Double.longBitsToDouble(shuffleUp(Double.doubleToRawLongBits(value), delta, width, mask));
    }

    @InlinePtx(value = "shfl.sync.up.b32 $0, $1, $2, $3, $4;", effects = false, convergent = true)
    private static int shuffleUpBits(int value, int delta, int clamp, int mask) {
        return KernelThread.current().shuffle(KernelThread.Shuffle.UP, value, delta, clamp, mask);
    }

    /**
     * Returns the value of the thread {@code delta} lanes above; the own one where there is none ({@code
     * __shfl_down_sync}).
     */
    public static int shuffleDown(int value, int delta) {
        return shuffleDown(value, delta, SIZE, ALL);
    }

    /** As {@link #shuffleDown(int, int)} in groups of {@code width} threads, a power of two. */
    public static int shuffleDown(int value, int delta, int width) {
        return shuffleDown(value, delta, width, ALL);
    }

    /**
     * As {@link #shuffleDown(int, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static int shuffleDown(int value, int delta, int width, int mask) {
        return shuffleDownBits(value, delta, SIZE - width << 8 | 0x1f, mask);
    }

    /**
     * Returns the value of the thread {@code delta} lanes above; the own one where there is none ({@code
     * __shfl_down_sync}).
     */
    public static float shuffleDown(float value, int delta) {
        return shuffleDown(value, delta, SIZE, ALL);
    }

    /** As {@link #shuffleDown(float, int)} in groups of {@code width} threads, a power of two. */
    public static float shuffleDown(float value, int delta, int width) {
        return shuffleDown(value, delta, width, ALL);
    }

    /**
     * As {@link #shuffleDown(float, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static float shuffleDown(float value, int delta, int width, int mask) {
        return Float.intBitsToFloat(shuffleDown(Float.floatToRawIntBits(value), delta, width, mask));
    }

    /**
     * Returns the value of the thread {@code delta} lanes above; the own one where there is none ({@code
     * __shfl_down_sync}).
     */
    public static long shuffleDown(long value, int delta) {
        return shuffleDown(value, delta, SIZE, ALL);
    }

    /** As {@link #shuffleDown(long, int)} in groups of {@code width} threads, a power of two. */
    public static long shuffleDown(long value, int delta, int width) {
        return shuffleDown(value, delta, width, ALL);
    }

    /**
     * As {@link #shuffleDown(long, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static long shuffleDown(long value, int delta, int width, int mask) {
        int low = shuffleDown((int) value, delta, width, mask);
        int high = shuffleDown((int) (value >>> 32), delta, width, mask);
        return (long) high << 32 | low & 0xffff_ffffL;
    }

    /**
     * Returns the value of the thread {@code delta} lanes above; the own one where there is none ({@code
     * __shfl_down_sync}).
     */
    public static double shuffleDown(double value, int delta) {
        return shuffleDown(value, delta, SIZE, ALL);
    }

    /** As {@link #shuffleDown(double, int)} in groups of {@code width} threads, a power of two. */
    public static double shuffleDown(double value, int delta, int width) {
        return shuffleDown(value, delta, width, ALL);
    }

    /**
     * As {@link #shuffleDown(double, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static double shuffleDown(double value, int delta, int width, int mask) {
        return Double.longBitsToDouble(shuffleDown(Double.doubleToRawLongBits(value), delta, width, mask));
    }

    @InlinePtx(value = "shfl.sync.down.b32 $0, $1, $2, $3, $4;", effects = false, convergent = true)
    private static int shuffleDownBits(int value, int delta, int clamp, int mask) {
        return KernelThread.current().shuffle(KernelThread.Shuffle.DOWN, value, delta, clamp, mask);
    }

    /** Returns the value of the thread whose lane differs by the bits of {@code laneMask} ({@code __shfl_xor_sync}). */
    public static int shuffleXor(int value, int laneMask) {
        return shuffleXor(value, laneMask, SIZE, ALL);
    }

    /** As {@link #shuffleXor(int, int)} in groups of {@code width} threads, a power of two. */
    public static int shuffleXor(int value, int laneMask, int width) {
        return shuffleXor(value, laneMask, width, ALL);
    }

    /**
     * As {@link #shuffleXor(int, int)} in groups of {@code width} threads, a power of two; the threads of {@code mask},
     * all of them, call it.
     */
    public static int shuffleXor(int value, int laneMask, int width, int mask) {
        return shuffleXorBits(value, laneMask, SIZE - width << 8 | 0x1f, mask);
    }

    /** Returns the value of the thread whose lane differs by the bits of {@code laneMask} ({@code __shfl_xor_sync}). */
    public static float shuffleXor(float value, int laneMask) {
        return shuffleXor(value, laneMask, SIZE, ALL);
    }

    /** As {@link #shuffleXor(float, int)} in groups of {@code width} threads, a power of two. */
    public static float shuffleXor(float value, int laneMask, int width) {
        return shuffleXor(value, laneMask, width, ALL);
    }

    /**
     * As {@link #shuffleXor(float, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static float shuffleXor(float value, int laneMask, int width, int mask) {
        return Float.intBitsToFloat(shuffleXor(Float.floatToRawIntBits(value), laneMask, width, mask));
    }

    /** Returns the value of the thread whose lane differs by the bits of {@code laneMask} ({@code __shfl_xor_sync}). */
    public static long shuffleXor(long value, int laneMask) {
        return shuffleXor(value, laneMask, SIZE, ALL);
    }

    /** As {@link #shuffleXor(long, int)} in groups of {@code width} threads, a power of two. */
    public static long shuffleXor(long value, int laneMask, int width) {
        return shuffleXor(value, laneMask, width, ALL);
    }

    /**
     * As {@link #shuffleXor(long, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static long shuffleXor(long value, int laneMask, int width, int mask) {
        int low = shuffleXor((int) value, laneMask, width, mask);
        int high = shuffleXor((int) (value >>> 32), laneMask, width, mask);
        return (long) high << 32 | low & 0xffff_ffffL;
    }

    /** Returns the value of the thread whose lane differs by the bits of {@code laneMask} ({@code __shfl_xor_sync}). */
    public static double shuffleXor(double value, int laneMask) {
        return shuffleXor(value, laneMask, SIZE, ALL);
    }

    /** As {@link #shuffleXor(double, int)} in groups of {@code width} threads, a power of two. */
    public static double shuffleXor(double value, int laneMask, int width) {
        return shuffleXor(value, laneMask, width, ALL);
    }

    /**
     * As {@link #shuffleXor(double, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static double shuffleXor(double value, int laneMask, int width, int mask) {
        return Double.longBitsToDouble(shuffleXor(Double.doubleToRawLongBits(value), laneMask, width, mask));
    }

    @InlinePtx(value = "shfl.sync.bfly.b32 $0, $1, $2, $3, $4;", effects = false, convergent = true)
    private static int shuffleXorBits(int value, int laneMask, int clamp, int mask) {
        return KernelThread.current().shuffle(KernelThread.Shuffle.XOR, value, laneMask, clamp, mask);
    }

    /** Over all threads of the warp ({@code __reduce_add_sync}). */
    public static int reduceAdd(int value) {
        return reduceAdd(value, ALL);
    }

    /** Over the threads of {@code mask} ({@code __reduce_add_sync}). */
    @InlinePtx(value = "redux.sync.add.s32 $0, $1, $2;", effects = false, convergent = true)
    public static int reduceAdd(int value, int mask) {
        return KernelThread.current().reduce("reduceAdd", value, mask, (left, right) -> left + right);
    }

    /** Over all threads of the warp ({@code __reduce_min_sync}). */
    public static int reduceMin(int value) {
        return reduceMin(value, ALL);
    }

    /** Over the threads of {@code mask} ({@code __reduce_min_sync}). */
    @InlinePtx(value = "redux.sync.min.s32 $0, $1, $2;", effects = false, convergent = true)
    public static int reduceMin(int value, int mask) {
        return KernelThread.current().reduce("reduceMin", value, mask, (left, right) -> Math.min(left, right));
    }

    /** Over all threads of the warp ({@code __reduce_max_sync}). */
    public static int reduceMax(int value) {
        return reduceMax(value, ALL);
    }

    /** Over the threads of {@code mask} ({@code __reduce_max_sync}). */
    @InlinePtx(value = "redux.sync.max.s32 $0, $1, $2;", effects = false, convergent = true)
    public static int reduceMax(int value, int mask) {
        return KernelThread.current().reduce("reduceMax", value, mask, (left, right) -> Math.max(left, right));
    }

    /** Over all threads of the warp ({@code __reduce_and_sync}). */
    public static int reduceAnd(int value) {
        return reduceAnd(value, ALL);
    }

    /** Over the threads of {@code mask} ({@code __reduce_and_sync}). */
    @InlinePtx(value = "redux.sync.and.b32 $0, $1, $2;", effects = false, convergent = true)
    public static int reduceAnd(int value, int mask) {
        return KernelThread.current().reduce("reduceAnd", value, mask, (left, right) -> left & right);
    }

    /** Over all threads of the warp ({@code __reduce_or_sync}). */
    public static int reduceOr(int value) {
        return reduceOr(value, ALL);
    }

    /** Over the threads of {@code mask} ({@code __reduce_or_sync}). */
    @InlinePtx(value = "redux.sync.or.b32 $0, $1, $2;", effects = false, convergent = true)
    public static int reduceOr(int value, int mask) {
        return KernelThread.current().reduce("reduceOr", value, mask, (left, right) -> left | right);
    }

    /** Over all threads of the warp ({@code __reduce_xor_sync}). */
    public static int reduceXor(int value) {
        return reduceXor(value, ALL);
    }

    /** Over the threads of {@code mask} ({@code __reduce_xor_sync}). */
    @InlinePtx(value = "redux.sync.xor.b32 $0, $1, $2;", effects = false, convergent = true)
    public static int reduceXor(int value, int mask) {
        return KernelThread.current().reduce("reduceXor", value, mask, (left, right) -> left ^ right);
    }

    /**
     * Returns the record of thread {@code lane} of the warp. Components are numbers, enums and records of
     * them; each is a shuffle, or two if it has 64 bits.
     */
    public static <T extends Record> T shuffle(T value, int lane) {
        return shuffle(value, lane, SIZE, ALL);
    }

    /**
     * As {@link #shuffle(Record, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static <T extends Record> T shuffle(T value, int lane, int width, int mask) {
        return RecordLanes.exchange(value, bits -> shuffle(bits, lane, width, mask));
    }

    /**
     * Returns the record of the thread {@code delta} lanes before; that of this one where there is none. Components are
     * numbers, enums and records of them; each is a shuffle, or two if it has 64 bits.
     */
    public static <T extends Record> T shuffleUp(T value, int delta) {
        return shuffleUp(value, delta, SIZE, ALL);
    }

    /**
     * As {@link #shuffleUp(Record, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static <T extends Record> T shuffleUp(T value, int delta, int width, int mask) {
        return RecordLanes.exchange(value, bits -> shuffleUp(bits, delta, width, mask));
    }

    /**
     * Returns the record of the thread {@code delta} lanes after; that of this one where there is none. Components are
     * numbers, enums and records of them; each is a shuffle, or two if it has 64 bits.
     */
    public static <T extends Record> T shuffleDown(T value, int delta) {
        return shuffleDown(value, delta, SIZE, ALL);
    }

    /**
     * As {@link #shuffleDown(Record, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static <T extends Record> T shuffleDown(T value, int delta, int width, int mask) {
        return RecordLanes.exchange(value, bits -> shuffleDown(bits, delta, width, mask));
    }

    /**
     * Returns the record of the thread whose lane is this one's {@code ^ laneMask}. Components are numbers, enums and
     * records of them; each is a shuffle, or two if it has 64 bits.
     */
    public static <T extends Record> T shuffleXor(T value, int laneMask) {
        return shuffleXor(value, laneMask, SIZE, ALL);
    }

    /**
     * As {@link #shuffleXor(Record, int)} in groups of {@code width} threads, a power of two; the threads of {@code
     * mask}, all of them, call it.
     */
    public static <T extends Record> T shuffleXor(T value, int laneMask, int width, int mask) {
        return RecordLanes.exchange(value, bits -> shuffleXor(bits, laneMask, width, mask));
    }

    /**
     * Combines the records of all 32 threads by an operation that is associative and commutative; all of them call it
     * and get the result.
     */
    public static <T extends Record> T reduce(T value, BinaryOperator<T> operation) {
        T all = value;
        for (int by = SIZE / 2; by > 0; by /= 2) {
            all = operation.apply(all, shuffleXor(all, by));
        }
        return all;
    }
}
