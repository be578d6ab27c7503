// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.List;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of a row do with memory, if all of them do the same: each reads, and then writes one element for
 * each place where it writes, and what neighbours read or write is side by side.
 *
 * @param path what a thread does that has something to do
 * @param terms numbers that change by the same amount from each thread to the next
 * @param slopes that amount, of each term
 * @param guards all of them hold in threads that have something to do
 * @param checks where one does not hold, a thread throws something
 * @param windows where elements side by side are read, and written if results are not collected
 * @param uniform where all threads read the same element
 * @param writes where elements side by side are written, each by each thread
 * @param lanes how many threads, one after the other, read before any of them writes to memory; 0 if results of many
 *     are collected in arrays
 * @param light whether a thread computes so little that memory outside of the caches is what it waits for
 */
record RowShape(
        RowPath path,
        List<Val> terms,
        long[] slopes,
        List<Relation> guards,
        List<Relation> checks,
        List<Window> windows,
        List<Uniform> uniform,
        List<Window> writes,
        int lanes,
        boolean light) {
    /** A relation of the first term to the second, by their numbers. */
    record Relation(Comparison how, int left, int right) {}

    /**
     * Elements side by side.
     *
     * @param bytes the number of the term that is the place of a thread's element in its memory
     * @param late whether it is read after something was written
     */
    record Window(Room room, ElementKind kind, int bytes, boolean late) {}

    /** An element that all threads read. */
    record Uniform(Room room, boolean late) {}

    /** Returns the shape of a kernel whose threads do not wait; null if it has none. */
    static @Nullable RowShape of(Flat flat, Layout layout) {
        return new RowAnalysis(layout).shape(flat.parts().getFirst());
    }

    /** Returns whether collecting results may be better, because rows are short or there is no other way. */
    boolean collects() {
        return lanes == 0 || lanes > 1 && !isWide(writes);
    }

    /** Returns whether so few elements are a vector that it gains less than copying them costs. */
    static boolean isWide(List<Window> writes) {
        return writes.stream().anyMatch(write -> write.kind().bytes == Long.BYTES);
    }

    /** Returns whether a thread reads, before it writes anything, the element that a write is to. */
    boolean isSame(int window, int write) {
        Window read = windows.get(window);
        Window other = writes.get(write);
        // Not by the method of the record, which takes some milliseconds in a new process.
        return !read.late()
                && !other.late()
                && read.room() == other.room()
                && read.kind() == other.kind()
                && read.bytes() == other.bytes();
    }
}
