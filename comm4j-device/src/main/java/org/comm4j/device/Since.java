// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The first version of NVSHMEM that has a function. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Since {
    /** As in {@code "3.7"}. */
    String value();
}
