// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallbacksTest {
    @Test
    void javaCalledFromC() {
        List<Long> seen = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            long pointer = Callbacks.pointerTo(seen::add, arena).address();
            Callbacks.call(pointer, 42);
            Callbacks.call(pointer, -1);
        }
        assertThat(seen).containsExactly(42L, -1L);
    }

    @Test
    void whatItThrowsGoesToTheThreadsHandler() {
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        List<Throwable> seen = new ArrayList<>();
        IllegalStateException thrown = new IllegalStateException("on purpose");
        thread.setUncaughtExceptionHandler((which, e) -> seen.add(e));
        try (Arena arena = Arena.ofConfined()) {
            Callbacks.call(
                    Callbacks.pointerTo(
                                    argument -> {
                                        throw thrown;
                                    },
                                    arena)
                            .address(),
                    0);
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }
        assertThat(seen).containsExactly(thrown);
    }

    @Test
    void whatTheHandlerThrowsIsDropped() {
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((which, e) -> {
            throw new IllegalStateException("on purpose, too");
        });
        try (Arena arena = Arena.ofConfined()) {
            Callbacks.call(
                    Callbacks.pointerTo(
                                    argument -> {
                                        throw new IllegalStateException("on purpose");
                                    },
                                    arena)
                            .address(),
                    0);
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }
    }

    @Test
    void noFunctionIsCalledAtNull() {
        assertThatThrownBy(() -> Callbacks.call(0, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
