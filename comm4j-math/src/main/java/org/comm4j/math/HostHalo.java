// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.cuda.PeerMemory;
import org.jspecify.annotations.Nullable;

/** Rows that ranks on processors write into each other's memory as the kernels of {@link HaloKernels} do. */
final class HostHalo implements HaloExchange {
    private final PeerMemory memory;
    private final @Nullable Side before;
    private final @Nullable Side after;
    private final HaloKernels.Space space;

    /** The array whose rows travel. */
    private @Nullable Buffer travelling;

    HostHalo(PeerMemory memory, long bytes, @Nullable Side before, @Nullable Side after) {
        this.memory = memory;
        this.before = before;
        this.after = after;
        space = HaloKernels.space(memory, bytes);
    }

    @Override
    public void exchange(Buffer x) {
        begin(x);
        end();
    }

    @Override
    public void begin(Buffer x) {
        travelling = x;
        int unit = HaloKernels.unit(x, before, after);
        push(unit, 0, HaloKernels.end(memory, before, x, unit, space.blocks()));
        push(unit, 1, HaloKernels.end(memory, after, x, unit, space.blocks()));
    }

    private void push(int unit, int side, HaloKernels.End end) {
        for (int block = 0; block < space.blocks() && end.rank() >= 0; block++) {
            long turn = space.turns(side, block).get(0) + 1;
            HaloKernels.push(unit, space, side, block, turn, end, 0, 1);
            HaloKernels.raise(space, side, block, turn, end);
        }
    }

    @Override
    public void end() {
        Buffer x = travelling;
        if (x != null) {
            int unit = HaloKernels.unit(x, before, after);
            pull(unit, 0, HaloKernels.end(memory, before, x, unit, space.blocks()));
            pull(unit, 1, HaloKernels.end(memory, after, x, unit, space.blocks()));
        }
    }

    private void pull(int unit, int side, HaloKernels.End end) {
        for (int block = 0; block < space.blocks() && end.rank() >= 0; block++) {
            long turn = space.turns(side, block).get(0);
            if (!HaloKernels.await(space, side, block, turn, end.rank())) {
                memory.check();
            }
            HaloKernels.pull(unit, space, side, block, turn, end, 0, 1);
        }
    }
}
