// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.comm4j.core.CommException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("stub")
class StubStreamTest extends StreamContract {
    @BeforeAll
    static void load() {
        StubDriver.load();
    }

    @Override
    void hold(CountDownLatch gate) {
        StubDriver.stall(stream.handle(), true);
    }

    @Override
    void release(CountDownLatch gate) {
        StubDriver.stall(stream.handle(), false);
    }

    @Test
    void anInterruptEndsAWaitWithATimeout() {
        StubDriver.stall(stream.handle(), true);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> stream.synchronize(Duration.ZERO))
                .isInstanceOf(CommException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        StubDriver.stall(stream.handle(), false);
    }

    @Test
    void eventsBelongToTheirDevice() {
        try (Device peer = Device.of(1);
                Event event = peer.newTimingEvent();
                Event own = device.newTimingEvent()) {
            assertThatThrownBy(() -> stream.record(event))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Event[device 1]");
            stream.await(event);
            assertThatThrownBy(() -> own.millisSince(event)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Stream.wrap(peer, stream.handle().address()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another context");
        }
    }
}
