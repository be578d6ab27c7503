// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Pgas;
import org.comm4j.core.SignalOp;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.World;

/** Parcels go around the ring of PEs; each PE adds its number to all of them and sends them on, with a signal. */
class ShmemRing {
    private static final int ROUNDS = 100;
    private static final int COUNT = 1000;

    public static void main(String[] args) {
        try (World world = World.join();
                Pgas shmem = world.pgas();
                SymmetricBuffer inbox = shmem.allocate(DataType.FLOAT64, COUNT);
                SymmetricBuffer arrived = shmem.allocate(DataType.UINT64, 1)) {
            int me = shmem.myPe();
            int n = shmem.nPes();
            HostArray parcel = HostArray.allocate(DataType.FLOAT64, COUNT);
            for (int round = 1; round <= ROUNDS; round++) {
                if (me > 0 || round > 1) {
                    // The first PE takes what the round before has brought.
                    int expected = me > 0 ? round : round - 1;
                    long ignored = shmem.signalWaitUntil(arrived, 0, Comparison.EQ, expected);
                    inbox.copyTo(parcel);
                }
                for (int i = 0; i < COUNT; i++) {
                    parcel.setDouble(i, parcel.getDouble(i) + me);
                }
                // Who sees the signal sees the data.
                shmem.putSignal(inbox, parcel, arrived, 0, round, SignalOp.SET, (me + 1) % n);
            }
            shmem.barrierAll();
            if (me == 0) {
                double expected = ROUNDS * (n * (n - 1) / 2.0);
                double got = shmem.gDouble(inbox, COUNT - 1, 0);
                System.out.println(ROUNDS + " rounds over " + n + " PEs, " + shmem.engine() + ": " + got
                        + (got == expected ? ", as it should be" : " instead of " + expected));
            }
        }
    }
}
