// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Long2;
import org.comm4j.kernel.lang.Order;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.test.Nightly;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Atomics on 128 bits, whose halves are never seen apart. */
abstract class WideAtomicsContract {
    /** Adds 1 to the first half and 3 to the second, by each thread several times. */
    @Kernel
    static void counts(int times, I64Ptr pair, I32Ptr torn) {
        for (int i = 0; i < times; i++) {
            Long2 seen = new Long2(0, 0);
            while (true) {
                Long2 old = pair.atomicCas2(2, seen, new Long2(seen.x() + 1, seen.y() + 3));
                if (old.y() != 3 * old.x()) {
                    torn.atomicAdd(0, 1);
                }
                if (old.x() == seen.x() && old.y() == seen.y()) {
                    break;
                }
                seen = old;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void compareAndSwapTakesBothHalves(Machine machine) {
        boolean isFast =
                !(machine instanceof Machine.Cpu(CpuOptions options, var _)) || options.equals(CpuOptions.fast());
        int times = isFast ? Nightly.times(10, 50) : 2;
        HostArray pair = HostArray.allocate(DataType.INT64, 6);
        HostArray torn = HostArray.of(0);
        machine.launch(
                machine.kernel(WideAtomicsContract.class, "counts"),
                LaunchConfig.grid(16).block(64),
                times,
                pair,
                torn);
        long all = 16L * 64 * times;
        assertThat(torn.getInt(0)).isZero();
        assertThat(pair.toLongArray()).containsExactly(0, 0, all, 3 * all, 0, 0);
    }

    /** Each thread leaves its own pair, and takes away the one before. */
    @Kernel
    static void passes(I64Ptr slot, I64Ptr taken) {
        long own = GlobalIdx.x() + 1;
        Long2 old = slot.atomicExch2(0, new Long2(own, ~own));
        taken.set(2 * (own - 1), old.x());
        taken.set(2 * (own - 1) + 1, old.y());
    }

    @ParameterizedTest
    @MethodSource("machines")
    void exchangesLoseNothing(Machine machine) {
        int threads = 40 * 64;
        HostArray slot = HostArray.of(0L, ~0L);
        HostArray taken = HostArray.allocate(DataType.INT64, 2 * threads);
        machine.launch(
                machine.kernel(WideAtomicsContract.class, "passes"),
                LaunchConfig.grid(40).block(64),
                slot,
                taken);
        boolean[] seen = new boolean[threads + 1];
        for (int i = 0; i <= threads; i++) {
            HostArray from = i < threads ? taken : slot;
            int at = i < threads ? 2 * i : 0;
            long own = from.getLong(at);
            assertThat(from.getLong(at + 1)).isEqualTo(~own);
            assertThat(seen[(int) own]).as("twice %d", own).isFalse();
            seen[(int) own] = true;
        }
    }

    /** In shared memory, and with every scope and order. */
    @Kernel
    static void shared(@Constant Scope scope, @Constant Order order, I64Ptr out) {
        I64Ptr pair = I64Ptr.of(Shared.i64(2));
        if (ThreadIdx.x() == 0) {
            pair.set2(0, new Long2(1, -1));
        }
        Block.sync();
        Long2 seen = pair.atomicCas2(0, new Long2(0, 0), new Long2(0, 0), scope, order);
        while (true) {
            Long2 old = pair.atomicCas2(0, seen, new Long2(seen.x() + 1, seen.y() - 1), scope, order);
            if (old.equals(seen)) {
                break;
            }
            seen = old;
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            Long2 last = pair.atomicExch2(0, new Long2(7, 8), scope, order);
            out.set2(0, last);
            out.set2(2, pair.get2(0));
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void allScopesAndOrdersAreThere(Machine machine) {
        for (Scope scope : Scope.values()) {
            for (Order order : Order.values()) {
                HostArray out = HostArray.allocate(DataType.INT64, 4);
                machine.launch(
                        machine.kernel(WideAtomicsContract.class, "shared", scope, order),
                        LaunchConfig.grid(1).block(96),
                        out);
                assertThat(out.toLongArray()).as("%s %s", scope, order).containsExactly(97, -97, 7, 8);
            }
        }
    }
}
