// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUmemLocation}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUmemLocation {
    /** Size in bytes. */
    public static final long BYTES = 8;

    /** {@code CUmemLocationType type} */
    public static final long type = 0;

    /** {@code int id} */
    public static final long id = 4;

    /** {@code struct { unsigned char deviceId; unsigned char localityDomainId; } localized} */
    public static final long localized = 4;

    /** {@code unsigned char localized_deviceId} */
    public static final long localized_deviceId = 4;

    /** {@code unsigned char localized_localityDomainId} */
    public static final long localized_localityDomainId = 5;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("type"),
            MemoryLayout.unionLayout(
                    ValueLayout.JAVA_INT.withName("id"),
                    MemoryLayout.structLayout(
                                    ValueLayout.JAVA_BYTE.withName("deviceId"),
                                    ValueLayout.JAVA_BYTE.withName("localityDomainId"))
                            .withName("localized")));

    private CUmemLocation() {}
}
