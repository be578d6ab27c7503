// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.cpu.AccessPattern.Guard;
import org.comm4j.kernel.cpu.AccessPattern.Pointer;
import org.comm4j.kernel.cpu.AccessPattern.Uniform;
import org.comm4j.kernel.cpu.AccessPattern.Window;
import org.jspecify.annotations.Nullable;

/**
 * What {@link VectorLoopWriter} has written, and what each launch needs to know about its {@link AccessPattern}, as
 * arrays: a launch is to take less than a microsecond.
 */
final class VectorKernel {
    final AccessPattern shape;

    /** Puts the terms of the shape, for one thread, into an array. */
    final MethodHandle values;

    /**
     * Runs some threads: buffers, where in them the first thread reads and then {@link VectorLoopWriter#TOGGLES}, and
     * arrays that are not looked at; null if they do not write to memory at once.
     */
    final @Nullable MethodHandle run;

    /** The same, with results in the arrays; null if that is never better. */
    final @Nullable MethodHandle collect;

    /** Each once. */
    final Pointer[] pointers;

    /** Of windows, then of writes, then of what all threads read: which pointer. */
    final int[] pointer;

    /** Of windows, then of writes: which term. */
    final int[] index;

    /** Of terms. */
    final long[] slopes;

    final boolean[] wide;
    final Guard[] guards;
    final int windows;
    final int writes;

    /** Threads whose results are collected in arrays at once. */
    final int few;

    VectorKernel(AccessPattern shape, MethodHandle values, @Nullable MethodHandle run, @Nullable MethodHandle collect) {
        this.shape = shape;
        this.values = values;
        this.run = run;
        this.collect = collect;
        windows = shape.windows().size();
        writes = shape.writes().size();
        List<Window> places = new ArrayList<>(shape.windows());
        places.addAll(shape.writes());
        List<Pointer> all = new ArrayList<>();
        places.forEach(p -> all.add(p.pointer()));
        shape.uniform().stream().map(Uniform::pointer).forEach(all::add);
        List<Pointer> distinct = all.stream().distinct().toList();
        pointers = distinct.toArray(Pointer[]::new);
        pointer = all.stream().mapToInt(distinct::indexOf).toArray();
        index = places.stream().mapToInt(Window::index).toArray();
        slopes = shape.terms().stream().mapToLong(AffineExpr::slope).toArray();
        wide = new boolean[slopes.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = shape.terms().get(i).wide();
        }
        guards = shape.guards().toArray(Guard[]::new);
        int bytes = shape.writes().stream()
                .mapToInt(w -> w.pointer().kind().bytes)
                .max()
                .orElse(1);
        few = Math.min(VectorLoopWriter.MOST, VectorLoopWriter.PIECE / bytes);
    }

    /** Whether a thread reads, before it writes anything, the element that a write is to. */
    boolean isSame(int window, int write) {
        return !shape.windows().get(window).late()
                && pointer[window] == pointer[windows + write]
                && index[window] == index[windows + write];
    }
}
