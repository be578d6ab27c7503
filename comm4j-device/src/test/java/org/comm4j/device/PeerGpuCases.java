// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.Stream;
import org.comm4j.device.PeerCollectives.Algorithm;
import org.comm4j.device.PeerTuning.Setting;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.NvshmemCommunicator;

/** What {@link PeerCollectives} do in streams and graphs. */
final class PeerGpuCases {
    static final List<String> NAMES =
            List.of("floods in streams", "graphs", "two streams", "large", "communicator", "a PE that does not come");

    private PeerGpuCases() {}

    static void runAll(PeerPlace pe, Nvshmem shmem) {
        try (Stream stream = shmem.device().newStream();
                Stream other = shmem.device().newStream()) {
            PeerProgram.run(NAMES.get(0), () -> flood(pe, stream));
            PeerProgram.run(NAMES.get(1), () -> graphs(pe, stream));
            PeerProgram.run(NAMES.get(2), () -> twoStreams(pe, stream, other));
            PeerProgram.run(NAMES.get(3), () -> large(pe, stream));
            PeerProgram.run(NAMES.get(4), () -> communicator(pe, shmem));
            // The last one: nothing works behind it.
            PeerProgram.run(NAMES.get(5), () -> absent(pe, stream));
        }
    }

    /** x becomes n x with each operation, modulo 2^32. */
    private static int power(int pes, int times) {
        int power = 1;
        for (int i = 0; i < times; i++) {
            power *= pes;
        }
        return power;
    }

    private static void flood(PeerPlace pe, Stream stream) {
        for (Algorithm algorithm : Algorithm.values()) {
            for (boolean symmetric : new boolean[] {true, false}) {
                for (int count : new int[] {1, 1000, 100_003}) {
                    Buffer x = pe.memory(0, symmetric, DataType.INT32, 0, count);
                    x.fill(1);
                    int times = 2000;
                    for (int i = 0; i < times; i++) {
                        pe.peers.allReduce(x, x, ReduceOp.SUM, algorithm, stream);
                    }
                    pe.peers.synchronize(stream);
                    all(x, power(pe.nPes(), times), algorithm + " of " + count);
                }
            }
        }
    }

    private static void all(Buffer found, int expected, String what) {
        int[] values = found.toHost().toIntArray();
        for (int i = 0; i < values.length; i++) {
            if (values[i] != expected) {
                assertThat(values[i]).as(what + ", element " + i).isEqualTo(expected);
            }
        }
    }

    private static void graphs(PeerPlace pe, Stream stream) {
        for (Algorithm algorithm : Algorithm.values()) {
            Buffer x = pe.memory(0, true, DataType.INT32, 0, 5000);
            x.fill(1);
            // Kernels are loaded by the first call.
            pe.peers.allReduce(x, x, ReduceOp.SUM, algorithm, stream);
            pe.peers.synchronize(stream);
            Graph graph = Graph.capture(stream, () -> {
                for (int i = 0; i < 7; i++) {
                    pe.peers.allReduce(x, x, ReduceOp.SUM, algorithm, stream);
                }
            });
            try (graph;
                    GraphExec exec = graph.instantiate()) {
                for (int i = 0; i < 50; i++) {
                    exec.launch(stream);
                    pe.peers.allReduce(x, x, ReduceOp.SUM, algorithm, stream);
                }
                pe.peers.synchronize(stream);
            }
            all(x, power(pe.nPes(), 1 + 50 * 8), "graph of " + algorithm);
        }
    }

    private static void twoStreams(PeerPlace pe, Stream stream, Stream other) {
        Buffer x = pe.memory(0, true, DataType.INT32, 0, 3000);
        x.fill(1);
        for (int i = 0; i < 200; i++) {
            pe.peers.allReduce(x, x, ReduceOp.SUM, i % 3 == 0 ? stream : other);
        }
        pe.peers.synchronize(stream);
        pe.peers.synchronize(other);
        all(x, power(pe.nPes(), 200), "two streams");
    }

