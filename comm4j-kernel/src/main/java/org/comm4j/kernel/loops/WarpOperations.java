// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.Arrays;
import java.util.List;
import org.comm4j.kernel.loops.Stop.What;

/** Operations of warps: exchanges, votes, reductions. */
final class WarpOperations {
    private static final int WARP = 32;

    private final LoopState state;
    private final Stop[] stops;
    private final List<List<Boolean>> uniform;

    /** @param uniform by the stops' numbers from 1, of which arguments all threads have the same */
    WarpOperations(LoopState state, Stop[] stops, List<List<Boolean>> uniform) {
        this.state = state;
        this.stops = stops;
        this.uniform = uniform;
    }

    private boolean isUniform(Stop stop, int argument) {
        return uniform.get(stop.number() - 1).get(argument);
    }

    /** Returns whether of threads that are together the first one's mask is that of all. */
    boolean isUniformMask(Stop stop) {
        return isUniform(stop, stop.arguments().size() - 1);
    }

    /** Gives all threads the arguments that are the same for all of them. */
    void spread(Stop stop, int threads) {
        int count = stop.arguments().size();
        for (int i = stop.hasOperand() ? 1 : 0; i < count; i++) {
            if (isUniform(stop, i)) {
                int[] all = i == count - 1 ? state.masks : i == 1 ? state.lanes : state.widths;
                Arrays.fill(all, 0, threads, all[0]);
            }
        }
    }

    int mask(Stop stop, int thread) {
        return argument(stop, stop.arguments().size() - 1, thread);
    }

    /** An argument behind the operand. */
    int argument(Stop stop, int number, int thread) {
        if (stop.arguments().get(number) instanceof Val.Num known) {
            return (int) known.bits();
        }
        int[] all = number == stop.arguments().size() - 1 ? state.masks : number == 1 ? state.lanes : state.widths;
        return all[thread];
    }

    /** Returns whether the threads, which are all at the stop, are what each of them waits for. */
    boolean isOfAll(Stop stop, int from, int to) {
        if (stop.mask() instanceof Val.Num number) {
            return number.bits() == -1;
        }
        for (int thread = from; thread < to; thread++) {
            if (state.masks[thread] != -1) {
                return false;
            }
        }
        return true;
    }

    /**
     * Does the operation for whole warps that are at the same stop.
     *
     * @param together whether they are all threads of a block, with what is the same for all in the first one's place
     */
    void run(Stop stop, int from, int to, boolean together) {
        if (stop.what().isExchange() && exchange(stop, from, to, together)) {
            return;
        }
        if (together) {
            spread(stop, to);
        }
        for (int begin = from; begin < to; begin += WARP) {
            int end = Math.min(to, begin + WARP);
            if (stop.what().isExchange()) {
                for (int thread = begin; thread < end; thread++) {
                    exchange(stop, thread, begin, end, existing(end - begin));
                }
            } else {
                combine(stop.what(), stop.kind().isWide(), begin, end, existing(end - begin));
            }
        }
    }

    private static int existing(int lanes) {
        return lanes == WARP ? -1 : (1 << lanes) - 1;
    }

    /**
     * Finds an operation all of whose threads have come, and does it.
     *
     * @return the lanes that may go on; 0 if there is none
     */
    int complete(int from, int to) {
        int existing = existing(to - from);
        for (int thread = from; thread < to; thread++) {
            check(thread, from, to, existing);
        }
        for (int caller = from; caller < to; caller++) {
            Stop stop = waiting(caller);
            if (stop == null) {
                continue;
            }
            int mask = mask(stop, caller);
            int lanes = 0;
            boolean complete = true;
            for (int other = from; other < to && complete; other++) {
                if ((mask >>> other - from & 1) != 0 && state.at[other] != 0) {
                    lanes |= 1 << other - from;
                    Stop there = waiting(other);
                    complete = there != null
                            && there.what() == stop.what()
                            && there.kind() == stop.kind()
                            && mask(there, other) == mask;
                }
            }
            if (complete) {
                if (stop.what().isExchange()) {
                    for (int thread = from; thread < to; thread++) {
                        if ((lanes >>> thread - from & 1) != 0) {
                            exchange(stops[state.at[thread]], thread, from, to, lanes);
                        }
                    }
                } else {
                    combine(stop.what(), stop.kind().isWide(), from, to, lanes);
                }
                return lanes;
            }
        }
        return 0;
    }

    /** The warp's operation that a thread waits in; null if it waits in none. */
    private @org.jspecify.annotations.Nullable Stop waiting(int thread) {
        int where = state.at[thread];
        return where > 0 && stops[where].what().isOfWarp() ? stops[where] : null;
    }

    private void check(int thread, int from, int to, int existing) {
        Stop stop = waiting(thread);
        if (stop == null) {
            return;
        }
        int lane = thread - from;
        int mask = mask(stop, thread);
        String name = stop.name() + ": the mask 0x" + Integer.toHexString(mask);
        if ((mask >>> lane & 1) == 0) {
            throw fault(
                    new IllegalArgumentException(name + " does not have lane " + lane + ", which calls it"), thread);
        }
        if (mask != -1 && (mask & ~existing) != 0) {
            throw fault(
                    new IllegalArgumentException(
                            name + " has lanes that do not exist: the warp has " + (to - from) + " threads"),
                    thread);
        }
        for (int other = from; other < thread; other++) {
            Stop there = waiting(other);
            if (there != null
                    && (mask >>> other - from & 1) != 0
                    && (mask(there, other) >>> lane & 1) != 0
                    && (mask(there, other) != mask || there.what() != stop.what())) {
                throw fault(
                        new IllegalStateException(stop.name() + " with the mask 0x" + Integer.toHexString(mask)
                                + " meets " + there.name() + " with the mask 0x"
                                + Integer.toHexString(mask(there, other)) + " of " + state.describe(other)
                                + ": each waits for the other"),
                        thread);
            }
        }
    }

