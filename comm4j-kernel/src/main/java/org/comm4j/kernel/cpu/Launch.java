// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuContext;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelException;
import org.jspecify.annotations.Nullable;

/** A kernel that runs, with this shape and these arguments. */
final class Launch {
    /** What a thread does. */
    interface Body {
        void run(KernelThread thread) throws Throwable;
    }

    final String kernel;
    final LaunchConfig config;
    final CpuOptions options;
    final Body body;
    final Races races;
    /** Whether the kernel asks which thread it is, where threads are a loop. */
    final boolean asks;
    /** Of the thread that has launched it. */
    final @Nullable Object context = CpuContext.current();

    private final long deadline;
    private volatile @Nullable KernelException failure;
    private int polls;

    Launch(String kernel, LaunchConfig config, CpuOptions options, Body body, Races races, boolean asks) {
        this.kernel = kernel;
        this.config = config;
        this.options = options;
        this.body = body;
        this.races = races;
        this.asks = asks;
        long nanos = options.timeout().toNanos();
        this.deadline = nanos == 0 ? Long.MAX_VALUE : System.nanoTime() + nanos;
    }

    /** The time is over, or another block has failed. */
    static final class Overdue extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Overdue(String message) {
            super(message);
        }
    }

    void checkTime() {
        if (isOverdue(0)) {
            throw new Overdue("not ended after " + options.timeout().toMillis() + " ms");
        }
    }

    boolean hasDeadline() {
        return deadline != Long.MAX_VALUE;
    }

    boolean isOverdue(long graceNanos) {
        return hasDeadline() && System.nanoTime() - deadline > graceNanos;
    }

    /** What loops call; the clock is read now and then. */
    void poll() {
        if ((++polls & 0xfff) == 0) {
            checkTime();
            checkFailed();
        }
    }

    /** Ends blocks for which it is too late. */
    void checkFailed() {
        if (failure != null) {
            throw new Overdue("another block has failed");
        }
    }

    /** The first failure counts. */
    synchronized void fail(KernelException e) {
        if (failure == null) {
            failure = e;
        }
    }

    @Nullable
    KernelException failure() {
        return failure;
    }

    @SuppressWarnings("SystemOut") // where printf of C prints
    synchronized void print(String text) {
        System.out.print(text);
        System.out.flush();
    }

    /** With what the reader needs to see it again. */
    private String intro() {
        return "kernel " + kernel + " (" + config + (options.isShuffled() ? ", seed " + options.seed() : "") + ")";
    }

    KernelException failure(String thread, Throwable thrown) {
        Throwable cause = thrown;
        StackTraceElement at = null;
        if (thrown instanceof Fault fault) {
            cause = fault.completed();
            at = fault.line();
        }
        StackTraceElement thrownIn = Lines.thrownIn(cause);
        if (thrownIn != null) {
            at = thrownIn;
        }
        return new KernelException(
                intro() + ", " + thread + (at == null ? "" : ", at " + at) + ": " + Outside.tell(cause), cause);
    }

    /** It does not listen. */
    KernelException abandoned() {
        return new KernelException(
                intro() + ": not ended after " + options.timeout().toMillis()
                        + " ms, and it cannot be stopped: it loops without a call of the vocabulary, and goes on until the process ends");
    }

    /** Everybody waits. */
    KernelException stuck(List<BlockState> blocks) {
        StringBuilder message = new StringBuilder(intro()).append(": threads wait for others that never come");
        for (BlockState block : blocks) {
            Map<String, List<KernelThread>> places = new LinkedHashMap<>();
            for (KernelThread thread : block.threads) {
                String place =
                        thread.waitsFor == null ? "have ended" : "wait in " + thread.waitsFor + " at " + thread.at;
                places.computeIfAbsent(place, p -> new ArrayList<>()).add(thread);
            }
            if (places.keySet().stream().allMatch(p -> p.equals("have ended"))) {
                continue;
            }
            message.append("\n  block ")
                    .append(block)
                    .append(": ")
                    .append(places.entrySet().stream()
                            .map(e -> e.getValue().size() + " threads " + e.getKey() + ": " + some(e.getValue()))
                            .collect(Collectors.joining("; ")));
        }
        return new KernelException(message.toString());
    }

    private static String some(List<KernelThread> threads) {
        String text = threads.stream().limit(4).map(KernelThread::place).collect(Collectors.joining(", "));
        return threads.size() > 4 ? text + ", …" : text;
    }
}
