// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.core.contract.CloseStress;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls while another thread closes what they use. For one PE, because closing is collective. */
class CloseStressContract {
    @BeforeEach
    void nothingIsOpen() {
        Pes.close();
    }

    /** The objects that the calls of one round use. */
    private static final class Things implements CloseStress.Things {
        final Nvshmem shmem = Pes.current();
        final Stream stream = Pes.device().newStream();
        final SymmetricArray x = shmem.allocate(DataType.FLOAT32, 256);
        final SymmetricArray y = shmem.allocate(DataType.FLOAT32, 256);
        final SymmetricArray n = shmem.allocate(DataType.UINT64, 4);
        final Team team = Objects.requireNonNull(shmem.world().splitStrided(0, 1, shmem.nPes()));

        @Override
        public Map<String, Runnable> calls() {
            Map<String, Runnable> calls = new LinkedHashMap<>();
            calls.put("put in a stream", () -> shmem.put(x, y, 0, stream));
            calls.put("put", () -> shmem.put(x, y, 0));
            calls.put("get", () -> shmem.get(y, x, 0));
            calls.put("one value", () -> {
                shmem.p(n, 0, 1, 0);
                assertThat(shmem.g(n, 0, 0)).isNotNegative();
            });
            calls.put("signal", () -> shmem.putSignal(x, y, n, 1, 1, SignalOp.SET, 0, stream));
            calls.put("barrier", () -> shmem.barrierAll(stream));
            calls.put("quiet", () -> shmem.quiet(stream));
            calls.put("team in a stream", () -> team.sync(stream));
            calls.put("reduction", () -> team.reduce(x, y, ReduceOp.SUM, stream));
            calls.put("config", () -> assertThat(team.config()).isNotNull());
            calls.put("ptr", () -> assertThat(shmem.ptr(x, 0).address()).isNotZero());
            calls.put("synchronize", () -> shmem.synchronize(stream));
            return calls;
        }

        @Override
        public Map<String, Runnable> closers() {
            Map<String, Runnable> closers = new LinkedHashMap<>();
            closers.put("memory", x::close);
            closers.put("signals", n::close);
            closers.put("team", team::close);
            closers.put("stream", stream::close);
            closers.put("NVSHMEM", shmem::close);
            return closers;
        }

        @Override
        public void close(String closed) {
            team.close();
            n.close();
            y.close();
            x.close();
            stream.close();
            assertThat(shmem.isOpen()).as(closed + ": " + shmem).isEqualTo(!closed.equals("NVSHMEM"));
        }
    }

    @Test
    void noCallMeetsWhatAnotherThreadCloses() {
        assertThat(Pes.world().size()).isOne();
        CloseStress.run(Things::new, 5);
    }
}
