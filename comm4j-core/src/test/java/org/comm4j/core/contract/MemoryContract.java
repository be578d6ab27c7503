// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.PersistentGroup;
import org.comm4j.core.Request;
import org.junit.jupiter.api.Test;

/** The memory that a communicator allocates, and gives back singly or at its end. */
abstract class MemoryContract extends Contract {
    MemoryContract(ContractEngine engine) {
        super(engine);
    }

    @RankCounts
    void allocatedMemoryIsZeroedTypedAndFreedWithItsCommunicator(int ranks) {
        probe(ranks, p -> {
            List<Buffer> arrays = new ArrayList<>();
            try (Communicator comm = CommunicatorContract.split(p.comm, 0, 0)) {
                for (DataType type : DataType.values()) {
                    for (long count : new long[] {0, 1, 1000 + p.rank}) {
                        Buffer array = comm.allocate(type, count);
                        p.expect(array.type() == type && array.count() == count, "allocate gave " + array);
                        p.expect(array.address() % type.alignment() == 0, "not aligned: " + array);
                        p.expect("zero", array, HostArray.allocate(type, count));
                        array.copyFrom(sevens(type, count));
                        arrays.add(array);
                    }
                }
                for (Buffer array : arrays) {
                    p.expect("own memory", array, sevens(array.type(), array.count()));
                }
                comm.barrier();
            }
            for (Buffer array : arrays) {
                p.expect(!array.isAlive(), array + " is alive after its communicator was closed");
            }
        });
    }

    private static HostArray sevens(DataType type, long count) {
        HostArray sevens = HostArray.allocate(type, count);
        sevens.segment().fill((byte) 7);
        return sevens;
    }

    @Test
    void allocateOfNothingThatExists() {
        probe(ranks(2), p -> {
            assertThatThrownBy(() -> p.comm.allocate(null, 1)).isInstanceOf(NullPointerException.class);
            for (long count : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThatThrownBy(() -> p.comm.allocate(DataType.INT64, count))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(Long.toString(count));
            }
            MessageContract.expectInStep(p);
        });
    }

    // ---- free ----

    /** Its address comes again, so that it was given back; what was there does not. */
    @Test
    void tenThousandTimes() {
        probe(ranks(2), p -> {
            int times = Math.max(500, engine.times(10_000));
            Set<Long> addresses = new HashSet<>();
            for (int i = 0; i < times; i++) {
                p.at("time " + i);
                Buffer array = p.comm.allocate(DataType.INT64, 8000);
                addresses.add(array.address());
                if (i % 1000 < 2) {
                    p.expect("zero", array, HostArray.allocate(DataType.INT64, 8000));
                    array.copyFrom(sevens(DataType.INT64, 8000));
                }
                p.comm.free(array);
            }
            p.expect(addresses.size() <= times / 2, addresses.size() + " addresses in " + times + " allocations");
            MessageContract.expectInStep(p);
        });
    }

    @RankCounts
    void freedMemoryIsDeadWithSlicesAndViews(int ranks) {
        probe(ranks, p -> {
            for (long count : new long[] {0, 1, 999, 300_000}) {
                p.at(count + " elements");
                Buffer array = p.comm.allocate(DataType.INT64, count);
                Buffer kept = p.comm.allocate(DataType.INT64, count);
                kept.copyFrom(sevens(DataType.INT64, count));
                PersistentGroup again = p.comm.persistent(g -> g.broadcast(array, 0));
                again.run();
                List<Buffer> dead =
                        List.of(array, array.slice(count / 2, count - count / 2), array.view(DataType.UINT8));
                p.comm.free(array);
                for (Buffer each : dead) {
                    p.expect(!each.isAlive(), each + " is alive");
                    HostArray values = HostArray.allocate(each.type(), each.count());
                    expectFreed(() -> each.copyFrom(values));
                    expectFreed(() -> each.copyTo(values));
                    expectFreed(() -> each.fill(1));
                    expectFreed(each::toHost);
                    expectFreed(() -> p.comm.broadcast(each, 0));
                    expectFreed(() -> p.comm.broadcastAsync(each, 0));
                    expectFreed(() -> p.comm.group(g -> g.broadcast(each, 0)));
                    if (each instanceof HostArray host && count > 0) {
                        assertThatThrownBy(() -> host.getLong(0)).isInstanceOf(IllegalStateException.class);
                        assertThatThrownBy(() -> host.setLong(0, 1)).isInstanceOf(IllegalStateException.class);
                    }
                }
                expectFreed(again::run);
                p.expect("other memory", kept, sevens(DataType.INT64, count));
                p.comm.free(kept);
            }
            MessageContract.expectInStep(p);
        });
    }

