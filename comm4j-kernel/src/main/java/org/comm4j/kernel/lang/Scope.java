// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** Among which threads an access is atomic and ordered. */
public enum Scope {
    /** Of the same block ({@code .cta}). */
    BLOCK,
    /** Of the same cluster ({@code .cluster}); sm_90 and later. */
    CLUSTER,
    /** Of the same GPU ({@code .gpu}). */
    DEVICE,
    /** Of all GPUs and the host ({@code .sys}). */
    SYSTEM
}
