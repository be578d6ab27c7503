// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.PersistentGroup;
import org.comm4j.core.ReduceOp;

/** Operations that are collected once take what their buffers have each time. */
public abstract class PersistentContract extends Contract {
    protected PersistentContract(ContractEngine engine) {
        super(engine);
    }

    @RankCounts
    void contentsOfEachTime(int ranks) {
        probe(ranks, p -> {
            int right = (p.rank + 1) % ranks;
            int left = (p.rank + ranks - 1) % ranks;
            Buffer mine = p.memory(DataType.INT64, 3);
            Buffer theirs = p.memory(DataType.INT64, 3);
            Buffer sum = p.memory(DataType.INT64, 3);
            PersistentGroup ring = p.comm.persistent(g -> {
                g.send(mine, right);
                g.recv(theirs, left);
            });
            PersistentGroup sums = p.comm.persistent(g -> g.allReduce(mine, sum, ReduceOp.SUM));
            for (int round = 0; round < engine.times(8); round++) {
                p.at("round " + round);
                mine.copyFrom(HostArray.of(p.rank, (long) round, 7L));
                if (round % 2 == 0) {
                    ring.start();
                    sums.start();
                    // In the order of the calls: a blocking one comes after what was started.
                    p.comm.barrier();
                    ring.await();
                    sums.await();
                } else {
                    ring.run();
                    sums.run();
                }
                p.expect("message", theirs, HostArray.of(left, (long) round, 7L));
                p.expect("sum", sum, HostArray.of((long) ranks * (ranks - 1) / 2, (long) ranks * round, 7L * ranks));
            }
        });
    }

    @RankCounts(1)
    void wrongUse(int ranks) {
        probe(ranks, p -> {
            assertThatThrownBy(() -> p.comm.persistent(null)).isInstanceOf(NullPointerException.class);
            Buffer x = p.of(5L);
            PersistentGroup group = p.comm.persistent(g -> g.allReduce(x, x, ReduceOp.SUM));
            assertThatThrownBy(group::await)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not started");
            group.start();
            assertThatThrownBy(group::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("under way");
            assertThatThrownBy(group::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("under way");
            group.await();
            assertThatThrownBy(group::await).isInstanceOf(IllegalStateException.class);
            p.expect("sum", x, HostArray.of(5L));
        });
    }
}
