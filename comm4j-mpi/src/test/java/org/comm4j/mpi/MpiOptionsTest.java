// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.junit.jupiter.api.Test;

class MpiOptionsTest {
    private static Call allReduce(long bytes) {
        HostArray x = HostArray.allocate(DataType.UINT8, bytes);
        return new Call(0, 2).allReduce(x, x, ReduceOp.SUM);
    }

    @Test
    void whatTheVariableSays() {
        assertThat(MpiOptions.of(null)).isEqualTo(MpiOptions.polling());
        assertThat(MpiOptions.of(" Poll ")).isEqualTo(MpiOptions.polling());
        assertThat(MpiOptions.of("block")).isEqualTo(MpiOptions.blocking());
        assertThatThrownBy(() -> MpiOptions.of("sleep"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("COMM4J_MPI_WAIT is 'sleep'; it is poll, the default, or block");
    }

    /** Ranks meet before large collectives of libraries that gain by it, and nowhere else. */
    @Test
    void whichWayACallGoes() {
        Ways openMpi = new Ways(MpiOptions.polling(), true, true);
        assertThat(openMpi.meets(allReduce(Ways.MEET_FROM))).isTrue();
        assertThat(openMpi.meets(allReduce(Ways.MEET_FROM - 1))).isFalse();
        assertThat(openMpi.meets(new Call(0, 2).barrier())).isFalse();
        assertThat(openMpi.meets(new Call(0, 2).send(HostArray.allocate(DataType.UINT8, Ways.MEET_FROM), 1)))
                .isFalse();
        assertThat(new Ways(MpiOptions.polling(), false, true).meets(allReduce(1 << 20)))
                .isFalse();
        assertThat(new Ways(MpiOptions.blocking(), true, true).isBlocking()).isTrue();
        Ways oneThread = new Ways(MpiOptions.blocking(), true, false);
        assertThat(oneThread.isBlocking()).isFalse();
        assertThat(oneThread.meets(allReduce(1 << 20))).isFalse();
    }
}
