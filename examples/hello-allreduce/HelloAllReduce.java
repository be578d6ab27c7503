// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;

/** Every rank contributes its number plus one; every rank gets the sum. */
class HelloAllReduce {
    public static void main(String[] args) {
        try (World world = World.join();
                Communicator comm = world.communicator()) {
            Buffer x = comm.allocate(DataType.FLOAT32, 1 << 20);
            x.fill(comm.rank() + 1);
            comm.allReduce(x, x, ReduceOp.SUM);
            System.out.println("rank " + comm.rank() + " of " + comm.size() + ": "
                    + x.slice(0, 1).toHost().getFloat(0));
        }
    }
}
