// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Protection of memory that a library uses between two calls: meanwhile its arena cannot be closed. The JDK protects
 * the segments that are arguments of a native call for its length, so that the code in question runs inside of one: a
 * function pointer that leads back to Java.
 */
@SuppressWarnings("restricted") // a function pointer of one's own is called
public final class MemoryHold {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.ofVoid(ADDRESS, ADDRESS));
    private static final MemorySegment BACK;

    static {
        try {
            MethodHandle run =
                    MethodHandles.lookup().findStatic(MemoryHold.class, "run", MethodType.methodType(void.class));
            BACK = LINKER.upcallStub(run, FunctionDescriptor.ofVoid(), Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Code on its way into the native call, and what it threw on its way out; nothing of it crosses C. */
    private static final class Errand {
        private @Nullable Runnable body;
        private @Nullable Throwable thrown;
    }

    private static final ThreadLocal<Errand> ERRAND = ThreadLocal.withInitial(Errand::new);

    private MemoryHold() {}

    /**
     * Runs code during which the arenas of two segments cannot be closed: that is an {@link IllegalStateException} for
     * whoever tries. Allocates nothing.
     *
     * @param one and {@code two}: native memory, or {@link MemorySegment#NULL}
     * @throws IllegalStateException if an arena is closed already
     * @throws WrongThreadException if memory belongs to another thread
     */
    public static void during(MemorySegment one, MemorySegment two, Runnable body) {
        Errand errand = ERRAND.get();
        errand.body = body;
        try {
            CALL.invokeExact(BACK, one, two);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a function of C threw", e);
        } finally {
            errand.body = null;
        }
        Throwable thrown = errand.thrown;
        errand.thrown = null;
        switch (thrown) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError(thrown);
        }
    }

    /** The function behind the pointer; it has no use for the two addresses that it gets. */
    @SuppressWarnings("UnusedMethod") // found by its name
    private static void run() {
        Errand errand = ERRAND.get();
        Runnable body = errand.body;
        errand.body = null;
        try {
            if (body != null) {
                body.run();
            }
        } catch (Throwable e) {
            errand.thrown = e;
        }
    }

    /**
     * Keeps the arenas of two segments from being closed until the result runs, or as long as this process lives, at
     * the price of a thread. Memory of a confined arena cannot be kept: only its own thread could.
     *
     * @param one and {@code two}: native memory, or {@link MemorySegment#NULL}
     * @return what lets go of it; null if it cannot be kept, or was freed
     */
    public static @Nullable Runnable keep(MemorySegment one, MemorySegment two) {
        CountDownLatch answered = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicBoolean kept = new AtomicBoolean();
        Thread keeper = Thread.ofPlatform().daemon().name("comm4j memory kept").unstarted(() -> {
            try {
                during(one, two, () -> {
                    kept.set(true);
                    answered.countDown();
                    await(released);
                });
            } finally {
                answered.countDown();
            }
        });
        if (!one.isAccessibleBy(keeper) || !two.isAccessibleBy(keeper)) {
            return null;
        }
        keeper.setUncaughtExceptionHandler((thread, e) -> {});
        keeper.start();
        await(answered);
        return kept.get()
                ? () -> {
                    released.countDown();
                    try {
                        // Whoever closes the arena next can.
                        keeper.join();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                : null;
    }

    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
