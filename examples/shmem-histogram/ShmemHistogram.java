// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import java.util.SplittableRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Pgas;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.World;

/** A histogram whose bins are spread over the PEs: whoever has a number adds 1 to its bin, wherever that is. */
class ShmemHistogram {
    private static final int BINS = 21;
    private static final int NUMBERS = 20_000;
    private static final int WIDTH = 50;

    public static void main(String[] args) {
        try (World world = World.join();
                Pgas shmem = world.pgas()) {
            int n = shmem.nPes();
            int binsHere = Math.ceilDiv(BINS, n);
            try (SymmetricBuffer bins = shmem.allocate(DataType.INT64, binsHere)) {
                SplittableRandom random = new SplittableRandom(shmem.myPe());
                for (int i = shmem.myPe(); i < NUMBERS; i += n) {
                    int bin = bin(random);
                    shmem.atomicInc(bins, bin / n, bin % n);
                }
                shmem.barrierAll();
                if (shmem.myPe() == 0) {
                    print(shmem, bins, binsHere);
                }
                // The others keep their bins until they have been read.
                shmem.barrierAll();
            }
        }
    }

    /** Around the middle more often than at the ends. */
    private static int bin(SplittableRandom random) {
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += random.nextDouble();
        }
        return (int) (sum / 4 * BINS);
    }

    private static void print(Pgas shmem, SymmetricBuffer bins, int binsHere) {
        int n = shmem.nPes();
        long[] all = new long[BINS];
        long most = 0;
        long sum = 0;
        HostArray part = HostArray.allocate(DataType.INT64, binsHere);
        for (int pe = 0; pe < n; pe++) {
            shmem.get(part, bins, pe);
            for (int bin = pe; bin < BINS; bin += n) {
                all[bin] = part.getLong(bin / n);
                most = Math.max(most, all[bin]);
                sum += all[bin];
            }
        }
        for (long count : all) {
            System.out.printf("%6d %s%n", count, "#".repeat((int) (count * WIDTH / most)));
        }
        System.out.println(sum + " numbers of " + n + " PEs, " + shmem.engine()
                + (sum == NUMBERS ? ": none is missing" : ": " + (NUMBERS - sum) + " are missing"));
    }
}
