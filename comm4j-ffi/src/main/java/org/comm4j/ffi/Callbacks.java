// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.LongConsumer;

/**
 * C's {@code void (*)(void *)}, the type of most callbacks, in both directions; and functions of four pointers, which
 * MPI's reductions are.
 */
@SuppressWarnings("restricted") // making and calling function pointers is what this class is for
public final class Callbacks {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final FunctionDescriptor TYPE = FunctionDescriptor.ofVoid(JAVA_LONG);
    private static final MethodHandle ACCEPT;
    private static final MethodHandle ACCEPT_FOUR;
    private static final MethodHandle CALL = LINKER.downcallHandle(TYPE);

    static {
        try {
            ACCEPT = MethodHandles.publicLookup()
                    .findVirtual(LongConsumer.class, "accept", MethodType.methodType(void.class, long.class));
            ACCEPT_FOUR = MethodHandles.lookup()
                    .findVirtual(
                            FourPointers.class,
                            "accept",
                            MethodType.methodType(void.class, long.class, long.class, long.class, long.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Callbacks() {}

    /** Code that a library calls with four pointers. */
    @FunctionalInterface
    public interface FourPointers {
        void accept(long first, long second, long third, long fourth);
    }

    /** The same as the other one for a function of four pointers. */
    public static MemorySegment pointerTo(FourPointers body, Arena arena) {
        FourPointers guarded = (first, second, third, fourth) -> {
            try {
                body.accept(first, second, third, fourth);
            } catch (Throwable e) {
                report(e);
            }
        };
        return LINKER.upcallStub(
                ACCEPT_FOUR.bindTo(guarded),
                FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                arena);
    }

    /**
     * A C function pointer that runs Java code, on whatever thread the library calls it. What the code throws goes to
     * the thread's handler of uncaught exceptions: C cannot receive it. What that throws is lost.
     *
     * @param body gets the pointer that the library passes
     * @param arena the pointer is valid as long as this one lives; a call after that ends the process
     */
    public static MemorySegment pointerTo(LongConsumer body, Arena arena) {
        LongConsumer guarded = argument -> {
            try {
                body.accept(argument);
            } catch (Throwable e) {
                report(e);
            }
        };
        return LINKER.upcallStub(ACCEPT.bindTo(guarded), TYPE, arena);
    }

    /**
     * As when a thread ends by an exception, what the handler throws is lost. Anything that went to C would end the
     * process.
     */
    private static void report(Throwable thrown) {
        try {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable ignored) {
            // There is nobody left to tell.
        }
    }

    /**
     * Calls a C function pointer. The caller vouches for the address.
     *
     * @throws IllegalCallerException if the caller's module has no {@linkplain NativeAccess native access}
     */
    public static void call(long function, long argument) {
        NativeAccess.checkCaller("Callbacks.call");
        try {
            CALL.invokeExact(MemorySegment.ofAddress(function), argument);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a function of C threw", e);
        }
    }
}
