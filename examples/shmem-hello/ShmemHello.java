// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.Pgas;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.World;

/** Every PE puts its number into the memory of the next one. Which engine does it is not said here. */
class ShmemHello {
    public static void main(String[] args) {
        try (World world = World.join();
                Pgas shmem = world.pgas();
                SymmetricBuffer inbox = shmem.allocate(DataType.INT64, 1)) {
            int me = shmem.myPe();
            int next = (me + 1) % shmem.nPes();
            shmem.p(inbox, 0, me, next);
            // What was put before is there when all have come to this point.
            shmem.barrierAll();
            System.out.println(
                    "PE " + me + " of " + shmem.nPes() + ", " + shmem.engine() + ": got " + shmem.g(inbox, 0, me));
        }
    }
}
