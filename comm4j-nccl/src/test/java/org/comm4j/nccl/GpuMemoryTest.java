// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.comm4j.nccl.NcclBody.contents;
import static org.comm4j.nccl.NcclBody.sumOfRanks;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.ffi.nccl.LibNccl;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory of which NCCL knows the address, and ranks that come later, over real GPUs. */
@Tag("gpu")
@Timeout(120)
class GpuMemoryTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @BeforeEach
    void needsGpus() {
        Gpu.require(2);
    }

    /** Memory that is freed while NCCL has a window of it, and new memory, perhaps in the same place. */
    @Test
    void freedBeforeItsWindowIsClosed() {
        Gpu.ranks(Gpu.count(), CommConfig.DEFAULT, comm -> {
            for (int round = 0; round < 4; round++) {
                DeviceArray old = comm.allocate(DataType.FLOAT32, 1 << 20);
                try (Window window = comm.registerWindow(old, Window.Flag.SYMMETRIC)) {
                    comm.allReduce(old, old, ReduceOp.SUM);
                    old.close();
                    DeviceArray fresh = comm.allocate(DataType.FLOAT32, 1 << 20);
                    fresh.fill(comm.rank() + 1);
                    comm.allReduce(fresh, fresh, ReduceOp.SUM);
                    assertThat(contents(fresh)).containsOnly(sumOfRanks(comm.size()));
                    assertThat(window.memory().isAlive()).isFalse();
                    fresh.close();
                }
            }
        });
    }

    @Test
    void aFactorInDeviceMemory() {
        Gpu.ranks(Gpu.count(), CommConfig.DEFAULT, comm -> {
            DeviceArray factor = comm.device().allocate(DataType.FLOAT32, 1);
            DeviceArray x = comm.allocate(DataType.FLOAT32, 1000);
            DeviceArray y = comm.allocate(DataType.FLOAT32, 1000);
            x.fill(1);
            try (PreMulSum sum = comm.preMulSum(DataType.FLOAT32, factor)) {
                CustomReductions reductions = comm.with(sum);
                for (int round = 1; round < 4; round++) {
                    factor.fill(round * (comm.rank() + 1), comm.own);
                    reductions.allReduce(x, y, comm.own);
                    comm.synchronize(comm.own, LIMIT);
                    assertThat(contents(y)).containsOnly(round * sumOfRanks(comm.size()));
                }
            }
        });
    }

    /** One rank grows to two. */
    @Test
    void grow() throws Exception {
        Gpu.requireOwn();
        Assumptions.assumeTrue(LibNccl.has("ncclCommGrow"), "growing needs NCCL 2.29.2, this is " + Nccl.version());
        CompletableFuture<UniqueId> id = new CompletableFuture<>();
        try (var threads = Executors.newSingleThreadExecutor()) {
            Future<?> joining = threads.submit(() -> {
                try (Device device = Gpu.of(1);
                        NcclCommunicator joined = Nccl.join(device, id.join(), 2, 1, CommConfig.DEFAULT, LIMIT)) {
                    expectSum(joined);
                }
            });
            try (Device device = Gpu.of(0);
                    NcclCommunicator comm = Nccl.initAll(device).getFirst()) {
                comm.timeout(LIMIT);
                UniqueId mine = comm.growthId();
                id.complete(mine);
                try (NcclCommunicator grown = comm.grow(2, mine, null)) {
                    expectSum(grown);
                }
            }
            joining.get();
        }
    }

    private static void expectSum(NcclCommunicator comm) {
        DeviceArray x = comm.allocate(DataType.FLOAT32, 1000);
        x.fill(comm.rank() + 1);
        comm.allReduce(x, x, ReduceOp.SUM);
        assertThat(contents(x)).containsOnly(sumOfRanks(comm.size()));
    }
}
