// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemType;

/**
 * The library's kernels that wait in streams, and those that end a wait. CUDA loads a kernel when it is launched for
 * the first time, and that waits for all kernels that run: behind one that waits for the call which is about to be
 * made, for ever. So all are launched once before the first wait, with nothing to wait for.
 */
final class WaitKernels {
    private WaitKernels() {}

    /** With the session's lock held. */
    static void load(Session session) {
        if (session.waitKernelsLoaded) {
            return;
        }
        long zeros = session.heap.zeros();
        if (zeros == 0) {
            return;
        }
        session.waitKernelsLoaded = true;
        CUstream stream = session.own.handle();
        LibNvshmem.nvshmemx_signal_op_on_stream(zeros, 0, LibNvshmem.NVSHMEM_SIGNAL_SET, session.myPe, stream);
        LibNvshmem.nvshmemx_signal_wait_until_on_stream(zeros, LibNvshmem.NVSHMEM_CMP_EQ, 0, stream);
        for (NvshmemType type : Types.AWAITED) {
            LibNvshmem.nvshmemx_wait_until_on_stream(type, zeros, LibNvshmem.NVSHMEM_CMP_EQ, 0, stream);
            LibNvshmem.nvshmemx_wait_until_all_on_stream(type, zeros, 1, 0, LibNvshmem.NVSHMEM_CMP_EQ, 0, stream);
            LibNvshmem.nvshmemx_wait_until_all_vector_on_stream(
                    type, zeros, 1, 0, LibNvshmem.NVSHMEM_CMP_EQ, zeros, stream);
        }
    }
}
