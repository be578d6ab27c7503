// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.mpi.Mpi;
import org.comm4j.mpi.MpiCommunicator;
import org.comm4j.mpi.Prepared;

/** The area under 4 / (1 + x²) between 0 and 1, by rectangles that the ranks share. */
class MpiPi {
    private static final int STEPS = 4;
    private static final int FEWEST = 1000;

    public static void main(String[] args) {
        try (World world = World.join();
                MpiCommunicator comm = Mpi.communicator(world)) {
            HostArray part = HostArray.allocate(DataType.FLOAT64, 1);
            HostArray pi = HostArray.allocate(DataType.FLOAT64, 1);
            try (Prepared sum = comm.prepareAllReduce(part, pi, ReduceOp.SUM)) {
                long rectangles = FEWEST;
                for (int step = 0; step < STEPS; step++, rectangles *= 10) {
                    long mine = rectangles / comm.size() + (comm.rank() < rectangles % comm.size() ? 1 : 0);
                    HostArray first = HostArray.of(0L);
                    comm.exclusiveScan(HostArray.of(mine), first, ReduceOp.SUM);
                    part.setDouble(0, area(first.getLong(0), mine, rectangles));
                    sum.start();
                    sum.await();
                    if (comm.rank() == 0) {
                        double error = Math.abs(pi.getDouble(0) - Math.PI);
                        System.out.println(
                                "%8d rectangles: %.12f, off by %.1e".formatted(rectangles, pi.getDouble(0), error));
                    }
                }
            }
        }
    }

    private static double area(long first, long count, long rectangles) {
        double sum = 0;
        for (long i = first; i < first + count; i++) {
            double x = (i + 0.5) / rectangles;
            sum += 4 / (1 + x * x);
        }
        return sum / rectangles;
    }
}
