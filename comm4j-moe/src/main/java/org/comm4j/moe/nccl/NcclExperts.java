// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe.nccl;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.moe.ExpertParallel;
import org.comm4j.moe.GatheredExperts;
import org.comm4j.moe.MoeOptions;
import org.comm4j.moe.MoeShape;
import org.comm4j.nccl.NcclCommunicator;

/**
 * Expert parallelism whose rows go by NCCL, in groups of sends and receives: for GPUs that do not reach each other's
 * memory, and to measure kernels beside it. Rows, their order and sums are those of {@link ExpertParallel}, to the bit.
 *
 * <pre>{@code
 * try (NcclCommunicator communicator = Nccl.communicator(world, gpu);
 *         ExpertParallel ep = NcclExperts.counted(world, communicator, gpu, shape, MoeOptions.DEFAULT)) {
 *     Routed routed = ep.dispatch(x, chosen, 128, stream);
 *     experts.launch(ep.blocks(), stream, routed.rows(), w);
 *     ep.combine(y, routed, weights, stream);
 * }
 * }</pre>
 */
public final class NcclExperts {
    private NcclExperts() {}

    /**
     * Collective: rows go as counts say, in every layout. The host waits for the counts of each dispatch, so calls
     * cannot be captured.
     *
     * @param world whose ranks the communicator has, in the same order
     * @throws UnsupportedOperationException if the options want groups of ranks with the same tokens
     */
    public static ExpertParallel counted(
            World world, NcclCommunicator communicator, Device device, MoeShape shape, MoeOptions options) {
        return of("NcclExperts.counted", world, communicator, device, shape, options, false);
    }

    /**
     * Collective: of {@link org.comm4j.moe.ExpertLayout#BY_RANK}, all rows go that can be ({@code ncclAlltoAll} of
     * {@code [ranks, tokens, hidden]}). The host waits for nothing, so calls can be captured.
     *
     * @param world whose ranks the communicator has, in the same order
     * @throws UnsupportedOperationException if the options want another layout, or groups of ranks with the same tokens
     */
    public static ExpertParallel padded(
            World world, NcclCommunicator communicator, Device device, MoeShape shape, MoeOptions options) {
        return of("NcclExperts.padded", world, communicator, device, shape, options, true);
    }

    /**
     * Collective: by {@code ncclAllGather} of tokens and {@code ncclReduceScatter} of sums, which are rounded and added
     * as {@link GatheredExperts} says. The host waits for nothing, so calls can be captured.
     *
     * @param world whose ranks the communicator has, in the same order
     * @throws UnsupportedOperationException if the options want what {@link GatheredExperts#of} refuses
     */
    public static GatheredExperts gathered(
            World world, NcclCommunicator communicator, Device device, MoeShape shape, MoeOptions options) {
        return GatheredExperts.of(transport("NcclExperts.gathered", world, communicator, device, true), shape, options);
    }

    private static ExpertParallel of(
            String operation,
            World world,
            NcclCommunicator communicator,
            Device device,
            MoeShape shape,
            MoeOptions options,
            boolean padded) {
        return ExpertParallel.of(transport(operation, world, communicator, device, padded), shape, options);
    }

    private static NcclTransport transport(
            String operation, World world, NcclCommunicator communicator, Device device, boolean padded) {
        nonNull(world, operation, "world");
        nonNull(communicator, operation, "communicator");
        nonNull(device, operation, "device");
        if (communicator.size() != world.size() || communicator.rank() != world.rank()) {
            throw new IllegalArgumentException(operation + " on rank " + world.rank() + " of " + world.size() + ": "
                    + communicator + " does not have the ranks of the world in their order");
        }
        return new NcclTransport(world, communicator, device, padded);
    }
}