    private static void expectFreed(ThrowingCallable use) {
        assertThatThrownBy(use).isInstanceOf(IllegalStateException.class).hasMessageMatching(".*(freed|closed).*");
    }

    @RankCounts({1, 2})
    void wrongFrees(int ranks) {
        probe(ranks, p -> {
            String where = "free on rank " + p.rank + " of " + ranks;
            Buffer mine = p.comm.allocate(DataType.INT32, 10);
            assertThatThrownBy(() -> p.comm.free(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContainingAll(where, "buffer is null");
            try (Communicator other = CommunicatorContract.split(p.comm, 0, 0)) {
                Buffer theirs = other.allocate(DataType.INT32, 10);
                for (Buffer wrong : List.of(mine.slice(1, 9), mine.slice(0, 10), p.ints(10), theirs)) {
                    assertThatThrownBy(() -> p.comm.free(wrong))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll(where, wrong.toString(), "allocate");
                    p.expect(wrong.isAlive(), wrong + " was freed");
                }
                other.barrier();
            }
            assertThatThrownBy(() -> p.comm.group(g -> p.comm.free(mine)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(where, "body of a group");
            p.expect("what was not freed", mine, HostArray.allocate(DataType.INT32, 10));
            p.comm.free(mine);
            assertThatThrownBy(() -> p.comm.free(mine))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(where, mine.toString(), "freed");
            MessageContract.expectInStep(p);
        });
    }

    @RankCounts
    void freedAndThenClosed(int ranks) {
        probe(ranks, p -> {
            Communicator comm = CommunicatorContract.split(p.comm, 0, 0);
            Buffer early = comm.allocate(DataType.INT8, 100);
            Buffer late = comm.allocate(DataType.INT8, 100);
            comm.free(early);
            comm.barrier();
            comm.close();
            comm.close();
            for (Buffer each : List.of(early, late)) {
                p.expect(!each.isAlive(), each + " is alive");
                expectFreed(() -> comm.free(each));
            }
            MessageContract.expectInStep(p);
        });
    }

    /** An operation that was called before has the memory until it ends, and nobody else does. */
    @RankCounts(2)
    void freedWhileAMessageIsUnderWay(int ranks) {
        probe(ranks, p -> {
            for (int count : new int[] {1, 1000, 1 << 20}) {
                p.at(count + " elements");
                Buffer x = p.comm.allocate(DataType.INT32, count);
                if (p.rank == 0) {
                    x.fill(7);
                    Request sending = p.comm.sendAsync(x, 1);
                    p.comm.free(x);
                    assertThat(x.isAlive()).isFalse();
                    Buffer next = p.comm.allocate(DataType.INT32, count);
                    next.fill(9);
                    sending.await();
                    p.comm.free(next);
                } else {
                    p.comm.recv(x, 0);
                    HostArray sevens = HostArray.allocate(DataType.INT32, count);
                    sevens.fill(7);
                    p.expect("message", x, sevens);
                    Request back = p.comm.sendAsync(x, 0);
                    p.comm.free(x);
                    back.await();
                }
                if (p.rank == 0) {
                    Buffer back = p.comm.allocate(DataType.INT32, count);
                    Request receiving = p.comm.recvAsync(back, 1);
                    p.comm.free(back);
                    receiving.await();
                }
            }
            MessageContract.expectInStep(p);
        });
    }
}
