// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.frontend.FrontendOptions;
import org.comm4j.kernel.launch.Arguments;
import org.comm4j.kernel.loops.LoopFault;
import org.comm4j.kernel.loops.LoopKernel;
import org.comm4j.kernel.loops.LoopRows;
import org.comm4j.kernel.loops.Unsupported;
import org.jspecify.annotations.Nullable;

/** Runs launches, one after the other, whose blocks are loops over threads. */
final class LoopRunner {
    /** Shares of a processor in a launch: more of them wait less for the last. */
    private static final int SHARES = 8;

    /** The memory of a worker from one launch to the next. */
    private static final class Worker {
        /** The number of the shape that it is ready for. */
        int shape;

        @Nullable
        LoopRows rows;

        @Nullable
        RowThreads threads;

        @Nullable
        LoopGroup group;
    }

    private final Launch launch;
    private final String type;
    private final LoopKernel.Work work;
    /** Whether each thread ends by itself, whatever it is given. */
    private final boolean ends;

    private final boolean isCooperative;
    /** Whether one processor runs all blocks. */
    private final boolean isAlone;
    /** Whether workers are virtual threads, which pass turns to those of calls quickly. */
    private final boolean isVirtual;

    private final Workers workers;
    private Worker[] kept = {};
    /** Launches of another shape than the one before. */
    private int shapes;

    /** The shape that launches are given. */
    private LaunchConfig config;

    private Groups groups;
    /** Whether blocks run by turns. */
    private boolean inGroups;

    private final AtomicLong next = new AtomicLong();

    LoopRunner(LoopKernel kernel, Method method, CpuOptions options, CpuCode code, LaunchConfig config) {
        this.launch = new Launch(CpuKernel.signature(method), config, options, () -> {});
        this.type = method.getDeclaringClass().getPackageName();
        this.work = kernel.work(options.seed(), type, launch::checkStopped);
        this.ends = code.ends;
        this.isCooperative = code.cooperative;
        this.isVirtual = kernel.waitsInCalls();
        this.isAlone = options.mode() == CpuOptions.Mode.CHECKED || options.isShuffled();
        this.workers = new Workers(launch, this::share);
        shape(config);
    }

    /**
     * Reads a kernel for loops.
     *
     * @throws Unsupported if no GPU could run it, which options allow
     * @throws KernelCompileException if no GPU could run it, and options do not allow that
     */
    static Frontend.Result read(KernelSource source, CpuOptions options) {
        Class<?> type = source.method().getDeclaringClass();
        try {
            return Frontend.compile(source, FrontendOptions.HOST.withAssertions(type.desiredAssertionStatus()));
        } catch (KernelCompileException e) {
            if (options.portable()) {
                throw e;
            }
            throw new Unsupported("what no GPU could run");
        }
    }

    static LoopKernel.Manner manner(CpuOptions options) {
        boolean isChecked = options.mode() == CpuOptions.Mode.CHECKED;
        return new LoopKernel.Manner(
                isChecked || options.isShuffled() || !options.timeout().isZero(), isChecked, options.isShuffled());
    }

    /** Returns what of a launch loops do not do; null if they do it. */
    static @Nullable String refusal(LoopKernel kernel, LaunchConfig config) {
        if ((long) config.gridX() * config.blockX() > Integer.MAX_VALUE) {
            return "more than " + Integer.MAX_VALUE + " threads in x";
        }
        return kernel.refusal(config);
    }

    /** Runs something in a virtual thread, and throws what it throws. */
    private static void inVirtualThread(Runnable work) {
        FutureTask<@Nullable Void> task = new FutureTask<>(work, null);
        Thread.ofVirtual().name("kernel worker").start(task);
        while (true) {
            try {
                task.get();
                return;
            } catch (InterruptedException e) {
                // The launch is what is interrupted, by its own thread.
            } catch (ExecutionException e) {
                switch (e.getCause()) {
                    case RuntimeException thrown -> throw thrown;
                    case Error thrown -> throw thrown;
                    case null, default -> throw new IllegalStateException(e);
                }
            }
        }
    }

