// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.core.contract.LostRanks;

/** A rank of {@link MpiFaultTest}. */
final class FaultProgram {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private FaultProgram() {}

    static void main(String[] arguments) {
        switch (arguments[0]) {
            case "lose" -> lose(arguments[1], arguments[2]);
            case "late" -> late();
            default -> throw new IllegalArgumentException(Arrays.toString(arguments));
        }
    }

    /** Ranks die in turn, and the others go on; {@code deaths} is like "3/1,2". */
    private static void lose(String how, String deaths) {
        List<List<Integer>> turns = Stream.of(deaths.split("/"))
                .map(turn -> Stream.of(turn.split(",")).map(Integer::valueOf).toList())
                .toList();
        try (World world = World.join()) {
            MpiCommunicator comm = Mpi.communicator(world);
            if (!how.endsWith("without-limit")) {
                comm.timeout(PATIENCE);
            }
            System.out.println(LostRanks.run(world, comm, turns, each -> {
                kill();
            }));
        }
    }

    private static void kill() {
        try {
            int ignored = new ProcessBuilder(
                            "kill",
                            "-KILL",
                            Long.toString(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("not killed", e);
        }
    }

    /** A rank does not come; what the others gave up keeps its memory. */
    private static void late() {
        try (World world = World.join();
                MpiCommunicator comm = Mpi.communicator(world)) {
            if (comm.rank() == 0) {
                comm.timeout(Duration.ofMillis(300));
                Arena arena = Arena.ofShared();
                HostArray x = HostArray.allocate(arena, DataType.FLOAT64, 10);
                try {
                    comm.recv(x, 1);
                } catch (CommException e) {
                    System.out.println("late: " + e.getMessage());
                }
                try {
                    arena.close();
                } catch (IllegalStateException e) {
                    System.out.println("kept");
                }
                try {
                    comm.barrier();
                } catch (IllegalStateException e) {
                    System.out.println("then: " + e.getMessage());
                }
            }
            world.barrier();
        }
    }
}
