// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.comm4j.kernel.loops.LoopBlock;
import org.comm4j.kernel.loops.LoopThreads;
import org.jspecify.annotations.Nullable;

/** The threads of a block that is loops, for methods that ask which thread calls. Each exists from its first call. */
final class CallingThreads implements LoopThreads {
    private final Launch launch;
    private long number;
    private @Nullable LoopBlock loop;
    private @Nullable BlockState block;
    private @Nullable KernelThread[] threads = {};
    /** The block of threads in methods that may wait. */
    private @Nullable BlockState waiting;

    private @Nullable CallRunner[] runners = {};
    private final List<CallRunner> all = new ArrayList<>();
    private final Deque<CallRunner> idle = new ArrayDeque<>();

    CallingThreads(Launch launch) {
        this.launch = launch;
    }

    /** Begins a block. */
    void begin(long its, LoopBlock loops) {
        number = its;
        loop = loops;
        block = null;
        waiting = null;
        if (threads.length > 0) {
            Arrays.fill(threads, null);
        }
    }

    @Override
    public void enter(int thread) {
        if (threads.length == 0) {
            threads = new @Nullable KernelThread[launch.config.threadsPerBlock()];
        }
        KernelThread known = threads[thread];
        if (known == null) {
            if (block == null) {
                block = new BlockState(launch, number);
                block.loop = loop;
            }
            known = new KernelThread(block, thread, null, true);
            threads[thread] = known;
        }
        KernelThread.setCurrent(known);
    }

    // ---- calls that may wait ----

    @Override
    public int call(int from, int to, Calls calls) {
        if (runners.length == 0) {
            runners = new @Nullable CallRunner[launch.config.threadsPerBlock()];
        }
        CallRunner runner = runners[from];
        if (runner != null) {
            runner.turn();
            return from + 1;
        }
        int end = from + 1;
        while (end < to && runners[end] == null) {
            end++;
        }
        runner = idle.poll();
        if (runner == null) {
            runner = new CallRunner(this);
            all.add(runner);
        }
        return runner.begin(from, end, calls);
    }

    /** The thread that a method sees. */
    KernelThread caller(int thread) {
        if (waiting == null) {
            waiting = new BlockState(launch, number);
            waiting.loop = loop;
            waiting.populate(new CallGang(this));
        }
        return waiting.threads[thread];
    }

    CallRunner runner(int thread) {
        return Objects.requireNonNull(runners[thread]);
    }

    /** Notes what runs the method that a thread has called; null if it has returned. */
    void runs(int thread, @Nullable CallRunner runner) {
        runners[thread] = runner;
    }

    /** Takes back what has nothing to run. */
    void idle(CallRunner runner) {
        idle.add(runner);
    }

    /** Ends all methods that wait. */
    void close() {
        all.forEach(CallRunner::end);
        all.clear();
        idle.clear();
        Arrays.fill(runners, null);
    }
}
