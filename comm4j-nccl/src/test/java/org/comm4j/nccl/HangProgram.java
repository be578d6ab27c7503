// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.time.Duration;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;

/** Two ranks, threads of this process, that both receive what nobody sends: {@link StandstillTest}. */
final class HangProgram {
    private HangProgram() {}

    public static void main(String[] args) {
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            Buffer buffer = comm.allocate(DataType.FLOAT32, 16);
            comm.timeout(Duration.ofSeconds(2));
            try {
                comm.recv(buffer, 1 - comm.rank());
            } catch (CommTimeoutException e) {
                System.out.println("in vain: " + e.getMessage());
            }
        });
    }
}
