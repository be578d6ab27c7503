// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** MPI: the communicator of the engine {@code mpi}, over whatever MPI library there is. */
@NullMarked
module org.comm4j.mpi {
    requires static org.jspecify;
    requires transitive org.comm4j.core;
    requires org.comm4j.ffi;

    exports org.comm4j.mpi;

    provides org.comm4j.core.spi.Engine with
            org.comm4j.mpi.MpiEngine;
    provides org.comm4j.core.spi.Bootstrap with
            org.comm4j.mpi.MpiBootstrap;
    provides org.comm4j.core.spi.RemoteMemory with
            org.comm4j.mpi.MpiRemoteMemory;
}
