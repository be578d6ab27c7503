// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.device.PeerCollectives.Algorithm;
import org.comm4j.kernel.BlockDim;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.F32Ptr;
import org.comm4j.kernel.ThreadIdx;

/** {@link PeerCollectives} against a loop over the PEs, in the same order, on the host. */
final class PeerCases {
    /** 0, 1, odd ones, and those around the pieces in which data goes. */
    private static final int[] COUNTS = {0, 1, 2, 3, 7, 8, 16, 31, 64, 127, 255, 256, 257, 1000, 4099};

    private static final DataType[] TYPES = {DataType.FLOAT32, DataType.INT32, DataType.FLOAT16, DataType.BFLOAT16};
    private static final ReduceOp[] OPS = {ReduceOp.SUM, ReduceOp.MIN, ReduceOp.MAX};
    private static final Algorithm[] ALGORITHMS = {Algorithm.ONE_SHOT, Algorithm.TWO_SHOT};

    private PeerCases() {}

    /** What a PE puts in: any PE can tell. */
    private static HostArray data(DataType type, long count, int pe, long seed) {
        HostArray data = HostArray.allocate(type, count);
        SplittableRandom random = new SplittableRandom(seed * 31 + pe);
        for (long i = 0; i < count; i++) {
            if (type == DataType.INT32) {
                data.setInt(i, random.nextInt());
            } else {
                data.setDouble(i, random.nextDouble() * 200 - 100);
            }
        }
        return data;
    }

    private static void combine(HostArray sums, long at, HostArray[] sources, long from, ReduceOp op) {
        if (sums.type() == DataType.INT32) {
            int value = sources[0].getInt(from);
            for (int pe = 1; pe < sources.length; pe++) {
                int next = sources[pe].getInt(from);
                value = op == ReduceOp.SUM ? value + next : op == ReduceOp.MIN ? Math.min(value, next) : Math.max(value, next);
            }
            sums.setInt(at, value);
            return;
        }
        float value = (float) sources[0].getDouble(from);
        for (int pe = 1; pe < sources.length; pe++) {
            float next = (float) sources[pe].getDouble(from);
            value = op == ReduceOp.SUM ? value + next : op == ReduceOp.MIN ? Math.min(value, next) : Math.max(value, next);
        }
        sums.setDouble(at, value);
    }

    private static HostArray[] all(DataType type, long count, int pes, long seed) {
        HostArray[] all = new HostArray[pes];
        for (int pe = 0; pe < pes; pe++) {
            all[pe] = data(type, count, pe, seed);
        }
        return all;
    }

    private static void check(Buffer found, HostArray expected, String what) {
        assertThat(found.toHost().toByteArray(expected)).as(what).isEqualTo(expected);
    }

    static void allReduce(TestPe pe) {
        try (PeerCollectives peers = pe.peers()) {
            SplittableRandom random = pe.random();
            for (int count : COUNTS) {
                for (DataType type : TYPES) {
                    for (Algorithm algorithm : ALGORITHMS) {
                        ReduceOp op = OPS[random.nextInt(OPS.length)];
                        boolean inPlace = random.nextBoolean();
                        boolean symmetric = random.nextBoolean();
                        long offset = random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 0;
                        long seed = random.nextLong();
                        oneAllReduce(pe, peers, count, type, algorithm, op, inPlace, symmetric, offset, seed);
                    }
                }
            }
        }
    }

    private static void oneAllReduce(
            TestPe pe,
            PeerCollectives peers,
            int count,
            DataType type,
            Algorithm algorithm,
            ReduceOp op,
            boolean inPlace,
            boolean symmetric,
            long offset,
            long seed) {
        HostArray[] all = all(type, count, pe.nPes(), seed);
        Buffer source = pe.some(symmetric, type, offset + count).slice(offset, count);
        source.copyFrom(all[pe.myPe()]);
        Buffer destination = inPlace ? source : pe.some(symmetric, type, offset + count).slice(offset, count);
        HostArray expected = HostArray.allocate(type, count);
        for (int i = 0; i < count; i++) {
            combine(expected, i, all, i, op);
        }
        peers.allReduce(destination, source, op, algorithm);
        check(
                destination,
                expected,
                algorithm + " " + op + " of " + count + " " + type + (inPlace ? " in place" : "")
                        + (symmetric ? " symmetric" : "") + " at " + offset);
    }
}
