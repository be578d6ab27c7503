// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a parameter of a kernel whose value is given when the kernel is compiled, not when it is launched: a primitive
 * or an enum. Loops over it can be unrolled, arrays have it as their size, and what is then never reached costs
 * nothing. Of a lambda it is said by a call of a kernel with a captured value for the parameter. A method that a kernel
 * calls may have such parameters, too: it is compiled once for each value, which has to be known when the kernel is.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Constant {}
