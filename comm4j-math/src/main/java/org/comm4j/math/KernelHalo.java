// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PeerMemory;
import org.jspecify.annotations.Nullable;

/** Rows that ranks write into each other's memory by kernels of {@link HaloKernels}, one for an exchange. */
final class KernelHalo implements HaloExchange {
    private final KernelQueue queue;
    private final KernelRunner runner;
    private final Communicator communicator;
    private final PeerMemory memory;
    private final @Nullable Side before;
    private final @Nullable Side after;
    private final HaloKernels.Space space;
    private final LaunchConfig config;

    /** The array whose rows travel beside what is computed. */
    private @Nullable Buffer travelling;

    /** What travels beside what is computed; made when first needed. */
    private @Nullable Transfer beside;

    KernelHalo(
            KernelQueue queue,
            KernelRunner runner,
            Communicator communicator,
            PeerMemory memory,
            long bytes,
            @Nullable Side before,
            @Nullable Side after) {
        this.queue = queue;
        this.runner = runner;
        this.communicator = communicator;
        this.memory = memory;
        this.before = before;
        this.after = after;
        space = HaloKernels.space(memory, bytes);
        config = LaunchConfig.grid(2 * space.blocks()).block(HaloKernels.THREADS);
    }

    @Override
    public void exchange(Buffer x) {
        launch(queue, x);
    }

    private void launch(KernelLauncher launcher, Buffer x) {
        if (before == null && after == null) {
            return;
        }
        int unit = HaloKernels.unit(x, before, after);
        launcher.launch(
                runner.compiled("Halo.exchange", unit),
                config,
                space,
                HaloKernels.end(memory, before, x, unit, space.blocks()),
                HaloKernels.end(memory, after, x, unit, space.blocks()));
    }

    @Override
    public void begin(Buffer x) {
        travelling = x;
        Transfer rows = beside;
        if (rows == null) {
            rows = queue.transferOfKernels(communicator, this::launchBeside);
            beside = rows;
        }
        rows.begin();
    }

    private void launchBeside(KernelLauncher launcher) {
        Buffer x = travelling;
        if (x != null) {
            launch(launcher, x);
        }
    }

    @Override
    public void end() {
        Transfer rows = beside;
        if (rows != null) {
            rows.end();
        }
    }
}
