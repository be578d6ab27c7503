// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Npy;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.World;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.Laplacian;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.VStack;

/** What the ranks of {@link DyingRankTest} do: rank 1 is killed in the middle of an inversion. */
final class DyingRank {
    private DyingRank() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        try (World world = World.join();
                Communicator comm = world.communicator();
                Backend backend = Backend.of(comm)) {
            if (arguments[1].equals("missing")) {
                // Each rank reads a file of its own, and one has none.
                Path mine = folder.resolve("rank" + world.rank() + ".npy");
                try {
                    Npy.read(backend, backend.scattered(0, 6), mine);
                } catch (IllegalArgumentException told) {
                    System.out.println("told: " + told.getMessage());
                }
                return;
            }
            if (arguments[1].equals("full")) {
                allocate(backend);
                return;
            }
            Layout layout = backend.scattered(0, 60, 20);
            LinearOperator a = VStack.of(
                    Diagonal.of(backend.random(layout, DataType.FLOAT64, 1)),
                    Laplacian.of(backend, layout, 0, 1).build());
            DistributedArray x = backend.random(layout, DataType.FLOAT64, 2);
            Solver solver = Cgls.of(a, a.times(x)).iterations(100_000_000).tolerance(0);
            solver.callback(run -> {
                if (run.number() == 20 && world.rank() == 1) {
                    die(folder);
                }
            });
            try {
                solver.solve();
                System.out.println("solved");
            } catch (RankFailedException ended) {
                long since = System.currentTimeMillis()
                        - Long.parseLong(
                                Files.readString(folder.resolve("died")).strip());
                System.out.println("ended after " + since + " ms: " + ended.getMessage());
            }
        }
    }

    /** More than rank 1 has; the others wait for it. */
    private static void allocate(Backend backend) {
        DistributedArray x = backend.zeros(backend.scattered(0, 60), DataType.FLOAT64);
        long begin = System.nanoTime();
        if (backend.rank() == 1) {
            DistributedArray _ = backend.zeros(backend.local(1L << 46), DataType.FLOAT64);
        }
        try {
            System.out.println("norm " + x.norm());
        } catch (RankFailedException ended) {
            System.out.println("ended after " + (System.nanoTime() - begin) / 1_000_000 + " ms: " + ended.getMessage());
        }
    }

    private static void die(Path folder) {
        try {
            Files.writeString(folder.resolve("died"), Long.toString(System.currentTimeMillis()));
            new ProcessBuilder(
                            "kill",
                            "-KILL",
                            Long.toString(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
