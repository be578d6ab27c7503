// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.comm4j.kernel.ir.Position;
import org.jspecify.annotations.Nullable;

/**
 * Finds two accesses of the same memory in a launch, one of them a write, by threads that nothing has ordered, whatever
 * the order in which they ran this time.
 *
 * <p>Time is counted three ways, in Lamport's manner: threads of a block by the barriers of the block (epochs), threads
 * of a warp also by those of the warp, blocks by what one has told another. An atomic access after a fence, or one that
 * releases, hands on all that the block knows, and who reads it there has seen that. A release speaks for its whole
 * block. What is counted together too generously is a race that is missed; one that is reported is one.
 *
 * <p>A moment is a block, an epoch, and how often the block has told something; the visits of cells name it.
 */
public final class LoopRaces {
    static final int READ = 1;
    static final int WRITE = 2;
    static final int ATOMIC = 4;
    static final int RELEASE = 8;

    private static final int MOST_MOMENTS = 1 << 27;

    /**
     * Memory of arguments that overlap.
     *
     * @param members the arguments
     * @param shadow null if threads do not share it
     */
    private record Group(
            int number,
            Object base,
            long from,
            long to,
            List<Integer> members,
            @Nullable Shadow shadow) {}

    /** Where something was said: in the arguments' memory, or in a block's. */
    record Place(long block, int memory, long at) {}

    /** What was said in a place: what its sayer's block knew then. */
    private static final class Message {
        final Map<Long, Integer> known = new HashMap<>();
        final Map<Long, Integer> epochs = new HashMap<>();
    }

    private final String type;
    private final List<Group> groups = new ArrayList<>();
    private final Map<Place, Message> messages = new HashMap<>();
    /** By block, what it knows of others: up to which count of theirs all has happened before. */
    private final Map<Long, Map<Long, Integer>> known = new HashMap<>();
    /** By block, how often it has told something. */
    private final Map<Long, Integer> told = new HashMap<>();
    /** By block that has called a Java method, up to which count of its it may have told anybody anything there. */
    private final Map<Long, Integer> called = new HashMap<>();
    /** All that have done something. */
    private final Set<Long> begun = new HashSet<>();

    private long[] blocks = new long[64];
    private int[] epochs = new int[64];
    private int[] tolds = new int[64];
    private int moments = 1;

    /** @param type the package of the kernel, for names of classes */
    LoopRaces(String type) {
        this.type = type;
    }

    // ---- memory ----

    /**
     * Makes cells for the memory of arguments.
     *
     * @param isShared whether threads may share what some of the arguments point into
     * @return whether they may share any
     */
    boolean memory(MemorySegment[] all, int unit, Predicate<List<Integer>> isShared) {
        List<Group> found = new ArrayList<>();
        for (int i = 0; i < all.length; i++) {
            MemorySegment each = all[i];
            if (each.byteSize() > 0) {
                List<Integer> members = new ArrayList<>(List.of(i));
                Object base = base(each);
                long from = each.address() & -unit;
                long to = each.address() + each.byteSize();
                for (boolean changed = true; changed; ) {
                    changed = false;
                    for (Group other : List.copyOf(found)) {
                        if (other.base.equals(base) && other.from < to && from < other.to) {
                            from = Math.min(from, other.from);
                            to = Math.max(to, other.to);
                            members.addAll(other.members);
                            found.remove(other);
                            changed = true;
                        }
                    }
                }
                found.add(new Group(found.size(), base, from, to, members, null));
            }
        }
        boolean any = false;
        for (Group each : found) {
            boolean shared = isShared.test(each.members);
            any |= shared;
            groups.add(new Group(
                    groups.size(),
                    each.base,
                    each.from,
                    each.to,
                    each.members,
                    shared ? new Shadow(each.to - each.from, unit) : null));
        }
        return any;
    }

    private static Object base(MemorySegment memory) {
        return memory.heapBase().map(System::identityHashCode).orElse(0);
    }

    private @Nullable Group group(MemorySegment memory) {
        Object base = base(memory);
        for (Group group : groups) {
            if (group.base.equals(base) && group.from <= memory.address() && memory.address() < group.to) {
                return group;
            }
        }
        return null;
    }

    /** The cells of an argument's memory; null if it has none, or threads do not share it. */
    @Nullable
    Shadow shadow(MemorySegment memory) {
        Group group = group(memory);
        return group == null ? null : group.shadow;
    }

