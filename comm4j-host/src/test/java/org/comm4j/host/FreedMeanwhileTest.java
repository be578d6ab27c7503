// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shared arena that one thread closes while another one communicates what is in it. */
@Timeout(60)
class FreedMeanwhileTest {
    private static final long MANY = 1 << 20;

    @Test
    void aMessageThatHasBegunEndsWithAnExceptionThatNamesTheMemory() {
        CountDownLatch closed = new CountDownLatch(1);
        World.threads(2, world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                if (comm.rank() == 0) {
                    Arena arena = Arena.ofShared();
                    HostArray data = HostArray.allocate(arena, DataType.FLOAT32, MANY);
                    Thread sender = Thread.currentThread();
                    Thread closer = Thread.ofPlatform().start(() -> {
                        // Nobody receives, so the sender stays there once it has come.
                        while (Arrays.stream(sender.getStackTrace())
                                .noneMatch(frame -> frame.getClassName().equals(Pause.class.getName()))) {
                            Thread.onSpinWait();
                        }
                        close(arena);
                        closed.countDown();
                    });
                    assertThatThrownBy(() -> comm.send(data, 1))
                            .isInstanceOf(CommException.class)
                            .hasMessageContaining("send")
                            .hasMessageContaining("HostArray[1048576 x FLOAT32, freed]")
                            .hasMessageContaining("was freed in the middle of the call");
                    closer.join();
                    assertThatThrownBy(comm::barrier).isInstanceOf(IllegalStateException.class);
                } else {
                    closed.await();
                    HostArray target = HostArray.allocate(DataType.FLOAT32, MANY);
                    assertThatThrownBy(() -> comm.recv(target, 0)).isInstanceOf(CommException.class);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void close(Arena arena) {
        while (arena.scope().isAlive()) {
            try {
                arena.close();
            } catch (IllegalStateException usedAtThisMoment) {
                assertThat(usedAtThisMoment).hasMessageContaining("acquired");
            }
        }
    }
}
