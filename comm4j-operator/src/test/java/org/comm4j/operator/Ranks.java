// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.comm4j.array.Backend;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.core.contract.RanksProgram;
import org.comm4j.core.contract.RanksRun;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.math.SimulatedCompute;
import org.comm4j.nccl.Nccl;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.test.Nightly;
import org.jspecify.annotations.Nullable;

/**
 * A test's ranks, each a thread with a backend of its own: on processors, or each on a GPU while {@link #onGpus} says
 * so. Or each is a process, or has a simulated GPU, in processes that other tests have started for that.
 */
public final class Ranks {
    private static volatile boolean gpus;
    private static volatile boolean simulated;
    private static volatile @Nullable Communicator everybody;
    /** The simulated GPU of this process, if it has one. */
    private static volatile @Nullable Device computing;

    private Ranks() {}

    /** Says whether ranks from now on have GPUs and communicate by NCCL. */
    public static void onGpus(boolean on) {
        gpus = on;
    }

    /** Says that ranks are processes of {@link RanksRun}, of which this is one. */
    public static void inProcesses() {
        if (everybody == null) {
            Communicator all = RanksProgram.world().communicator();
            everybody = all;
            RanksProgram.atEnd(all::close);
        }
    }

    /** Says that ranks are processes of {@link RanksRun} with a simulated GPU and a simulated NVSHMEM each. */
    public static void onSimulatedNvshmem() {
        if (everybody == null) {
            World world = RanksProgram.world();
            Device device = Device.of(world.rank());
            Nvshmem shmem = Nvshmem.init(world, device);
            everybody = shmem.communicator();
            computing = device;
            RanksProgram.atEnd(shmem::close);
        }
    }

    /** Says that ranks are processes of {@link RanksRun} with a GPU and NVSHMEM each. */
    public static void onNvshmem() {
        if (everybody == null) {
            World world = RanksProgram.world();
            Device device = Device.inTurn(world.rank());
            Nvshmem shmem = Nvshmem.init(world, device);
            everybody = shmem.communicator();
            RanksProgram.atEnd(() -> {
                shmem.close();
                device.close();
            });
        }
    }

    /** Says that ranks have simulated GPUs and communicate by a simulated NCCL, which this process has loaded. */
    public static void onSimulatedGpus() {
        simulated = true;
    }

    /** Returns whether ranks are processes: what one of them does not do, the others wait for. */
    static boolean areProcesses() {
        return everybody != null;
    }

    private static boolean areExpensive() {
        return simulated || everybody != null;
    }

    /** Returns whether everything is tried in every layout: by night, where a rank costs little. */
    static boolean areMany() {
        return Nightly.isOn() && !areExpensive();
    }

    /** Returns the numbers of ranks to try something with that takes its time: few where each is expensive. */
    public static IntStream counts() {
        return Nightly.isOn()
                ? IntStream.rangeClosed(1, areExpensive() ? 4 : 5)
                : areExpensive() ? IntStream.of(2) : IntStream.of(1, 3);
    }

    /** Returns the numbers of ranks of {@link #counts}, and that of all processes: those alone have NVSHMEM's team. */
    public static IntStream countsAndAll() {
        Communicator all = everybody;
        return all == null
                ? counts()
                : IntStream.concat(counts(), IntStream.of(all.size())).distinct();
    }

    /** Returns the numbers of ranks whose exchanges can be recorded: of processes, those of NVSHMEM's team. */
    public static IntStream teams() {
        Communicator all = everybody;
        return all == null ? counts() : IntStream.of(all.size());
    }

    /** Runs {@code body} on each of {@code ranks} ranks; skips the test where there are not as many GPUs. */
    public static void run(int ranks, Consumer<Backend> body) {
        Communicator all = everybody;
        if (all != null) {
            assumeTrue(all.size() >= ranks, ranks + " processes are needed, there are " + all.size());
            if (all.size() == ranks) {
                run(all, body);
                return;
            }
            try {
                RanksProgram.onFirst(ranks, all, comm -> run(comm, body));
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return;
        }
        if (simulated) {
            World.threads(ranks, world -> {
                try (Device device = Device.of(world.rank());
                        Communicator comm = Nccl.communicator(world, device);
                        Backend backend = Backend.of(comm, SimulatedCompute.of(device))) {
                    body.accept(backend);
                }
            });
            return;
        }
        if (!gpus) {
            World.threads(ranks, world -> {
                try (Communicator comm = world.communicator()) {
                    run(comm, body);
                }
            });
            return;
        }
        assumeTrue(Nccl.problem() == null, Nccl.problem());
        int count = Integer.getInteger("comm4j.gpu.ranks", Cuda.deviceCount());
        assumeTrue(count >= ranks, ranks + " GPUs are needed, there are " + count);
        World.threads(ranks, world -> {
            try (Device device = Device.inTurn(world.rank());
                    Communicator comm = Nccl.communicator(world, device)) {
                run(comm, body);
            }
        });
    }

    private static void run(Communicator comm, Consumer<Backend> body) {
        Device simulation = computing;
        try (Backend backend =
                simulation == null ? Backend.of(comm) : Backend.of(comm, SimulatedCompute.of(simulation))) {
            body.accept(backend);
        }
    }
}
