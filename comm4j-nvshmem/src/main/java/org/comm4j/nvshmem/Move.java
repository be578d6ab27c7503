// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;

/** What copies to and from a PE have of their own; {@link OneSided} has what is the same for all. */
enum Move {
    PUT("put", true) {
        @Override
        void call(long there, long here, long bytes, int pe) {
            LibNvshmem.nvshmem_putmem(there, here, bytes, pe);
        }

        @Override
        void call(long there, long here, long bytes, int pe, CUstream stream) {
            LibNvshmem.nvshmemx_putmem_on_stream(there, here, bytes, pe, stream);
        }
    },
    PUT_NBI("putNbi", true) {
        @Override
        void call(long there, long here, long bytes, int pe) {
            LibNvshmem.nvshmem_putmem_nbi(there, here, bytes, pe);
        }

        @Override
        void call(long there, long here, long bytes, int pe, CUstream stream) {
            LibNvshmem.nvshmemx_putmem_nbi_on_stream(there, here, bytes, pe, stream);
        }
    },
    GET("get", false) {
        @Override
        void call(long there, long here, long bytes, int pe) {
            LibNvshmem.nvshmem_getmem(here, there, bytes, pe);
        }

        @Override
        void call(long there, long here, long bytes, int pe, CUstream stream) {
            LibNvshmem.nvshmemx_getmem_on_stream(here, there, bytes, pe, stream);
        }
    },
    GET_NBI("getNbi", false) {
        @Override
        void call(long there, long here, long bytes, int pe) {
            LibNvshmem.nvshmem_getmem_nbi(here, there, bytes, pe);
        }

        @Override
        void call(long there, long here, long bytes, int pe, CUstream stream) {
            LibNvshmem.nvshmemx_getmem_nbi_on_stream(here, there, bytes, pe, stream);
        }
    };

    final String operation;
    /** What the array on the other PE is to the operation. */
    final String there;

    /** What the array on this side is. */
    final String here;

    Move(String operation, boolean put) {
        this.operation = operation;
        this.there = put ? "destination" : "source";
        this.here = put ? "source" : "destination";
    }

    abstract void call(long there, long here, long bytes, int pe);

    abstract void call(long there, long here, long bytes, int pe, CUstream stream);
}
