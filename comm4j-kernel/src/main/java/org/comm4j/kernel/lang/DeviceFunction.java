// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a method is on a GPU: a call of a function by its symbol. The method's body is what it does on the CPU. Of an
 * instance method the first argument is {@code this}; enums are {@code int}s by their ordinal, pointers addresses.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface DeviceFunction {
    /**
     * An intrinsic of NVVM ({@code llvm.nvvm.…}), an atomic instruction of NVVM IR ({@code atomicrmw.add.i32}, {@code
     * cmpxchg.i64}) with the address as the first argument, a function of libdevice ({@code __nv_…}), or an {@code
     * extern "C"} function of {@link #unit}.
     *
     * <p>{@code $1}, {@code $2}, … stand for what is known of the parameter of that number when the kernel is compiled,
     * by its word in {@link #words}: the type of a pointer's elements, the constant of an enum. Such an enum is no
     * argument of the function; if it is known only when the kernel runs, the functions of all of its words are called,
     * each in its case.
     *
     * <p>Without words the number is that of a whole number, a {@code boolean} (0 or 1) or an enum (its ordinal), with
     * {@code m} for a minus sign. It has to be known when the kernel is compiled, and is no argument of the function.
     */
    String value();

    /**
     * What stands in {@link #value} for the constants of {@link org.comm4j.core.DataType} and other enums: {@code
     * "INT32 int, FLOAT32 float"}. What has no word has no function; a kernel that calls it is refused.
     */
    String words() default "";

    /** The name of the device code that has the function and is linked in; empty for intrinsics and libdevice. */
    String unit() default "";

    /** Whether it only computes its result from its arguments. */
    boolean pure() default false;

    /** Whether the threads of a warp or block must come together to it. */
    boolean convergent() default false;

    /**
     * Whether it may wait for other blocks, or for kernels on other GPUs that wait for blocks of this one: all blocks
     * of the kernel have to run at the same time. Kernels that call such a function are launched {@linkplain
     * org.comm4j.cuda.LaunchConfig#cooperatively cooperatively}.
     */
    boolean cooperative() default false;
}
