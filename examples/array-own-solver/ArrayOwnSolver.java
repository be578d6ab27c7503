// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import static org.comm4j.core.DataType.FLOAT64;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Dots;
import org.comm4j.array.Layout;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.operator.Identity;
import org.comm4j.operator.Laplacian;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.VStack;

/** Smooths a noisy image by a solver of its own: steps along the gradient, of Barzilai and Borwein's lengths. */
public final class ArrayOwnSolver {
    private ArrayOwnSolver() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        try (World world = World.join();
                Communicator comm = world.communicator();
                Backend backend = Backend.of(comm)) {
            // |x - image|² + |2 L x|²: the image is random, and L is the Laplacian.
            Layout grid = backend.scattered(0, 200, 150);
            DistributedArray image = backend.random(grid, FLOAT64, 42);
            LinearOperator identity = Identity.of(backend, grid, FLOAT64);
            LinearOperator laplacian = Laplacian.of(backend, grid, 0, 1).build();
            LinearOperator a = VStack.of(identity, laplacian.times(2));
            StackedArray data = StackedArray.of(image, backend.zeros(grid, FLOAT64));

            Vector x = image.like();
            int iterations = minimise(a, data, x, 1e-8, 500);

            // At the smallest value the gradient Aᴴ (A x - data) is zero.
            double gradient = a.H().times(a.times(x).minus(data)).norm()
                    / a.H().times(data).norm();
            double before = laplacian.times(image).norm();
            double after = laplacian.times(x).norm();
            if (comm.rank() == 0) {
                System.out.printf(
                        "%d iterations, relative gradient below 1e-8: %b, the Laplacian fell to %.1f %%%n",
                        iterations, gradient < 1e-8 * 1.01, 100 * after / before);
            }
        }
    }

    /**
     * Minimises |A x - data|² from the given x, in place. An iteration is A, Aᴴ and one reduction over the ranks, and
     * makes no array.
     *
     * @return the number of iterations
     */
    static int minimise(LinearOperator a, Vector data, Vector x, double tolerance, int most) {
        try (Vector residual = a.times(x);
                Vector gradient = x.like();
                Vector image = data.like()) {
            residual.axpy(-1, data);
            Dots dots = Dots.of(gradient, gradient).and(image, image); // both in one pass and one reduction
            double first = 0;
            double step = 0;
            for (int i = 0; ; i++) {
                a.rmatvec(residual, gradient);
                a.matvec(gradient, image);
                dots.reduce();
                double square = dots.real(0);
                first = i == 0 ? square : first;
                // Decided by reduced numbers, which are equal on every rank.
                if (i == most || square <= tolerance * tolerance * first) {
                    return i;
                }
                // The best step is taken one iteration late, which is what makes the method fast.
                double best = square / dots.real(1);
                step = i == 0 ? best : step;
                x.axpy(-step, gradient);
                residual.axpy(-step, image);
                step = best;
            }
        }
    }
}
