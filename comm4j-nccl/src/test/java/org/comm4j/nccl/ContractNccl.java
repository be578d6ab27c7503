// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.contract.ContractEngine;
import org.comm4j.core.spi.Call;
import org.jspecify.annotations.Nullable;

/** What NCCL may say about itself, simulated or not. */
interface ContractNccl extends ContractEngine {
    @Override
    default Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
        return ((NcclCommunicator) comm).device().allocate(type, count);
    }

    @Override
    default boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
        return op == null || Types.reduces(op, type);
    }

    /** The real one. */
    interface OnGpus extends ContractNccl {
        @Override
        default boolean reducesInRankOrder() {
            return false;
        }

        /** Making a communicator takes NCCL a good part of a second. */
        @Override
        default int times(int usual) {
            return Math.max(2, usual / 20);
        }
    }
}
