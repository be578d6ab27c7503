// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.time.Duration;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;

/** Where a PE of an {@link ExpertParallel} is, and how it reaches the others. */
interface MoeSite {
    int myPe();

    int nPes();

    boolean onGpu();

    /** Returns the GPU's name, or {@code CPU}. */
    String where();

    World world();

    /** Returns how long other PEs are waited for; zero for no limit. */
    Duration timeout();

    /** Returns what tells several of a world apart. */
    Object identity();

    /** Collective: makes what kernels run on. */
    MoeMachine machine(MoeMemory.Plan plan);

    /** PEs that reach each other's memory. */
    record Near(ShmemPe pe) implements MoeSite {
        @Override
        public int myPe() {
            return pe.myPe();
        }

        @Override
        public int nPes() {
            return pe.nPes();
        }

        @Override
        public boolean onGpu() {
            return pe.onGpu();
        }

        @Override
        public String where() {
            return pe.where();
        }

        @Override
        public World world() {
            return pe.world();
        }

        @Override
        public Duration timeout() {
            return pe.onGpu() ? pe.nvshmem().timeout() : pe.host().timeout();
        }

        @Override
        public Object identity() {
            return pe;
        }

        @Override
        public MoeMachine machine(MoeMemory.Plan plan) {
            return pe.onGpu() ? new GpuExperts(pe, plan.total()) : new CpuExperts(pe, plan.total());
        }
    }

    /** Ranks that send messages. */
    record Far(ExpertTransport transport) implements MoeSite {
        @Override
        public int myPe() {
            return transport.communicator().rank();
        }

        @Override
        public int nPes() {
            return transport.communicator().size();
        }

        @Override
        public boolean onGpu() {
            return transport.device() != null;
        }

        @Override
        public String where() {
            return transport.device() == null ? "CPU" : transport.device().name();
        }

        @Override
        public World world() {
            return transport.world();
        }

        @Override
        public Duration timeout() {
            return transport.communicator().timeout();
        }

        @Override
        public Object identity() {
            return transport;
        }

        @Override
        public MoeMachine machine(MoeMemory.Plan plan) {
            StagedRows.check(plan, transport);
            return new StagedExperts(transport, plan.total());
        }
    }
}
