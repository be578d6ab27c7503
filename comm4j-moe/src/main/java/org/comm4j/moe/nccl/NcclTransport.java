// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe.nccl;

import java.util.function.Consumer;
import org.comm4j.core.Operations;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.moe.ExpertTransport;
import org.comm4j.nccl.NcclCommunicator;
import org.jspecify.annotations.Nullable;

/** NCCL's messages; several of them are not equal unless they are the same. */
final class NcclTransport implements ExpertTransport {
    private final World world;
    private final NcclCommunicator communicator;
    private final Device device;
    private final boolean padded;

    NcclTransport(World world, NcclCommunicator communicator, Device device, boolean padded) {
        this.world = world;
        this.communicator = communicator;
        this.device = device;
        this.padded = padded;
    }

    @Override
    public World world() {
        return world;
    }

    @Override
    public NcclCommunicator communicator() {
        return communicator;
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public KernelCompiler<GpuKernel> compiler() {
        return KernelCompiler.of(device);
    }

    @Override
    public void group(@Nullable Stream stream, Consumer<Operations> body) {
        if (stream == null) {
            communicator.group(body);
        } else {
            communicator.group(body, stream);
        }
    }

    @Override
    public void synchronize(Stream stream) {
        communicator.synchronize(stream);
    }

    @Override
    public boolean isPadded() {
        return padded;
    }
}
