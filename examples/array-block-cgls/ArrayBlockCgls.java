// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import static org.comm4j.core.DataType.FLOAT64;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.solver.Cgls;
import org.comm4j.operator.solver.Solver;

/** Solves a block-diagonal least-squares system, one block a rank. */
public final class ArrayBlockCgls {
    private ArrayBlockCgls() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        try (World world = World.join();
                Communicator comm = world.communicator();
                Backend backend = Backend.of(comm)) {
            DistributedArray block = backend.random(backend.local(600, 500), FLOAT64, 7 + comm.rank());
            LinearOperator a = BlockDiag.of(backend, MatrixMult.of(block));
            DistributedArray truth = backend.random(a.domain(), FLOAT64, 42);
            Vector y = a.times(truth);

            Solver inversion = Cgls.of(a, y).iterations(1000).tolerance(1e-10);
            Vector x = inversion.solve();

            double error = x.minus(truth).norm() / truth.norm(); // collective: every rank computes it
            if (comm.rank() == 0) {
                System.out.printf("%s, relative error %.1e%n", inversion.result(), error);
            }
        }
    }
}
