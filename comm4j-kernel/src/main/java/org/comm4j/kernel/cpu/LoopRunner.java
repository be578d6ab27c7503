// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.frontend.FrontendOptions;
import org.comm4j.kernel.loops.LoopKernel;
import org.jspecify.annotations.Nullable;

/** A launch whose blocks are loops over threads that wait for each other. */
final class LoopRunner {
    private final Launch launch;
    private final String type;
    private final LoopKernel.Work work;

    LoopRunner(Launch launch, LoopKernel kernel, Method method, Object... arguments) {
        this.launch = launch;
        this.type = method.getDeclaringClass().getPackageName();
        this.work = kernel.launch(launch.config, launch.options.seed(), type, arguments);
    }

    /** Reads a kernel for loops; null if the kernel has something that is none, or that no GPU could run. */
    static @Nullable LoopKernel kernel(KernelSource source, CpuOptions options) {
        try {
            boolean isChecked = options.mode() == CpuOptions.Mode.CHECKED;
            boolean asserts = source.method().getDeclaringClass().desiredAssertionStatus();
            return LoopKernel.of(
                    Frontend.compile(source, FrontendOptions.HOST.withAssertions(asserts)),
                    isChecked || options.isShuffled() || !options.timeout().isZero(),
                    isChecked,
                    options.isShuffled());
        } catch (KernelCompileException e) {
            return null;
        }
    }

    /** Returns whether the loops do a launch: what does not fit, others refuse. */
    static boolean fits(@Nullable LoopKernel kernel, LaunchConfig config) {
        return kernel != null
                && (long) config.gridX() * config.blockX() <= Integer.MAX_VALUE
                && kernel.sharedBytes() <= BlockState.MOST_ARRAYS
                && kernel.sharedBytes() + config.sharedBytes() <= BlockState.MOST_SHARED
                && kernel.runs(config);
    }

    /**
     * Runs all blocks.
     *
     * @param ends whether each thread ends by itself, whatever it is given
     */
    void run(boolean ends) {
        CpuOptions options = launch.options;
        boolean isAlone = options.mode() == CpuOptions.Mode.CHECKED || options.isShuffled();
        boolean inGroups = isAlone || launch.config.cooperative() || launch.config.clusterBlocks() > 1;
        Groups groups = new Groups(launch.config, options);
        int workers = isAlone ? 1 : (int) Math.min(options.processors(), groups.count());
        AtomicLong next = new AtomicLong();
        Workers.run(launch, workers, ends && !launch.hasDeadline(), () -> {
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
                blocks.forEach(block -> work.end(block.loops()));
                KernelThread.setCurrent(null);
            }
        });
        if (launch.failure() == null) {
            work.close();
        }
    }
}
