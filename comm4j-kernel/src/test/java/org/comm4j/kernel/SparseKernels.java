// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Mbarrier;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.SharedMatrix;
import org.comm4j.kernel.lang.StructuredMatrix;
import org.comm4j.kernel.lang.TensorCopy;
import org.comm4j.kernel.lang.TensorMap;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Wgmma;
import org.comm4j.kernel.lang.WgmmaSparse;

/** Products of warpgroups whose left factor is a {@link StructuredMatrix}. */
final class SparseKernels {
    private SparseKernels() {}

    /**
     * One product of 64 × n and as many summed indices as two rows of 128 bytes have, B as n × k.
     *
     * @param steps numbers of a thread
     */
    @Kernel(maxThreads = 128)
    static void product(
            @Constant DataType type,
            @Constant int n,
            @Constant int steps,
            TensorMap a,
            I32Ptr metadata,
            TensorMap b,
            F32Ptr c) {
        I8Ptr memory = Shared.dynamicI8();
        I8Ptr left = memory.plus(-memory.address() & 1023);
        I8Ptr right = left.plus(64 * 128);
        int tile = (n + 7) / 8 * 1024;
        Mbarrier barrier = Mbarrier.of(Shared.i64(1));
        if (ThreadIdx.x() == 0) {
            a.acquire();
            b.acquire();
            barrier.init(1);
            Fence.mbarrierInit();
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            barrier.arriveExpecting(64 * 128 + 2 * n * 128);
            TensorCopy.toShared(left, a, 0, 0, barrier);
            TensorCopy.toShared(right, b, 0, 0, barrier);
            TensorCopy.toShared(right.plus(tile), b, 128 / type.bytes(), 0, barrier);
        }
        int[] words = new int[steps];
        for (int i = 0; i < steps; i++) {
            Unroll.all();
            words[i] = metadata.get(StructuredMatrix.index(0, steps, i, ThreadIdx.x()));
        }
        barrier.await(0);
        float[] d = new float[n / 2];
        SharedMatrix x = SharedMatrix.of(left);
        Wgmma.fence(d, n);
        for (int i = 0; i < 2; i++) {
            Unroll.all();
            SharedMatrix p = x.plus(64 * i);
            SharedMatrix q = SharedMatrix.of(right.plus(i * tile));
            if (type == DataType.BFLOAT16) {
                WgmmaSparse.bf16(d, p, q, i, words[i], 0, n, 0, 0);
                WgmmaSparse.bf16(d, p.plus(32), q.plus(64), 1, words[i], 1, n, 0, 0);
            } else if (type == DataType.FLOAT16) {
                WgmmaSparse.f16(d, p, q, i, words[i], 0, n, 0, 0);
                WgmmaSparse.f16(d, p.plus(32), q.plus(64), 1, words[i], 1, n, 0, 0);
            } else if (type == DataType.FLOAT32) {
                WgmmaSparse.tf32(d, p, q, i, words[i], 0, n);
                WgmmaSparse.tf32(d, p.plus(32), q.plus(64), 1, words[i], 1, n);
            } else if (type == DataType.FLOAT8_E4M3) {
                WgmmaSparse.e4m3(d, p, q, i, words[2 * i], n);
                WgmmaSparse.e4m3(d, p.plus(32), q.plus(64), 1, words[2 * i + 1], n);
            } else {
                WgmmaSparse.e5m2(d, p, q, i, words[2 * i], n);
                WgmmaSparse.e5m2(d, p.plus(32), q.plus(64), 1, words[2 * i + 1], n);
            }
        }
        Wgmma.commit();
        Wgmma.waitFor(d, n, 0);
        for (int i = 0; i < n / 2; i++) {
            Unroll.all();
            c.set((long) Wgmma.row(i) * n + Wgmma.column(i), d[i]);
        }
    }
}
