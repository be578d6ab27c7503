// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.launch;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.Ptr;
import org.jspecify.annotations.Nullable;

/**
 * The scalar parts of a launch's arguments, as loops over threads on the CPU read them: those of a record one after the
 * other. One object serves launch after launch.
 */
public final class Parts {
    /** Of parameters, by number, whether they have parts. */
    private final boolean[] isPassed;

    private final long[] bits;
    private final MemorySegment[] memory;
    private final @Nullable Buffer[] buffers;
    /** What their memory reaches; asked for only where some of it is restricted. */
    final Ranges ranges = new Ranges();

    private int count;

    /**
     * @param count of parts
     * @param parameters the numbers of those that have parts
     */
    public Parts(int count, int... parameters) {
        this.isPassed = new boolean[Arrays.stream(parameters).max().orElse(-1) + 1];
        for (int parameter : parameters) {
            isPassed[parameter] = true;
        }
        this.bits = new long[count];
        this.memory = new MemorySegment[count];
        this.buffers = new Buffer[count];
        Arrays.fill(memory, MemorySegment.NULL);
    }

    /** Returns the bits of numbers, and of pointers their place in their memory in bytes; always the same array. */
    public long[] bits() {
        return bits;
    }

    /** Returns what pointers point into, nothing for numbers; always the same array. */
    public MemorySegment[] memory() {
        return memory;
    }

    /** Returns the buffers that pointers came from; always the same array. */
    public @Nullable Buffer[] buffers() {
        return buffers;
    }

    /** Lets the memory of a launch go. */
    public void clear() {
        for (int i = 0; i < count; i++) {
            memory[i] = MemorySegment.NULL;
            buffers[i] = null;
        }
        count = 0;
        ranges.clear();
    }

    boolean isPassed(int parameter) {
        return parameter < isPassed.length && isPassed[parameter];
    }

    void pointer(HostArray array) {
        memory[count] = array.segment();
        buffers[count] = array;
        bits[count++] = 0;
    }

    void pointer(Ptr pointer) {
        MemorySegment all = pointer.allMemory();
        memory[count] = all;
        buffers[count] = pointer.buffer();
        bits[count++] = pointer.address() - all.address();
    }

    void number(long value) {
        bits[count++] = value;
    }

    /** Adds a number, a letter, a truth value, or the place of a constant in its enum. */
    void scalar(Object value) {
        number(value instanceof ScalarSlot slot ? slot.bits() : ScalarSlot.bits(value));
    }
}
