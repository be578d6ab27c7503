// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import static org.comm4j.core.DataType.FLOAT64;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Ghosts;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.solver.Cgls;
import org.comm4j.operator.solver.Solver;

/** Adds an echo to an array by an operator of its own, and removes it again by CGLS. */
public final class ArrayOwnOperator {
    private ArrayOwnOperator() {}

    /**
     * An echo along the first axis: row i of the result is row i of the array plus a part of row i - delay. It
     * communicates where that row is another rank's.
     */
    static final class Echo extends LinearOperator {
        private final Ghosts ghosts;
        private final Coefficient strength;
        private final long reach;
        private final long count;

        /**
         * Makes the operator, without communication.
         *
         * @param rows a layout that is divided along its first axis
         */
        Echo(Backend backend, Layout rows, int delay, double strength) {
            super(backend, rows, rows, FLOAT64);
            this.strength = Coefficient.of(strength);
            ghosts = new Ghosts(backend, rows, FLOAT64, delay);
            reach = delay * rows.length(1);
            count = rows.localSize(backend.rank());
        }

        @Override
        protected void apply(Vector x, Vector y) {
            Buffer from = part(x);
            Buffer to = part(y);
            long edge = Math.min(reach, count);
            ghosts.exchange(x.arrays().getFirst());
            y.assign(x);
            add(ghosts.before().slice(0, edge), to.slice(0, edge));
            add(from.slice(0, count - edge), to.slice(edge, count - edge));
        }

        @Override
        protected void applyAdjoint(Vector y, Vector x) {
            Buffer from = part(y);
            Buffer to = part(x);
            long edge = Math.min(reach, count);
            ghosts.exchange(y.arrays().getFirst());
            x.assign(y);
            add(ghosts.after().slice(reach - edge, edge), to.slice(count - edge, edge));
            add(from.slice(edge, count - edge), to.slice(0, count - edge));
        }

        /** Runs where the arrays are: loops on processors, or a kernel on the GPU. */
        private void add(Buffer from, Buffer to) {
            backend().compute().axpby(strength, from, Coefficient.ONE, to);
        }

        private static Buffer part(Vector vector) {
            return vector.arrays().getFirst().part();
        }
    }

    /** Takes no arguments. */
    public static void main(String[] args) {
        try (World world = World.join();
                Communicator comm = world.communicator();
                Backend backend = Backend.of(comm)) {
            LinearOperator echo = new Echo(backend, backend.scattered(0, 103, 40), 7, 0.6);
            double difference = echo.dottest(1); // whether both directions are adjoint

            DistributedArray sound = backend.random(echo.domain(), FLOAT64, 42);
            Solver solver = Cgls.of(echo, echo.times(sound)).iterations(200).tolerance(1e-12);
            double error = solver.solve().minus(sound).norm() / sound.norm();
            if (comm.rank() == 0) {
                System.out.printf("adjoint: %b, %s, relative error %.1e%n", difference < 1e-14, solver.result(), error);
            }
        }
    }
}
