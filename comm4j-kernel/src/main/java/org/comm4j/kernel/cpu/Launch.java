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

/** A kernel that runs. One object may be launch after launch: those that succeed leave nothing in it. */
final class Launch {
    /** What a thread does. */
    interface Body {
        void run() throws Throwable;
    }

    final String kernel;
    final CpuOptions options;
    final Body body;
    LaunchConfig config;
    /** Of the thread that has launched it. */
    @Nullable
    Object context;

    private @Nullable Thread owner;
    private long deadline = Long.MAX_VALUE;
    private volatile @Nullable KernelException failure;
    /** Of no thread of the kernel: what its workers threw. */
    private volatile @Nullable Throwable lost;

    private volatile boolean interrupted;
    private volatile boolean overdue;
    /** Whether what still runs is to end. */
    private volatile boolean stopping;
    /** Whether any thread of the kernel has begun. */
    private volatile boolean begun;

    Launch(String kernel, LaunchConfig config, CpuOptions options, Body body) {
        this.kernel = kernel;
        this.config = config;
        this.options = options;
        this.body = body;
    }

    /** Begins: the calling thread launches it. */
    void start() {
        context = CpuContext.current();
        owner = Thread.currentThread();
        long nanos = options.timeout().toNanos();
        deadline = nanos == 0 ? Long.MAX_VALUE : System.nanoTime() + nanos;
        begun = false;
    }

    /** Lets go what it has of the thread that has launched it. */
    void end() {
        context = null;
        owner = null;
    }

    /** The time is over. */
    static final class Overdue extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Overdue(String message) {
            super(message);
        }
    }

    /** Ends a block for which it is too late: the launch knows why. */
    static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super(null, null, false, false);
        }
    }

    void checkTime() {
        if (isOverdue()) {
            throw late();
        }
    }

    private Overdue late() {
        return new Overdue("not ended after " + options.timeout().toMillis() + " ms");
    }

    boolean hasDeadline() {
        return deadline != Long.MAX_VALUE;
    }

    boolean isOverdue() {
        return hasDeadline() && System.nanoTime() - deadline > 0;
    }

    /** Nanoseconds until the time is over. */
    long left() {
        return hasDeadline() ? Math.max(0, deadline - System.nanoTime()) : Long.MAX_VALUE;
    }

    /** Notes that a thread of the kernel has got a processor. */
    void begin() {
        if (!begun) {
            begun = true;
        }
    }

    boolean isStopping() {
        return stopping;
    }

    /** Ends blocks for which it is too late. The thread that launched looks whether it was interrupted. */
    @SuppressWarnings("ReferenceEquality") // threads are themselves
    void checkStopped() {
        if (!stopping && Thread.currentThread() == owner && owner.isInterrupted()) {
            interrupt();
        }
        if (stopping) {
            if (overdue) {
                throw late();
            }
            throw new Stopped();
        }
    }

    private void stop() {
        stopping = true;
    }

    /** Ends the launch because the thread that waits for it was interrupted. */
    void interrupt() {
        interrupted = true;
        stop();
    }

    /** Ends the launch because its time is over. */
    void expire() {
        overdue = true;
        stop();
    }

    /** Keeps the first failure. */
    synchronized void fail(KernelException e) {
        if (failure == null) {
            failure = e;
        }
        stop();
    }

    /** Keeps what a worker threw; its message is made later, for there may be no memory left now. */
    synchronized void lose(Throwable e) {
        if (lost == null) {
            lost = e;
        }
        stop();
    }

    /** Returns why the kernel has not run to its end; null if it has. */
    @Nullable
    KernelException failure() {
        Throwable thrown = lost;
        if (failure != null) {
            return failure;
        }
        if (thrown != null) {
            return new KernelException(intro() + ": " + AccessErrors.tell(thrown), thrown);
        }
        return interrupted ? new KernelException(intro() + ": the launching thread was interrupted") : null;
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
        if (thrown instanceof KernelFault fault) {
            cause = fault.completed();
            at = fault.line();
        }
        StackTraceElement thrownIn = SourceLines.thrownIn(cause);
        if (thrownIn != null) {
            at = thrownIn;
        }
        return new KernelException(
                intro() + ", " + thread + (at == null ? "" : ", at " + at) + ": " + AccessErrors.tell(cause), cause);
    }

    /** Returns what is said when the wait for a launch that was to end is given up. */
    KernelException abandoned() {
        String why = interrupted
                ? "the launching thread was interrupted"
                : "not ended after " + options.timeout().toMillis() + " ms";
        return new KernelException(intro() + ": " + why
                + (begun
                        ? ", and it has not stopped either: it is in a loop without a call of the vocabulary, or gets"
                                + " no processor. It goes on until it comes to such a call, or the process ends"
                        : ", and none of its threads has got a processor yet"));
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
