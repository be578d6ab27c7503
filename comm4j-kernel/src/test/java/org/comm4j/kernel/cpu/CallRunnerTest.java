// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.loops.LoopThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that go wrong before the method of the user begins. */
class CallRunnerTest {
    /** A thread that calls nothing. */
    private static final class Nothing implements LoopThreads.Calls {
        final List<Throwable> thrown = new ArrayList<>();

        @Override
        public Callable<Object> begins(int thread) {
            return null;
        }

        @Override
        public void ended(int thread, Object result) {
            throw new IllegalStateException("nothing was called");
        }

        @Override
        public void failed(int thread, Throwable why) {
            thrown.add(why);
        }

        @Override
        public void waits(int thread, LoopThreads.Wait what, int argument) {
            throw new IllegalStateException("nothing was called");
        }

        @Override
        public boolean leads(int first, int behind) {
            return false;
        }

        @Override
        public int count(int thread) {
            return 0;
        }
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatCannotBeginHasFailed() {
        Launch launch = new Launch("k", LaunchConfig.grid(1).block(2), CpuOptions.fast(), () -> {});
        CallingThreads threads = new CallingThreads(launch);
        Nothing calls = new Nothing();
        assertThat(threads.call(0, 2, calls)).isEqualTo(1);
        assertThat(calls.thrown).singleElement().satisfies(e -> assertThat(e).hasMessage("thread 0 calls nothing"));
        threads.close();
    }
}
