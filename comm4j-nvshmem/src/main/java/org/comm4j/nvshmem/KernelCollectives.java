// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Collectives of all PEs that a communicator calls in place of NVSHMEM's, where they have one for a call: {@link
 * Nvshmem#communicator(KernelCollectives)}.
 */
public interface KernelCollectives {
    /**
     * Puts a collective into {@code stream}, if there is one for it. All PEs decide alike where all pass symmetric
     * arrays, or none does.
     *
     * @param kind {@code ALL_REDUCE}, {@code REDUCE_SCATTER}, {@code ALL_GATHER} or {@code ALL_TO_ALL}
     * @param op null for those that do not reduce
     * @return false if nothing was done
     */
    boolean run(Call.Kind kind, DeviceArray destination, DeviceArray source, @Nullable ReduceOp op, Stream stream);

    /**
     * To be called when the stream is done.
     *
     * @throws org.comm4j.core.CommException if a collective was given up
     */
    void check();
}
