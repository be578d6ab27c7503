// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUstream;

/** Sets device memory to one value of any type with nothing but the driver: it can set units of 1, 2 and 4 bytes. */
final class Fill {
    private static final int WORD = 4;

    private Fill() {}

    /** The context of the stream is current; {@code count} is at least 1. */
    static void put(CUstream stream, long address, long count, DataType type, double value) {
        try (Arena arena = Arena.ofConfined()) {
            // The host's array knows how to round to every type.
            HostArray element = HostArray.allocate(arena, type, 1);
            element.fill(value);
            put(stream, address, count * type.bytes(), element.segment());
        }
    }

    private static void put(CUstream stream, long address, long bytes, MemorySegment element) {
        int unit = shortestPeriod(element);
        switch (unit) {
            case 1 -> LibCuda.cuMemsetD8Async(address, element.get(JAVA_BYTE, 0), bytes, stream);
            case 2 -> LibCuda.cuMemsetD16Async(address, element.get(JAVA_SHORT, 0), bytes / 2, stream);
            case WORD -> LibCuda.cuMemsetD32Async(address, element.get(JAVA_INT, 0), bytes / WORD, stream);
            default -> {
                // The first element word by word, as a graph would keep the address, not the content, of a host copy.
                for (int at = 0; at < unit; at += WORD) {
                    LibCuda.cuMemsetD32Async(address + at, element.get(JAVA_INT, at), 1, stream);
                }
                // Doubling copies fill at memory speed.
                for (long filled = unit; filled < bytes; filled *= 2) {
                    LibCuda.cuMemcpyDtoDAsync(address + filled, address, Math.min(filled, bytes - filled), stream);
                }
            }
        }
    }

    /** The shortest part, in bytes, of which the element is a repetition. */
    private static int shortestPeriod(MemorySegment element) {
        int period = (int) element.byteSize();
        while (period > 1 && MemorySegment.mismatch(element, 0, period / 2, element, period / 2, period) < 0) {
            period /= 2;
        }
        return period;
    }
}
