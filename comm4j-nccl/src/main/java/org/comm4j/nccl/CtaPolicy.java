// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.ffi.nccl.LibNccl;

/** How NCCL trades thread blocks (CTAs) for speed. */
public enum CtaPolicy {
    /** As many as are fastest ({@code NCCL_CTA_POLICY_DEFAULT}). */
    DEFAULT,
    /** Fewer, where that costs little ({@code NCCL_CTA_POLICY_EFFICIENCY}). */
    EFFICIENCY,
    /**
     * None: copy engines do the work, where it is only moved and all of it is in symmetric windows ({@code
     * NCCL_CTA_POLICY_ZERO}). What has been given to copy engines cannot be aborted (NCCL 2.28.9). Gather and scatter
     * are messages then.
     */
    ZERO;

    /** Several together, as NCCL combines them. */
    static int code(CtaPolicy... policies) {
        if (policies.length == 0) {
            throw new IllegalArgumentException("ctaPolicy: name at least one policy");
        }
        int bits = 0;
        for (CtaPolicy policy : policies) {
            bits |= policy.code();
        }
        return bits;
    }

    private int code() {
        return switch (this) {
            case DEFAULT -> LibNccl.NCCL_CTA_POLICY_DEFAULT;
            case EFFICIENCY -> LibNccl.NCCL_CTA_POLICY_EFFICIENCY;
            case ZERO -> LibNccl.NCCL_CTA_POLICY_ZERO;
        };
    }
}
