// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.frontend.FrontendOptions;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.loops.LoopBlock;
import org.comm4j.kernel.loops.LoopFault;
import org.comm4j.kernel.loops.LoopKernel;
import org.comm4j.kernel.loops.LoopStuck;
import org.jspecify.annotations.Nullable;

/** A launch whose blocks are loops over threads that wait for each other. */
final class LoopRunner {
    private final Launch launch;
    private final LoopKernel.Work work;
    private final String type;

    LoopRunner(Launch launch, LoopKernel.Work work, Method kernel) {
        this.launch = launch;
        this.work = work;
        this.type = kernel.getDeclaringClass().getPackageName();
    }

    /** Makes the loops; null if the kernel has something that is none, or that no GPU could run. */
    static @Nullable LoopKernel kernel(KernelSource source, CpuOptions options) {
        try {
            return LoopKernel.of(
                    Frontend.compile(source, FrontendOptions.HOST),
                    !options.timeout().isZero());
        } catch (KernelCompileException e) {
            return null;
        }
    }

    /** Returns whether the loops do a launch: what all blocks run for, or does not fit, others do, or refuse. */
    static boolean fits(@Nullable LoopKernel kernel, LaunchConfig config) {
        return kernel != null
                && !config.cooperative()
                && config.clusterBlocks() == 1
                && (long) config.gridX() * config.blockX() <= Integer.MAX_VALUE
                && kernel.sharedBytes() <= BlockState.MOST_ARRAYS
                && kernel.sharedBytes() + config.sharedBytes() <= BlockState.MOST_SHARED;
    }

    /**
     * Runs all blocks.
     *
     * @param ends whether each thread ends by itself, whatever it is given
     */
    void run(boolean ends) {
        LaunchConfig config = launch.config;
        long blocks = config.blocks();
        int workers = (int) Math.min(launch.options.processors(), blocks);
        AtomicLong next = new AtomicLong();
        Workers.run(launch, workers, ends && !launch.hasDeadline(), () -> {
            launch.begin();
            LoopBlock block = work.begin(launch::checkStopped);
            for (long number = next.getAndIncrement(); number < blocks; number = next.getAndIncrement()) {
                launch.checkStopped();
                int x = (int) (number % config.gridX());
                int y = (int) (number / config.gridX() % config.gridY());
                int z = (int) (number / config.gridX() / config.gridY());
                try {
                    block.run(x, y, z);
                } catch (LoopFault fault) {
                    launch.fail(failure(fault, new BlockState(launch, number)));
                } catch (LoopStuck stuck) {
                    launch.fail(stuck(stuck, new BlockState(launch, number)));
                }
            }
            work.end(block);
        });
    }

    private KernelException failure(LoopFault fault, BlockState block) {
        if (fault.cause() instanceof Launch.Stopped stopped) {
            throw stopped;
        }
        KernelThread thread = new KernelThread(block, fault.thread(), null);
        KernelFault told = new KernelFault(fault.cause());
        StackTraceElement at = element(fault.at());
        told.add(at.getClassName(), at.getMethodName(), at.getLineNumber());
        return launch.failure(thread.toString(), told);
    }

    private KernelException stuck(LoopStuck stuck, BlockState block) {
        block.populate(null);
        for (int i = 0; i < block.threads.length; i++) {
            LoopStuck.Waiting waiting = stuck.threads().get(i);
            block.threads[i].waitsFor = waiting.what();
            Position at = waiting.at();
            block.threads[i].at = at == null ? null : element(at);
        }
        return launch.stuck(List.of(block));
    }

    /** As stack traces have it. A position has no package; it is the kernel's but for what others have written. */
    private StackTraceElement element(Position at) {
        String method = at.method();
        int dot = method.lastIndexOf('.');
        String simple = dot < 0 ? "" : method.substring(0, dot).replace('.', '$');
        return new StackTraceElement(
                type.isEmpty() ? simple : type + "." + simple, method.substring(dot + 1), at.file(), at.line());
    }
}
