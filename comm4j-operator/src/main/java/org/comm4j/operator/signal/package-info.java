// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Signal processing: Fourier transforms over ranks and what is made of them. */
@NullMarked
package org.comm4j.operator.signal;

import org.jspecify.annotations.NullMarked;
