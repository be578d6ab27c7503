// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/** Atomic operations. */
final class AtomicCases {
    private static final DataType[] TYPES = {DataType.INT32, DataType.UINT32, DataType.INT64, DataType.UINT64};

    private AtomicCases() {}

    static void fetchedLater(OpenShmem shmem) {
        for (DataType type : TYPES) {
            try (SymmetricArray a = shmem.allocate(type, shmem.nPes())) {
                HostArray fetched = HostArray.allocate(type, 1);
                int pe = (shmem.myPe() + 1) % shmem.nPes();
                int i = shmem.myPe();
                long[] expected = {0, 5, 6, 9, 8, 12, 5, 40};
                shmem.atomicFetchNbi(fetched, a, i, pe);
                check(shmem, fetched, expected[0]);
                shmem.atomicSet(a, i, 5, pe);
                shmem.atomicFetchIncNbi(fetched, a, i, pe);
                check(shmem, fetched, expected[1]);
                shmem.atomicFetchAddNbi(fetched, a, i, 3, pe);
                check(shmem, fetched, expected[2]);
                shmem.atomicFetchAndNbi(fetched, a, i, 8, pe);
                check(shmem, fetched, expected[3]);
                shmem.atomicFetchOrNbi(fetched, a, i, 4, pe);
                check(shmem, fetched, expected[4]);
                shmem.atomicFetchXorNbi(fetched, a, i, 9, pe);
                check(shmem, fetched, expected[5]);
                shmem.atomicSwapNbi(fetched, a, i, 40, pe);
                check(shmem, fetched, expected[6]);
                shmem.atomicCompareSwapNbi(fetched, a, i, 40, 41, pe);
                check(shmem, fetched, expected[7]);
                shmem.barrierAll();
            }
        }
    }

    private static void check(OpenShmem shmem, HostArray fetched, long expected) {
        shmem.quiet();
        assertThat(fetched.getLong(0)).isEqualTo(expected);
    }
}
