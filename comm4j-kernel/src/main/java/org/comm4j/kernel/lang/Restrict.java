// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a pointer or view among a kernel's parameters through which alone its memory is reached while the kernel runs,
 * if it is written at all: {@code __restrict__} in CUDA C++. On a GPU reads then move above writes through other
 * pointers, and memory that the kernel only reads is read through the cache for constant data ({@code ld.global.nc}, as
 * {@code __ldg}). What nobody else may write includes the host, other kernels and other GPUs: a flag that somebody else
 * sets is not for a restricted pointer.
 *
 * <p>A launch refuses a restricted argument that overlaps another argument, or another pointer of the same one, unless
 * the kernel writes through neither of the two. What it knows of their memory is: of a buffer all of it; of a view its
 * length; of a pointer that was made of a buffer, from where it points to the end of the buffer. It does not look at
 * pointers that came from elsewhere, at what lies before a pointer, at memory that two addresses stand for, at what
 * {@link org.comm4j.cuda.PreparedLaunch} is given later, or at pointers that the kernel's lambda or record makes on the
 * way. Whether a kernel writes through a pointer is told cautiously: inline PTX and device code that may do so count,
 * and so does every pointer of a kernel that cannot be compiled for a GPU.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Restrict {}