    /** Gets ready for launches of a shape. */
    void shape(LaunchConfig shape) {
        CpuOptions options = launch.options;
        config = shape;
        launch.config = isCooperative && !shape.cooperative() ? shape.cooperatively() : shape;
        groups = new Groups(launch.config, options);
        inGroups = isAlone || launch.config.cooperative() || launch.config.clusterBlocks() > 1;
    }

    @SuppressWarnings("ReferenceEquality") // mostly it is itself
    boolean isFor(LaunchConfig shape) {
        return shape == config || shape.equals(config);
    }

    /**
     * Runs a launch of the shape.
     *
     * @throws KernelException if it fails; then this one runs no more
     */
    void launch(Arguments arguments, @Nullable Object... given) {
        arguments.check(work.parts(), given);
        launch.start();
        if (!work.begin(launch.config)) {
            shapes++;
        }
        long pieces = work.isOfRows() ? launch.config.blocks() : groups.count();
        int count = isAlone ? 1 : (int) Math.min(launch.options.processors(), pieces);
        prepare(count);
        next.setPlain(0);
        workers.run(count, ends && !launch.hasDeadline() && (work.isOfRows() || !isVirtual));
        KernelException failure = launch.failure();
        if (failure != null) {
            throw failure;
        }
        work.end();
        launch.end();
    }

    /** The thread that launches may be the first of them. */
    private void prepare(int count) {
        if (kept.length > count) {
            return;
        }
        int known = kept.length;
        kept = Arrays.copyOf(kept, count + 1);
        for (int i = known; i < kept.length; i++) {
            kept[i] = new Worker();
        }
    }

    private void share(int number) {
        launch.begin();
        Worker worker = kept[number];
        if (work.isOfRows()) {
            rows(number, worker);
        } else if (isVirtual) {
            inVirtualThread(() -> blocks(number, worker));
        } else {
            blocks(number, worker);
        }
    }

    /** Runs blocks of which no thread waits. */
    private void rows(int number, Worker worker) {
        RowThreads threads = worker.threads;
        LoopRows rows = worker.rows;
        if (threads == null || rows == null || worker.shape != shapes) {
            threads = threads == null ? new RowThreads(launch) : threads;
            rows = work.rows(threads, rows);
            threads.of(rows);
            worker.threads = threads;
            worker.rows = rows;
            worker.shape = shapes;
        }
        work.enter(rows);
        long blocks = launch.config.blocks();
        long shares = isAlone ? 1 : Math.min(launch.options.processors(), blocks);
        long share = shares == 1 ? blocks : (blocks - 1) / (shares * SHARES) + 1;
        try {
            for (long from = next.getAndAdd(share); from < blocks; from = next.getAndAdd(share)) {
                rows.run(from, Math.min(blocks, from + share));
                workers.goOn(number);
            }
        } catch (LoopFault fault) {
            launch.fail(LoopGroup.failure(launch, type, fault, rows.block()));
        } finally {
            work.leave(rows);
            threads.end();
        }
    }

    /** Runs blocks whose threads may wait. */
    private void blocks(int number, Worker worker) {
        LoopGroup group = worker.group;
        if (group == null) {
            group = new LoopGroup(launch, work, type);
            worker.group = group;
        } else if (worker.shape != shapes) {
            group.shape();
        }
        worker.shape = shapes;
        group.enter();
        try {
            for (long i = next.getAndIncrement(); i < groups.count(); i = next.getAndIncrement()) {
                launch.checkStopped();
                if (inGroups) {
                    group.run(groups.blocks(i));
                } else {
                    group.runAlone(i);
                }
                workers.goOn(number);
            }
        } finally {
            group.leave();
            KernelThread.setCurrent(null);
        }
    }
}
