// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.launch.Components;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of a block call, and what that gives them: of records their components, of pointers two numbers,
 * which memory it is and the place in bytes. Memory that is none of the kernel's arguments has a negative number.
 */
final class CallResults {
    /** The number of the memory of null. */
    static final int NULL = Integer.MIN_VALUE;

    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private Object[][] parts = {};
    private @Nullable Callable<@Nullable Object>[] calls = newCalls(0);
    private int[] lines = {};
    private final List<MemorySegment> elsewhere = new ArrayList<>();
    private final Map<MemorySegment, Integer> numbers = new HashMap<>();

    @SuppressWarnings({"unchecked", "rawtypes"}) // no arrays of generic types
    private static @Nullable Callable<@Nullable Object>[] newCalls(int count) {
        return new Callable[count];
    }

    /** Forgets everything. */
    void reset(int threads) {
        elsewhere.clear();
        numbers.clear();
        if (threads == lines.length) {
            return;
        }
        parts = new Object[threads][];
        calls = newCalls(threads);
        lines = new int[threads];
    }

    /** Notes what a thread is about to call. */
    void begin(Callable<@Nullable Object> call, int thread, int line) {
        calls[thread] = call;
        lines[thread] = line;
    }

    /** Returns what a thread is about to call, once; null if there is nothing. */
    @Nullable
    Callable<@Nullable Object> begun(int thread) {
        Callable<@Nullable Object> call = calls[thread];
        calls[thread] = null;
        return call;
    }

    /** Returns whether there is something that a thread is about to call. */
    boolean isBegun(int thread) {
        return calls[thread] != null;
    }

    /** Forgets what a thread is about to call: another one's call is this one's, too. */
    void forget(int thread) {
        calls[thread] = null;
    }

    /** The line of a thread's last call. */
    int line(int thread) {
        return lines[thread];
    }

    /** Keeps what a call of some threads has returned. */
    void keep(Object result, int from, int to) {
        List<Object> all = new ArrayList<>();
        flatten(result, all);
        Arrays.fill(parts, from, to, all.toArray());
    }

    private void flatten(Object value, List<Object> all) {
        switch (value) {
            case Ptr pointer -> {
                MemorySegment memory = pointer.allMemory();
                all.add(numbers.computeIfAbsent(memory, _ -> {
                    elsewhere.add(memory);
                    return -elsewhere.size();
                }));
                all.add(pointer.address() - memory.address());
            }
            case Record record -> {
                Components components = Components.of(record);
                for (int i = 0; i < components.count(); i++) {
                    flatten(components.value(record, i, () -> "what a call returns"), all);
                }
            }
            case Boolean truth -> all.add(truth ? 1 : 0);
            case Character character -> all.add((int) character);
            case Enum<?> constant -> all.add(constant.ordinal());
            default -> all.add(value);
        }
    }

    /** A part of what a thread's last call has returned. */
    Object part(int thread, int number) {
        return Objects.requireNonNull(parts[thread][number]);
    }

    /** Returns whether memory is that of null. */
    static boolean isNull(MemorySegment memory) {
        return memory.equals(NOTHING);
    }

    /** The memory of a negative number. */
    MemorySegment memory(int number) {
        return number == NULL ? NOTHING : elsewhere.get(-number - 1);
    }
}
