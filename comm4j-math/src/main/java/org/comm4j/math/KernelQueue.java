// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.Operations;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.jspecify.annotations.Nullable;

/** A place where kernels run one after the other: a stream of a GPU, or in tests the executor on the CPU. */
interface KernelQueue extends KernelLauncher, AutoCloseable {
    /** Returns the name of the GPU. */
    String name();

    /** Returns the compiler for it. */
    KernelCompiler<?> compiler();

    /** Allocates zeroed memory that kernels reach. */
    Memory allocate(DataType type, long count);

    /** Returns an empty text, or says why kernels cannot reach the memory of a buffer. */
    String unreachable(Buffer buffer);

    /** Returns the launch of a kernel that {@link #compiler} has compiled, ready to be made often. */
    Runnable prepare(CompiledKernel kernel, LaunchConfig config, Object... arguments);

    /** Returns copies of numbers for the host, in the order of the launches. */
    Snapshot snapshot(Buffer numbers);

    /** Copies all of one buffer to another one of the same type and count. */
    void copy(Buffer from, Buffer to);

    /** Returns the matrix products of this place, which are closed with it. */
    Blas blas(KernelRunner runner);

    /** Plans Fourier transforms in the order of the launches, which are closed with this at the latest. */
    Fft fft(DataType type, long outer, int length, long inner);

    /** Returns the operations of a communicator in the order of the launches. */
    GroupedOperations operations(Communicator communicator);

    /** Returns operations that travel beside what is launched, if {@code beside} and this queue can do so. */
    default Transfer transfer(Communicator communicator, boolean beside, Consumer<Operations> body) {
        return Transfer.inOrder(operations(communicator), body);
    }

    /**
     * Returns launches that run beside what is launched here, if this queue can do so: in the order of the operations
     * of a communicator that travel beside it.
     */
    default Transfer transferOfKernels(Communicator communicator, Consumer<KernelLauncher> body) {
        return Transfer.inOrder(() -> body.accept(this));
    }

    /** Collective: returns new memory that kernels of all ranks reach, or null on all ranks if there is none. */
    default @Nullable PeerMemory peerMemory(Communicator communicator, long count) {
        return null;
    }

    /**
     * Collective: returns memory that kernels of all ranks reach and that all exchanges of a communicator share, or
     * null on all ranks if there is none.
     *
     * @param beside for exchanges that travel beside what is launched, which share memory of their own
     * @param count 64-bit integers at least; the same on all ranks
     */
    default @Nullable PeerMemory exchangeMemory(Communicator communicator, boolean beside, long count) {
        return null;
    }

    /** Collective the first time: returns what {@link Compute#peers} does. */
    default @Nullable PeerMemory peers(Communicator communicator) {
        return null;
    }

    /**
     * Waits until nothing here waits for other ranks, before code is loaded: a driver may wait for its GPU to be idle
     * then, and keep other threads of the process, which are those ranks, from launching what the GPU waits for.
     * Nothing happens while work is recorded, whose code has been loaded.
     */
    default void settle() {}

    /** Records what {@code body} launches. */
    Recording record(Runnable body);

    /** Waits for what was launched. */
    void synchronize();

    /** Waits for what was launched, and gives everything back. */
    @Override
    void close();
}
