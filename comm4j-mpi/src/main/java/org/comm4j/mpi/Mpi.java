// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.core.World;
import org.comm4j.ffi.NativeAccess;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/**
 * MPI in this process: the library that was found, and communicators over it. The library is that of the launcher which
 * started the process ({@code mpirun}, {@code mpiexec}), unless {@code -Dorg.comm4j.mpi.library} or the variable {@code
 * COMM4J_MPI} names another one.
 *
 * <p>MPI has one life in a process. It begins with the first communicator, and ends when the {@link World} is closed on
 * all ranks ({@code MPI_Finalize}).
 *
 * {@snippet lang = java :
 * import org.comm4j.core.Buffer;
 * import org.comm4j.core.DataType;
 * import org.comm4j.core.ReduceOp;
 * import org.comm4j.core.World;
 * import org.comm4j.mpi.Mpi;
 * import org.comm4j.mpi.MpiCommunicator;
 *
 * class Sum {
 *     void main() {
 *         try (World world = World.join();
 *                 MpiCommunicator comm = Mpi.communicator(world)) {
 *             Buffer x = comm.allocate(DataType.FLOAT64, 1000);
 *             comm.allReduce(x, x, ReduceOp.SUM);
 *         }
 *     }
 * }
 * }
 */
public final class Mpi {
    /** Wildcard in place of a rank: a message of whichever rank ({@code MPI_ANY_SOURCE}). */
    public static final int ANY_SOURCE = -1;

    /** Wildcard in place of a tag: a message with whichever tag ({@code MPI_ANY_TAG}). */
    public static final int ANY_TAG = -1;

    private Mpi() {}

    /**
     * Returns why there can be no communicator in this process; null if nothing is known against it. Initialises
     * nothing.
     */
    public static @Nullable String problem() {
        return LibMpi.library().problem();
    }

    /**
     * Returns what the library can. Initialises it if it is not yet, and is therefore for processes of their own.
     *
     * @throws org.comm4j.ffi.LibraryNotFoundException if there is no MPI library
     */
    public static MpiFacts facts() {
        return MpiFacts.of(MpiProcess.alone());
    }

    /**
     * Collective: a communicator of all ranks of {@code world}, numbered as there. The first one initialises the
     * library ({@code MPI_Init_thread} with {@code MPI_THREAD_MULTIPLE}), unless somebody else in this process has.
     *
     * @throws org.comm4j.ffi.LibraryNotFoundException if there is no MPI library; it says where it was looked for
     * @throws org.comm4j.core.CommException if the library and the launcher do not belong together, or the library does
     *     not bear several threads
     * @throws IllegalStateException if MPI has been ended in this process
     */
    public static MpiCommunicator communicator(World world) {
        return communicator(world, MpiOptions.standard());
    }

    /**
     * Collective: a communicator of all ranks of {@code world}, as {@link #communicator(World)}, with options.
     *
     * @param options the same on all ranks
     */
    public static MpiCommunicator communicator(World world, MpiOptions options) {
        nonNull(world, "communicator", "world");
        nonNull(options, "communicator", "options");
        return MpiProcess.of(world).communicator(world, options);
    }

    /**
     * Collective over the ranks of a communicator of C: one of the same ranks in the same order, which must be ranks of
     * {@code world}. MPI's own is duplicated and stays its maker's. Restricted: a number that is no communicator ends
     * the process.
     *
     * @param handle as {@link MpiCommunicator#handle} gives it: {@code MPI_Comm}, its address with Open MPI
     * @throws IllegalCallerException if the caller's module has no native access
     */
    public static MpiCommunicator communicator(World world, long handle) {
        NativeAccess.checkCaller("Mpi.communicator");
        nonNull(world, "communicator", "world");
        return MpiProcess.of(world).communicator(world, handle, MpiOptions.standard());
    }
}