    /** Where in its cells an argument's memory begins. */
    long origin(MemorySegment memory) {
        Group group = group(memory);
        return group == null ? 0 : memory.address() - group.from;
    }

    int number(MemorySegment memory) {
        Group group = group(memory);
        return group == null ? -1 : group.number;
    }

    /** Gives the cells of arguments away. */
    void release() {
        for (Group group : groups) {
            if (group.shadow != null) {
                group.shadow.release();
            }
        }
    }

    // ---- moments ----

    int moment(long block, int epoch) {
        if (moments == MOST_MOMENTS) {
            throw new IllegalStateException("more than " + MOST_MOMENTS
                    + " barriers of blocks in a checked launch: launch fewer blocks, or CpuOptions.fast()");
        }
        if (moments == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * moments);
            epochs = Arrays.copyOf(epochs, 2 * moments);
            tolds = Arrays.copyOf(tolds, 2 * moments);
        }
        begun.add(block);
        blocks[moments] = block;
        epochs[moments] = epoch;
        tolds[moments] = countOf(block);
        return moments++;
    }

    long block(int moment) {
        return blocks[moment];
    }

    int epoch(int moment) {
        return epochs[moment];
    }

    /** Returns whether a block has heard of what another one did in a moment. */
    boolean hasHeard(long block, int moment) {
        Integer heard = knownBy(block).get(blocks[moment]);
        return heard != null && heard >= tolds[moment];
    }

    private Map<Long, Integer> knownBy(long block) {
        return known.computeIfAbsent(block, _ -> new HashMap<>());
    }

    private int countOf(long block) {
        return told.getOrDefault(block, 0);
    }

    // ---- what blocks tell each other ----

    /** Hands on what was said in a place; returns the epoch in which the block said something there itself, or −1. */
    int hear(long block, Place place) {
        Map<Long, Integer> mine = knownBy(block);
        called.forEach((other, count) -> mine.merge(other, count, Math::max));
        Message message = messages.get(place);
        if (message == null) {
            return -1;
        }
        message.known.forEach((other, count) -> mine.merge(other, count, Math::max));
        return message.epochs.getOrDefault(block, -1);
    }

    /** Says in a place all that a block knows, in an epoch that begins with it. */
    void tell(long block, Place place, int epoch) {
        Message message = messages.computeIfAbsent(place, _ -> new Message());
        knownBy(block).forEach((other, count) -> message.known.merge(other, count, Math::max));
        message.known.merge(block, countOf(block), Math::max);
        told.merge(block, 1, Integer::sum);
        message.epochs.merge(block, epoch, Math::max);
    }

    /**
     * A Java method has returned, whose own accesses are not looked at: the block may have heard there all that there
     * was, and said all that it knew.
     */
    void called(long block) {
        Map<Long, Integer> mine = knownBy(block);
        begun.forEach(other -> mine.merge(other, countOf(other), Math::max));
        called.put(block, countOf(block));
        told.merge(block, 1, Integer::sum);
    }

    /** Blocks have met, each of whose threads had met by themselves. */
    void meet(List<Long> met) {
        Map<Long, Integer> all = new HashMap<>();
        for (long block : met) {
            knownBy(block).forEach((other, count) -> all.merge(other, count, Math::max));
            all.merge(block, countOf(block), Math::max);
        }
        for (long block : met) {
            known.put(block, new HashMap<>(all));
            told.merge(block, 1, Integer::sum);
        }
    }

    // ---- words ----

    KernelRace race(
            String name, String first, boolean firstWrites, Position at, String second, boolean writes, Position now) {
        return new KernelRace("race on " + name + ": " + first + (firstWrites ? " writes" : " reads") + " it at "
                + element(type, at) + ", " + second + (writes ? " writes" : " reads") + " it at " + element(type, now)
                + ", and nothing orders the two");
    }

    /**
     * A position as stack traces have it. A position has no package; it is the kernel's but for what others have
     * written.
     */
    public static StackTraceElement element(String type, Position at) {
        String method = at.method();
        int dot = method.lastIndexOf('.');
        String simple = dot < 0 ? "" : method.substring(0, dot).replace('.', '$');
        return new StackTraceElement(
                type.isEmpty() ? simple : type + "." + simple, method.substring(dot + 1), at.file(), at.line());
    }
}
