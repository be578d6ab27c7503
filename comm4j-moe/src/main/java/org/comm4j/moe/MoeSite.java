// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
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

    /**
     * PEs of a symmetric heap.
     *
     * @param reach for tests: so many neighbours reach each other's memory; 0 for those that do
     */
    record Near(ShmemPe pe, int reach) implements MoeSite {
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
            int[] far = far();
            // Memory is allocated by all alike.
            int neighbours = neighbours(far);
            String gpu = pe.onGpu() ? pe.nvshmem().device().uuid() : "";
            byte[] mine = (neighbours + " " + gpu).getBytes(UTF_8);
            List<String[]> told = world().exchange("comm4j-moe reach", mine).stream()
                    .map(each -> new String(each, UTF_8).split(" ", 2))
                    .toList();
            int[] all =
                    told.stream().mapToInt(each -> Integer.parseInt(each[0])).toArray();
            boolean alone = told.stream().filter(each -> each[1].equals(gpu)).count() == 1;
            if (far.length == 0 && IntStream.of(all).anyMatch(each -> each != nPes())) {
                throw new UnsupportedOperationException("ExpertParallel: PE " + myPe()
                        + " reaches the memory of all PEs, and others do not; all or none must");
            }
            int host = IntStream.of(all).allMatch(each -> each == neighbours) ? neighbours : 1;
            return pe.onGpu()
                    ? new GpuExperts(pe, plan.total(), far, host, alone)
                    : new CpuExperts(pe, plan.total(), far, host);
        }

        /** The PEs in reach if they are a host's, one behind the other from a multiple of their number on; else 1. */
        private int neighbours(int... far) {
            int near = nPes() - far.length;
            int first = myPe() / near * near;
            boolean host =
                    nPes() % near == 0 && IntStream.of(far).noneMatch(other -> other >= first && other < first + near);
            return host ? near : 1;
        }

        /** PEs whose memory kernels of this one do not reach. */
        private int[] far() {
            boolean direct = pe.onGpu() && Boolean.parseBoolean(System.getProperty("org.comm4j.device.direct", "true"));
            return IntStream.range(0, nPes())
                    .filter(other -> other != myPe())
                    .filter(other -> reach > 0
                            ? other / reach != myPe() / reach
                            : pe.onGpu() && (!direct || !pe.nvshmem().reaches(other)))
                    .toArray();
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
            return new StagedExperts(transport, plan.total(), false);
        }
    }

    /** A rank that is alone, whatever ranks there are. */
    record Alone(ExpertTransport transport) implements MoeSite {
        @Override
        public int myPe() {
            return 0;
        }

        @Override
        public int nPes() {
            return 1;
        }

        @Override
        public boolean onGpu() {
            return transport.device() != null;
        }

        @Override
        public String where() {
            return new Far(transport).where();
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
            return this;
        }

        @Override
        public MoeMachine machine(MoeMemory.Plan plan) {
            return new StagedExperts(transport, plan.total(), true);
        }
    }
}