    private LoopFault fault(RuntimeException what, int thread) {
        return new LoopFault(what, thread, stops[state.at[thread]].at());
    }

    // ---- exchanges ----

    /** Exchanges that are the same in all lanes of whole warps; false if they are not. */
    private boolean exchange(Stop stop, int from, int to, boolean together) {
        Val by = stop.arguments().get(1);
        if (!(stop.arguments().get(2) instanceof Val.Num width)
                || width.bits() != WARP
                || (to - from) % WARP != 0
                || !(by instanceof Val.Num) && !(together && isUniform(stop, 1))) {
            return false;
        }
        int distance = (by instanceof Val.Num number ? (int) number.bits() : state.lanes[0]) & WARP - 1;
        switch (stop.kind()) {
            case INT -> Exchange.ints(stop.what(), state.operands, state.results, from, to, distance);
            case LONG -> Exchange.longs(stop.what(), state.wideOperands, state.wideResults, from, to, distance);
            case FLOAT -> Exchange.floats(stop.what(), state.floatOperands, state.floatResults, from, to, distance);
            case DOUBLE -> Exchange.doubles(stop.what(), state.doubleOperands, state.doubleResults, from, to, distance);
        }
        return true;
    }

    private static int clamp(What what, int width) {
        return WARP - width << 8 | (what == What.SHUFFLE_UP ? 0 : 0x1f);
    }

    /** As {@code shfl.sync} of PTX says it. */
    private static int source(What what, int lane, int by, int clamp) {
        int group = clamp >>> 8 & 31;
        int limit = lane & group | clamp & 31 & ~group;
        int bits = by & 31;
        int source = switch (what) {
            case SHUFFLE -> lane & group | bits & ~group;
            case SHUFFLE_UP -> lane - bits;
            case SHUFFLE_DOWN -> lane + bits;
            default -> lane ^ bits;
        };
        boolean isInside = what == What.SHUFFLE_UP ? source >= limit : source <= limit;
        return isInside ? source : lane;
    }

    private void exchange(Stop stop, int thread, int from, int to, int lanes) {
        int by = argument(stop, 1, thread);
        int width = argument(stop, 2, thread);
        int source = source(stop.what(), thread - from, by, clamp(stop.what(), width));
        if ((lanes >>> source & 1) == 0) {
            String why = from + source >= to
                    ? "does not exist: the warp has " + (to - from) + " threads"
                    : (mask(stop, thread) >>> source & 1) != 0
                            ? "has ended"
                            : "is not in the mask 0x" + Integer.toHexString(mask(stop, thread));
            throw new LoopFault(
                    new IllegalStateException(stop.name() + " reads from lane " + source + ", which " + why),
                    thread,
                    stop.at());
        }
        switch (stop.kind()) {
            case INT -> state.results[thread] = state.operands[from + source];
            case LONG -> state.wideResults[thread] = state.wideOperands[from + source];
            case FLOAT -> state.floatResults[thread] = state.floatOperands[from + source];
            case DOUBLE -> state.doubleResults[thread] = state.doubleOperands[from + source];
        }
    }

    // ---- votes and reductions ----

    private void combine(What what, boolean isWide, int from, int to, int lanes) {
        switch (what) {
            case SYNC_WARP -> {
                if (state.races != null) {
                    state.races.warpSync(from, to, lanes);
                }
            }
            case MATCH_ANY -> {
                for (int thread = from; thread < to; thread++) {
                    if ((lanes >>> thread - from & 1) != 0) {
                        state.results[thread] = equal(thread, isWide, from, to, lanes);
                    }
                }
            }
            case MATCH_ALL -> {
                int first = from + Integer.numberOfTrailingZeros(lanes);
                fill(from, to, lanes, equal(first, isWide, from, to, lanes) == lanes ? lanes : 0);
            }
            case BALLOT -> {
                int bits = 0;
                for (int thread = from; thread < to; thread++) {
                    bits |= (state.operands[thread] != 0 ? 1 << thread - from : 0) & lanes;
                }
                fill(from, to, lanes, bits);
            }
            default -> {
                int result = state.operands[from + Integer.numberOfTrailingZeros(lanes)];
                for (int thread = from + Integer.numberOfTrailingZeros(lanes) + 1; thread < to; thread++) {
                    if ((lanes >>> thread - from & 1) != 0) {
                        int value = state.operands[thread];
                        result = switch (what) {
                            case REDUCE_ADD -> result + value;
                            case REDUCE_MIN -> Math.min(result, value);
                            case REDUCE_MAX -> Math.max(result, value);
                            case REDUCE_AND -> result & value;
                            case REDUCE_OR -> result | value;
                            default -> result ^ value;
                        };
                    }
                }
                fill(from, to, lanes, result);
            }
        }
    }

    private void fill(int from, int to, int lanes, int result) {
        for (int thread = from; thread < to; thread++) {
            if ((lanes >>> thread - from & 1) != 0) {
                state.results[thread] = result;
            }
        }
    }

    private int equal(int thread, boolean isWide, int from, int to, int lanes) {
        int bits = 0;
        for (int other = from; other < to; other++) {
            boolean same = isWide
                    ? state.wideOperands[other] == state.wideOperands[thread]
                    : state.operands[other] == state.operands[thread];
            bits |= (same ? 1 << other - from : 0) & lanes;
        }
        return bits;
    }
}
