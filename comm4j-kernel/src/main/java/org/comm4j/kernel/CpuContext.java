// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.util.function.Supplier;
import org.comm4j.kernel.cpu.KernelThread;
import org.jspecify.annotations.Nullable;

/**
 * What the Java bodies of device functions, which are what they do on the CPU, find of the program that has launched
 * the kernel: a library's handle, a random seed. On a GPU such a thing is in the device code's own variables.
 */
public final class CpuContext {
    private static final ScopedValue<Object> VALUE = ScopedValue.newInstance();

    private CpuContext() {}

    /** Runs {@code body}; kernels on the CPU that it launches have {@code value} for their context. */
    public static void run(Object value, Runnable body) {
        ScopedValue.where(VALUE, value).run(body);
    }

    /** Returns what {@code body} does; kernels that it launches or prepares have {@code value} for their context. */
    public static <T> T call(Object value, Supplier<T> body) {
        return ScopedValue.where(VALUE, value).call(body::get);
    }

    /** What {@link #run} has set in this thread; null without. */
    public static @Nullable Object current() {
        return VALUE.isBound() ? VALUE.get() : null;
    }

    /**
     * Within a kernel, the context of its launch.
     *
     * @param problem what to say if it has none of this type
     * @throws IllegalStateException if it has none of this type, or outside of a kernel
     */
    public static <T> T get(Class<T> type, Supplier<String> problem) {
        Object context = KernelThread.current().context();
        if (!type.isInstance(context)) {
            throw new IllegalStateException(problem.get());
        }
        return type.cast(context);
    }

    /**
     * Lets other threads of the kernel run: to be called by whatever waits for them, or for somebody else, within a
     * kernel.
     */
    public static void pause() {
        KernelThread.pause();
    }

    /**
     * Comes together with the other threads of the block, or warp, of which one is going to do something for all. What
     * a method does before, and what it returns, is the same for all of them: the first thread's call of it may be that
     * of the others, too.
     *
     * @return whether this thread is the one
     */
    public static boolean begin(boolean ofBlock) {
        return KernelThread.current().begin(ofBlock);
    }

    /** Waits for the thread that does something for all. */
    public static void end(boolean ofBlock) {
        KernelThread.current().end(ofBlock);
    }
}
