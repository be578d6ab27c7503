// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.comm4j.kernel.KernelCompileException;

/**
 * Marks a static method without a result as one that a GPU's threads run, all of them the same ({@code __global__} in
 * CUDA). What the method calls needs no mark.
 *
 * <p>Its language is Java without objects: primitives, typed pointers, records (as values), enums (as their ordinals),
 * local arrays of constant size (of which one made in a loop is the same memory each time, cleared), lambdas that are
 * called within the kernel, static final constants and arrays, which are read when the kernel is compiled. {@code
 * throw} ends the kernel with an error that names the exception and the constant part of its message; it cannot be
 * caught. {@link KernelCompileException} says what else there is not.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Kernel {
    /** How a GPU does floating-point arithmetic. The CPU always does it as {@link #EXACT} says. */
    @SuppressWarnings("AvoidCommonTypeNames") // Kernel.Math.FAST is what it is called where it is used
    enum Math {
        /**
         * As the kernel's class says with {@link KernelMath}, else as the compiler's options say ({@link
         * CompileOptions#withMath}), else {@link #CUDA}.
         */
        DEFAULT,
        /** As Java says, to the bit. Functions such as {@code exp} are those of CUDA in {@code double}. */
        EXACT,
        /**
         * As nvcc without options: {@code a * b + c} is one rounding where the compiler finds it, {@code (float)
         * Math.exp(x)} of a {@code float} is CUDA's {@code expf}. Division, roots and denormal numbers are IEEE 754's.
         * Errors are those that the CUDA C++ Programming Guide states.
         */
        CUDA,
        /**
         * As {@code nvcc --use_fast_math}: products and sums are fused, division and roots approximate, denormal
         * numbers are zero, functions of {@code float} short forms such as {@code __expf}.
         */
        FAST
    }

    /** Returns how floating-point arithmetic is done; it comes before the class's and the compiler's choice. */
    Math math() default Math.DEFAULT;

    /** The most threads that a block of a launch has; the compiler may then use more registers. 0 for any number. */
    int maxThreads() default 0;

    /**
     * How many blocks are to fit onto a multiprocessor at the same time; the compiler then limits registers. 0 for any
     * number.
     */
    int minBlocks() default 0;

    /**
     * Blocks of a cluster along x, y and z; missing ones are 1. Empty if there are no clusters or the launch says it.
     */
    int[] cluster() default {};
}
