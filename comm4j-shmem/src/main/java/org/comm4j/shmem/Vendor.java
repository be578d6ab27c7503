// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.shmem.LibOpenshmem;
import org.comm4j.ffi.shmem.ShmemCtx;
import org.jspecify.annotations.Nullable;

/** What the specification leaves to those who make a library, and their header files say. */
enum Vendor {
    OPEN_MPI("oshmem_ctx_default", 0),
    /** Sandia OpenSHMEM. */
    SANDIA("SHMEM_CTX_DEFAULT", 1);

    /** The variable with the default context. */
    private final String defaultContext;
    /** {@code SHMEM_CMP_EQ}. */
    private final int equal;

    Vendor(String defaultContext, int equal) {
        this.defaultContext = defaultContext;
        this.equal = equal;
    }

    /** Who made the library, as its symbols tell; null if unknown. */
    static @Nullable Vendor of(NativeLibrary library) {
        for (Vendor each : values()) {
            if (library.function(each.defaultContext).isPresent()) {
                return each;
            }
        }
        return null;
    }

    /** To be asked when the library is initialised. */
    ShmemCtx defaultContext() {
        long variable =
                LibOpenshmem.library().function(defaultContext).address().address();
        return new ShmemCtx(NativeMemory.at(variable, Long.BYTES).get(ValueLayout.JAVA_LONG, 0));
    }

    /** The same with both. */
    long options(Set<Context.Option> options) {
        long bits = 0;
        for (Context.Option each : options) {
            bits |= switch (each) {
                case PRIVATE -> 1;
                case SERIALIZED -> 2;
                case NOSTORE -> 4;
            };
        }
        return bits;
    }

    /**
     * Lets the library work; waits for nothing.
     *
     * @param word of this PE's symmetric memory
     */
    void progress(long word) {
        switch (this) {
            // Its test only looks.
            case OPEN_MPI -> LibOpenshmem.opal_progress();
            case SANDIA -> {
                int ignored = LibOpenshmem.shmem_long_test(MemorySegment.ofAddress(word), equal, 0);
            }
        }
    }
}
