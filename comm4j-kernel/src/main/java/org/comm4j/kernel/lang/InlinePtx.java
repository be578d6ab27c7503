// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a method is on a GPU: instructions of PTX. The method's body is what it does on the CPU. Registers follow from
 * the types: {@code float} is {@code .f32}, {@code double} {@code .f64}, {@code boolean}, {@code byte}, {@code int} and
 * enums (by ordinal) {@code .b32}, {@code short} and {@code char} {@code .b16}, {@code long} and pointers {@code .b64}.
 * A result that is a record is one register for each component.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface InlinePtx {
    /**
     * The text, with {@code $0} for the result, if there is one, and {@code $1}, {@code $2}, … for the parameters in
     * their order; of an instance method {@code $1} is {@code this}. A result of n components is {@code $0} to {@code
     * $(n-1)}, parameters follow; a parameter that is a record is as many operands as it has components.
     */
    String value();

    /** Whether it does more than compute its result from its parameters, such as reading or writing memory. */
    boolean effects() default true;

    /** Whether the threads of a warp or block must come together to it. */
    boolean convergent() default false;

    /**
     * The numbers of parameters, the first is 1, that PTX wants as numbers in the text: their arguments must be
     * constants.
     */
    int[] constants() default {};

    /**
     * The numbers of parameters, the first is 1, that are pointers into shared memory of this block and that PTX takes
     * as addresses there, of 32 bits: in the text {@code [$1]} of an instruction with {@code .shared}. The compiler
     * then need not ask which memory a pointer is to.
     */
    int[] shared() default {};

    /**
     * The first architecture that has the instructions, as in {@code 90} for sm_90. A kernel for an older one is
     * refused with the method's name.
     */
    int since() default 0;

    /** Whether only the very architecture {@link #since} has the instructions, as in {@code sm_90a}. */
    boolean specific() default false;

    /**
     * An array whose elements are registers that the instructions read and write: the number of its parameter, that of
     * a constant parameter, and how many of the constant make one register. In the text the parameter's number is
     * their list, as in {@code {$1}}. There is no result.
     */
    int[] registers() default {};

    /** What stands for {@link #value} before {@link #since}, with the same operands, so that no kernel is refused. */
    String older() default "";
}
