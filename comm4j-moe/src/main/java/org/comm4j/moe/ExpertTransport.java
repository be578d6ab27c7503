// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.util.function.Consumer;
import org.comm4j.core.Communicator;
import org.comm4j.core.Operations;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.KernelCompiler;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a library, such as NCCL, for an {@link ExpertParallel} whose ranks do not reach each other's memory. Its
 * kernels write rows into memory of this rank, where they have the places that they have on their rank; messages bring
 * them there.
 */
public interface ExpertTransport {
    /** Returns the world, all ranks of which are those of the communicator. */
    World world();

    /** Returns what messages go by. */
    Communicator communicator();

    /** Returns the GPU; null on the CPU. */
    @Nullable
    Device device();

    /** Returns a compiler of kernels for it, which the caller closes. */
    KernelCompiler<?> compiler();

    /**
     * Does the messages of {@code body} together ({@code ncclGroupStart}).
     *
     * @param stream into which they are put; null on the CPU, where they are done when it returns
     */
    void group(@Nullable Stream stream, Consumer<Operations> body);

    /**
     * Waits until a stream with messages is done.
     *
     * @throws org.comm4j.core.CommException if another rank died, or the limit of the communicator is over
     */
    void synchronize(Stream stream);

    /** Returns whether of {@link ExpertLayout#BY_RANK} all rows go that can be, so that the host reads no counts. */
    boolean isPadded();
}
