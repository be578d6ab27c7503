// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.World;
import org.comm4j.core.spi.Farewells;
import org.comm4j.core.spi.RemoteMemory;
import org.jspecify.annotations.Nullable;

/** Memory of ranks on other machines, by messages of MPI to a thread there, which every MPI library can. */
public final class MpiRemoteMemory implements RemoteMemory {
    public MpiRemoteMemory() {}

    @Override
    public String name() {
        return MpiEngine.NAME;
    }

    @Override
    public @Nullable String problem() {
        return Mpi.problem();
    }

    @Override
    public Access open(World world, MemorySegment own, Owner owner) {
        MpiProcess process = MpiProcess.of(world);
        Access access = new MemoryClient(world, process, process.duplicate(world), own, owner);
        // MPI is not ended under the thread that serves.
        Farewells.add(world, access::close);
        return access;
    }
}
