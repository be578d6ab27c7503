// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUaccessPolicyWindow}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUaccessPolicyWindow {
    /** Size in bytes. */
    public static final long BYTES = 32;

    /** {@code void *base_ptr} */
    public static final long base_ptr = 0;

    /** {@code size_t num_bytes} */
    public static final long num_bytes = 8;

    /** {@code float hitRatio} */
    public static final long hitRatio = 16;

    /** {@code CUaccessProperty hitProp} */
    public static final long hitProp = 20;

    /** {@code CUaccessProperty missProp} */
    public static final long missProp = 24;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.ADDRESS.withName("base_ptr"),
            ValueLayout.JAVA_LONG.withName("num_bytes"),
            ValueLayout.JAVA_FLOAT.withName("hitRatio"),
            ValueLayout.JAVA_INT.withName("hitProp"),
            ValueLayout.JAVA_INT.withName("missProp"),
            MemoryLayout.paddingLayout(4));

    private CUaccessPolicyWindow() {}
}
