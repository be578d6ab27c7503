// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.frontend.FrontendOptions;
import org.comm4j.kernel.loops.LoopFault;
import org.comm4j.kernel.loops.LoopKernel;
import org.comm4j.kernel.loops.LoopRows;
import org.comm4j.kernel.loops.Unsupported;
import org.jspecify.annotations.Nullable;

/** A launch whose blocks are loops over threads that wait for each other. */
final class LoopRunner {
    /** Shares of a processor in a launch: more of them wait less for the last. */
    private static final int SHARES = 8;

    private final Launch launch;
    private final String type;
    private final LoopKernel.Work work;
    /** Whether workers are virtual threads, which pass turns to those of calls quickly. */
    private final boolean isVirtual;

    LoopRunner(Launch launch, LoopKernel kernel, Method method, Object... arguments) {
        this.launch = launch;
        this.isVirtual = kernel.waitsInCalls();
        this.type = method.getDeclaringClass().getPackageName();
        this.work = kernel.launch(launch.config, launch.options.seed(), type, arguments);
    }

    /**
     * Reads a kernel for loops.
     *
     * @throws Unsupported if it has something that loops do not do, or if no GPU could run it, which options allow
     * @throws KernelCompileException if no GPU could run it, and options do not allow that
     */
    static LoopKernel kernel(KernelSource source, CpuOptions options) {
        boolean isChecked = options.mode() == CpuOptions.Mode.CHECKED;
        Class<?> type = source.method().getDeclaringClass();
        Frontend.Result compiled;
        try {
            compiled = Frontend.compile(source, FrontendOptions.HOST.withAssertions(type.desiredAssertionStatus()));
        } catch (KernelCompileException e) {
            if (options.portable()) {
                throw e;
            }
            throw new Unsupported("what no GPU could run");
        }
        return LoopKernel.of(
                compiled,
                new CalledMethods(type),
                isChecked || options.isShuffled() || !options.timeout().isZero(),
                isChecked,
                options.isShuffled());
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

    /** Runs all blocks, of which no thread waits, in shares. */
    private void rows(boolean ends) {
        long blocks = launch.config.blocks();
        boolean isAlone = launch.options.mode() == CpuOptions.Mode.CHECKED;
        int workers = isAlone ? 1 : (int) Math.min(launch.options.processors(), blocks);
        long shares = workers == 1 ? 1 : (long) workers * SHARES;
        long share = (blocks + shares - 1) / shares;
        AtomicLong next = new AtomicLong();
        Workers.run(launch, workers, ends && !launch.hasDeadline(), () -> {
            launch.begin();
            RowThreads threads = new RowThreads(launch);
            LoopRows rows = work.rows(launch::checkStopped, threads);
            threads.of(rows);
            try {
                for (long from = next.getAndAdd(share); from < blocks; from = next.getAndAdd(share)) {
                    rows.run(from, Math.min(blocks, from + share));
                }
            } catch (LoopFault fault) {
                launch.fail(LoopGroup.failure(launch, type, fault, rows.block()));
            } finally {
                work.end(rows);
                KernelThread.setCurrent(null);
            }
        });
    }

    /**
     * Runs all blocks.
     *
     * @param ends whether each thread ends by itself, whatever it is given
     */
    void run(boolean ends) {
        if (work.isOfRows()) {
            rows(ends);
            return;
        }
        CpuOptions options = launch.options;
        boolean isAlone = options.mode() == CpuOptions.Mode.CHECKED || options.isShuffled();
        boolean inGroups = isAlone || launch.config.cooperative() || launch.config.clusterBlocks() > 1;
        Groups groups = new Groups(launch.config, options);
        int workers = isAlone ? 1 : (int) Math.min(options.processors(), groups.count());
        AtomicLong next = new AtomicLong();
        Runnable share = () -> {
            launch.begin();
            List<LoopGroup.Running> blocks = new ArrayList<>();
            try {
                for (long i = next.getAndIncrement(); i < groups.count(); i = next.getAndIncrement()) {
                    launch.checkStopped();
                    LoopGroup group =
                            new LoopGroup(launch, work, type, blocks, inGroups ? groups.blocks(i) : new long[] {i});
                    group.run();
                }
            } finally {
                blocks.forEach(block -> {
                    block.threads().close();
                    work.end(block.loops());
                });
                KernelThread.setCurrent(null);
            }
        };
        if (isVirtual) {
            Workers.run(launch, workers, false, () -> inVirtualThread(share));
        } else {
            Workers.run(launch, workers, ends && !launch.hasDeadline(), share);
        }
        if (launch.failure() == null) {
            work.close();
        }
    }
}
