// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;

/** Wrong calls are exceptions that say what is wrong, and nothing has happened. */
final class MisuseCases {
    private MisuseCases() {}

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .isInstanceOfAny(
                        IllegalArgumentException.class, IndexOutOfBoundsException.class, IllegalStateException.class)
                .hasMessageContainingAll(words);
    }

    static void wrongArguments(OpenShmem shmem) {
        int n = shmem.nPes();
        try (SymmetricArray a = shmem.allocate(DataType.INT64, 10);
                SymmetricArray b = shmem.allocate(DataType.INT64, 10)) {
            HostArray mine = HostArray.allocate(DataType.INT64, 11);
            String here = "on PE " + shmem.myPe() + " of " + n;
            refused(() -> shmem.put(a, mine, 0), "put " + here, "11 elements", "SymmetricArray[10 x INT64]");
            refused(() -> shmem.put(a, mine, 5, n), "PE " + n + " is not one of 0 to " + (n - 1));
            refused(() -> shmem.put(a, mine, 5, -1), "PE -1");
            refused(() -> shmem.put(a, mine, -1, 0), "-1 elements");
            refused(() -> shmem.get(mine, a, 0), "get " + here);
            refused(() -> shmem.p(a, 10, 1, 0), "1 elements at 10");
            refused(() -> shmem.g(a, -1, 0), "at -1");
            refused(() -> shmem.iput(a, mine, 0, 1, 3, 0), "stride 0");
            refused(() -> shmem.iput(a, mine, 4, 1, 4, 0), "13 elements");
            refused(() -> shmem.iput(a, mine, Long.MAX_VALUE, 1, 4, 0), "count 4");
            refused(() -> shmem.ibput(a, mine, 1, 2, 2, 2, 0), "stride 1 is not at least 2");
            refused(() -> shmem.peQuiet(0, n), "peQuiet " + here, "PE " + n);
            refused(() -> shmem.atomicAdd(a, 10, 1, n - 1), "atomicAdd " + here);
            refused(() -> shmem.atomicAdd(a, 0, 1, n), "PE " + n);
            refused(() -> shmem.waitUntil(a, 10, Comparison.EQ, 0), "waitUntil " + here);
            refused(() -> shmem.world().broadcast(a, b, n), "root " + n);
            refused(() -> shmem.world().reduce(a.slice(0, 5), a.slice(1, 5), ReduceOp.SUM), "overlap");
            refused(() -> shmem.world().reduce(a, b.slice(0, 5), ReduceOp.SUM), "do not fit");
            refused(() -> shmem.world().fcollect(a, b.slice(0, 3)), "do not fit");
        }
    }

    /** Which argument it was. */
    private static void isNull(ThrowingCallable call, String name) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessageContaining(name);
    }

    static void nulls(OpenShmem shmem) {
        try (SymmetricArray a = shmem.allocate(DataType.INT64, 1)) {
            isNull(() -> shmem.allocate(null, 1), "type");
            isNull(() -> shmem.put(null, a, 0), "destination");
            isNull(() -> shmem.world().reduce(a, a, null), "op");
            isNull(() -> shmem.signal(a, 0, 1, null, 0), "op");
            isNull(() -> shmem.waitUntil(a, 0, null, 1), "comparison");
        }
    }

    static void wrongTypes(OpenShmem shmem) {
        try (SymmetricArray floats = shmem.allocate(DataType.FLOAT32, 4);
                SymmetricArray shorts = shmem.allocate(DataType.INT16, 4);
                SymmetricArray ints = shmem.allocate(DataType.INT32, 4)) {
            refused(() -> shmem.put(floats, HostArray.allocate(DataType.INT32, 4), 0), "does not have the type of");
            refused(() -> shmem.p(floats, 0, 1L, 0), "p of an integer");
            refused(() -> shmem.p(ints, 0, 1.0, 0), "p of a floating-point number");
            refused(() -> shmem.g(floats, 0, 0), "g of an integer");
            refused(() -> shmem.gDouble(ints, 0, 0), "g of a floating-point number");
            refused(() -> shmem.pComplex(floats, 0, 1, 2, 0), "pComplex");
            refused(() -> shmem.gComplex(ints, 0, 0), "gComplex");
            refused(() -> shmem.atomicAdd(shorts, 0, 1L, 0), "integers of 32 or 64 bits");
            refused(() -> shmem.atomicAdd(floats, 0, 1L, 0), "integers of 32 or 64 bits");
            refused(() -> shmem.atomicSwap(ints, 0, 1.0, 0), "FLOAT32 or FLOAT64");
            refused(() -> shmem.signal(ints, 0, 1, SignalOp.SET, 0), "signals");
            refused(() -> shmem.waitUntil(shorts, 0, Comparison.EQ, 0), "integers of 32 or 64 bits");
            refused(() -> shmem.world().reduce(floats, floats, ReduceOp.BAND), "BAND");
            refused(() -> shmem.world().broadcast(ints, floats, 0), "does not have the type");
        }
    }

    static void freedAndClosed(OpenShmem shmem) {
        SymmetricArray gone = shmem.allocate(DataType.INT64, 4);
        SymmetricArray part = gone.slice(1, 2);
        gone.close();
        refused(() -> shmem.p(gone, 0, 1, 0), "was freed");
        refused(() -> shmem.put(part, HostArray.of(1L), 0), "was freed");
        refused(() -> shmem.waitUntil(part, 0, Comparison.EQ, 1), "was freed");
        assertThat(gone).hasToString("SymmetricArray[4 x INT64, freed]");

        Team team = shmem.world().splitStrided(0, 1, shmem.nPes());
        Context context = team.newContext();
        context.close();
        try (SymmetricArray a = shmem.allocate(DataType.INT64, 4)) {
            refused(() -> context.p(a, 0, 1, 0), "was closed");
            refused(context::quiet, "was closed");
            team.sync();
            team.close();
            team.close();
            refused(team::sync, "sync on PE", "was closed");
            refused(() -> team.broadcast(a, a, 0), "was closed");
        }
        shmem.world().close();
        shmem.world().sync();
    }
}
