// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import static org.comm4j.core.DataType.FLOAT64;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.LinearOperator;

/** Makes arrays that are divided among the ranks, computes with them, and applies an operator. */
public final class ArrayFirst {
    private ArrayFirst() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        try (World world = World.join();
                Communicator comm = world.communicator();
                Backend backend = Backend.of(comm)) {
            // A layout knows every rank's part, and making one does not communicate.
            Layout rows = backend.scattered(0, 1001, 300);
            System.out.printf(
                    "rank %d has %d rows from row %d on%n",
                    comm.rank(), rows.localShape(comm.rank())[0], rows.start(comm.rank()));

            // The same numbers for any number of ranks; algebra is in place, on each rank for itself.
            DistributedArray x = backend.random(rows, FLOAT64, 42);
            DistributedArray y = backend.full(rows, FLOAT64, 1);
            y.axpy(-2, x);

            // Collective: every rank calls them, and every rank gets the result.
            double norm = y.norm();
            double product = x.dot(y).real();

            // The rows at the edges of the parts travel; the others do not.
            LinearOperator derivative = FirstDerivative.of(backend, rows, 0).build();
            Vector slope = derivative.times(x);
            double steepest = slope.norm(Double.POSITIVE_INFINITY);

            if (comm.rank() == 0) {
                System.out.printf("|y| = %.6f, x.y = %.6f, steepest slope %.6f%n", norm, product, steepest);
            }
        }
    }
}
