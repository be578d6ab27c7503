// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.InlinePtx;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Ptr;

/**
 * What kernels that are compiled with checks look at before a call; others have nothing of it. The functions for the
 * CPU check by themselves.
 */
@KernelLibrary
final class Check {
    private Check() {}

    /** Whether this runs in Java, where functions say more of what is wrong. */
    @InlinePtx(value = "mov.u32 $0, 0;", effects = false)
    static boolean inJava() {
        return true;
    }

    /** A symmetric place, and a PE. */
    static void remote(Ptr symmetric, int pe) {
        assert inJava() || pe >= 0 && pe < NvshmemFunctions.nvshmem_n_pes() : "there is no such PE";
        symmetric(symmetric);
    }

    /** A place that all PEs have; NVSHMEM says of others that they are on no PE. */
    static void symmetric(Ptr symmetric) {
        assert inJava()
                        || NvshmemFunctions.nvshmem_ptr(symmetric, NvshmemFunctions.nvshmem_my_pe())
                                        .address()
                                != 0
                : "not in the symmetric heap";
    }
}
