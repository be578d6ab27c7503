// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class QuitSignalTest {
    /** In this JVM: what it would print itself would be in nobody's way but the build's. */
    @Test
    void theSignalComesToTheProgramEachTime() throws Exception {
        CountDownLatch ready = new CountDownLatch(1);
        Semaphore seen = new Semaphore(0);
        QuitSignal.listen(0, ready::countDown, seen::release);
        ready.await();
        for (int i = 0; i < 2; i++) {
            int code = new ProcessBuilder(
                            "kill",
                            "-QUIT",
                            Long.toString(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
            assertThat(code).isZero();
            assertThat(seen.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(seen.availablePermits()).isZero();
    }
}
