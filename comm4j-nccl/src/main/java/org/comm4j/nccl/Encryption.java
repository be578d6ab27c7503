// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclEncryptionConfig;
import org.comm4j.nccl.ConfigStruct.Field;
import org.jspecify.annotations.Nullable;

/** The setting of the process ({@code ncclEncryptionConfig_t}): see {@link Nccl#encryption}. */
final class Encryption {
    private static final Field MODE =
            Field.number("mode", NcclEncryptionConfig.mode, 23203).unset(LibNccl.NCCL_ENCRYPTION_MODE_NONE);
    private static final Field PSK = Field.text("psk", NcclEncryptionConfig.psk, 23203);

    static final ConfigStruct STRUCT = new ConfigStruct("encryption", MODE, PSK);

    /** What NCCL accepts. */
    private static final int SHORTEST = 32;

    private Encryption() {}

    static void set(@Nullable String key) {
        if (key != null) {
            int bytes = key.getBytes(StandardCharsets.UTF_8).length;
            if (bytes < SHORTEST || key.indexOf(0) >= 0) {
                throw new IllegalArgumentException("encryption: a key of " + bytes + " bytes"
                        + (key.indexOf(0) >= 0 ? " with a zero among them" : "") + "; at least " + SHORTEST
                        + " are needed, and none that is zero");
            }
        }
        if (!LibNccl.has("ncclSetEncryption")) {
            throw new UnsupportedOperationException("encryption needs NCCL " + NcclVersion.of(MODE.since())
                    + " or newer; loaded: " + LibNccl.library().version() + " ("
                    + LibNccl.library().file() + ")");
        }
        try (Arena arena = Arena.ofConfined()) {
            LibNccl.ncclSetEncryption(write(key, Library.version(), arena));
        } catch (NativeCallException e) {
            throw new NcclException("encryption", e);
        }
    }

    static MemorySegment write(@Nullable String key, int version, SegmentAllocator allocator) {
        Map<Field, Object> values = key == null ? Map.of() : Map.of(MODE, LibNccl.NCCL_ENCRYPTION_MODE_PSK, PSK, key);
        return STRUCT.write(values, version, allocator);
    }
}
