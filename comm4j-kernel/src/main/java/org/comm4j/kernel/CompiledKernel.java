// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.lang.reflect.Method;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.RepeatableLaunch;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Restrict;

/** A kernel that is ready to run, on a GPU ({@link GpuKernel}) or on the CPU. */
public interface CompiledKernel extends AutoCloseable {
    /** As messages call it: {@code Jacobi.step}. */
    String name();

    /** The Java method that it was made from. */
    Method method();

    KernelAttributes attributes();

    /**
     * How many blocks like these run at the same time: the largest grid of a cooperative launch, which all kernels have
     * that wait for other blocks or PEs. On the CPU, where any grid can wait, as many as there are processors.
     *
     * @param sharedBytes dynamic shared memory of a block
     */
    int residentBlocks(int threadsPerBlock, int sharedBytes);

    /**
     * Runs it, and returns when it is done. The number of arguments, their types and whether they are alive are checked
     * before anything starts. On the CPU the thread that calls allocates nothing for it, given an array of arguments
     * that is there already, unless one is a record of the program's own.
     *
     * @param arguments for {@code boolean}, {@code byte}, … {@code double} exactly these, boxed; for a pointer one of
     *     its class, or a buffer whose elements have its type; for a record or a view one of its class, or for a view a
     *     buffer. Values of parameters that are {@link Constant}, and those that a lambda has captured, are not given
     *     again.
     * @throws IllegalArgumentException if an argument does not fit its parameter, cannot be reached or overlaps one
     *     that is marked {@link Restrict}, or the shape does not fit this kernel or device
     * @throws IllegalStateException if an array was freed, or the kernel closed
     */
    void launch(LaunchConfig config, Object... arguments);

    /**
     * Returns a launch that is checked now and then repeated without allocation, numbers included.
     *
     * @param arguments as of {@link #launch}
     * @throws IllegalArgumentException and others as {@link #launch}
     */
    RepeatableLaunch prepare(LaunchConfig config, Object... arguments);

    /** Unloads it, when it runs no more. */
    @Override
    void close();
}
