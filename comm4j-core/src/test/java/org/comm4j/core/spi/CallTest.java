// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.junit.jupiter.api.Test;

/** What engines see of a call. That wrong calls are refused is in the misuse contract, which every engine passes. */
class CallTest {
    private static final HostArray FOUR = HostArray.of(1, 2, 3, 4);
    private static final HostArray TWO = HostArray.of(1, 2);

    @Test
    void fields() {
        Call call = new Call(1, 2).allReduce(FOUR, FOUR, ReduceOp.MAX);
        assertThat(call.kind()).isEqualTo(Call.Kind.ALL_REDUCE);
        assertThat(call.send()).isSameAs(FOUR);
        assertThat(call.recv()).isSameAs(FOUR);
        assertThat(call.op()).isEqualTo(ReduceOp.MAX);
        assertThat(call.peer()).isEqualTo(-1);
        assertThat(call.type()).isEqualTo(DataType.INT32);
        assertThat(call.count()).isEqualTo(4);
        assertThat(call.bytes()).isEqualTo(16);
        assertThat(call).hasToString("allReduce(send 4 x INT32, recv 4 x INT32, MAX)");
    }

    @Test
    void countIsWhatRanksMustAgreeOn() {
        Call call = new Call(1, 2);
        HostArray other = HostArray.allocate(DataType.INT32, 4);
        assertThat(call.reduce(FOUR, null, ReduceOp.SUM, 0).count()).isEqualTo(4);
        assertThat(call.broadcast(null, FOUR, 0).count()).isEqualTo(4);
        assertThat(call.allGather(TWO, FOUR).count()).isEqualTo(2);
        assertThat(call.reduceScatter(FOUR, TWO, ReduceOp.SUM).count()).isEqualTo(2);
        assertThat(call.allToAll(FOUR, other).count()).isEqualTo(2);
        assertThat(call.gather(TWO, FOUR, 1).count()).isEqualTo(2);
        assertThat(call.scatter(null, TWO, 0).count()).isEqualTo(2);
        assertThat(call.send(FOUR, 0).count()).isEqualTo(4);
        assertThat(call.recv(FOUR, 0).count()).isEqualTo(4);
        assertThat(call.barrier().count()).isZero();
    }

    /** A rank that is not the root may pass anything where it takes no part; the engine does not get to see it. */
    @Test
    void buffersWithoutUseAreDropped() {
        Call call = new Call(1, 2);
        HostArray unfit = HostArray.of(1.0);
        assertThat(call.reduce(TWO, unfit, ReduceOp.SUM, 0).recv()).isNull();
        assertThat(call.broadcast(unfit, TWO, 0).send()).isNull();
        assertThat(call.gather(TWO, unfit, 0).recv()).isNull();
        assertThat(call.scatter(unfit, TWO, 0).send()).isNull();
        assertThat(call.isRoot()).isFalse();
        assertThat(call.gather(TWO, FOUR, 1).isRoot()).isTrue();
    }

    @Test
    void reusedCallForgetsThePreviousOne() {
        long[] twos = {2, 2};
        long[] at = {0, 2};
        HostArray other = HostArray.allocate(DataType.INT32, 4);
        Call call = new Call(0, 2).allToAllV(FOUR, twos, at, other, twos, at);
        assertThat(call.sendCounts()).isSameAs(twos);
        assertThat(call.recvOffsets()).isSameAs(at);
        call.barrier();
        assertThat(call.send()).isNull();
        assertThat(call.recv()).isNull();
        assertThat(call.sendCounts()).isEmpty();
        assertThat(call.recvOffsets()).isEmpty();
        assertThat(call.type()).isNull();
        assertThat(call).hasToString("barrier()");
    }

    @Test
    void keptCountsAreCopies() {
        long[] twos = {2, 2};
        Call call =
                new Call(0, 2).allGatherV(TWO, FOUR, twos, new long[] {0, 2}).keepCounts();
        twos[0] = 99;
        assertThat(call.recvCounts()).containsExactly(2, 2);
    }

    /** Nothing cannot overlap, wherever its address lies. */
    @Test
    void emptyBuffersDoNotOverlap() {
        Call call = new Call(0, 2);
        HostArray none = FOUR.slice(1, 0);
        assertThat(call.allGatherV(none, FOUR, new long[] {0, 2}, new long[] {3, 0})
                        .bytes())
                .isEqualTo(16);
        assertThat(call.allToAllV(none, new long[2], new long[2], FOUR, new long[] {0, 2}, new long[2])
                        .bytes())
                .isEqualTo(16);
        assertThat(call.allReduce(none, none, ReduceOp.SUM).bytes()).isZero();
    }

    /** Empty parts may lie anywhere, on top of others too. */
    @Test
    void emptyPartsDoNotOverlap() {
        new Call(1, 3).allGatherV(TWO, FOUR, new long[] {2, 2, 0}, new long[] {2, 0, 1});
        assertThatThrownBy(() -> new Call(1, 3).allGatherV(TWO, FOUR, new long[] {2, 2, 1}, new long[] {2, 0, 1}))
                .hasMessage("allGatherV on rank 1 of 3: the parts of ranks 1 and 2 overlap in recv");
    }

    @Test
    void messagesSayWhatToDo() {
        assertThatThrownBy(() -> new Call(2, 4).allReduce(FOUR, TWO, ReduceOp.SUM))
                .hasMessage("allReduce on rank 2 of 4: recv holds 2 elements instead of 4; pass a slice to communicate"
                        + " a part of a buffer");
        HostArray complex = HostArray.allocate(DataType.COMPLEX64, 2);
        assertThatThrownBy(() -> new Call(0, 4).allReduce(complex, complex, ReduceOp.MAX))
                .hasMessage("allReduce on rank 0 of 4: MAX is not defined for COMPLEX64; complex numbers have SUM, PROD"
                        + " and AVG");
        assertThatThrownBy(() -> new Call(0, 4).broadcast(FOUR, FOUR, 4))
                .hasMessage("broadcast on rank 0 of 4: root 4 is not a rank from 0 to 3");
    }
}
