// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.core.spi.Engine;
import org.jspecify.annotations.Nullable;

/** MPI under its name as an engine, {@code mpi}. */
public final class MpiEngine implements Engine {
    /** Name of the engine. */
    public static final String NAME = "mpi";

    public MpiEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public @Nullable String problem() {
        return Mpi.problem();
    }

    @Override
    public Communicator communicator(World world) {
        return Mpi.communicator(world);
    }
}
