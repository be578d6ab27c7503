// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.classfile.Opcode;
import java.util.List;
import java.util.Map;

/**
 * What a kernel does with memory, if it does the same in each thread of a row: reads, and then one write for each place
 * where it writes, to elements side by side.
 *
 * @param terms numbers that are to be computed for a row's first and last thread
 * @param guards all of them hold in threads that do something
 * @param windows where elements side by side are read
 * @param uniform where all threads of a row read the same element
 * @param writes where elements side by side are written, each by each thread
 * @param lanes how many threads, one after the other, read before any of them writes to memory; 0 if results of many
 *     are collected in arrays
 * @param light whether a thread computes so little that memory outside of the caches is what it waits for
 * @param merges whether threads of blocks side by side are one row: nobody asks where one ends
 * @param replaced what becomes of instructions, by their place in the code
 */
record AccessPattern(
        List<AffineExpr> terms,
        List<Guard> guards,
        List<Window> windows,
        List<Uniform> uniform,
        List<Window> writes,
        int lanes,
        boolean light,
        boolean merges,
        Map<Integer, Replacement> replaced) {
    /** Whether collecting results may be better, because rows are short or there is no other way. */
    boolean collects() {
        return lanes == 0 || lanes > 1 && !isWide(writes);
    }

    /** Whether so few elements are a vector that it gains less than copying them costs. */
    static boolean isWide(List<Window> writes) {
        return writes.stream().anyMatch(w -> w.pointer().kind().bytes == Long.BYTES);
    }

    /** @param relation of the first term to the second, {@link Opcode#IF_ICMPLT} and so on */
    record Guard(Opcode relation, int left, int right) {}

    /** Memory that an argument points to. */
    record Pointer(int argument, boolean view, ElementKind kind) {}

    /**
     * Elements side by side.
     *
     * @param index the term that is the element of a thread
     * @param late whether it is read after something was written
     */
    record Window(Pointer pointer, int index, boolean late) {}

    record Uniform(Pointer pointer, boolean late) {}

    sealed interface Replacement {
        /** The element of a window. */
        record Read(int window) implements Replacement {}

        record Write(int write) implements Replacement {}

        /**
         * A guard, of which it is known that it holds.
         *
         * @param jumps whether what comes then is where it leads to
         */
        record Drop(int operands, boolean jumps) implements Replacement {}
    }
}
