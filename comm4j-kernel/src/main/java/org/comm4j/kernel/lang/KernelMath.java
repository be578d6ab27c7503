// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Choice of floating-point arithmetic for all kernels of a class and of the classes within it. It comes before {@link
 * CompileOptions#withMath}; {@link Kernel#math} of a kernel comes before it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface KernelMath {
    /** Returns the arithmetic. */
    Kernel.Math value();
}