    private static void large(PeerPlace pe, Stream stream) {
        int count = PeerPlace.BYTES / 4;
        for (boolean symmetric : new boolean[] {true, false}) {
            Buffer x = pe.memory(0, symmetric, DataType.INT32, 0, count);
            Buffer y = pe.memory(1, symmetric, DataType.INT32, 0, count);
            x.fill(pe.myPe() + 1);
            pe.peers.allReduce(y, x, ReduceOp.SUM, stream);
            pe.peers.synchronize(stream);
            all(y, pe.nPes() * (pe.nPes() + 1) / 2, "large, symmetric: " + symmetric);
        }
    }

    private static void communicator(PeerPlace pe, Nvshmem shmem) {
        PeerTuning tuning = pe.peers.tuning();
        PeerTuning direct = tuning.with(Setting.ONE_SHOT_BYTES, 0)
                .with(Setting.TWO_SHOT_BYTES, 0)
                .with(Setting.SCATTER_BYTES, 0)
                .with(Setting.MOVE_BYTES, 0);
        try (NvshmemCommunicator comm = shmem.communicator(pe.peers)) {
            for (DataType type :
                    new DataType[] {DataType.INT32, DataType.FLOAT32, DataType.FLOAT16, DataType.BFLOAT16}) {
                for (PeerTuning each : new PeerTuning[] {tuning, tuning.with(Setting.ONE_SHOT_BYTES, 0), direct}) {
                    pe.peers.tuning(each);
                    for (boolean symmetric : new boolean[] {true, false}) {
                        for (int count : new int[] {1, 1001, 60_000}) {
                            collectives(pe, comm, type, symmetric, count);
                        }
                    }
                }
            }
            comm.barrier();
        }
        pe.peers.tuning(tuning);
    }

    private static void collectives(
            PeerPlace pe, NvshmemCommunicator comm, DataType type, boolean symmetric, int count) {
        int me = pe.myPe();
        int pes = pe.nPes();
        Buffer one = pe.memory(0, symmetric, type, 0, count);
        Buffer whole = pe.memory(1, symmetric, type, 0, (long) pes * count);
        Buffer other = pe.memory(0, symmetric, type, 0, (long) pes * count);
        String what = type + " x " + count + (symmetric ? ", symmetric, " : ", ") + pe.peers.tuning();
        one.fill(me + 1);
        comm.allGather(one, whole);
        for (int each = 0; each < pes; each++) {
            same(whole.slice((long) each * count, count), each + 1, "allGather of " + what);
        }
        comm.allToAll(whole, other);
        same(other, me + 1, "allToAll of " + what);
        comm.reduceScatter(whole, one, ReduceOp.SUM);
        same(one, pes * (me + 1), "reduceScatter of " + what);
        comm.allReduce(one, one, ReduceOp.MAX);
        same(one, pes * pes, "allReduce of " + what);
    }

    private static void same(Buffer found, int expected, String what) {
        HostArray values = found.toHost();
        for (long i = 0; i < values.count(); i++) {
            double value = values.type().isInteger() ? values.getLong(i) : values.getDouble(i);
            if (value != expected) {
                assertThat(value).as(what + ", element " + i).isEqualTo(expected);
            }
        }
    }

    private static void absent(PeerPlace pe, Stream stream) {
        Buffer x = pe.memory(0, true, DataType.INT32, 0, 3000);
        pe.peers.timeout(Duration.ofMillis(500));
        pe.barrier();
        int missing = pe.nPes() - 1;
        if (pe.myPe() != missing) {
            pe.peers.allReduce(x, x, ReduceOp.SUM, Algorithm.ONE_SHOT, stream);
            pe.peers.allReduce(x, x, ReduceOp.SUM, Algorithm.DIRECT, stream);
            assertThatThrownBy(() -> pe.peers.synchronize(stream))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("for PE " + missing + " in vain");
            assertThatThrownBy(() -> pe.peers.allReduce(x, x, ReduceOp.SUM, stream))
                    .isInstanceOf(CommTimeoutException.class);
        }
        pe.barrier();
    }
}
